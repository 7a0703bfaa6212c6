//===- Uniformity.cpp - What all ranks do alike -----------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Analysis/Uniformity.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::dist;

/// How far back a condition is looked at.
static constexpr unsigned kMaxDepth = 8;

/// Whether `value` is surely equal on all ranks: computed from constants, sizes
/// of groups and uniform arguments.
static bool isUniformValue(Value value, unsigned depth = 0) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto function = dyn_cast<FunctionOpInterface>(parent))
      return argument.getOwner()->isEntryBlock() &&
             function.getArgAttr(argument.getArgNumber(),
                                 DistDialect::kUniformAttrName);
    auto loop = dyn_cast<scf::ForOp>(parent);
    return loop && argument == loop.getInductionVar() &&
           llvm::all_of(loop->getOperands().take_front(3), [&](Value bound) {
             return isUniformValue(bound, depth + 1);
           });
  }
  Operation *op = value.getDefiningOp();
  if (depth > kMaxDepth || isa<RankOp>(op) || op->getNumRegions() != 0 ||
      !isPure(op))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return isUniformValue(operand, depth + 1);
  });
}

UniformityAnalysis::UniformityAnalysis(ModuleOp module, EffectAnalysis &effects)
    : isSpmd(module->hasAttr(DistDialect::kSpmdAttrName)) {
  if (isSpmd)
    return;
  module.walk([&](CallOpInterface call) {
    if (FunctionOpInterface callee = effects.getCallee(call))
      callers[callee].push_back(call);
  });
}

bool UniformityAnalysis::isUniformFunction(FunctionOpInterface function) {
  auto [entry, isNew] = uniformFunctions.insert({function, false});
  if (!isNew)
    return entry->second;
  SmallVector<Operation *, 2> calls = callers.lookup(function);
  bool result = llvm::all_of(
      calls, [&](Operation *call) { return isUniform(*call->getBlock()); });
  return uniformFunctions[function] = result;
}

bool UniformityAnalysis::isUniform(Block &block) {
  if (isSpmd)
    return true;
  // Several blocks are branches whose conditions nobody looks at.
  if (!block.getParent() || !llvm::hasSingleElement(*block.getParent()))
    return false;
  Operation *parent = block.getParentOp();
  if (auto function = dyn_cast<FunctionOpInterface>(parent))
    return isUniformFunction(function);
  if (!isa<scf::ForOp, scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(
          parent))
    return false;
  unsigned numControl = isa<scf::ForOp>(parent)             ? 3
                        : isa<scf::ExecuteRegionOp>(parent) ? 0
                                                            : 1;
  return llvm::all_of(parent->getOperands().take_front(numControl),
                      [](Value control) { return isUniformValue(control); }) &&
         isUniform(*parent->getBlock());
}
