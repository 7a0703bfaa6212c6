//===- PlaceChecks.h - Where collectives may stand --------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_TRANSFORMS_PLACECHECKS_H
#define DIST_LIB_TRANSFORMS_PLACECHECKS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::dist {

/// Collectives, calls that communicate and operations on futures stand only
/// where they run in the order of the program, and futures meet only operations
/// that they can pass through.
LogicalResult checkPlaces(ModuleOp module);

} // namespace mlir::dist

#endif // DIST_LIB_TRANSFORMS_PLACECHECKS_H
