/*===- ranks.c - a C program on the runtime -----------------------*- C -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four ranks sum a vector; each rank checks what it received.
//
//===----------------------------------------------------------------------===*/

#include "dist-rt/distrt.h"

#include <inttypes.h>
#include <stdio.h>

/* A memref descriptor of rank 1, as distrt.h describes it. */
typedef struct {
  void *allocated;
  void *aligned;
  int64_t offset;
  int64_t sizes[1];
  int64_t strides[1];
} Vector;

static const int64_t everyone[] = {0, 1, 2, 3};

static int rankMain(distrtContext *context, void *user) {
  int32_t *sums = user;
  int64_t rank = distrtRank(context);
  int32_t values[2] = {(int32_t)rank + 1, 2 * ((int32_t)rank + 1)};
  Vector source = {values, values, 0, {2}, {1}};

  distrtGroupDesc group = {.structSize = sizeof(group),
                           .kind = DISTRT_GROUP_TABLE,
                           .name = "everyone",
                           .tag = "",
                           .ranks = everyone,
                           .numGroups = 1,
                           .groupSize = 4};
  distrtCallSite site = {.structSize = sizeof(site),
                         .group = &group,
                         .location = "ranks.c",
                         .reduction = DISTRT_SUM};
  distrtOperand operand = {.structSize = sizeof(operand),
                           .dataType = DISTRT_I32,
                           .rank = 1,
                           .source = &source};
  distrtFuture *future = NULL;
  int status = distrtAllReduce(context, &site, &operand, 1, &future);
  if (status != DISTRT_OK)
    return status;

  Vector result;
  status = distrtFutureWait(context, future, &result, 1, "ranks.c");
  if (status != DISTRT_OK)
    return status;
  const int32_t *received = (const int32_t *)result.aligned + result.offset;
  sums[2 * rank] = received[0];
  sums[2 * rank + 1] = received[1];
  _mlir_memref_to_llvm_free(result.allocated);
  return DISTRT_OK;
}

int main(void) {
  distrtWorldOptions options;
  distrtWorldOptionsInit(&options);
  options.numRanks = 4;
  options.checked = true;
  distrtWorld *world = NULL;
  if (distrtWorldCreate(&options, &world) != DISTRT_OK) {
    fprintf(stderr, "%s\n", distrtWorldMessage(NULL));
    return 1;
  }
  int32_t sums[8] = {0};
  int status = distrtWorldRun(world, rankMain, sums);
  if (status != DISTRT_OK)
    fprintf(stderr, "%s\n", distrtWorldMessage(world));
  for (int rank = 0; rank < 4; ++rank)
    printf("rank %d of 4: %" PRId32 " %" PRId32 "\n", rank, sums[2 * rank],
           sums[2 * rank + 1]);
  distrtWorldDestroy(world);
  return status != DISTRT_OK;
}
