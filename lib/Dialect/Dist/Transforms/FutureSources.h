//===- FutureSources.h ------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Internal to the passes around bufferization.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_DIALECT_DIST_TRANSFORMS_FUTURESOURCES_H
#define DIST_LIB_DIALECT_DIST_TRANSFORMS_FUTURESOURCES_H

#include "Dialect/Dist/Analysis/FutureFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::dist {

/// For each source of each start decides whether the future borrows it, gets it
/// donated or copies it, and adds the keeps that a borrowed one needs. Fails,
/// with an error, where a destination that the program names does not outlive
/// its future.
LogicalResult holdSources(ModuleOp module, RewriterBase &rewriter);

/// The buffer that `memref` shows a part of.
Value getBaseMemref(Value memref);

/// The ends of the ways back from `value` through views and selects: together
/// they are all that `value` can show.
void collectRoots(Value value, SmallVectorImpl<Value> &roots);

/// The roots of `memref`, and in the place of what a loop carries those of all
/// that it carries there.
SmallVector<Value> collectCarriedRoots(Value memref);

/// Gives `op` a tensor of its own to write `result` to, unless it reads what
/// was in the old one.
bool makeOwnInit(linalg::LinalgOp op, OpResult result, RewriterBase &rewriter);

} // namespace mlir::dist

#endif // DIST_LIB_DIALECT_DIST_TRANSFORMS_FUTURESOURCES_H
