//===- SocketControl.cpp - the control channel between processes ----------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NCCL/ControlServer.h"
#include "NCCL/Environment.h"

#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <unordered_map>

using namespace dist::rt;

namespace {
/// How long an answer of rank 0's server may take once it is connected.
constexpr int64_t kAnswerNs = 5000000000;

class SocketControl final : public Control {
public:
  SocketControl(int socket, std::unique_ptr<ControlServer> server,
                int64_t deadlineNs)
      : socket(socket), server(std::move(server)), deadlineNs(deadlineNs) {}

  ~SocketControl() override {
    {
      std::lock_guard<std::mutex> lock(mutex);
      closing = true;
    }
    sendFrame(FrameWriter(FrameKind::Bye).finish());
    shutdown(socket, SHUT_RDWR);
    if (reader.joinable())
      reader.join();
    close(socket);
    if (server)
      server->finish(deadlineNs);
  }

  void attach(ErrorSink &newSink) override {
    sink = &newSink;
    reader = std::thread([this] { read(); });
  }

  void announce(const std::string &key, int64_t numMembers, int64_t position,
                std::string words, Complete complete) override {
    {
      std::lock_guard<std::mutex> lock(mutex);
      callbacks[key] = std::move(complete);
    }
    sendFrame(FrameWriter(FrameKind::Say)
                  .text(key)
                  .number(numMembers)
                  .number(position)
                  .text(words)
                  .finish());
  }

  Arrivals arrivals(const std::string &key, int64_t numMembers) override {
    std::unique_lock<std::mutex> lock(mutex);
    answered = false;
    asked = key;
    lock.unlock();
    sendFrame(
        FrameWriter(FrameKind::Who).text(key).number(numMembers).finish());
    lock.lock();
    bool there = changed.wait_for(lock, std::chrono::nanoseconds(kAnswerNs),
                                  [this] { return answered; });
    if (there)
      return answer;
    Arrivals none;
    none.known = false;
    return none;
  }

  void announceFailure(const std::vector<int64_t> &ranks, int status,
                       const std::string &message) override {
    sendFrame(FrameWriter(FrameKind::Fail)
                  .numbers(ranks)
                  .number(status)
                  .text(message)
                  .finish());
  }

private:
  void sendFrame(const std::string &frame) {
    std::lock_guard<std::mutex> lock(sending);
    for (size_t at = 0; at < frame.size();) {
      ssize_t n =
          send(socket, frame.data() + at, frame.size() - at, MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return; // the reader finds out
      at += size_t(n);
    }
  }

  void read() {
    std::string buffer;
    char bytes[16384];
    while (true) {
      ssize_t n = recv(socket, bytes, sizeof(bytes), 0);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        break;
      buffer.append(bytes, size_t(n));
      std::string frame;
      bool broken = false;
      while (takeFrame(buffer, frame, broken))
        handle(frame);
      if (broken)
        break;
    }
    std::unique_lock<std::mutex> lock(mutex);
    bool wanted = closing;
    lock.unlock();
    if (!wanted)
      sink->fail({0}, DISTRT_ABORTED,
                 "rank 0: its process ended or lost its connection",
                 /*remote=*/true);
  }

  void handle(const std::string &frame) {
    FrameReader reader(frame);
    switch (reader.kind) {
    case FrameKind::Said: {
      std::string key = reader.text();
      std::vector<std::string> words = reader.texts();
      std::unique_lock<std::mutex> lock(mutex);
      auto found = callbacks.find(key);
      if (found == callbacks.end() || !reader.good)
        return;
      Complete complete = std::move(found->second);
      callbacks.erase(found);
      lock.unlock();
      complete(words);
      return;
    }
    case FrameKind::Missing: {
      std::lock_guard<std::mutex> lock(mutex);
      if (reader.text() != asked)
        return;
      answer.lastNs = nowNs() - reader.number();
      answer.missing = reader.numbers();
      answered = true;
      changed.notify_all();
      return;
    }
    case FrameKind::Fail: {
      std::vector<int64_t> ranks = reader.numbers();
      auto status = int(reader.number());
      std::string message = reader.text();
      if (reader.good && !ranks.empty())
        sink->fail(ranks, status, message, /*remote=*/true);
      return;
    }
    default:
      return;
    }
  }

  const int socket;
  std::unique_ptr<ControlServer> server;
  const int64_t deadlineNs;
  ErrorSink *sink = nullptr;
  std::mutex sending;
  std::mutex mutex; // what follows
  std::condition_variable changed;
  std::unordered_map<std::string, Complete> callbacks;
  std::string asked;
  Arrivals answer;
  bool answered = false;
  bool closing = false;
  std::thread reader;
};

std::string errnoText() { return strerror(errno); }

/// Listens on `port`, or with 0 on one that the system chooses.
int listenOn(int &port, std::string &message) {
  int listener = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  bool six = listener >= 0;
  if (!six)
    listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int on = 1, off = 0;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_storage address = {};
  socklen_t length;
  if (six) {
    setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
    auto &any = reinterpret_cast<sockaddr_in6 &>(address);
    any.sin6_family = AF_INET6;
    any.sin6_port = htons(uint16_t(port));
    length = sizeof(any);
  } else {
    auto &any = reinterpret_cast<sockaddr_in &>(address);
    any.sin_family = AF_INET;
    any.sin_port = htons(uint16_t(port));
    length = sizeof(any);
  }
  auto *plain = reinterpret_cast<sockaddr *>(&address);
  if (listener < 0 || bind(listener, plain, length) != 0 ||
      listen(listener, 1024) != 0 ||
      getsockname(listener, plain, &length) != 0) {
    message = "rank 0 cannot listen on port " + std::to_string(port) + ": " +
              errnoText();
    if (listener >= 0)
      close(listener);
    return -1;
  }
  port = ntohs(six ? reinterpret_cast<sockaddr_in6 &>(address).sin6_port
                   : reinterpret_cast<sockaddr_in &>(address).sin_port);
  return listener;
}

int connectTo(const std::string &host, int port, std::string &message) {
  addrinfo hints = {}, *list = nullptr;
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  int error =
      getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (error) {
    message = gai_strerror(error);
    return -1;
  }
  int result = -1;
  for (addrinfo *item = list; item && result < 0; item = item->ai_next) {
    int socket = ::socket(item->ai_family, item->ai_socktype | SOCK_CLOEXEC,
                          item->ai_protocol);
    if (socket >= 0 && connect(socket, item->ai_addr, item->ai_addrlen) == 0) {
      result = socket;
      break;
    }
    message = errnoText();
    if (socket >= 0)
      close(socket);
  }
  freeaddrinfo(list);
  return result;
}

bool writeAddress(const std::string &path, int port, std::string &message) {
  char name[256] = "localhost";
  gethostname(name, sizeof(name) - 1);
  // Whole or not at all: the others read it while it is written.
  std::string draft = path + "." + std::to_string(getpid());
  FILE *file = fopen(draft.c_str(), "w");
  bool good = file && fprintf(file, "%s %d\n", name, port) > 0;
  if (file)
    good &= fclose(file) == 0;
  if (good && rename(draft.c_str(), path.c_str()) == 0)
    return true;
  message =
      "rank 0 cannot write the rendezvous file " + path + ": " + errnoText();
  return false;
}

bool readAddress(const std::string &path, std::string &host, int &port) {
  FILE *file = fopen(path.c_str(), "r");
  if (!file)
    return false;
  char name[256];
  bool good = fscanf(file, "%255s %d", name, &port) == 2;
  fclose(file);
  host = name;
  return good;
}

/// Says hello, and reads until the welcome. `message` says why it failed;
/// `again`: another try may help.
bool enterWorld(int socket, const Environment &environment, int64_t untilNs,
                std::string &message, bool &again) {
  std::string frame = FrameWriter(FrameKind::Hello)
                          .number(kWireMagic)
                          .number(environment.rank)
                          .number(environment.numRanks)
                          .finish();
  std::string buffer;
  bool asked = false;
  again = false;
  send(socket, frame.data(), frame.size(), MSG_NOSIGNAL);
  while (true) {
    pollfd polled = {socket, POLLIN, 0};
    if (poll(&polled, 1, /*ms=*/20) > 0) {
      // One frame at a time: what follows is the reader's.
      char byte;
      if (recv(socket, &byte, 1, 0) != 1) {
        message = "what listens there is no rank 0 of this world, or rank " +
                  std::to_string(environment.rank) + " is there already";
        again = true;
        return false;
      }
      buffer += byte;
      bool broken = false;
      if (!takeFrame(buffer, frame, broken) && !broken)
        continue;
      FrameReader reader(frame);
      if (!broken && reader.kind == FrameKind::Welcome)
        return true;
      if (!broken && reader.kind == FrameKind::Missing) {
        reader.text();
        reader.number();
        message = "missing " + formatRanks(reader.numbers());
        return false;
      }
      message = "what listens there does not speak as a rank of a world";
      return false;
    }
    if (nowNs() < untilNs)
      continue;
    if (asked) {
      message = "rank 0 does not answer";
      return false;
    }
    asked = true;
    untilNs = nowNs() + kAnswerNs;
    frame = FrameWriter(FrameKind::Who)
                .text("")
                .number(environment.numRanks)
                .finish();
    send(socket, frame.data(), frame.size(), MSG_NOSIGNAL);
  }
}
} // namespace

std::unique_ptr<Control>
dist::rt::createSocketControl(const Environment &environment,
                              int64_t deadlineNs, Outcome &outcome) {
  std::unique_ptr<ControlServer> server;
  std::string host = environment.host, message;
  int port = environment.port;
  int64_t untilNs = nowNs() + deadlineNs;
  if (environment.rank == 0) {
    int listener = listenOn(port, message);
    if (listener < 0 || (!environment.file.empty() &&
                         !writeAddress(environment.file, port, message))) {
      outcome = {DISTRT_INVALID_ARGUMENT, message};
      if (listener >= 0)
        close(listener);
      return nullptr;
    }
    server = std::make_unique<ControlServer>(listener, environment.numRanks);
    host = "localhost";
  }
  std::unique_ptr<Control> control;
  message = "nobody listens there";
  bool again = true;
  while (!control && again) {
    bool found = environment.file.empty() || environment.rank == 0 ||
                 readAddress(environment.file, host, port);
    int socket = found ? connectTo(host, port, message) : -1;
    if (socket >= 0) {
      int on = 1;
      setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
      setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
      if (enterWorld(socket, environment, untilNs, message, again))
        control = std::make_unique<SocketControl>(socket, std::move(server),
                                                  deadlineNs);
      else
        close(socket);
    }
    if (nowNs() >= untilNs)
      again = false;
    if (!control && again)
      usleep(20000);
  }
  if (environment.rank == 0 && !environment.file.empty())
    unlink(environment.file.c_str());
  if (control)
    return control;
  std::string where = environment.file.empty()
                          ? host + ":" + std::to_string(port)
                          : "the rendezvous file " + environment.file;
  outcome = {DISTRT_TIMEOUT,
             format("rank %lld of %lld: the ranks did not meet at ",
                    static_cast<long long>(environment.rank),
                    static_cast<long long>(environment.numRanks)) +
                 where + " within " + formatDuration(deadlineNs) + ": " +
                 message};
  return nullptr;
}
