//===- Start.cpp - start calls --------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common/Checked.h"
#include "Common/World.h"

#include <cstddef>
#include <cstring>

using namespace dist::rt;

static void copyLocation(Flight &flight, const char *location) {
  size_t length = location ? strlen(location) : 0;
  size_t room = sizeof(flight.location) - 1;
  // The end of a long path says more than its beginning.
  const char *from = length > room ? location + (length - room) : location;
  size_t kept = length > room ? room : length;
  for (size_t i = 0; i < kept; ++i)
    flight.location[i] =
        static_cast<unsigned char>(from[i]) < 0x20 ? ' ' : from[i];
  flight.location[kept] = '\0';
}

/// Reads the pairs of a permute as a source per position.
static bool readPairs(Flight &flight, const int64_t *pairs, int64_t numPairs,
                      std::string &message) {
  flight.sources.assign(size_t(flight.groupSize), -1);
  if (numPairs < 0 || (numPairs > 0 && !pairs)) {
    message = numPairs < 0 ? "the number of pairs is negative: " +
                                 std::to_string(numPairs)
                           : std::string("the pairs are null");
    return false;
  }
  std::vector<bool> isSource(static_cast<size_t>(flight.groupSize));
  for (int64_t i = 0; i < numPairs; ++i) {
    for (int end : {0, 1}) {
      int64_t position = pairs[2 * i + end];
      const char *what = end ? "target" : "source";
      std::string problem;
      if (position < 0 || position >= flight.groupSize)
        problem = format("out of range for a group of %lld ranks",
                         static_cast<long long>(flight.groupSize));
      else if (end ? flight.sources[size_t(position)] >= 0
                   : isSource[size_t(position)])
        problem = format("the %s of an earlier pair too", what);
      if (!problem.empty()) {
        message = format("pair %lld: %s %lld is ", static_cast<long long>(i),
                         what, static_cast<long long>(position)) +
                  problem;
        return false;
      }
    }
    isSource[size_t(pairs[2 * i])] = true;
    flight.sources[size_t(pairs[2 * i + 1])] = pairs[2 * i];
  }
  return true;
}

static int checkSite(const Flight &flight, const distrtCallSite &site,
                     int64_t numOperands, distrtFuture **futures,
                     const distrtOperand *operands, std::string &message) {
  bool reduces = flight.reduces();
  if (numOperands < 1)
    message =
        "at least one operand is needed, not " + std::to_string(numOperands);
  else if (!operands)
    message = "the operands are null";
  else if (!futures)
    message = "the futures are null";
  else if (reduces && (site.reduction <= DISTRT_NO_REDUCTION ||
                       site.reduction > DISTRT_PREMUL_SUM))
    message = "unknown reduction " + std::to_string(site.reduction);
  else if (!reduces && site.reduction != DISTRT_NO_REDUCTION)
    message = std::string("a reduction (") +
              distrtReductionName(site.reduction) + ") where none is known";
  else if (flight.hasRoot() && (site.root < 0 || site.root >= flight.groupSize))
    message = format("root %d is out of range for a group of %lld ranks",
                     site.root, static_cast<long long>(flight.groupSize));
  else
    return DISTRT_OK;
  return DISTRT_INVALID_ARGUMENT;
}

/// On a rank outside of the group the result is zeros, at once.
static int completeOutside(distrtContext &context, Flight &flight) {
  flight.before.clear();
  flight.after.clear();
  for (OperandState &operand : flight.operands) {
    Outcome outcome =
        context.world->backend->fillNow(context.rank, operand.destination, 0);
    if (outcome.failed())
      return context.fail(outcome.status,
                          "rank " + std::to_string(context.rank) + ": " +
                              flight.describe() + ": " + outcome.message);
  }
  flight.startEndNs = flight.startNs;
  flight.complete();
  return DISTRT_OK;
}

static void noteRecord(distrtContext &context, Flight &flight) {
  flight.recordNumber = context.numRecords;
  Record &record = context.records[context.numRecords++ % kRecords];
  record.group = flight.group;
  record.sequence = flight.sequence;
  record.startNs = flight.startNs;
  record.endNs = 0;
  record.kind = flight.kind;
  size_t length = strlen(flight.location);
  size_t room = sizeof(record.location) - 1;
  const char *from =
      length > room ? flight.location + (length - room) : flight.location;
  memcpy(record.location, from, (length > room ? room : length) + 1);
}

/// Fault injection: how late this rank joins.
static int64_t joinDelay(const distrtContext &context, int64_t sequence) {
  int64_t delay = 0;
  for (auto &[fault, hits] : context.faults) {
    if (fault.sequence != sequence)
      continue;
    ++*hits;
    if (fault.kind == DISTRT_FAULT_DROP)
      return -1;
    delay += fault.argument;
  }
  return delay;
}

static int launch(distrtContext &context, Flight &flight) {
  distrtWorld &world = *context.world;
  Counters &counters = context.counters;
  if (context.failure.load(std::memory_order_acquire))
    return context.adoptFailure();
  auto failWith = [&](const Outcome &outcome) {
    return context.fail(outcome.status, "rank " + std::to_string(context.rank) +
                                            ": " + flight.describe() + ": " +
                                            outcome.message);
  };
  Communicator &communicator = *flight.group->communicator;
  Outcome outcome = world.backend->join(communicator, flight.position, &flight);
  if (outcome.failed())
    return context.failure.load() ? context.adoptFailure() : failWith(outcome);
  if (world.checksMemory()) {
    std::string text;
    if (!beginChecked(flight, text))
      return failWith({DISTRT_RACE, text});
  }
  ++flight.group->sequences[size_t(flight.position)].next;
  flight.enqueued = true;
  counters.collectives.add(1);
  counters.bytes.add(flight.payload);
  counters.maxInFlight.raiseTo(++context.inFlight);
  noteRecord(context, flight);
  if (!context.faults.empty())
    flight.joinDelayNs = joinDelay(context, flight.sequence);
  outcome = world.backend->enqueue(communicator, flight.position, flight);
  if (outcome.failed())
    return context.failure.load() ? context.adoptFailure() : failWith(outcome);
  return DISTRT_OK;
}

/// Gives up a flight that was not launched. Sources stay the caller's.
static void discard(distrtContext &context, Flight *flight) {
  for (OperandState &operand : flight->operands) {
    operand.ownedSource = nullptr;
    if (operand.usesSource)
      operand.ownsDestination = false;
  }
  if (context.world->checksMemory())
    endChecked(*flight);
  releaseFlightMemory(*flight, /*moved=*/false);
  context.giveFlight(flight);
}

static int resolveSite(distrtContext &context, const distrtCallSite &site,
                       Flight &flight, std::string &message) {
  int status;
  if (!site.group) {
    message = "the group is null";
    return DISTRT_INVALID_ARGUMENT;
  }
  ResolvedGroup *group = context.groups.lookup(
      context.world->groups, site.group, context.rank, status, message);
  if (!group)
    return status;
  flight.group = group->state;
  flight.position = group->position;
  flight.groupSize = group->size;
  flight.groupText.clear();
  flight.sequence = 0;
  if (group->state)
    flight.sequence = group->state->sequences[size_t(group->position)].next;
  else
    flight.groupText = group->text;
  return DISTRT_OK;
}

static int start(int32_t kind, distrtContext *context,
                 const distrtCallSite *site, const distrtOperand *operands,
                 int64_t numOperands, distrtFuture **futures) {
  const char *name = distrtCollectiveName(kind);
  if (!context)
    return refuseWithoutContext(std::string(name) +
                                ": the context is null (outside of a rank?)");
  if (int status = context->enter())
    return status;
  auto prefix = [context] {
    return "rank " + std::to_string(context->rank) + ": ";
  };
  if (!site || site->structSize < offsetof(distrtCallSite, concatDim))
    return context->fail(DISTRT_INVALID_ARGUMENT,
                         prefix() + name + ": the call site is " +
                             (site ? "too short" : "null"));
  Flight *flight = context->takeFlight();
  flight->startNs = nowNs();
  flight->kind = kind;
  flight->reduction = site->reduction;
  flight->root = site->root;
  flight->dim = site->dim;
  flight->concatDim = 0;
  const int64_t *pairs = nullptr;
  int64_t numPairs = 0;
  if (site->structSize >= offsetof(distrtCallSite, pairs))
    flight->concatDim = site->concatDim;
  if (site->structSize >=
      offsetof(distrtCallSite, numPairs) + sizeof(site->numPairs)) {
    pairs = site->pairs;
    numPairs = site->numPairs;
  }
  copyLocation(*flight, site->location);
  std::string message;
  if (int status = resolveSite(*context, *site, *flight, message)) {
    std::string where =
        flight->location[0] ? std::string(" at ") + flight->location : "";
    discard(*context, flight);
    return context->fail(status, prefix() + name + where + ": " + message);
  }
  int status =
      checkSite(*flight, *site, numOperands, futures, operands, message);
  if (!status && kind == DISTRT_PERMUTE &&
      !readPairs(*flight, pairs, numPairs, message))
    status = DISTRT_INVALID_ARGUMENT;
  if (!status)
    status = prepareFlight(*flight, operands, numOperands, message);
  if (status) {
    message = prefix() + flight->describe() + ": " + message;
    discard(*context, flight);
    return context->fail(status, message);
  }
  if (flight->group) {
    if (int status = launch(*context, *flight)) {
      if (!flight->enqueued)
        discard(*context, flight);
      return status;
    }
  } else if (int status = completeOutside(*context, *flight)) {
    discard(*context, flight);
    return status;
  }
  for (int64_t i = 0; i < numOperands; ++i) {
    distrtFuture *future = context->takeFuture(flight, i);
    flight->operands[size_t(i)].future = future;
    futures[i] = future;
  }
  if (context->world->options.trace && flight->group)
    context->addEvent(DISTRT_EVENT_START, *flight, flight->startNs, nowNs(),
                      nullptr);
  return DISTRT_OK;
}

extern "C" {

int distrtAllGather(distrtContext *context, const distrtCallSite *site,
                    const distrtOperand *operands, int64_t numOperands,
                    distrtFuture **futures) {
  return start(DISTRT_ALL_GATHER, context, site, operands, numOperands,
               futures);
}

int distrtAllReduce(distrtContext *context, const distrtCallSite *site,
                    const distrtOperand *operands, int64_t numOperands,
                    distrtFuture **futures) {
  return start(DISTRT_ALL_REDUCE, context, site, operands, numOperands,
               futures);
}

int distrtReduceScatter(distrtContext *context, const distrtCallSite *site,
                        const distrtOperand *operands, int64_t numOperands,
                        distrtFuture **futures) {
  return start(DISTRT_REDUCE_SCATTER, context, site, operands, numOperands,
               futures);
}

int distrtBroadcast(distrtContext *context, const distrtCallSite *site,
                    const distrtOperand *operands, int64_t numOperands,
                    distrtFuture **futures) {
  return start(DISTRT_BROADCAST, context, site, operands, numOperands, futures);
}

int distrtAllToAll(distrtContext *context, const distrtCallSite *site,
                   const distrtOperand *operands, int64_t numOperands,
                   distrtFuture **futures) {
  return start(DISTRT_ALL_TO_ALL, context, site, operands, numOperands,
               futures);
}

int distrtPermute(distrtContext *context, const distrtCallSite *site,
                  const distrtOperand *operands, int64_t numOperands,
                  distrtFuture **futures) {
  return start(DISTRT_PERMUTE, context, site, operands, numOperands, futures);
}

int distrtReduce(distrtContext *context, const distrtCallSite *site,
                 const distrtOperand *operands, int64_t numOperands,
                 distrtFuture **futures) {
  return start(DISTRT_REDUCE, context, site, operands, numOperands, futures);
}

} // extern "C"
