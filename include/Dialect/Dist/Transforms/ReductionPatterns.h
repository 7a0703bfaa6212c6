//===- ReductionPatterns.h - Smaller programs for dist-reduce ---*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_TRANSFORMS_REDUCTIONPATTERNS_H
#define DIST_DIALECT_DIST_TRANSFORMS_REDUCTIONPATTERNS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::dist {

/// Lets mlir-reduce and dist-reduce simplify operations of the dialect. The
/// patterns change what a program computes: they keep it well-formed, and
/// whether what is left is interesting is asked of the user's test.
void registerReductionPatterns(DialectRegistry &registry);

} // namespace mlir::dist

#endif // DIST_DIALECT_DIST_TRANSFORMS_REDUCTIONPATTERNS_H
