//===- FuturesTest.cpp - references, waits and drops ----------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

using namespace dist::test;

static distrtFuture *reduce(distrtContext *context, const Group &group,
                            float *x, Ref destination = Ref()) {
  return Call(DISTRT_ALL_REDUCE, group)
      .operand(DISTRT_F32, Ref(x, {2}), std::move(destination))
      .start(context);
}

TEST_ON_BACKENDS(Futures, LastWaitTakesTheDestination) {
  World world(2);
  auto group = all(2);
  int64_t before = liveBytes();
  world.ok([&](distrtContext *context, int64_t) {
    Values x = {1, 2};
    distrtFuture *future = reduce(context, *group, x.data());
    EXPECT_EQ(distrtFutureDup(context, future), future);
    EXPECT_EQ(distrtFutureDup(context, future), future);
    Ref first = wait(context, future, 1);
    first.data<float>()[0] = 99; // a copy: nobody sees this
    Ref second = wait(context, future, 1);
    Ref third = wait(context, future, 1);
    EXPECT_NE(first.allocated(), second.allocated());
    EXPECT_NE(second.allocated(), third.allocated());
    EXPECT_EQ(take<float>(second), (Values{2, 4}));
    EXPECT_EQ(take<float>(third), (Values{2, 4}));
    EXPECT_EQ(take<float>(first), (Values{99, 4}));
    return 0;
  });
  EXPECT_EQ(world.counters(0).resultCopies, 2);
  EXPECT_EQ(world.counters(0).liveFutures, 0);
  EXPECT_EQ(liveBytes(), before);
}

TEST_ON_BACKENDS(Futures, DropOfTheLastReferenceFrees) {
  World world(2);
  auto group = all(2);
  int64_t before = liveBytes();
  world.ok([&](distrtContext *context, int64_t) {
    Values x = {1, 2};
    distrtFuture *future = reduce(context, *group, x.data());
    distrtFutureDup(context, future);
    Ref result = wait(context, future, 1);
    EXPECT_EQ(distrtFutureDrop(context, future, nullptr), DISTRT_OK);
    EXPECT_EQ(take<float>(result), (Values{2, 4}));
    future = reduce(context, *group, x.data());
    distrtFutureDup(context, future);
    EXPECT_EQ(distrtFutureDrop(context, future, nullptr), DISTRT_OK);
    EXPECT_EQ(take<float>(wait(context, future, 1)), (Values{2, 4}));
    future = reduce(context, *group, x.data());
    EXPECT_EQ(distrtFutureDrop(context, future, "d.mlir:1:1"), DISTRT_OK);
    return 0;
  });
  EXPECT_EQ(world.counters(0).resultCopies, 1);
  EXPECT_EQ(world.counters(0).liveFutures, 0);
  EXPECT_EQ(liveBytes(), before);
}

TEST(Futures, DropCompletes) {
  // Of a named destination: the data must be there after the drop.
  World world(
      2, [](distrtWorldOptions &options) { options.linkDelayNs = 3000000; });
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t) {
    Values x = {1, 2}, y = {0, 0};
    distrtFuture *future =
        reduce(context, *group, x.data(), Ref(y.data(), {2}));
    EXPECT_EQ(distrtFutureDrop(context, future, nullptr), DISTRT_OK);
    EXPECT_EQ(y, (Values{2, 4}));
    return 0;
  });
}

TEST_ON_BACKENDS(Futures, NamedDestinationComesBackEveryTime) {
  World world(2);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t) {
    Values x = {1, 2}, y(8);
    Ref destination(y.data(), {2}, {3}, 1);
    distrtFuture *future = reduce(context, *group, x.data(), destination);
    distrtFutureDup(context, future);
    EXPECT_TRUE(wait(context, future, 1) == destination);
    EXPECT_TRUE(wait(context, future, 1) == destination);
    EXPECT_EQ(y[1], 2);
    EXPECT_EQ(y[4], 4);
    return 0;
  });
  EXPECT_EQ(world.counters(0).resultCopies, 0);
}

TEST_ON_BACKENDS(Futures, Null) {
  World world(1);
  world.ok([&](distrtContext *context, int64_t) {
    Ref result(1);
    EXPECT_EQ(distrtFutureDup(context, nullptr), nullptr);
    EXPECT_EQ(distrtFutureDrop(context, nullptr, nullptr), DISTRT_OK);
    EXPECT_EQ(distrtFutureDrop(nullptr, nullptr, nullptr), DISTRT_OK);
    EXPECT_EQ(distrtFutureWait(context, nullptr, result.get(), 1, "n.mlir:1:2"),
              DISTRT_INVALID_ARGUMENT);
    EXPECT_CONTAINS(distrtContextMessage(context), "n.mlir:1:2");
    EXPECT_CONTAINS(distrtContextMessage(context), "no collective");
    return 0;
  });
}

TEST_ON_BACKENDS(Futures, Misuse) {
  World world(2);
  auto group = all(2);
  distrtFuture *shared = nullptr;
  world.ok([&](distrtContext *context, int64_t rank) {
    Values x = {1, 2};
    distrtFuture *future = reduce(context, *group, x.data());
    Ref result(4);
    EXPECT_EQ(distrtFutureWait(context, future, result.get(), 4, nullptr),
              DISTRT_INVALID_ARGUMENT);
    EXPECT_CONTAINS(distrtContextMessage(context), "rank 4");
    EXPECT_EQ(distrtFutureWait(context, future, nullptr, 1, nullptr),
              DISTRT_INVALID_ARGUMENT);
    take<float>(wait(context, future, 1));
    // Consumed: found, not crashed on.
    EXPECT_EQ(distrtFutureWait(context, future, result.get(), 1, nullptr),
              DISTRT_INVALID_ARGUMENT);
    EXPECT_CONTAINS(distrtContextMessage(context), "consumed before");
    EXPECT_EQ(distrtFutureDrop(context, future, nullptr),
              DISTRT_INVALID_ARGUMENT);
    future = reduce(context, *group, x.data());
    if (rank == 0)
      shared = future;
    take<float>(wait(context, reduce(context, *group, x.data()), 1));
    if (rank == 1) {
      EXPECT_EQ(distrtFutureWait(context, shared, result.get(), 1, nullptr),
                DISTRT_INVALID_ARGUMENT);
      EXPECT_CONTAINS(distrtContextMessage(context), "another rank");
    }
    take<float>(wait(context, reduce(context, *group, x.data()), 1));
    EXPECT_EQ(distrtFutureDrop(context, future, nullptr), DISTRT_OK);
    return 0;
  });
}

TEST_ON_BACKENDS(Futures, WaitsInAnyOrder) {
  World world(
      2, [](distrtWorldOptions &options) { options.linkDelayNs = 200000; });
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t) {
    std::vector<Values> x;
    std::vector<distrtFuture *> futures;
    for (int i = 0; i < 8; ++i)
      x.push_back({float(i), 1});
    for (Values &values : x)
      futures.push_back(reduce(context, *group, values.data()));
    for (int i : {7, 0, 3, 2, 6, 1, 5, 4})
      EXPECT_EQ(take<float>(wait(context, futures[size_t(i)], 1)),
                (Values{float(2 * i), 2}));
    return 0;
  });
  EXPECT_EQ(world.counters(0).maxInFlight, 8);
}

TEST_ON_BACKENDS(Futures, NeverConsumedWithoutCheckedMode) {
  int64_t before = liveBytes();
  {
    World world(2);
    auto group = all(2);
    Values x[2] = {{1, 2}, {3, 4}};
    world.ok([&](distrtContext *context, int64_t rank) {
      reduce(context, *group, x[rank].data());
      return 0;
    });
    EXPECT_EQ(world.counters(0).liveFutures, 1);
  }
  EXPECT_EQ(liveBytes(), before);
}
