//===- Unprotect.h ----------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Takes protections of the lowering out, one at a time, to show that each of
// them is needed and that tests would see it missing.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_TEST_LIB_UNPROTECT_H
#define DIST_TEST_LIB_UNPROTECT_H

#include "Dialect/Dist/IR/Dist.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::dist::test {

/// Registers `test-dist-unprotect`, `test-dist-bufferize` and
/// `test-dist-to-llvm`.
void registerUnprotect();

/// Carries the destination of each collective through loops as a buffer beside
/// the future, with the copy that bufferization makes of a yielded buffer.
void carryDestinations(ModuleOp module, RewriterBase &rewriter);

} // namespace mlir::dist::test

#endif // DIST_TEST_LIB_UNPROTECT_H
