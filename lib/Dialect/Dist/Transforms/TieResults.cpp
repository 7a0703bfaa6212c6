//===- TieResults.cpp -----------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//


#include "Dialect/Dist/Transforms/Passes.h"
#include "Dialect/Dist/IR/Dist.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/BitVector.h"

#define DEBUG_TYPE "dist-tie-results"

namespace mlir::dist {
#define GEN_PASS_DEF_TIERESULTSPASS
#include "Dialect/Dist/Transforms/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

/// The argument whose buffer `value` is, or -1.
static int64_t getTiedArgument(Value value, func::FuncOp function) {
  if (!isa<MemRefType>(value.getType()))
    return -1;
  while (auto cast = value.getDefiningOp<memref::CastOp>())
    value = cast.getSource();
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &function.front())
    return -1;
  return argument.getArgNumber();
}

namespace {
class TieResults : public mlir::dist::impl::TieResultsPassBase<TieResults> {
public:
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(DistDialect::kSignatureAttrName) &&
          !function->hasAttr(DistDialect::kTiedAttrName))
        tie(function);
  }

private:
  void tie(func::FuncOp function) {
    auto returnOp = dyn_cast<func::ReturnOp>(function.back().getTerminator());
    if (!returnOp)
      return;
    bool mayChange =
        function.getBody().hasOneBlock() &&
        SymbolTable::symbolKnownUseEmpty(function, getOperation());
    SmallVector<int64_t> tied;
    llvm::BitVector dropped(function.getNumResults());
    for (auto [index, value] : llvm::enumerate(returnOp.getOperands())) {
      tied.push_back(mayChange ? getTiedArgument(value, function) : -1);
      if (tied.back() >= 0)
        dropped.set(index);
    }
    Builder builder(&getContext());
    function->setAttr(DistDialect::kTiedAttrName,
                      builder.getDenseI64ArrayAttr(tied));
    if (dropped.none())
      return;
    returnOp->eraseOperands(dropped);
    (void)function.eraseResults(dropped);
  }
};
} // namespace
