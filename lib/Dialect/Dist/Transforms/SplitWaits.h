//===- SplitWaits.h - A wait per future -------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_DIALECT_DIST_TRANSFORMS_SPLITWAITS_H
#define DIST_LIB_DIALECT_DIST_TRANSFORMS_SPLITWAITS_H

#include "Dialect/Dist/IR/Dist.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::dist {

/// Makes one wait per future of `wait`, in the order of its results.
void splitWait(WaitOp wait, RewriterBase &rewriter);

/// Splits the waits in `root` whose results are first read by different
/// operations, and those of buffers: each can then stand where its own data is
/// needed.
void splitWaitsByReader(Operation *root);

} // namespace mlir::dist

#endif // DIST_LIB_DIALECT_DIST_TRANSFORMS_SPLITWAITS_H
