//===- FinalizeLowering.cpp -----------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//


#include "Conversion/Passes.h"
#include "Dialect/Dist/IR/Dist.h"
#include "dist-rt/distrt.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "dist-finalize-lowering"

namespace mlir::dist {
#define GEN_PASS_DEF_FINALIZELOWERINGPASS
#include "Conversion/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

static constexpr StringLiteral kCheckFunction = "dist_check_abi";

/// Adds a constructor that compares the program's ABI version with that of the
/// runtime that it is loaded with.
static void addAbiCheck(ModuleOp module) {
  if (module.lookupSymbol(kCheckFunction))
    return;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  MLIRContext *context = module.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  Type voidType = LLVM::LLVMVoidType::get(context);
  auto declare = [&](StringRef name, Type result, ArrayRef<Type> inputs) {
    if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
      return function;
    return LLVM::LLVMFuncOp::create(
        builder, loc, name, LLVM::LLVMFunctionType::get(result, inputs));
  };
  LLVM::LLVMFuncOp check = declare("distrtCheckAbi", i32, {pointer, i64});
  LLVM::LLVMFuncOp raise = declare("distrtRaise", voidType, {pointer, i32});
  auto function = LLVM::LLVMFuncOp::create(
      builder, loc, kCheckFunction, LLVM::LLVMFunctionType::get(voidType, {}),
      LLVM::Linkage::Internal);
  SymbolTable::setSymbolVisibility(function, SymbolTable::Visibility::Private);
  Block *entry = function.addEntryBlock(builder);
  Block *fail = builder.createBlock(&function.getBody());
  Block *done = builder.createBlock(&function.getBody());
  builder.setInsertionPointToEnd(entry);
  Value null = LLVM::ZeroOp::create(builder, loc, pointer);
  Value version = LLVM::ConstantOp::create(
      builder, loc, i64, builder.getI64IntegerAttr(DISTRT_ABI_VERSION));
  Value status =
      LLVM::CallOp::create(builder, loc, check, ValueRange{null, version})
          .getResult();
  Value ok = LLVM::ConstantOp::create(builder, loc, i32,
                                      builder.getI32IntegerAttr(DISTRT_OK));
  Value isOk = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                                    status, ok);
  LLVM::CondBrOp::create(builder, loc, isOk, done, fail);
  builder.setInsertionPointToEnd(fail);
  LLVM::CallOp::create(builder, loc, raise, ValueRange{null, status});
  LLVM::UnreachableOp::create(builder, loc);
  builder.setInsertionPointToEnd(done);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  builder.setInsertionPointToEnd(module.getBody());
  LLVM::GlobalCtorsOp::create(
      builder, loc,
      builder.getArrayAttr(FlatSymbolRefAttr::get(context, kCheckFunction)),
      builder.getI32ArrayAttr(0),
      builder.getArrayAttr(LLVM::ZeroAttr::get(context)));
}

/// What is left and why that may be.
static LogicalResult reportLeftover(Operation *op) {
  InFlightDiagnostic diag = op->emitOpError(
      "is left after lowering to the LLVM dialect");
  if (isa<UnrealizedConversionCastOp>(op) && op->getNumOperands() == 1)
    diag << ": nothing converts " << op->getOperand(0).getType() << " to "
         << op->getResult(0).getType();
  return diag;
}

namespace {
class FinalizeLowering
    : public mlir::dist::impl::FinalizeLoweringPassBase<FinalizeLowering> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    bool failed = false;
    module.walk([&](Operation *op) {
      if (isa<ModuleOp, MeshOp, ProcessGroupOp>(op) ||
          isa<LLVM::LLVMDialect>(op->getDialect()))
        return;
      failed |= reportLeftover(op).failed();
    });
    if (failed)
      return signalPassFailure();
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (isa<MeshOp, ProcessGroupOp>(op))
        op.erase();
    addAbiCheck(module);
  }
};
} // namespace
