//===- VerifyBufferization.cpp --------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Four questions, each answered from the buffers alone: does everything that a
// future reaches keep what it borrows; is every future consumed exactly once on
// every path; is a donated source nobody else's; does nothing in between touch
// what is in flight.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Transforms/Passes.h"
#include "FutureSources.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#define DEBUG_TYPE "dist-verify-bufferization"

namespace mlir::dist {
#define GEN_PASS_DEF_VERIFYBUFFERIZATIONPASS
#include "Dialect/Dist/Transforms/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

//===----------------------------------------------------------------------===//
// Borrowed sources
//===----------------------------------------------------------------------===//

static ValueRange getKeeps(Operation *op) {
  if (auto wait = dyn_cast<WaitOp>(op))
    return wait.getKeeps();
  if (auto drop = dyn_cast<DropOp>(op))
    return drop.getKeeps();
  return cast<KeepOp>(op).getKeeps();
}

/// Whether `op` keeps all buffers that `source` can show.
static bool keeps(Operation *op, Value source) {
  SmallVector<Value> kept, wanted;
  for (Value keep : getKeeps(op))
    collectRoots(keep, kept);
  collectRoots(source, wanted);
  return llvm::all_of(
      wanted, [&](Value root) { return llvm::is_contained(kept, root); });
}

/// Whether a keep of `source` follows the call in its block.
static bool keepFollows(Operation *call, Value source) {
  for (Operation *op = call->getNextNode(); op; op = op->getNextNode())
    if (isa<KeepOp>(op) && keeps(op, source))
      return true;
  return false;
}

static LogicalResult lost(CollectiveOpInterface start, unsigned index,
                          Operation *at, StringRef reason) {
  InFlightDiagnostic diag =
      at->emitOpError() << "source " << index << " of "
                        << start->getName().getStringRef()
                        << " may be overwritten or freed in flight: " << reason;
  diag.attachNote(start.getLoc()) << "the collective starts here";
  return diag;
}

/// Checks one buffer that the start borrows. Of those that take turns in a loop
/// all must be kept.
static LogicalResult verifyBorrowed(FutureFlow &flow,
                                    CollectiveOpInterface start, unsigned index,
                                    Value root) {
  std::string reason;
  FailureOr<FutureReach> reach =
      flow.follow(start->getResult(index), root, reason);
  if (failed(reach)) {
    SmallVector<Value> turns = collectCarriedRoots(root);
    if (llvm::equal(turns, ArrayRef(root)))
      return lost(start, index, start, reason);
    for (Value turn : turns)
      if (failed(verifyBorrowed(flow, start, index, turn)))
        return failure();
    return success();
  }
  for (auto [op, source] : reach->consumers)
    if (!keeps(op, source))
      return lost(start, index, op, "nothing keeps it up to here");
  for (auto [op, source] : reach->calls)
    if (!keepFollows(op, source))
      return lost(start, index, op, "nothing keeps it beyond this call");
  return success();
}

//===----------------------------------------------------------------------===//
// Donated sources
//===----------------------------------------------------------------------===//

/// The first use of `base`, or of a view of it, at or after the start, but for
/// the one that gives it away; null without one.
static Operation *findLaterUse(CollectiveOpInterface start, unsigned index,
                               Value base) {
  Block *block = start->getBlock();
  OpOperand *given = &start.getSourcesMutable()[index];
  Operation *first = nullptr, *firstAncestor = nullptr;
  SmallVector<Value> worklist = {base};
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      // A view alone touches nothing; its users are looked at.
      if (isa<ViewLikeOpInterface>(user)) {
        llvm::append_range(worklist, user->getResults());
        continue;
      }
      Operation *ancestor = block->findAncestorOpInBlock(*user);
      if (&use == given || (ancestor && ancestor->isBeforeInBlock(start)))
        continue;
      if (!first || (ancestor && firstAncestor &&
                     ancestor->isBeforeInBlock(firstAncestor))) {
        first = user;
        firstAncestor = ancestor;
      }
    }
  return first;
}

/// Checks that nobody uses a donated buffer after the start. A buffer from
/// outside of the start's block is not given away at run time.
static LogicalResult verifyDonated(CollectiveOpInterface start,
                                   unsigned index) {
  Value base = getBaseMemref(start.getSources()[index]);
  if (base.getParentBlock() != start->getBlock())
    return success();
  Operation *user = findLaterUse(start, index, base);
  if (!user)
    return success();
  InFlightDiagnostic diag =
      user->emitOpError() << "uses a buffer that was given away, source "
                          << index << " of " << start->getName().getStringRef();
  diag.attachNote(start.getLoc()) << "the collective starts here";
  return diag;
}

//===----------------------------------------------------------------------===//
// Exactly one consumer
//===----------------------------------------------------------------------===//

static LogicalResult consumedTwice(Value future, Operation *first,
                                   Operation *second) {
  InFlightDiagnostic diag = second->emitOpError()
                            << "consumes a future that is consumed before, "
                               "expected a dist.dup";
  diag.attachNote(first->getLoc()) << "consumed here";
  diag.attachNote(future.getLoc()) << "the future is made here";
  return diag;
}

/// Checks that every path through `block` meets exactly one of `uses`.
static LogicalResult verifyConsumedOnce(Value future, Block *block,
                                        ArrayRef<OpOperand *> uses) {
  // A dup leaves the reference where it is.
  SmallVector<OpOperand *> consumers;
  llvm::copy_if(uses, std::back_inserter(consumers),
                [](OpOperand *use) { return !isa<DupOp>(use->getOwner()); });
  if (consumers.empty()) {
    Operation *end = block->getTerminator();
    InFlightDiagnostic diag = end->emitOpError()
                              << "is reached with a future in flight that "
                                 "nothing waits for or drops";
    diag.attachNote(future.getLoc()) << "the future is made here";
    return diag;
  }
  SmallVector<FutureUseGroup> groups = groupFutureUses(block, consumers);
  if (groups.size() > 1)
    return consumedTwice(future, groups[0].op, groups[1].op);
  FutureUseGroup &group = groups.front();
  if (group.direct.size() + (group.nested.empty() ? 0 : 1) > 1)
    return consumedTwice(future, group.op, group.op);
  if (!group.direct.empty())
    return success();
  if (!runsOneRegionOnce(group.op))
    return group.nested.front()->getOwner()->emitOpError()
           << "consumes a future from outside of a region that may run any "
              "number of times";
  for (Region &region : group.op->getRegions()) {
    SmallVector<OpOperand *> inside;
    for (OpOperand *use : group.nested)
      if (region.isAncestor(use->getOwner()->getParentRegion()))
        inside.push_back(use);
    if (region.empty()) {
      InFlightDiagnostic diag = group.op->emitOpError()
                                << "has no else, where a future would stay in "
                                   "flight that nothing waits for or drops";
      diag.attachNote(future.getLoc()) << "the future is made here";
      return diag;
    }
    if (failed(verifyConsumedOnce(future, &region.front(), inside)))
      return failure();
  }
  return success();
}

static LogicalResult verifyConsumed(Value future) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : future.getUses()) {
    if (!future.getParentBlock()->findAncestorOpInBlock(*use.getOwner()))
      return use.getOwner()->emitOpError()
             << "uses a future of another block, expected one block per region";
    uses.push_back(&use);
  }
  return verifyConsumedOnce(future, future.getParentBlock(), uses);
}

//===----------------------------------------------------------------------===//
// In flight
//===----------------------------------------------------------------------===//

namespace {
/// A buffer that is in flight at one place of a block.
struct Flight {
  CollectiveOpInterface start;
  unsigned index;
  bool isDestination;
};

/// Walks down a block from starts to waits. Reports what certainly touches a
/// buffer in flight: the same buffer or a view of it. What only may alias, or
/// happens in another block than start and wait, is left to the keeps.
class FlightCheck {
public:
  LogicalResult run(Block &block) {
    for (Operation &op : block) {
      // Where in its regions a future ends is for the keeps to tell.
      for (Region &region : op.getRegions())
        region.walk([&](Operation *inner) { endOperands(inner); });
      // An operation that takes a future may wait for it before anything else.
      endOperands(&op);
      if (!flights.empty() && failed(checkEffects(&op)))
        return failure();
      auto start = dyn_cast<CollectiveOpInterface>(op);
      if (start && start.isStart())
        begin(start);
    }
    return success();
  }

private:
  void add(CollectiveOpInterface start, unsigned index, Value buffer,
           bool isDestination) {
    Flight flight = {start, index, isDestination};
    flights[buffer].push_back(flight);
    // Whoever frees the buffer frees all views of it.
    for (Value base = buffer; Value next = getBase(base); base = next)
      parts[next].push_back(flight);
  }

  void begin(CollectiveOpInterface start) {
    for (auto [index, source] : llvm::enumerate(start.getSources()))
      if (start.getSourceMode(index) == SourceMode::Borrow)
        add(start, index, source, false);
    for (auto [index, destination] : llvm::enumerate(start.getDestinations()))
      add(start, index, destination, true);
  }

  /// A dup leaves the reference where it is, everything else takes it.
  void endOperands(Operation *op) {
    if (isa<DupOp>(op))
      return;
    for (Value operand : op->getOperands())
      if (isa<FutureType>(operand.getType()))
        end(operand);
  }

  void end(Value future) {
    auto start = future.getDefiningOp<CollectiveOpInterface>();
    if (!start || !start.isStart())
      return;
    unsigned index = cast<OpResult>(future).getResultNumber();
    SmallVector<Value> buffers = {start.getSources()[index]};
    if (!start.getDestinations().empty())
      buffers.push_back(start.getDestinations()[index]);
    auto isOver = [&](const Flight &flight) {
      return flight.start == start && flight.index == index;
    };
    for (Value buffer : buffers) {
      llvm::erase_if(flights[buffer], isOver);
      for (Value base = getBase(buffer); base; base = getBase(base))
        llvm::erase_if(parts[base], isOver);
    }
  }

  static Value getBase(Value memref) {
    if (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
      if (isa<BaseMemRefType>(view.getViewSource().getType()))
        return view.getViewSource();
    return {};
  }

  LogicalResult checkEffects(Operation *op) {
    // A wait names destinations and keeps of its own collective.
    if (isa<WaitOp, DropOp, KeepOp>(op))
      return success();
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
        getEffectsRecursively(op);
    if (!effects)
      return success();
    for (const MemoryEffects::EffectInstance &effect : *effects) {
      if (!effect.getValue() ||
          !isa<BaseMemRefType>(effect.getValue().getType()))
        continue;
      for (Value buffer = effect.getValue(); buffer; buffer = getBase(buffer))
        if (failed(check(op, effect, flights.lookup(buffer))))
          return failure();
      if (isa<MemoryEffects::Free>(effect.getEffect()) &&
          failed(check(op, effect, parts.lookup(effect.getValue()))))
        return failure();
    }
    return success();
  }

  static LogicalResult check(Operation *op,
                             const MemoryEffects::EffectInstance &effect,
                             ArrayRef<Flight> hit) {
    bool reads = isa<MemoryEffects::Read>(effect.getEffect());
    for (const Flight &flight : hit) {
      if ((reads && !flight.isDestination) ||
          isa<MemoryEffects::Allocate>(effect.getEffect()))
        continue;
      bool frees = isa<MemoryEffects::Free>(effect.getEffect());
      InFlightDiagnostic diag =
          op->emitOpError()
          << (frees   ? "frees"
              : reads ? "reads"
                      : "writes")
          << " " << (flight.isDestination ? "destination " : "source ")
          << flight.index << " of "
          << CollectiveOpInterface(flight.start)->getName().getStringRef()
          << ", which is in flight";
      diag.attachNote(CollectiveOpInterface(flight.start).getLoc())
          << "the collective starts here";
      return diag;
    }
    return success();
  }

  /// By the buffer itself, and by every buffer that it is a view of.
  DenseMap<Value, SmallVector<Flight>> flights, parts;
};
} // namespace

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

static LogicalResult verifyStart(FutureFlow &flow,
                                 CollectiveOpInterface start) {
  for (auto [index, source] : llvm::enumerate(start.getSources())) {
    if (!isa<MemRefType>(source.getType()))
      continue;
    if (start.getSourceMode(index) == SourceMode::Donate &&
        failed(verifyDonated(start, index)))
      return failure();
    if (start.getSourceMode(index) != SourceMode::Borrow)
      continue;
    SmallVector<Value> roots;
    collectRoots(source, roots);
    for (Value root : roots)
      if (failed(verifyBorrowed(flow, start, index, root)))
        return failure();
  }
  return success();
}

/// Checks what an operation and the arguments of its regions define.
static LogicalResult verifyFutures(Operation *op) {
  for (Value result : op->getResults())
    if (isa<FutureType>(result.getType()) && failed(verifyConsumed(result)))
      return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      for (BlockArgument argument : block.getArguments())
        if (isa<FutureType>(argument.getType()) &&
            failed(verifyConsumed(argument)))
          return failure();
      if (failed(FlightCheck().run(block)))
        return failure();
    }
  return success();
}

namespace {
class VerifyBufferization
    : public mlir::dist::impl::VerifyBufferizationPassBase<
          VerifyBufferization> {
public:
  void runOnOperation() override {
    FutureFlow flow(getOperation());
    WalkResult result = getOperation().walk([&](Operation *op) {
      auto start = dyn_cast<CollectiveOpInterface>(op);
      if ((start && start.isStart() && failed(verifyStart(flow, start))) ||
          failed(verifyFutures(op)))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
