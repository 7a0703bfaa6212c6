//===- Fold.h - the kernel for what NCCL cannot reduce ----------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_NCCL_FOLD_H
#define DIST_LIB_RUNTIME_NCCL_FOLD_H

#include "Common/Device.h"

namespace dist::rt {

/// The arguments of one launch: `numSources` operands of `bytes` bytes each,
/// one behind the other, folded into `result`.
class FoldArguments {
public:
  FoldArguments(void *result, const void *sources, size_t bytes,
                int64_t numSources, int dataType, int reduction);
  FoldArguments(const FoldArguments &) = delete;
  KernelLaunch launch() const;

private:
  /// Two expanded memrefs of bytes, then the cell of the table.
  struct {
    void *result;
    int64_t resultOffset, resultSize, resultStride;
    const void *sources;
    int64_t sourcesOffset, sourcesSize, sourcesStride;
    int64_t numSources;
    int32_t dataType, reduction;
  } values;
  void *pointers[11];
  int64_t grid[3];
  int64_t block[3];
};

/// The PTX of the kernel dist_fold, made from FoldKernel.cl.
extern const char foldKernelPtx[];

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_NCCL_FOLD_H
