//===- PlaceChecks.cpp - Where collectives may stand ------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ranks of a group must issue the same collectives in the same order. A
// region whose iterations have no order, or that may be run by many threads or
// any number of times, cannot promise that, even if it happens to run in order
// today.
//
//===----------------------------------------------------------------------===//

#include "PlaceChecks.h"
#include "Dialect/Dist/Analysis/Effects.h"
#include "Dialect/Dist/Analysis/FutureFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::dist;

static constexpr StringLiteral kPlaces =
    ", expected functions, scf.if, scf.for, scf.while, scf.index_switch, "
    "scf.execute_region and memref.alloca_scope only, which run in one order";

static constexpr StringLiteral kWays =
    "; futures pass through scf.if, scf.for, scf.while, scf.index_switch, "
    "scf.execute_region, calls and returns only";

static bool isFuture(Value value) { return isa<FutureType>(value.getType()); }

/// Whether the regions of `op` run where it stands, in the program's order.
static bool runsInOrder(Operation *op) {
  return runsOneRegionOnce(op) || isa<scf::ForOp, scf::WhileOp>(op);
}

/// What is around `op` and may run it in another order than that of `module`;
/// null without such a thing.
static Operation *findUnordered(Operation *op, ModuleOp module) {
  for (Operation *up = op->getParentOp(); up; up = up->getParentOp()) {
    if (isa<func::FuncOp>(up))
      return up->getParentOp() == module ? nullptr : up->getParentOp();
    if (!runsInOrder(up))
      return up;
  }
  return nullptr;
}

/// An operation that a future cannot be handed to.
static LogicalResult checkOperands(Operation *op) {
  // A yield hands on what the operation around it can take, or stands wrong.
  if (isa<scf::YieldOp>(op))
    return success();
  for (OpOperand &operand : op->getOpOperands())
    if (isFuture(operand.get()) &&
        classifyFutureUse(operand).kind == FutureUse::Kind::Unknown)
      return op->emitOpError() << "takes a value of type "
                               << operand.get().getType() << kWays;
  return success();
}

LogicalResult mlir::dist::checkPlaces(ModuleOp module) {
  Communicators communicators;
  EffectAnalysis effects(module, communicators);
  WalkResult result = module.walk([&](Operation *op) {
    bool communicates = isa<CollectiveOpInterface, WaitOp, DupOp, DropOp>(op) ||
                        llvm::any_of(op->getOperands(), isFuture) ||
                        llvm::any_of(op->getResults(), isFuture);
    bool isCall = isa<CallOpInterface>(op);
    if (isCall && !communicates)
      communicates = !effects.getEffects(op).communicators.empty();
    if (!communicates)
      return WalkResult::advance();
    if (failed(checkOperands(op)))
      return WalkResult::interrupt();
    Operation *around = findUnordered(op, module);
    if (!around)
      return WalkResult::advance();
    InFlightDiagnostic diag = op->emitOpError();
    if (isCall)
      diag << "communicates and ";
    diag << "stands inside of '" << around->getName() << "'";
    if (isa<ModuleOp>(around))
      diag << ", expected a function of the module that is lowered";
    else
      diag << kPlaces;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}
