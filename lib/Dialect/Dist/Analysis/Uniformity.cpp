//===- Uniformity.cpp - What all ranks do alike ---------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The analysis begins with agreement on everything and restricts it until
// nothing changes: a value agrees where all that it is computed from does. The
// memory of a buffer is one value that all writers restrict.

#include "Dialect/Dist/Analysis/Uniformity.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::dist;

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

/// Operands of `op` that none of `forwarded` contains.
static void addUnforwarded(Operation *op, ArrayRef<OperandRange> forwarded,
                           SmallVectorImpl<Value> &values) {
  llvm::SmallBitVector isForwarded(op->getNumOperands());
  for (OperandRange range : forwarded)
    if (!range.empty())
      isForwarded.set(range.getBeginOperandIndex(),
                      range.getBeginOperandIndex() + range.size());
  for (OpOperand &operand : op->getOpOperands())
    if (!isForwarded.test(operand.getOperandNumber()))
      values.push_back(operand.get());
}

static SmallVector<Value> getDecidingValues(RegionBranchOpInterface op) {
  SmallVector<Value> values;
  SmallVector<RegionSuccessor> successors;
  SmallVector<OperandRange> forwarded;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  for (RegionSuccessor successor : successors)
    forwarded.push_back(op.getEntrySuccessorOperands(successor));
  addUnforwarded(op, forwarded, values);
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      auto terminator =
          dyn_cast<RegionBranchTerminatorOpInterface>(block.back());
      if (!terminator)
        continue;
      successors.clear();
      forwarded.clear();
      op.getSuccessorRegions(region, successors);
      for (RegionSuccessor successor : successors)
        forwarded.push_back(terminator.getSuccessorOperands(successor));
      addUnforwarded(terminator, forwarded, values);
    }
  return values;
}

SmallVector<Value> UniformityAnalysis::getDecidingValues(Operation *op) {
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    return ::getDecidingValues(branch);
  SmallVector<Value> values;
  auto branch = dyn_cast<BranchOpInterface>(op);
  if (!branch)
    return llvm::to_vector(op->getOperands());
  SmallVector<OperandRange> forwarded;
  for (unsigned index = 0, e = op->getNumSuccessors(); index != e; ++index)
    forwarded.push_back(
        branch.getSuccessorOperands(index).getForwardedOperands());
  addUnforwarded(op, forwarded, values);
  return values;
}

Agreements::Id UniformityAnalysis::getDecision(Operation *op) {
  if (op->hasAttr(DistDialect::kUniformAttrName))
    return Agreements::kAll;
  return meet(getDecidingValues(op));
}

/// A branch decides about the blocks that it reaches before the one where its
/// ways meet again.
void UniformityAnalysis::findDeciders(Region &region) {
  if (!regionsWithDeciders.insert(&region).second)
    return;
  PostDominanceInfo postDominance(region.getParentOp());
  auto &tree = postDominance.getDomTree(&region);
  for (Block &block : region) {
    if (block.getNumSuccessors() < 2)
      continue;
    auto *node = tree.getNode(&block);
    Block *meeting =
        node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    llvm::SetVector<Block *> reached(block.succ_begin(), block.succ_end());
    for (size_t index = 0; index != reached.size(); ++index)
      if (reached[index] != meeting)
        reached.insert(reached[index]->succ_begin(),
                       reached[index]->succ_end());
    for (Block *other : reached)
      if (other != meeting)
        deciders[other].push_back(block.getTerminator());
  }
}

ArrayRef<Operation *> UniformityAnalysis::getDeciders(Block &block) {
  Region *region = block.getParent();
  if (llvm::hasSingleElement(*region))
    return {};
  findDeciders(*region);
  return deciders[&block];
}

Agreements::Id UniformityAnalysis::getControl(Block &block) {
  Agreements::Id control = Agreements::kAll;
  for (Block *current = &block; current;) {
    for (Operation *branch : getDeciders(*current))
      control = agreements.meet(control, getDecision(branch));
    Operation *parent = current->getParentOp();
    if (isa<FunctionOpInterface>(parent))
      return agreements.meet(control, functionControl.lookup(parent));
    if (!parent || isa<ModuleOp>(parent))
      return control;
    control = agreements.meet(control, getDecision(parent));
    current = parent->getBlock();
  }
  return control;
}

bool UniformityAnalysis::isUniform(Block &block) {
  return isSpmd || getControl(block) == Agreements::kAll;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

UniformityAnalysis::UniformityAnalysis(ModuleOp module, EffectAnalysis &effects)
    : isSpmd(module->hasAttr(DistDialect::kSpmdAttrName)), effects(effects),
      agreements(module) {
  // Functions that are named otherwise than by a call have unknown callers.
  llvm::StringSet<> named;
  module.walk([&](Operation *op) {
    if (!isa<CallOpInterface>(op))
      op->getAttrDictionary().walk(
          [&](FlatSymbolRefAttr symbol) { named.insert(symbol.getValue()); });
  });
  module.walk([&](FunctionOpInterface function) {
    functionResults[function].resize(function.getNumResults());
    initialize(function, named);
  });
  do {
    changed = false;
    module.walk([&](Operation *op) { visit(op); });
  } while (changed);
}

void UniformityAnalysis::initialize(FunctionOpInterface function,
                                    const llvm::StringSet<> &named) {
  auto symbol = dyn_cast<SymbolOpInterface>(function.getOperation());
  bool isPrivate =
      symbol && symbol.isPrivate() && !named.contains(function.getName());
  if (function.isExternal() || isPrivate)
    return;
  for (BlockArgument argument : function.getArguments())
    if (!function.getArgAttr(argument.getArgNumber(),
                             DistDialect::kUniformAttrName))
      restrict(argument, Agreements::kNone);
}

Agreements::Id UniformityAnalysis::getAgreement(Value value) {
  if (!isa<BaseMemRefType>(value.getType()))
    return values.lookup(value);
  return agreements.meet(values.lookup(getBuffer(value)), anyMemory);
}

Agreements::Id UniformityAnalysis::meet(ValueRange range) {
  Agreements::Id result = Agreements::kAll;
  for (Value value : range)
    result = agreements.meet(result, getAgreement(value));
  return result;
}

void UniformityAnalysis::restrict(Agreements::Id &known,
                                  Agreements::Id agreement) {
  Agreements::Id result = agreements.meet(known, agreement);
  changed |= result != known;
  known = result;
}

void UniformityAnalysis::restrict(Value value, Agreements::Id agreement) {
  if (agreement == Agreements::kAll)
    return;
  if (isa<BaseMemRefType>(value.getType()))
    value = getBuffer(value);
  restrict(values[value], agreement);
}

void UniformityAnalysis::restrictMemory(Value memref,
                                        Agreements::Id agreement) {
  restrict(memref, agreement);
  // What is no memory of its own may be the same buffer as anything.
  Value buffer = getBuffer(memref);
  Operation *op = buffer.getDefiningOp();
  if (!op ||
      !(isa<WaitOp>(op) || hasEffect<MemoryEffects::Allocate>(op, buffer)))
    restrict(anyMemory, agreement);
}

void UniformityAnalysis::visit(Operation *op) {
  if (auto collective = dyn_cast<CollectiveOpInterface>(op))
    return visitCollective(collective);
  if (auto wait = dyn_cast<WaitOp>(op))
    return visitWait(wait);
  if (auto rank = dyn_cast<RankOp>(op))
    return restrict(rank.getResult(),
                    rank.getGroup() ? agreements.byPosition(rank.getGroupAttr())
                                    : Agreements::Id(Agreements::kNone));
  if (auto call = dyn_cast<CallOpInterface>(op))
    return visitCall(call);
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    return visitRegionBranch(branch);
  if (auto branch = dyn_cast<BranchOpInterface>(op))
    return visitBranch(branch);
  auto function = dyn_cast_or_null<FunctionOpInterface>(op->getParentOp());
  if (function && op->hasTrait<OpTrait::ReturnLike>())
    return visitReturn(op, function);
  if (!isa<FunctionOpInterface, ModuleOp>(op))
    visitOther(op);
}

/// What arrives is the same on all members of a list, or on nobody. Where even
/// the sources agree, so do the lists.
void UniformityAnalysis::visitCollective(CollectiveOpInterface op) {
  GroupAttr group = op.getGroup();
  bool isEqual =
      llvm::is_contained({CollectiveKind::AllGather, CollectiveKind::AllReduce,
                          CollectiveKind::Broadcast},
                         op.getCollectiveKind());
  for (auto [index, source] : llvm::enumerate(op.getSources())) {
    Agreements::Id result = Agreements::kNone;
    bool isCommon = getAgreement(source) == Agreements::kAll;
    if (isEqual && isCommon && agreements.coversWorld(group))
      result = Agreements::kAll;
    else if (isEqual)
      result = agreements.withinLists(group);
    if (index < op->getNumResults())
      restrict(op->getResult(index), result);
    if (index < op.getDestinations().size() &&
        isa<BaseMemRefType>(op.getDestinations()[index].getType()))
      restrictMemory(op.getDestinations()[index],
                     agreements.meet(result, getControl(*op->getBlock())));
  }
}

void UniformityAnalysis::visitWait(WaitOp op) {
  for (auto [future, result] :
       llvm::zip_first(op.getFutures(), op.getResults()))
    restrict(result, getAgreement(future));
  Agreements::Id waited = meet(op.getFutures());
  for (Value destination : op.getDestinations())
    restrictMemory(destination, waited);
}

void UniformityAnalysis::visitCall(CallOpInterface call) {
  FunctionOpInterface callee = effects.getCallee(call);
  if (!callee || callee.isExternal()) {
    for (Value result : call->getResults())
      restrict(result, Agreements::kNone);
    for (Value operand : call.getArgOperands())
      if (isa<BaseMemRefType>(operand.getType()))
        restrictMemory(operand, Agreements::kNone);
    return;
  }
  restrict(functionControl[callee], getControl(*call->getBlock()));
  for (auto [operand, argument] :
       llvm::zip(call.getArgOperands(), callee.getArguments())) {
    if (!callee.getArgAttr(argument.getArgNumber(),
                           DistDialect::kUniformAttrName))
      restrict(argument, getAgreement(operand));
    if (isa<BaseMemRefType>(operand.getType()))
      restrict(operand, values.lookup(argument));
  }
  for (auto [result, agreement] :
       llvm::zip(call->getResults(), functionResults[callee]))
    restrict(result, agreement);
}

void UniformityAnalysis::visitReturn(Operation *op,
                                     FunctionOpInterface function) {
  Agreements::Id control = Agreements::kAll;
  for (Operation *branch : getDeciders(*op->getBlock()))
    control = agreements.meet(control, getDecision(branch));
  for (auto [known, value] :
       llvm::zip(functionResults[function], op->getOperands()))
    restrict(known, agreements.meet(control, getAgreement(value)));
}

void UniformityAnalysis::visitRegionBranch(RegionBranchOpInterface op) {
  Agreements::Id decision = getDecision(op);
  auto pull = [&](ArrayRef<RegionSuccessor> successors) {
    for (const RegionSuccessor &successor : successors)
      for (auto [index, input] :
           llvm::enumerate(successor.getSuccessorInputs())) {
        SmallVector<Value> sources;
        op.getPredecessorValues(successor, index, sources);
        restrict(input, agreements.meet(decision, meet(sources)));
      }
  };
  SmallVector<RegionSuccessor> successors;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  pull(successors);
  for (Region &region : op->getRegions()) {
    successors.clear();
    op.getSuccessorRegions(region, successors);
    pull(successors);
    // Induction variables and what else the operation itself makes up.
    for (BlockArgument argument : region.getArguments())
      restrict(argument, decision);
  }
}

void UniformityAnalysis::visitBranch(BranchOpInterface op) {
  for (auto [index, block] : llvm::enumerate(op->getSuccessors())) {
    if (block->getNumArguments() == 0)
      continue;
    // Which of the ways that meet here was taken is part of the value.
    Agreements::Id way = Agreements::kAll;
    if (op->getNumSuccessors() > 1)
      way = getDecision(op);
    for (Operation *branch : getDeciders(*op->getBlock()))
      way = agreements.meet(way, getDecision(branch));
    SuccessorOperands operands = op.getSuccessorOperands(index);
    for (BlockArgument argument : block->getArguments()) {
      Value value = operands[argument.getArgNumber()];
      restrict(argument,
               value ? agreements.meet(way, getAgreement(value)) : way);
    }
  }
}

void UniformityAnalysis::visitOther(Operation *op) {
  Agreements::Id inputs = meet(op->getOperands());
  for (Region &region : op->getRegions()) {
    for (BlockArgument argument : region.getArguments())
      restrict(argument, inputs);
    for (Block &block : region)
      if (block.mightHaveTerminator())
        inputs =
            agreements.meet(inputs, meet(block.getTerminator()->getOperands()));
  }
  for (Value result : op->getResults())
    restrict(result, inputs);

  if (isMemoryEffectFree(op))
    return;
  Agreements::Id written = agreements.meet(inputs, getControl(*op->getBlock()));
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    SmallVector<MemoryEffects::EffectInstance> found;
    if (interface)
      interface.getEffectsOnValue(operand.get(), found);
    bool isWritten = !interface;
    for (const MemoryEffects::EffectInstance &effect : found)
      isWritten |= isa<MemoryEffects::Write>(effect.getEffect());
    if (isWritten)
      restrictMemory(operand.get(), written);
  }
}
