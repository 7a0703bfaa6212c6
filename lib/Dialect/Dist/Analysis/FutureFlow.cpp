//===- FutureFlow.cpp -----------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//


#include "Dialect/Dist/Analysis/FutureFlow.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::dist;

//===----------------------------------------------------------------------===//
// One use
//===----------------------------------------------------------------------===//

static FutureUse forwardTo(ValueRange values) {
  return {FutureUse::Kind::Forwarded, llvm::to_vector(values)};
}

/// A yield hands its operands to the operation around it.
static FutureUse classifyYield(scf::YieldOp yield, unsigned index) {
  Operation *parent = yield->getParentOp();
  if (isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(parent))
    return forwardTo(parent->getResult(index));
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    return forwardTo({loop.getRegionIterArg(index), loop.getResult(index)});
  if (auto loop = dyn_cast<scf::WhileOp>(parent))
    return forwardTo(loop.getBeforeArguments()[index]);
  return {FutureUse::Kind::Unknown, {}};
}

bool mlir::dist::runsOneRegionOnce(Operation *op) {
  return isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp,
             memref::AllocaScopeOp>(op);
}

FutureUse mlir::dist::classifyFutureUse(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned index = use.getOperandNumber();
  if (isa<WaitOp, DropOp>(op))
    return {FutureUse::Kind::Consumed, {}};
  if (isa<DupOp>(op))
    return forwardTo(op->getResult(0));
  if (isa<func::CallOp>(op))
    return {FutureUse::Kind::Called, {}};
  if (isa<func::ReturnOp>(op))
    return {FutureUse::Kind::Returned, {}};
  if (auto yield = dyn_cast<scf::YieldOp>(op))
    return classifyYield(yield, index);
  if (auto condition = dyn_cast<scf::ConditionOp>(op)) {
    auto loop = cast<scf::WhileOp>(op->getParentOp());
    return forwardTo({loop.getAfterArguments()[index - 1],
                      loop.getResult(index - 1)});
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    if (index >= loop.getNumControlOperands()) {
      unsigned iterArg = index - loop.getNumControlOperands();
      return forwardTo(
          {loop.getRegionIterArg(iterArg), loop.getResult(iterArg)});
    }
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return forwardTo(loop.getBeforeArguments()[index]);
  return {FutureUse::Kind::Unknown, {}};
}

SmallVector<FutureUseGroup>
mlir::dist::groupFutureUses(Block *block, ArrayRef<OpOperand *> uses) {
  llvm::MapVector<Operation *, FutureUseGroup> groups;
  for (OpOperand *use : uses) {
    Operation *op = block->findAncestorOpInBlock(*use->getOwner());
    FutureUseGroup &group = groups[op];
    group.op = op;
    (use->getOwner() == op ? group.direct : group.nested).push_back(use);
  }
  SmallVector<FutureUseGroup> sorted;
  for (auto &[op, group] : groups) {
    llvm::sort(group.direct, [](OpOperand *lhs, OpOperand *rhs) {
      return lhs->getOperandNumber() < rhs->getOperandNumber();
    });
    sorted.push_back(std::move(group));
  }
  llvm::sort(sorted, [](const FutureUseGroup &lhs, const FutureUseGroup &rhs) {
    return lhs.op->isBeforeInBlock(rhs.op);
  });
  return sorted;
}

bool mlir::dist::strictlyDominates(DominanceInfo &dominance, Value source,
                                   Value value) {
  if (Operation *def = value.getDefiningOp())
    return dominance.properlyDominates(source, def);
  // A block argument is a new instance whenever its block is entered: the
  // source must stand outside of the operation that owns the block.
  Operation *parent = cast<BlockArgument>(value).getOwner()->getParentOp();
  return !isa<FunctionOpInterface>(parent) &&
         dominance.properlyDominates(source, parent);
}

//===----------------------------------------------------------------------===//
// The way of a future through a module
//===----------------------------------------------------------------------===//

FutureFlow::FutureFlow(ModuleOp module) {
  module.walk([&](func::FuncOp function) {
    hasUnknownCallers[function] = !function.isPrivate();
  });
  module.walk([&](Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      if (auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
              call, call.getCalleeAttr()))
        callers[callee].push_back(call);
      return;
    }
    if (isa<func::FuncOp>(op))
      return;
    // A function that is named anywhere else may be called from anywhere.
    for (NamedAttribute attribute : op->getAttrs())
      attribute.getValue().walk([&](SymbolRefAttr symbol) {
        if (auto function = symbols.lookupNearestSymbolFrom<func::FuncOp>(
                op, symbol))
          hasUnknownCallers[function] = true;
      });
  });
}

func::FuncOp FutureFlow::getCallee(func::CallOp call) {
  auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  return callee && !callee.isExternal() ? callee : func::FuncOp();
}

std::optional<ArrayRef<func::CallOp>>
FutureFlow::getCallers(func::FuncOp function) {
  if (hasUnknownCallers.lookup(function))
    return std::nullopt;
  auto it = callers.find(function);
  if (it == callers.end())
    return ArrayRef<func::CallOp>();
  return ArrayRef<func::CallOp>(it->second);
}

bool FutureFlow::mayReturn(BlockArgument argument) {
  // Recursion, while it is being answered, counts as yes.
  auto [it, isNew] = mayReturnCache.try_emplace(argument, true);
  if (!isNew)
    return it->second;
  bool result = false;
  SmallVector<Value> worklist = {argument};
  llvm::SmallDenseSet<Value> seen;
  while (!worklist.empty() && !result) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      FutureUse next = classifyFutureUse(use);
      llvm::append_range(worklist, next.values);
      if (next.kind == FutureUse::Kind::Called) {
        func::FuncOp callee = getCallee(cast<func::CallOp>(use.getOwner()));
        result |= !callee ||
                  mayReturn(callee.getArgument(use.getOperandNumber()));
      }
      result |= next.kind == FutureUse::Kind::Returned ||
                next.kind == FutureUse::Kind::Unknown;
    }
  }
  mayReturnCache[argument] = result;
  return result;
}

/// What a buffer that is passed to a function shows a part of: views and casts
/// for the call alone do not live as long as it does.
static Value getPassedBuffer(Value operand) {
  while (isa<BaseMemRefType>(operand.getType())) {
    auto view = operand.getDefiningOp<ViewLikeOpInterface>();
    if (!view)
      break;
    operand = view.getViewSource();
  }
  return operand;
}

LogicalResult FutureFlow::visitReturn(OpOperand &use, Value source,
                                      FutureReach &reach,
                                      SmallVectorImpl<Item> &worklist,
                                      std::string &reason) {
  auto function = use.getOwner()->getParentOfType<func::FuncOp>();
  auto argument = dyn_cast<BlockArgument>(source);
  if (!argument || argument.getOwner() != &function.front()) {
    reason = "the function returns the future of a source of its own";
    return failure();
  }
  std::optional<ArrayRef<func::CallOp>> calls = getCallers(function);
  if (!calls) {
    reason = "a function that may be called from elsewhere returns the future";
    return failure();
  }
  reach.returns.push_back({use.getOwner(), source});
  for (func::CallOp call : *calls)
    worklist.push_back({call.getResult(use.getOperandNumber()),
                        getPassedBuffer(
                            call.getOperand(argument.getArgNumber()))});
  return success();
}

LogicalResult FutureFlow::visit(OpOperand &use, Value source,
                                FutureReach &reach,
                                SmallVectorImpl<Item> &worklist,
                                std::string &reason) {
  FutureUse next = classifyFutureUse(use);
  switch (next.kind) {
  case FutureUse::Kind::Consumed:
    reach.consumers.push_back({use.getOwner(), source});
    return success();
  case FutureUse::Kind::Forwarded:
    for (Value value : next.values)
      worklist.push_back({value, source});
    return success();
  case FutureUse::Kind::Called: {
    auto call = cast<func::CallOp>(use.getOwner());
    func::FuncOp callee = getCallee(call);
    if (!callee || mayReturn(callee.getArgument(use.getOperandNumber()))) {
      reason = "a function takes the future and may hand it on";
      return failure();
    }
    reach.calls.push_back({call, source});
    return success();
  }
  case FutureUse::Kind::Returned:
    return visitReturn(use, source, reach, worklist, reason);
  case FutureUse::Kind::Unknown:
    reason = "the future passes through '" +
             use.getOwner()->getName().getStringRef().str() + "'";
    return failure();
  }
  llvm_unreachable("unknown kind of use");
}

FailureOr<FutureReach> FutureFlow::follow(Value future, Value source,
                                          std::string &reason) {
  FutureReach reach;
  SmallVector<Item> worklist = {{future, source}};
  llvm::SmallDenseSet<std::pair<Value, Value>> seen;
  while (!worklist.empty()) {
    Item item = worklist.pop_back_val();
    if (!seen.insert({item.future, item.source}).second)
      continue;
    if (!strictlyDominates(dominance, item.source, item.future)) {
      reason = "it does not outlive the future";
      return failure();
    }
    for (OpOperand &use : item.future.getUses())
      if (failed(visit(use, item.source, reach, worklist, reason)))
        return failure();
  }
  return reach;
}
