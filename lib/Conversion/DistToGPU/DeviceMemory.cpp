//===- DeviceMemory.cpp ---------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/DistToGPU/DeviceMemory.h"
#include "Dialect/Dist/Analysis/Views.h"
#include "Dialect/Dist/IR/DeviceOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::dist;

bool mlir::dist::isHostFunction(Operation *function) {
  return function->hasAttr(kHostMemoryAttrName);
}

bool mlir::dist::isHostMemory(Value buffer) {
  Value root = skipViews(buffer);
  if (Operation *op = root.getDefiningOp())
    return isa<memref::AllocaOp, memref::GetGlobalOp>(op);
  Operation *parent = root.getParentBlock()->getParentOp();
  return isa<FunctionOpInterface>(parent) && isHostFunction(parent);
}

bool mlir::dist::takesDeviceMemory(Operation *op) {
  return llvm::any_of(op->getOperands(), [](Value operand) {
    return isa<BaseMemRefType>(operand.getType()) && !isHostMemory(operand);
  });
}
