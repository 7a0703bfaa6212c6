//===- LocalBackend.cpp - ranks that are threads of one process -----------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Local/LocalBackend.h"

#include "Common/Allocation.h"

#include <algorithm>
#include <sched.h>
#include <thread>

using namespace dist::rt;

/// Up to here the thread that finds a collective ready moves it itself.
static constexpr int64_t kMoveHereBytes = 256 << 10;

//===----------------------------------------------------------------------===//
// Communicator
//===----------------------------------------------------------------------===//

LocalCommunicator::LocalCommunicator(LocalBackend &backend,
                                     std::vector<int64_t> members,
                                     std::string tag)
    : Communicator(std::move(members), std::move(tag)), backend(backend),
      joinNotBefore(this->members.size()) {}

LocalCommunicator::Slot &LocalCommunicator::slotFor(int64_t sequence) {
  while (base + int64_t(slots.size()) <= sequence) {
    slots.emplace_back();
    slots.back().launches.resize(members.size());
  }
  return slots[size_t(sequence - base)];
}

void LocalCommunicator::arrive(int64_t position, Launch &launch, int64_t atNs) {
  Slot &slot = slotFor(launch.sequence);
  if (slot.numArrived++ == 0)
    slot.firstArrivalNs = atNs;
  slot.lastArrivalNs = atNs;
  slot.launches[size_t(position)] = &launch;
}

void LocalCommunicator::enqueue(int64_t position, Launch &launch) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (aborted)
      return;
    int64_t now = launch.startNs;
    launch.deadlineNs = now + backend.deadlineNs;
    if (launch.joinDelayNs < 0)
      return;
    int64_t &notBefore = joinNotBefore[size_t(position)];
    if (launch.joinDelayNs > 0 || notBefore > now) {
      // A rank that is late is late for what it enqueued behind it, too.
      notBefore = std::max(notBefore, now + launch.joinDelayNs);
      lateArrivals.push_back({this, position, &launch});
      backend.timer.schedule(notBefore, {lateArrival, &lateArrivals.back()});
      return;
    }
    arrive(position, launch, now);
    if (busy || slots.front().numArrived != int64_t(members.size()))
      return;
  }
  pump();
}

void LocalCommunicator::lateArrival(void *argument) {
  auto *late = static_cast<LateArrival *>(argument);
  {
    std::lock_guard<std::mutex> lock(late->communicator->mutex);
    if (late->communicator->aborted)
      return;
    late->communicator->arrive(late->position, *late->launch, nowNs());
  }
  late->communicator->pump();
}

/// Takes the front of the queue when all members are there. From then on the
/// launches count as executing.
bool LocalCommunicator::takeFront() {
  if (busy || aborted || slots.empty() ||
      slots.front().numArrived != int64_t(members.size()))
    return false;
  busy = true;
  Slot &slot = slots.front();
  current.swap(slot.launches);
  currentDueNs = slot.dueNs(backend.deadlineNs);
  // A link that is slower than any deadline must not overflow the clock.
  constexpr auto kNever = double(INT64_MAX / 4);
  double transfer = double(backend.linkDelayNs);
  if (backend.linkBytesPerNs > 0)
    transfer += double(current[0]->payload) / backend.linkBytesPerNs;
  linkFreeNs =
      std::min(std::max(linkFreeNs, slot.lastArrivalNs), INT64_MAX / 4) +
      int64_t(std::min(transfer, kNever));
  slots.pop_front();
  ++base;
  return true;
}

void LocalCommunicator::pump() {
  while (true) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!takeFront())
        return;
      if (linkFreeNs > nowNs() &&
          (backend.linkDelayNs > 0 || backend.linkBytesPerNs > 0)) {
        bool agree =
            findDisagreement(current.data(), int64_t(current.size())) < 0;
        if (agree) {
          backend.timer.schedule(linkFreeNs, {flightEnded, this});
          return;
        }
      }
      for (Launch *launch : current)
        launch->owner->executing.fetch_add(1, std::memory_order_relaxed);
    }
    if (findDisagreement(current.data(), int64_t(current.size())) >= 0) {
      backend.sink.mismatch(
          members, tag, current[0]->sequence,
          statementsOf(current.data(), int64_t(current.size())));
      retire(/*moved=*/false);
      return;
    }
    bool clean = true;
    for (Launch *launch : current)
      clean &= launch->aboutToMove();
    if (!clean) {
      retire(/*moved=*/false);
      return;
    }
    movement.reset(current);
    if (movement.bytes() > kMoveHereBytes || backend.pool.isSeeded()) {
      phase = 0;
      if (beginPhase())
        return;
    } else {
      moveHere();
    }
    retire(/*moved=*/true);
  }
}

/// The timer's thread: the data is moved by the pool, whatever its size.
void LocalCommunicator::flightEnded(void *argument) {
  auto *self = static_cast<LocalCommunicator *>(argument);
  {
    std::lock_guard<std::mutex> lock(self->mutex);
    if (self->aborted)
      return;
    for (Launch *launch : self->current)
      launch->owner->executing.fetch_add(1, std::memory_order_relaxed);
  }
  self->backend.pool.submit({runInPool, self});
}

void LocalCommunicator::runInPool(void *argument) {
  auto *self = static_cast<LocalCommunicator *>(argument);
  bool clean = true;
  for (Launch *launch : self->current)
    clean &= launch->aboutToMove();
  if (clean) {
    self->movement.reset(self->current);
    if (self->movement.bytes() > kMoveHereBytes) {
      self->phase = 0;
      if (self->beginPhase())
        return;
    } else {
      self->moveHere();
    }
  }
  self->retire(/*moved=*/clean);
  self->pump();
}

void LocalCommunicator::moveHere() {
  for (int i = 0; i < Movement::numPhases; ++i)
    for (int64_t unit = 0, n = movement.numUnits(i); unit < n; ++unit)
      movement.runUnit(i, unit);
}

/// Hands the units of the next phase that has any to the pool. Returns false
/// when all phases are over.
bool LocalCommunicator::beginPhase() {
  while (phase < Movement::numPhases && movement.numUnits(phase) == 0)
    ++phase;
  if (phase == Movement::numPhases)
    return false;
  int64_t tasks = std::min(backend.pool.size(), movement.numUnits(phase));
  nextUnit.store(0, std::memory_order_relaxed);
  tasksLeft.store(tasks, std::memory_order_relaxed);
  for (int64_t i = 0; i < tasks; ++i)
    backend.pool.submit({poolTask, this});
  return true;
}

void LocalCommunicator::poolTask(void *argument) {
  auto *self = static_cast<LocalCommunicator *>(argument);
  int64_t n = self->movement.numUnits(self->phase);
  while (true) {
    int64_t unit = self->nextUnit.fetch_add(1, std::memory_order_relaxed);
    if (unit >= n)
      break;
    self->movement.runUnit(self->phase, unit);
  }
  if (self->tasksLeft.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  ++self->phase;
  if (self->beginPhase())
    return;
  self->retire(/*moved=*/true);
  self->pump();
}

/// Ends the current flight. Owners outlive their launches, which may be gone as
/// soon as they are complete.
void LocalCommunicator::retire(bool moved) {
  std::vector<LaunchOwner *> owners;
  owners.reserve(current.size());
  for (Launch *launch : current)
    owners.push_back(launch->owner);
  if (moved)
    for (Launch *launch : current)
      launch->complete();
  {
    std::lock_guard<std::mutex> lock(mutex);
    current.clear();
    busy = false;
  }
  for (LaunchOwner *owner : owners)
    owner->executing.fetch_sub(1, std::memory_order_release);
}

Expiry LocalCommunicator::expire(int64_t position, Launch &launch) {
  std::lock_guard<std::mutex> lock(mutex);
  Expiry expiry;
  if (aborted || launch.done.load(std::memory_order_acquire)) {
    expiry.completed = true;
    return expiry;
  }
  (void)position;
  if (launch.sequence < base) {
    // All joined. It is on the link, or the data is being moved.
    expiry.completed = launch.owner->executing.load() > 0;
    if (currentDueNs > nowNs())
      expiry.retryNs = currentDueNs;
    return expiry;
  }
  // Behind a collective that somebody did not join, or that one itself.
  Slot &own = slotFor(launch.sequence);
  if (own.numArrived > 0 && own.dueNs(backend.deadlineNs) > nowNs()) {
    expiry.retryNs = own.dueNs(backend.deadlineNs);
    return expiry;
  }
  for (int64_t i = base; i <= launch.sequence; ++i) {
    Slot &slot = slots[size_t(i - base)];
    if (slot.numArrived == int64_t(members.size()))
      continue;
    for (size_t member = 0; member < members.size(); ++member) {
      if (!slot.launches[member])
        expiry.missing.push_back(members[member]);
      else if (expiry.summary.empty())
        expiry.summary = slot.launches[member]->summary();
    }
    return expiry;
  }
  return expiry;
}

void LocalCommunicator::abort() {
  std::lock_guard<std::mutex> lock(mutex);
  aborted = true;
}

//===----------------------------------------------------------------------===//
// Backend
//===----------------------------------------------------------------------===//

LocalBackend::LocalBackend(const distrtWorldOptions &options, ErrorSink &sink)
    : deadlineNs(options.deadlineNs), linkDelayNs(options.linkDelayNs),
      linkBytesPerNs(options.linkBytesPerNs), sink(sink),
      pool(options.numWorkers, options.seed) {
  // Spinning takes the core from whom we wait for when ranks exceed cores.
  auto cores = int64_t(std::thread::hardware_concurrency());
  spins = options.numRanks <= cores ? 2000 : 0;
}

void *LocalBackend::allocate(int64_t, size_t bytes) {
  return allocateBuffer(bytes);
}

void LocalBackend::release(int64_t, void *pointer) { freeBuffer(pointer); }

std::unique_ptr<Communicator>
LocalBackend::createCommunicator(const std::vector<int64_t> &members,
                                 const std::string &tag, uint64_t) {
  return std::make_unique<LocalCommunicator>(*this, members, tag);
}

Outcome LocalBackend::enqueue(Communicator &communicator, int64_t position,
                              Launch &launch) {
  static_cast<LocalCommunicator &>(communicator).enqueue(position, launch);
  return {};
}

static void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

WaitResult LocalBackend::hostWait(Launch &launch, int64_t untilNs,
                                  const std::atomic<const void *> &interrupt) {
  for (int i = 0; i < spins; ++i) {
    if (launch.done.load(std::memory_order_acquire))
      return WaitResult::Done;
    if (interrupt.load(std::memory_order_acquire))
      return WaitResult::Interrupted;
    pause();
  }
  Parker &parker = launch.owner->parker;
  WaitResult result;
  while (true) {
    uint32_t seen = parker.prepare();
    if (launch.done.load(std::memory_order_seq_cst)) {
      result = WaitResult::Done;
      break;
    }
    if (interrupt.load(std::memory_order_seq_cst)) {
      result = WaitResult::Interrupted;
      break;
    }
    if (nowNs() >= untilNs) {
      result = WaitResult::Expired;
      break;
    }
    parker.park(seen, untilNs);
  }
  parker.finish();
  return result;
}

Expiry LocalBackend::expire(Communicator &communicator, int64_t position,
                            Launch &launch) {
  return static_cast<LocalCommunicator &>(communicator)
      .expire(position, launch);
}

void LocalBackend::abort(Communicator &communicator) {
  static_cast<LocalCommunicator &>(communicator).abort();
}

std::unique_ptr<Backend>
dist::rt::createLocalBackend(const distrtWorldOptions &options,
                             ErrorSink &sink) {
  return std::make_unique<LocalBackend>(options, sink);
}
