//===- Canonicalization.cpp - Local rewrites --------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites that are always good. None of them drops, duplicates or reorders a
// collective of a group of more than one member.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/IR/Dist.h"
#include "Dialect/Dist/Utils/Collectives.h"
#include "Dialect/Dist/Utils/Groups.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::dist;

/// Whether every user of `future` is a wait that returns tensors.
static bool isWaitedAsTensorOnly(Value future) {
  return llvm::all_of(future.getUsers(), [](Operation *user) {
    auto wait = dyn_cast<WaitOp>(user);
    return wait &&
           llvm::all_of(wait.getResultTypes(), llvm::IsaPred<RankedTensorType>);
  });
}

/// Replaces `wait` by one of those futures for which `values` has no entry; the
/// results of the others become their values. A value may be a result of `wait`
/// itself that has no entry.
static void replaceWaited(PatternRewriter &rewriter, WaitOp wait,
                          const llvm::SmallDenseMap<unsigned, Value> &values) {
  SmallVector<Value> futures, replacements(wait.getNumResults());
  SmallVector<Type> types;
  SmallVector<unsigned> left;
  for (unsigned i = 0, e = wait.getNumResults(); i != e; ++i) {
    if (Value value = values.lookup(i)) {
      replacements[i] = value;
      continue;
    }
    left.push_back(i);
    futures.push_back(wait.getFutures()[i]);
    types.push_back(wait.getResultTypes()[i]);
  }
  if (!futures.empty()) {
    auto rest = WaitOp::create(rewriter, wait.getLoc(), types, futures,
                               wait.getKeeps(), wait.getDestinations());
    rest->setDiscardableAttrs(wait->getDiscardableAttrDictionary());
    for (auto [index, result] : llvm::zip_equal(left, rest.getResults()))
      replacements[index] = result;
  }
  for (Value &value : replacements)
    if (value.getDefiningOp() == wait)
      value = replacements[cast<OpResult>(value).getResultNumber()];
  rewriter.replaceOp(wait, replacements);
}

namespace {

//===----------------------------------------------------------------------===//
// Groups of one
//===----------------------------------------------------------------------===//

/// What a group of one gathers, reduces, scatters, broadcasts or exchanges is
/// its only member's tensor: wait(start(x)) -> x. A permute without pairs is
/// not: it gives zeros. Only with tensors: a memref has a destination, which
/// has to be written. Only when the start and all its waits go: a future that
/// leaves is still a future. Only when no rank of the world is outside of the
/// group: there the result is zeros.
template <typename StartOp>
struct RemoveGroupOfOne : public OpRewritePattern<StartOp> {
  using OpRewritePattern<StartOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(StartOp op,
                                PatternRewriter &rewriter) const override {
    // A prepared start has its source modes; the passes that follow count on
    // what was prepared.
    if (!isa<RankedTensorType>(op.getSources()[0].getType()) ||
        op.getSourceModesAttr())
      return rewriter.notifyMatchFailure(op, "not a functional start");
    CollectiveOpInterface start = op;
    if (start.getCollectiveKind() == CollectiveKind::Permute &&
        start.getCollectivePairs().empty())
      return rewriter.notifyMatchFailure(op, "gives zeros");
    if (!start.getCollectiveFactors().empty())
      return rewriter.notifyMatchFailure(op, "multiplies with a factor");
    if (getGroupSize(op.getGroup(), op) != 1 || !coversWorld(op.getGroup(), op))
      return rewriter.notifyMatchFailure(op, "not surely a group of one");
    for (Operation *up = op->getParentOp(); up; up = up->getParentOp())
      if (up->hasAttr(DistDialect::kKeepGroupsOfOneAttrName))
        return rewriter.notifyMatchFailure(op, "the module keeps it");
    llvm::SmallSetVector<Operation *, 4> waits;
    for (Value future : op.getFutures()) {
      if (future.use_empty() || !isWaitedAsTensorOnly(future))
        return rewriter.notifyMatchFailure(op, "a future is not only waited");
      waits.insert_range(future.getUsers());
    }
    for (Operation *user : waits) {
      auto wait = cast<WaitOp>(user);
      rewriter.setInsertionPoint(wait);
      llvm::SmallDenseMap<unsigned, Value> values;
      for (auto [index, future] : llvm::enumerate(wait.getFutures())) {
        if (future.getDefiningOp() != op)
          continue;
        Value source =
            op.getSources()[cast<OpResult>(future).getResultNumber()];
        Type type = wait.getResultTypes()[index];
        values[index] =
            source.getType() == type
                ? source
                : tensor::CastOp::create(rewriter, wait.getLoc(), type, source)
                      .getResult();
      }
      replaceWaited(rewriter, wait, values);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// Whether the collective changes a static size of `source`. What an unknown
/// group makes of it is not known either.
static bool changesStaticSize(ShapeRule rule, ShapedType source) {
  return llvm::any_of(llvm::seq(source.getRank()), [&](int64_t dim) {
    return rule.getChange(dim) != SizeChange::Same && !source.isDynamicDim(dim);
  });
}

/// Lets future `index` of `start` have the sizes of `shape` too, where nothing
/// but waits of tensors sees its type.
static LogicalResult refineFuture(CollectiveOpInterface start, unsigned index,
                                  ArrayRef<int64_t> shape,
                                  PatternRewriter &rewriter) {
  Value future = start.getFuture(index);
  auto payload = cast<RankedTensorType>(start.getPayloadType(index));
  SmallVector<int64_t> known(payload.getShape());
  for (auto [size, more] : llvm::zip_equal(known, shape))
    if (ShapedType::isDynamic(size))
      size = more;
  auto refined = RankedTensorType::get(known, payload.getElementType());
  if (refined == payload || !isWaitedAsTensorOnly(future))
    return failure();
  rewriter.modifyOpInPlace(start,
                           [&] { future.setType(FutureType::get(refined)); });
  llvm::SmallSetVector<Operation *, 4> waits(future.getUsers().begin(),
                                             future.getUsers().end());
  for (Operation *user : waits)
    for (OpOperand &operand : cast<WaitOp>(user).getFuturesMutable()) {
      if (operand.get() != future)
        continue;
      Value result = user->getResult(operand.getOperandNumber());
      rewriter.modifyOpInPlace(user, [&] { result.setType(refined); });
      rewriter.setInsertionPointAfter(user);
      auto forget =
          tensor::CastOp::create(rewriter, user->getLoc(), payload, result);
      rewriter.replaceAllUsesExcept(result, forget, forget);
    }
  return success();
}

namespace {
/// Takes the source of a cast that forgets static sizes, and lets the futures
/// know them where nothing but waits sees their type. Declines where the sizes
/// contradict the group: that is for the run time to say.
template <typename StartOp>
struct FoldCastIntoStart : public OpRewritePattern<StartOp> {
  using OpRewritePattern<StartOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(StartOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> groupSize = getGroupSize(op.getGroup(), op);
    CollectiveOpInterface start = op;
    ShapeRule rule = ShapeRule::get(start);
    bool changed = false;
    for (unsigned i = 0, e = op.getSources().size(); i != e; ++i) {
      auto cast = op.getSources()[i].template getDefiningOp<tensor::CastOp>();
      if (!cast || !tensor::canFoldIntoConsumerOp(cast))
        continue;
      auto source = mlir::cast<RankedTensorType>(cast.getSource().getType());
      auto payload = dyn_cast<RankedTensorType>(start.getPayloadType(i));
      if (!payload || source.getEncoding() ||
          (!groupSize && changesStaticSize(rule, source)) ||
          !isCompatibleCollectiveShape(rule, source.getShape(),
                                       payload.getShape(), groupSize))
        continue;
      rewriter.modifyOpInPlace(
          op, [&] { op.getSourcesMutable()[i].assign(cast.getSource()); });
      changed = true;
      SmallVector<int64_t> shape =
          inferCollectiveShape(rule, source.getShape(), groupSize);
      (void)refineFuture(start, i, shape, rewriter);
    }
    return success(changed);
  }
};

/// A cast that promises sizes of a waited tensor promises them of the future,
/// so that the run time compares them. Only where the cast surely runs when the
/// start does.
struct FoldPromiseIntoStart : public OpRewritePattern<tensor::CastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CastOp op,
                                PatternRewriter &rewriter) const override {
    auto result = dyn_cast<OpResult>(op.getSource());
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!result || !type || !tensor::canFoldIntoProducerOp(op))
      return failure();
    auto wait = dyn_cast<WaitOp>(result.getOwner());
    if (!wait)
      return failure();
    Value future = wait.getFutures()[result.getResultNumber()];
    auto start = future.getDefiningOp<CollectiveOpInterface>();
    if (!start || start->getBlock() != op->getBlock())
      return failure();
    unsigned index = cast<OpResult>(future).getResultNumber();
    auto source = cast<ShapedType>(start.getSources()[index].getType());
    ShapeRule rule = ShapeRule::get(start);
    std::optional<int64_t> groupSize = getGroupSize(start.getGroup(), start);
    if ((!groupSize && changesStaticSize(rule, source)) ||
        !isCompatibleCollectiveShape(rule, source.getShape(), type.getShape(),
                                     groupSize))
      return rewriter.notifyMatchFailure(op, "may contradict the group");
    return refineFuture(start, index, type.getShape(), rewriter);
  }
};

/// The size of a waited tensor is known where its collective starts.
struct FoldDimOfWait : public OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::DimOp op,
                                PatternRewriter &rewriter) const override {
    auto result = dyn_cast<OpResult>(op.getSource());
    std::optional<int64_t> dim = op.getConstantIndex();
    auto wait = result ? dyn_cast<WaitOp>(result.getOwner()) : WaitOp();
    if (!wait || !dim || *dim < 0 ||
        *dim >= cast<RankedTensorType>(result.getType()).getRank())
      return failure();
    Value future = wait.getFutures()[result.getResultNumber()];
    auto start = future.getDefiningOp<CollectiveOpInterface>();
    if (!start || !isa<RankedTensorType>(start.getSources()[0].getType()))
      return failure();
    // Before the start: a size asked for later would keep the source from being
    // given away.
    rewriter.setInsertionPoint(start);
    OpFoldResult size =
        reifyResultSize(rewriter, op.getLoc(), start,
                        cast<OpResult>(future).getResultNumber(), *dim);
    rewriter.replaceOp(op, getValueOrCreateConstantIndexOp(
                               rewriter, op.getLoc(), size));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

/// A tensor is waited for once per block: every later wait of the same future
/// gives an equal tensor, and who writes to one gets a copy anyway.
struct ReuseWaitedTensor : public OpRewritePattern<WaitOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(WaitOp op,
                                PatternRewriter &rewriter) const override {
    llvm::SmallDenseMap<unsigned, Value> values;
    llvm::SmallDenseMap<Value, unsigned> firstIn;
    for (auto [index, future] : llvm::enumerate(op.getFutures())) {
      Type type = op.getResultTypes()[index];
      if (!isa<RankedTensorType>(type))
        continue;
      auto [first, isNew] = firstIn.insert({future, index});
      if (Value earlier = findEarlier(op, future, type))
        values[index] = earlier;
      else if (!isNew && op.getResultTypes()[first->second] == type)
        values[index] = op.getResult(first->second);
    }
    if (values.empty())
      return failure();
    replaceWaited(rewriter, op, values);
    return success();
  }

private:
  /// The first result of type `type` for `future` in the block of `op` and
  /// before it.
  static Value findEarlier(WaitOp op, Value future, Type type) {
    Operation *first = op;
    Value value;
    for (OpOperand &use : future.getUses()) {
      auto wait = dyn_cast<WaitOp>(use.getOwner());
      if (!wait || wait->getBlock() != op->getBlock() ||
          !wait->isBeforeInBlock(first))
        continue;
      Value result = wait.getResult(use.getOperandNumber());
      if (result.getType() != type)
        continue;
      first = wait;
      value = result;
    }
    return value;
  }
};
} // namespace

#define DIST_DEFINE_PATTERNS(OP)                                               \
  void OP::getCanonicalizationPatterns(RewritePatternSet &patterns,            \
                                       MLIRContext *context) {                 \
    patterns.add<RemoveGroupOfOne<OP>, FoldCastIntoStart<OP>>(context);        \
  }

DIST_DEFINE_PATTERNS(AllGatherOp)
DIST_DEFINE_PATTERNS(AllReduceOp)
DIST_DEFINE_PATTERNS(ReduceScatterOp)
DIST_DEFINE_PATTERNS(BroadcastOp)
DIST_DEFINE_PATTERNS(AllToAllOp)
DIST_DEFINE_PATTERNS(PermuteOp)
DIST_DEFINE_PATTERNS(ReduceOp)

#undef DIST_DEFINE_PATTERNS

void WaitOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<ReuseWaitedTensor, FoldPromiseIntoStart, FoldDimOfWait>(context);
}
