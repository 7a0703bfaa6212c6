//===- LowerClones.cpp ----------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Deallocation clones a buffer that somebody else owns where a function must
// return one of its own. convert-bufferization-to-memref allocates a contiguous
// buffer for the clone and gives up when the type wants gaps. Here the clone
// gets a buffer with the same gaps.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

#define DEBUG_TYPE "dist-lower-clones"

namespace mlir::dist {
#define GEN_PASS_DEF_LOWERCLONESPASS
#include "Dialect/Dist/Transforms/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;

/// Whether a contiguous buffer can be taken for one of `type`.
static bool acceptsContiguous(MemRefType type) {
  auto contiguous = MemRefType::get(type.getShape(), type.getElementType(),
                                    MemRefLayoutAttrInterface(),
                                    type.getMemorySpace());
  return memref::CastOp::areCastCompatible({contiguous}, {type});
}

/// Elements from the buffer's begin to the last one that the view shows.
static OpFoldResult getExtent(OpBuilder &builder, Location loc,
                              OpFoldResult offset,
                              ArrayRef<OpFoldResult> sizes,
                              ArrayRef<OpFoldResult> strides) {
  AffineExpr extent = builder.getAffineSymbolExpr(0) + 1;
  SmallVector<OpFoldResult> operands = {offset};
  for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
    AffineExpr sizeExpr = builder.getAffineSymbolExpr(operands.size());
    AffineExpr strideExpr = builder.getAffineSymbolExpr(operands.size() + 1);
    extent = extent + (sizeExpr - 1) * strideExpr;
    operands.push_back(size);
    operands.push_back(stride);
  }
  // A view of nothing may end before it begins.
  return affine::makeComposedFoldedAffineMax(
      builder, loc,
      AffineMap::get(0, operands.size(),
                     {extent, builder.getAffineConstantExpr(0)},
                     builder.getContext()),
      operands);
}

static void lower(bufferization::CloneOp clone, RewriterBase &rewriter) {
  auto type = cast<MemRefType>(clone.getType());
  Location loc = clone.getLoc();
  rewriter.setInsertionPoint(clone);
  auto metadata = memref::ExtractStridedMetadataOp::create(rewriter, loc,
                                                           clone.getInput());
  SmallVector<OpFoldResult> sizes = metadata.getConstifiedMixedSizes();
  SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
  // Nothing needs the elements before the first one, unless the type says so.
  OpFoldResult offset = metadata.getConstifiedMixedOffset();
  if (!getConstantIntValue(offset))
    offset = rewriter.getIndexAttr(0);
  OpFoldResult extent = getExtent(rewriter, loc, offset, sizes, strides);
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResult(extent, dynamicSizes, shape);
  auto bufferType =
      MemRefType::get(shape, type.getElementType(), MemRefLayoutAttrInterface(),
                      type.getMemorySpace());
  Value buffer =
      memref::AllocOp::create(rewriter, loc, bufferType, dynamicSizes);
  Value view = memref::ReinterpretCastOp::create(rewriter, loc, buffer, offset,
                                                 sizes, strides);
  if (view.getType() != type)
    view = memref::CastOp::create(rewriter, loc, type, view);
  memref::CopyOp::create(rewriter, loc, clone.getInput(), view);
  rewriter.replaceOp(clone, view);
}

namespace {
class LowerClones : public mlir::dist::impl::LowerClonesPassBase<LowerClones> {
public:
  void runOnOperation() override {
    SmallVector<bufferization::CloneOp> clones;
    getOperation()->walk([&](bufferization::CloneOp clone) {
      auto type = dyn_cast<MemRefType>(clone.getType());
      if (type && type.isStrided() && clone.getInput().getType() == type &&
          !acceptsContiguous(type))
        clones.push_back(clone);
    });
    IRRewriter rewriter(&getContext());
    for (bufferization::CloneOp clone : clones)
      lower(clone, rewriter);
  }
};
} // namespace
