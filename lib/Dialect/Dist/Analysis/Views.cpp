//===- Views.cpp - Operations that only look at data ------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Analysis/Views.h"
#include "Dialect/Dist/IR/Dist.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::dist;

OpOperand *mlir::dist::getViewedOperand(Operation *op) {
  if (auto opaque = dyn_cast<OpaqueOp>(op))
    return opaque.getView() ? &op->getOpOperand(0) : nullptr;
  if (isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
          tensor::ExtractSliceOp, tensor::ReshapeOp>(op))
    return &op->getOpOperand(0);
  auto view = dyn_cast<ViewLikeOpInterface>(op);
  if (!view || op->getNumResults() == 0)
    return nullptr;
  Value source = view.getViewSource();
  if (!isa<BaseMemRefType>(source.getType()) ||
      !isa<BaseMemRefType>(op->getResult(0).getType()))
    return nullptr;
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get() == source)
      return &operand;
  return nullptr;
}

bool mlir::dist::isTensorView(Operation *op) {
  OpOperand *viewed = getViewedOperand(op);
  return viewed && isa<TensorType>(viewed->get().getType());
}

Value mlir::dist::skipViews(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    OpOperand *viewed = getViewedOperand(op);
    if (!viewed)
      break;
    value = viewed->get();
  }
  return value;
}
