//===- OwnSlot.cpp - A rank's own part of a buffer --------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Analysis/OwnSlot.h"
#include "Dialect/Dist/Utils/Collectives.h"
#include "Dialect/Dist/Utils/Groups.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::dist;

static Value skipCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<memref::CastOp, tensor::CastOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Whether the positions in `group` are the ranks of the world.
static bool isWorldInOrder(GroupAttr group, Operation *from) {
  FailureOr<RankTable> table = expandGroups(group, from);
  if (failed(table) || table->getNumGroups() != 1)
    return false;
  for (auto [position, rank] : llvm::enumerate(table->ranks))
    if (rank != static_cast<int64_t>(position))
      return false;
  return true;
}

/// Whether `value` is this rank's position in `group`.
static bool isPosition(Value value, GroupAttr group, Operation *from) {
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  auto rank = value.getDefiningOp<RankOp>();
  if (!rank)
    return false;
  if (std::optional<GroupAttr> of = rank.getGroup())
    return isSameCommunicator(*of, group, from);
  return isWorldInOrder(group, from);
}

/// Whether `offset` is the position times `factor`.
static bool isScaledPosition(Value offset, int64_t factor, GroupAttr group,
                             Operation *from) {
  if (auto product = offset.getDefiningOp<arith::MulIOp>()) {
    for (auto [one, other] : {std::pair(product.getLhs(), product.getRhs()),
                              std::pair(product.getRhs(), product.getLhs())})
      if (isPosition(one, group, from) &&
          getConstantIntValue(OpFoldResult(other)) == factor)
        return true;
    return false;
  }
  if (auto apply = offset.getDefiningOp<affine::AffineApplyOp>()) {
    AffineMap map = apply.getAffineMap();
    AffineExpr only = map.getNumDims() == 1
                          ? getAffineDimExpr(0, map.getContext())
                          : getAffineSymbolExpr(0, map.getContext());
    return map.getNumInputs() == 1 && map.getResult(0) == only * factor &&
           isPosition(apply.getMapOperands()[0], group, from);
  }
  return factor == 1 && isPosition(offset, group, from);
}

bool mlir::dist::isOwnSlot(Value slice, Value whole, GroupAttr group,
                           int64_t dim, Operation *from) {
  slice = skipCasts(slice);
  whole = skipCasts(whole);
  auto cut = slice.getDefiningOp<OffsetSizeAndStrideOpInterface>();
  if (!isa_and_nonnull<memref::SubViewOp, tensor::ExtractSliceOp>(cut) ||
      skipCasts(cut->getOperand(0)) != whole) {
    // Or what was put there.
    auto insert = whole.getDefiningOp<tensor::InsertSliceOp>();
    if (!insert || skipCasts(insert.getSource()) != slice)
      return false;
    cut = insert;
  }
  auto type = cast<ShapedType>(whole.getType());
  std::optional<int64_t> members = getGroupSize(group, from);
  if (!members || !type.hasStaticShape() ||
      cast<ShapedType>(slice.getType()).getRank() != type.getRank() ||
      !llvm::all_of(cut.getMixedStrides(),
                    [](OpFoldResult stride) { return isOneInteger(stride); }))
    return false;
  for (int64_t i = 0, e = type.getRank(); i != e; ++i) {
    std::optional<int64_t> size = getConstantIntValue(cut.getMixedSizes()[i]);
    OpFoldResult offset = cut.getMixedOffsets()[i];
    if (!size)
      return false;
    if (i != dim) {
      if (*size != type.getDimSize(i) || !isZeroInteger(offset))
        return false;
      continue;
    }
    if (*size * *members != type.getDimSize(i))
      return false;
    auto value = dyn_cast<Value>(offset);
    if (!value || !isScaledPosition(value, *size, group, from))
      return false;
  }
  return true;
}

bool mlir::dist::mayWorkInPlace(CollectiveOpInterface collective, Value source,
                                Value destination) {
  GroupAttr group = collective.getGroup();
  std::optional<int64_t> dim = collective.getCollectiveDim();
  switch (collective.getCollectiveKind()) {
  case CollectiveKind::AllGather:
    return isOwnSlot(source, destination, group, *dim, collective);
  case CollectiveKind::ReduceScatter:
    return isOwnSlot(destination, source, group, *dim, collective);
  default:
    return mayShareBuffer(collective.getCollectiveKind()) &&
           skipCasts(source) == skipCasts(destination);
  }
}
