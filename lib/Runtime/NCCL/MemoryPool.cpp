//===- MemoryPool.cpp - device memory that is used again ------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NCCL/MemoryPool.h"

#include "Common/Allocation.h"

#include <algorithm>

using namespace dist::rt;

static constexpr size_t kPadding = 16;
/// What cudaMalloc guarantees.
static constexpr size_t kNaturalAlignment = 256;

/// Steps of 512 bytes, and from 8 KiB on of an eighth of the next smaller power
/// of two: at most 12.5 % is wasted, and sizes meet again.
size_t MemoryPool::capacityFor(size_t bytes) {
  size_t step = 512;
  while (bytes / 16 >= step)
    step *= 2;
  return (bytes + step - 1) / step * step;
}

bool MemoryPool::take(FreeList &from, size_t capacity, Block &block) {
  auto found = from.find(capacity);
  if (found == from.end() || found->second.empty())
    return false;
  block = found->second.back();
  found->second.pop_back();
  return true;
}

Outcome MemoryPool::allocate(size_t alignment, size_t bytes, bool capturing,
                             void *&pointer) {
  pointer = nullptr;
  if ((alignment & (alignment - 1)) != 0)
    return {DISTRT_INVALID_ARGUMENT, "an alignment that is no power of two"};
  size_t slack = alignment > kNaturalAlignment ? alignment : 0;
  size_t needed;
  if (__builtin_add_overflow(bytes, kPadding + slack, &needed) ||
      needed > SIZE_MAX / 4)
    return {DISTRT_OUT_OF_MEMORY, "the size overflows"};
  Block block = {nullptr, capacityFor(needed), bytes, 0, false};
  size_t capacity = block.capacity;
  bool found = (capturing && take(availableToGraphs, capacity, block)) ||
               take(available, capacity, block);
  if (!found) {
    if (capturing)
      return {DISTRT_OUT_OF_MEMORY,
              format("%zu bytes are needed while a graph is captured, when no "
                     "memory can be made: run the program once before",
                     bytes)};
    Outcome outcome = api.allocate(block.base, capacity);
    if (outcome.status == DISTRT_OUT_OF_MEMORY) {
      giveBack(available);
      outcome = api.allocate(block.base, capacity);
    }
    if (outcome.failed())
      return outcome;
    block.serial = nextSerial++;
  }
  block.bytes = bytes;
  block.captured |= capturing;
  auto address = reinterpret_cast<uintptr_t>(block.base);
  if (slack)
    address = (address + slack - 1) & ~uintptr_t(slack - 1);
  pointer = reinterpret_cast<void *>(address);
  live[pointer] = block;
  countAllocation(bytes);
  return {};
}

bool MemoryPool::release(void *pointer, bool capturing) {
  auto found = live.find(pointer);
  if (found == live.end())
    return false;
  Block block = found->second;
  live.erase(found);
  countFree(block.bytes);
  block.captured |= capturing;
  (block.captured ? availableToGraphs : available)[block.capacity].push_back(
      block);
  return true;
}

void MemoryPool::giveBack(FreeList &list) {
  for (auto &entry : list)
    for (Block &block : entry.second)
      api.free(block.base);
  list.clear();
}

void MemoryPool::clear() {
  giveBack(available);
  giveBack(availableToGraphs);
  std::vector<Block> blocks;
  for (auto &entry : live)
    blocks.push_back(entry.second);
  std::sort(blocks.begin(), blocks.end(),
            [](const Block &a, const Block &b) { return a.serial < b.serial; });
  for (Block &block : blocks) {
    countFree(block.bytes);
    api.free(block.base);
  }
  live.clear();
}
