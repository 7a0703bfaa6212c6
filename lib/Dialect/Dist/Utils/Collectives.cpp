//===- Collectives.cpp - Shapes and legality --------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Utils/Collectives.h"
#include "Dialect/Dist/Utils/Groups.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::dist;

ShapeRule ShapeRule::get(CollectiveOpInterface op) {
  return {op.getCollectiveKind(), op.getCollectiveDim(),
          op.getCollectiveConcatDim()};
}

SizeChange ShapeRule::getChange(int64_t index) const {
  bool isDim = index == dim;
  switch (kind) {
  case CollectiveKind::AllGather:
    return isDim ? SizeChange::Multiplied : SizeChange::Same;
  case CollectiveKind::ReduceScatter:
    return isDim ? SizeChange::Divided : SizeChange::Same;
  case CollectiveKind::AllToAll:
    if (index == concatDim)
      return isDim ? SizeChange::Recut : SizeChange::Multiplied;
    return isDim ? SizeChange::Divided : SizeChange::Same;
  case CollectiveKind::AllReduce:
  case CollectiveKind::Broadcast:
  case CollectiveKind::Permute:
  case CollectiveKind::Reduce:
    return SizeChange::Same;
  }
  llvm_unreachable("unknown collective");
}

OpFoldResult mlir::dist::getMixedSize(OpBuilder &builder, Location loc,
                                      Value value, int64_t dim) {
  if (isa<MemRefType>(value.getType()))
    return memref::getMixedSize(builder, loc, value, dim);
  return tensor::getMixedSize(builder, loc, value, dim);
}

OpFoldResult mlir::dist::reifyResultSize(OpBuilder &builder, Location loc,
                                         CollectiveOpInterface op,
                                         unsigned index, int64_t dim) {
  OpFoldResult size = getMixedSize(builder, loc, op.getSources()[index], dim);
  SizeChange change = ShapeRule::get(op).getChange(dim);
  if (change == SizeChange::Same || change == SizeChange::Recut)
    return size;
  auto factor = builder.createOrFold<GroupSizeOp>(loc, builder.getIndexType(),
                                                  op.getGroup());
  Value part = getValueOrCreateConstantIndexOp(builder, loc, size);
  if (change == SizeChange::Multiplied)
    return builder.createOrFold<arith::MulIOp>(loc, part, factor);
  return builder.createOrFold<arith::DivUIOp>(loc, part, factor);
}

static int64_t inferSize(SizeChange change, int64_t size,
                         std::optional<int64_t> groupSize) {
  // Nothing times anything, or a part of nothing, is still nothing.
  if (size == 0 || change == SizeChange::Same || change == SizeChange::Recut)
    return size;
  if (ShapedType::isDynamic(size) || !groupSize)
    return ShapedType::kDynamic;
  if (change == SizeChange::Divided)
    return size / *groupSize;
  return llvm::MulOverflow(size, *groupSize, size) ? ShapedType::kDynamic
                                                   : size;
}

SmallVector<int64_t>
mlir::dist::inferCollectiveShape(ShapeRule rule, ArrayRef<int64_t> source,
                                 std::optional<int64_t> groupSize) {
  SmallVector<int64_t> shape;
  for (auto [index, size] : llvm::enumerate(source))
    shape.push_back(inferSize(rule.getChange(static_cast<int64_t>(index)), size,
                              groupSize));
  return shape;
}

static bool isCompatibleSize(SizeChange change, int64_t source, int64_t result,
                             std::optional<int64_t> groupSize) {
  bool isCut = change == SizeChange::Divided || change == SizeChange::Recut;
  // A size that is not known yet is still a multiple.
  bool isPutTogether =
      change == SizeChange::Multiplied || change == SizeChange::Recut;
  auto isMultiple = [&](int64_t size) {
    return ShapedType::isDynamic(size) || size % *groupSize == 0;
  };
  if (groupSize && ((isCut && !isMultiple(source)) ||
                    (isPutTogether && !isMultiple(result))))
    return false;
  if (!groupSize && isCut != isPutTogether)
    return true;
  int64_t expected = inferSize(change, source, groupSize);
  return ShapedType::isDynamic(expected) || ShapedType::isDynamic(result) ||
         expected == result;
}

bool mlir::dist::isCompatibleCollectiveShape(ShapeRule rule,
                                             ArrayRef<int64_t> source,
                                             ArrayRef<int64_t> result,
                                             std::optional<int64_t> groupSize) {
  if (source.size() != result.size())
    return false;
  for (auto [index, size, found] : llvm::enumerate(source, result))
    if (!isCompatibleSize(rule.getChange(static_cast<int64_t>(index)), size,
                          found, groupSize))
      return false;
  return true;
}

bool mlir::dist::mayShareBuffer(CollectiveKind kind) {
  switch (kind) {
  case CollectiveKind::AllReduce:
  case CollectiveKind::Broadcast:
  case CollectiveKind::Permute:
  case CollectiveKind::Reduce:
    return true;
  case CollectiveKind::AllGather:
  case CollectiveKind::ReduceScatter:
  case CollectiveKind::AllToAll:
    return false;
  }
  llvm_unreachable("unknown collective");
}

bool mlir::dist::isCollectiveElementType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    if (width == 1)
      return integer.isSignless();
    return !integer.isSigned() &&
           (width == 8 || width == 16 || width == 32 || width == 64);
  }
  return isa<IndexType, Float16Type, BFloat16Type, Float32Type, Float64Type>(
      type);
}

int64_t mlir::dist::getElementBytes(Type type) {
  unsigned bits = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                 : type.getIntOrFloatBitWidth();
  return llvm::divideCeil(bits, 8);
}

bool mlir::dist::isLegalReduction(Reduction reduction, Type type) {
  bool isBitwise = reduction == Reduction::Band ||
                   reduction == Reduction::Bor || reduction == Reduction::Bxor;
  if (isa<FloatType>(type))
    return !isBitwise;
  return isBitwise || !type.isInteger(1);
}

std::optional<int64_t> mlir::dist::getCollectiveBytes(CollectiveOpInterface op,
                                                      unsigned operand) {
  auto source = cast<ShapedType>(op.getSources()[operand].getType());
  if (!source.hasStaticShape())
    return std::nullopt;
  int64_t bytes = getElementBytes(source.getElementType());
  for (int64_t size : source.getShape())
    if (llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
  if (op.getCollectiveKind() != CollectiveKind::AllGather)
    return bytes;
  std::optional<int64_t> groupSize = getGroupSize(op.getGroup(), op);
  if (!groupSize || llvm::MulOverflow(bytes, *groupSize, bytes))
    return std::nullopt;
  return bytes;
}
