//===- Array.cpp ----------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools/Run/Array.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace mlir;
using namespace mlir::dist;
using namespace mlir::dist::run;

std::optional<int64_t> run::countElements(ArrayRef<int64_t> shape,
                                          Type element) {
  // A zero anywhere makes the array empty, however large the other sizes are.
  if (llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return std::nullopt;
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1;
  for (int64_t size : shape)
    if (llvm::MulOverflow(count, size, count))
      return std::nullopt;
  int64_t bytes;
  if (llvm::MulOverflow(count, getElementSize(element), bytes))
    return std::nullopt;
  return count;
}

namespace {
/// Prints nested lists with a budget of elements.
class ArrayPrinter {
public:
  ArrayPrinter(const Array &array, int64_t limit, raw_ostream &os)
      : array(array), budget(limit), os(os) {}

  void print() {
    // The sizes beside a zero can be anything.
    if (array.getNumElements() == 0) {
      os << "[]";
      return;
    }
    printDim(0, 0, array.getNumElements());
    if (int64_t left = array.getNumElements() - printed; left > 0)
      os << " (" << left << " more)";
  }

private:
  void printDim(unsigned dim, int64_t first, int64_t count) {
    if (dim == array.shape.size()) {
      printElement(array.data.data() + first * getElementSize(array.element),
                   array.element, os);
      ++printed;
      return;
    }
    os << '[';
    int64_t size = array.shape[dim];
    int64_t step = count / size;
    for (int64_t i = 0; i < size; ++i) {
      if (i)
        os << ", ";
      if (printed >= budget) {
        os << "...";
        break;
      }
      printDim(dim + 1, first + i * step, step);
    }
    os << ']';
  }

  const Array &array;
  int64_t budget;
  int64_t printed = 0;
  raw_ostream &os;
};
} // namespace

void run::printArray(const Array &array, int64_t limit, raw_ostream &os) {
  ArrayPrinter(array, limit, os).print();
}

std::string run::getArrayTypeName(const Array &array, StringRef container) {
  if (container.empty())
    return getElementName(array.element);
  std::string text = (container + "<").str();
  for (int64_t size : array.shape)
    text += llvm::itostr(size) + "x";
  return text + getElementName(array.element) + ">";
}

/// Calls `visit(element of the view, element of the array)` for runs of bytes
/// in row-major order.
template <typename Visit>
static void forEachRun(const StridedView &view, Visit visit) {
  int64_t rank = view.sizes.size();
  int64_t size = getElementSize(view.element);
  if (llvm::is_contained(view.sizes, 0))
    return;
  // The innermost dimensions that are contiguous are copied as one piece.
  int64_t outer = rank, run = 1;
  while (outer > 0 && view.strides[outer - 1] == run) {
    --outer;
    run *= view.sizes[outer];
  }
  SmallVector<int64_t> index(outer, 0);
  int64_t position = view.offset, linear = 0;
  while (true) {
    visit(view.aligned + position * size, linear * size, run * size);
    linear += run;
    int64_t dim = outer - 1;
    for (; dim >= 0; --dim) {
      position += view.strides[dim];
      if (++index[dim] < view.sizes[dim])
        break;
      position -= view.strides[dim] * view.sizes[dim];
      index[dim] = 0;
    }
    if (dim < 0)
      return;
  }
}

Array run::gather(const StridedView &view) {
  Array array;
  array.element = view.element;
  array.shape = view.sizes;
  int64_t count = countElements(view.sizes, view.element).value_or(0);
  array.data.resize(count * getElementSize(view.element));
  forEachRun(view, [&](const char *data, int64_t offset, int64_t bytes) {
    std::memcpy(array.data.data() + offset, data, bytes);
  });
  clearPadding(view.element, array.data);
  return array;
}

void run::scatter(const Array &array, const StridedView &view) {
  forEachRun(view, [&](char *data, int64_t offset, int64_t bytes) {
    std::memcpy(data, array.data.data() + offset, bytes);
  });
}

void AlignedMemory::Free::operator()(char *pointer) const {
  std::free(pointer);
}

llvm::Expected<AlignedMemory> AlignedMemory::allocate(uint64_t bytes) {
  constexpr uint64_t kAlignment = 64, kPadding = 16;
  // malloc hands out more than there is and leaves it to the kernel to kill
  // the process when it is used.
  uint64_t physical = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                      static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  char *pointer = nullptr;
  if (bytes <= physical)
    pointer = static_cast<char *>(std::aligned_alloc(
        kAlignment, llvm::alignTo(bytes + kPadding, kAlignment)));
  if (!pointer)
    return llvm::createStringError("cannot allocate " + llvm::Twine(bytes) +
                                   " bytes");
  AlignedMemory memory;
  memory.pointer.reset(pointer);
  return memory;
}
