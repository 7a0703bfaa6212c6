//===- CarriedTensors.h -----------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Internal to dist-prepare-bufferization: control flow that One-Shot
// bufferization of MLIR 22 gets wrong, with or without collectives.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_DIALECT_DIST_TRANSFORMS_CARRIEDTENSORS_H
#define DIST_LIB_DIALECT_DIST_TRANSFORMS_CARRIEDTENSORS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::dist {

/// One-Shot does not see that the result of a switch may be a tensor that one of
/// its regions yields, and writes it under its other name. It knows that of an
/// scf.if: a switch with tensors becomes a chain of them.
void expandSwitch(scf::IndexSwitchOp op, RewriterBase &rewriter);

/// One-Shot lets a while loop write a tensor in place that the loop got from a
/// yield, although the tensor is used elsewhere as well. Afterwards the regions
/// of `loop` hand on tensors that are nobody else's: copies, where they were
/// not.
void ownCarriedTensors(scf::WhileOp loop, RewriterBase &rewriter);

/// One-Shot does not see that two results of a call may be one buffer.
/// Afterwards those of a function that ends in `returnOp` are not.
void ownReturnedTensors(func::ReturnOp returnOp, RewriterBase &rewriter);

} // namespace mlir::dist

#endif // DIST_LIB_DIALECT_DIST_TRANSFORMS_CARRIEDTENSORS_H
