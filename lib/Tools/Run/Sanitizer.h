//===- Sanitizer.h ----------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_TOOLS_RUN_SANITIZER_H
#define DIST_LIB_TOOLS_RUN_SANITIZER_H

namespace llvm {
class Module;
} // namespace llvm

namespace mlir::dist::run {

/// Makes the sanitizer that this binary was built with, if any, see the loads
/// and stores of `module`. Comes before the optimizer: the thread sanitizer
/// does not see accesses as wide as a vectorizer makes them.
void instrument(llvm::Module &module);

} // namespace mlir::dist::run

#endif // DIST_LIB_TOOLS_RUN_SANITIZER_H
