//===- LayoutTest.cpp - strides, dimensions and copies --------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

using namespace dist::test;

namespace {
/// Element numbers 0, 1, ... of rank `rank`.
std::vector<int32_t> iota(int64_t n, int64_t rank) {
  std::vector<int32_t> values(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i)
    values[size_t(i)] = int32_t(1000 * rank + i);
  return values;
}

/// Calls `body(index, position)` for all indices, row-major.
template <typename Body> void forEach(const Sizes &sizes, Body body) {
  Sizes index(sizes.size(), 0);
  int64_t count = 1, position = 0;
  for (int64_t size : sizes)
    count *= size;
  for (; position < count; ++position) {
    int64_t rest = position;
    for (size_t i = sizes.size(); i-- > 0; rest /= sizes[i])
      index[i] = rest % sizes[i];
    body(index, position);
  }
}

int64_t flat(const Sizes &index, const Sizes &sizes) {
  int64_t position = 0;
  for (size_t i = 0; i < sizes.size(); ++i)
    position = position * sizes[i] + index[i];
  return position;
}
} // namespace

TEST_ON_BACKENDS(Layout, GatherAndScatterOnEveryDim) {
  const Sizes sizes = {4, 2, 6};
  const int64_t n = 2, count = 48;
  for (int64_t dim = 0; dim < 3; ++dim) {
    World world(n);
    auto group = all(n);
    world.ok([&](distrtContext *context, int64_t rank) {
      auto x = iota(count, rank);
      auto *gather = Call(DISTRT_ALL_GATHER, *group)
                         .dim(dim)
                         .operand(DISTRT_I32, Ref(x.data(), sizes))
                         .start(context);
      auto *scatter = Call(DISTRT_REDUCE_SCATTER, *group)
                          .dim(dim)
                          .operand(DISTRT_I32, Ref(x.data(), sizes))
                          .start(context);
      Sizes large = sizes, small = sizes;
      large[size_t(dim)] *= n;
      small[size_t(dim)] /= n;
      auto gathered = take<int32_t>(wait(context, gather, 3));
      forEach(large, [&](Sizes index, int64_t position) {
        int64_t from = index[size_t(dim)] / sizes[size_t(dim)];
        index[size_t(dim)] %= sizes[size_t(dim)];
        EXPECT_EQ(gathered[size_t(position)], 1000 * from + flat(index, sizes));
      });
      auto scattered = take<int32_t>(wait(context, scatter, 3));
      forEach(small, [&](Sizes index, int64_t position) {
        index[size_t(dim)] += rank * small[size_t(dim)];
        EXPECT_EQ(scattered[size_t(position)], 1000 + 2 * flat(index, sizes));
      });
      return 0;
    });
    EXPECT_EQ(world.counters(0).unpacks, dim ? 1 : 0);
    EXPECT_EQ(world.counters(0).packs, dim ? 1 : 0);
  }
}

TEST_ON_BACKENDS(Layout, OuterDimsOfSizeOneNeedNoCopy) {
  World world(2);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    auto x = iota(8, rank);
    auto *gather = Call(DISTRT_ALL_GATHER, *group)
                       .dim(1)
                       .operand(DISTRT_I32, Ref(x.data(), {1, 4, 2}))
                       .start(context);
    auto *scatter = Call(DISTRT_REDUCE_SCATTER, *group)
                        .dim(1)
                        .operand(DISTRT_I32, Ref(x.data(), {1, 4, 2}))
                        .start(context);
    auto gathered = take<int32_t>(wait(context, gather, 3));
    EXPECT_EQ(gathered[7], 7);
    EXPECT_EQ(gathered[8], 1000);
    EXPECT_EQ(take<int32_t>(wait(context, scatter, 3))[0], 1000 + 8 * rank);
    // A stride of a dim of size one says nothing.
    auto *odd = Call(DISTRT_ALL_REDUCE, *group)
                    .operand(DISTRT_I32, Ref(x.data(), {1, 8}, {777, 1}))
                    .start(context);
    EXPECT_EQ(take<int32_t>(wait(context, odd, 2))[1], 1002);
    return 0;
  });
  EXPECT_EQ(world.counters(0).packs + world.counters(0).unpacks, 0);
}

TEST_ON_BACKENDS(Layout, StridedSources) {
  World world(2);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    auto x = iota(12, rank);
    // Transposed, reversed, repeated, with an offset, and a scalar.
    auto *transposed = Call(DISTRT_ALL_REDUCE, *group)
                           .operand(DISTRT_I32, Ref(x.data(), {4, 3}, {1, 4}))
                           .start(context);
    auto *reversed = Call(DISTRT_ALL_REDUCE, *group)
                         .operand(DISTRT_I32, Ref(x.data(), {12}, {-1}, 11))
                         .start(context);
    auto *repeated = Call(DISTRT_ALL_REDUCE, *group)
                         .operand(DISTRT_I32, Ref(x.data(), {3, 2}, {4, 0}))
                         .start(context);
    auto *shifted = Call(DISTRT_ALL_REDUCE, *group)
                        .operand(DISTRT_I32, Ref(x.data(), {2, 2}, {6, 2}, 3))
                        .start(context);
    auto t = take<int32_t>(wait(context, transposed, 2));
    forEach({4, 3}, [&](Sizes index, int64_t position) {
      EXPECT_EQ(t[size_t(position)], 1000 + 2 * (index[0] + 4 * index[1]));
    });
    auto r = take<int32_t>(wait(context, reversed, 1));
    for (int i = 0; i < 12; ++i)
      EXPECT_EQ(r[size_t(i)], 1000 + 2 * (11 - i));
    EXPECT_EQ(take<int32_t>(wait(context, repeated, 2)),
              (std::vector<int32_t>{1000, 1000, 1008, 1008, 1016, 1016}));
    EXPECT_EQ(take<int32_t>(wait(context, shifted, 2)),
              (std::vector<int32_t>{1006, 1010, 1018, 1022}));
    return 0;
  });
  EXPECT_EQ(world.counters(0).packs, 4);
  EXPECT_EQ(world.counters(0).unpacks, 0);
}

TEST_ON_BACKENDS(Layout, StridedDestinations) {
  World world(2);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    auto x = iota(6, rank);
    std::vector<int32_t> y(24, -1);
    // Every second column, rows backwards.
    Ref destination(y.data(), {2, 6}, {-12, 2}, 12);
    auto *future = Call(DISTRT_ALL_GATHER, *group)
                       .dim(1)
                       .operand(DISTRT_I32, Ref(x.data(), {2, 3}), destination)
                       .start(context);
    EXPECT_TRUE(wait(context, future, 2) == destination);
    forEach({2, 6}, [&](Sizes index, int64_t) {
      int64_t at = 12 - 12 * index[0] + 2 * index[1];
      EXPECT_EQ(y[size_t(at)],
                1000 * (index[1] / 3) + 3 * index[0] + index[1] % 3);
      EXPECT_EQ(y[size_t(at + 1)], -1);
    });
    // Elements of each size through a transposed destination.
    std::vector<double> d = {1, 2, 3, 4}, e(4);
    future = Call(DISTRT_BROADCAST, *group)
                 .operand(DISTRT_F64, Ref(d.data(), {2, 2}),
                          Ref(e.data(), {2, 2}, {1, 2}))
                 .start(context);
    wait(context, future, 2);
    EXPECT_EQ(e, (std::vector<double>{1, 3, 2, 4}));
    std::vector<int8_t> b = {1, 2, 3, 4}, c(4);
    future = Call(DISTRT_ALL_REDUCE, *group)
                 .operand(DISTRT_I8, Ref(b.data(), {2, 2}),
                          Ref(c.data(), {2, 2}, {1, 2}))
                 .start(context);
    wait(context, future, 2);
    EXPECT_EQ(c, (std::vector<int8_t>{2, 6, 4, 8}));
    return 0;
  });
  EXPECT_EQ(world.counters(0).unpacks, 3);
}

TEST(Layout, NamedContiguousDestinationIsWrittenDirectly) {
  World world(2);
  auto group = all(2);
  int64_t before = liveBytes();
  world.ok([&](distrtContext *context, int64_t rank) {
    auto x = iota(4, rank);
    std::vector<int32_t> y(9, -1);
    Ref destination(y.data(), {8}, {1}, 1);
    auto *future = Call(DISTRT_ALL_GATHER, *group)
                       .operand(DISTRT_I32, Ref(x.data(), {4}), destination)
                       .start(context);
    EXPECT_EQ(liveBytes(), before);
    EXPECT_TRUE(wait(context, future, 1) == destination);
    EXPECT_EQ(y,
              (std::vector<int32_t>{-1, 0, 1, 2, 3, 1000, 1001, 1002, 1003}));
    return 0;
  });
}

TEST_ON_BACKENDS(Layout, CopiedSourcesMayChange) {
  World world(
      2, [](distrtWorldOptions &options) { options.linkDelayNs = 5000000; });
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    auto x = iota(4, rank);
    auto *plain =
        Call(DISTRT_ALL_REDUCE, *group)
            .operand(DISTRT_I32, Ref(x.data(), {4}), Ref(), DISTRT_SOURCE_COPY)
            .start(context);
    auto *scatter = Call(DISTRT_REDUCE_SCATTER, *group)
                        .dim(1)
                        .operand(DISTRT_I32, Ref(x.data(), {2, 2}, {1, 2}),
                                 Ref(), DISTRT_SOURCE_COPY)
                        .start(context);
    std::fill(x.begin(), x.end(), -1);
    EXPECT_EQ(take<int32_t>(wait(context, plain, 1)),
              (std::vector<int32_t>{1000, 1002, 1004, 1006}));
    EXPECT_EQ(take<int32_t>(wait(context, scatter, 2)),
              rank ? (std::vector<int32_t>{1004, 1006})
                   : (std::vector<int32_t>{1000, 1002}));
    return 0;
  });
  EXPECT_EQ(world.counters(0).sourceCopies, 2);
  EXPECT_EQ(world.counters(0).packs, 0);
}

TEST(Layout, OwnedSourcesAreFreed) {
  World world(2);
  auto group = all(2);
  int64_t before = liveBytes();
  world.ok([&](distrtContext *context, int64_t rank) {
    auto give = [&](int kind, Sizes sizes, Sizes strides, Ref named = Ref()) {
      auto *buffer = static_cast<int32_t *>(
          _mlir_memref_to_llvm_alloc(4 * sizeof(int32_t)));
      for (int i = 0; i < 4; ++i)
        buffer[i] = int32_t(rank * 10 + i);
      auto *future = Call(kind, *group)
                         .operand(DISTRT_I32, Ref(buffer, sizes, strides),
                                  named, DISTRT_SOURCE_OWNED)
                         .start(context);
      return wait(context, future, int32_t(sizes.size()));
    };
    EXPECT_EQ(take<int32_t>(give(DISTRT_ALL_REDUCE, {4}, {1})),
              (std::vector<int32_t>{10, 12, 14, 16}));
    EXPECT_EQ(take<int32_t>(give(DISTRT_ALL_REDUCE, {2, 2}, {1, 2})),
              (std::vector<int32_t>{10, 14, 12, 16}));
    EXPECT_EQ(take<int32_t>(give(DISTRT_ALL_GATHER, {4}, {1})).size(), 8u);
    EXPECT_EQ(take<int32_t>(give(DISTRT_REDUCE_SCATTER, {4}, {1}))[0],
              rank ? 14 : 10);
    EXPECT_EQ(take<int32_t>(give(DISTRT_BROADCAST, {4}, {1}))[3], 3);
    std::vector<int32_t> y(4);
    give(DISTRT_ALL_REDUCE, {4}, {1}, Ref(y.data(), {4}));
    EXPECT_EQ(y[3], 16);
    return 0;
  });
  EXPECT_EQ(world.counters(0).sourceMoves, 6);
  EXPECT_EQ(liveBytes(), before);
}

TEST_ON_BACKENDS(Layout, LargeStridedThroughThePool) {
  const int64_t n = 700;
  World world(2);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    auto x = iota(n * n, rank);
    auto *scatter = Call(DISTRT_REDUCE_SCATTER, *group)
                        .dim(1)
                        .operand(DISTRT_I32, Ref(x.data(), {n, n}))
                        .start(context);
    auto *gather = Call(DISTRT_ALL_GATHER, *group)
                       .dim(1)
                       .operand(DISTRT_I32, Ref(x.data(), {n, n}, {1, n}))
                       .start(context);
    auto scattered = take<int32_t>(wait(context, scatter, 2));
    auto gathered = take<int32_t>(wait(context, gather, 2));
    int64_t wrong = 0, half = n / 2;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        if (j < half)
          wrong += scattered[size_t(i * half + j)] !=
                   1000 + 2 * (i * n + rank * half + j);
        wrong += gathered[size_t(i * 2 * n + j)] != j * n + i;
        wrong += gathered[size_t(i * 2 * n + n + j)] != 1000 + j * n + i;
      }
    EXPECT_EQ(wrong, 0);
    return 0;
  });
}
