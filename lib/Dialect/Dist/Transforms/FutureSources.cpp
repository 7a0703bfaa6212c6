//===- FutureSources.cpp --------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Who keeps the source of a collective alive and unchanged: borrow, donate or
// copy. See docs/rationale.md.
//
//===----------------------------------------------------------------------===//

#include "FutureSources.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::dist;

Value mlir::dist::getBaseMemref(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// The tensor or memref that `value` is a view of; null when it is none.
static Value getViewSource(Value value) {
  Operation *def = value.getDefiningOp();
  if (isa_and_nonnull<tensor::ExtractSliceOp, tensor::CastOp,
                      tensor::CollapseShapeOp, tensor::ExpandShapeOp>(def))
    return def->getOperand(0);
  if (auto view = dyn_cast_or_null<ViewLikeOpInterface>(def))
    if (isa<MemRefType>(value.getType()))
      return view.getViewSource();
  return {};
}

//===----------------------------------------------------------------------===//
// Borrowing
//===----------------------------------------------------------------------===//

static void addKeep(MutableOperandRange keeps, Value source) {
  if (!llvm::is_contained(ValueRange(keeps), source))
    keeps.append(source);
}

/// Everything that the future reaches keeps the source.
static void addKeeps(const FutureReach &reach, RewriterBase &rewriter) {
  for (auto [op, source] : reach.consumers)
    rewriter.modifyOpInPlace(op, [&, op = op, source = source] {
      if (auto wait = dyn_cast<WaitOp>(op))
        addKeep(wait.getKeepsMutable(), source);
      else
        addKeep(cast<DropOp>(op).getKeepsMutable(), source);
    });
  for (auto [op, source] : reach.calls) {
    rewriter.setInsertionPointAfter(op);
    KeepOp::create(rewriter, op->getLoc(), source);
  }
  for (auto [op, source] : reach.returns) {
    rewriter.setInsertionPoint(op);
    KeepOp::create(rewriter, op->getLoc(), source);
  }
}

void mlir::dist::collectRoots(Value value, SmallVectorImpl<Value> &roots) {
  while (Value source = getViewSource(value))
    value = source;
  if (auto select = value.getDefiningOp<arith::SelectOp>()) {
    collectRoots(select.getTrueValue(), roots);
    collectRoots(select.getFalseValue(), roots);
    return;
  }
  if (!llvm::is_contained(roots, value))
    roots.push_back(value);
}

/// What a loop carries as `memref`: what it began with, and what an iteration
/// yields. Empty for what no loop carries.
static SmallVector<Value> getCarried(Value memref) {
  if (auto loop = memref.getDefiningOp<scf::ForOp>()) {
    unsigned index = cast<OpResult>(memref).getResultNumber();
    return {loop.getInitArgs()[index], loop.getYieldedValues()[index]};
  }
  auto argument = dyn_cast<BlockArgument>(memref);
  if (!argument)
    return {};
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument == loop.getInductionVar())
    return {};
  return {loop.getTiedLoopInit(argument)->get(),
          loop.getTiedLoopYieldedValue(argument)->get()};
}

SmallVector<Value> mlir::dist::collectCarriedRoots(Value memref) {
  SmallVector<Value> worklist = {memref}, result;
  llvm::SmallDenseSet<Value> seen;
  while (!worklist.empty()) {
    SmallVector<Value> roots;
    collectRoots(worklist.pop_back_val(), roots);
    for (Value root : roots) {
      if (!seen.insert(root).second)
        continue;
      SmallVector<Value> carried = getCarried(root);
      if (carried.empty())
        result.push_back(root);
      worklist.append(carried.rbegin(), carried.rend());
    }
  }
  return result;
}

/// Everything that the future reaches keeps all of `roots`.
static LogicalResult borrowRoots(FutureFlow &flow, Value future,
                                 ArrayRef<Value> roots, RewriterBase &rewriter,
                                 std::string &reason) {
  SmallVector<FutureReach> reaches;
  for (Value root : roots) {
    FailureOr<FutureReach> reach = flow.follow(future, root, reason);
    if (failed(reach))
      return failure();
    reaches.push_back(std::move(*reach));
  }
  for (const FutureReach &reach : reaches)
    addKeeps(reach, rewriter);
  return success();
}

/// Buffers: keeps the buffer itself, or all that it can be a view of. Of
/// buffers that take turns in a loop all are kept.
static LogicalResult borrowMemref(FutureFlow &flow, Value future, Value memref,
                                  RewriterBase &rewriter, std::string &reason) {
  SmallVector<Value> roots;
  collectRoots(memref, roots);
  if (succeeded(borrowRoots(flow, future, roots, rewriter, reason)))
    return success();
  std::string otherReason;
  return borrowRoots(flow, future, collectCarriedRoots(memref), rewriter,
                     otherReason);
}

/// A view whose source outlives the future although it does not itself: the
/// views from `root` to `source` are made anew for the start alone, so that
/// nobody writes into them.
static Value cloneViews(Value root, Value source, Operation *start,
                        RewriterBase &rewriter) {
  if (source == root)
    return root;
  Value base =
      cloneViews(root, source.getDefiningOp()->getOperand(0), start, rewriter);
  rewriter.setInsertionPoint(start);
  Operation *clone = rewriter.clone(*source.getDefiningOp());
  clone->setOperand(0, base);
  return clone->getResult(0);
}

static LogicalResult borrowTensor(FutureFlow &flow, Value future,
                                  OpOperand &source, RewriterBase &rewriter,
                                  std::string &reason) {
  std::string rootReason;
  for (Value root = source.get(); root; root = getViewSource(root)) {
    FailureOr<FutureReach> reach =
        flow.follow(future, root, root == source.get() ? reason : rootReason);
    if (failed(reach))
      continue;
    Operation *start = source.getOwner();
    Value view = cloneViews(root, source.get(), start, rewriter);
    rewriter.modifyOpInPlace(start, [&] { source.set(view); });
    addKeeps(*reach, rewriter);
    return success();
  }
  return failure();
}

//===----------------------------------------------------------------------===//
// Donating
//===----------------------------------------------------------------------===//

/// Whether `use` only reads the tensor and keeps no alias of it.
static bool isPlainRead(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<tensor::ExtractOp, tensor::DimOp, KeepOp>(op))
    return true;
  if (isa<WaitOp, DropOp>(op))
    return isa<TensorType>(use.get().getType());
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.isDpsInput(&use);
  return false;
}

bool mlir::dist::makeOwnInit(linalg::LinalgOp op, OpResult result,
                             RewriterBase &rewriter) {
  OpOperand *init = op.getTiedOpOperand(result);
  if (op.payloadUsesValueFromOperand(init))
    return false;
  if (init->get().getDefiningOp<tensor::EmptyOp>() && init->get().hasOneUse() &&
      init->get().getParentBlock() == op->getBlock())
    return true;
  rewriter.setInsertionPoint(op);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, op.getLoc(), init->get());
  auto type = cast<RankedTensorType>(init->get().getType());
  Value empty = tensor::EmptyOp::create(
      rewriter, op.getLoc(), sizes, type.getElementType(), type.getEncoding());
  if (empty.getType() != type)
    empty = tensor::CastOp::create(rewriter, op.getLoc(), type, empty);
  rewriter.modifyOpInPlace(op, [&] { init->set(empty); });
  return true;
}

/// Whether the tensor at `source` can move into the future: a fresh value whose
/// last use is the start. May give its producer a buffer of its own.
static bool tryDonate(OpOperand &source, RewriterBase &rewriter) {
  auto value = dyn_cast<OpResult>(source.get());
  Operation *start = source.getOwner();
  if (!value || value.getOwner()->getBlock() != start->getBlock())
    return false;
  for (OpOperand &use : value.getUses()) {
    if (&use == &source)
      continue;
    Operation *user = use.getOwner();
    if (user->getBlock() != start->getBlock() ||
        !user->isBeforeInBlock(start) || !isPlainRead(use))
      return false;
  }
  Operation *def = value.getOwner();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(def))
    return makeOwnInit(linalgOp, value, rewriter);
  if (auto call = dyn_cast<func::CallOp>(def))
    return llvm::none_of(call.getOperandTypes(),
                         llvm::IsaPred<TensorType, BaseMemRefType>);
  if (auto wait = dyn_cast<WaitOp>(def))
    return !cast<FutureType>(wait.getFutures()[0].getType())
                .hasNamedDestination();
  return isa<tensor::GenerateOp, tensor::FromElementsOp>(def);
}

//===----------------------------------------------------------------------===//
// All sources
//===----------------------------------------------------------------------===//

/// How the start holds its source `index`; never fails, in the worst case the
/// start copies.
static SourceMode holdSource(FutureFlow &flow, CollectiveOpInterface start,
                             unsigned index, RewriterBase &rewriter) {
  OpOperand &source = start.getSourcesMutable()[index];
  Value future = start->getResult(index);
  std::string reason;
  bool isMemref = isa<MemRefType>(source.get().getType());
  if (succeeded(isMemref
                    ? borrowMemref(flow, future, source.get(), rewriter, reason)
                    : borrowTensor(flow, future, source, rewriter, reason)))
    return SourceMode::Borrow;
  if (!isMemref && tryDonate(source, rewriter))
    return SourceMode::Donate;
  start->emitRemark() << "copies source " << index
                      << " at the start: " << reason;
  return SourceMode::Copy;
}

template <typename StartOp>
static void setSourceModes(StartOp start, ArrayRef<Attribute> modes,
                           RewriterBase &rewriter) {
  rewriter.modifyOpInPlace(
      start, [&] { start.setSourceModesAttr(rewriter.getArrayAttr(modes)); });
}

LogicalResult mlir::dist::holdSources(ModuleOp module, RewriterBase &rewriter) {
  FutureFlow flow(module);
  SmallVector<CollectiveOpInterface> starts;
  module.walk([&](CollectiveOpInterface op) {
    if (op.isStart())
      starts.push_back(op);
  });
  for (CollectiveOpInterface start : starts) {
    SmallVector<Attribute> modes;
    bool allBorrowed = true;
    for (unsigned i = 0, e = start.getSources().size(); i != e; ++i) {
      SourceMode mode = holdSource(flow, start, i, rewriter);
      allBorrowed &= mode == SourceMode::Borrow;
      modes.push_back(SourceModeAttr::get(rewriter.getContext(), mode));
    }
    if (!allBorrowed)
      llvm::TypeSwitch<Operation *>(start)
          .Case<AllGatherOp, AllReduceOp, ReduceScatterOp, BroadcastOp,
                AllToAllOp, PermuteOp, ReduceOp>(
              [&](auto op) { setSourceModes(op, modes, rewriter); });
    for (auto [index, destination] : llvm::enumerate(start.getDestinations())) {
      std::string reason;
      Value future = start->getResult(index);
      if (failed(borrowMemref(flow, future, destination, rewriter, reason)))
        return start->emitOpError()
               << "destination " << index
               << " may be freed while the collective is in flight: " << reason;
    }
  }
  return success();
}
