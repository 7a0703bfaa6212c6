//===- Sources.cpp - Where a value can come from ----------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Analysis/Sources.h"
#include "Dialect/Dist/Analysis/Effects.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace mlir::dist;

/// Operand `index` of the terminators of `op`'s regions.
static void addYielded(Operation *op, unsigned index,
                       SmallVectorImpl<Value> &values) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (isa<scf::YieldOp>(block.back()) &&
          index < block.back().getNumOperands())
        values.push_back(block.back().getOperand(index));
}

/// What `argument` can be; nothing when it is not known.
static SmallVector<Value> getIncoming(BlockArgument argument) {
  SmallVector<Value> values;
  Block *block = argument.getOwner();
  unsigned index = argument.getArgNumber();
  if (!block->isEntryBlock()) {
    for (auto it = block->pred_begin(), e = block->pred_end(); it != e; ++it) {
      auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator());
      if (!branch)
        return {};
      Value value = branch.getSuccessorOperands(it.getSuccessorIndex())[index];
      if (!value)
        return {};
      values.push_back(value);
    }
    return values;
  }
  Operation *parent = block->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    if (index == 0)
      return {};
    values.push_back(loop.getInitArgs()[index - 1]);
    addYielded(loop, index - 1, values);
  } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    if (block == loop.getBeforeBody()) {
      values.push_back(loop.getInits()[index]);
      values.push_back(loop.getYieldOp().getOperand(index));
    } else {
      values.push_back(loop.getConditionOp().getArgs()[index]);
    }
  }
  return values;
}

static SmallVector<Value> getIncoming(OpResult result) {
  SmallVector<Value> values;
  Operation *op = result.getOwner();
  unsigned index = result.getResultNumber();
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return {select.getTrueValue(), select.getFalseValue()};
  if (auto dup = dyn_cast<DupOp>(op))
    return {dup.getFuture()};
  // A tensor that shows a buffer, and a buffer that shows that tensor again.
  if (isa<bufferization::ToBufferOp, bufferization::ToTensorOp>(op))
    return {op->getOperand(0)};
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return {loop.getConditionOp().getArgs()[index]};
  if (auto loop = dyn_cast<scf::ForOp>(op))
    values.push_back(loop.getInitArgs()[index]);
  if (isa<scf::ForOp, scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(op))
    addYielded(op, index, values);
  return values;
}

SetVector<Value> mlir::dist::getSources(Value value) {
  SetVector<Value> seen, sources;
  seen.insert(value);
  for (unsigned i = 0; i < seen.size(); ++i) {
    Value current = seen[i];
    if (isa<BaseMemRefType>(current.getType()))
      current = getBuffer(current);
    auto argument = dyn_cast<BlockArgument>(current);
    SmallVector<Value> incoming =
        argument ? getIncoming(argument) : getIncoming(cast<OpResult>(current));
    if (incoming.empty())
      sources.insert(current);
    seen.insert(incoming.begin(), incoming.end());
  }
  return sources;
}
