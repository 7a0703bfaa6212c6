//===- FailuresTest.cpp - missing ranks, faults and aborts ----------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

#include <chrono>
#include <thread>

using namespace dist::test;

namespace {
double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

constexpr int64_t kDeadlineNs = 150000000;
constexpr double kDeadline = 0.15;

void shortDeadline(distrtWorldOptions &options) {
  options.deadlineNs = kDeadlineNs;
}

int reduce(distrtContext *context, const Group &group, float *x,
           const char *location = "x.mlir:3:8") {
  distrtFuture *future = nullptr;
  int status = Call(DISTRT_ALL_REDUCE, group)
                   .at(location)
                   .operand(DISTRT_F32, Ref(x, {2}), Ref(x, {2}))
                   .start(context, &future);
  Ref result(1);
  return status ? status
                : distrtFutureWait(context, future, result.get(), 1, nullptr);
}
} // namespace

TEST_ON_BACKENDS(Failures, MissingRanksAreNamedAtTheDeadline) {
  World world(5, shortDeadline);
  Group group({{4, 0, 3, 1}}, "t");
  auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t rank) {
    float x[2] = {};
    if (rank == 2 || rank == 3 || rank == 1)
      return 0;
    auto start = std::chrono::steady_clock::now();
    int status = reduce(context, group, x);
    double seconds = secondsSince(start);
    EXPECT_GE(seconds, kDeadline * 0.99);
    EXPECT_LE(seconds, 2 * kDeadline);
    return status;
  }),
            DISTRT_TIMEOUT);
  EXPECT_LE(secondsSince(begin), 3 * kDeadline);
  EXPECT_EQ(world.messageOf(0),
            "all_reduce #0 on group [4, 0, 3, 1] tag \"t\" at x.mlir:3:8: "
            "all_reduce sum f32 [2 elements] did not complete within 150 ms: "
            "missing ranks 3, 1");
  EXPECT_EQ(world.messageOf(4), world.messageOf(0));
  EXPECT_EQ(world.statusOf(4), DISTRT_TIMEOUT);
}

TEST_ON_BACKENDS(Failures, TheFirstMissingCollectiveIsNamed) {
  // Rank 0 waits for #1, but rank 1 did not even come to #0.
  World world(2, shortDeadline);
  auto group = all(2);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t rank) {
    float x[2] = {}, y[2] = {};
    if (rank == 1)
      return 0;
    distrtFuture *first = nullptr;
    int status = Call(DISTRT_ALL_REDUCE, *group)
                     .at("first:1:1")
                     .operand(DISTRT_F32, Ref(y, {2}))
                     .start(context, &first);
    return status ? status : reduce(context, *group, x, "second:1:1");
  }),
            DISTRT_TIMEOUT);
  EXPECT_CONTAINS(world.message(), "#0 on group [0, 1] at first:1:1");
  EXPECT_CONTAINS(world.message(), ": missing rank 1");
}

TEST_ON_BACKENDS(Failures, Drop) {
  distrtFault fault = {sizeof(fault), 1, 2, DISTRT_FAULT_DROP, 0, 0};
  World world(3, [&](distrtWorldOptions &options) {
    shortDeadline(options);
    options.faults = &fault;
    options.numFaults = 1;
  });
  auto group = all(3);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t) {
    float x[2] = {1, 1};
    for (int i = 0; i < 5; ++i)
      if (int status = reduce(context, *group, x)) {
        EXPECT_EQ(i, 2);
        return status;
      }
    return 0;
  }),
            DISTRT_TIMEOUT);
  for (int64_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(world.statusOf(rank), DISTRT_TIMEOUT);
    EXPECT_CONTAINS(world.messageOf(rank), "all_reduce #2 on group [0, 1, 2]");
    EXPECT_CONTAINS(world.messageOf(rank), "missing rank 1");
    EXPECT_EQ(world.messageOf(rank).find("missing ranks"), std::string::npos);
  }
}

TEST(Failures, FaultsAreCounted) {
  distrtFault faults[2] = {
      {sizeof(distrtFault), 1, 0, DISTRT_FAULT_DELAY, 0, 1000},
      {sizeof(distrtFault), 1, 7, DISTRT_FAULT_DELAY, 0, 1000}};
  World world(2, [&](distrtWorldOptions &options) {
    options.faults = faults;
    options.numFaults = 2;
  });
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t) {
    float x[2] = {1, 1};
    return reduce(context, *group, x);
  });
  EXPECT_EQ(distrtWorldFaultHits(world.get(), 0), 1);
  EXPECT_EQ(distrtWorldFaultHits(world.get(), 1), 0);
  EXPECT_EQ(distrtWorldFaultHits(world.get(), 2), -1);
}

TEST(Failures, AssertionOfTheProgram) {
  World world(2);
  auto group = all(2);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t rank) {
    if (rank == 1) {
      int status = distrtAssertFailed(context, "x is even", "a.mlir:3:4");
      EXPECT_EQ(status, DISTRT_ASSERTION);
      distrtRaise(context, status);
    }
    float x[2] = {1, 1};
    return reduce(context, *group, x);
  }),
            DISTRT_ASSERTION);
  EXPECT_CONTAINS(world.message(),
                  "rank 1: assert at a.mlir:3:4: assertion failed: x is even");
  EXPECT_EQ(distrtWorldRankStatus(world.get(), 0), DISTRT_ABORTED);
}

TEST(Failures, LinkSlowerThanTheDeadline) {
  World world(2, [&](distrtWorldOptions &options) {
    shortDeadline(options);
    options.linkBytesPerNs = 1e-300;
  });
  auto group = all(2);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t) {
    float x[2] = {1, 1};
    return reduce(context, *group, x);
  }),
            DISTRT_TIMEOUT);
  EXPECT_CONTAINS(world.message(),
                  "all ranks joined, the link has a delay of ");
  EXPECT_CONTAINS(world.message(), "takes 1e-300 bytes per nanosecond");
}

TEST_ON_BACKENDS(Failures, DropInAGroupOfOne) {
  distrtFault fault = {sizeof(fault), 0, 0, DISTRT_FAULT_DROP, 0, 0};
  World world(1, [&](distrtWorldOptions &options) {
    shortDeadline(options);
    options.faults = &fault;
    options.numFaults = 1;
  });
  auto group = all(1);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t) {
    float x[2] = {};
    return reduce(context, *group, x);
  }),
            DISTRT_TIMEOUT);
  EXPECT_CONTAINS(world.message(), "missing rank 0");
}

TEST_ON_BACKENDS(Failures, NothingOvertakesADroppedCollective) {
  // Both ranks join #1, rank 1 never #0: #1 must not run before it.
  distrtFault fault = {sizeof(fault), 1, 0, DISTRT_FAULT_DROP, 0, 0};
  World world(2, [&](distrtWorldOptions &options) {
    shortDeadline(options);
    options.faults = &fault;
    options.numFaults = 1;
  });
  auto group = all(2);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t) {
    float x[2] = {1, 1}, y[2] = {1, 1};
    distrtFuture *futures[2];
    for (int i : {0, 1})
      EXPECT_EQ(
          Call(DISTRT_ALL_REDUCE, *group)
              .operand(DISTRT_F32, Ref(i ? y : x, {2}), Ref(i ? y : x, {2}))
              .start(context, &futures[i]),
          DISTRT_OK);
    int status = distrtFutureDrop(context, futures[1], nullptr);
    EXPECT_EQ(y[0], 1);
    return status;
  }),
            DISTRT_TIMEOUT);
  EXPECT_CONTAINS(world.message(), "#0 on group");
}

TEST(Failures, Delay) {
  distrtFault fault = {sizeof(fault), 1, 0, DISTRT_FAULT_DELAY, 0, 30000000};
  World world(2, [&](distrtWorldOptions &options) {
    options.faults = &fault;
    options.numFaults = 1;
  });
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    auto begin = std::chrono::steady_clock::now();
    float x[2] = {1, float(rank)}, y[2] = {3, 4};
    distrtFuture *first = Call(DISTRT_ALL_REDUCE, *group)
                              .operand(DISTRT_F32, Ref(x, {2}), Ref(x, {2}))
                              .start(context);
    // Behind the late one, in order.
    EXPECT_EQ(reduce(context, *group, y), DISTRT_OK);
    // The other rank may begin later than the late one's clock.
    if (rank == 1)
      EXPECT_GE(secondsSince(begin), 0.029);
    EXPECT_EQ(y[1], 8);
    EXPECT_EQ(distrtFutureDrop(context, first, nullptr), DISTRT_OK);
    EXPECT_EQ(x[0], 2);
    return 0;
  });
}

TEST_ON_BACKENDS(Failures, DelayBeyondTheDeadline) {
  distrtFault fault = {sizeof(fault), 1, 0, DISTRT_FAULT_DELAY, 0, 600000000};
  World world(2, [&](distrtWorldOptions &options) {
    shortDeadline(options);
    options.faults = &fault;
    options.numFaults = 1;
  });
  auto group = all(2);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t) {
    float x[2] = {};
    return reduce(context, *group, x);
  }),
            DISTRT_TIMEOUT);
  EXPECT_CONTAINS(world.message(), "missing rank 1");
}

TEST_ON_BACKENDS(Failures, SlowLink) {
  World world(2, [&](distrtWorldOptions &options) {
    shortDeadline(options);
    options.linkDelayNs = 1000000000;
  });
  auto group = all(2);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t) {
    float x[2] = {};
    return reduce(context, *group, x);
  }),
            DISTRT_TIMEOUT);
  EXPECT_CONTAINS(world.message(), "all ranks joined");
  EXPECT_EQ(world.message().find("missing"), std::string::npos);
}

TEST_ON_BACKENDS(Failures, AFailedRankAbortsTheOthers) {
  World world(3);
  auto group = all(3);
  auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t rank) {
    float x[2] = {};
    if (rank != 1)
      return reduce(context, *group, x);
    distrtFuture *future = nullptr;
    return Call(DISTRT_REDUCE_SCATTER, *group)
        .at("bad:7:7")
        .operand(DISTRT_F32, Ref(x, {2}))
        .start(context, &future);
  }),
            DISTRT_INVALID_ARGUMENT);
  EXPECT_LE(secondsSince(begin), 10); // not the default deadline
  EXPECT_EQ(world.message(),
            "rank 1: reduce_scatter #0 on group [0, 1, 2] at bad:7:7: size 2 "
            "of dim 0 is not divisible by the group size 3");
  EXPECT_EQ(world.statusOf(1), DISTRT_INVALID_ARGUMENT);
  for (int64_t rank : {0, 2}) {
    EXPECT_EQ(world.statusOf(rank), DISTRT_ABORTED);
    EXPECT_EQ(world.messageOf(rank),
              "aborted: rank 1 failed: reduce_scatter #0 on group [0, 1, 2] "
              "at bad:7:7: size 2 of dim 0 is not divisible by the group size "
              "3");
  }
}

TEST_ON_BACKENDS(Failures, AStatusOfTheProgramAborts) {
  World world(2);
  auto group = all(2);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t rank) {
    float x[2] = {};
    return rank ? int(DISTRT_INTERNAL) : reduce(context, *group, x);
  }),
            DISTRT_INTERNAL);
  EXPECT_EQ(world.statusOf(0), DISTRT_ABORTED);
  EXPECT_CONTAINS(world.messageOf(0), "rank 1 failed: ended with status 11");
}

TEST_ON_BACKENDS(Failures, AMistakeOfEveryRankIsReportedByEveryRank) {
  for (int round = 0; round < 20; ++round) {
    World world(4);
    auto group = all(4);
    EXPECT_EQ(world.run([&](distrtContext *context, int64_t) {
      float x[2] = {};
      distrtFuture *future = nullptr;
      return Call(DISTRT_BROADCAST, *group)
          .root(4)
          .operand(DISTRT_F32, Ref(x, {2}))
          .start(context, &future);
    }),
              DISTRT_INVALID_ARGUMENT);
    for (int64_t rank = 0; rank < 4; ++rank)
      EXPECT_EQ(world.statusOf(rank), DISTRT_INVALID_ARGUMENT);
    EXPECT_CONTAINS(world.message(), "rank 0: ");
    EXPECT_CONTAINS(world.message(), "root 4");
  }
}

TEST(Failures, StickyAcrossRuns) {
  World world(2);
  auto group = all(2);
  auto function = [&](distrtContext *context, int64_t rank) {
    float x[2] = {};
    distrtFuture *future;
    if (rank == 0)
      return reduce(context, *group, x);
    int status = distrtAllReduce(context, nullptr, nullptr, 1, &future);
    EXPECT_EQ(status, DISTRT_INVALID_ARGUMENT);
    EXPECT_EQ(reduce(context, *group, x), DISTRT_INVALID_ARGUMENT);
    return status;
  };
  EXPECT_EQ(world.run(function), DISTRT_INVALID_ARGUMENT);
  std::string message = world.message();
  bool ran = false;
  EXPECT_EQ(world.run([&](distrtContext *, int64_t) {
    ran = true;
    return 0;
  }),
            DISTRT_INVALID_ARGUMENT);
  EXPECT_FALSE(ran);
  EXPECT_EQ(world.message(), message);
}

TEST_ON_BACKENDS(Failures, BuffersMayGoAfterAnAbort) {
  // A rank that is aborted unwinds and frees what was in flight: no thread may
  // touch it any more. The sanitizers watch.
  for (int round = 0; round < 30; ++round) {
    World world(3, [&](distrtWorldOptions &options) {
      options.linkDelayNs = round * 20000;
      options.seed = uint64_t(round);
    });
    Group pair({{0, 1}}), everyone({{0, 1, 2}});
    world.run([&](distrtContext *context, int64_t rank) {
      std::vector<std::vector<float>> y(4, std::vector<float>(100000));
      std::vector<float> x(100000, 1.0f);
      distrtFuture *future = nullptr;
      if (rank == 2) {
        std::this_thread::sleep_for(std::chrono::microseconds(round * 30));
        return int(DISTRT_INTERNAL);
      }
      for (auto &to : y)
        if (int status = Call(DISTRT_ALL_REDUCE, pair)
                             .operand(DISTRT_F32, Ref(x.data(), {100000}),
                                      Ref(to.data(), {100000}))
                             .start(context, &future))
          return status;
      float z[2] = {};
      return reduce(context, everyone, z);
    });
    EXPECT_EQ(world.statusOf(2), DISTRT_INTERNAL);
  }
}

TEST(Failures, SeveralRunsOfOneWorld) {
  World world(2);
  auto group = all(2);
  for (int run = 0; run < 3; ++run)
    world.ok([&](distrtContext *context, int64_t rank) {
      float x[2] = {float(rank), 1};
      EXPECT_EQ(reduce(context, *group, x), DISTRT_OK);
      EXPECT_EQ(x[1], 2);
      return 0;
    });
  EXPECT_EQ(world.counters(1).collectives, 3);
  // Sequence numbers go on: the next one is #3.
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t rank) {
    float x[2] = {};
    distrtFuture *future;
    int status = Call(rank ? DISTRT_BROADCAST : DISTRT_ALL_REDUCE, *group)
                     .operand(DISTRT_F32, Ref(x, {2}))
                     .start(context, &future);
    return status ? status : distrtFutureDrop(context, future, nullptr);
  }),
            DISTRT_MISMATCH);
  EXPECT_CONTAINS(world.message(), "collective #3 ");
}
