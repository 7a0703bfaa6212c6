//===- PrepareBufferization.cpp -------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Gives every future exactly one consumer on every path and makes sure that its
// source outlives it. docs/rationale.md says why this is enough.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Transforms/Passes.h"
#include "CarriedTensors.h"
#include "FutureSources.h"
#include "PlaceChecks.h"
#include "ScheduleChecks.h"
#include "SplitWaits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSet.h"

#define DEBUG_TYPE "dist-prepare-bufferization"

namespace mlir::dist {
#define GEN_PASS_DEF_PREPAREBUFFERIZATIONPASS
#include "Dialect/Dist/Transforms/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

static bool isFuture(Value value) { return isa<FutureType>(value.getType()); }

/// Says which values One-Shot would get wrong, and what could not be lifted.
static LogicalResult reportBlocks(Region &region, Operation &op, Type type) {
  InFlightDiagnostic diag =
      op.emitOpError() << "uses a value of type " << type
                       << " in a region of several blocks, expected one block; "
                          "lift-cf-to-scf did not lift it";
  for (Block &block : region) {
    Operation *end = &block.back();
    if (!isa<BranchOpInterface>(end) && !end->hasTrait<OpTrait::ReturnLike>())
      diag.attachNote(end->getLoc()) << "a block ends with '" << end->getName()
                                     << "', expected a branch or a return";
  }
  return diag;
}

/// Futures and tensors in a region of several blocks: One-Shot does not see all
/// conflicts there.
static LogicalResult checkBlocks(func::FuncOp function) {
  WalkResult result = function.walk([&](Operation *op) {
    for (Region &region : op->getRegions()) {
      if (region.empty() || region.hasOneBlock())
        continue;
      for (Block &block : region)
        for (Operation &inner : block)
          for (Value value : inner.getOperands())
            if (isa<TensorType, FutureType>(value.getType()))
              return WalkResult(
                  reportBlocks(region, inner, value.getType()));
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// A function that frees memory is taken to free all of it, which it cannot when
/// One-Shot allocates some.
static LogicalResult checkOwnership(func::FuncOp function) {
  Operation *free = nullptr;
  Value tensor;
  function.walk([&](Operation *op) {
    if (!free && hasEffect<MemoryEffects::Free>(op))
      free = op;
    auto look = [&](ValueRange values) {
      for (Value value : values)
        if (!tensor && isa<TensorType>(value.getType()))
          tensor = value;
    };
    look(op->getOperands());
    look(op->getResults());
  });
  if (!free || !tensor)
    return success();
  InFlightDiagnostic diag =
      free->emitOpError() << "frees memory in a function that computes with "
                             "tensors, whose buffers nothing would free";
  diag.attachNote(tensor.getLoc())
      << "has a value of type " << tensor.getType();
  return diag;
}

//===----------------------------------------------------------------------===//
// Normal form
//===----------------------------------------------------------------------===//

/// A select consumes one of its futures and forgets the other: only control
/// flow can say that.
static void expandSelect(arith::SelectOp select, RewriterBase &rewriter) {
  if (!isFuture(select.getResult()))
    return;
  rewriter.setInsertionPoint(select);
  auto branch = scf::IfOp::create(
      rewriter, select.getLoc(), select.getCondition(),
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, select.getTrueValue());
      },
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, select.getFalseValue());
      });
  rewriter.replaceOp(select, branch.getResults());
}

/// Poison tensors come from paths that do not define a value: any buffer does.
static void replacePoison(ub::PoisonOp poison, RewriterBase &rewriter) {
  auto type = dyn_cast<RankedTensorType>(poison.getType());
  if (!type)
    return;
  rewriter.setInsertionPoint(poison);
  SmallVector<Value> sizes;
  for (int64_t i = 0, e = type.getNumDynamicDims(); i != e; ++i)
    sizes.push_back(
        arith::ConstantIndexOp::create(rewriter, poison.getLoc(), 0));
  rewriter.replaceOpWithNewOp<tensor::EmptyOp>(poison, type, sizes);
}

/// Waits of one future that another wait dominates have its value: One-Shot
/// then sees one tensor and copies where somebody writes it.
static void mergeWaits(Value future, DominanceInfo &dominance,
                       RewriterBase &rewriter) {
  SmallVector<WaitOp> waits;
  for (Operation *user : future.getUsers())
    if (auto wait = dyn_cast<WaitOp>(user))
      waits.push_back(wait);
  // Uses come in no useful order.
  SmallVector<bool> merged(waits.size());
  for (size_t i = 0; i < waits.size(); ++i)
    for (size_t j = 0; j < waits.size(); ++j) {
      if (i == j || merged[i] || merged[j] ||
          !dominance.properlyDominates(waits[i], waits[j]))
        continue;
      rewriter.replaceOp(waits[j], waits[i].getResults());
      merged[j] = true;
    }
}

//===----------------------------------------------------------------------===//
// Linear use
//===----------------------------------------------------------------------===//

static void duplicateFor(OpOperand *use, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(use->getOwner());
  Value copy =
      DupOp::create(rewriter, use->getOwner()->getLoc(), use->get());
  rewriter.modifyOpInPlace(use->getOwner(), [&] { use->set(copy); });
}

static void dropAt(Value future, Operation *before, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(before);
  DropOp::create(rewriter, future.getLoc(), future, ValueRange());
}

/// The one block of `region`, made when an scf.if has no else.
static Block *getOrCreateBlock(Region &region, Location loc,
                               RewriterBase &rewriter) {
  if (!region.empty())
    return &region.front();
  Block *block = rewriter.createBlock(&region);
  scf::YieldOp::create(rewriter, loc);
  return block;
}

/// Makes every path through `block` consume `future` exactly once: all uses but
/// the last get a reference of their own, and a path without a use a drop.
static void consumeOnce(Value future, Block *block, ArrayRef<OpOperand *> uses,
                        RewriterBase &rewriter) {
  SmallVector<FutureUseGroup> groups = groupFutureUses(block, uses);
  if (groups.empty())
    return dropAt(future, block->getTerminator(), rewriter);
  auto duplicateAll = [&](ArrayRef<OpOperand *> uses) {
    for (OpOperand *use : uses)
      duplicateFor(use, rewriter);
  };
  FutureUseGroup last = groups.pop_back_val();
  for (FutureUseGroup &group : groups) {
    duplicateAll(group.direct);
    duplicateAll(group.nested);
  }
  if (last.nested.empty())
    return duplicateAll(ArrayRef<OpOperand *>(last.direct).drop_back());
  if (runsOneRegionOnce(last.op)) {
    for (Region &region : last.op->getRegions()) {
      SmallVector<OpOperand *> inside;
      for (OpOperand *use : last.nested)
        if (region.isAncestor(use->getOwner()->getParentRegion()))
          inside.push_back(use);
      Block *branch = getOrCreateBlock(region, last.op->getLoc(), rewriter);
      consumeOnce(future, branch, inside, rewriter);
    }
    return;
  }
  // A loop may run its body any number of times.
  duplicateAll(last.direct);
  duplicateAll(last.nested);
  dropAt(future, last.op->getNextNode(), rewriter);
}

/// Says where the collective of a future completes that some path loses.
static void warnOfOpenEnd(Value future) {
  auto start = future.getDefiningOp<CollectiveOpInterface>();
  Operation *end = start ? findOpenEnd(future) : nullptr;
  if (!end)
    return;
  InFlightDiagnostic diag =
      start.emitWarning()
      << "result " << cast<OpResult>(future).getResultNumber();
  if (future.use_empty()) {
    diag << " is never waited for; the collective completes at the end of its "
            "block";
    return;
  }
  diag << " is not waited for on every path; where it is not, the collective "
          "completes before the path ends";
  diag.attachNote(end->getLoc()) << "a path without a wait ends here";
}

static void makeLinear(Value future, RewriterBase &rewriter) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : future.getUses())
    uses.push_back(&use);
  warnOfOpenEnd(future);
  consumeOnce(future, future.getParentBlock(), uses, rewriter);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
class PrepareBufferization
    : public mlir::dist::impl::PrepareBufferizationPassBase<
          PrepareBufferization> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(checkBlocks(function)) || failed(checkOwnership(function)))
        return signalPassFailure();

    IRRewriter rewriter(module);
    normalize(module, rewriter);
    if (failed(checkPlaces(module)))
      return signalPassFailure();

    DominanceInfo &dominance = getAnalysis<DominanceInfo>();
    for (Value future : collectFutures(module))
      mergeWaits(future, dominance, rewriter);
    for (Value future : collectFutures(module))
      makeLinear(future, rewriter);
    if (failed(holdSources(module, rewriter)))
      signalPassFailure();
  }

private:
  static void normalize(ModuleOp module, RewriterBase &rewriter) {
    SmallVector<Operation *> ops;
    llvm::StringSet<> called;
    module.walk([&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op))
        called.insert(call.getCallee());
      if (isa<WaitOp, arith::SelectOp, ub::PoisonOp, scf::IndexSwitchOp,
              scf::WhileOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (auto wait = dyn_cast<WaitOp>(op))
        splitWait(wait, rewriter);
      else if (auto select = dyn_cast<arith::SelectOp>(op))
        expandSelect(select, rewriter);
      else if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
        expandSwitch(choice, rewriter);
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        ownCarriedTensors(loop, rewriter);
      else
        replacePoison(cast<ub::PoisonOp>(op), rewriter);
    }
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal() || !called.contains(function.getName()))
        continue;
      if (auto end = dyn_cast<func::ReturnOp>(function.back().getTerminator()))
        ownReturnedTensors(end, rewriter);
    }
  }

  /// All futures of the module, in program order.
  static SmallVector<Value> collectFutures(ModuleOp module) {
    SmallVector<Value> futures;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      llvm::copy_if(op->getResults(), std::back_inserter(futures), isFuture);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::copy_if(block.getArguments(), std::back_inserter(futures),
                        isFuture);
    });
    return futures;
  }
};
} // namespace
