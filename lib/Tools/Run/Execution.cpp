//===- Execution.cpp ------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools/Run/Execution.h"

using namespace mlir;
using namespace mlir::dist;
using namespace mlir::dist::run;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

static Error makeError(const Twine &message) {
  return llvm::createStringError(message);
}

static Error bindGroup(distrtWorld *world, const GroupBinding &binding,
                       int64_t numRanks) {
  SmallVector<int64_t> ranks = binding.ranks;
  int64_t numGroups = binding.numGroups, groupSize = binding.groupSize;
  if (binding.isWorld) {
    ranks = llvm::to_vector(llvm::seq<int64_t>(0, numRanks));
    numGroups = 1;
    groupSize = numRanks;
  }
  int status = distrtWorldBindGroup(world, binding.name.c_str(), ranks.data(),
                                    numGroups, groupSize);
  if (status == DISTRT_OK)
    return Error::success();
  return makeError("--group: '" + binding.name +
                   "': " + distrtWorldMessage(world));
}

Expected<World> run::createWorld(const RunOptions &options, int64_t numRanks) {
  std::vector<distrtFault> faults;
  for (const FaultOption &fault : options.faults) {
    if (numRanks != 0 && fault.rank >= numRanks)
      return makeError("--fault: there is no rank " + Twine(fault.rank) +
                       " among " + Twine(numRanks));
    distrtFault converted = {};
    converted.structSize = sizeof(converted);
    converted.rank = fault.rank;
    converted.sequence = fault.sequence;
    converted.kind = fault.isDrop ? DISTRT_FAULT_DROP : DISTRT_FAULT_DELAY;
    converted.argument = fault.delayNs;
    faults.push_back(converted);
  }
  distrtWorldOptions world;
  distrtWorldOptionsInit(&world);
  if (!options.backend.empty())
    world.backend = options.backend.c_str();
  world.numRanks = numRanks;
  world.deadlineNs = options.deadlineNs;
  world.linkDelayNs = options.linkDelayNs;
  world.linkBytesPerNs = options.linkBytesPerNs;
  world.numWorkers = options.numWorkers;
  world.seed = options.seed;
  world.checked = options.checked;
  world.trace = !options.traceFile.empty() || !options.timelineFile.empty();
  world.faults = faults.data();
  world.numFaults = faults.size();
  world.fakeDevice = options.fakeDevice;
  world.callLog = options.callLog.empty() ? nullptr : options.callLog.c_str();
  World result;
  result.created = std::chrono::steady_clock::now();
  distrtWorld *created = nullptr;
  if (distrtWorldCreate(&world, &created) != DISTRT_OK)
    return makeError(distrtWorldMessage(nullptr));
  result.handle.reset(created);
  result.numRanks = distrtWorldNumRanks(created);
  distrtWorldLocalRanks(created, &result.firstRank, &result.numLocalRanks);
  for (const GroupBinding &binding : options.groups)
    if (Error error = bindGroup(created, binding, result.numRanks))
      return error;
  return result;
}

namespace {
/// What the rank threads share. Each touches its own entries only.
struct RunState {
  std::vector<std::unique_ptr<EntryCall>> calls;
  std::vector<int64_t> begin, end;
  std::chrono::steady_clock::time_point start;

  int64_t now() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now() - start)
        .count();
  }
};
} // namespace

/// Runs on each rank thread. A failure of the program leaves it through
/// distrtRaise.
static int runRank(distrtContext *context, void *user) {
  auto *state = static_cast<RunState *>(user);
  int64_t rank = distrtRank(context);
  EntryCall &call = *state->calls[rank];
  bool hasDevice = distrtContextComputeStream(context) != nullptr;
  if (hasDevice)
    if (int status = call.copyToDevice(context))
      return status;
  state->begin[rank] = state->now();
  call.call();
  int status = hasDevice ? distrtSynchronize(context, "the end of the program")
                         : DISTRT_OK;
  int64_t end = state->now();
  if (hasDevice && status == DISTRT_OK)
    status = call.copyFromDevice(context);
  if (status == DISTRT_OK)
    state->end[rank] = end;
  return status;
}

/// Reads what the call of one rank left behind.
static Error collect(EntryCall &call, const Program &program,
                     RankOutcome &outcome) {
  for (auto [index, spec] : llvm::enumerate(program.getSignature().arguments)) {
    outcome.arguments.emplace_back();
    if (spec.isMemRef() || (spec.isShaped() && spec.isWritable))
      outcome.arguments.back() = call.readArgument(index);
  }
  Expected<std::vector<Array>> results = call.takeResults();
  if (!results)
    return results.takeError();
  outcome.results = std::move(*results);
  return Error::success();
}

/// A fault that does not happen is a mistake of who asked for it.
static Error checkFaults(distrtWorld *world) {
  for (int64_t i = 0;; ++i) {
    int64_t hits = distrtWorldFaultHits(world, i);
    if (hits < 0)
      return Error::success();
    if (hits == 0)
      return makeError("--fault: fault " + Twine(i) +
                       " did not happen: its rank started no collective of "
                       "that sequence number");
  }
}

Expected<std::vector<RankOutcome>>
run::runRanks(const World &created, ArrayRef<const Program *> programs,
              ArrayRef<std::vector<Array>> arguments) {
  distrtWorld *world = created.handle.get();
  int64_t numRanks = created.numRanks;
  int64_t first = created.firstRank, last = first + created.numLocalRanks;
  RunState state;
  state.calls.resize(numRanks);
  for (int64_t rank = first; rank < last; ++rank) {
    Expected<std::unique_ptr<EntryCall>> call =
        EntryCall::create(*programs[rank], arguments[rank]);
    if (!call)
      return makeError("rank " + Twine(rank) + ": " +
                       llvm::toString(call.takeError()));
    state.calls[rank] = std::move(*call);
  }
  state.begin.assign(numRanks, 0);
  state.end.assign(numRanks, -1);
  state.start = created.created;
  int status = distrtWorldRun(world, runRank, &state);

  std::vector<RankOutcome> outcomes(numRanks);
  bool anyFailed = false;
  for (int64_t rank = first; rank < last; ++rank) {
    RankOutcome &outcome = outcomes[rank];
    outcome.status = distrtWorldRankStatus(world, rank);
    outcome.message = distrtWorldRankMessage(world, rank);
    outcome.beginNs = state.begin[rank];
    outcome.endNs = state.end[rank] < 0 ? state.now() : state.end[rank];
    anyFailed |= outcome.status != DISTRT_OK;
    // A rank that failed has no results.
    if (state.end[rank] < 0)
      continue;
    if (Error error = collect(*state.calls[rank], *programs[rank], outcome))
      return makeError("rank " + Twine(rank) + ": " +
                       llvm::toString(std::move(error)));
  }
  if (status == DISTRT_OK && !anyFailed)
    if (Error error = checkFaults(world))
      return error;
  // A failure of the world as a whole (a leak, say) belongs to no rank.
  if (status != DISTRT_OK && !anyFailed)
    return makeError(distrtWorldMessage(world));
  return outcomes;
}
