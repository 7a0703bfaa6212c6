/*===- c-compliance.c - the ABI header in C ------------------------------===*/
/*
 * Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include "dist-rt/distrt.h"

int distrtTestCompiledAsC(void);
size_t distrtTestSizeInC(int index);

static int rankFunction(distrtContext *context, void *user) {
  *(int64_t *)user = distrtWorldSize(context);
  return DISTRT_OK;
}

/* A whole life of a world, from C. */
int distrtTestCompiledAsC(void) {
  distrtWorldOptions options;
  distrtWorld *world = NULL;
  int64_t size = 0;
  int status;
  distrtWorldOptionsInit(&options);
  status = distrtWorldCreate(&options, &world);
  if (status != DISTRT_OK)
    return status;
  status = distrtWorldRun(world, rankFunction, &size);
  distrtWorldDestroy(world);
  return size == 1 ? status : DISTRT_INTERNAL;
}

size_t distrtTestSizeInC(int index) {
  const size_t sizes[] = {sizeof(distrtGroupDesc), sizeof(distrtOperand),
                          sizeof(distrtCallSite),  sizeof(distrtWorldOptions),
                          sizeof(distrtCounters),  sizeof(distrtEvent)};
  return sizes[index];
}
