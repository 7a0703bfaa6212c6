//===- LowerDeallocations.cpp ---------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The stock lowering of deallocations compares buffers through small arrays of
// addresses, which it allocates like any buffer. The host reads them: here they
// go to the stack, whatever memory the program's own buffers come from.
//
//===----------------------------------------------------------------------===//

#include "Conversion/Passes.h"
#include "Dialect/Dist/IR/DeviceOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassManager.h"

#define DEBUG_TYPE "dist-lower-deallocations"

namespace mlir::dist {
#define GEN_PASS_DEF_LOWERDEALLOCATIONSPASS
#include "Conversion/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

/// Loops must not grow the stack: the array goes to the function's entry.
static void moveToStack(memref::AllocOp array, RewriterBase &rewriter) {
  auto function = array->getParentOfType<FunctionOpInterface>();
  for (Operation *user : llvm::make_early_inc_range(array->getUsers()))
    if (isa<memref::DeallocOp>(user))
      rewriter.eraseOp(user);
  rewriter.setInsertionPointToStart(&function.getFunctionBody().front());
  rewriter.replaceOpWithNewOp<memref::AllocaOp>(array, array.getType());
}

namespace {
class LowerDeallocations
    : public mlir::dist::impl::LowerDeallocationsPassBase<LowerDeallocations> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::DenseSet<Operation *> before;
    auto collect = [](ModuleOp module, auto callback) {
      module.walk([&](Operation *op) {
        if (isa<memref::AllocOp, func::FuncOp>(op))
          callback(op);
      });
    };
    collect(module, [&](Operation *op) { before.insert(op); });
    OpPassManager manager(ModuleOp::getOperationName());
    manager.addPass(bufferization::createLowerDeallocationsPass());
    if (failed(runPipeline(manager, module)))
      return signalPassFailure();
    SmallVector<memref::AllocOp> arrays;
    collect(module, [&](Operation *op) {
      if (before.contains(op))
        return;
      if (auto array = dyn_cast<memref::AllocOp>(op))
        arrays.push_back(array);
      else
        op->setAttr(kHostMemoryAttrName,
                    UnitAttr::get(&getContext()));
    });
    IRRewriter rewriter(&getContext());
    for (memref::AllocOp array : arrays)
      moveToStack(array, rewriter);
  }
};
} // namespace
