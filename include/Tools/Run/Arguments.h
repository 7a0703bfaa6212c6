//===- Arguments.h ----------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the values of arguments come from.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_TOOLS_RUN_ARGUMENTS_H
#define DIST_TOOLS_RUN_ARGUMENTS_H

#include "Tools/Run/Array.h"
#include "Tools/Run/Options.h"
#include "Tools/Run/Signature.h"

namespace mlir::dist::run {

/// Reads or generates the arguments of one rank. In order of preference: --arg
/// and --input, a file of --input-dir, zeros for a writable argument, --fill.
llvm::Expected<std::vector<Array>> makeArguments(const RunOptions &options,
                                                 const Signature &signature,
                                                 int64_t rank);

/// Checks that options name arguments that exist.
llvm::Error checkArgumentOptions(const RunOptions &options,
                                 const Signature &signature);

} // namespace mlir::dist::run

#endif // DIST_TOOLS_RUN_ARGUMENTS_H
