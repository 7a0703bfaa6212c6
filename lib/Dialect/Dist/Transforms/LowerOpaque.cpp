//===- LowerOpaque.cpp ----------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//


#include "Dialect/Dist/Transforms/Passes.h"
#include "Dialect/Dist/IR/Dist.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

#define DEBUG_TYPE "dist-lower-opaque"

namespace mlir::dist {
#define GEN_PASS_DEF_LOWEROPAQUEPASS
#include "Dialect/Dist/Transforms/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

namespace {
class LowerOpaque
    : public mlir::dist::impl::LowerOpaquePassBase<LowerOpaque> {
public:
  void runOnOperation() override {
    SmallVector<OpaqueOp> ops;
    bool failed = false;
    getOperation()->walk([&](OpaqueOp op) {
      ops.push_back(op);
      if (op.getCallee())
        return;
      op.emitOpError() << "\"" << op.getName()
                       << "\" has no callee: it can be scheduled but not "
                          "executed, expected 'calls @function'";
      failed = true;
    });
    if (failed)
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    for (OpaqueOp op : ops) {
      rewriter.setInsertionPoint(op);
      rewriter.replaceOpWithNewOp<func::CallOp>(
          op, *op.getCallee(), op.getResultTypes(), op.getOperands());
    }
  }
};
} // namespace
