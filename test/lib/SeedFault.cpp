//===- SeedFault.cpp - Breaks modules on purpose --------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A fault is made wherever a module has a place for it, as a wrong pass would
// make it. What it leaves is valid IR.

#include "SeedFault.h"
#include "Dialect/Dist/IR/Dist.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::dist;

template <typename Op> static SmallVector<Op> collect(ModuleOp module) {
  SmallVector<Op> ops;
  module.walk([&](Op op) { ops.push_back(op); });
  return ops;
}

static SmallVector<CollectiveOpInterface> collectStarts(ModuleOp module) {
  auto starts = collect<CollectiveOpInterface>(module);
  llvm::erase_if(starts, [](auto op) { return !op.isStart(); });
  return starts;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The first position instead of another one, the second instead of the first.
static void shiftRoots(ModuleOp module, RewriterBase &rewriter) {
  for (auto op : collect<CollectiveOpInterface>(module)) {
    GroupAttr group = op.getGroup();
    std::optional<int64_t> root = op.getCollectiveRoot();
    if (root && group.isTable() && group.getGroupSize() > 1)
      op->setAttr("root", rewriter.getI64IntegerAttr(*root == 0));
  }
}

static void changeReductions(ModuleOp module, RewriterBase &rewriter) {
  for (auto op : collect<CollectiveOpInterface>(module))
    if (op.getCollectiveReduction() == Reduction::Sum)
      op->setAttr("reduction",
                  ReductionAttr::get(rewriter.getContext(), Reduction::Max));
}

/// Only an exchange has the same type along another dimension, when there are
/// as many rows as members.
static void changeDims(ModuleOp module, RewriterBase &rewriter) {
  for (auto op : collect<AllToAllOp>(module)) {
    auto type = cast<ShapedType>(op.getSources()[0].getType());
    GroupAttr group = op.getGroup();
    bool fits = group.isProcessGroup() ||
                (group.isTable() && group.getGroupSize() == 2);
    if (type.getRank() == 2 && type.getDimSize(0) == 2 && fits) {
      op.setSplitDim(0);
      op.setConcatDim(0);
    }
  }
}

/// The targets of a permute move on by one sender.
static void rotatePairs(ModuleOp module, RewriterBase &rewriter) {
  for (auto op : collect<PermuteOp>(module)) {
    SmallVector<int64_t> pairs(op.getPairs());
    for (size_t i = 3; i < pairs.size(); i += 2)
      std::swap(pairs[i - 2], pairs[i]);
    op.setPairs(pairs);
  }
}

static void setGroups(ModuleOp module,
                      function_ref<GroupAttr(GroupAttr)> change) {
  for (auto op : collect<CollectiveOpInterface>(module))
    op->setAttr("group", change(op.getGroup()));
}

static void reverseGroups(ModuleOp module, RewriterBase &rewriter) {
  setGroups(module, [&](GroupAttr group) {
    if (!group.isTable())
      return group;
    SmallVector<SmallVector<int64_t>> lists;
    ArrayRef<int64_t> ranks = group.getRanks();
    for (; !ranks.empty(); ranks = ranks.drop_front(group.getGroupSize()))
      lists.emplace_back(llvm::reverse(ranks.take_front(group.getGroupSize())));
    return GroupAttr::getTable(rewriter.getContext(), lists,
                               group.getTagOrEmpty());
  });
}

static void forgetTags(ModuleOp module, RewriterBase &rewriter) {
  setGroups(module, [&](GroupAttr group) {
    return group.isProcessGroup()
               ? GroupAttr::getProcessGroup(rewriter.getContext(),
                                            group.getSymbol().getValue())
               : group;
  });
}

/// Every table is the one of the first collective with as many members.
static void useStaleGroups(ModuleOp module, RewriterBase &) {
  llvm::DenseMap<int64_t, GroupAttr> first;
  setGroups(module, [&](GroupAttr group) {
    return group.isTable() && group.getGroupSize() > 1
               ? first.try_emplace(group.getGroupSize(), group).first->second
               : group;
  });
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Who waits gets what was sent.
static void dropWaits(ModuleOp module, RewriterBase &) {
  for (auto wait : collect<WaitOp>(module))
    for (auto [future, value] : llvm::zip(wait.getFutures(), wait.getResults()))
      if (auto start = future.getDefiningOp<CollectiveOpInterface>()) {
        Value source =
            start.getSources()[cast<OpResult>(future).getResultNumber()];
        if (source.getType() == value.getType())
          value.replaceAllUsesWith(source);
      }
}

static void forgetDestinations(ModuleOp module, RewriterBase &rewriter) {
  for (auto op : collect<CollectiveOpInterface>(module))
    if (!op.isStart())
      for (auto [destination, result] :
           llvm::zip(op.getDestinations(), op->getResults()))
        result.replaceAllUsesWith(destination);
}

static void shiftSlices(ModuleOp module, RewriterBase &) {
  for (auto slice : collect<tensor::ExtractSliceOp>(module)) {
    SmallVector<int64_t> offsets(slice.getStaticOffsets());
    if (offsets[0] > 0) {
      --offsets[0];
      slice.setStaticOffsets(offsets);
    }
  }
}

static void swapSources(ModuleOp module, RewriterBase &) {
  for (CollectiveOpInterface op : collectStarts(module)) {
    MutableOperandRange sources = op.getSourcesMutable();
    if (sources.size() == 2 &&
        sources[0].get().getType() == sources[1].get().getType()) {
      SmallVector<Value> swapped = {sources[1].get(), sources[0].get()};
      sources.assign(swapped);
    }
  }
}

static void swapYields(ModuleOp module, RewriterBase &) {
  for (auto yield : collect<scf::YieldOp>(module))
    for (unsigned i = 1; i < yield->getNumOperands(); ++i) {
      Value left = yield->getOperand(i - 1), right = yield->getOperand(i);
      if (!isa<FutureType>(left.getType()) || left.getType() != right.getType())
        continue;
      yield->setOperand(i - 1, right);
      yield->setOperand(i, left);
    }
}

static void swapSelects(ModuleOp module, RewriterBase &) {
  for (Operation *op : collect<Operation *>(module))
    if (op->getName().getStringRef() == "arith.select" &&
        isa<FutureType>(op->getResult(0).getType())) {
      Value value = op->getOperand(1);
      op->setOperand(1, op->getOperand(2));
      op->setOperand(2, value);
    }
}

//===----------------------------------------------------------------------===//
// Starts
//===----------------------------------------------------------------------===//

/// The kind that the cheaper collective has.
static void changeKinds(ModuleOp module, RewriterBase &rewriter) {
  for (auto op : collect<AllReduceOp>(module)) {
    rewriter.setInsertionPoint(op);
    OperationState state(op.getLoc(), ReduceOp::getOperationName(),
                         op->getOperands(), op->getResultTypes(),
                         op->getAttrs());
    state.addAttribute("root", rewriter.getI64IntegerAttr(0));
    rewriter.replaceOp(op, rewriter.create(state));
  }
}

/// What CSE does to starts without effects.
static void mergeStarts(ModuleOp module, RewriterBase &rewriter) {
  SmallVector<CollectiveOpInterface> kept;
  for (CollectiveOpInterface op : collectStarts(module)) {
    auto same = llvm::find_if(kept, [&](CollectiveOpInterface other) {
      return other->getBlock() == op->getBlock() &&
             OperationEquivalence::isEquivalentTo(
                 other, op, OperationEquivalence::IgnoreLocations);
    });
    if (same == kept.end())
      kept.push_back(op);
    else
      rewriter.replaceOp(op, (*same)->getResults());
  }
}

/// What DCE does to starts without effects.
static void eraseDeadStarts(ModuleOp module, RewriterBase &rewriter) {
  for (CollectiveOpInterface op : collectStarts(module))
    if (op->use_empty())
      rewriter.eraseOp(op);
}

/// What LICM does to starts that are speculatable.
static void hoistStarts(ModuleOp module, RewriterBase &) {
  for (CollectiveOpInterface op : collectStarts(module)) {
    auto loop = dyn_cast<LoopLikeOpInterface>(op->getParentOp());
    if (loop && llvm::all_of(op->getOperands(), [&](Value operand) {
          return loop.isDefinedOutsideOfLoop(operand);
        }))
      op->moveBefore(loop);
  }
}

/// What sinking does to starts without effects: what only a branch needs starts
/// there.
static void sinkStarts(ModuleOp module, RewriterBase &) {
  for (CollectiveOpInterface op : collectStarts(module)) {
    Region *region = nullptr;
    bool sinks = !op->use_empty();
    for (Operation *user : op->getUsers()) {
      while (user->getParentOp() != op->getParentOp() &&
             user->getParentOp()->getParentOp() != op->getParentOp())
        user = user->getParentOp();
      sinks &= isa<scf::IfOp>(user->getParentOp()) &&
               user->getParentOp() != op->getParentOp() &&
               (!region || region == user->getParentRegion());
      region = user->getParentRegion();
    }
    if (sinks)
      op->moveBefore(&region->front(), region->front().begin());
  }
}

/// A start and the next one of its block change places.
static void swapStarts(ModuleOp module, RewriterBase &) {
  Operation *previous = nullptr;
  for (CollectiveOpInterface op : collectStarts(module)) {
    if (previous && previous->getBlock() == op->getBlock() &&
        llvm::all_of(op->getOperands(), [&](Value operand) {
          Operation *definition = operand.getDefiningOp();
          return !definition || definition->getBlock() != op->getBlock() ||
                 definition->isBeforeInBlock(previous);
        })) {
      op->moveBefore(previous);
      previous = nullptr;
    } else {
      previous = op;
    }
  }
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static Value getBase(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// Whether `op` itself writes to a view of what `source` is a view of.
static bool writes(Operation *op, Value source) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || isa<CollectiveOpInterface, WaitOp>(op))
    return false;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  return llvm::any_of(instances, [&](auto &instance) {
    return isa<MemoryEffects::Write>(instance.getEffect()) &&
           instance.getValue() &&
           getBase(instance.getValue()) == getBase(source);
  });
}

/// A wait passes the next writer of what is being sent.
static void sinkWaits(ModuleOp module, RewriterBase &) {
  for (auto wait : collect<WaitOp>(module))
    for (Operation *op = wait->getNextNode();
         op && !op->hasTrait<OpTrait::IsTerminator>() &&
         llvm::none_of(wait->getUsers(),
                       [&](Operation *user) {
                         return op ==
                                op->getBlock()->findAncestorOpInBlock(*user);
                       });
         op = op->getNextNode())
      if (llvm::any_of(wait.getKeeps(),
                       [&](Value source) { return writes(op, source); })) {
        wait->moveAfter(op);
        break;
      }
}

/// A start passes the writer of its source.
static void raiseStarts(ModuleOp module, RewriterBase &) {
  for (CollectiveOpInterface start : collectStarts(module))
    for (Operation *op = start->getPrevNode(); op; op = op->getPrevNode()) {
      if (llvm::is_contained(op->getUsers(), start.getOperation()))
        break;
      if (llvm::any_of(start.getSources(),
                       [&](Value source) { return writes(op, source); })) {
        start->moveBefore(op);
        break;
      }
    }
}

static void forgetFrees(ModuleOp module, RewriterBase &rewriter) {
  for (auto dealloc : collect<memref::DeallocOp>(module))
    rewriter.eraseOp(dealloc);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct Fault {
  StringRef name;
  void (*make)(ModuleOp, RewriterBase &);
};

const Fault faults[] = {
    {"root", shiftRoots},
    {"reduction", changeReductions},
    {"dim", changeDims},
    {"pairs", rotatePairs},
    {"reversed-group", reverseGroups},
    {"tag", forgetTags},
    {"stale-group", useStaleGroups},
    {"dropped-wait", dropWaits},
    {"destination", forgetDestinations},
    {"off-by-one", shiftSlices},
    {"sources", swapSources},
    {"yields", swapYields},
    {"selects", swapSelects},
    {"kind", changeKinds},
    {"merged-starts", mergeStarts},
    {"dead-starts", eraseDeadStarts},
    {"hoisted-starts", hoistStarts},
    {"sunk-starts", sinkStarts},
    {"swapped-starts", swapStarts},
    {"sunk-waits", sinkWaits},
    {"raised-starts", raiseStarts},
    {"frees", forgetFrees},
};

struct SeedFaultPass
    : public PassWrapper<SeedFaultPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SeedFaultPass)
  SeedFaultPass() = default;
  SeedFaultPass(const SeedFaultPass &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "test-seed-fault"; }
  StringRef getDescription() const override {
    return "Does what a wrong pass would do";
  }
  void runOnOperation() override {
    auto *found = llvm::find_if(
        faults, [&](const Fault &fault) { return fault.name == name; });
    if (found == std::end(faults)) {
      getOperation().emitError() << "no fault \"" << name << "\"";
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    found->make(getOperation(), rewriter);
  }
  Option<std::string> name{*this, "name", llvm::cl::desc("Which one")};
};
} // namespace

void mlir::dist::test::registerSeedFault() {
  PassRegistration<SeedFaultPass>();
}
