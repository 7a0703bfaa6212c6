//===- HooksTest.cpp - allocation hooks, raising and the ABI --------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

#include <csetjmp>
#include <cstddef>
#include <thread>

using namespace dist::test;

extern "C" {
int distrtTestCompiledAsC(void);
size_t distrtTestSizeInC(int index);
}

TEST(Hooks, Allocation) {
  distrtAllocationCounters before = {}, after = {};
  before.structSize = after.structSize = sizeof(before);
  distrtAllocationCountersRead(&before);
  std::vector<void *> pointers;
  for (size_t bytes : {0, 1, 63, 64, 1000, 100000}) {
    void *p = _mlir_memref_to_llvm_alloc(bytes);
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % 64, 0u);
    memset(p, 1, bytes + 16); // padded
    pointers.push_back(p);
  }
  for (size_t alignment : {1, 8, 64, 256, 4096}) {
    void *p = _mlir_memref_to_llvm_aligned_alloc(alignment, 100);
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % std::max<size_t>(alignment, 64),
              0u);
    memset(p, 1, 116);
    pointers.push_back(p);
  }
  distrtAllocationCountersRead(&after);
  EXPECT_EQ(after.allocations - before.allocations, 11);
  EXPECT_EQ(after.liveBytes - before.liveBytes,
            0 + 1 + 63 + 64 + 1000 + 100000 + 500);
  EXPECT_GE(after.peakBytes, after.liveBytes);
  for (void *p : pointers)
    _mlir_memref_to_llvm_free(p);
  _mlir_memref_to_llvm_free(nullptr);
  distrtAllocationCountersRead(&after);
  EXPECT_EQ(after.frees - before.frees, 11);
  EXPECT_EQ(after.liveBytes, before.liveBytes);
  EXPECT_EQ(_mlir_memref_to_llvm_alloc(SIZE_MAX), nullptr);
  EXPECT_EQ(_mlir_memref_to_llvm_aligned_alloc(48, 8), nullptr);
}

namespace {
struct Raise {
  int status;
  int returned;
};
/// As a compiled program does it: no destructor in this frame.
int raising(distrtContext *context, void *user) {
  auto *raise = static_cast<Raise *>(user);
  if (distrtRank(context) == 1) {
    int status = distrtFutureWait(context, nullptr, nullptr, 0, "r.mlir:4:4");
    distrtRaise(context, raise->status ? raise->status : status);
  }
  raise->returned += distrtRank(context) == 0;
  return 0;
}

struct Handled {
  jmp_buf back;
  int status;
  distrtContext *context;
};
void handle(distrtContext *context, int status, void *user) {
  auto *handled = static_cast<Handled *>(user);
  handled->status = status;
  handled->context = context;
  longjmp(handled->back, 1);
}
int withHandler(distrtContext *context, void *user) {
  auto *handled = static_cast<Handled *>(user);
  distrtContextSetRaiseHandler(context, handle, handled);
  if (setjmp(handled->back) == 0)
    distrtRaise(context, DISTRT_TIMEOUT);
  distrtContextSetRaiseHandler(context, nullptr, nullptr);
  return 0;
}
} // namespace

TEST(Raise, UnwindsTheRank) {
  World world(2);
  Raise raise = {0, 0};
  EXPECT_EQ(distrtWorldRun(world.get(), raising, &raise),
            DISTRT_INVALID_ARGUMENT);
  EXPECT_EQ(raise.returned, 1);
  EXPECT_EQ(world.statusOf(0), DISTRT_OK);
  EXPECT_EQ(world.statusOf(1), DISTRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(world.messageOf(1), "r.mlir:4:4");
}

TEST(Raise, Handler) {
  World world(1);
  Handled handled = {};
  EXPECT_EQ(distrtWorldRun(world.get(), withHandler, &handled), DISTRT_OK);
  EXPECT_EQ(handled.status, DISTRT_TIMEOUT);
  EXPECT_NE(handled.context, nullptr);
}

TEST(RaiseDeathTest, WithoutAHandler) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(distrtRaise(nullptr, DISTRT_ABI_MISMATCH), "abi mismatch");
}

TEST(RaiseDeathTest, ForeignPointer) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  alignas(64) static char block[128];
  EXPECT_DEATH(_mlir_memref_to_llvm_free(block + 64), "not a live buffer");
}

TEST(Abi, Version) {
  World world(1);
  world.ok([&](distrtContext *context, int64_t) {
    for (int64_t version = 1; version <= DISTRT_ABI_VERSION; ++version)
      EXPECT_EQ(distrtCheckAbi(context, version), DISTRT_OK);
    for (int64_t version : {int64_t(0), int64_t(DISTRT_ABI_VERSION) + 1}) {
      EXPECT_EQ(distrtCheckAbi(context, version), DISTRT_ABI_MISMATCH);
      EXPECT_CONTAINS(distrtContextMessage(context),
                      "version " + std::to_string(version));
    }
    return 0;
  });
  EXPECT_EQ(distrtCheckAbi(nullptr, 99), DISTRT_ABI_MISMATCH);
  EXPECT_CONTAINS(distrtContextMessage(nullptr), "99");
}

TEST(Abi, GrowsAtTheEndOnly) {
  // What compiled programs of each version hold; never to be changed.
  EXPECT_EQ(offsetof(distrtOperand, dataType), 8u);
  EXPECT_EQ(offsetof(distrtOperand, rank), 12u);
  EXPECT_EQ(offsetof(distrtOperand, source), 16u);
  EXPECT_EQ(offsetof(distrtOperand, destination), 24u);
  EXPECT_EQ(offsetof(distrtOperand, expectedSizes), 32u);
  EXPECT_EQ(offsetof(distrtOperand, flags), 40u);
  EXPECT_EQ(offsetof(distrtOperand, factor), 48u);
  EXPECT_EQ(offsetof(distrtCallSite, group), 8u);
  EXPECT_EQ(offsetof(distrtCallSite, location), 16u);
  EXPECT_EQ(offsetof(distrtCallSite, reduction), 24u);
  EXPECT_EQ(offsetof(distrtCallSite, root), 28u);
  EXPECT_EQ(offsetof(distrtCallSite, dim), 32u);
  EXPECT_EQ(offsetof(distrtCallSite, concatDim), 40u);
  EXPECT_EQ(offsetof(distrtCallSite, pairs), 48u);
  EXPECT_EQ(offsetof(distrtCallSite, numPairs), 56u);
  const char *const kinds[] = {"all_gather", "all_reduce", "reduce_scatter",
                               "broadcast",  "all_to_all", "permute",
                               "reduce"};
  for (int kind = 0; kind < 7; ++kind)
    EXPECT_STREQ(distrtCollectiveName(kind), kinds[kind]);
  EXPECT_STREQ(distrtReductionName(9), "premul_sum");
  struct {
    const char *name;
    int64_t size;
  } types[] = {{"f64", 8},
               {"f8E4M3FN", 1},
               {"f8E5M2", 1},
               {"complex<f32>", 8},
               {"complex<f64>", 16}};
  for (int i = 0; i < 5; ++i) {
    EXPECT_STREQ(distrtDataTypeName(12 + i), types[i].name);
    EXPECT_EQ(distrtDataTypeSize(12 + i), types[i].size);
  }
}

TEST(Abi, IsC) {
  EXPECT_EQ(distrtTestCompiledAsC(), DISTRT_OK);
  EXPECT_EQ(distrtTestSizeInC(0), sizeof(distrtGroupDesc));
  EXPECT_EQ(distrtTestSizeInC(1), sizeof(distrtOperand));
  EXPECT_EQ(distrtTestSizeInC(2), sizeof(distrtCallSite));
  EXPECT_EQ(distrtTestSizeInC(3), sizeof(distrtWorldOptions));
  EXPECT_EQ(distrtTestSizeInC(4), sizeof(distrtCounters));
  EXPECT_EQ(distrtTestSizeInC(5), sizeof(distrtEvent));
}

TEST(Abi, Names) {
  EXPECT_STREQ(distrtDataTypeName(DISTRT_BF16), "bf16");
  EXPECT_STREQ(distrtReductionName(DISTRT_PRODUCT), "product");
  EXPECT_STREQ(distrtCollectiveName(DISTRT_REDUCE_SCATTER), "reduce_scatter");
  EXPECT_STREQ(distrtStatusName(DISTRT_INVALID_ARGUMENT), "invalid argument");
  for (int bad : {-1, 1000}) {
    EXPECT_STREQ(distrtDataTypeName(bad), "unknown");
    EXPECT_STREQ(distrtReductionName(bad), "unknown");
    EXPECT_STREQ(distrtCollectiveName(bad), "unknown");
    EXPECT_STREQ(distrtStatusName(bad), "unknown");
    EXPECT_EQ(distrtDataTypeSize(bad), 0);
  }
  EXPECT_EQ(distrtDataTypeSize(DISTRT_I1), 1);
  EXPECT_EQ(distrtDataTypeSize(DISTRT_F64), 8);
}
