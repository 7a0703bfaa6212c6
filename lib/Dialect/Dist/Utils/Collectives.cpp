//===- Collectives.cpp - Shapes and legality --------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Utils/Collectives.h"
#include "Dialect/Dist/Utils/Groups.h"

using namespace mlir;
using namespace mlir::dist;

SmallVector<int64_t>
mlir::dist::inferCollectiveShape(CollectiveKind kind, ArrayRef<int64_t> source,
                                 std::optional<int64_t> dim,
                                 std::optional<int64_t> groupSize) {
  SmallVector<int64_t> shape(source);
  if (kind != CollectiveKind::AllGather &&
      kind != CollectiveKind::ReduceScatter)
    return shape;
  int64_t &size = shape[*dim];
  if (ShapedType::isDynamic(size) || !groupSize) {
    // Nothing times anything, or a part of nothing, is still nothing.
    if (size != 0)
      size = ShapedType::kDynamic;
  } else if (kind == CollectiveKind::AllGather) {
    if (llvm::MulOverflow(size, *groupSize, size))
      size = ShapedType::kDynamic;
  } else {
    size /= *groupSize;
  }
  return shape;
}

bool mlir::dist::isCompatibleCollectiveShape(CollectiveKind kind,
                                             ArrayRef<int64_t> source,
                                             ArrayRef<int64_t> result,
                                             std::optional<int64_t> dim,
                                             std::optional<int64_t> groupSize) {
  SmallVector<int64_t> expected =
      inferCollectiveShape(kind, source, dim, groupSize);
  if (expected.size() != result.size())
    return false;
  for (auto [index, size, found] : llvm::enumerate(expected, result)) {
    bool isCollectiveDim = static_cast<int64_t>(index) == dim;
    if (isCollectiveDim && !groupSize)
      continue;
    if (isCollectiveDim && kind == CollectiveKind::ReduceScatter &&
        ShapedType::isStatic(source[index]) && source[index] % *groupSize != 0)
      return false;
    if (ShapedType::isStatic(size) && ShapedType::isStatic(found) &&
        size != found)
      return false;
    // A gathered size that is not known yet is still a multiple.
    if (isCollectiveDim && kind == CollectiveKind::AllGather &&
        ShapedType::isStatic(found) && found % *groupSize != 0)
      return false;
  }
  return true;
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
