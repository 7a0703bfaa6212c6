//===- World.cpp - worlds and their runs ----------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common/World.h"

#include "Common/Allocation.h"
#include "Common/Checked.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

using namespace dist::rt;

static constexpr int64_t kDefaultDeadlineNs = 60000000000;

distrtWorld::distrtWorld(const distrtWorldOptions &given, Placement placement,
                         std::unique_ptr<Backend> newBackend)
    : options(given), createdNs(nowNs()), deadlineNs(given.deadlineNs),
      placement(placement), groups(placement.numRanks),
      backend(std::move(newBackend)) {
  options.backend = options.callLog = nullptr;
  std::vector<LaunchOwner *> owners;
  for (int64_t i = 0; i < placement.numLocal; ++i) {
    contexts.push_back(std::make_unique<distrtContext>());
    distrtContext &context = *contexts.back();
    context.world = this;
    context.rank = context.owner.rank = placement.firstLocal + i;
    context.owner.interrupt = &context.failure;
    owners.push_back(&context.owner);
  }
  const char *faults = reinterpret_cast<const char *>(given.faults);
  faultHits.resize(size_t(given.numFaults));
  for (int64_t i = 0; i < given.numFaults; ++i) {
    auto &fault = *reinterpret_cast<const distrtFault *>(
        faults + size_t(i) * given.faults->structSize);
    if (distrtContext *context = contextOf(fault.rank))
      context->faults.push_back({fault, &faultHits[size_t(i)]});
  }
  options.faults = nullptr;
  if (!backend)
    backend = createLocalBackend(options, *this);
  backend->attach(*this, owners);
  for (auto &context : contexts)
    context->device = backend->device(context->rank);
  hasDevices = contexts[0]->device != nullptr;
  groups.setBackend(backend.get());
}

distrtContext *distrtWorld::contextOf(int64_t rank) {
  int64_t i = rank - placement.firstLocal;
  return i >= 0 && i < placement.numLocal ? contexts[size_t(i)].get() : nullptr;
}

distrtWorld::~distrtWorld() {
  groups.abortAll();
  for (auto &context : contexts) {
    // A rank with a device has left it in order, see finishRank, and its memory
    // goes with the device, which is no other thread's.
    if (hasDevices)
      continue;
    context->quiesce();
    for (Flight *flight = context->live; flight; flight = flight->next) {
      if (checksMemory())
        endChecked(*flight);
      releaseFlightMemory(*flight, flight->done.load());
    }
  }
}

void distrtWorld::fail(const std::vector<int64_t> &ranks, int status,
                       const std::string &text, bool remote) {
  bool first;
  {
    std::lock_guard<std::mutex> lock(mutex);
    first = !failed.exchange(true);
    // No launch may begin to touch memory once a rank knows of the failure: it
    // unwinds, and its buffers go.
    groups.abortAll();
    failures.push_back({status, text});
    const Failure *own = &failures.back();
    for (int64_t rank : ranks) {
      distrtContext *context = contextOf(rank);
      if (!context)
        continue;
      std::atomic<const void *> &slot = context->failure;
      auto *old = static_cast<const Failure *>(slot.load());
      if (!old || old->status == DISTRT_ABORTED)
        slot.store(own, std::memory_order_seq_cst);
    }
    if (first) {
      message = text;
      std::string who = formatRanks(ranks) + " failed: ";
      std::string prefix = "rank " + std::to_string(ranks[0]) + ": ";
      bool named = text.compare(0, prefix.size(), prefix) == 0;
      failures.push_back(
          {DISTRT_ABORTED,
           "aborted: " + who + (named ? text.substr(prefix.size()) : text)});
      for (auto &context : contexts) {
        const void *none = nullptr;
        context->failure.compare_exchange_strong(none, &failures.back());
      }
    }
  }
  for (auto &context : contexts)
    context->owner.parker.unpark();
  if (first && !remote)
    backend->announceFailure(ranks, status, text);
}

void distrtWorld::printRecords() {
  for (auto &context : contexts) {
    int64_t n = context->numRecords;
    for (int64_t i = n > kRecords ? n - kRecords : 0; i < n; ++i) {
      const Record &record = context->records[i % kRecords];
      fprintf(stderr,
              "dist: recorder: rank %lld: %s #%lld on group %s at %s: "
              "started at %s, %s\n",
              static_cast<long long>(context->rank),
              distrtCollectiveName(record.kind),
              static_cast<long long>(record.sequence),
              record.group->text.c_str(), record.location,
              formatDuration(record.startNs - createdNs).c_str(),
              record.endNs ? "completed" : "not waited for");
    }
  }
}

static void unwindRank(distrtContext *context, int status, void *) {
  if (distrtContextCurrent() != context) {
    fprintf(stderr, "dist: a rank was raised on the thread of another one\n");
    abort();
  }
  context->unwindStatus = status ? status : int(DISTRT_INTERNAL);
  longjmp(context->unwind, 1);
}

/// The outcome of one rank once its function has ended.
static void finishRank(distrtContext &context) {
  int status = context.unwindStatus;
  std::string text = distrtContextMessage(&context);
  if (context.reported && !status)
    status = context.reported->status;
  if (status) {
    if (context.reported)
      text = context.reported->message;
    if (text.empty())
      text = format("rank %lld: ended with status %d (%s)",
                    static_cast<long long>(context.rank), status,
                    distrtStatusName(status));
    if (!context.reported) {
      context.world->fail({context.rank}, status, text);
      context.quiesce();
    }
  } else {
    std::string oldest;
    int64_t numFutures = completeLiveFlights(context, oldest);
    context.releaseConstants();
    if (context.device && !context.reported && !context.enter()) {
      Outcome outcome = context.device->synchronize();
      if (outcome.failed() && !context.adoptFailure())
        context.fail(outcome.status,
                     rankPrefix(context, "end of the run", nullptr) +
                         outcome.message);
    }
    status = context.reported ? context.reported->status : context.enter();
    if (status) {
      text = distrtContextMessage(&context);
    } else if (numFutures > 0 && context.world->options.checked) {
      status = DISTRT_LEAK;
      text = format("rank %lld: ", static_cast<long long>(context.rank)) +
             oldest + ": the future was never consumed";
      if (numFutures > 1)
        text += format(", nor were %lld others",
                       static_cast<long long>(numFutures - 1));
    } else {
      text.clear();
    }
  }
  context.status = status;
  context.statusMessage = text;
}

/// Before the rank's function; what has destructors is gone when it returns.
static int beginRank(distrtContext &context) {
  setCurrentContext(&context);
  setCurrentDevice(context.device);
  if (!context.device)
    return DISTRT_OK;
  Outcome outcome = context.device->enter();
  if (!outcome.failed())
    return DISTRT_OK;
  return context.fail(outcome.status,
                      rankPrefix(context, "start of the run", nullptr) +
                          outcome.message);
}

/// No object with a destructor may live in this frame: longjmp lands here.
static void runRank(distrtContext *context, distrtRankFunction function,
                    void *user) {
  bool installed = !context->raiseHandler;
  if (installed)
    distrtContextSetRaiseHandler(context, unwindRank, nullptr);
  context->unwindStatus = beginRank(*context);
  if (!context->unwindStatus) {
    if (setjmp(context->unwind) == 0)
      context->unwindStatus = function(context, user);
  }
  if (context->raiseHandler == unwindRank)
    distrtContextSetRaiseHandler(context, nullptr, nullptr);
  finishRank(*context);
  setCurrentContext(nullptr);
  setCurrentDevice(nullptr);
}

static int summarize(distrtWorld &world) {
  int status = DISTRT_OK;
  std::string text;
  for (bool aborted : {false, true})
    for (auto &context : world.contexts)
      if (!status && context->status &&
          (context->status == DISTRT_ABORTED) == aborted) {
        status = context->status;
        text = context->statusMessage;
      }
  std::lock_guard<std::mutex> lock(world.mutex);
  world.message = text;
  return status;
}

/// The options with the defaults of what the caller's struct does not reach.
static distrtWorldOptions readOptions(const distrtWorldOptions &given) {
  distrtWorldOptions options;
  distrtWorldOptionsInit(&options);
  memcpy(&options, &given, std::min(given.structSize, sizeof(options)));
  options.structSize = sizeof(options);
  if (options.deadlineNs == 0)
    options.deadlineNs = kDefaultDeadlineNs;
  return options;
}

/// Everything but the number of ranks, which a backend may find out itself.
static const char *checkOptions(const distrtWorldOptions &options,
                                int64_t numRanks) {
  if (options.deadlineNs < 0 || options.linkDelayNs < 0 ||
      options.numWorkers < 0 || options.numFaults < 0 ||
      !(options.linkBytesPerNs >= 0))
    return "deadline, link delay, bandwidth and counts must not be negative";
  if (options.numFaults > 0 && !options.faults)
    return "the faults are null";
  const char *faults = reinterpret_cast<const char *>(options.faults);
  for (int64_t i = 0; i < options.numFaults; ++i) {
    auto &fault = *reinterpret_cast<const distrtFault *>(
        faults + size_t(i) * options.faults->structSize);
    if (fault.structSize < sizeof(distrtFault) ||
        fault.structSize != options.faults->structSize)
      return "a fault has a struct size that does not fit";
    if (fault.rank < 0 || fault.rank >= numRanks)
      return "a fault names a rank that is out of range";
    if (fault.kind != DISTRT_FAULT_DROP && fault.kind != DISTRT_FAULT_DELAY)
      return "a fault has an unknown kind";
    if (fault.kind == DISTRT_FAULT_DELAY && fault.argument < 0)
      return "a fault has a negative delay";
  }
  return nullptr;
}

extern "C" {

void distrtWorldOptionsInit(distrtWorldOptions *options) {
  if (!options)
    return;
  *options = distrtWorldOptions();
  options->structSize = sizeof(*options);
  options->numRanks = 1;
}

int distrtWorldCreate(const distrtWorldOptions *options, distrtWorld **world) {
  if (world)
    *world = nullptr;
  if (!options || !world)
    return refuseWithoutContext("world: the options or the result are null");
  if (options->structSize < offsetof(distrtWorldOptions, fakeDevice))
    return refuseWithoutContext(
        "world: the options are too short: use distrtWorldOptionsInit");
  distrtWorldOptions values = readOptions(*options);
  bool nccl = values.backend && strcmp(values.backend, "nccl") == 0;
  if (values.backend && !nccl && strcmp(values.backend, "local") != 0) {
    refuseWithoutContext("world: unknown backend \"" + oneLine(values.backend) +
                         "\"; known: local, nccl");
    return DISTRT_UNSUPPORTED;
  }
  bool real = nccl && !values.fakeDevice;
  if (values.numRanks < (real ? 0 : 1) || values.numRanks > 65536)
    return refuseWithoutContext(
        "world: the number of ranks must be between 1 and 65536");
  if (!nccl && (values.fakeDevice || values.callLog))
    return refuseWithoutContext(
        "world: a fake device and a call log need the backend \"nccl\"");
  Placement placement = {values.numRanks, 0, values.numRanks};
  std::unique_ptr<Backend> backend;
  if (nccl) {
    Outcome outcome;
    backend = createNcclBackend(values, placement, outcome);
    if (!backend) {
      refuseWithoutContext("world: " + outcome.message);
      return outcome.status;
    }
  }
  if (const char *text = checkOptions(values, placement.numRanks))
    return refuseWithoutContext(std::string("world: ") + text);
  *world = new distrtWorld(values, placement, std::move(backend));
  return DISTRT_OK;
}

void distrtWorldDestroy(distrtWorld *world) { delete world; }

int distrtWorldBindGroup(distrtWorld *world, const char *name,
                         const int64_t *ranks, int64_t numGroups,
                         int64_t groupSize) {
  if (!world)
    return refuseWithoutContext("bind: the world is null");
  std::string text;
  int status = world->groups.bind(name, ranks, numGroups, groupSize, text);
  if (status) {
    std::lock_guard<std::mutex> lock(world->mutex);
    world->message = text;
  }
  return status;
}

int distrtWorldRun(distrtWorld *world, distrtRankFunction function,
                   void *user) {
  if (!world || !function)
    return refuseWithoutContext("run: the world or the function is null");
  {
    std::lock_guard<std::mutex> lock(world->mutex);
    if (world->running) {
      world->message = "run: the world is running already";
      return DISTRT_INVALID_ARGUMENT;
    }
    world->running = true;
  }
  // A world that failed stays so: its communicators are stopped.
  if (!world->failed.load()) {
    if (world->checksMemory())
      enterCheckedMode();
    std::vector<std::thread> threads;
    for (auto &context : world->contexts)
      threads.emplace_back(runRank, context.get(), function, user);
    for (std::thread &thread : threads)
      thread.join();
    if (world->checksMemory())
      leaveCheckedMode();
    world->backend->endRun();
  }
  int status = summarize(*world);
  if (status && getenv("DISTRT_FLIGHT_RECORDER"))
    world->printRecords();
  std::lock_guard<std::mutex> lock(world->mutex);
  world->running = false;
  return status;
}

int64_t distrtWorldNumRanks(distrtWorld *world) {
  return world ? world->placement.numRanks : 0;
}

void distrtWorldLocalRanks(distrtWorld *world, int64_t *first, int64_t *count) {
  if (first)
    *first = world ? world->placement.firstLocal : 0;
  if (count)
    *count = world ? world->placement.numLocal : 0;
}

int distrtWorldRankStatus(distrtWorld *world, int64_t rank) {
  distrtContext *context = world ? world->contextOf(rank) : nullptr;
  return context ? context->status : int(DISTRT_INVALID_ARGUMENT);
}

const char *distrtWorldRankMessage(distrtWorld *world, int64_t rank) {
  distrtContext *context = world ? world->contextOf(rank) : nullptr;
  return context ? context->statusMessage.c_str() : "";
}

const char *distrtWorldMessage(distrtWorld *world) {
  return world ? world->message.c_str() : distrtContextMessage(nullptr);
}

} // extern "C"
