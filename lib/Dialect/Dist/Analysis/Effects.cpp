//===- Effects.cpp - What operations touch ----------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Analysis/Effects.h"
#include "Dialect/Dist/Analysis/Views.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::dist;

CollectiveOpInterface mlir::dist::getStart(Value future) {
  auto start = future.getDefiningOp<CollectiveOpInterface>();
  return start && start.isStart() ? start : CollectiveOpInterface();
}

static bool isMemRef(Value value) {
  return isa<BaseMemRefType>(value.getType());
}

/// The destination that result `index` of `wait` is, null when it is fresh or
/// not known.
static Value getWaitedDestination(WaitOp wait, unsigned index) {
  auto isNamed = [](Value future) {
    return cast<FutureType>(future.getType()).hasNamedDestination();
  };
  Value future = wait.getFutures()[index];
  if (!isNamed(future))
    return {};
  unsigned position =
      llvm::count_if(wait.getFutures().take_front(index), isNamed);
  if (position < wait.getDestinations().size())
    return wait.getDestinations()[position];
  CollectiveOpInterface start = getStart(future);
  if (!start || start.getDestinations().empty())
    return {};
  return start.getDestinations()[cast<OpResult>(future).getResultNumber()];
}

Value mlir::dist::getBuffer(Value memref) {
  for (;;) {
    memref = skipViews(memref);
    auto wait = memref.getDefiningOp<WaitOp>();
    if (!wait)
      return memref;
    Value destination =
        getWaitedDestination(wait, cast<OpResult>(memref).getResultNumber());
    if (!destination)
      return memref;
    memref = destination;
  }
}

Value EffectAnalysis::getIdentity(Value buffer) {
  auto get = buffer.getDefiningOp<memref::GetGlobalOp>();
  Operation *global =
      get ? symbols.lookupNearestSymbolFrom(get, get.getNameAttr()) : nullptr;
  return global ? globals.try_emplace(global, buffer).first->second : buffer;
}

//===----------------------------------------------------------------------===//
// Aliases
//===----------------------------------------------------------------------===//

EffectAnalysis::EffectAnalysis(ModuleOp, Communicators &communicators)
    : communicators(communicators) {}

/// Whether `value`, a memref, is memory of its own when it is defined.
static bool isFresh(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return function && argument.getOwner()->isEntryBlock() &&
           function.getArgAttr(argument.getArgNumber(), "llvm.noalias");
  }
  auto effects = dyn_cast<MemoryEffectOpInterface>(value.getDefiningOp());
  return effects && effects.getEffectOnValue<MemoryEffects::Allocate>(value);
}

/// Whether the future of `start` goes anywhere but to waits: then the buffers
/// are touched where nobody sees which they are.
static bool futuresEscape(CollectiveOpInterface start) {
  return llvm::any_of(start->getUsers(),
                      [](Operation *user) { return !isa<WaitOp>(user); });
}

bool EffectAnalysis::escapes(Value buffer) {
  SmallVector<Value> worklist = {buffer};
  llvm::SmallDenseSet<Value> seen = {buffer};
  auto follow = [&](Value alias) {
    if (seen.insert(alias).second)
      worklist.push_back(alias);
  };
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (OpOperand *viewed = getViewedOperand(user)) {
        if (viewed == &use)
          follow(user->getResult(0));
        continue;
      }
      if (auto wait = dyn_cast<WaitOp>(user)) {
        for (unsigned i = 0, e = wait->getNumResults(); i != e; ++i)
          if (getWaitedDestination(wait, i) == value)
            follow(wait.getResult(i));
        continue;
      }
      auto start = dyn_cast<CollectiveOpInterface>(user);
      if (start && start.isStart() && futuresEscape(start))
        return true;
      if (start || (user->hasTrait<OpTrait::ReturnLike>() &&
                    isa<FunctionOpInterface>(user->getParentOp())))
        continue;
      if (!isa<MemoryEffectOpInterface>(user) ||
          user->hasTrait<OpTrait::IsTerminator>() ||
          llvm::any_of(user->getResults(), isMemRef))
        return true;
      // Whoever stores a memref in memory gives it away.
      if (auto effects = cast<MemoryEffectOpInterface>(user);
          !effects.getEffectOnValue<MemoryEffects::Read>(value) &&
          !effects.getEffectOnValue<MemoryEffects::Write>(value) &&
          !effects.getEffectOnValue<MemoryEffects::Free>(value) &&
          !effects.hasNoEffect())
        return true;
    }
  }
  return false;
}

bool EffectAnalysis::isIsolated(Value buffer) {
  auto [entry, isNew] = isolated.insert({buffer, false});
  if (isNew) {
    bool result = isFresh(buffer) && !escapes(buffer);
    isolated[buffer] = result;
    return result;
  }
  return entry->second;
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

static void addAccess(Value memref, bool isWrite, OpEffects &effects) {
  if (isMemRef(memref))
    effects.accesses.push_back({getBuffer(memref), isWrite, memref});
}

static void addAny(OpEffects &effects) {
  effects.accesses.push_back({Value(), false});
  effects.accesses.push_back({Value(), true});
}

static void addCommunicator(unsigned id, OpEffects &effects) {
  if (!llvm::is_contained(effects.communicators, id))
    effects.communicators.push_back(id);
}

/// The buffers of the collective that ends here. What the wait names is taken
/// at its word; what it does not name comes from the start.
void EffectAnalysis::addWait(WaitOp wait, OpEffects &effects) {
  for (Value keep : wait.getKeeps())
    addAccess(keep, /*isWrite=*/false, effects);
  for (Value destination : wait.getDestinations())
    addAccess(destination, /*isWrite=*/true, effects);
  for (auto [index, future] : llvm::enumerate(wait.getFutures())) {
    if (CollectiveOpInterface start = getStart(future)) {
      unsigned number = cast<OpResult>(future).getResultNumber();
      addAccess(start.getSources()[number], /*isWrite=*/false, effects);
      if (!start.getDestinations().empty())
        addAccess(start.getDestinations()[number], /*isWrite=*/true, effects);
      continue;
    }
    bool named = cast<FutureType>(future.getType()).hasNamedDestination();
    if (named && wait.getDestinations().empty())
      addAny(effects);
    else if (isMemRef(wait.getResult(index)) && wait.getKeeps().empty())
      effects.accesses.push_back({Value(), false});
  }
}

const EffectAnalysis::FunctionSummary &
EffectAnalysis::getSummary(FunctionOpInterface function) {
  auto found = summaries.find(function);
  if (found != summaries.end())
    return found->second;
  FunctionSummary summary;
  if (!inProgress.insert(function).second) {
    // A recursive call: not summarised, hence unknown to its caller.
    summary.isUnknown = true;
    return summaries[function] = std::move(summary);
  }
  OpEffects effects;
  addRegions(function, effects);
  summary.isUnknown = effects.unknown;
  summary.communicators = effects.communicators;
  for (MemoryAccess access : effects.accesses) {
    int index = -1;
    if (auto argument = dyn_cast_or_null<BlockArgument>(access.buffer))
      if (argument.getOwner() == &function.getFunctionBody().front())
        index = argument.getArgNumber();
    summary.accesses.push_back({index, access.isWrite});
  }
  inProgress.erase(function);
  auto &entry = summaries[function];
  bool wasRecursive = entry.isUnknown;
  entry = std::move(summary);
  entry.isUnknown |= wasRecursive;
  return entry;
}

FunctionOpInterface EffectAnalysis::getCallee(CallOpInterface call) {
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  if (!symbol)
    return {};
  return symbols.lookupNearestSymbolFrom<FunctionOpInterface>(call, symbol);
}

void EffectAnalysis::addCall(CallOpInterface call, OpEffects &effects) {
  FunctionOpInterface callee = getCallee(call);
  if (callee && callee->hasAttr(DistDialect::kNoEffectsAttrName))
    return;
  if (!callee || callee.isExternal()) {
    effects.unknown = call;
    return;
  }
  const FunctionSummary &summary = getSummary(callee);
  if (summary.isUnknown) {
    effects.unknown = call;
    return;
  }
  for (unsigned id : summary.communicators)
    addCommunicator(id, effects);
  OperandRange arguments = call.getArgOperands();
  for (auto [index, isWrite] : summary.accesses) {
    if (index < 0 || index >= static_cast<int>(arguments.size()))
      effects.accesses.push_back({Value(), isWrite});
    else
      addAccess(arguments[index], isWrite, effects);
  }
}

static bool isEntryArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner()->isEntryBlock() &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

/// Union over what is inside of `op`. Memory that is allocated inside and does
/// not leave is nobody's concern.
void EffectAnalysis::addRegions(Operation *op, OpEffects &effects) {
  llvm::SmallDenseSet<std::pair<Value, unsigned>> seen;
  for (MemoryAccess access : effects.accesses)
    seen.insert({access.buffer, access.isWrite});
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps()) {
      OpEffects nested = getEffects(&inner);
      if (nested.unknown)
        effects.unknown = nested.unknown;
      for (unsigned id : nested.communicators)
        addCommunicator(id, effects);
      for (MemoryAccess access : nested.accesses) {
        if (access.buffer &&
            op->isAncestor(access.buffer.getParentBlock()->getParentOp()) &&
            !isEntryArgument(access.buffer)) {
          if (isIsolated(access.buffer))
            continue;
          access.buffer = Value();
        }
        if (seen.insert({access.buffer, access.isWrite}).second)
          effects.accesses.push_back(access);
      }
    }
}

OpEffects EffectAnalysis::getEffects(Operation *op) {
  OpEffects effects;
  if (auto collective = dyn_cast<CollectiveOpInterface>(op)) {
    addCommunicator(communicators.getId(collective), effects);
    for (Value source : collective.getSources())
      addAccess(source, /*isWrite=*/false, effects);
    for (Value destination : collective.getDestinations())
      addAccess(destination, /*isWrite=*/true, effects);
    return effects;
  }
  if (auto wait = dyn_cast<WaitOp>(op)) {
    addWait(wait, effects);
    return effects;
  }
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    addCall(call, effects);
    return effects;
  }
  if (auto interface = dyn_cast<MemoryEffectOpInterface>(op)) {
    SmallVector<MemoryEffects::EffectInstance> instances;
    interface.getEffects(instances);
    for (const MemoryEffects::EffectInstance &instance : instances) {
      if (isa<CommunicatorResource>(instance.getResource()) ||
          isa<MemoryEffects::Allocate>(instance.getEffect()))
        continue;
      bool isWrite = !isa<MemoryEffects::Read>(instance.getEffect());
      Value value = instance.getValue();
      if (value && isMemRef(value))
        addAccess(value, isWrite, effects);
      else if (!value || !isa<TensorType>(value.getType()))
        effects.accesses.push_back({Value(), isWrite});
    }
  } else if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>()) {
    if (!op->hasTrait<OpTrait::ReturnLike>() && !isMemoryEffectFree(op))
      effects.unknown = op;
    return effects;
  }
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    addRegions(op, effects);
  return effects;
}
