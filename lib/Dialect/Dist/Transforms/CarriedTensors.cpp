//===- CarriedTensors.cpp -------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CarriedTensors.h"
#include "Dialect/Dist/IR/Dist.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::dist;

//===----------------------------------------------------------------------===//
// Switches
//===----------------------------------------------------------------------===//

/// `if (argument == case) ... else`, with an empty else.
static scf::IfOp createCase(scf::IndexSwitchOp op, unsigned number,
                            RewriterBase &rewriter) {
  Location loc = op.getLoc();
  Value label =
      arith::ConstantIndexOp::create(rewriter, loc, op.getCases()[number]);
  Value matches = arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::eq, op.getArg(), label);
  auto branch =
      scf::IfOp::create(rewriter, loc, op.getResultTypes(), matches,
                        /*addThenBlock=*/false, /*addElseBlock=*/false);
  branch.getThenRegion().takeBody(op.getCaseRegions()[number]);
  return branch;
}

void mlir::dist::expandSwitch(scf::IndexSwitchOp op, RewriterBase &rewriter) {
  if (llvm::none_of(op.getResultTypes(), llvm::IsaPred<TensorType>))
    return;
  rewriter.setInsertionPoint(op);
  if (op.getNumCases() == 0) {
    Block &block = op.getDefaultRegion().front();
    Operation *yield = block.getTerminator();
    SmallVector<Value> values = llvm::to_vector(yield->getOperands());
    rewriter.eraseOp(yield);
    rewriter.inlineBlockBefore(&block, op);
    return rewriter.replaceOp(op, values);
  }
  scf::IfOp first, last;
  for (unsigned number = 0, e = op.getNumCases(); number != e; ++number) {
    scf::IfOp branch = createCase(op, number, rewriter);
    if (number == 0)
      first = branch;
    else
      scf::YieldOp::create(rewriter, op.getLoc(), branch.getResults());
    last = branch;
    if (number + 1 != e)
      rewriter.createBlock(&branch.getElseRegion());
  }
  last.getElseRegion().takeBody(op.getDefaultRegion());
  rewriter.replaceOp(op, first.getResults());
}

//===----------------------------------------------------------------------===//
// While loops and returns
//===----------------------------------------------------------------------===//

/// What `value`, in `block`, is made of if it is written in place all the way:
/// an argument of the block or a tensor that is made in it. Null when it may
/// show a buffer that is known under another name.
static Value findOrigin(Value value, Block *block) {
  while (value.getParentBlock() == block) {
    if (isa<BlockArgument>(value))
      return value;
    Operation *def = value.getDefiningOp();
    if (isa<tensor::EmptyOp, tensor::GenerateOp, tensor::FromElementsOp,
            bufferization::AllocTensorOp, WaitOp>(def))
      return value;
    if (auto dps = dyn_cast<DestinationStyleOpInterface>(def))
      value = dps.getTiedOpOperand(cast<OpResult>(value))->get();
    else if (isa<tensor::InsertOp, tensor::InsertSliceOp>(def))
      value = def->getOperand(1);
    else if (auto loop = dyn_cast<scf::ForOp>(def))
      // Bufferization copies what such a loop yields unless it is the init.
      value = loop.getTiedLoopInit(cast<OpResult>(value))->get();
    else
      return {};
  }
  return {};
}

/// The terminator's tensors from `first` on: each is made of what `accepts` or
/// of a tensor of its own, or it becomes a copy.
static void
ownOperands(Operation *terminator, unsigned first, RewriterBase &rewriter,
            function_ref<bool(unsigned index, BlockArgument argument)> accepts) {
  llvm::SmallDenseSet<Value> taken;
  for (OpOperand &operand : terminator->getOpOperands().drop_front(first)) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    Value origin = findOrigin(operand.get(), terminator->getBlock());
    auto argument = dyn_cast_or_null<BlockArgument>(origin);
    bool isOwn =
        origin &&
        (!argument || accepts(operand.getOperandNumber() - first, argument));
    // One tensor under two names is owned by one of them.
    if (isOwn && taken.insert(origin).second)
      continue;
    rewriter.setInsertionPoint(terminator);
    Value copy = bufferization::AllocTensorOp::create(
        rewriter, terminator->getLoc(), type, ValueRange(), operand.get());
    rewriter.modifyOpInPlace(terminator, [&] { operand.set(copy); });
  }
}

void mlir::dist::ownCarriedTensors(scf::WhileOp loop, RewriterBase &rewriter) {
  scf::ConditionOp condition = loop.getConditionOp();
  // Which argument of the first region each argument of the second one is.
  SmallVector<Value> origins;
  ownOperands(condition, 1, rewriter,
              [&](unsigned, BlockArgument) { return true; });
  for (Value value : condition.getArgs())
    origins.push_back(findOrigin(value, loop.getBeforeBody()));
  ownOperands(loop.getYieldOp(), 0, rewriter,
              [&](unsigned index, BlockArgument argument) {
                return origins[argument.getArgNumber()] ==
                       loop.getBeforeArguments()[index];
              });
}

void mlir::dist::ownReturnedTensors(func::ReturnOp returnOp,
                                    RewriterBase &rewriter) {
  if (llvm::count_if(returnOp.getOperandTypes(), llvm::IsaPred<TensorType>) > 1)
    ownOperands(returnOp, 0, rewriter,
                [](unsigned, BlockArgument) { return true; });
}
