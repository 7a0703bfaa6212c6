//===- ShapeReification.cpp - Sizes of results ------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes of waited and in-place results, in terms of the operands.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/IR/Dist.h"
#include "Dialect/Dist/Utils/Collectives.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::dist;

/// Size of dimension `dim` of what the future of `source` of `start` brings.
static OpFoldResult getPayloadSize(OpBuilder &builder, Location loc,
                                   CollectiveOpInterface start, unsigned source,
                                   int64_t dim) {
  ShapedType payload = start.getPayloadType(source);
  if (!payload.isDynamicDim(dim))
    return builder.getIndexAttr(payload.getDimSize(dim));
  if (!start.getDestinations().empty())
    return getMixedSize(builder, loc, start.getDestinations()[source], dim);
  return reifyResultSize(builder, loc, start, source, dim);
}

/// Shapes of all results of `op`, one size at a time.
template <typename Op>
static LogicalResult reifyShapes(Op op, OpBuilder &builder,
                                 ReifiedRankedShapedTypeDims &shapes) {
  for (auto [index, type] : llvm::enumerate(op->getResultTypes())) {
    SmallVector<OpFoldResult> &shape = shapes.emplace_back();
    for (int64_t dim = 0, e = cast<ShapedType>(type).getRank(); dim != e;
         ++dim) {
      FailureOr<OpFoldResult> size =
          op.reifyDimOfResult(builder, static_cast<int>(index), dim);
      if (failed(size))
        return failure();
      shape.push_back(*size);
    }
  }
  return success();
}

LogicalResult WaitOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  // Decide before the first operation is built.
  for (Value future : getFutures())
    if (!future.getDefiningOp<CollectiveOpInterface>())
      return failure();
  return reifyShapes(*this, builder, shapes);
}

FailureOr<OpFoldResult> WaitOp::reifyDimOfResult(OpBuilder &builder,
                                                 int resultIndex, int dim) {
  auto type = cast<ShapedType>(getResultTypes()[resultIndex]);
  if (!type.isDynamicDim(dim))
    return OpFoldResult(builder.getIndexAttr(type.getDimSize(dim)));
  // A future that comes from elsewhere (a loop, a call) does not say its size.
  Value future = getFutures()[resultIndex];
  auto start = future.getDefiningOp<CollectiveOpInterface>();
  if (!start)
    return failure();
  return getPayloadSize(builder, getLoc(), start,
                        cast<OpResult>(future).getResultNumber(), dim);
}

#define DIST_DEFINE_REIFICATION(OP)                                            \
  LogicalResult OP::reifyResultShapes(OpBuilder &builder,                      \
                                      ReifiedRankedShapedTypeDims &shapes) {   \
    return reifyShapes(*this, builder, shapes);                                \
  }                                                                            \
  FailureOr<OpFoldResult> OP::reifyDimOfResult(OpBuilder &builder,             \
                                               int resultIndex, int dim) {     \
    return getMixedSize(builder, getLoc(), getDestinations()[resultIndex], dim);    \
  }

DIST_DEFINE_REIFICATION(AllGatherIntoOp)
DIST_DEFINE_REIFICATION(AllReduceIntoOp)
DIST_DEFINE_REIFICATION(ReduceScatterIntoOp)
DIST_DEFINE_REIFICATION(BroadcastIntoOp)
DIST_DEFINE_REIFICATION(AllToAllIntoOp)
DIST_DEFINE_REIFICATION(PermuteIntoOp)
DIST_DEFINE_REIFICATION(ReduceIntoOp)

#undef DIST_DEFINE_REIFICATION
