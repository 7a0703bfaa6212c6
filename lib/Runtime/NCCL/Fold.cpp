//===- Fold.cpp - the kernel for what NCCL cannot reduce ------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NCCL/Fold.h"

#include "Common/Numerics.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace dist::rt;

template <typename T> static T argument(void **arguments, int index) {
  T value;
  memcpy(&value, arguments[index], sizeof(value));
  return value;
}

/// What the kernel does, with the local backend's arithmetic.
static void foldOnHost(void **arguments, const int64_t *, const int64_t *) {
  auto *result = argument<char *>(arguments, 0);
  auto bytes = argument<int64_t>(arguments, 2);
  auto *sources = argument<const char *>(arguments, 4);
  auto numSources = argument<int64_t>(arguments, 8);
  auto dataType = argument<int32_t>(arguments, 9);
  FoldFunction fold = lookupFold(dataType, argument<int32_t>(arguments, 10));
  int64_t size = distrtDataTypeSize(dataType);
  int64_t count = bytes / size;
  int64_t chunk = std::min(kFoldChunk, kFoldBytes / size);
  std::vector<const char *> at(static_cast<size_t>(numSources));
  std::vector<double> factors(static_cast<size_t>(numSources), 1);
  for (int64_t begin = 0; begin < count; begin += chunk) {
    for (int64_t i = 0; i < numSources; ++i)
      at[size_t(i)] = sources + i * bytes + begin * size;
    fold(at.data(), factors.data(), numSources, std::min(chunk, count - begin),
         result + begin * size);
  }
}

static constexpr distrtParameter kWord = {DISTRT_PARAMETER_VALUE, -1, 8, 0};
static constexpr distrtParameter kParameters[] = {
    {DISTRT_PARAMETER_WRITE, 1, 8, 1},
    kWord,
    kWord,
    kWord,
    {DISTRT_PARAMETER_READ, 1, 8, 1},
    kWord,
    kWord,
    kWord,
    kWord,
    {DISTRT_PARAMETER_VALUE, -1, 4, 0},
    {DISTRT_PARAMETER_VALUE, -1, 4, 0}};
static constexpr int64_t kNumParameters =
    sizeof(kParameters) / sizeof(kParameters[0]);

static const distrtKernel &foldKernel() {
  static const distrtKernel kernel = {
      sizeof(distrtKernel), "dist_fold",
      foldKernelPtx,        int64_t(strlen(foldKernelPtx) + 1),
      foldOnHost,           kParameters,
      kNumParameters,       0};
  return kernel;
}

FoldArguments::FoldArguments(void *result, const void *sources, size_t bytes,
                             int64_t numSources, int dataType, int reduction) {
  auto total = int64_t(bytes);
  values = {
      result, 0,          total,    1,        sources, 0, total * numSources,
      1,      numSources, dataType, reduction};
  void *all[] = {
      &values.result,       &values.resultOffset,  &values.resultSize,
      &values.resultStride, &values.sources,       &values.sourcesOffset,
      &values.sourcesSize,  &values.sourcesStride, &values.numSources,
      &values.dataType,     &values.reduction};
  static_assert(sizeof(all) / sizeof(all[0]) == kNumParameters,
                "an argument per parameter");
  std::copy(std::begin(all), std::end(all), pointers);
  int64_t count = total / distrtDataTypeSize(dataType);
  const int64_t threads = 256;
  // The kernel strides over what the grid does not cover.
  int64_t blocks =
      std::clamp<int64_t>((count + threads - 1) / threads, 1, 4096);
  const int64_t grids[] = {blocks, 1, 1}, blockSizes[] = {threads, 1, 1};
  std::copy(grids, grids + 3, grid);
  std::copy(blockSizes, blockSizes + 3, block);
}

KernelLaunch FoldArguments::launch() const {
  return {&foldKernel(), grid, block, const_cast<void **>(pointers)};
}
