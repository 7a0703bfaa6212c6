//===- Report.h -------------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a run leaves behind: values, files, counters, pictures.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_TOOLS_RUN_REPORT_H
#define DIST_TOOLS_RUN_REPORT_H

#include "Tools/Run/Execution.h"

namespace mlir::dist::run {

/// Prints `rank 0: result 0: tensor<2xf32> = [1, 2]` for all ranks in order.
void printValues(const RunOptions &options, ArrayRef<const Program *> programs,
                 ArrayRef<RankOutcome> outcomes, raw_ostream &os);

/// Writes the results, and on request the arguments, as .npy files.
llvm::Error writeValues(const RunOptions &options,
                        ArrayRef<RankOutcome> outcomes);

/// Prints the counters of all ranks and of the allocation hooks as JSON.
void printCounters(distrtWorld *world, int64_t numRanks, raw_ostream &os);

/// Draws what the ranks did over time into an SVG file.
llvm::Error writeTimeline(distrtWorld *world, ArrayRef<RankOutcome> outcomes,
                          StringRef path);

} // namespace mlir::dist::run

#endif // DIST_TOOLS_RUN_REPORT_H
