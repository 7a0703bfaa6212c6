//===- ControlServer.cpp - where the ranks of a world meet ----------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NCCL/ControlServer.h"

#include "dist-rt/distrt.h"

#include <cerrno>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace dist::rt;

ControlServer::ControlServer(int listener, int64_t numRanks)
    : listener(listener), numRanks(numRanks), thread([this] { serve(); }) {}

void ControlServer::finish(int64_t lingerNs) {
  int64_t untilNs = nowNs() + lingerNs;
  while (!empty.load() && nowNs() < untilNs)
    usleep(1000);
}

ControlServer::~ControlServer() {
  stopping.store(true);
  thread.join();
  for (auto &entry : connections)
    close(entry.first);
  close(listener);
}

void ControlServer::serve() {
  while (!stopping.load()) {
    std::vector<pollfd> polled = {{listener, POLLIN, 0}};
    for (auto &[socket, connection] : connections) {
      short wanted = connection.out.empty() ? POLLIN : POLLIN | POLLOUT;
      polled.push_back({socket, wanted, 0});
    }
    if (poll(polled.data(), polled.size(), /*ms=*/50) <= 0)
      continue;
    if (polled[0].revents)
      accept();
    for (size_t i = 1; i < polled.size(); ++i) {
      auto found = connections.find(polled[i].fd);
      if (found == connections.end() || !polled[i].revents)
        continue;
      Connection &connection = found->second;
      if (polled[i].revents & POLLOUT)
        flush(connection);
      if ((polled[i].revents & (POLLIN | POLLHUP | POLLERR)) &&
          !receive(connection))
        drop(connection);
    }
  }
}

void ControlServer::accept() {
  int socket = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
  if (socket < 0)
    return;
  fcntl(socket, F_SETFL, O_NONBLOCK);
  int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  connections[socket].socket = socket;
}

bool ControlServer::receive(Connection &connection) {
  char buffer[16384];
  while (true) {
    ssize_t n = recv(connection.socket, buffer, sizeof(buffer), 0);
    if (n == 0)
      return false;
    if (n < 0) {
      if (errno == EINTR)
        continue;
      if (errno != EAGAIN)
        return false;
      break;
    }
    connection.in.append(buffer, size_t(n));
  }
  std::string frame;
  bool broken = false;
  while (takeFrame(connection.in, frame, broken))
    if (!handle(connection, frame))
      return false;
  return !broken;
}

bool ControlServer::handle(Connection &connection, const std::string &frame) {
  FrameReader reader(frame);
  if (reader.kind == FrameKind::Hello) {
    int64_t magic = reader.number(), rank = reader.number();
    return hello(connection, magic, rank, reader.number());
  }
  if (connection.rank < 0)
    return false;
  switch (reader.kind) {
  case FrameKind::Say: {
    std::string key = reader.text();
    int64_t n = reader.number(), position = reader.number();
    std::string words = reader.text();
    if (!reader.good || n < 1 || n > numRanks || position < 0 || position >= n)
      return false;
    say(connection, key, n, position, std::move(words));
    return true;
  }
  case FrameKind::Who: {
    std::string key = reader.text();
    int64_t n = reader.number();
    if (!reader.good || n < 1 || n > numRanks)
      return false;
    who(connection, key, n);
    return true;
  }
  case FrameKind::Fail: {
    std::string again;
    auto length = uint32_t(frame.size());
    again.append(reinterpret_cast<const char *>(&length), sizeof(length));
    sendAll(again + frame, connection.rank);
    return true;
  }
  case FrameKind::Bye:
    connection.saidBye = true;
    return true;
  default:
    return false;
  }
}

bool ControlServer::hello(Connection &connection, int64_t magic, int64_t rank,
                          int64_t ranks) {
  // A stranger, or a rank of another world: the connection is closed.
  if (magic != kWireMagic || ranks != numRanks || rank < 0 ||
      rank >= numRanks || socketOf.count(rank))
    return false;
  connection.rank = rank;
  socketOf[rank] = connection.socket;
  if (int64_t(socketOf.size()) == numRanks)
    sendAll(FrameWriter(FrameKind::Welcome).finish(), -1);
  return true;
}

void ControlServer::say(Connection &connection, const std::string &key,
                        int64_t n, int64_t position, std::string words) {
  Meeting &meeting = meetings[key];
  meeting.words.resize(size_t(n));
  meeting.present.resize(size_t(n));
  meeting.words[size_t(position)] = std::move(words);
  meeting.present[size_t(position)] = true;
  meeting.ranks.push_back(connection.rank);
  meeting.lastNs = nowNs();
  if (int64_t(meeting.ranks.size()) < n)
    return;
  std::string frame =
      FrameWriter(FrameKind::Said).text(key).texts(meeting.words).finish();
  std::vector<int64_t> ranks = std::move(meeting.ranks);
  meetings.erase(key);
  for (int64_t rank : ranks)
    sendTo(rank, frame);
}

/// The key "" asks for the ranks that have not connected.
void ControlServer::who(Connection &connection, const std::string &key,
                        int64_t n) {
  std::vector<int64_t> missing;
  int64_t ageNs = 0;
  if (key.empty()) {
    for (int64_t rank = 0; rank < numRanks; ++rank)
      if (!socketOf.count(rank))
        missing.push_back(rank);
  } else {
    auto found = meetings.find(key);
    bool known = found != meetings.end();
    for (int64_t i = 0; i < n; ++i)
      if (!known || i >= int64_t(found->second.present.size()) ||
          !found->second.present[size_t(i)])
        missing.push_back(i);
    if (known)
      ageNs = nowNs() - found->second.lastNs;
  }
  connection.out += FrameWriter(FrameKind::Missing)
                        .text(key)
                        .number(ageNs)
                        .numbers(missing)
                        .finish();
  flush(connection);
}

void ControlServer::flush(Connection &connection) {
  while (!connection.out.empty()) {
    ssize_t n = send(connection.socket, connection.out.data(),
                     connection.out.size(), MSG_NOSIGNAL);
    if (n <= 0)
      return; // the poll says when, or that it is over
    connection.out.erase(0, size_t(n));
  }
}

void ControlServer::sendTo(int64_t rank, const std::string &frame) {
  auto found = socketOf.find(rank);
  if (found == socketOf.end())
    return;
  Connection &connection = connections[found->second];
  connection.out += frame;
  flush(connection);
}

void ControlServer::sendAll(const std::string &frame, int64_t except) {
  for (auto &[rank, socket] : socketOf)
    if (rank != except) {
      connections[socket].out += frame;
      flush(connections[socket]);
    }
}

void ControlServer::drop(Connection &connection) {
  int socket = connection.socket;
  int64_t rank = connection.rank;
  bool saidBye = connection.saidBye;
  if (rank >= 0) {
    socketOf.erase(rank);
    if (++numGone == numRanks)
      empty.store(true);
  }
  connections.erase(socket);
  close(socket);
  if (rank >= 0 && !saidBye)
    sendAll(FrameWriter(FrameKind::Fail)
                .numbers({rank})
                .number(DISTRT_ABORTED)
                .text("rank " + std::to_string(rank) +
                      ": its process ended or lost its connection")
                .finish(),
            rank);
}
