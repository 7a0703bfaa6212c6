//===- Run.h ----------------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// dist-run as a library.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_TOOLS_RUN_RUN_H
#define DIST_TOOLS_RUN_RUN_H

#include "Tools/Run/Options.h"

namespace mlir {
class DialectRegistry;

namespace dist::run {

/// Compiles the program that `options` name and runs it on all ranks. Every
/// failure is an error of one line or, where ranks failed, of one line per rank
/// in their order; located diagnostics are on stderr by then.
llvm::Error runProgram(const RunOptions &options, DialectRegistry &registry);

/// The main function of dist-run.
int runMain(int argc, char **argv, DialectRegistry &registry);

} // namespace dist::run
} // namespace mlir

#endif // DIST_TOOLS_RUN_RUN_H
