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

//===----------------------------------------------------------------------===//
// Element types and reductions
//===----------------------------------------------------------------------===//

std::optional<int64_t> mlir::dist::getElementBytes(Type type) {
  constexpr int64_t kMaxBytes = 16;
  if (auto complex = dyn_cast<ComplexType>(type)) {
    std::optional<int64_t> part = getElementBytes(complex.getElementType());
    if (!part || 2 * *part > kMaxBytes)
      return std::nullopt;
    return 2 * *part;
  }
  // LLVM has no tf32.
  if (!isa<IntegerType, IndexType, FloatType>(type) || isa<FloatTF32Type>(type))
    return std::nullopt;
  unsigned bits = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                 : type.getIntOrFloatBitWidth();
  int64_t bytes = llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8));
  if (bits == 0 || bytes > kMaxBytes)
    return std::nullopt;
  return bytes;
}

bool mlir::dist::isCollectiveElementType(Type type) {
  return getElementBytes(type).has_value();
}

ArrayRef<Reduction> mlir::dist::getLegalReductions(Type type) {
  using R = Reduction;
  static constexpr R kFloats[] = {R::Sum, R::Product, R::Min,
                                  R::Max, R::Avg,     R::PremulSum};
  static constexpr R kComplex[] = {R::Sum, R::Product, R::Avg};
  static constexpr R kBooleans[] = {R::Band, R::Bor, R::Bxor};
  // umin and umax come last: a signed type has all but them.
  static constexpr R kIntegers[] = {R::Sum,  R::Product, R::Min, R::Max,
                                    R::Avg,  R::Band,    R::Bor, R::Bxor,
                                    R::Umin, R::Umax};
  if (isa<Float8E4M3FNType, Float8E5M2Type, Float16Type, BFloat16Type,
          Float32Type, Float64Type>(type))
    return kFloats;
  if (auto complex = dyn_cast<ComplexType>(type))
    return isa<Float32Type, Float64Type>(complex.getElementType())
               ? ArrayRef(kComplex)
               : ArrayRef<R>();
  if (type.isIndex())
    return kIntegers;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return {};
  switch (integer.getWidth()) {
  case 1:
    return kBooleans;
  case 8:
  case 16:
  case 32:
  case 64:
    return integer.isSigned() ? ArrayRef(kIntegers).drop_back(2)
                              : ArrayRef(kIntegers);
  default:
    return {};
  }
}

bool mlir::dist::isLegalReduction(Reduction reduction, Type type) {
  return llvm::is_contained(getLegalReductions(type), reduction);
}

std::optional<int64_t> mlir::dist::getCollectiveBytes(CollectiveOpInterface op,
                                                      unsigned operand) {
  auto source = cast<ShapedType>(op.getSources()[operand].getType());
  if (!source.hasStaticShape())
    return std::nullopt;
  int64_t bytes = *getElementBytes(source.getElementType());
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
