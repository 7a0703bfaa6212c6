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

/// Shape of the result of a collective whose source has shape `source`.
/// `groupSize` may be unknown. A gathered or scattered size that is not known
/// is dynamic. The scattered size is assumed to divide.
SmallVector<int64_t> inferCollectiveShape(CollectiveKind kind,
                                          ArrayRef<int64_t> source,
                                          std::optional<int64_t> dim,
                                          std::optional<int64_t> groupSize);

/// Types of the futures of a start without destinations.
SmallVector<Type> inferFutureTypes(CollectiveKind kind, TypeRange sources,
                                   std::optional<int64_t> dim,
                                   std::optional<int64_t> groupSize);

/// Whether a result of shape `result` may be declared for a source of shape
/// `source`: what is static in both agrees, and what is split divides. With an
/// unknown `groupSize` the collective dimension is not looked at.
bool isCompatibleCollectiveShape(CollectiveKind kind, ArrayRef<int64_t> source,
                                 ArrayRef<int64_t> result,
                                 std::optional<int64_t> dim,
                                 std::optional<int64_t> groupSize);

/// Whether the collectives can move elements of `type` at all.
bool isCollectiveElementType(Type type);

/// Bytes of one element where it is stored; an index has eight.
int64_t getElementBytes(Type type);

/// Whether `reduction` is defined on elements of `type`: the table data type x
/// reduction. floats: sum, product, min, max, avg; integers: all; i1: band, bor
/// and bxor.
bool isLegalReduction(Reduction reduction, Type type);

/// What a collective moves, by NCCL's convention: gather: its output, scatter:
/// its input, the others: the buffer. nullopt when a size is dynamic.
std::optional<int64_t> getCollectiveBytes(CollectiveOpInterface op,
                                          unsigned operand);

} // namespace mlir::dist

#endif // DIST_DIALECT_DIST_UTILS_COLLECTIVES_H
