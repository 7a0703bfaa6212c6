//===- Sources.h - Where a value can come from ------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_ANALYSIS_SOURCES_H
#define DIST_DIALECT_DIST_ANALYSIS_SOURCES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::dist {

/// The values that `value` can be: it is followed backwards through branches,
/// loops, selections, references to futures and views of memrefs, up to what
/// none of these defines. In an order that depends on the program alone.
llvm::SetVector<Value> getSources(Value value);

} // namespace mlir::dist

#endif // DIST_DIALECT_DIST_ANALYSIS_SOURCES_H
