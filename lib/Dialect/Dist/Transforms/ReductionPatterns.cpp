//===- ReductionPatterns.cpp ----------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Transforms/ReductionPatterns.h"
#include "Dialect/Dist/Analysis/Effects.h"
#include "Dialect/Dist/IR/Dist.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Reducer/ReductionPatternInterface.h"

using namespace mlir;
using namespace mlir::dist;

/// Some value of `type`: one of `candidates`, or a fresh tensor; null where
/// there is none.
static Value findValue(Type type, ValueRange candidates, Location loc,
                       PatternRewriter &rewriter) {
  for (Value candidate : candidates)
    if (candidate.getType() == type)
      return candidate;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return {};
  return tensor::EmptyOp::create(rewriter, loc, tensor.getShape(),
                                 tensor.getElementType());
}

namespace {
/// What is waited for becomes what the collective was given.
struct SkipWait : OpRewritePattern<WaitOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(WaitOp wait,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> replacements;
    for (auto [future, result] :
         llvm::zip(wait.getFutures(), wait.getResults())) {
      SmallVector<Value> candidates;
      if (CollectiveOpInterface start = getStart(future)) {
        llvm::append_range(candidates, start.getDestinations());
        llvm::append_range(candidates, start.getSources());
      }
      Value value =
          findValue(result.getType(), candidates, wait.getLoc(), rewriter);
      if (!value)
        return failure();
      replacements.push_back(value);
    }
    rewriter.replaceOp(wait, replacements);
    return success();
  }
};

/// A start loses the operands whose futures nobody uses, and goes with the
/// last.
struct DropUnusedFutures : OpInterfaceRewritePattern<CollectiveOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(CollectiveOpInterface start,
                                PatternRewriter &rewriter) const override {
    if (!start.isStart())
      return failure();
    SmallVector<unsigned> used;
    for (OpResult future : start->getResults())
      if (!future.use_empty())
        used.push_back(future.getResultNumber());
    if (used.size() == start->getNumResults())
      return failure();
    if (used.empty()) {
      rewriter.eraseOp(start);
      return success();
    }
    size_t numNamed =
        start.getSources().size() + start.getDestinations().size();
    if (start->getNumOperands() != numNamed)
      return failure(); // owned sources and factors, one per source
    OperationState state(start->getLoc(), start->getName());
    auto pick = [&](ValueRange values) {
      for (unsigned index : used)
        if (index < values.size())
          state.addOperands(values[index]);
    };
    pick(start.getSources());
    pick(start.getDestinations());
    for (unsigned index : used)
      state.addTypes(start->getResult(index).getType());
    int32_t count = used.size();
    bool isNamed = !start.getDestinations().empty();
    for (NamedAttribute attribute : start->getAttrs()) {
      StringRef name = attribute.getName();
      Attribute value = attribute.getValue();
      if (auto sizes = dyn_cast<DenseI32ArrayAttr>(value);
          sizes && name == "operandSegmentSizes") {
        SmallVector<int32_t> segments(sizes.size(), 0);
        segments[0] = count;
        segments[1] = isNamed ? count : 0;
        value = rewriter.getDenseI32ArrayAttr(segments);
      }
      auto array = dyn_cast<ArrayAttr>(value);
      if (array && array.size() == start->getNumResults()) {
        SmallVector<Attribute> kept;
        for (unsigned index : used)
          kept.push_back(array[index]);
        value = rewriter.getArrayAttr(kept);
      }
      state.addAttribute(name, value);
    }
    Operation *smaller = rewriter.create(state);
    for (auto [index, result] : llvm::zip(used, smaller->getResults()))
      rewriter.replaceAllUsesWith(start->getResult(index), result);
    rewriter.eraseOp(start);
    return success();
  }
};

/// An in-place collective becomes its destinations.
struct SkipInPlace : OpInterfaceRewritePattern<CollectiveOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(CollectiveOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (op.isStart())
      return failure();
    if (op->getNumResults() == 0)
      rewriter.eraseOp(op);
    else
      rewriter.replaceOp(op, op.getDestinations());
    return success();
  }
};

/// An opaque computation becomes one of its operands.
struct SkipOpaque : OpRewritePattern<OpaqueOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(OpaqueOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> replacements;
    for (Type type : op->getResultTypes()) {
      Value value = findValue(type, op->getOperands(), op.getLoc(), rewriter);
      if (!value)
        return failure();
      replacements.push_back(value);
    }
    rewriter.replaceOp(op, replacements);
    return success();
  }
};

struct DistReductionPatterns : DialectReductionPatternInterface {
  explicit DistReductionPatterns(Dialect *dialect)
      : DialectReductionPatternInterface(dialect) {}

  void populateReductionPatterns(RewritePatternSet &patterns) const override {
    patterns.add<SkipWait, DropUnusedFutures, SkipInPlace, SkipOpaque>(
        patterns.getContext());
  }
};
} // namespace

void mlir::dist::registerReductionPatterns(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, DistDialect *dialect) {
    // A replacement may need it.
    context->getOrLoadDialect<tensor::TensorDialect>();
    dialect->addInterfaces<DistReductionPatterns>();
  });
}
