//===- Pool.cpp - threads that move data ----------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Local/Pool.h"

#include "Common/Support.h"

#include <chrono>

using namespace dist::rt;

static int64_t defaultWorkers() {
  unsigned cores = std::thread::hardware_concurrency();
  return cores ? int64_t(cores) : 1;
}

Pool::Pool(int64_t workers, uint64_t seed)
    : numWorkers(workers > 0 ? workers : defaultWorkers()), seeded(seed != 0),
      state(seed) {}

Pool::~Pool() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  ready.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

void Pool::submit(Task task) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    tasks.push_back(task);
    if (int64_t(threads.size()) < numWorkers)
      threads.emplace_back([this] { work(); });
  }
  ready.notify_one();
}

Task Pool::next() {
  size_t index = 0;
  if (seeded) {
    // splitmix64
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    index = size_t((z ^ (z >> 31)) % tasks.size());
  }
  Task task = tasks[index];
  tasks.erase(tasks.begin() + long(index));
  return task;
}

void Pool::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    ready.wait(lock, [this] { return stopping || !tasks.empty(); });
    if (tasks.empty())
      return;
    Task task = next();
    lock.unlock();
    task.run(task.argument);
    lock.lock();
  }
}

Timer::~Timer() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  if (thread.joinable())
    thread.join();
}

void Timer::schedule(int64_t atNs, Task task) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    entries.push({atNs, order++, task});
    if (!thread.joinable())
      thread = std::thread([this] { work(); });
  }
  changed.notify_one();
}

void Timer::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!stopping) {
    if (entries.empty()) {
      changed.wait(lock);
      continue;
    }
    int64_t waitNs = entries.top().atNs - nowNs();
    if (waitNs > 0) {
      changed.wait_for(lock, std::chrono::nanoseconds(waitNs));
      continue;
    }
    Task task = entries.top().task;
    entries.pop();
    lock.unlock();
    task.run(task.argument);
    lock.lock();
  }
}
