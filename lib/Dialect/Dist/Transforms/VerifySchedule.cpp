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
#include "mlir/IR/RegionKindInterface.h"

#define DEBUG_TYPE "dist-verify-schedule"

namespace mlir::dist {
#define GEN_PASS_DEF_VERIFYSCHEDULEPASS
#include "Dialect/Dist/Transforms/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

namespace {
/// Counts what is in flight, block by block in program order.
class BoundChecker {
public:
  BoundChecker(EffectAnalysis &effects, Communicators &communicators)
      : effects(effects), communicators(communicators) {}

  LogicalResult checkRegion(Region &region, const InFlightUsages &outside);

private:
  LogicalResult checkBlock(Block &block, const InFlightUsages &outside);
  LogicalResult checkStart(const Flight &flight, unsigned id,
                           InFlightUsage usage);

  EffectAnalysis &effects;
  Communicators &communicators;
};
} // namespace

LogicalResult BoundChecker::checkStart(const Flight &flight, unsigned id,
                                       InFlightUsage usage) {
  const Communicator &communicator = communicators.get(id);
  InFlightLimit limit = communicator.limit;
  if (usage.fits(limit))
    return success();
  CollectiveOpInterface start = flight.start;
  InFlightDiagnostic diag = start.emitOpError();
  bool isCount = limit.count != 0 && usage.count > limit.count;
  if (isCount)
    diag << "is number " << usage.count;
  else
    diag << "brings the bytes to " << usage.bytes;
  diag << " in flight on group " << getGroupName(communicator.group)
       << ", expected at most " << (isCount ? limit.count : limit.bytes);
  return diag;
}

LogicalResult BoundChecker::checkBlock(Block &block,
                                       const InFlightUsages &outside) {
  DependenceGraph graph(block, IssueOrder::Program, effects, communicators);
  SmallVector<Flight, 0> flights = getFlights(block, graph);
  ArrayRef<DependenceNode> nodes = graph.getNodes();
  InFlightUsages usages = outside;
  SmallVector<SmallVector<unsigned, 1>, 0> startsAt(nodes.size()),
      endsAt(nodes.size());
  auto getId = [&](const Flight &flight) {
    return communicators.getId(flight.start);
  };
  for (auto [index, flight] : llvm::enumerate(flights)) {
    if (flight.node < 0) {
      // A future that came in counts on every communicator, see dist-schedule.
      for (unsigned id = 0, e = communicators.size(); id != e; ++id) {
        InFlightUsage usage =
            flight.start
                ? getUsage(flight.start, communicators.get(id).limit)
                : getUsage(cast<FutureType>(flight.futures.front().getType()),
                           communicators.get(id).limit);
        usages[id] = usages[id] + usage;
      }
    } else {
      startsAt[flight.node].push_back(index);
    }
    if (!flight.ends.empty())
      endsAt[flight.ends.back()].push_back(index);
  }
  bool ok = true;
  for (auto [index, node] : llvm::enumerate(nodes)) {
    for (unsigned flight : startsAt[index]) {
      unsigned id = getId(flights[flight]);
      InFlightUsage &usage = usages[id];
      usage =
          usage + getUsage(flights[flight].start, communicators.get(id).limit);
      ok &= succeeded(checkStart(flights[flight], id, usage));
    }
    for (Region &region : node.op->getRegions())
      ok &= succeeded(checkRegion(region, usages));
    for (unsigned flight : endsAt[index]) {
      if (flights[flight].node >= 0) {
        unsigned id = getId(flights[flight]);
        usages[id] = usages[id] - getUsage(flights[flight].start,
                                           communicators.get(id).limit);
        continue;
      }
      for (auto &[id, usage] : usages) {
        InFlightLimit limit = communicators.get(id).limit;
        usage = usage -
                (flights[flight].start
                     ? getUsage(flights[flight].start, limit)
                     : getUsage(cast<FutureType>(
                                    flights[flight].futures.front().getType()),
                                limit));
      }
    }
  }
  return success(ok);
}

LogicalResult BoundChecker::checkRegion(Region &region,
                                        const InFlightUsages &outside) {
  bool ok = true;
  for (Block &block : region)
    if (!block.empty() && block.back().hasTrait<OpTrait::IsTerminator>() &&
        mayHaveSSADominance(region))
      ok &= succeeded(checkBlock(block, outside));
  return success(ok);
}

namespace {
struct VerifySchedulePass
    : public dist::impl::VerifySchedulePassBase<VerifySchedulePass> {
  using VerifySchedulePassBase::VerifySchedulePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<InFlightOptions> options = InFlightOptions::get(
        maxInFlight, maxInFlightBytes, limits, module.getLoc());
    if (failed(options))
      return signalPassFailure();
    bool isBounded = options->all.isBounded() || !options->groups.empty();
    Communicators communicators(*options);
    EffectAnalysis effects(module, communicators);
    // Numbers first, for futures that came in count on all communicators.
    module.walk([&](CollectiveOpInterface op) { communicators.getId(op); });
    bool ok = succeeded(checkFutures(module, effects));
    module.walk([&](FunctionOpInterface function) {
      if (function.isExternal())
        return;
      ok &= succeeded(checkBuffers(function, effects));
      if (isBounded)
        ok &= succeeded(BoundChecker(effects, communicators)
                            .checkRegion(function.getFunctionBody(), {}));
    });
    // What the simple checks see needs no second report.
    ok = ok && succeeded(checkLoops(module, effects));
    if (!ok)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
