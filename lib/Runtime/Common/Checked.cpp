//===- Checked.cpp - findings of checked mode -----------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common/Checked.h"

#include "Common/World.h"

#include <algorithm>
#include <cstring>
#include <mutex>

using namespace dist::rt;

namespace {
/// A buffer that a live flight reads or writes.
struct InFlight {
  ByteRange range;
  Flight *flight;
  int64_t operand;
  bool destination;
};

/// All of them, of all checked worlds of the process: a free hook has no
/// context.
struct Registry {
  std::mutex mutex;
  std::vector<InFlight> entries;
};
Registry &registry() {
  static Registry *instance = new Registry;
  return *instance;
}
} // namespace

static std::string bufferName(const Flight &flight, int64_t operand,
                              bool destination) {
  std::string text = destination ? "the destination" : "the source";
  if (flight.numOperands() > 1)
    text += " of operand " + std::to_string(operand);
  return text;
}

/// Whole elements: a value often differs in some of its bytes only.
static std::string rangeText(int64_t first, int64_t last, int64_t unit) {
  first -= first % unit;
  last += unit - 1 - last % unit;
  return format("bytes [%lld, %lld)", static_cast<long long>(first),
                static_cast<long long>(last + 1));
}

void dist::rt::reportFree(void *pointer, size_t bytes) {
  auto low = reinterpret_cast<uintptr_t>(pointer);
  ByteRange freed = {low, low + std::max<size_t>(bytes, 1)};
  distrtContext *victim = nullptr;
  std::string text;
  {
    Registry &all = registry();
    std::lock_guard<std::mutex> lock(all.mutex);
    for (InFlight &entry : all.entries) {
      if (!entry.range.intersects(freed))
        continue;
      victim = entry.flight->context;
      uintptr_t begin = std::max(freed.low, entry.range.low);
      uintptr_t end = std::min(freed.high, entry.range.high);
      text = "rank " + std::to_string(victim->rank) + ": " +
             entry.flight->describe() + ": " +
             bufferName(*entry.flight, entry.operand, entry.destination) +
             " was freed in flight, " +
             rangeText(int64_t(begin - entry.range.low),
                       int64_t(end - entry.range.low) - 1, 1);
      break;
    }
  }
  if (victim)
    victim->world->fail({victim->rank}, DISTRT_RACE, text);
}

bool dist::rt::reportDoubleFree(void *pointer, size_t bytes) {
  distrtContext *context = distrtContextCurrent();
  if (!context || !context->world->options.checked)
    return false;
  context->world->fail({context->rank}, DISTRT_RACE,
                       "rank " + std::to_string(context->rank) +
                           format(": a buffer of %zu bytes at %p was freed "
                                  "twice",
                                  bytes, pointer));
  return true;
}

bool dist::rt::isInFlight(void *pointer, size_t bytes) {
  auto low = reinterpret_cast<uintptr_t>(pointer);
  ByteRange range = {low, low + bytes};
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  for (const InFlight &entry : all.entries)
    if (entry.range.intersects(range))
      return true;
  return false;
}

/// Compares one buffer of a new flight with all that are in flight. Reads of
/// the same buffer do not conflict. The caller holds the registry.
static bool conflicts(const Registry &all, const Flight &flight,
                      int64_t operand, bool destination, std::string &message) {
  const OperandState &state = flight.operands[size_t(operand)];
  const View &view = destination ? state.destination : state.source;
  ByteRange range = byteRange(view);
  for (const InFlight &entry : all.entries) {
    if ((!destination && !entry.destination) || !entry.range.intersects(range))
      continue;
    const OperandState &other = entry.flight->operands[size_t(entry.operand)];
    if (!overlaps(view, entry.destination ? other.destination : other.source))
      continue;
    message = bufferName(flight, operand, destination) +
              " is in flight: it is " +
              bufferName(*entry.flight, entry.operand, entry.destination) +
              " of rank " + std::to_string(entry.flight->context->rank) +
              "'s " + entry.flight->describe();
    return true;
  }
  return false;
}

static void packInto(std::vector<char> &bytes, const View &view) {
  bytes.resize(size_t(view.bytes()));
  if (bytes.empty())
    return;
  View dense = view;
  makeContiguous(dense, bytes.data());
  runCopy(makeCopy(view, dense));
}

/// Calls `body(view)` for the parts of the destination that hold no source.
template <typename Body>
static void forEachPoisoned(const Flight &flight, const OperandState &operand,
                            Body body) {
  if (operand.keptSlot < 0) {
    body(operand.destination);
    return;
  }
  for (int64_t i = 0; i < flight.groupSize; ++i)
    if (i != operand.keptSlot)
      body(slotOf(operand.destination, flight.dim, i, flight.groupSize));
}

bool dist::rt::beginChecked(Flight &flight, std::string &message) {
  Registry &all = registry();
  {
    std::lock_guard<std::mutex> lock(all.mutex);
    for (int64_t i = 0; i < flight.numOperands(); ++i) {
      bool copied = flight.operands[size_t(i)].flags & DISTRT_SOURCE_COPY;
      if ((!copied && conflicts(all, flight, i, false, message)) ||
          conflicts(all, flight, i, true, message))
        return false;
    }
    for (int64_t i = 0; i < flight.numOperands(); ++i) {
      OperandState &operand = flight.operands[size_t(i)];
      if (!(operand.flags & DISTRT_SOURCE_COPY) && !operand.usesSource)
        all.entries.push_back({byteRange(operand.source), &flight, i, false});
      all.entries.push_back({byteRange(operand.destination), &flight, i, true});
    }
  }
  for (OperandState &operand : flight.operands) {
    bool copied = operand.flags & DISTRT_SOURCE_COPY;
    bool aliases =
        !copied &&
        (operand.usesSource ||
         (operand.named && overlaps(operand.source, operand.destination)));
    operand.checkSource = !copied;
    operand.verifySourceAtWait = !copied && !aliases && !operand.ownedSource;
    operand.checkDestination = !aliases || operand.keptSlot >= 0;
    if (operand.checkSource)
      packInto(operand.sourceBytes, operand.source);
    if (operand.checkDestination)
      forEachPoisoned(flight, operand,
                      [](const View &view) { fill(view, kPoison); });
  }
  return true;
}

static bool verifySource(const Flight &flight, int64_t index,
                         std::string &message) {
  const OperandState &operand = flight.operands[size_t(index)];
  int64_t first, last;
  if (!findDifference(operand.source, operand.sourceBytes.data(), 0, first,
                      last))
    return true;
  message = bufferName(flight, index, false) + " was written in flight, " +
            rangeText(first, last, operand.source.elementSize);
  return false;
}

bool dist::rt::verifyBeforeMove(Flight &flight, std::string &message) {
  for (int64_t i = 0; i < flight.numOperands(); ++i) {
    OperandState &operand = flight.operands[size_t(i)];
    if (operand.checkSource && !verifySource(flight, i, message))
      return false;
    if (!operand.checkDestination)
      continue;
    bool clean = true;
    forEachPoisoned(flight, operand, [&](const View &view) {
      int64_t first, last;
      if (!clean || !findDifference(view, nullptr, kPoison, first, last))
        return;
      clean = false;
      message = bufferName(flight, i, true) + " was written in flight, " +
                rangeText(first, last, operand.source.elementSize);
      if (operand.keptSlot >= 0)
        message += " of a slot";
    });
    if (!clean)
      return false;
  }
  return true;
}

void dist::rt::noteMoved(Flight &flight) {
  for (OperandState &operand : flight.operands) {
    packInto(operand.destinationBytes, operand.destination);
    if (operand.ownedSource && flight.group) {
      // The runtime is about to free it.
      Registry &all = registry();
      std::lock_guard<std::mutex> lock(all.mutex);
      int64_t index = &operand - flight.operands.data();
      all.entries.erase(std::remove_if(all.entries.begin(), all.entries.end(),
                                       [&](const InFlight &entry) {
                                         return entry.flight == &flight &&
                                                entry.operand == index &&
                                                !entry.destination;
                                       }),
                        all.entries.end());
    }
  }
}

bool dist::rt::verifyAtWait(Flight &flight, std::string &message) {
  for (int64_t i = 0; i < flight.numOperands(); ++i) {
    OperandState &operand = flight.operands[size_t(i)];
    if (operand.verifySourceAtWait && !verifySource(flight, i, message))
      return false;
    int64_t first, last;
    if (!findDifference(operand.destination, operand.destinationBytes.data(), 0,
                        first, last))
      continue;
    message = bufferName(flight, i, true) + " was written before the wait, " +
              rangeText(first, last, operand.source.elementSize);
    return false;
  }
  return true;
}

void dist::rt::endChecked(Flight &flight) {
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.entries.erase(std::remove_if(all.entries.begin(), all.entries.end(),
                                   [&](const InFlight &entry) {
                                     return entry.flight == &flight;
                                   }),
                    all.entries.end());
}
