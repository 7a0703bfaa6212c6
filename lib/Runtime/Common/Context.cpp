//===- Context.cpp - what belongs to one rank -----------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common/World.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>

using namespace dist::rt;

static thread_local distrtContext *currentContext = nullptr;
static thread_local Device *deviceOfThread = nullptr;

Device *dist::rt::currentDevice() { return deviceOfThread; }
void dist::rt::setCurrentDevice(Device *device) { deviceOfThread = device; }

/// Messages of calls without a context; the last one of the thread.
static std::string &threadMessage() {
  static thread_local std::string message;
  return message;
}

void dist::rt::setCurrentContext(distrtContext *context) {
  currentContext = context;
}

std::string dist::rt::rankPrefix(const distrtContext &context, const char *what,
                                 const char *location) {
  std::string text = "rank " + std::to_string(context.rank) + ": " + what;
  if (location && *location)
    text += " at " + oneLine(location);
  return text + ": ";
}

int dist::rt::refuseWithoutContext(const std::string &message) {
  threadMessage() = message;
  return DISTRT_INVALID_ARGUMENT;
}

int distrtContext::enter() {
  if (reported)
    return reported->status;
  auto *pending =
      static_cast<const Failure *>(failure.load(std::memory_order_acquire));
  if (pending && pending->status != DISTRT_ABORTED)
    return adoptFailure();
  return DISTRT_OK;
}

int distrtContext::adoptFailure() {
  if (!reported) {
    reported =
        static_cast<const Failure *>(failure.load(std::memory_order_acquire));
    if (!reported)
      return DISTRT_OK;
    messages.push_back(reported->message);
  }
  quiesce();
  return reported->status;
}

int distrtContext::fail(int status, const std::string &message) {
  if (!reported)
    world->fail({rank}, status, message);
  return adoptFailure();
}

int distrtContext::refuse(int status, const std::string &message) {
  messages.push_back(message);
  return status;
}

void distrtContext::quiesce() {
  // Data movement is finite, and nothing starts any more.
  while (owner.executing.load(std::memory_order_acquire) > 0)
    sched_yield();
  if (device)
    device->abandon();
}

Flight *distrtContext::takeFlight() {
  Flight *flight;
  if (freeFlights.empty()) {
    allFlights.push_back(std::make_unique<Flight>());
    flight = allFlights.back().get();
    flight->context = this;
    flight->owner = &owner;
  } else {
    flight = freeFlights.back();
    freeFlights.pop_back();
  }
  flight->done.store(false, std::memory_order_relaxed);
  flight->finished = flight->enqueued = false;
  flight->deadlineNs = INT64_MAX;
  flight->joinDelayNs = 0;
  flight->endNs = 0;
  flight->openFutures = 0;
  flight->group = nullptr;
  flight->operands.clear();
  flight->before.clear();
  flight->parts.clear();
  flight->after.clear();
  flight->event = nullptr;
  flight->scratch.clear();
  flight->previous = nullptr;
  flight->next = live;
  if (live)
    live->previous = flight;
  live = flight;
  return flight;
}

void distrtContext::giveFlight(Flight *flight) {
  (flight->previous ? flight->previous->next : live) = flight->next;
  if (flight->next)
    flight->next->previous = flight->previous;
  freeFlights.push_back(flight);
}

distrtFuture *distrtContext::takeFuture(Flight *flight, int64_t operand) {
  distrtFuture *future = freeFutures;
  if (future) {
    freeFutures = future->nextFree;
  } else {
    allFutures.emplace_back();
    future = &allFutures.back();
  }
  *future = {kFutureLive, 1, flight, operand, nullptr};
  ++flight->openFutures;
  counters.liveFutures.add(1);
  return future;
}

void distrtContext::giveFuture(distrtFuture *future) {
  counters.liveFutures.add(-1);
  --future->flight->openFutures;
  future->flight->operands[size_t(future->operand)].future = nullptr;
  *future = {kFutureGone, 0, nullptr, 0, freeFutures};
  freeFutures = future;
}

void distrtContext::addEvent(int32_t kind, const Flight &flight,
                             int64_t beginNs, int64_t endNs,
                             const char *location) {
  addEvent(kind, flight.kind, flight.sequence, flight.payload,
           flight.group ? flight.group->text : flight.groupText, beginNs, endNs,
           location && *location ? location : flight.location);
}

void distrtContext::addEvent(int32_t kind, int32_t collective, int64_t sequence,
                             int64_t bytes, const std::string &group,
                             int64_t beginNs, int64_t endNs,
                             const char *location) {
  if (!world->options.trace)
    return;
  std::lock_guard<std::mutex> lock(eventMutex);
  events.push_back({kind, collective, rank, sequence,
                    beginNs - world->createdNs, endNs - world->createdNs, bytes,
                    strings.insert(group).first->c_str(),
                    strings.insert(oneLine(location)).first->c_str()});
}

extern "C" {

distrtContext *distrtContextCurrent(void) { return currentContext; }

int64_t distrtRank(distrtContext *context) {
  return context ? context->rank : -1;
}

int64_t distrtWorldSize(distrtContext *context) {
  return context ? context->world->placement.numRanks : 0;
}

static int queryGroup(distrtContext *context, const distrtGroupDesc *group,
                      const char *location, const char *what,
                      ResolvedGroup *&resolved) {
  if (!context)
    return refuseWithoutContext(std::string(what) +
                                ": the context is null (outside of a rank?)");
  if (int status = context->enter())
    return status;
  std::string prefix = rankPrefix(*context, what, location);
  if (!group)
    return context->refuse(DISTRT_INVALID_ARGUMENT,
                           prefix + "the group is null");
  int status;
  std::string message;
  resolved = context->groups.lookup(context->world->groups, group,
                                    context->rank, status, message);
  if (!resolved)
    return context->refuse(status, prefix + message);
  return DISTRT_OK;
}

int distrtGroupRank(distrtContext *context, const distrtGroupDesc *group,
                    const char *location, int64_t *position) {
  ResolvedGroup *resolved = nullptr;
  if (int status = queryGroup(context, group, location, "group rank", resolved))
    return status;
  if (position)
    *position = resolved->position;
  return DISTRT_OK;
}

int distrtGroupSize(distrtContext *context, const distrtGroupDesc *group,
                    const char *location, int64_t *size) {
  ResolvedGroup *resolved = nullptr;
  if (int status = queryGroup(context, group, location, "group size", resolved))
    return status;
  if (size)
    *size = resolved->size;
  return DISTRT_OK;
}

int distrtAssertFailed(distrtContext *context, const char *message,
                       const char *location) {
  std::string text = "assertion failed: " + std::string(message ? message : "");
  if (!context) {
    refuseWithoutContext(text);
    return DISTRT_ASSERTION;
  }
  // Another rank's failure may be there before: it is reported instead.
  int status = context->fail(DISTRT_ASSERTION,
                             rankPrefix(*context, "assert", location) + text);
  return status ? status : DISTRT_ASSERTION;
}

void distrtRaise(distrtContext *context, int status) {
  if (context && context->raiseHandler) {
    context->raiseHandler(context, status, context->raiseUser);
    fprintf(stderr, "dist: the raise handler of rank %lld returned\n",
            static_cast<long long>(context->rank));
    abort();
  }
  const char *message = distrtContextMessage(context);
  fprintf(stderr, "dist: %s: %s\n", distrtStatusName(status),
          *message ? message : "no message");
  abort();
}

void distrtContextSetRaiseHandler(distrtContext *context,
                                  distrtRaiseHandler handler, void *user) {
  if (!context)
    return;
  context->raiseHandler = handler;
  context->raiseUser = user;
}

int distrtCheckAbi(distrtContext *context, int64_t version) {
  if (version >= 1 && version <= DISTRT_ABI_VERSION)
    return DISTRT_OK;
  std::string message =
      format("the program was built for version %lld of the runtime ABI, this "
             "runtime has version %d",
             static_cast<long long>(version), DISTRT_ABI_VERSION);
  if (context)
    return context->refuse(DISTRT_ABI_MISMATCH, message);
  refuseWithoutContext(message);
  return DISTRT_ABI_MISMATCH;
}

const char *distrtContextMessage(distrtContext *context) {
  if (!context)
    return threadMessage().c_str();
  return context->messages.empty() ? "" : context->messages.back().c_str();
}

} // extern "C"
