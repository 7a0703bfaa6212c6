//===- FutureChecks.cpp - Futures are consumed ------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Analysis/FutureFlow.h"
#include "Dialect/Dist/Analysis/Sources.h"
#include "ScheduleChecks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlir::dist;

std::string mlir::dist::describeStart(CollectiveOpInterface start) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << stringifyCollectiveKind(start.getCollectiveKind()) << " of ";
  llvm::interleaveComma(start.getSources(), os, [&](Value source) {
    source.printAsOperand(os, OpPrintingFlags());
    os << " (" << source.getType() << ")";
  });
  return text;
}

std::string mlir::dist::describeBuffer(Value buffer) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto get = buffer.getDefiningOp<memref::GetGlobalOp>())
    os << get.getNameAttr();
  else
    buffer.printAsOperand(os, OpPrintingFlags());
  return text;
}

namespace {
/// Follows one future to the ends of all paths.
class PathWalk {
public:
  explicit PathWalk(Value future) {
    for (Operation *user : future.getUsers()) {
      // A second reference leaves the first one to be consumed.
      if (isa<DupOp>(user))
        continue;
      isUsed = true;
      // The future that a select does not choose stays where it is.
      auto select = dyn_cast<arith::SelectOp>(user);
      if (!select || select.getTrueValue() == select.getFalseValue())
        users.push_back(user);
    }
    this->future = future;
  }

  bool hasConsumer() const { return isUsed; }

  /// The operation at which a path ends that does not consume the future, null
  /// without one.
  Operation *findOpenEnd() {
    return findOpenEnd(future.getParentBlock(), users);
  }

private:
  Operation *findOpenEnd(Block *from, ArrayRef<Operation *> inside);
  Operation *findOpenEndInside(Operation *op, ArrayRef<Operation *> inside);
  bool isHandedOn(BranchOpInterface branch, unsigned successor);

  Value future;
  SmallVector<Operation *> users;
  bool isUsed = false;
};
} // namespace

bool PathWalk::isHandedOn(BranchOpInterface branch, unsigned successor) {
  return llvm::is_contained(
      branch.getSuccessorOperands(successor).getForwardedOperands(), future);
}

/// Whether `loop` runs its body at least once.
static bool hasIteration(scf::ForOp loop) {
  APInt lower, upper;
  return matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) &&
         matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) &&
         lower.slt(upper);
}

/// A path through `op`, which has uses in its regions, that consumes nothing.
Operation *PathWalk::findOpenEndInside(Operation *op,
                                       ArrayRef<Operation *> inside) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (loop && !hasIteration(loop))
    return op;
  if (!runsOneRegionOnce(op) && !isa<scf::ForOp, scf::WhileOp>(op))
    return nullptr;
  for (Region &region : op->getRegions()) {
    // The second region of scf.while may never run; the first one does.
    if (isa<scf::WhileOp>(op) && region.getRegionNumber() == 1)
      break;
    if (region.empty())
      return op;
    SmallVector<Operation *> here;
    for (Operation *user : inside)
      if (region.isAncestor(user->getParentRegion()))
        here.push_back(user);
    if (Operation *end = findOpenEnd(&region.front(), here))
      return end;
  }
  return nullptr;
}

Operation *PathWalk::findOpenEnd(Block *from, ArrayRef<Operation *> inside) {
  // The operations of this region's blocks with uses inside of them.
  llvm::MapVector<Operation *, SmallVector<Operation *>> uses;
  for (Operation *user : inside)
    if (Operation *op = from->getParent()->findAncestorOpInRegion(*user))
      uses[op].push_back(user);
  llvm::DenseMap<Block *, Operation *> openInside;
  llvm::SmallPtrSet<Block *, 4> closed;
  for (auto &[op, nested] : uses) {
    Block *block = op->getBlock();
    if (llvm::is_contained(nested, op)) {
      if (!isa<BranchOpInterface>(op))
        closed.insert(block);
    } else if (Operation *end = findOpenEndInside(op, nested)) {
      openInside.try_emplace(block, end);
    } else {
      closed.insert(block);
    }
  }
  SmallVector<Block *> worklist = {from};
  llvm::SmallPtrSet<Block *, 4> seen = {from};
  while (!worklist.empty()) {
    Block *block = worklist.pop_back_val();
    if (closed.contains(block))
      continue;
    Operation *terminator = &block->back();
    if (block->getNumSuccessors() == 0) {
      // A path that does not return has no end.
      if (terminator->hasTrait<OpTrait::ReturnLike>() ||
          isa<scf::YieldOp, scf::ConditionOp>(terminator)) {
        Operation *inner = openInside.lookup(block);
        return inner ? inner : terminator;
      }
      continue;
    }
    auto branch = dyn_cast<BranchOpInterface>(terminator);
    for (auto [index, next] : llvm::enumerate(block->getSuccessors()))
      if ((!branch || !isHandedOn(branch, index)) && seen.insert(next).second)
        worklist.push_back(next);
  }
  return nullptr;
}

/// "result 1" or "argument 0".
static std::string getPosition(Value future) {
  if (auto result = dyn_cast<OpResult>(future))
    return "result " + std::to_string(result.getResultNumber());
  return "argument " +
         std::to_string(cast<BlockArgument>(future).getArgNumber());
}

/// For a future that nothing waits for: an operation of its block that touches
/// a buffer of its collective while that is in flight.
static LogicalResult reportRace(Value future, EffectAnalysis &effects) {
  llvm::SmallDenseMap<Value, CollectiveOpInterface> buffers;
  for (Value source : getSources(future))
    if (CollectiveOpInterface start = getStart(source)) {
      unsigned index = cast<OpResult>(source).getResultNumber();
      if (!start.getDestinations().empty())
        for (Value buffer : getSources(start.getDestinations()[index]))
          buffers.try_emplace(effects.getIdentity(buffer), start);
    }
  if (buffers.empty())
    return success();
  Operation *def = future.getDefiningOp();
  Operation *op = def ? def->getNextNode() : &future.getParentBlock()->front();
  for (; op; op = op->getNextNode())
    for (MemoryAccess access : effects.getEffects(op).accesses) {
      if (!access.memref || !access.isWrite || isa<WaitOp>(op))
        continue;
      for (Value buffer : getSources(access.memref)) {
        auto found = buffers.find(effects.getIdentity(buffer));
        if (found == buffers.end())
          continue;
        InFlightDiagnostic diag =
            op->emitOpError()
            << "touches buffer " << describeBuffer(buffer) << " while the "
            << describeStart(found->second)
            << " is in flight: its future is not waited for before";
        diag.attachNote(found->second.getLoc()) << "started here";
        return diag;
      }
    }
  return success();
}

Operation *mlir::dist::findOpenEnd(Value future) {
  return PathWalk(future).findOpenEnd();
}

static LogicalResult checkConsumed(Value future, EffectAnalysis &effects) {
  PathWalk walk(future);
  Operation *end = walk.findOpenEnd();
  if (!end)
    return success();
  if (!walk.hasConsumer() && failed(reportRace(future, effects)))
    return failure();
  Operation *def = future.getDefiningOp();
  if (!def)
    def = future.getParentBlock()->getParentOp();
  InFlightDiagnostic diag = def->emitOpError();
  diag << getPosition(future) << " of type " << future.getType()
       << (walk.hasConsumer() ? " is not waited for on every path"
                              : " is not waited for");
  if (walk.hasConsumer())
    diag.attachNote(end->getLoc()) << "a path without a wait ends here";
  return diag;
}

/// `ub.poison` is a future without a collective.
static LogicalResult checkNotNull(WaitOp wait) {
  for (auto [index, future] : llvm::enumerate(wait.getFutures())) {
    SetVector<Value> sources = getSources(future);
    if (llvm::all_of(sources, [](Value source) {
          return source.getDefiningOp<ub::PoisonOp>() != nullptr;
        }))
      return wait.emitOpError()
             << "waits for operand " << index
             << ", which is a null future (ub.poison): no collective was "
                "started";
  }
  return success();
}

LogicalResult mlir::dist::checkFutures(Operation *root,
                                       EffectAnalysis &effects) {
  bool ok = true;
  auto check = [&](Value value) {
    if (isa<FutureType>(value.getType()))
      ok &= succeeded(checkConsumed(value, effects));
  };
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    // A null future has nothing to wait for.
    if (!isa<ub::PoisonOp>(op))
      llvm::for_each(op->getResults(), check);
    if (auto wait = dyn_cast<WaitOp>(op))
      ok &= succeeded(checkNotNull(wait));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!block.empty())
          llvm::for_each(block.getArguments(), check);
  });
  return success(ok);
}
