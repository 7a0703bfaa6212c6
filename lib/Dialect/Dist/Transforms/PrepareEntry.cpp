//===- PrepareEntry.cpp ---------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//


#include "Dialect/Dist/Transforms/Passes.h"
#include "Dialect/Dist/IR/Dist.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "dist-prepare-entry"

namespace mlir::dist {
#define GEN_PASS_DEF_PREPAREENTRYPASS
#include "Dialect/Dist/Transforms/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

/// Adds the values that hold the tensor of `use` on the other side of its user:
/// a loop's iteration argument or the argument of a called function.
static void followUse(OpOperand &use, SymbolTableCollection &symbols,
                      SmallVectorImpl<Value> &worklist) {
  if (auto loop = dyn_cast<scf::ForOp>(use.getOwner())) {
    if (use.getOperandNumber() >= loop.getNumControlOperands())
      worklist.push_back(loop.getTiedLoopRegionIterArg(&use));
  } else if (auto call = dyn_cast<func::CallOp>(use.getOwner())) {
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (callee && !callee.isExternal())
      worklist.push_back(callee.getArgument(use.getOperandNumber()));
  }
}

/// Whether the program names the tensor `argument` as where something goes.
static bool isNamedDestination(BlockArgument argument,
                               SymbolTableCollection &symbols) {
  SmallVector<Value> worklist = {argument};
  llvm::SmallDenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (auto into = dyn_cast<CollectiveOpInterface>(user))
        if (llvm::is_contained(into.getDestinations(), value))
          return true;
      if (auto materialize =
              dyn_cast<bufferization::MaterializeInDestinationOp>(user))
        if (materialize.getDest() == value)
          return true;
      followUse(use, symbols, worklist);
    }
  }
  return false;
}

/// Whether `value` is a slice, perhaps in another shape.
static bool isSlice(Value value) {
  while (value.getDefiningOp<tensor::ExpandShapeOp>() ||
         value.getDefiningOp<tensor::CollapseShapeOp>() ||
         value.getDefiningOp<tensor::CastOp>())
    value = value.getDefiningOp()->getOperand(0);
  return value.getDefiningOp<tensor::ExtractSliceOp>() != nullptr;
}

/// Copies returned slices. A caller gets contiguous buffers; and deallocation,
/// which clones what a function does not own, cannot clone a strided one.
static void makeResultsContiguous(func::FuncOp function) {
  function.walk([](func::ReturnOp op) {
    OpBuilder builder(op);
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (!type || !isSlice(operand.get()))
        continue;
      operand.set(bufferization::AllocTensorOp::create(
          builder, op.getLoc(), type, ValueRange(), operand.get()));
    }
  });
}

/// Ranks may be threads of one process: a global that the program writes would
/// be shared between them.
static LogicalResult checkGlobals(ModuleOp module) {
  for (auto global : module.getOps<memref::GlobalOp>())
    if (!global.getConstant())
      return global.emitOpError()
             << "@" << global.getSymName()
             << " is one buffer for all ranks of a process, expected a constant "
                "or a function argument";
  return success();
}

namespace {
class PrepareEntry
    : public mlir::dist::impl::PrepareEntryPassBase<PrepareEntry> {
public:
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<bufferization::BufferizationDialect, LLVM::LLVMDialect,
                    tensor::TensorDialect>();
  }

  void runOnOperation() override {
    if (failed(checkGlobals(getOperation())))
      return signalPassFailure();
    SymbolTableCollection symbols;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      makeResultsContiguous(function);
      if (function.isPublic() && !function.isExternal())
        prepare(function, symbols);
    }
  }

private:
  void prepare(func::FuncOp function, SymbolTableCollection &symbols) {
    Builder builder(function);
    if (!function->hasAttr(DistDialect::kSignatureAttrName))
      function->setAttr(DistDialect::kSignatureAttrName,
                        TypeAttr::get(function.getFunctionType()));
    function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                      builder.getUnitAttr());
    bool isCalled = !SymbolTable::symbolKnownUseEmpty(function, getOperation());
    for (BlockArgument argument : function.getArguments()) {
      unsigned index = argument.getArgNumber();
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (!type)
        continue;
      StringRef writable =
          bufferization::BufferizationDialect::kWritableAttrName;
      if (!function.getArgAttr(index, writable))
        function.setArgAttr(
            index, writable,
            builder.getBoolAttr(
                function.getArgAttr(index, DistDialect::kWritableAttrName) ||
                isNamedDestination(argument, symbols)));
      // A call with a strided operand would copy it into a buffer that dies
      // with the call.
      StringRef layout =
          bufferization::BufferizationDialect::kBufferLayoutAttrName;
      if (!isCalled && !function.getArgAttr(index, layout))
        function.setArgAttr(
            index, layout,
            AffineMapAttr::get(builder.getMultiDimIdentityMap(type.getRank())));
    }
  }
};
} // namespace
