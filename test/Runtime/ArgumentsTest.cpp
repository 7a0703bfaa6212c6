//===- ArgumentsTest.cpp - arguments that are refused ---------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

#include <limits>

using namespace dist::test;

/// Status and message of one start in a world of `n` ranks that all do it.
static void expectRefused(int64_t n, int kind, const std::string &part,
                          const std::function<void(Call &, float *)> &fill) {
  World world(n);
  auto group = all(n);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t) {
    float x[64] = {};
    Call call(kind, *group);
    fill(call, x);
    std::vector<distrtFuture *> futures(call.operands.size() + 1);
    return call.start(context, futures.data());
  }),
            DISTRT_INVALID_ARGUMENT)
      << part;
  EXPECT_CONTAINS(world.message(), part);
  EXPECT_CONTAINS(world.message(), "rank 0: ");
  EXPECT_CONTAINS(world.message(), " at x.mlir:3:8: ");
  EXPECT_CONTAINS(world.message(), distrtCollectiveName(kind));
}

TEST(Arguments, Operands) {
  const int kind = DISTRT_ALL_REDUCE;
  expectRefused(2, kind, "at least one operand", [](Call &, float *) {});
  expectRefused(2, kind, "data type 99",
                [](Call &call, float *x) { call.operand(99, Ref(x, {1})); });
  expectRefused(2, kind, "rank 17", [](Call &call, float *x) {
    call.operand(DISTRT_F32, Ref(x, Sizes(17, 1)));
  });
  expectRefused(2, kind, "flags 8", [](Call &call, float *x) {
    call.operand(DISTRT_F32, Ref(x, {1}), Ref(), 8);
  });
  expectRefused(2, kind, "either owned", [](Call &call, float *x) {
    call.operand(DISTRT_F32, Ref(x, {1}), Ref(),
                 DISTRT_SOURCE_OWNED | DISTRT_SOURCE_COPY);
  });
  expectRefused(2, kind, "source is null", [](Call &call, float *x) {
    call.operand(DISTRT_F32, Ref(x, {1}));
    call.operands[0].source = nullptr;
  });
  expectRefused(2, kind, "null pointer", [](Call &call, float *) {
    call.operand(DISTRT_F32, Ref(nullptr, {1}));
  });
  expectRefused(2, kind, "negative", [](Call &call, float *x) {
    call.operand(DISTRT_F32, Ref(x, {2, -3}));
  });
  expectRefused(2, kind, "overflows", [](Call &call, float *x) {
    int64_t big = int64_t(1) << 40;
    call.operand(DISTRT_F32, Ref(x, {big, big}));
  });
  expectRefused(2, DISTRT_ALL_GATHER, "overflows", [](Call &call, float *x) {
    call.operand(DISTRT_F32, Ref(x, {int64_t(1) << 60}));
  });
  expectRefused(2, kind, "operand of 8 bytes", [](Call &call, float *x) {
    call.operand(DISTRT_F32, Ref(x, {1}));
    call.operands[0].structSize = 8;
  });
  expectRefused(2, kind, "operand 1: unknown data type -1",
                [](Call &call, float *x) {
                  call.operand(DISTRT_F32, Ref(x, {1}));
                  call.operand(-1, Ref(x, {1}));
                });
}

TEST(Arguments, Site) {
  expectRefused(2, DISTRT_ALL_REDUCE, "reduction 10", [](Call &call, float *x) {
    call.reduction(10).operand(DISTRT_F32, Ref(x, {1}));
  });
  expectRefused(2, DISTRT_ALL_REDUCE, "reduction 0", [](Call &call, float *x) {
    call.reduction(0).operand(DISTRT_F32, Ref(x, {1}));
  });
  expectRefused(2, DISTRT_ALL_GATHER, "reduction (max)",
                [](Call &call, float *x) {
                  call.reduction(DISTRT_MAX).operand(DISTRT_F32, Ref(x, {1}));
                });
  for (int root : {-1, 2})
    expectRefused(2, DISTRT_BROADCAST, "root " + std::to_string(root),
                  [=](Call &call, float *x) {
                    call.root(root).operand(DISTRT_F32, Ref(x, {1}));
                  });
  for (int kind : {DISTRT_ALL_GATHER, DISTRT_REDUCE_SCATTER}) {
    for (int64_t dim : {-1, 2})
      expectRefused(2, kind, "dim " + std::to_string(dim),
                    [=](Call &call, float *x) {
                      call.dim(dim).operand(DISTRT_F32, Ref(x, {2, 2}));
                    });
    expectRefused(2, kind, "0-d", [](Call &call, float *x) {
      call.operand(DISTRT_F32, Ref(x, {}));
    });
  }
  expectRefused(3, DISTRT_REDUCE_SCATTER,
                "size 4 of dim 1 is not divisible by the group size 3",
                [](Call &call, float *x) {
                  call.dim(1).operand(DISTRT_F32, Ref(x, {2, 4}));
                });
}

TEST(Arguments, Pairs) {
  struct {
    Sizes pairs;
    const char *text;
  } cases[] = {
      {{0, 1, 3, 0}, "pair 1: source 3 is out of range for a group of 3 ranks"},
      {{0, -1}, "pair 0: target -1 is out of range for a group of 3 ranks"},
      {{0, 1, 0, 2}, "pair 1: source 0 is the source of an earlier pair too"},
      {{0, 1, 2, 1}, "pair 1: target 1 is the target of an earlier pair too"},
  };
  for (auto &item : cases)
    expectRefused(3, DISTRT_PERMUTE, item.text, [&](Call &call, float *x) {
      call.pairs(item.pairs).operand(DISTRT_F32, Ref(x, {1}));
    });
  expectRefused(2, DISTRT_PERMUTE, "the number of pairs is negative: -1",
                [](Call &call, float *x) {
                  call.operand(DISTRT_F32, Ref(x, {1}));
                  call.site.numPairs = -1;
                });
  expectRefused(2, DISTRT_PERMUTE, "the pairs are null",
                [](Call &call, float *x) {
                  call.operand(DISTRT_F32, Ref(x, {1}));
                  call.site.numPairs = 1;
                });
}

TEST(Arguments, Exchanges) {
  const int kind = DISTRT_ALL_TO_ALL;
  for (int64_t dim : {-1, 2}) {
    expectRefused(2, kind, "dim " + std::to_string(dim) + " is out of range",
                  [=](Call &call, float *x) {
                    call.dim(dim).operand(DISTRT_F32, Ref(x, {2, 2}));
                  });
    expectRefused(2, kind,
                  "concat dim " + std::to_string(dim) + " is out of range",
                  [=](Call &call, float *x) {
                    call.concatDim(dim).operand(DISTRT_F32, Ref(x, {2, 2}));
                  });
  }
  expectRefused(2, kind, "0-d", [](Call &call, float *x) {
    call.operand(DISTRT_F32, Ref(x, {}));
  });
  expectRefused(3, kind, "size 4 of dim 1 is not divisible by the group size 3",
                [](Call &call, float *x) {
                  call.dim(1).operand(DISTRT_F32, Ref(x, {2, 4}));
                });
  expectRefused(
      2, kind, "the size of the result overflows", [](Call &call, float *x) {
        call.dim(1).operand(DISTRT_F32, Ref(x, {int64_t(1) << 62, 0}));
      });
  expectRefused(2, kind, "source and destination of an all_to_all overlap",
                [](Call &call, float *x) {
                  call.operand(DISTRT_F32, Ref(x, {4}), Ref(x, {4}));
                });
  expectRefused(2, kind, "reduction (sum)", [](Call &call, float *x) {
    call.reduction(DISTRT_SUM).operand(DISTRT_F32, Ref(x, {2}));
  });
  for (int kind : {DISTRT_PERMUTE, DISTRT_REDUCE})
    expectRefused(2, kind,
                  "source and destination overlap without being the same "
                  "buffer",
                  [](Call &call, float *x) {
                    call.operand(DISTRT_F32, Ref(x, {4}), Ref(x + 1, {4}));
                  });
  for (int root : {-1, 2})
    expectRefused(2, DISTRT_REDUCE, "root " + std::to_string(root),
                  [=](Call &call, float *x) {
                    call.root(root).operand(DISTRT_F32, Ref(x, {1}));
                  });
  expectRefused(
      2, DISTRT_REDUCE, "unknown reduction 0", [](Call &call, float *x) {
        call.reduction(DISTRT_NO_REDUCTION).operand(DISTRT_F32, Ref(x, {1}));
      });
  expectRefused(2, DISTRT_REDUCE, "at least 48 and a multiple of 8",
                [](Call &call, float *x) {
                  call.operand(DISTRT_F32, Ref(x, {1}));
                  call.operands[0].structSize = 52;
                });
}

TEST(Arguments, Shapes) {
  static const int64_t wrong[] = {2, 5}, open[] = {-1, -1}, right[] = {4, -1};
  expectRefused(2, DISTRT_ALL_GATHER,
                "expects a result of 2x5xf32, but it has 4x3xf32",
                [](Call &call, float *x) {
                  call.operand(DISTRT_F32, Ref(x, {2, 3}), Ref(), 0, wrong);
                });
  expectRefused(2, DISTRT_ALL_GATHER,
                "destination must have 4x3xf32, but it has 4x4xf32",
                [](Call &call, float *x) {
                  call.operand(DISTRT_F32, Ref(x, {2, 3}), Ref(x + 8, {4, 4}));
                });
  World world(2);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t) {
    float x[6] = {};
    for (const int64_t *expected : {open, right})
      take<float>(
          wait(context,
               Call(DISTRT_ALL_GATHER, *group)
                   .operand(DISTRT_F32, Ref(x, {2, 3}), Ref(), 0, expected)
                   .start(context),
               2));
    return 0;
  });
}

TEST(Arguments, NullsAndStructSizes) {
  World world(1);
  auto group = all(1);
  distrtFuture *future;
  float x = 0;
  Call call(DISTRT_ALL_REDUCE, *group);
  call.operand(DISTRT_F32, Ref(&x, {}));
  EXPECT_EQ(call.start(nullptr, &future), DISTRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(distrtContextMessage(nullptr), "context is null");
  EXPECT_EQ(distrtFutureWait(nullptr, nullptr, nullptr, 0, nullptr),
            DISTRT_INVALID_ARGUMENT);
  int64_t size;
  EXPECT_EQ(distrtGroupSize(nullptr, group->get(), nullptr, &size),
            DISTRT_INVALID_ARGUMENT);
  EXPECT_EQ(distrtRank(nullptr), -1);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t) {
    return call.start(context, nullptr);
  }),
            DISTRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(world.message(), "futures are null");
  World second(1);
  EXPECT_EQ(second.run([&](distrtContext *context, int64_t) {
    call.site.structSize = 4;
    return call.start(context, &future);
  }),
            DISTRT_INVALID_ARGUMENT);
}

TEST(Arguments, LongerStructsAreFine) {
  // A caller that was built for a newer header: operands are further apart.
  struct Longer {
    distrtOperand operand;
    int64_t more[3];
  };
  World world(1);
  auto group = all(1);
  world.ok([&](distrtContext *context, int64_t) {
    float x = 1, y = 2;
    Call call(DISTRT_ALL_REDUCE, *group);
    call.operand(DISTRT_F32, Ref(&x, {})).operand(DISTRT_F32, Ref(&y, {}));
    Longer longer[2] = {{call.operands[0], {}}, {call.operands[1], {}}};
    longer[0].operand.structSize = longer[1].operand.structSize =
        sizeof(Longer);
    distrtFuture *futures[2];
    EXPECT_EQ(
        distrtAllReduce(context, &call.site, &longer[0].operand, 2, futures),
        DISTRT_OK);
    EXPECT_EQ(take<float>(wait(context, futures[1], 0)), (Values{2}));
    EXPECT_EQ(take<float>(wait(context, futures[0], 0)), (Values{1}));
    return 0;
  });
}

TEST(Arguments, LongLocationsKeepTheirEnd) {
  World world(1);
  auto group = all(1);
  std::string location = std::string(500, 'd') + "/file.mlir:1:2\n";
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t) {
    float x = 0;
    distrtFuture *future;
    return Call(DISTRT_ALL_REDUCE, *group)
        .at(location.c_str())
        .operand(DISTRT_F32, Ref(&x, {}), Ref(), 64)
        .start(context, &future);
  }),
            DISTRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(world.message(), "/file.mlir:1:2");
  EXPECT_EQ(world.message().find('\n'), std::string::npos);
  EXPECT_LT(world.message().size(), 400u);
}

TEST(Arguments, Worlds) {
  distrtWorld *world;
  distrtWorldOptions options;
  distrtFault fault = {sizeof(fault), 7, 0, DISTRT_FAULT_DROP, 0, 0};
  auto expect = [&](int status, const char *part,
                    const std::function<void()> &adjust) {
    distrtWorldOptionsInit(&options);
    adjust();
    world = reinterpret_cast<distrtWorld *>(1);
    EXPECT_EQ(distrtWorldCreate(&options, &world), status);
    EXPECT_EQ(world, nullptr);
    EXPECT_CONTAINS(distrtWorldMessage(nullptr), part);
  };
  const int bad = DISTRT_INVALID_ARGUMENT;
  expect(bad, "number of ranks", [&] { options.numRanks = 0; });
  expect(bad, "too short", [&] { options.structSize = 16; });
  expect(DISTRT_UNSUPPORTED, "\"gloo\"", [&] { options.backend = "gloo"; });
  expect(bad, "negative", [&] { options.deadlineNs = -1; });
  expect(bad, "negative", [&] {
    options.linkBytesPerNs = std::numeric_limits<double>::quiet_NaN();
  });
  expect(bad, "out of range", [&] {
    options.faults = &fault;
    options.numFaults = 1;
  });
  EXPECT_EQ(distrtWorldCreate(nullptr, &world), bad);
  EXPECT_EQ(distrtWorldRun(nullptr, nullptr, nullptr), bad);
  distrtWorldOptionsInit(&options);
  EXPECT_EQ(options.structSize, sizeof(options));
  options.backend = "local";
  EXPECT_EQ(distrtWorldCreate(&options, &world), DISTRT_OK);
  EXPECT_EQ(distrtWorldRankStatus(world, 0), DISTRT_OK);
  EXPECT_EQ(distrtWorldRankStatus(world, 1), DISTRT_INVALID_ARGUMENT);
  EXPECT_STREQ(distrtWorldRankMessage(world, 0), "");
  EXPECT_STREQ(distrtWorldMessage(world), "");
  distrtWorldDestroy(world);
  distrtWorldDestroy(nullptr);
}
