//===- MismatchTest.cpp - ranks that disagree -----------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

using namespace dist::test;

using Maker = std::function<void(Call &, float *)>;

static Call make(int kind, const Group &group, const char *location,
                 const Maker &fill, float *data) {
  Call call(kind, group);
  call.at(location);
  fill(call, data);
  return call;
}

/// Rank 1 of three differs. Every rank of the group must hear the same.
static std::string disagree(int kindA, const Maker &a, int kindB,
                            const Maker &b) {
  World world(4);
  Group group({{2, 1, 0}});
  float data[4][64] = {};
  int status = world.run([&](distrtContext *context, int64_t rank) {
    if (rank == 3) {
      // Outside: aborted in a collective of its own that nobody joins.
      Group other({{3, 0}});
      distrtFuture *future;
      int status = Call(DISTRT_ALL_REDUCE, other)
                       .operand(DISTRT_F32, Ref(data[3], {1}))
                       .start(context, &future);
      return status ? status : distrtFutureDrop(context, future, nullptr);
    }
    Call call =
        make(rank == 1 ? kindB : kindA, group, rank == 1 ? "b:3:4" : "a:1:2",
             rank == 1 ? b : a, data[rank]);
    std::vector<distrtFuture *> futures(call.operands.size());
    int status = call.start(context, futures.data());
    if (status == DISTRT_OK)
      status = distrtFutureDrop(context, futures[0], nullptr);
    if (status == DISTRT_OK)
      status = distrtSynchronize(context, nullptr);
    // Sticky: each later call says it again.
    int64_t size;
    EXPECT_EQ(distrtGroupSize(context, group.get(), nullptr, &size), status);
    return status;
  });
  EXPECT_EQ(status, DISTRT_MISMATCH);
  for (int64_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(world.statusOf(rank), DISTRT_MISMATCH);
    EXPECT_EQ(world.messageOf(rank), world.message());
  }
  EXPECT_EQ(world.statusOf(3), DISTRT_ABORTED);
  EXPECT_CONTAINS(world.messageOf(3), "ranks 2, 1, 0 failed: ");
  EXPECT_CONTAINS(world.messageOf(3), "ranks disagree");
  std::string message = world.message();
  EXPECT_CONTAINS(message,
                  "collective #0 on group [2, 1, 0]: ranks disagree: ");
  EXPECT_CONTAINS(message, "ranks 2, 0 have ");
  EXPECT_CONTAINS(message, "rank 1 has ");
  EXPECT_CONTAINS(message, " at b:3:4");
  return message;
}

static void plain(Call &call, float *p) {
  call.operand(DISTRT_F32, Ref(p, {8}));
}

TEST_ON_BACKENDS(Mismatch, Kind) {
  auto text = disagree(
      DISTRT_ALL_REDUCE, plain, DISTRT_ALL_GATHER,
      [](Call &call, float *p) { call.operand(DISTRT_F32, Ref(p, {4})); });
  EXPECT_EQ(text, "collective #0 on group [2, 1, 0]: ranks disagree: "
                  "ranks 2, 0 have all_reduce sum f32 [8 elements] at a:1:2, "
                  "rank 1 has all_gather f32 [4 elements] at b:3:4");
}

TEST_ON_BACKENDS(Mismatch, Reduction) {
  auto text = disagree(
      DISTRT_ALL_REDUCE, plain, DISTRT_ALL_REDUCE,
      [](Call &call, float *p) { plain(call.reduction(DISTRT_MAX), p); });
  EXPECT_CONTAINS(text, "all_reduce sum f32");
  EXPECT_CONTAINS(text, "all_reduce max f32");
}

TEST_ON_BACKENDS(Mismatch, DataType) {
  auto text = disagree(
      DISTRT_ALL_REDUCE, plain, DISTRT_ALL_REDUCE,
      [](Call &call, float *p) { call.operand(DISTRT_I32, Ref(p, {8})); });
  EXPECT_CONTAINS(text, "sum f32 [8");
  EXPECT_CONTAINS(text, "sum i32 [8");
}

TEST_ON_BACKENDS(Mismatch, Count) {
  for (int kind : {DISTRT_ALL_REDUCE, DISTRT_ALL_GATHER, DISTRT_BROADCAST}) {
    auto text = disagree(kind, plain, kind, [](Call &call, float *p) {
      call.operand(DISTRT_F32, Ref(p, {1}));
    });
    EXPECT_CONTAINS(text, "[8 elements]");
    EXPECT_CONTAINS(text, "[1 element]");
  }
}

TEST_ON_BACKENDS(Mismatch, CountOfScatter) {
  auto three = [](Call &call, float *p) {
    call.operand(DISTRT_F32, Ref(p, {3}));
  };
  auto six = [](Call &call, float *p) {
    call.operand(DISTRT_F32, Ref(p, {6}));
  };
  disagree(DISTRT_REDUCE_SCATTER, three, DISTRT_REDUCE_SCATTER, six);
}

TEST_ON_BACKENDS(Mismatch, ZeroAgainstSome) {
  disagree(DISTRT_ALL_REDUCE, plain, DISTRT_ALL_REDUCE,
           [](Call &call, float *p) { call.operand(DISTRT_F32, Ref(p, {0})); });
}

TEST_ON_BACKENDS(Mismatch, Root) {
  auto text = disagree(
      DISTRT_BROADCAST, [](Call &call, float *p) { plain(call.root(2), p); },
      DISTRT_BROADCAST, plain);
  EXPECT_CONTAINS(text, "broadcast root 2 f32");
  EXPECT_CONTAINS(text, "broadcast root 0 f32");
}

TEST_ON_BACKENDS(Mismatch, Dim) {
  auto onDim = [](int64_t dim) {
    return [dim](Call &call, float *p) {
      call.dim(dim).operand(DISTRT_F32, Ref(p, {3, 3}));
    };
  };
  for (int kind : {DISTRT_ALL_GATHER, DISTRT_REDUCE_SCATTER}) {
    auto text = disagree(kind, onDim(0), kind, onDim(1));
    EXPECT_CONTAINS(text, " dim 0 f32");
    EXPECT_CONTAINS(text, " dim 1 f32");
  }
}

TEST_ON_BACKENDS(Mismatch, ConcatDim) {
  auto onDims = [](int64_t dim, int64_t concatDim) {
    return [=](Call &call, float *p) {
      call.dim(dim).concatDim(concatDim).operand(DISTRT_F32, Ref(p, {3, 3}));
    };
  };
  auto text = disagree(DISTRT_ALL_TO_ALL, onDims(1, 0), DISTRT_ALL_TO_ALL,
                       onDims(1, 1));
  EXPECT_CONTAINS(text, "all_to_all dim 1 concat dim 0 f32 [9 elements]");
  EXPECT_CONTAINS(text, "all_to_all dim 1 concat dim 1 f32 [9 elements]");
  disagree(DISTRT_ALL_TO_ALL, onDims(1, 0), DISTRT_ALL_TO_ALL, onDims(0, 0));
}

TEST_ON_BACKENDS(Mismatch, Pairs) {
  auto with = [](Sizes pairs) {
    return [pairs](Call &call, float *p) { plain(call.pairs(pairs), p); };
  };
  auto text = disagree(DISTRT_PERMUTE, with({2, 0, 0, 1}), DISTRT_PERMUTE,
                       with({0, 1}));
  EXPECT_CONTAINS(text, "have permute pairs [2, 0], [0, 1] f32 [8 elements]");
  EXPECT_CONTAINS(text, "has permute pairs [0, 1] f32 [8 elements]");
  text = disagree(DISTRT_PERMUTE, with({1, 0}), DISTRT_PERMUTE, with({}));
  EXPECT_CONTAINS(text, "has permute without pairs f32");
}

TEST_ON_BACKENDS(Mismatch, RootOfReduce) {
  auto text = disagree(
      DISTRT_REDUCE, [](Call &call, float *p) { plain(call.root(2), p); },
      DISTRT_REDUCE, plain);
  EXPECT_CONTAINS(text, "reduce sum root 2 f32");
  EXPECT_CONTAINS(text, "reduce sum root 0 f32");
}

TEST_ON_BACKENDS(Mismatch, WhatTheKindIgnoresMayDiffer) {
  World world(2);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    for (int kind = DISTRT_ALL_GATHER; kind <= DISTRT_REDUCE; ++kind) {
      float x[4] = {};
      Call call(kind, *group);
      call.operand(DISTRT_F32, Ref(x, {4})).factor(double(rank));
      if (kind != DISTRT_BROADCAST && kind != DISTRT_REDUCE)
        call.root(int(rank));
      if (kind != DISTRT_ALL_TO_ALL)
        call.concatDim(rank);
      if (kind != DISTRT_PERMUTE)
        call.pairs({rank, 17});
      distrtFuture *future = call.start(context);
      EXPECT_EQ(distrtFutureDrop(context, future, nullptr), DISTRT_OK);
    }
    return 0;
  });
}

TEST_ON_BACKENDS(Mismatch, PairsOfALargeGroup) {
  // The text is cut, the comparison is not.
  World world(40);
  auto group = all(40);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t rank) {
    float x = 0;
    Sizes ring;
    for (int64_t i = 0; i < 40; ++i)
      ring.insert(ring.end(), {i, (i + 1) % 40});
    if (rank == 5)
      ring.erase(ring.begin() + 2 * 38, ring.begin() + 2 * 39); // unseen
    distrtFuture *future = nullptr;
    int status = Call(DISTRT_PERMUTE, *group)
                     .pairs(ring)
                     .operand(DISTRT_F32, Ref(&x, {}))
                     .start(context, &future);
    return status ? status : distrtFutureDrop(context, future, nullptr);
  }),
            DISTRT_MISMATCH);
  EXPECT_CONTAINS(world.message(), ", ... f32");
  EXPECT_CONTAINS(world.message(), "rank 5 has permute pairs");
}

TEST_ON_BACKENDS(Mismatch, NumberOfOperands) {
  auto text = disagree(DISTRT_ALL_REDUCE, plain, DISTRT_ALL_REDUCE,
                       [](Call &call, float *p) {
                         call.operand(DISTRT_F32, Ref(p, {8}));
                         call.operand(DISTRT_I32, Ref(p + 8, {4}));
                       });
  EXPECT_CONTAINS(text,
                  "of 2 operands: f32 [8 elements], i32 [4 elements] at b:3:4");
}

TEST_ON_BACKENDS(Mismatch, ASecondOperand) {
  auto pair = [](int64_t count) {
    return [count](Call &call, float *p) {
      call.operand(DISTRT_F32, Ref(p, {8}));
      call.operand(DISTRT_F32, Ref(p + 8, {count}));
    };
  };
  disagree(DISTRT_ALL_REDUCE, pair(4), DISTRT_ALL_REDUCE, pair(5));
}

TEST_ON_BACKENDS(Mismatch, Order) {
  World world(2);
  auto group = all(2);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t rank) {
    float x[4] = {};
    for (int i : {0, 1}) {
      Call call(DISTRT_ALL_REDUCE, *group);
      int64_t count = (i == 0) == (rank == 0) ? 2 : 4;
      distrtFuture *future = nullptr;
      int status =
          call.operand(DISTRT_F32, Ref(x, {count})).start(context, &future);
      if (status || (status = distrtFutureDrop(context, future, nullptr)))
        return status;
    }
    return 0;
  }),
            DISTRT_MISMATCH);
  EXPECT_EQ(world.messageOf(0), world.messageOf(1));
}

TEST_ON_BACKENDS(Mismatch, LaterSequence) {
  World world(2);
  auto group = all(2, "grad");
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t rank) {
    float x[4] = {};
    for (int i = 0; i < 3; ++i) {
      Call call(i == 2 && rank == 1 ? DISTRT_BROADCAST : DISTRT_ALL_REDUCE,
                *group);
      distrtFuture *future = nullptr;
      int status =
          call.operand(DISTRT_F32, Ref(x, {4})).start(context, &future);
      if (status || (status = distrtFutureDrop(context, future, nullptr)))
        return status;
    }
    return 0;
  }),
            DISTRT_MISMATCH);
  EXPECT_CONTAINS(
      world.message(),
      "collective #2 on group [0, 1] tag \"grad\": ranks disagree: ");
}

TEST_ON_BACKENDS(Mismatch, WhileWaitingForSomethingElse) {
  // Rank 0 blocks on another communicator when the disagreement is found: it is
  // a member and must report the mismatch, not an abort.
  World world(3);
  Group pair({{0, 1}}), other({{0, 2}});
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t rank) {
    float x[4] = {};
    distrtFuture *future = nullptr, *never = nullptr;
    if (rank == 2)
      return 0;
    Call call(DISTRT_ALL_REDUCE, pair);
    call.reduction(rank ? DISTRT_MAX : DISTRT_MIN);
    int status = call.operand(DISTRT_F32, Ref(x, {4})).start(context, &future);
    if (status || rank == 1)
      return status ? status : distrtFutureDrop(context, future, nullptr);
    status = Call(DISTRT_ALL_REDUCE, other)
                 .operand(DISTRT_F32, Ref(x, {4}))
                 .start(context, &never);
    return status ? status : distrtFutureDrop(context, never, nullptr);
  }),
            DISTRT_MISMATCH);
  EXPECT_EQ(world.statusOf(0), DISTRT_MISMATCH);
  EXPECT_EQ(world.statusOf(1), DISTRT_MISMATCH);
}
