//===- Movement.cpp - the data movement of one collective -----------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common/Numerics.h"
#include "Local/LocalBackend.h"

#include <algorithm>
#include <cstring>

using namespace dist::rt;

/// Bytes per unit: large enough that handing it out costs nothing, small enough
/// that a unit of every member stays in a cache.
static constexpr int64_t kUnitBytes = 128 << 10;

static bool isSegmented(int32_t kind) {
  return kind == DISTRT_ALL_GATHER || kind == DISTRT_REDUCE_SCATTER ||
         kind == DISTRT_ALL_TO_ALL;
}

void Movement::reset(const std::vector<Launch *> &newLaunches) {
  launches.assign(newLaunches.begin(), newLaunches.end());
  packs = unpacks = false;
  for (Launch *launch : launches) {
    packs |= !launch->before.empty();
    unpacks |= !launch->after.empty();
  }
  plans.clear();
  partUnits = 0;
  totalBytes = 0;
  const Launch &first = *launches[0];
  auto n = int64_t(launches.size());
  for (const Part &part : first.parts) {
    int64_t elementSize = distrtDataTypeSize(part.dataType);
    PartPlan plan;
    plan.firstUnit = partUnits;
    plan.numSegments = isSegmented(first.kind) ? n : 1;
    plan.unitElements = kUnitBytes / elementSize;
    plan.unitsPerSegment =
        (part.count + plan.unitElements - 1) / plan.unitElements;
    plans.push_back(plan);
    partUnits += plan.numSegments * plan.unitsPerSegment;
    bool writesSegments =
        first.kind == DISTRT_ALL_GATHER || first.kind == DISTRT_ALL_TO_ALL;
    totalBytes += part.count * elementSize * n * (writesSegments ? n : 1);
  }
}

int64_t Movement::numUnits(int phase) const {
  if (phase == 1)
    return partUnits;
  return (phase == 0 ? packs : unpacks) ? int64_t(launches.size()) : 0;
}

void Movement::runUnit(int phase, int64_t unit) const {
  if (phase != 1) {
    const Launch &launch = *launches[size_t(unit)];
    for (const StridedCopy &copy : phase == 0 ? launch.before : launch.after)
      runCopy(copy);
    return;
  }
  size_t part = plans.size() - 1;
  while (plans[part].firstUnit > unit)
    --part;
  const PartPlan &plan = plans[part];
  unit -= plan.firstUnit;
  int64_t segment = unit / plan.unitsPerSegment;
  int64_t begin = unit % plan.unitsPerSegment * plan.unitElements;
  int64_t end =
      std::min(begin + plan.unitElements, launches[0]->parts[part].count);
  runPart(part, segment, begin, end);
}

static void move(void *destination, const void *source, int64_t bytes) {
  // Equal pointers are the in-place forms; nothing else overlaps.
  if (destination != source)
    memcpy(destination, source, size_t(bytes));
}

void Movement::runPart(size_t index, int64_t segment, int64_t begin,
                       int64_t end) const {
  const Launch &first = *launches[0];
  const Part &shape = first.parts[index];
  int64_t elementSize = distrtDataTypeSize(shape.dataType);
  int64_t offset = begin * elementSize, bytes = (end - begin) * elementSize;
  switch (first.kind) {
  case DISTRT_ALL_REDUCE:
  case DISTRT_REDUCE_SCATTER:
  case DISTRT_REDUCE:
    return reduce(index, segment, begin, end);
  case DISTRT_ALL_TO_ALL:
    return exchange(index, segment, offset, bytes);
  case DISTRT_PERMUTE:
    return permute(index, offset, bytes);
  }
  bool gathers = first.kind == DISTRT_ALL_GATHER;
  const Part &sender =
      launches[size_t(gathers ? segment : first.root)]->parts[index];
  const char *source = static_cast<const char *>(sender.send) + offset;
  if (gathers)
    offset += segment * shape.count * elementSize;
  for (Launch *launch : launches)
    move(static_cast<char *>(launch->parts[index].receive) + offset, source,
         bytes);
}

/// The pieces of one source, one to each member.
void Movement::exchange(size_t index, int64_t source, int64_t offset,
                        int64_t bytes) const {
  const Part &shape = launches[0]->parts[index];
  int64_t piece = shape.count * distrtDataTypeSize(shape.dataType);
  auto *send =
      static_cast<const char *>(launches[size_t(source)]->parts[index].send);
  for (size_t target = 0; target < launches.size(); ++target)
    move(static_cast<char *>(launches[target]->parts[index].receive) +
             source * piece + offset,
         send + int64_t(target) * piece + offset, bytes);
}

void Movement::permute(size_t index, int64_t offset, int64_t bytes) const {
  for (size_t target = 0; target < launches.size(); ++target) {
    auto *receive =
        static_cast<char *>(launches[target]->parts[index].receive) + offset;
    int64_t source = launches[0]->sources[target];
    if (source < 0)
      memset(receive, 0, size_t(bytes));
    else
      move(receive,
           static_cast<const char *>(
               launches[size_t(source)]->parts[index].send) +
               offset,
           bytes);
  }
}

void Movement::reduce(size_t index, int64_t segment, int64_t begin,
                      int64_t end) const {
  const Launch &first = *launches[0];
  const Part &shape = first.parts[index];
  int64_t elementSize = distrtDataTypeSize(shape.dataType);
  FoldFunction fold = lookupFold(shape.dataType, first.reduction);
  bool scatters = first.kind == DISTRT_REDUCE_SCATTER;
  int64_t sourceShift = scatters ? segment * shape.count : 0;
  auto n = int64_t(launches.size());
  const char *fewSources[32];
  double fewFactors[32];
  std::vector<const char *> manySources;
  std::vector<double> manyFactors;
  const char **sources = fewSources;
  double *factors = fewFactors;
  if (n > 32) {
    manySources.resize(size_t(n));
    manyFactors.resize(size_t(n));
    sources = manySources.data();
    factors = manyFactors.data();
  }
  for (int64_t i = 0; i < n; ++i)
    factors[i] = launches[size_t(i)]->parts[index].factor;
  alignas(64) char result[kFoldBytes];
  int64_t chunk = std::min(kFoldChunk, kFoldBytes / elementSize);
  for (int64_t at = begin; at < end; at += chunk) {
    int64_t count = std::min(chunk, end - at);
    for (int64_t i = 0; i < n; ++i)
      sources[i] =
          static_cast<const char *>(launches[size_t(i)]->parts[index].send) +
          (sourceShift + at) * elementSize;
    // Every source of the chunk is read before a destination is written: they
    // may be the same memory.
    fold(sources, factors, n, count, result);
    for (int64_t i = 0; i < n; ++i) {
      char *receive =
          static_cast<char *>(launches[size_t(i)]->parts[index].receive) +
          at * elementSize;
      if (first.kind == DISTRT_REDUCE && i != first.root)
        memset(receive, 0, size_t(count * elementSize));
      else if (!scatters || i == segment)
        memcpy(receive, result, size_t(count * elementSize));
    }
  }
}
