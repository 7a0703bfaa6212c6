//===- ScheduleChecks.h - Parts of dist-verify-schedule ---------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_TRANSFORMS_SCHEDULECHECKS_H
#define DIST_LIB_TRANSFORMS_SCHEDULECHECKS_H

#include "Dialect/Dist/Analysis/Effects.h"
#include <string>

namespace mlir::dist {

/// "all_reduce of %arg0 (memref<1xi32>)".
std::string describeStart(CollectiveOpInterface start);

/// The operation at which a path ends that does not consume `future`, null
/// without one.
Operation *findOpenEnd(Value future);

/// "%arg0", or "@name" of a global.
std::string describeBuffer(Value buffer);

/// Every future is consumed on every path, and no wait is for a null future.
LogicalResult checkFutures(Operation *root, EffectAnalysis &effects);

/// Nothing touches the buffers of a collective in flight.
LogicalResult checkBuffers(FunctionOpInterface function,
                           EffectAnalysis &effects);

/// Nothing touches the buffers of futures that loops carry, whichever of
/// several these are.
LogicalResult checkLoops(ModuleOp module, EffectAnalysis &effects);

/// All of the above.
LogicalResult checkInFlight(ModuleOp module, EffectAnalysis &effects);

} // namespace mlir::dist

#endif // DIST_LIB_TRANSFORMS_SCHEDULECHECKS_H
