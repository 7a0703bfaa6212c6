//===- FakeExecutor.cpp - runs what is at the head of a stream ------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common/Numerics.h"
#include "Fake/FakeMachine.h"
#include "Local/LocalBackend.h"

#include <algorithm>
#include <cstring>

using namespace dist::rt;
using namespace dist::rt::fake;

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

void Machine::enqueue(Stream &stream, Task task) {
  stream.tasks.push_back(std::move(task));
  if (workers.empty())
    for (int64_t i = 0; i < numWorkers; ++i)
      workers.emplace_back([this] { work(); });
  changed.notify_one();
}

void Machine::record(Stream &stream, Event &event) {
  tick(stream);
  event.signal = std::make_shared<Signal>();
  event.clock = stream.clock;
  event.graph = nullptr;
  Task task;
  task.kind = Task::Record;
  task.signal = event.signal;
  enqueue(stream, std::move(task));
}

void Machine::wait(Stream &stream, const Event &event) {
  tick(stream);
  merge(stream.clock, event.clock);
  Task task;
  task.kind = Task::Wait;
  task.signal = event.signal;
  enqueue(stream, std::move(task));
}

void Machine::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!stopping) {
    int64_t wakeNs = INT64_MAX;
    if (runOne(lock, wakeNs)) {
      changed.notify_all();
      continue;
    }
    if (stopping)
      return;
    if (wakeNs == INT64_MAX)
      changed.wait(lock);
    else
      changed.wait_for(lock, std::chrono::nanoseconds(
                                 std::max<int64_t>(wakeNs - nowNs(), 1)));
  }
}

/// Takes the streams in turn; with a seed, from a random one on.
bool Machine::runOne(std::unique_lock<std::mutex> &lock, int64_t &wakeNs) {
  if (seed) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    nextStream = size_t(seed >> 33);
  }
  size_t n = streams.size();
  for (size_t i = 0; i < n; ++i) {
    Stream &stream = *streams[(nextStream + i) % n];
    if (stream.running || stream.tasks.empty())
      continue;
    if (advance(stream, lock, wakeNs)) {
      nextStream = (nextStream + i + 1) % n;
      return true;
    }
  }
  return false;
}

/// Runs the head of the stream if it is ready.
bool Machine::advance(Stream &stream, std::unique_lock<std::mutex> &lock,
                      int64_t &wakeNs) {
  Task &task = stream.tasks.front();
  switch (task.kind) {
  case Task::Run: {
    stream.running = true;
    auto run = std::move(task.run);
    lock.unlock();
    run();
    lock.lock();
    stream.running = false;
    break;
  }
  case Task::Record:
    task.signal->done = true;
    task.signal->timeNs = nowNs();
    break;
  case Task::Wait:
    if (!task.signal->done)
      return false;
    break;
  case Task::Collective:
    return advanceRound(stream, task, lock, wakeNs);
  case Task::Messages:
    if (!advanceMessages(stream, task))
      return false;
    break;
  }
  stream.tasks.pop_front();
  return true;
}

bool Machine::advanceRound(Stream &stream, Task &task,
                           std::unique_lock<std::mutex> &lock,
                           int64_t &wakeNs) {
  std::shared_ptr<Round> round = task.round;
  if (task.clique->aborted || round->done) {
    stream.tasks.pop_front();
    return true;
  }
  Round::Side &side = round->sides[size_t(task.side)];
  if (!side.atHead) {
    side.atHead = true;
    if (++round->numAtHead == int(round->sides.size())) {
      double bytes = 0;
      for (const CollectiveOp &op : side.ops)
        bytes += double(op.count * sizeOf(op.type));
      round->dueNs = nowNs() + linkDelayNs +
                     (linkBytesPerNs > 0 ? int64_t(bytes / linkBytesPerNs) : 0);
    }
  }
  if (round->numAtHead < int(round->sides.size()) || round->moving)
    return false;
  if (linkDelayNs > 0 || linkBytesPerNs > 0) {
    if (nowNs() < round->dueNs) {
      wakeNs = std::min(wakeNs, round->dueNs);
      return false;
    }
  }
  round->moving = true;
  for (Round::Side &other : round->sides)
    other.stream->running = true;
  lock.unlock();
  moveRound(*round);
  lock.lock();
  round->done = true;
  for (Round::Side &other : round->sides) {
    other.stream->running = false;
    other.stream->tasks.pop_front();
  }
  return true;
}

/// The messages of one launch travel on their own, each when both sides are
/// there; the launch is over when all of them are.
bool Machine::advanceMessages(Stream &, Task &task) {
  if (task.clique->aborted)
    return true;
  bool over = true;
  for (auto &[message, isSend] : task.messages) {
    (isSend ? message->sendAtHead : message->receiveAtHead) = true;
    if (!message->done && message->sendAtHead && message->receiveAtHead) {
      moveMessage(*message);
      message->done = true;
      changed.notify_all();
    }
    over &= message->done;
  }
  return over;
}

void Machine::abortClique(Comm &comm) {
  comm.clique->aborted = true;
  // What moves at the moment moves to its end.
  changed.notify_all();
}

//===----------------------------------------------------------------------===//
// Data movement: the local backend's
//===----------------------------------------------------------------------===//

namespace {
/// What Movement reads of a launch.
class FakeLaunch final : public Launch {
public:
  bool aboutToMove() override { return true; }
  void complete() override {}
  std::string summary() const override { return ""; }
  const char *where() const override { return ""; }
  std::function<void(int64_t, int64_t)> flightRecorder() const override {
    return {};
  }
};
} // namespace

size_t fake::sizeOf(ncclDataType_t type) {
  switch (type) {
  case ncclInt8:
  case ncclUint8:
  case ncclFloat8e4m3:
  case ncclFloat8e5m2:
    return 1;
  case ncclFloat16:
  case ncclBfloat16:
    return 2;
  case ncclInt32:
  case ncclUint32:
  case ncclFloat32:
    return 4;
  default:
    return 8;
  }
}

static int dataTypeOf(ncclDataType_t type) {
  static const int types[] = {DISTRT_I8,   DISTRT_UI8,      DISTRT_I32,
                              DISTRT_UI32, DISTRT_I64,      DISTRT_UI64,
                              DISTRT_F16,  DISTRT_F32,      DISTRT_F64,
                              DISTRT_BF16, DISTRT_F8E4M3FN, DISTRT_F8E5M2};
  return types[type];
}

static int reductionOf(ncclRedOp_t op) {
  static const int reductions[] = {DISTRT_SUM, DISTRT_PRODUCT, DISTRT_MAX,
                                   DISTRT_MIN, DISTRT_AVG};
  return op < ncclNumOps ? reductions[op] : int(DISTRT_PREMUL_SUM);
}

static void moveGather(const Round &round, size_t index) {
  const CollectiveOp &first = round.sides[0].ops[index];
  auto *to =
      static_cast<char *>(round.sides[size_t(first.root)].ops[index].receive);
  size_t bytes = first.count * sizeOf(first.type);
  for (size_t i = 0; i < round.sides.size(); ++i) {
    const void *from = round.sides[i].ops[index].send;
    if (from != to + i * bytes)
      memcpy(to + i * bytes, from, bytes);
  }
}

void fake::moveRound(const Round &round) {
  size_t n = round.sides.size();
  for (size_t index = 0; index < round.sides[0].ops.size(); ++index) {
    const CollectiveOp &first = round.sides[0].ops[index];
    if (first.kind == kGather) {
      moveGather(round, index);
      continue;
    }
    // NCCL leaves the buffers of a reduce alone but on the root.
    bool toRoot = first.kind == DISTRT_REDUCE;
    std::vector<char> unused(toRoot ? first.count * sizeOf(first.type) : 0);
    std::vector<std::unique_ptr<FakeLaunch>> launches(n);
    std::vector<Launch *> pointers;
    for (size_t i = 0; i < n; ++i) {
      const CollectiveOp &op = round.sides[i].ops[index];
      launches[i] = std::make_unique<FakeLaunch>();
      launches[i]->kind = toRoot ? int32_t(DISTRT_ALL_REDUCE) : first.kind;
      launches[i]->reduction = reductionOf(op.op);
      launches[i]->root = op.root;
      Part part;
      part.send = op.send;
      part.receive =
          toRoot && int(i) != first.root ? unused.data() : op.receive;
      part.count = int64_t(op.count);
      part.dataType = dataTypeOf(op.type);
      part.factor = op.factor;
      launches[i]->parts.push_back(part);
      pointers.push_back(launches[i].get());
    }
    Movement movement;
    movement.reset(pointers);
    for (int64_t unit = 0; unit < movement.numUnits(1); ++unit)
      movement.runUnit(1, unit);
  }
}

void fake::moveMessage(const Message &message) {
  memcpy(message.receive.receive, message.send.send,
         message.send.count * sizeOf(message.send.type));
}
