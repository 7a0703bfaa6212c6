//===- CheckedTest.cpp - findings of checked mode -------------------------===//
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
void checkedSlow(distrtWorldOptions &options) {
  options.checked = true;
  options.linkDelayNs = 40000000;
}

/// Starts a collective on both ranks of a checked world with a slow link and
/// lets rank 1 do `harm` while it is in flight.
struct Outcome {
  int status;
  std::string message;
};
using Harm = std::function<int(distrtContext *, distrtFuture *,
                               int32_t *&source, int32_t *&destination)>;
Outcome inFlight(const Harm &harm, int flags = 0) {
  int32_t *buffers[2][2];
  Outcome outcome;
  {
    World world(2, checkedSlow);
    auto group = all(2);
    outcome.status = world.run([&](distrtContext *context, int64_t rank) {
      int32_t *&x = buffers[rank][0], *&y = buffers[rank][1];
      x = static_cast<int32_t *>(_mlir_memref_to_llvm_alloc(32));
      y = static_cast<int32_t *>(_mlir_memref_to_llvm_alloc(64));
      for (int i = 0; i < 8; ++i)
        x[i] = i;
      memset(y, 0, 64);
      distrtFuture *future = nullptr;
      int status = Call(DISTRT_ALL_GATHER, *group)
                       .operand(DISTRT_I32, Ref(x, {8}), Ref(y, {16}), flags)
                       .start(context, &future);
      if (!status && rank == 1)
        status = harm(context, future, x, y);
      Ref result(1);
      if (!status)
        status = distrtFutureWait(context, future, result.get(), 1, "w:1:1");
      return status;
    });
    // Rank 0 may be done before rank 1 finds the race.
    EXPECT_TRUE(world.statusOf(0) == DISTRT_OK ||
                (outcome.status && world.statusOf(0) == DISTRT_ABORTED));
    outcome.message = world.message();
  }
  for (auto &pair : buffers)
    for (int32_t *buffer : pair)
      _mlir_memref_to_llvm_free(buffer);
  return outcome;
}

/// The race that a test is about, hidden from the thread sanitizer.
template <typename T>
__attribute__((no_sanitize("thread"), noinline)) void touch(T *p, T value) {
  *p = value;
}

void freeEarly(int32_t *&p) {
  _mlir_memref_to_llvm_free(p);
  p = nullptr;
}

const char *const kPrefix = "rank 1: all_gather #0 on group [0, 1] at "
                            "x.mlir:3:8: ";

#define EXPECT_RACE(outcome, text)                                             \
  {                                                                            \
    auto found = outcome;                                                      \
    EXPECT_EQ(found.status, DISTRT_RACE);                                      \
    EXPECT_EQ(found.message, std::string(kPrefix) + text);                     \
  }
} // namespace

TEST(Checked, CleanProgramsPass) {
  EXPECT_EQ(
      inFlight([](distrtContext *, distrtFuture *, int32_t *&, int32_t *&) {
        return 0;
      }).status,
      DISTRT_OK);
  // Reading a source in flight and writing a copied one are legal.
  EXPECT_EQ(inFlight(
                [](distrtContext *, distrtFuture *, int32_t *&x, int32_t *&) {
                  touch(&x[0], 7);
                  return 0;
                },
                DISTRT_SOURCE_COPY)
                .status,
            DISTRT_OK);
}

TEST(Checked, SourceWritten) {
  EXPECT_RACE(
      inFlight([](distrtContext *, distrtFuture *, int32_t *&x, int32_t *&) {
        touch(&x[2], -1);
        touch(&x[3], -1);
        return 0;
      }),
      "the source was written in flight, bytes [8, 16)");
}

TEST(Checked, DestinationWritten) {
  EXPECT_RACE(
      inFlight([](distrtContext *, distrtFuture *, int32_t *&, int32_t *&y) {
        touch(&y[15], 3);
        return 0;
      }),
      "the destination was written in flight, bytes [60, 64)");
}

TEST(Checked, DestinationIsPoisonedInFlight) {
  EXPECT_EQ(
      inFlight([](distrtContext *, distrtFuture *, int32_t *&, int32_t *&y) {
        EXPECT_EQ(y[3], int32_t(0xDBDBDBDB));
        return 0;
      }).status,
      DISTRT_OK);
}

static void sleepPastTheFlight() {
  std::this_thread::sleep_for(std::chrono::milliseconds(120));
}

TEST(Checked, TouchedAfterTheMoveBeforeTheWait) {
  EXPECT_RACE(
      inFlight([](distrtContext *, distrtFuture *, int32_t *&x, int32_t *&) {
        sleepPastTheFlight();
        touch(&x[0], 5);
        return 0;
      }),
      "the source was written in flight, bytes [0, 4)");
  EXPECT_RACE(
      inFlight([](distrtContext *, distrtFuture *, int32_t *&, int32_t *&y) {
        sleepPastTheFlight();
        touch(&y[1], -1);
        return 0;
      }),
      "the destination was written before the wait, bytes [4, 8)");
}

TEST(Checked, FreedInFlight) {
  EXPECT_RACE(
      inFlight([](distrtContext *, distrtFuture *, int32_t *&x, int32_t *&) {
        freeEarly(x);
        return 0;
      }),
      "the source was freed in flight, bytes [0, 32)");
  EXPECT_RACE(
      inFlight([](distrtContext *, distrtFuture *, int32_t *&, int32_t *&y) {
        freeEarly(y);
        return 0;
      }),
      "the destination was freed in flight, bytes [0, 64)");
}

TEST(Checked, FreedMemoryIsPoisoned) {
  World world(1, checkedSlow);
  world.ok([&](distrtContext *, int64_t) {
    auto *x = static_cast<uint8_t *>(_mlir_memref_to_llvm_alloc(16));
    memset(x, 1, 16);
    _mlir_memref_to_llvm_free(x);
    EXPECT_EQ(x[5], 0xDD); // kept for a while
    return 0;
  });
}

TEST(Checked, FreedTwice) {
  World world(1, checkedSlow);
  EXPECT_EQ(world.run([&](distrtContext *, int64_t) {
    void *x = _mlir_memref_to_llvm_alloc(16);
    _mlir_memref_to_llvm_free(x);
    _mlir_memref_to_llvm_free(x);
    return 0;
  }),
            DISTRT_RACE);
  EXPECT_CONTAINS(world.message(), "freed twice");
}

TEST(Checked, StartOnABufferInFlight) {
  auto second = [](bool source, bool destination) {
    return [=](distrtContext *context, distrtFuture *, int32_t *&x,
               int32_t *&y) {
      Group alone({{1}});
      int32_t other[8] = {};
      distrtFuture *future = nullptr;
      int status = Call(DISTRT_ALL_REDUCE, alone)
                       .at("second:1:1")
                       .operand(DISTRT_I32,
                                Ref(source        ? y + 4
                                    : destination ? other
                                                  : x,
                                    {4}),
                                destination ? Ref(x, {4}) : Ref())
                       .start(context, &future);
      Ref result(1);
      if (!status)
        status = distrtFutureWait(context, future, result.get(), 1, nullptr);
      if (!status && !destination)
        _mlir_memref_to_llvm_free(result.allocated());
      return status;
    };
  };
  auto reads = inFlight(second(true, false));
  EXPECT_EQ(reads.status, DISTRT_RACE);
  EXPECT_EQ(reads.message,
            "rank 1: all_reduce #0 on group [1] at second:1:1: the source is "
            "in flight: it is the destination of rank 1's all_gather #0 on "
            "group [0, 1] at x.mlir:3:8");
  auto writes = inFlight(second(false, true));
  EXPECT_EQ(writes.status, DISTRT_RACE);
  EXPECT_CONTAINS(writes.message, "the destination is in flight: it is the "
                                  "source of rank 1's all_gather #0");
  // Two readers of one source do not race.
  EXPECT_EQ(inFlight(second(false, false)).status, DISTRT_OK);
}

TEST(Checked, InPlaceForms) {
  // Aliased parts are no poison and no finding.
  World world(2, [](distrtWorldOptions &options) { options.checked = true; });
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    Values x = {1, 2, 3, 4};
    auto run = [&](int kind, Ref source, Ref destination) {
      distrtFuture *future = Call(kind, *group)
                                 .operand(DISTRT_F32, source, destination)
                                 .start(context);
      wait(context, future, 1);
    };
    run(DISTRT_ALL_REDUCE, Ref(x.data(), {4}), Ref(x.data(), {4}));
    EXPECT_EQ(x, (Values{2, 4, 6, 8}));
    run(DISTRT_BROADCAST, Ref(x.data(), {4}), Ref(x.data(), {4}));
    run(DISTRT_ALL_GATHER, Ref(x.data() + 2 * rank, {2}), Ref(x.data(), {4}));
    EXPECT_EQ(x, (Values{2, 4, 6, 8}));
    run(DISTRT_REDUCE_SCATTER, Ref(x.data(), {4}),
        Ref(x.data() + 2 * rank, {2}));
    EXPECT_EQ(x, rank ? (Values{2, 4, 12, 16}) : (Values{4, 8, 6, 8}));
    return 0;
  });
}

TEST(Checked, InPlaceWritten) {
  World world(2, checkedSlow);
  auto group = all(2);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t rank) {
    Values x = {1, 2, 3, 4};
    distrtFuture *future =
        Call(DISTRT_ALL_GATHER, *group)
            .operand(DISTRT_F32, Ref(x.data() + 2 * rank, {2}),
                     Ref(x.data(), {4}))
            .start(context);
    if (rank == 0)
      touch(&x[3], 0.0f);
    return distrtFutureDrop(context, future, nullptr);
  }),
            DISTRT_RACE);
  EXPECT_CONTAINS(world.message(), "rank 0: ");
  EXPECT_CONTAINS(world.message(), "bytes [4, 8) of a slot");
}

TEST(Checked, InPlaceSourceWritten) {
  // Nothing but the look before the move can find this.
  World world(2, checkedSlow);
  auto group = all(2);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t rank) {
    Values x = {1, 2, 3, 4};
    distrtFuture *future = nullptr;
    int status =
        Call(DISTRT_ALL_REDUCE, *group)
            .operand(DISTRT_F32, Ref(x.data(), {4}), Ref(x.data(), {4}))
            .start(context, &future);
    if (rank == 1)
      touch(&x[1], 9.0f);
    return status ? status : distrtFutureDrop(context, future, nullptr);
  }),
            DISTRT_RACE);
  EXPECT_CONTAINS(world.message(),
                  "the source was written in flight, bytes [4, 8)");
}

TEST(Checked, OwnedSources) {
  int64_t before = liveBytes();
  {
    World world(2, [](distrtWorldOptions &options) { options.checked = true; });
    auto group = all(2);
    world.ok([&](distrtContext *context, int64_t) {
      for (int kind : {DISTRT_ALL_REDUCE, DISTRT_ALL_GATHER,
                       DISTRT_REDUCE_SCATTER, DISTRT_BROADCAST}) {
        auto *x = static_cast<float *>(_mlir_memref_to_llvm_alloc(16));
        std::fill(x, x + 4, 1.0f);
        distrtFuture *future =
            Call(kind, *group)
                .operand(DISTRT_F32, Ref(x, {4}), Ref(), DISTRT_SOURCE_OWNED)
                .start(context);
        take<float>(wait(context, future, 1));
      }
      return 0;
    });
  }
  EXPECT_EQ(liveBytes(), before);
}

TEST(Checked, SecondOperandIsNamed) {
  World world(1, checkedSlow);
  auto group = all(1);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t) {
    Values x = {1, 2}, y = {3, 4};
    distrtFuture *futures[2];
    int status = Call(DISTRT_ALL_REDUCE, *group)
                     .operand(DISTRT_F32, Ref(x.data(), {2}))
                     .operand(DISTRT_F32, Ref(y.data(), {2}))
                     .start(context, futures);
    touch(&y[1], 0.0f);
    if (!status)
      status = distrtFutureDrop(context, futures[0], nullptr);
    return status;
  }),
            DISTRT_RACE);
  EXPECT_CONTAINS(world.message(), "the source of operand 1 was written");
}

TEST(Checked, Leak) {
  World world(2, [](distrtWorldOptions &options) { options.checked = true; });
  auto group = all(2);
  Values x[2] = {{1, 2}, {3, 4}};
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t rank) {
    distrtFuture *future = Call(DISTRT_ALL_REDUCE, *group)
                               .at("leak:5:5")
                               .operand(DISTRT_F32, Ref(x[rank].data(), {2}))
                               .start(context);
    if (rank == 0)
      EXPECT_EQ(distrtFutureDrop(context, future, nullptr), DISTRT_OK);
    return 0;
  }),
            DISTRT_LEAK);
  EXPECT_EQ(world.statusOf(0), DISTRT_OK);
  EXPECT_EQ(world.message(), "rank 1: all_reduce #0 on group [0, 1] at "
                             "leak:5:5: the future was never consumed");
}

TEST(Checked, RacesAreFoundInStridedBuffers) {
  World world(2, checkedSlow);
  auto group = all(2);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t rank) {
    Values x(8, 1.0f);
    distrtFuture *future = Call(DISTRT_ALL_REDUCE, *group)
                               .operand(DISTRT_F32, Ref(x.data(), {4}, {2}))
                               .start(context);
    touch(&x[3], 9.0f); // between the elements: nobody's
    if (rank == 1)
      touch(&x[4], -1.0f);
    return distrtFutureDrop(context, future, nullptr);
  }),
            DISTRT_RACE);
  EXPECT_CONTAINS(world.message(), "rank 1: ");
  EXPECT_CONTAINS(world.message(), "bytes [8, 12)");
}

TEST(Checked, WithoutItAWriteInFlightIsAWrongValue) {
  // The data moves at the end of the flight, not at the start.
  World world(
      2, [](distrtWorldOptions &options) { options.linkDelayNs = 50000000; });
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t) {
    float x = 1;
    distrtFuture *future = Call(DISTRT_ALL_REDUCE, *group)
                               .operand(DISTRT_F32, Ref(&x, {}))
                               .start(context);
    touch(&x, 10.0f);
    EXPECT_EQ(take<float>(wait(context, future, 0)), (Values{20}));
    return 0;
  });
}
