//===- CollectivesTest.cpp - values of the four collectives ---------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

using namespace dist::test;

TEST_ON_BACKENDS(Collectives, AllReduce) {
  World world(4);
  auto group = all(4);
  world.ok([&](distrtContext *context, int64_t rank) {
    Values x = {float(rank), 1, float(rank * rank)};
    auto *future = Call(DISTRT_ALL_REDUCE, *group)
                       .operand(DISTRT_F32, Ref(x.data(), {3}))
                       .start(context);
    EXPECT_EQ(take<float>(wait(context, future, 1)), (Values{6, 4, 14}));
    EXPECT_EQ(x[0], float(rank));
    return 0;
  });
  EXPECT_EQ(world.counters(1).collectives, 1);
  EXPECT_EQ(world.counters(1).bytes, 12);
  EXPECT_EQ(world.counters(1).packs + world.counters(1).unpacks, 0);
  EXPECT_EQ(world.counters(1).liveFutures, 0);
}

TEST_ON_BACKENDS(Collectives, GroupOrderDecidesSlots) {
  World world(3);
  Group group({{2, 0, 1}});
  world.ok([&](distrtContext *context, int64_t rank) {
    Values x = {float(rank), float(10 * rank)};
    auto *future = Call(DISTRT_ALL_GATHER, group)
                       .operand(DISTRT_F32, Ref(x.data(), {2}))
                       .start(context);
    EXPECT_EQ(take<float>(wait(context, future, 1)),
              (Values{2, 20, 0, 0, 1, 10}));
    Values y = {1, 2, 3, 4, 5, 6};
    future = Call(DISTRT_REDUCE_SCATTER, group)
                 .operand(DISTRT_F32, Ref(y.data(), {6}))
                 .start(context);
    float first = rank == 2 ? 3 : rank == 0 ? 9 : 15;
    EXPECT_EQ(take<float>(wait(context, future, 1)),
              (Values{first, first + 3}));
    Values z = {float(rank)};
    future = Call(DISTRT_BROADCAST, group)
                 .root(1)
                 .operand(DISTRT_F32, Ref(z.data(), {1}))
                 .start(context);
    EXPECT_EQ(take<float>(wait(context, future, 1)), (Values{0}));
    return 0;
  });
  EXPECT_EQ(world.counters(0).bytes, 24 + 24 + 4);
}

TEST_ON_BACKENDS(Collectives, LeftFoldInGroupOrder) {
  // (1e8 + 1) - 1e8 is 0 in f32, (1e8 - 1e8) + 1 is 1.
  World world(3);
  Group one({{0, 1, 2}}), other({{0, 2, 1}});
  world.ok([&](distrtContext *context, int64_t rank) {
    float x = rank == 0 ? 1e8f : rank == 1 ? 1.0f : -1e8f;
    auto *a = Call(DISTRT_ALL_REDUCE, one)
                  .operand(DISTRT_F32, Ref(&x, {}))
                  .start(context);
    auto *b = Call(DISTRT_ALL_REDUCE, other)
                  .operand(DISTRT_F32, Ref(&x, {}))
                  .start(context);
    EXPECT_EQ(take<float>(wait(context, a, 0)), (Values{0}));
    EXPECT_EQ(take<float>(wait(context, b, 0)), (Values{1}));
    return 0;
  });
}

TEST_ON_BACKENDS(Collectives, LargeGoesThroughThePool) {
  for (uint64_t seed : {0, 1, 7}) {
    World world(3, [&](distrtWorldOptions &options) { options.seed = seed; });
    auto group = all(3);
    world.ok([&](distrtContext *context, int64_t rank) {
      const int64_t n = 300001;
      std::vector<int32_t> x(size_t(3 * n));
      for (size_t i = 0; i < x.size(); ++i)
        x[i] = int32_t(i) * int32_t(rank + 1);
      auto *reduce = Call(DISTRT_ALL_REDUCE, *group)
                         .operand(DISTRT_I32, Ref(x.data(), {3 * n}))
                         .start(context);
      auto *scatter = Call(DISTRT_REDUCE_SCATTER, *group)
                          .operand(DISTRT_I32, Ref(x.data(), {3 * n}))
                          .start(context);
      auto *gather = Call(DISTRT_ALL_GATHER, *group)
                         .operand(DISTRT_I32, Ref(x.data(), {n}))
                         .start(context);
      auto *cast = Call(DISTRT_BROADCAST, *group)
                       .root(2)
                       .operand(DISTRT_I32, Ref(x.data(), {n}))
                       .start(context);
      auto reduced = take<int32_t>(wait(context, reduce, 1));
      auto scattered = take<int32_t>(wait(context, scatter, 1));
      auto gathered = take<int32_t>(wait(context, gather, 1));
      auto sent = take<int32_t>(wait(context, cast, 1));
      int64_t wrong = 0;
      for (int64_t i = 0; i < 3 * n; ++i) {
        wrong += reduced[size_t(i)] != int32_t(i) * 6;
        wrong += gathered[size_t(i)] != int32_t(i % n) * int32_t(i / n + 1);
      }
      for (int64_t i = 0; i < n; ++i) {
        wrong += scattered[size_t(i)] != int32_t(rank * n + i) * 6;
        wrong += sent[size_t(i)] != int32_t(i) * 3;
      }
      EXPECT_EQ(wrong, 0);
      return 0;
    });
  }
}

TEST_ON_BACKENDS(Collectives, ZeroSizeAndScalars) {
  World world(2);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    float x = float(rank + 1);
    auto *future = Call(DISTRT_BROADCAST, *group)
                       .root(1)
                       .operand(DISTRT_F32, Ref(&x, {}))
                       .start(context);
    EXPECT_EQ(take<float>(wait(context, future, 0)), (Values{2}));
    for (int kind : {DISTRT_ALL_REDUCE, DISTRT_ALL_GATHER,
                     DISTRT_REDUCE_SCATTER, DISTRT_BROADCAST}) {
      future = Call(kind, *group)
                   .operand(DISTRT_F32, Ref(nullptr, {2, 0, 4}))
                   .start(context);
      Ref result = wait(context, future, 3);
      Sizes expected = {kind == DISTRT_ALL_GATHER       ? 4
                        : kind == DISTRT_REDUCE_SCATTER ? 1
                                                        : 2,
                        0, 4};
      EXPECT_EQ(result.sizes(), expected);
      take<float>(result);
    }
    future = Call(DISTRT_ALL_GATHER, *group)
                 .dim(1)
                 .operand(DISTRT_F32, Ref(nullptr, {2, 0, 4}))
                 .start(context);
    Ref result = wait(context, future, 3);
    EXPECT_EQ(result.sizes(), (Sizes{2, 0, 4}));
    take<float>(result);
    return 0;
  });
  EXPECT_EQ(world.counters(0).collectives, 6);
}

TEST_ON_BACKENDS(Collectives, GroupOfOne) {
  World world(1);
  Group group({{0}});
  world.ok([&](distrtContext *context, int64_t) {
    for (int kind : {DISTRT_ALL_REDUCE, DISTRT_ALL_GATHER,
                     DISTRT_REDUCE_SCATTER, DISTRT_BROADCAST}) {
      Values x = {1, 2, 3, 4};
      auto *future = Call(kind, group)
                         .dim(kind == DISTRT_ALL_GATHER ? 1 : 0)
                         .operand(DISTRT_F32, Ref(x.data(), {2, 2}))
                         .start(context);
      EXPECT_EQ(take<float>(wait(context, future, 2)), x);
    }
    return 0;
  });
  EXPECT_EQ(world.counters(0).unpacks + world.counters(0).packs, 0);
}

TEST(Collectives, OutsidersGetZeros) {
  World world(3);
  Group group({{2, 0}});
  int64_t before = liveBytes();
  world.ok([&](distrtContext *context, int64_t rank) {
    Values x = {1, 2, 3, 4}, y(8, 9.0f);
    bool outside = rank == 1;
    auto *future = Call(DISTRT_ALL_GATHER, group)
                       .operand(DISTRT_F32, Ref(x.data(), {4}))
                       .start(context);
    EXPECT_EQ(take<float>(wait(context, future, 1)),
              outside ? Values(8, 0.0f) : (Values{1, 2, 3, 4, 1, 2, 3, 4}));
    future = Call(DISTRT_REDUCE_SCATTER, group)
                 .operand(DISTRT_F32, Ref(x.data(), {4}))
                 .start(context);
    EXPECT_EQ(take<float>(wait(context, future, 1)),
              outside ? (Values{0, 0})
                      : (rank == 2 ? Values{2, 4} : Values{6, 8}));
    // A named destination with holes.
    future =
        Call(DISTRT_ALL_REDUCE, group)
            .operand(DISTRT_F32, Ref(x.data(), {4}), Ref(y.data(), {4}, {2}))
            .start(context);
    wait(context, future, 1);
    EXPECT_EQ(y, outside ? (Values{0, 9, 0, 9, 0, 9, 0, 9})
                         : (Values{2, 9, 4, 9, 6, 9, 8, 9}));
    // In place.
    future = Call(DISTRT_ALL_REDUCE, group)
                 .operand(DISTRT_F32, Ref(x.data(), {4}), Ref(x.data(), {4}))
                 .start(context);
    wait(context, future, 1);
    EXPECT_EQ(x, outside ? Values(4, 0.0f) : (Values{2, 4, 6, 8}));
    // Given away.
    void *buffer = _mlir_memref_to_llvm_alloc(8);
    memset(buffer, 0, 8);
    future =
        Call(DISTRT_ALL_GATHER, group)
            .operand(DISTRT_F32, Ref(buffer, {2}), Ref(), DISTRT_SOURCE_OWNED)
            .start(context);
    EXPECT_EQ(take<float>(wait(context, future, 1)), Values(4, 0.0f));
    return 0;
  });
  EXPECT_EQ(world.counters(1).collectives, 0);
  EXPECT_EQ(world.counters(0).collectives, 5);
  EXPECT_EQ(liveBytes(), before);
}

TEST_ON_BACKENDS(Collectives, CoalescedOperands) {
  World world(2);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    Values a = {float(rank), 1};
    std::vector<int32_t> b = {int32_t(rank), 5, 7, 9};
    std::vector<double> c = {0.5};
    distrtFuture *futures[3];
    EXPECT_EQ(Call(DISTRT_ALL_REDUCE, *group)
                  .operand(DISTRT_F32, Ref(a.data(), {2}))
                  .operand(DISTRT_I32, Ref(b.data(), {2, 2}, {1, 2}))
                  .operand(DISTRT_F64, Ref(c.data(), {}), Ref(c.data(), {}))
                  .start(context, futures),
              DISTRT_OK);
    EXPECT_EQ(take<int32_t>(wait(context, futures[1], 2)),
              (std::vector<int32_t>{1, 14, 10, 18}));
    wait(context, futures[2], 0);
    EXPECT_EQ(c[0], 1.0);
    EXPECT_EQ(take<float>(wait(context, futures[0], 1)), (Values{1, 2}));
    return 0;
  });
  EXPECT_EQ(world.counters(0).collectives, 1);
  EXPECT_EQ(world.counters(0).bytes, 8 + 16 + 8);
}

TEST_ON_BACKENDS(Collectives, ManyRanks) {
  World world(40);
  auto group = all(40);
  world.ok([&](distrtContext *context, int64_t rank) {
    for (int i = 0; i < 20; ++i) {
      int64_t x = rank;
      auto *future = Call(DISTRT_ALL_REDUCE, *group)
                         .operand(DISTRT_I64, Ref(&x, {}))
                         .start(context);
      EXPECT_EQ(take<int64_t>(wait(context, future, 0))[0], 780);
    }
    return 0;
  });
}
