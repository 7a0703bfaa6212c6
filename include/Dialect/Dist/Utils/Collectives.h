//===- Collectives.h - Shapes and legality ----------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shapes and legality rules that all collectives share.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_UTILS_COLLECTIVES_H
#define DIST_DIALECT_DIST_UTILS_COLLECTIVES_H

#include "Dialect/Dist/IR/Dist.h"

namespace mlir::dist {

/// What a collective makes of the size of one dimension.
enum class SizeChange {
  Same,
  /// Times the group size.
  Multiplied,
  /// Divided by the group size, which must divide it.
  Divided,
  /// The same, but the group size must divide it: cut and put together along
  /// one dimension.
  Recut
};

/// What a collective makes of its source's shape, whatever the shape and the
/// group.
struct ShapeRule {
  /// The rule of `op`.
  static ShapeRule get(CollectiveOpInterface op);
  /// What becomes of dimension `index`.
  SizeChange getChange(int64_t index) const;

  CollectiveKind kind;
  /// Gather, scatter or split dimension.
  std::optional<int64_t> dim = std::nullopt;
  /// Where an all_to_all concatenates.
  std::optional<int64_t> concatDim = std::nullopt;
};

/// Shape of the result of a collective whose source has shape `source`.
/// `groupSize` may be unknown. A size that changes and is not known is dynamic.
/// A size that is divided is assumed to divide.
SmallVector<int64_t> inferCollectiveShape(ShapeRule rule,
                                          ArrayRef<int64_t> source,
                                          std::optional<int64_t> groupSize);

/// Types of the futures of a start without destinations.
SmallVector<Type> inferFutureTypes(ShapeRule rule, TypeRange sources,
                                   std::optional<int64_t> groupSize);

/// Whether a result of shape `result` may be declared for a source of shape
/// `source`: what is static in both agrees, and what is split divides. With an
/// unknown `groupSize` the sizes that change are not looked at.
bool isCompatibleCollectiveShape(ShapeRule rule, ArrayRef<int64_t> source,
                                 ArrayRef<int64_t> result,
                                 std::optional<int64_t> groupSize);

/// Whether source and destination of a collective may be one buffer.
bool mayShareBuffer(CollectiveKind kind);

/// Size of dimension `dim` of a tensor or memref.
OpFoldResult getMixedSize(OpBuilder &builder, Location loc, Value value,
                          int64_t dim);

/// Size of dimension `dim` of the result for source `index` of `op`, in terms
/// of that source and of the group.
OpFoldResult reifyResultSize(OpBuilder &builder, Location loc,
                             CollectiveOpInterface op, unsigned index,
                             int64_t dim);

/// Bytes of one element in memory, the stride that the lowering to LLVM gives
/// it: what is narrower than a byte takes one, an odd width the next power of
/// two, an index eight. nullopt for what is no number or wider than 16 bytes.
std::optional<int64_t> getElementBytes(Type type);

/// Whether the collectives can move elements of `type` at all.
bool isCollectiveElementType(Type type);

/// The row of the table data type x reduction: what is defined on elements of
/// `type`. Empty for elements that are only moved.
ArrayRef<Reduction> getLegalReductions(Type type);
bool isLegalReduction(Reduction reduction, Type type);

/// What a collective moves, by NCCL's convention: gather: its output, scatter:
/// its input, the others: the buffer. nullopt when a size is dynamic.
std::optional<int64_t> getCollectiveBytes(CollectiveOpInterface op,
                                          unsigned operand);

} // namespace mlir::dist

#endif // DIST_DIALECT_DIST_UTILS_COLLECTIVES_H
