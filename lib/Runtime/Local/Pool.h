//===- Pool.h - threads that move data --------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_LOCAL_POOL_H
#define DIST_LIB_RUNTIME_LOCAL_POOL_H

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace dist::rt {

struct Task {
  void (*run)(void *argument);
  void *argument;
};

/// A few threads that run ready work. Communicators are queues, not threads:
/// what is ready comes here. Threads are made with the first task.
class Pool {
public:
  Pool(int64_t numWorkers, uint64_t seed);
  ~Pool();
  void submit(Task task);
  int64_t size() const { return numWorkers; }
  /// With a seed the next task is a random one instead of the oldest.
  bool isSeeded() const { return seeded; }

private:
  void work();
  Task next();

  const int64_t numWorkers;
  const bool seeded;
  uint64_t state;
  std::mutex mutex;
  std::condition_variable ready;
  std::deque<Task> tasks;
  std::vector<std::thread> threads;
  bool stopping = false;
};

/// One thread that runs short tasks at given times: ends of modelled flights
/// and late arrivals. Made with the first task.
class Timer {
public:
  ~Timer();
  void schedule(int64_t atNs, Task task);

private:
  struct Entry {
    int64_t atNs;
    uint64_t order;
    Task task;
    bool operator<(const Entry &other) const {
      return atNs != other.atNs ? atNs > other.atNs : order > other.order;
    }
  };
  void work();

  std::mutex mutex;
  std::condition_variable changed;
  std::priority_queue<Entry> entries;
  uint64_t order = 0;
  std::thread thread;
  bool stopping = false;
};

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_LOCAL_POOL_H
