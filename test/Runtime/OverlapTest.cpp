//===- OverlapTest.cpp - in place forms and forbidden overlaps ------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

using namespace dist::test;

/// Starts on a world of one group of two and returns status and message of
/// rank 0; both ranks do the same on buffers of their own.
static std::pair<int, std::string>
outcome(int kind, const std::function<void(Call &, float *, int64_t)> &fill) {
  World world(2);
  auto group = all(2);
  int status = world.run([&](distrtContext *context, int64_t rank) {
    Values data(64, 1.0f);
    Call call(kind, *group);
    fill(call, data.data(), rank);
    std::vector<distrtFuture *> futures(call.operands.size());
    int status = call.start(context, futures.data());
    if (status)
      return status;
    for (size_t i = 0; i < futures.size(); ++i) {
      Ref result(call.operands[i].rank);
      status = distrtFutureWait(context, futures[i], result.get(), result.rank,
                                nullptr);
      if (status)
        return status;
      if (!call.operands[i].destination)
        _mlir_memref_to_llvm_free(result.allocated());
    }
    return 0;
  });
  return {status, world.message()};
}

#define EXPECT_LEGAL(result)                                                   \
  {                                                                            \
    auto found = result;                                                       \
    EXPECT_EQ(found.first, DISTRT_OK) << found.second;                         \
  }
#define EXPECT_OVERLAP(result)                                                 \
  {                                                                            \
    auto found = result;                                                       \
    EXPECT_EQ(found.first, DISTRT_INVALID_ARGUMENT);                           \
    EXPECT_CONTAINS(found.second, "overlap");                                  \
  }

TEST(Overlap, InPlaceValues) {
  World world(2);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    Values x = {float(rank), 2};
    auto run = [&](Call &call) {
      distrtFuture *future = call.start(context);
      wait(context, future, call.operands[0].rank);
    };
    Call reduce(DISTRT_ALL_REDUCE, *group);
    run(reduce.operand(DISTRT_F32, Ref(x.data(), {2}), Ref(x.data(), {2})));
    EXPECT_EQ(x, (Values{1, 4}));
    x = {float(rank), 5};
    Call cast(DISTRT_BROADCAST, *group);
    run(cast.root(1).operand(DISTRT_F32, Ref(x.data(), {2}),
                             Ref(x.data(), {2})));
    EXPECT_EQ(x, (Values{1, 5}));
    // Own slots, on an inner dim: 2x2 with columns as slots.
    Values y = {9, 9, 9, 9};
    y[size_t(rank)] = float(rank + 1);
    y[size_t(rank + 2)] = float(rank + 3);
    Call gather(DISTRT_ALL_GATHER, *group);
    run(gather.dim(1).operand(DISTRT_F32, Ref(y.data(), {2, 1}, {2, 1}, rank),
                              Ref(y.data(), {2, 2})));
    EXPECT_EQ(y, (Values{1, 2, 3, 4}));
    Call scatter(DISTRT_REDUCE_SCATTER, *group);
    run(scatter.dim(0).operand(DISTRT_F32, Ref(y.data(), {2, 2}),
                               Ref(y.data(), {1, 2}, {2, 1}, 2 * rank)));
    EXPECT_EQ(y, rank ? (Values{1, 2, 6, 8}) : (Values{2, 4, 3, 4}));
    return 0;
  });
}

TEST(Overlap, InPlaceStridedValues) {
  World world(2);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    for (int kind : {DISTRT_ALL_REDUCE, DISTRT_BROADCAST}) {
      Values x = {float(rank + 1), 7, 3, 8};
      auto *future = Call(kind, *group)
                         .operand(DISTRT_F32, Ref(x.data(), {2}, {2}),
                                  Ref(x.data(), {2}, {2}))
                         .start(context);
      wait(context, future, 1);
      EXPECT_EQ(x, kind == DISTRT_ALL_REDUCE ? (Values{3, 7, 6, 8})
                                             : (Values{1, 7, 3, 8}));
    }
    return 0;
  });
}

TEST(Overlap, SameBufferOnly) {
  for (int kind : {DISTRT_ALL_REDUCE, DISTRT_BROADCAST}) {
    EXPECT_LEGAL(outcome(kind, [](Call &call, float *p, int64_t) {
      call.operand(DISTRT_F32, Ref(p, {8}), Ref(p, {8}));
    }));
    EXPECT_OVERLAP(outcome(kind, [](Call &call, float *p, int64_t) {
      call.operand(DISTRT_F32, Ref(p, {8}), Ref(p + 4, {8}));
    }));
    EXPECT_OVERLAP(outcome(kind, [](Call &call, float *p, int64_t) {
      call.operand(DISTRT_F32, Ref(p, {2, 2}), Ref(p, {2, 2}, {1, 2}));
    }));
    EXPECT_LEGAL(outcome(kind, [](Call &call, float *p, int64_t) {
      call.operand(DISTRT_F32, Ref(p, {8}), Ref(p + 8, {8}));
    }));
    // A copied source is nobody's business any more.
    EXPECT_LEGAL(outcome(kind, [](Call &call, float *p, int64_t) {
      call.operand(DISTRT_F32, Ref(p, {8}), Ref(p + 4, {8}),
                   DISTRT_SOURCE_COPY);
    }));
  }
}

TEST(Overlap, OwnSlotOnly) {
  auto gather = [](int64_t shift) {
    return outcome(DISTRT_ALL_GATHER, [=](Call &call, float *p, int64_t rank) {
      call.operand(DISTRT_F32, Ref(p + 8 + 4 * rank + shift, {4}),
                   Ref(p + 8, {8}));
    });
  };
  auto scatter = [](int64_t shift) {
    return outcome(DISTRT_REDUCE_SCATTER,
                   [=](Call &call, float *p, int64_t rank) {
                     call.operand(DISTRT_F32, Ref(p + 8, {8}),
                                  Ref(p + 8 + 4 * rank + shift, {4}));
                   });
  };
  EXPECT_LEGAL(gather(0));
  EXPECT_LEGAL(scatter(0));
  EXPECT_OVERLAP(gather(1));
  EXPECT_OVERLAP(scatter(1));
  EXPECT_OVERLAP(gather(-1));
  EXPECT_OVERLAP(scatter(-1));
  EXPECT_LEGAL(gather(8));
  EXPECT_LEGAL(scatter(-8));
  // Another rank's slot.
  EXPECT_OVERLAP(
      outcome(DISTRT_ALL_GATHER, [](Call &call, float *p, int64_t rank) {
        call.operand(DISTRT_F32, Ref(p + 4 * (1 - rank), {4}), Ref(p, {8}));
      }));
}

TEST(Overlap, InterleavedIsNoOverlap) {
  // Columns of one matrix: the ranges cross, no byte is shared.
  EXPECT_LEGAL(outcome(DISTRT_ALL_REDUCE, [](Call &call, float *p, int64_t) {
    call.operand(DISTRT_F32, Ref(p, {4, 2}, {4, 1}),
                 Ref(p + 2, {4, 2}, {4, 1}));
  }));
  EXPECT_OVERLAP(outcome(DISTRT_ALL_REDUCE, [](Call &call, float *p, int64_t) {
    call.operand(DISTRT_F32, Ref(p, {4, 2}, {4, 1}),
                 Ref(p + 1, {4, 2}, {4, 1}));
  }));
  EXPECT_OVERLAP(outcome(DISTRT_ALL_REDUCE, [](Call &call, float *p, int64_t) {
    // By half an element.
    call.operand(DISTRT_F32, Ref(p, {2}, {2}),
                 Ref(reinterpret_cast<char *>(p) + 2, {2}, {2}));
  }));
}

TEST(Overlap, BackwardsIsSeen) {
  EXPECT_OVERLAP(outcome(DISTRT_ALL_REDUCE, [](Call &call, float *p, int64_t) {
    call.operand(DISTRT_F32, Ref(p, {8}, {-1}, 15), Ref(p + 4, {8}));
  }));
  EXPECT_LEGAL(outcome(DISTRT_ALL_REDUCE, [](Call &call, float *p, int64_t) {
    call.operand(DISTRT_F32, Ref(p, {8}, {-1}, 15), Ref(p + 16, {8}));
  }));
}

TEST(Overlap, DestinationWithItself) {
  EXPECT_OVERLAP(outcome(DISTRT_ALL_REDUCE, [](Call &call, float *p, int64_t) {
    call.operand(DISTRT_F32, Ref(p, {4}), Ref(p + 8, {4}, {0}));
  }));
  EXPECT_OVERLAP(outcome(DISTRT_ALL_REDUCE, [](Call &call, float *p, int64_t) {
    call.operand(DISTRT_F32, Ref(p, {2, 4}), Ref(p + 8, {2, 4}, {2, 1}));
  }));
  // Unusual, but every element is somewhere else: 0 3 6 4 7 10.
  EXPECT_LEGAL(outcome(DISTRT_ALL_REDUCE, [](Call &call, float *p, int64_t) {
    call.operand(DISTRT_F32, Ref(p, {3, 2}), Ref(p + 8, {3, 2}, {3, 4}));
  }));
  EXPECT_LEGAL(outcome(DISTRT_ALL_REDUCE, [](Call &call, float *p, int64_t) {
    call.operand(DISTRT_F32, Ref(p, {4, 0}), Ref(p, {4, 0}, {0, 0}));
  }));
}

TEST(Overlap, BetweenOperands) {
  auto run = [](int64_t source, int64_t destination) {
    return outcome(DISTRT_ALL_REDUCE, [=](Call &call, float *p, int64_t) {
      call.operand(DISTRT_F32, Ref(p, {4}), Ref(p + 8, {4}));
      call.operand(DISTRT_F32, Ref(p + source, {4}), Ref(p + destination, {4}));
    });
  };
  EXPECT_LEGAL(run(16, 20));
  EXPECT_LEGAL(run(0, 20));    // sources may be shared
  EXPECT_OVERLAP(run(16, 10)); // destination with destination
  EXPECT_OVERLAP(run(10, 20)); // source with destination
  EXPECT_OVERLAP(run(16, 2));  // destination with source
}

TEST(Overlap, OwnedSourceIsNotADestination) {
  auto result = outcome(DISTRT_ALL_REDUCE, [](Call &call, float *p, int64_t) {
    call.operand(DISTRT_F32, Ref(p, {8}), Ref(p, {8}), DISTRT_SOURCE_OWNED);
  });
  EXPECT_EQ(result.first, DISTRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(result.second, "owned");
}
