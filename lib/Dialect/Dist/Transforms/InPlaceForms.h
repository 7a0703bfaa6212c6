//===- InPlaceForms.h - Starts and their in-place forms ---------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pairing of `dist.X` with `dist.X_into`, used in both directions.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_TRANSFORMS_INPLACEFORMS_H
#define DIST_LIB_TRANSFORMS_INPLACEFORMS_H

#include "Dialect/Dist/IR/Dist.h"
#include "mlir/IR/Builders.h"

namespace mlir::dist {

/// Whether `op` is one of the synchronous forms, `dist.X_into`.
bool isIntoOp(Operation *op);

/// The start that does what `into` does. Its futures are of the destinations
/// where they are memrefs; for tensors they have `futures` as their types.
CollectiveOpInterface
createStart(OpBuilder &builder, CollectiveOpInterface into, TypeRange futures);

/// The synchronous form of the tensor start `start` with `destinations`.
CollectiveOpInterface createInto(OpBuilder &builder,
                                 CollectiveOpInterface start,
                                 ValueRange destinations);

} // namespace mlir::dist

#endif // DIST_LIB_TRANSFORMS_INPLACEFORMS_H
