//===- Layout.h - strided views of buffers ----------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_COMMON_LAYOUT_H
#define DIST_LIB_RUNTIME_COMMON_LAYOUT_H

#include <cstddef>
#include <cstdint>
#include <functional>

namespace dist::rt {

/// More dimensions than any program has; descriptors are kept without heap.
constexpr int kMaxRank = 16;

/// A memref descriptor, taken apart. `data` is the address of element 0.
struct View {
  void *allocated = nullptr;
  void *aligned = nullptr;
  int64_t offset = 0;
  char *data = nullptr;
  int32_t rank = 0;
  int64_t elementSize = 1;
  int64_t sizes[kMaxRank];
  int64_t strides[kMaxRank];

  int64_t count() const;
  int64_t bytes() const { return count() * elementSize; }
};

/// Reads a descriptor of `rank` dimensions, and writes one.
void readDescriptor(View &view, const void *descriptor, int32_t rank,
                    int64_t elementSize);
void writeDescriptor(const View &view, void *descriptor);

/// Sets row-major strides for the sizes of `view` and points it at `buffer`.
void makeContiguous(View &view, void *buffer);

/// Row-major without holes; strides of dimensions of size one do not count.
bool isContiguous(const View &view);

/// The addresses that `view` touches: [low, high). Empty views touch nothing.
struct ByteRange {
  uintptr_t low = 0;
  uintptr_t high = 0;
  bool intersects(const ByteRange &other) const {
    return low < other.high && other.low < high;
  }
};
ByteRange byteRange(const View &view);

/// Whether two views share a byte. Exact: columns of one matrix do not.
bool overlaps(const View &a, const View &b);

/// Whether two elements of one view share a byte.
bool overlapsItself(const View &view);

/// Whether `a` and `b` are element by element the same memory.
bool isSameLayout(const View &a, const View &b);

/// Slot `index` of `numSlots` equal ones along `dim`.
View slotOf(const View &view, int64_t dim, int64_t index, int64_t numSlots);

/// An n-dimensional copy, strides in bytes: what a backend must be able to put
/// on a communication stream (on CUDA a 2-D copy or a small kernel).
struct StridedCopy {
  const char *source = nullptr;
  char *destination = nullptr;
  int64_t elementSize = 1;
  int32_t rank = 0;
  int64_t sizes[kMaxRank + 1];
  int64_t sourceStrides[kMaxRank + 1];
  int64_t destinationStrides[kMaxRank + 1];
};
StridedCopy makeCopy(const View &source, const View &destination);
void runCopy(const StridedCopy &copy);

/// A part of a copy: `height` rows of `width` adjacent bytes. The pitches are
/// at least the width and fit in 31 bits, or there is one row.
struct Plane {
  const char *source;
  char *destination;
  size_t width, height;
  size_t sourcePitch, destinationPitch;
};
/// The planes that a copy consists of, as few as its strides allow.
void forEachPlane(const StridedCopy &copy,
                  const std::function<void(const Plane &)> &body);

/// Fills every element of the view with `byte`.
void fill(const View &view, unsigned char byte);

/// First and last byte, in logical order, where `view` differs from the packed
/// bytes of `expected` (or from `byte` everywhere, without `expected`).
/// Returns false when there is no difference.
bool findDifference(const View &view, const char *expected, unsigned char byte,
                    int64_t &first, int64_t &last);

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_COMMON_LAYOUT_H
