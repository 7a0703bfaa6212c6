//===- VerifySchedule.cpp - Checks of scheduled programs --------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checks proper are in FutureChecks.cpp and BufferChecks.cpp; here is the
// bound of what is in flight.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Analysis/InFlight.h"
#include "Dialect/Dist/Transforms/Passes.h"
#include "ScheduleChecks.h"

#define DEBUG_TYPE "dist-verify-schedule"

namespace mlir::dist {
#define GEN_PASS_DEF_VERIFYSCHEDULEPASS
#include "Dialect/Dist/Transforms/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

static void reportExcess(Operation *op, const Communicator &communicator,
                         InFlightUsage usage) {
  InFlightLimit limit = communicator.limit;
  bool isStart = isa<CollectiveOpInterface>(op);
  bool isCount = limit.count != 0 && usage.count > limit.count;
  InFlightDiagnostic diag = op->emitOpError();
  if (!isCount)
    diag << "brings the bytes to " << usage.bytes;
  else if (isStart)
    diag << "is number " << usage.count;
  else
    diag << "brings the collectives to " << usage.count;
  diag << " in flight on group " << getGroupName(communicator.group)
       << ", expected at most " << (isCount ? limit.count : limit.bytes);
}

namespace {
struct VerifySchedulePass
    : public dist::impl::VerifySchedulePassBase<VerifySchedulePass> {
  using VerifySchedulePassBase::VerifySchedulePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<InFlightOptions> options =
        InFlightOptions::get(maxInFlight, maxInFlightBytes, limits, module);
    if (failed(options))
      return signalPassFailure();
    bool isBounded = options->all.isBounded() || !options->groups.empty();
    Communicators communicators(*options);
    EffectAnalysis effects(module, communicators);
    InFlightAnalysis inFlight(module, effects, communicators);
    bool ok = succeeded(checkInFlight(module, effects));
    if (isBounded)
      module.walk([&](FunctionOpInterface function) {
        if (!function.isExternal())
          inFlight.walk(function.getFunctionBody(), {},
                        [&](Operation *op, unsigned id, InFlightUsage usage) {
                          ok = false;
                          reportExcess(op, communicators.get(id), usage);
                        });
      });
    if (!ok)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
