//===- DeviceAccesses.cpp -------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/Passes.h"
#include "Conversion/DistToGPU/DeviceMemory.h"
#include "Dialect/Dist/Analysis/Views.h"
#include "Dialect/Dist/IR/DeviceOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#define DEBUG_TYPE "dist-device-accesses"

namespace mlir::dist {
#define GEN_PASS_DEF_DEVICEACCESSESPASS
#include "Conversion/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

/// Operations that know what to do with device memory, or hand it on.
static bool mayTakeDeviceMemory(Operation *op) {
  return isa<DistDialect>(op->getDialect()) ||
         isa<memref::AllocOp, memref::DeallocOp, gpu::LaunchFuncOp,
             func::CallIndirectOp, RegionBranchOpInterface, BranchOpInterface>(op) ||
         op->hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(op);
}

/// An external function may take device memory when its declaration says that
/// it works in the order of the stream.
static bool isForeign(FunctionOpInterface callee) {
  return callee && callee.isExternal() && !isHostFunction(callee) &&
         !callee->hasAttr(kStreamOrderedAttrName);
}

static InFlightDiagnostic refuseForeign(Operation *op, StringRef verb,
                                        StringRef callee) {
  return op->emitOpError()
         << verb << " device memory to the external function '" << callee
         << "', expected it to have the attribute '" << kStreamOrderedAttrName
         << "': it must work in the order of the compute stream";
}

/// What calls the function later does not know it.
static LogicalResult checkFunction(func::ConstantOp op,
                                   SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      op, op.getValueAttr());
  bool takesBuffers = llvm::any_of(cast<FunctionType>(op.getType()).getInputs(),
                                   llvm::IsaPred<BaseMemRefType>);
  if (takesBuffers && isForeign(callee))
    return refuseForeign(op, "hands", op.getValue());
  return success();
}

static LogicalResult checkCall(func::CallOp call,
                               SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      call, call.getCalleeAttr());
  bool isHost = callee && isHostFunction(callee);
  for (Value operand : call.getOperands()) {
    if (!isa<BaseMemRefType>(operand.getType()) ||
        isHostMemory(operand) == isHost)
      continue;
    InFlightDiagnostic diag = call.emitOpError();
    diag << "passes " << (isHost ? "device" : "host") << " memory to '"
         << call.getCallee() << "', expected " << (isHost ? "host" : "device")
         << " memory";
    return diag;
  }
  if (isForeign(callee) && takesDeviceMemory(call))
    return refuseForeign(call, "passes", call.getCallee());
  return success();
}

/// Host memory stays where it is loaded, stored and viewed.
static LogicalResult checkHostMemory(Operation *op) {
  if (isa<memref::LoadOp, memref::StoreOp, DeviceConstantOp, func::CallOp>(op))
    return success();
  bool isView = getViewedOperand(op) != nullptr;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    if (!isa<BaseMemRefType>(operand.getType()) || !isHostMemory(operand))
      continue;
    bool hasEffect = !isMemoryEffectFree(op);
    if (isView || (!hasEffect && op->getNumResults() != 0 &&
                   llvm::none_of(op->getResultTypes(),
                                 llvm::IsaPred<BaseMemRefType>)))
      continue;
    bool isAllHost = !takesDeviceMemory(op) && hasEffect &&
                     !isa<DistDialect>(op->getDialect()) &&
                     !isa<gpu::LaunchFuncOp>(op);
    if (isAllHost)
      continue;
    return op->emitOpError() << "has host memory as operand " << index
                             << ", expected device memory";
  }
  return success();
}

static LogicalResult rewriteAccess(Operation *op, RewriterBase &rewriter,
                                   SymbolTableCollection &symbols) {
  if (failed(checkHostMemory(op)))
    return failure();
  if (auto call = dyn_cast<func::CallOp>(op))
    return checkCall(call, symbols);
  if (auto function = dyn_cast<func::ConstantOp>(op))
    return checkFunction(function, symbols);
  if (!takesDeviceMemory(op))
    return success();
  rewriter.setInsertionPoint(op);
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    // The host has the constant itself.
    if (auto constant = load.getMemRef().getDefiningOp<DeviceConstantOp>())
      rewriter.modifyOpInPlace(load, [&] {
        load.getMemrefMutable().assign(constant.getConstant());
      });
    else
      rewriter.replaceOpWithNewOp<DeviceReadOp>(
          load, load.getType(), load.getMemRef(), load.getIndices());
    return success();
  }
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    rewriter.replaceOpWithNewOp<DeviceWriteOp>(
        store, store.getValue(), store.getMemRef(), store.getIndices());
    return success();
  }
  if (mayTakeDeviceMemory(op))
    return success();
  return op->emitOpError("works on device memory, but no kernel can be made of "
                         "it");
}

namespace {
class DeviceAccesses
    : public mlir::dist::impl::DeviceAccessesPassBase<DeviceAccesses> {
public:
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SymbolTableCollection symbols;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (isHostFunction(function))
        continue;
      WalkResult result = function.walk([&](Operation *op) {
        if (op != function &&
            failed(rewriteAccess(op, rewriter, symbols)))
          return WalkResult::interrupt();
        return WalkResult::advance();
      });
      if (result.wasInterrupted())
        return signalPassFailure();
    }
  }
};
} // namespace
