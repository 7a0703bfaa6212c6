//===- Array.h --------------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dense arrays and strided buffers on the host.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_TOOLS_RUN_ARRAY_H
#define DIST_TOOLS_RUN_ARRAY_H

#include "Tools/Run/Elements.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace mlir::dist::run {

/// Product of `shape`; nullopt when it or its size in bytes overflows or a size
/// is negative.
std::optional<int64_t> countElements(ArrayRef<int64_t> shape, Type element);

/// A row-major array that owns its data. A 0-d array is a scalar.
struct Array {
  Type element;
  SmallVector<int64_t> shape;
  std::vector<char> data;

  int64_t getNumElements() const {
    return data.size() / getElementSize(element);
  }
};

/// Prints `array` as nested lists. After `limit` elements the rest is counted
/// instead of shown.
void printArray(const Array &array, int64_t limit, raw_ostream &os);

/// "tensor<4x2xf32>", or "f32" for a 0-d array that stands for a scalar.
std::string getArrayTypeName(const Array &array, StringRef container);

/// A view of strided elements that somebody else owns, as memref descriptors
/// describe them. Strides and the offset count elements.
struct StridedView {
  Type element;
  char *aligned;
  int64_t offset;
  SmallVector<int64_t> sizes;
  SmallVector<int64_t> strides;
};

/// Copies the elements of `view` into a row-major array.
Array gather(const StridedView &view);

/// Copies `array` into `view`, which has the same shape.
void scatter(const Array &array, const StridedView &view);

/// Memory of an argument: aligned as compiled programs may assume, and padded,
/// since backends may read a few bytes past the end.
class AlignedMemory {
public:
  static llvm::Expected<AlignedMemory> allocate(uint64_t bytes);
  char *get() const { return pointer.get(); }

private:
  struct Free {
    void operator()(char *pointer) const;
  };
  std::unique_ptr<char, Free> pointer;
};

} // namespace mlir::dist::run

#endif // DIST_TOOLS_RUN_ARRAY_H
