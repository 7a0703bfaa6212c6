//===- ControlServer.h - where the ranks of a world meet --------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_NCCL_CONTROLSERVER_H
#define DIST_LIB_RUNTIME_NCCL_CONTROLSERVER_H

#include "NCCL/Wire.h"

#include "Common/Support.h"

#include <atomic>
#include <map>
#include <thread>

namespace dist::rt {

/// In the process of rank 0: one thread that serves one connection per rank.
class ControlServer {
public:
  /// Takes over a listening socket.
  ControlServer(int listener, int64_t numRanks);
  /// Serves until every rank has said goodbye, at most `lingerNs`.
  void finish(int64_t lingerNs);
  ~ControlServer();

private:
  struct Connection {
    int socket = -1;
    int64_t rank = -1; // until its hello: unknown
    bool saidBye = false;
    std::string in, out;
  };
  struct Meeting {
    std::vector<std::string> words;
    std::vector<bool> present;
    std::vector<int64_t> ranks; // who said it, to answer them
    int64_t lastNs = 0;
  };
  void serve();
  void accept();
  /// False when the connection is over.
  bool receive(Connection &connection);
  bool handle(Connection &connection, const std::string &frame);
  bool hello(Connection &connection, int64_t magic, int64_t rank,
             int64_t ranks);
  void say(Connection &connection, const std::string &key, int64_t n,
           int64_t position, std::string words);
  void who(Connection &connection, const std::string &key, int64_t n);
  void sendTo(int64_t rank, const std::string &frame);
  void sendAll(const std::string &frame, int64_t except);
  static void flush(Connection &connection);
  void drop(Connection &connection);

  const int listener;
  const int64_t numRanks;
  std::map<int, Connection> connections; // by socket
  std::map<int64_t, int> socketOf;       // by rank
  std::map<std::string, Meeting> meetings;
  int64_t numGone = 0;
  std::atomic<bool> stopping{false};
  std::atomic<bool> empty{false};
  std::thread thread;
};

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_NCCL_CONTROLSERVER_H
