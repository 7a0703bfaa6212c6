//===- Reduction.h - Smaller programs ---------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass dist-reduction: makes a module smaller, one operation at a time,
// while a script of the user's finds it interesting.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_TOOLS_REDUCE_REDUCTION_H
#define DIST_TOOLS_REDUCE_REDUCTION_H

namespace mlir::dist {

/// Registers the pass; the only one who wants it is dist-reduce.
void registerReductionPass();

} // namespace mlir::dist

#endif // DIST_TOOLS_REDUCE_REDUCTION_H
