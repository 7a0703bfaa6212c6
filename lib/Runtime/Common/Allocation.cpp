//===- Allocation.cpp - allocation hooks ----------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A block is [header][bytes][16 bytes of padding], the header right before the
// address that the program sees.
//
//===----------------------------------------------------------------------===//

#include "Common/Allocation.h"

#include "Common/Checked.h"
#include "Common/Device.h"
#include "dist-rt/distrt.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>

#ifndef __has_feature
#define __has_feature(name) 0 // a compiler that is not clang
#endif
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes)                              \
  ((void)(address), (void)(bytes))
#endif

using namespace dist::rt;

namespace {
constexpr uint64_t kLive = 0x64697374206c6976;
constexpr uint64_t kFreed = 0x6469737420667265;
constexpr size_t kPadding = 16;
constexpr size_t kMinimumAlignment = 64;
/// Freed blocks that checked mode keeps, in bytes.
constexpr size_t kQuarantineBytes = size_t(64) << 20;

struct Header {
  uint64_t magic;
  uint64_t bytes;
  void *block;
  uint64_t reserved;
};
static_assert(sizeof(Header) <= kMinimumAlignment, "fits before the buffer");

std::atomic<int64_t> numAllocations{0};
std::atomic<int64_t> numFrees{0};
std::atomic<int64_t> liveBytes{0};
std::atomic<int64_t> peakBytes{0};
std::atomic<int> checkedWorlds{0};

struct Quarantine {
  std::mutex mutex;
  std::deque<Header *> blocks;
  size_t bytes = 0;
};
Quarantine &quarantine() {
  static Quarantine *instance = new Quarantine;
  return *instance;
}

Header *headerOf(void *pointer) {
  return reinterpret_cast<Header *>(static_cast<char *>(pointer) -
                                    sizeof(Header));
}

void *allocate(size_t alignment, size_t bytes) {
  if ((alignment & (alignment - 1)) != 0)
    return nullptr;
  if (alignment < kMinimumAlignment)
    alignment = kMinimumAlignment;
  size_t total;
  if (__builtin_add_overflow(bytes, alignment + sizeof(Header) + kPadding,
                             &total))
    return nullptr;
  void *block = malloc(total);
  if (!block)
    return nullptr;
  auto address = reinterpret_cast<uintptr_t>(block) + sizeof(Header);
  address = (address + alignment - 1) & ~uintptr_t(alignment - 1);
  auto *pointer = reinterpret_cast<void *>(address);
  *headerOf(pointer) = {kLive, bytes, block, 0};
  // The padding is for hardware that reads too far, not for programs.
  ASAN_POISON_MEMORY_REGION(static_cast<char *>(pointer) + bytes, kPadding);
  countAllocation(bytes);
  return pointer;
}

void keepForAWhile(Header *header) {
  Quarantine &kept = quarantine();
  std::lock_guard<std::mutex> lock(kept.mutex);
  kept.blocks.push_back(header);
  kept.bytes += header->bytes;
  while (kept.bytes > kQuarantineBytes && kept.blocks.size() > 1) {
    Header *oldest = kept.blocks.front();
    kept.blocks.pop_front();
    kept.bytes -= oldest->bytes;
    // What is still in flight stays until the world ends.
    if (isInFlight(oldest + 1, oldest->bytes)) {
      kept.blocks.push_back(oldest);
      kept.bytes += oldest->bytes;
      break;
    }
    free(oldest->block);
  }
}
} // namespace

void dist::rt::enterCheckedMode() {
  checkedWorlds.fetch_add(1, std::memory_order_seq_cst);
}

void dist::rt::leaveCheckedMode() {
  if (checkedWorlds.fetch_sub(1, std::memory_order_seq_cst) != 1)
    return;
  Quarantine &kept = quarantine();
  std::lock_guard<std::mutex> lock(kept.mutex);
  for (Header *header : kept.blocks)
    free(header->block);
  kept.blocks.clear();
  kept.bytes = 0;
}

void dist::rt::countAllocation(size_t bytes) {
  numAllocations.fetch_add(1, std::memory_order_relaxed);
  int64_t live =
      liveBytes.fetch_add(int64_t(bytes), std::memory_order_relaxed) +
      int64_t(bytes);
  int64_t peak = peakBytes.load(std::memory_order_relaxed);
  while (live > peak && !peakBytes.compare_exchange_weak(
                            peak, live, std::memory_order_relaxed)) {
  }
}

void dist::rt::countFree(size_t bytes) {
  numFrees.fetch_add(1, std::memory_order_relaxed);
  liveBytes.fetch_sub(int64_t(bytes), std::memory_order_relaxed);
}

void *dist::rt::allocateBuffer(size_t bytes) { return allocate(0, bytes); }

void dist::rt::freeBuffer(void *pointer) {
  if (!pointer)
    return;
  Header *header = headerOf(pointer);
  if (header->magic == kFreed) {
    // Only a block that checked mode keeps can be told apart for certain.
    if (reportDoubleFree(pointer, header->bytes))
      return;
  }
  if (header->magic != kLive) {
    fprintf(stderr,
            "dist: free of %p, which is not a live buffer of the "
            "allocation hooks\n",
            pointer);
    abort();
  }
  header->magic = kFreed;
  countFree(header->bytes);
  if (checkedWorlds.load(std::memory_order_relaxed) == 0) {
    free(header->block);
    return;
  }
  reportFree(pointer, header->bytes);
  memset(pointer, 0xDD, header->bytes);
  keepForAWhile(header);
}

extern "C" {

// A rank of a device world allocates device memory.

void *_mlir_memref_to_llvm_alloc(size_t bytes) {
  return _mlir_memref_to_llvm_aligned_alloc(0, bytes);
}

void *_mlir_memref_to_llvm_aligned_alloc(size_t alignment, size_t bytes) {
  Device *device = currentDevice();
  return device ? device->allocate(alignment, bytes)
                : allocate(alignment, bytes);
}

void _mlir_memref_to_llvm_free(void *pointer) {
  Device *device = currentDevice();
  if (!device || !pointer || !device->release(pointer))
    freeBuffer(pointer);
}

void *distrtHostAlloc(size_t bytes) { return allocate(0, bytes); }

void distrtHostFree(void *pointer) { freeBuffer(pointer); }

void distrtAllocationCountersRead(distrtAllocationCounters *counters) {
  if (!counters)
    return;
  distrtAllocationCounters values = {};
  values.structSize = counters->structSize;
  values.allocations = numAllocations.load(std::memory_order_relaxed);
  values.frees = numFrees.load(std::memory_order_relaxed);
  values.liveBytes = liveBytes.load(std::memory_order_relaxed);
  values.peakBytes = peakBytes.load(std::memory_order_relaxed);
  size_t bytes = counters->structSize && counters->structSize < sizeof(values)
                     ? counters->structSize
                     : sizeof(values);
  if (!values.structSize)
    values.structSize = sizeof(values);
  memcpy(counters, &values, bytes);
}

} // extern "C"
