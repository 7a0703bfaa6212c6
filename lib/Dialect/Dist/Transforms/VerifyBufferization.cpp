//===- VerifyBufferization.cpp -  -----------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//


#include "Dialect/Dist/Transforms/Passes.h"
#include "FutureSources.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::dist {
#define GEN_PASS_DEF_VERIFYBUFFERIZATIONPASS
#include "Dialect/Dist/Transforms/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

static ValueRange getKeeps(Operation *op) {
  if (auto wait = dyn_cast<WaitOp>(op))
    return wait.getKeeps();
  if (auto drop = dyn_cast<DropOp>(op))
    return drop.getKeeps();
  return cast<KeepOp>(op).getKeeps();
}

static bool keeps(Operation *op, Value root) {
  return llvm::any_of(getKeeps(op), [&](Value keep) {
    SmallVector<Value> roots;
    collectRoots(keep, roots);
    return llvm::is_contained(roots, root);
  });
}

/// Whether a keep of `root` follows the call in its block.
static bool keepFollows(Operation *call, Value root) {
  for (Operation *op = call->getNextNode(); op; op = op->getNextNode())
    if (isa<KeepOp>(op) && keeps(op, root))
      return true;
  return false;
}

static LogicalResult lost(CollectiveOpInterface start, unsigned index,
                          Operation *at, StringRef reason) {
  InFlightDiagnostic diag = at->emitOpError()
                            << "source " << index << " of "
                            << start->getName().getStringRef()
                            << " may be overwritten or freed in flight: "
                            << reason;
  diag.attachNote(start.getLoc()) << "the collective starts here";
  return diag;
}

/// Checks one buffer that the start borrows.
static LogicalResult verifyRoot(FutureFlow &flow, CollectiveOpInterface start,
                                unsigned index, Value root) {
  std::string reason;
  FailureOr<FutureReach> reach =
      flow.follow(start->getResult(index), root, reason);
  if (failed(reach))
    return lost(start, index, start, reason);
  for (auto [op, source] : reach->consumers)
    if (!keeps(op, source))
      return lost(start, index, op, "nothing keeps it up to here");
  for (auto [op, source] : reach->calls)
    if (!keepFollows(op, source))
      return lost(start, index, op, "nothing keeps it beyond this call");
  return success();
}

namespace {
class VerifyBufferization
    : public mlir::dist::impl::VerifyBufferizationPassBase<
          VerifyBufferization> {
public:
  void runOnOperation() override {
    FutureFlow flow(getOperation());
    WalkResult result = getOperation().walk([&](CollectiveOpInterface start) {
      if (start.isStart() && failed(verifyStart(flow, start)))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  static LogicalResult verifyStart(FutureFlow &flow,
                                   CollectiveOpInterface start) {
    for (auto [index, source] : llvm::enumerate(start.getSources())) {
      if (!isa<MemRefType>(source.getType()) ||
          start.getSourceMode(index) != SourceMode::Borrow)
        continue;
      SmallVector<Value> roots;
      collectRoots(source, roots);
      for (Value root : roots)
        if (failed(verifyRoot(flow, start, index, root)))
          return failure();
    }
    return success();
  }
};
} // namespace
