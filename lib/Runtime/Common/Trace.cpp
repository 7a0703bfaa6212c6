//===- Trace.cpp - counters, events and the Chrome trace ------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common/World.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <tuple>

using namespace dist::rt;

/// Fills as much of a struct that grows as the caller knows.
template <typename T> static void storeVersioned(T *destination, T values) {
  size_t known = destination->structSize;
  if (known == 0 || known > sizeof(T))
    known = sizeof(T);
  values.structSize = known;
  memcpy(destination, &values, known);
}

/// Events of all ranks by begin. The caller holds the world's mutex.
static void sortEvents(distrtWorld &world) {
  std::vector<Event> all;
  for (auto &context : world.contexts) {
    std::lock_guard<std::mutex> lock(context->eventMutex);
    all.insert(all.end(), context->events.begin(), context->events.end());
  }
  if (all.size() == world.sortedEvents.size())
    return;
  std::sort(all.begin(), all.end(), [](const Event &a, const Event &b) {
    return std::tie(a.beginNs, a.rank, a.kind, a.sequence) <
           std::tie(b.beginNs, b.rank, b.kind, b.sequence);
  });
  world.sortedEvents = std::move(all);
}

/// A JSON string. Bytes that are not UTF-8 become '?'.
static std::string quoted(const char *text) {
  std::string result = "\"";
  auto *bytes = reinterpret_cast<const unsigned char *>(text);
  while (*bytes) {
    unsigned char c = *bytes;
    int length = c < 0x80   ? 1
                 : c < 0xC2 ? 0
                 : c < 0xE0 ? 2
                 : c < 0xF0 ? 3
                 : c < 0xF5 ? 4
                            : 0;
    bool valid = length > 0;
    for (int i = 1; valid && i < length; ++i)
      valid = (bytes[i] & 0xC0) == 0x80;
    if (c == '"' || c == '\\')
      result += '\\', result += char(c);
    else if (c < 0x20)
      result += format("\\u%04x", c);
    else if (valid)
      result.append(reinterpret_cast<const char *>(bytes), size_t(length));
    else
      result += '?';
    bytes += valid ? length : 1;
  }
  return result + "\"";
}

void distrtWorld::kernelRan(int64_t rank, const std::string &name,
                            int64_t beginNs, int64_t endNs) {
  contextOf(rank)->addEvent(DISTRT_EVENT_KERNEL, -1, -1, 0, name, beginNs,
                            endNs, "");
}

static void writeEvent(FILE *file, const Event &event) {
  static const char *const categories[] = {"start", "flight", "wait", "kernel"};
  const char *category = categories[event.kind];
  std::string name = distrtCollectiveName(event.collective);
  if (event.kind == DISTRT_EVENT_KERNEL)
    name = event.group;
  else if (event.kind != DISTRT_EVENT_FLIGHT)
    name = std::string(category) + " " + name;
  std::string args = format(
      "{\"group\":%s,\"sequence\":%lld,\"bytes\":%lld,\"location\":%s}",
      quoted(event.group).c_str(), static_cast<long long>(event.sequence),
      static_cast<long long>(event.bytes), quoted(event.location).c_str());
  double begin = double(event.beginNs) / 1e3, end = double(event.endNs) / 1e3;
  auto rank = static_cast<long long>(event.rank);
  if (event.kind != DISTRT_EVENT_FLIGHT) {
    fprintf(
        file,
        ",\n{\"name\":%s,\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%lld,\"tid\":%d,"
        "\"ts\":%.3f,\"dur\":%.3f,\"args\":%s}",
        quoted(name.c_str()).c_str(), category, rank,
        event.kind == DISTRT_EVENT_KERNEL ? 2 : 0, begin, end - begin,
        args.c_str());
    return;
  }
  // Flights overlap: asynchronous events, one track per communicator.
  std::string id = quoted(format("%lld %s %lld", rank, event.group,
                                 static_cast<long long>(event.sequence))
                              .c_str());
  for (const char *phase : {"b", "e"})
    fprintf(file,
            ",\n{\"name\":%s,\"cat\":%s,\"ph\":\"%s\",\"id\":%s,\"pid\":%lld,"
            "\"tid\":1,\"ts\":%.3f,\"args\":%s}",
            quoted(name.c_str()).c_str(), quoted(event.group).c_str(), phase,
            id.c_str(), rank, *phase == 'b' ? begin : end, args.c_str());
}

extern "C" {

int64_t distrtWorldFaultHits(distrtWorld *world, int64_t index) {
  if (!world || index < 0 || size_t(index) >= world->faultHits.size())
    return -1;
  return world->faultHits[size_t(index)];
}

int distrtWorldCounters(distrtWorld *world, int64_t rank,
                        distrtCounters *counters) {
  distrtContext *context = world ? world->contextOf(rank) : nullptr;
  if (!context || !counters)
    return DISTRT_INVALID_ARGUMENT;
  const Counters &from = context->counters;
  distrtCounters values = {};
  values.collectives = from.collectives.get();
  values.bytes = from.bytes.get();
  values.packs = from.packs.get();
  values.unpacks = from.unpacks.get();
  values.sourceCopies = from.sourceCopies.get();
  values.sourceMoves = from.sourceMoves.get();
  values.resultCopies = from.resultCopies.get();
  values.liveFutures = from.liveFutures.get();
  values.blockedNs = from.blockedNs.get();
  values.inFlightNs = from.inFlightNs.get();
  values.maxInFlight = from.maxInFlight.get();
  storeVersioned(counters, values);
  return DISTRT_OK;
}

int64_t distrtWorldNumEvents(distrtWorld *world) {
  if (!world)
    return 0;
  std::lock_guard<std::mutex> lock(world->mutex);
  sortEvents(*world);
  return int64_t(world->sortedEvents.size());
}

int distrtWorldEvent(distrtWorld *world, int64_t index, distrtEvent *event) {
  if (!world || !event)
    return DISTRT_INVALID_ARGUMENT;
  std::lock_guard<std::mutex> lock(world->mutex);
  if (world->sortedEvents.empty())
    sortEvents(*world);
  if (index < 0 || index >= int64_t(world->sortedEvents.size()))
    return DISTRT_INVALID_ARGUMENT;
  const Event &from = world->sortedEvents[size_t(index)];
  distrtEvent values = {};
  values.kind = from.kind;
  values.collective = from.collective;
  values.rank = from.rank;
  values.sequence = from.sequence;
  values.beginNs = from.beginNs;
  values.endNs = from.endNs;
  values.bytes = from.bytes;
  values.group = from.group;
  values.location = from.location;
  storeVersioned(event, values);
  return DISTRT_OK;
}

int distrtWorldWriteTrace(distrtWorld *world, const char *path) {
  if (!world || !path)
    return refuseWithoutContext("trace: the world or the path is null");
  std::lock_guard<std::mutex> lock(world->mutex);
  FILE *file = fopen(path, "w");
  if (!file) {
    world->message = "trace: cannot write " + oneLine(path);
    return DISTRT_INVALID_ARGUMENT;
  }
  sortEvents(*world);
  fprintf(file, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  const char *separator = "";
  for (auto &context : world->contexts) {
    auto rank = static_cast<long long>(context->rank);
    fprintf(
        file,
        "%s\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%lld,\"tid\":0,"
        "\"args\":{\"name\":\"rank %lld\"}}",
        separator, rank, rank);
    separator = ",";
  }
  for (const Event &event : world->sortedEvents)
    writeEvent(file, event);
  fprintf(file, "\n]}\n");
  bool written = !ferror(file);
  if (fclose(file) != 0 || !written) {
    world->message = "trace: cannot write " + oneLine(path);
    return DISTRT_INVALID_ARGUMENT;
  }
  return DISTRT_OK;
}

} // extern "C"
