//===- Views.h - Operations that only look at data --------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What counts as reading data and what only as another way to look at it. A
// change of the element type reads; a change of the shape does not.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_ANALYSIS_VIEWS_H
#define DIST_DIALECT_DIST_ANALYSIS_VIEWS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace mlir::dist {

/// The operand whose data the result of `op` shows: of a reshape, slice or cast
/// of a tensor, of a `dist.opaque` with `view`, of a view of a memref. Null
/// when `op` is none of these.
OpOperand *getViewedOperand(Operation *op);

/// The same for tensors only.
bool isTensorView(Operation *op);

/// Follows views from `value` to what they look at.
Value skipViews(Value value);

} // namespace mlir::dist

#endif // DIST_DIALECT_DIST_ANALYSIS_VIEWS_H
