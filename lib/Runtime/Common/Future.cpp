//===- Future.cpp - waits, drops and references ---------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common/Checked.h"
#include "Common/World.h"

using namespace dist::rt;

/// Blocks until the flight is done or the world has failed.
static int awaitFlight(distrtContext &context, Flight &flight) {
  distrtWorld &world = *context.world;
  int64_t untilNs = flight.deadlineNs;
  while (true) {
    switch (world.backend->hostWait(flight, untilNs, context.failure)) {
    case WaitResult::Done:
      return DISTRT_OK;
    case WaitResult::Interrupted:
      return context.adoptFailure();
    case WaitResult::Expired:
      break;
    }
    Expiry expiry = world.backend->expire(*flight.group->communicator,
                                          flight.position, flight);
    // The data is being moved, or somebody else has just found a failure.
    untilNs = expiry.retryNs ? expiry.retryNs : nowNs() + 1000000;
    if (!expiry.completed && !expiry.retryNs)
      world.timeout(flight, expiry);
  }
}

static std::string waitPrefix(distrtContext *context, const char *location) {
  return rankPrefix(*context, "wait", location);
}

/// A device's flight is finished for the host when the compute stream waits for
/// it; the device records its time.
static int finishOnDevice(distrtContext &context, Flight &flight,
                          const char *location) {
  int64_t beginNs = nowNs();
  if (context.failure.load(std::memory_order_acquire))
    return context.adoptFailure();
  Outcome outcome = context.world->backend->streamWait(flight);
  if (outcome.failed())
    return context.fail(outcome.status, waitPrefix(&context, location) +
                                            flight.describe() + ": " +
                                            outcome.message);
  flight.complete();
  flight.finished = true;
  --context.inFlight;
  int64_t endNs = nowNs();
  context.counters.blockedNs.add(endNs - beginNs);
  context.counters.inFlightNs.add(flight.endNs - flight.startNs);
  if (context.numRecords - flight.recordNumber <= kRecords)
    context.records[flight.recordNumber % kRecords].endNs = flight.endNs;
  if (context.world->options.trace)
    context.addEvent(DISTRT_EVENT_WAIT, flight, beginNs, endNs, location);
  return DISTRT_OK;
}

int dist::rt::finishFlight(distrtContext &context, Flight &flight,
                           const char *location) {
  if (flight.finished)
    return DISTRT_OK;
  bool checked = context.world->checksMemory();
  if (flight.group && context.device)
    return finishOnDevice(context, flight, location);
  if (flight.group) {
    bool trace = context.world->options.trace;
    bool ready = flight.done.load(std::memory_order_acquire);
    int64_t beginNs = ready && !trace ? 0 : nowNs();
    if (!ready) {
      int status = awaitFlight(context, flight);
      int64_t waitedNs = nowNs() - beginNs;
      context.counters.blockedNs.add(waitedNs);
      if (status)
        return status;
    }
    --context.inFlight;
    context.counters.inFlightNs.add(flight.endNs - flight.startNs);
    if (context.numRecords - flight.recordNumber <= kRecords)
      context.records[flight.recordNumber % kRecords].endNs = flight.endNs;
    if (trace) {
      context.addEvent(DISTRT_EVENT_FLIGHT, flight, flight.startNs,
                       flight.endNs, nullptr);
      context.addEvent(DISTRT_EVENT_WAIT, flight, beginNs, nowNs(), location);
    }
  }
  flight.finished = true;
  if (!checked || !flight.group)
    return DISTRT_OK;
  std::string text;
  bool clean = verifyAtWait(flight, text);
  endChecked(flight);
  if (clean)
    return DISTRT_OK;
  return context.fail(DISTRT_RACE, "rank " + std::to_string(context.rank) +
                                       ": " + flight.describe() + ": " + text);
}

/// Whether `future` is one of `context`, with references left.
static bool isLive(distrtContext *context, distrtFuture *future) {
  return future->magic == kFutureLive && future->flight->context == context;
}

static void releaseFuture(distrtContext &context, distrtFuture *future) {
  Flight *flight = future->flight;
  context.giveFuture(future);
  if (flight->openFutures == 0)
    context.giveFlight(flight);
}

extern "C" {

int distrtFutureWait(distrtContext *context, distrtFuture *future, void *result,
                     int64_t rank, const char *location) {
  if (!context)
    return refuseWithoutContext(
        "wait: the context is null (outside of a rank?)");
  if (int status = context->enter())
    return status;
  if (!future)
    return context->refuse(DISTRT_INVALID_ARGUMENT,
                           waitPrefix(context, location) +
                               "the future holds no collective");
  if (!isLive(context, future))
    return context->refuse(DISTRT_INVALID_ARGUMENT,
                           waitPrefix(context, location) +
                               "the future was consumed before, or belongs to "
                               "another rank");
  Flight &flight = *future->flight;
  OperandState &operand = flight.operands[size_t(future->operand)];
  if (!result || rank != operand.destination.rank)
    return context->refuse(
        DISTRT_INVALID_ARGUMENT,
        waitPrefix(context, location) + flight.describe() + ": " +
            (result ? format("a result of rank %d is taken as one of rank %lld",
                             operand.destination.rank,
                             static_cast<long long>(rank))
                    : std::string("the result is null")));
  if (int status = finishFlight(*context, flight, location))
    return status;
  operand.consumed = true;
  if (!operand.named && future->references > 1) {
    // Owned by the future: an earlier wait receives a copy.
    View copy = operand.destination;
    int64_t bytes = copy.bytes();
    void *buffer =
        context->world->backend->allocate(context->rank, size_t(bytes));
    if (!buffer)
      return context->fail(DISTRT_OUT_OF_MEMORY,
                           waitPrefix(context, location) + flight.describe() +
                               ": no memory for a copy of the result");
    makeContiguous(copy, buffer);
    Outcome outcome = context->world->backend->copyNow(
        context->rank, makeCopy(operand.destination, copy));
    if (outcome.failed())
      return context->fail(outcome.status, waitPrefix(context, location) +
                                               flight.describe() + ": " +
                                               outcome.message);
    writeDescriptor(copy, result);
    context->counters.resultCopies.add(1);
  } else {
    writeDescriptor(operand.destination, result);
  }
  if (--future->references == 0) {
    operand.ownsDestination = false;
    releaseFuture(*context, future);
  }
  return DISTRT_OK;
}

int distrtFutureDrop(distrtContext *context, distrtFuture *future,
                     const char *location) {
  if (!future)
    return DISTRT_OK;
  if (!context)
    return refuseWithoutContext(
        "drop: the context is null (outside of a rank?)");
  if (int status = context->enter())
    return status;
  if (!isLive(context, future))
    return context->refuse(DISTRT_INVALID_ARGUMENT,
                           waitPrefix(context, location) +
                               "drop of a future that was consumed before, or "
                               "belongs to another rank");
  if (future->references > 1) {
    --future->references;
    return DISTRT_OK;
  }
  Flight &flight = *future->flight;
  OperandState &operand = flight.operands[size_t(future->operand)];
  if (int status = finishFlight(*context, flight, location))
    return status;
  operand.consumed = true;
  if (operand.ownsDestination) {
    context->world->backend->release(context->rank,
                                     operand.destination.allocated);
    operand.ownsDestination = false;
  }
  future->references = 0;
  releaseFuture(*context, future);
  return DISTRT_OK;
}

distrtFuture *distrtFutureDup(distrtContext *context, distrtFuture *future) {
  if (future && context && isLive(context, future))
    ++future->references;
  return future;
}

} // extern "C"

int64_t dist::rt::completeLiveFlights(distrtContext &context,
                                      std::string &first) {
  int64_t numFutures = 0;
  const Flight *oldest = nullptr;
  for (Flight *flight = context.live; flight; flight = flight->next) {
    numFutures += flight->openFutures;
    oldest = flight;
  }
  if (oldest)
    first = oldest->describe();
  for (Flight *flight = context.live; flight; flight = flight->next)
    if (finishFlight(context, *flight, nullptr))
      break;
  return numFutures;
}
