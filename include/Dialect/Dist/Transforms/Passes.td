//===- Passes.td -  -------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//


#ifndef DIST_TRANSFORMS_PASSES_TD
#define DIST_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

// One entry per pass; `dist-bucket` is `def BucketPass`, implemented in
// lib/Dialect/Dist/Transforms/Bucket.cpp.

#endif // DIST_TRANSFORMS_PASSES_TD
