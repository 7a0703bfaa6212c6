//===- RelaxDestinations.cpp ----------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//


#include "Dialect/Dist/Transforms/Passes.h"
#include "FutureSources.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "dist-relax-destinations"

namespace mlir::dist {
#define GEN_PASS_DEF_RELAXDESTINATIONSPASS
#include "Dialect/Dist/Transforms/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

using bufferization::MaterializeInDestinationOp;

/// Whether `tensor` is a waited value, or a view of one.
static bool isWaited(Value tensor) {
  while (auto *def = tensor.getDefiningOp()) {
    if (isa<WaitOp>(def))
      return true;
    if (!isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp>(def))
      return false;
    tensor = def->getOperand(0);
  }
  return false;
}

/// Whether somebody other than `op` writes `tensor` as the program's
/// destination, or it is the caller's.
static bool isDestination(Value tensor, Operation *op) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    if (isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      return true;
  return llvm::any_of(tensor.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (user == op)
      return false;
    if (auto collective = dyn_cast<CollectiveOpInterface>(user))
      return llvm::is_contained(collective.getDestinations(), tensor);
    if (auto materialize = dyn_cast<MaterializeInDestinationOp>(user))
      return materialize.getDest() == tensor;
    return isa<linalg::CopyOp>(user) &&
           cast<linalg::CopyOp>(user).isDpsInit(&use);
  });
}

namespace {
class RelaxDestinations
    : public mlir::dist::impl::RelaxDestinationsPassBase<RelaxDestinations> {
public:
  void runOnOperation() override {
    SmallVector<MaterializeInDestinationOp> materializations;
    SmallVector<linalg::LinalgOp> computations;
    getOperation().walk([&](Operation *op) {
      if (auto materialize = dyn_cast<MaterializeInDestinationOp>(op))
        materializations.push_back(materialize);
      else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        computations.push_back(linalgOp);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : computations)
      for (OpOperand &init : op.getDpsInitsMutable())
        if (isa<RankedTensorType>(init.get().getType()) &&
            isDestination(init.get(), op))
          makeOwnInit(op, op.getTiedOpResult(&init), rewriter);
    for (MaterializeInDestinationOp op : materializations) {
      if (!isa<RankedTensorType>(op.getDest().getType()) ||
          !isWaited(op.getSource()))
        continue;
      rewriter.setInsertionPoint(op);
      rewriter.replaceOpWithNewOp<linalg::CopyOp>(op, op.getSource(),
                                                  op.getDest());
    }
  }
};
} // namespace
