//===- Layout.cpp - strided views of buffers ------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common/Layout.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

using namespace dist::rt;

int64_t View::count() const {
  int64_t product = 1;
  for (int32_t i = 0; i < rank; ++i)
    product *= sizes[i];
  return product;
}

namespace {
struct DescriptorHead {
  void *allocated;
  void *aligned;
  int64_t offset;
};
} // namespace

void dist::rt::readDescriptor(View &view, const void *descriptor, int32_t rank,
                              int64_t elementSize) {
  DescriptorHead head;
  memcpy(&head, descriptor, sizeof(head));
  const char *tail = static_cast<const char *>(descriptor) + sizeof(head);
  view.allocated = head.allocated;
  view.aligned = head.aligned;
  view.offset = head.offset;
  view.rank = rank;
  view.elementSize = elementSize;
  if (rank > 0) {
    memcpy(view.sizes, tail, size_t(rank) * 8);
    memcpy(view.strides, tail + size_t(rank) * 8, size_t(rank) * 8);
  }
  view.data = head.aligned ? static_cast<char *>(head.aligned) +
                                 head.offset * elementSize
                           : nullptr;
}

void dist::rt::writeDescriptor(const View &view, void *descriptor) {
  DescriptorHead head = {view.allocated, view.aligned, view.offset};
  memcpy(descriptor, &head, sizeof(head));
  char *tail = static_cast<char *>(descriptor) + sizeof(head);
  if (view.rank > 0) {
    memcpy(tail, view.sizes, size_t(view.rank) * 8);
    memcpy(tail + size_t(view.rank) * 8, view.strides, size_t(view.rank) * 8);
  }
}

void dist::rt::makeContiguous(View &view, void *buffer) {
  view.allocated = view.aligned = buffer;
  view.data = static_cast<char *>(buffer);
  view.offset = 0;
  int64_t stride = 1;
  for (int32_t i = view.rank - 1; i >= 0; --i) {
    view.strides[i] = stride;
    stride *= view.sizes[i];
  }
}

bool dist::rt::isContiguous(const View &view) {
  int64_t stride = 1;
  for (int32_t i = view.rank - 1; i >= 0; --i) {
    if (view.sizes[i] == 0)
      return true;
    if (view.sizes[i] != 1 && view.strides[i] != stride)
      return view.count() == 0;
    stride *= view.sizes[i];
  }
  return true;
}

ByteRange dist::rt::byteRange(const View &view) {
  int64_t low = 0, high = view.elementSize;
  for (int32_t i = 0; i < view.rank; ++i) {
    if (view.sizes[i] == 0)
      return {};
    int64_t reach = (view.sizes[i] - 1) * view.strides[i] * view.elementSize;
    (reach < 0 ? low : high) += reach;
  }
  auto base = reinterpret_cast<uintptr_t>(view.data);
  return {base + uintptr_t(low), base + uintptr_t(high)};
}

namespace {
/// Dimensions of a walk over one or two buffers, without those of size one and
/// with neighbours merged where every stride allows it.
struct Walk {
  int rank = 0;
  int64_t sizes[kMaxRank + 1];
  int64_t a[kMaxRank + 1];
  int64_t b[kMaxRank + 1];
  bool empty = false;

  void add(int64_t size, int64_t strideA, int64_t strideB) {
    if (size == 0)
      empty = true;
    if (size == 1)
      return;
    if (rank > 0 && a[rank - 1] == strideA * size &&
        b[rank - 1] == strideB * size) {
      sizes[rank - 1] *= size;
      a[rank - 1] = strideA;
      b[rank - 1] = strideB;
      return;
    }
    sizes[rank] = size;
    a[rank] = strideA;
    b[rank] = strideB;
    ++rank;
  }
};

/// Calls `body(offsetA, offsetB)` for every index of all but the innermost
/// `skip` dimensions, in row-major order.
template <typename Body> void walkOuter(const Walk &walk, int skip, Body body) {
  if (walk.empty)
    return;
  int outer = walk.rank - skip;
  int64_t index[kMaxRank + 1] = {};
  int64_t offsetA = 0, offsetB = 0;
  while (true) {
    body(offsetA, offsetB);
    int i = outer - 1;
    for (; i >= 0; --i) {
      offsetA += walk.a[i];
      offsetB += walk.b[i];
      if (++index[i] < walk.sizes[i])
        break;
      offsetA -= walk.a[i] * walk.sizes[i];
      offsetB -= walk.b[i] * walk.sizes[i];
      index[i] = 0;
    }
    if (i < 0)
      return;
  }
}

/// Walks a view in logical order as runs of adjacent bytes; `body(pointer,
/// bytes)` returns nothing.
template <typename Body> void forEachRun(const View &view, Body body) {
  Walk walk;
  for (int32_t i = 0; i < view.rank; ++i)
    walk.add(view.sizes[i], view.strides[i] * view.elementSize, 0);
  bool dense = walk.rank > 0 && walk.a[walk.rank - 1] == view.elementSize;
  int64_t bytes =
      dense ? walk.sizes[walk.rank - 1] * view.elementSize : view.elementSize;
  walkOuter(walk, dense ? 1 : 0,
            [&](int64_t offset, int64_t) { body(view.data + offset, bytes); });
}
} // namespace

bool dist::rt::isSameLayout(const View &a, const View &b) {
  if (a.rank != b.rank || a.data != b.data || a.elementSize != b.elementSize)
    return false;
  for (int32_t i = 0; i < a.rank; ++i)
    if (a.sizes[i] != b.sizes[i] ||
        (a.sizes[i] > 1 && a.strides[i] != b.strides[i]))
      return false;
  return true;
}

bool dist::rt::overlaps(const View &a, const View &b) {
  ByteRange rangeA = byteRange(a), rangeB = byteRange(b);
  if (!rangeA.intersects(rangeB))
    return false;
  if (isContiguous(a) && isContiguous(b))
    return true;
  // Mark what one view touches, look it up for the other. Only views that
  // interleave get here.
  uintptr_t low = std::max(rangeA.low, rangeB.low);
  uintptr_t high = std::min(rangeA.high, rangeB.high);
  std::vector<bool> touched(high - low);
  auto visit = [&](const View &view, auto body) {
    forEachRun(view, [&](char *pointer, int64_t bytes) {
      auto begin = std::max(reinterpret_cast<uintptr_t>(pointer), low);
      auto end = std::min(reinterpret_cast<uintptr_t>(pointer) + bytes, high);
      for (uintptr_t i = begin; i < end; ++i)
        body(i - low);
    });
  };
  visit(a, [&](size_t i) { touched[i] = true; });
  bool found = false;
  visit(b, [&](size_t i) { found |= touched[i]; });
  return found;
}

bool dist::rt::overlapsItself(const View &view) {
  // Enough for every layout that views can produce: sorted by stride, each
  // dimension steps over all that the smaller ones reach.
  std::pair<int64_t, int64_t> dims[kMaxRank];
  int n = 0;
  for (int32_t i = 0; i < view.rank; ++i) {
    if (view.sizes[i] == 0)
      return false;
    if (view.sizes[i] > 1)
      dims[n++] = {std::abs(view.strides[i]), view.sizes[i]};
  }
  std::sort(dims, dims + n);
  int64_t reach = 0;
  bool simple = true;
  for (int i = 0; i < n; ++i) {
    if (dims[i].first == 0)
      return true;
    simple &= dims[i].first > reach;
    reach += dims[i].first * (dims[i].second - 1);
  }
  if (simple)
    return false;
  ByteRange range = byteRange(view);
  std::vector<bool> touched(range.high - range.low);
  bool found = false;
  forEachRun(view, [&](char *pointer, int64_t bytes) {
    size_t begin = reinterpret_cast<uintptr_t>(pointer) - range.low;
    for (size_t i = begin; i < begin + size_t(bytes); ++i) {
      found |= touched[i];
      touched[i] = true;
    }
  });
  return found;
}

View dist::rt::slotOf(const View &view, int64_t dim, int64_t index,
                      int64_t numSlots) {
  View slot = view;
  slot.sizes[dim] /= numSlots;
  int64_t step = index * slot.sizes[dim] * view.strides[dim];
  slot.offset += step;
  slot.data += step * view.elementSize;
  return slot;
}

StridedCopy dist::rt::makeCopy(const View &source, const View &destination) {
  StridedCopy copy;
  copy.source = source.data;
  copy.destination = destination.data;
  copy.elementSize = source.elementSize;
  copy.rank = source.rank;
  for (int32_t i = 0; i < source.rank; ++i) {
    copy.sizes[i] = source.sizes[i];
    copy.sourceStrides[i] = source.strides[i] * source.elementSize;
    copy.destinationStrides[i] = destination.strides[i] * source.elementSize;
  }
  return copy;
}

namespace {
struct Bytes16 {
  char bytes[16];
};
} // namespace

template <typename T>
static void copyElements(const char *source, char *destination, int64_t size,
                         int64_t sourceStride, int64_t destinationStride) {
  for (int64_t i = 0; i < size; ++i)
    memcpy(destination + i * destinationStride, source + i * sourceStride,
           sizeof(T));
}

void dist::rt::runCopy(const StridedCopy &copy) {
  Walk walk;
  for (int32_t i = 0; i < copy.rank; ++i)
    walk.add(copy.sizes[i], copy.sourceStrides[i], copy.destinationStrides[i]);
  int64_t unit = copy.elementSize;
  int last = walk.rank - 1;
  if (last < 0 || (walk.a[last] == unit && walk.b[last] == unit)) {
    int64_t bytes = last < 0 ? unit : walk.sizes[last] * unit;
    walkOuter(walk, last < 0 ? 0 : 1, [&](int64_t a, int64_t b) {
      memcpy(copy.destination + b, copy.source + a, size_t(bytes));
    });
    return;
  }
  auto kernel = unit == 1   ? copyElements<uint8_t>
                : unit == 2 ? copyElements<uint16_t>
                : unit == 4 ? copyElements<uint32_t>
                : unit == 8 ? copyElements<uint64_t>
                            : copyElements<Bytes16>;
  walkOuter(walk, 1, [&](int64_t a, int64_t b) {
    kernel(copy.source + a, copy.destination + b, walk.sizes[last],
           walk.a[last], walk.b[last]);
  });
}

void dist::rt::forEachPlane(const StridedCopy &copy,
                            const std::function<void(const Plane &)> &body) {
  Walk walk;
  for (int32_t i = 0; i < copy.rank; ++i)
    walk.add(copy.sizes[i], copy.sourceStrides[i], copy.destinationStrides[i]);
  int skip = 0, last = walk.rank - 1;
  int64_t width = copy.elementSize;
  if (last >= 0 && walk.a[last] == width && walk.b[last] == width) {
    width *= walk.sizes[last];
    ++skip;
    --last;
  }
  int64_t height = 1, pitchA = width, pitchB = width;
  auto isPitch = [&](int64_t stride) {
    return stride >= width && stride <= INT32_MAX;
  };
  if (last >= 0 && isPitch(walk.a[last]) && isPitch(walk.b[last])) {
    height = walk.sizes[last];
    pitchA = walk.a[last];
    pitchB = walk.b[last];
    ++skip;
  }
  walkOuter(walk, skip, [&](int64_t a, int64_t b) {
    body({copy.source + a, copy.destination + b, size_t(width), size_t(height),
          size_t(pitchA), size_t(pitchB)});
  });
}

void dist::rt::fill(const View &view, unsigned char byte) {
  forEachRun(view, [&](char *pointer, int64_t bytes) {
    memset(pointer, byte, size_t(bytes));
  });
}

bool dist::rt::findDifference(const View &view, const char *expected,
                              unsigned char byte, int64_t &first,
                              int64_t &last) {
  int64_t position = 0;
  first = last = -1;
  forEachRun(view, [&](char *pointer, int64_t bytes) {
    if (!expected || memcmp(pointer, expected + position, size_t(bytes)) != 0) {
      for (int64_t i = 0; i < bytes; ++i) {
        char wanted = expected ? expected[position + i] : char(byte);
        if (pointer[i] == wanted)
          continue;
        if (first < 0)
          first = position + i;
        last = position + i;
      }
    }
    position += bytes;
  });
  return first >= 0;
}
