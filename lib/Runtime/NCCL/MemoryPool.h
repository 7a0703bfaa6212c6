//===- MemoryPool.h - device memory that is used again ----------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A free block may be used again by whatever comes later on the compute stream,
// without a synchronisation: a program frees behind its last use there, and
// what a communication stream used is freed when the compute stream waits for
// that collective. A communication stream uses a block only behind an event of
// the compute stream that is younger than the allocation.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_NCCL_MEMORYPOOL_H
#define DIST_LIB_RUNTIME_NCCL_MEMORYPOOL_H

#include "NCCL/Api.h"

#include <map>
#include <unordered_map>

namespace dist::rt {

class MemoryPool {
public:
  explicit MemoryPool(Api &api) : api(api) {}

  /// NCCL may read up to 16 bytes behind a buffer: blocks are padded.
  /// `capturing`: a graph is being recorded; no memory can be made then, and
  /// what is used stays with graphs for ever, because they may run again.
  Outcome allocate(size_t alignment, size_t bytes, bool capturing,
                   void *&pointer);
  /// False for a pointer that did not come from here.
  bool release(void *pointer, bool capturing);
  bool owns(void *pointer) const { return live.count(pointer) != 0; }
  /// Gives everything back, live blocks too.
  void clear();

private:
  struct Block {
    void *base;
    size_t capacity;
    size_t bytes; // that were asked for
    int64_t serial;
    bool captured;
  };
  using FreeList = std::map<size_t, std::vector<Block>>;
  static size_t capacityFor(size_t bytes);
  static bool take(FreeList &from, size_t capacity, Block &block);
  void giveBack(FreeList &list);

  Api &api;
  std::unordered_map<void *, Block> live;
  FreeList available;
  FreeList availableToGraphs;
  int64_t nextSerial = 0;
};

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_NCCL_MEMORYPOOL_H
