//===- LoopChecks.cpp - Buffers that futures carry around loops -*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows the first iterations of loops that carry futures, with the constants
// of the program, and so knows which of several buffers each future has in
// flight. What is found that way happens on a path of the program: no alarm is
// false. What depends on values that nobody knows gets a remark.
//
//===----------------------------------------------------------------------===//

#include "Replay.h"
#include "ScheduleChecks.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::dist;

namespace {
class RaceFinder : public Replay {
public:
  RaceFinder(EffectAnalysis &effects, llvm::DenseSet<Operation *> &seen)
      : Replay(effects), effects(effects), seen(seen) {}

protected:
  LogicalResult visit(Operation *op) override;

private:
  LogicalResult check(Operation *op, const BufferParts &parts, bool isWrite,
                      bool touchesAll);

  EffectAnalysis &effects;
  /// Operations with a diagnostic.
  llvm::DenseSet<Operation *> &seen;
};
} // namespace

/// Whether `op` touches all elements of its buffers.
static bool touchesAll(Operation *op) {
  return isa<linalg::LinalgOp, memref::CopyOp, memref::DeallocOp,
             CollectiveOpInterface>(op);
}

LogicalResult RaceFinder::check(Operation *op, const BufferParts &parts,
                                bool isWrite, bool touchesAll) {
  for (const BufferPart &part : parts)
    for (unsigned id : getFlights(part.root)) {
      const ReplayedFlight &flight = getFlight(id);
      if (flight.state == FlightState::Done ||
          (!flight.isDestination && !isWrite))
        continue;
      for (const BufferPart &inFlight : flight.parts) {
        Overlap overlap = compare(inFlight, part, touchesAll);
        if (overlap == Overlap::None)
          continue;
        bool isError = flight.state == FlightState::InFlight &&
                       flight.parts.size() == 1 && parts.size() == 1 &&
                       overlap == Overlap::Certain;
        if ((!isError && !flight.isCarried) || !seen.insert(op).second)
          continue;
        InFlightDiagnostic diag =
            isError ? op->emitOpError() : op->emitRemark();
        diag << (isError ? "" : "cannot be proved safe: ")
             << (isWrite ? "writes buffer " : "reads buffer ")
             << describeBuffer(part.root) << " while the "
             << describeStart(flight.start) << (isError ? " is" : " may be")
             << " in flight, whose "
             << (flight.isDestination ? "destination" : "source") << " it is";
        diag.attachNote(flight.start->getLoc()) << "started here";
        for (Operation *call : llvm::reverse(getCalls()))
          diag.attachNote(call->getLoc()) << "called here";
        if (isError)
          return diag;
      }
    }
  return success();
}

LogicalResult RaceFinder::visit(Operation *op) {
  bool all = touchesAll(op);
  for (MemoryAccess access : effects.getEffects(op).accesses) {
    if (!access.buffer)
      continue;
    bool isOperand =
        access.memref && llvm::is_contained(op->getOperands(), access.memref);
    BufferParts parts =
        isOperand ? getTouched(op, access.memref) : getParts(access.buffer);
    if (failed(check(op, parts, access.isWrite, isOperand && all)))
      return failure();
  }
  return success();
}

/// Whether a loop of `function` carries a future.
static bool carriesFutures(FunctionOpInterface function) {
  return function
      ->walk([](LoopLikeOpInterface loop) {
        return llvm::any_of(loop->getResultTypes(), llvm::IsaPred<FutureType>)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult mlir::dist::checkLoops(ModuleOp module, EffectAnalysis &effects) {
  bool ok = true;
  llvm::DenseSet<Operation *> seen;
  module.walk([&](FunctionOpInterface function) {
    if (!function.isExternal() && carriesFutures(function))
      ok &= succeeded(RaceFinder(effects, seen).run(function));
  });
  return success(ok);
}

LogicalResult mlir::dist::checkInFlight(ModuleOp module,
                                        EffectAnalysis &effects) {
  bool ok = succeeded(checkFutures(module, effects));
  module.walk([&](FunctionOpInterface function) {
    if (!function.isExternal())
      ok &= succeeded(checkBuffers(function, effects));
  });
  // What the simple checks see needs no second report.
  return success(ok && succeeded(checkLoops(module, effects)));
}
