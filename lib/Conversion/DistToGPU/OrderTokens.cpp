//===- OrderTokens.cpp ----------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Tokens become nothing: a conversion of their type to no type at all, which the
// structural patterns carry through loops, branches, functions and calls.
//
//===----------------------------------------------------------------------===//

#include "Conversion/Passes.h"
#include "Dialect/Dist/IR/DeviceOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Transforms/DialectConversion.h"

#define DEBUG_TYPE "dist-order-tokens"

namespace mlir::dist {
#define GEN_PASS_DEF_ORDERTOKENSPASS
#include "Conversion/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

static bool isToken(Type type) { return isa<gpu::AsyncTokenType>(type); }

static bool hasToken(Operation *op) {
  if (llvm::any_of(op->getOperandTypes(), isToken) ||
      llvm::any_of(op->getResultTypes(), isToken))
    return true;
  // The branches convert the other blocks of a function.
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return llvm::any_of(function.getArgumentTypes(), isToken) ||
           llvm::any_of(function.getResultTypes(), isToken);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (llvm::any_of(block.getArgumentTypes(), isToken))
        return true;
  return false;
}

namespace {
/// Replaces an operation that has, besides tokens, results of its own: `rest`
/// has them, the token goes.
void replaceWithRest(ConversionPatternRewriter &rewriter, Operation *op,
                     ValueRange rest) {
  SmallVector<SmallVector<Value>> replacements(op->getNumResults());
  auto next = rest.begin();
  for (OpResult result : op->getResults())
    if (!isToken(result.getType()))
      replacements[result.getResultNumber()].push_back(*next++);
  rewriter.replaceOpWithMultiple(op, std::move(replacements));
}

/// Operands that are not tokens; each has one value.
SmallVector<Value> getPlain(ArrayRef<ValueRange> operands) {
  SmallVector<Value> plain;
  for (ValueRange values : operands)
    llvm::append_range(plain, values);
  return plain;
}

template <typename Op>
struct TokenPattern : public OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  using OneToN = typename OpConversionPattern<Op>::OneToNOpAdaptor;
  LogicalResult
  matchAndRewrite(Op op, OneToN adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    return rewrite(op, getPlain(adaptor.getOperands()), rewriter);
  }
  virtual LogicalResult rewrite(Op op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const = 0;
};

struct AfterPattern : public TokenPattern<AfterOp> {
  using TokenPattern::TokenPattern;
  LogicalResult rewrite(AfterOp op, ArrayRef<Value> operands,
                        ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, operands);
    return success();
  }
};

/// dist.token, ub.poison and arith.select of tokens.
template <typename Op>
struct DropPattern : public TokenPattern<Op> {
  using TokenPattern<Op>::TokenPattern;
  LogicalResult rewrite(Op op, ArrayRef<Value> operands,
                        ConversionPatternRewriter &rewriter) const override {
    if (!isToken(op->getResult(0).getType()))
      return failure();
    replaceWithRest(rewriter, op, {});
    return success();
  }
};

struct AllocPattern : public TokenPattern<gpu::AllocOp> {
  using TokenPattern::TokenPattern;
  LogicalResult rewrite(gpu::AllocOp op, ArrayRef<Value> operands,
                        ConversionPatternRewriter &rewriter) const override {
    if (op.getHostShared())
      return op.emitOpError("shares memory with the host, expected device "
                            "memory alone");
    if (!op.getSymbolOperands().empty())
      return op.emitOpError("has symbol operands, expected none");
    auto alloc = memref::AllocOp::create(rewriter, op.getLoc(), op.getType(),
                                         operands);
    replaceWithRest(rewriter, op, alloc.getResult());
    return success();
  }
};

/// What has operands, but no result except for a token.
template <typename Op, typename NewOp>
struct EffectPattern : public TokenPattern<Op> {
  using TokenPattern<Op>::TokenPattern;
  LogicalResult rewrite(Op op, ArrayRef<Value> operands,
                        ConversionPatternRewriter &rewriter) const override {
    create(rewriter, op.getLoc(), operands, static_cast<NewOp *>(nullptr));
    replaceWithRest(rewriter, op, {});
    return success();
  }

private:
  static void create(OpBuilder &builder, Location loc, ArrayRef<Value> operands,
                     memref::DeallocOp *) {
    memref::DeallocOp::create(builder, loc, operands[0]);
  }
  // The gpu dialect names the destination first.
  static void create(OpBuilder &builder, Location loc, ArrayRef<Value> operands,
                     memref::CopyOp *) {
    memref::CopyOp::create(builder, loc, operands[1], operands[0]);
  }
  static void create(OpBuilder &builder, Location loc, ArrayRef<Value> operands,
                     linalg::FillOp *) {
    linalg::FillOp::create(builder, loc, operands[1], operands[0]);
  }
};

/// Without `async` the host waits, with it there is nothing left to say.
struct WaitPattern : public TokenPattern<gpu::WaitOp> {
  using TokenPattern::TokenPattern;
  LogicalResult rewrite(gpu::WaitOp op, ArrayRef<Value>,
                        ConversionPatternRewriter &rewriter) const override {
    if (!op.getAsyncToken())
      SynchronizeOp::create(rewriter, op.getLoc());
    replaceWithRest(rewriter, op, {});
    return success();
  }
};

struct LaunchFuncPattern : public TokenPattern<gpu::LaunchFuncOp> {
  using TokenPattern::TokenPattern;
  LogicalResult rewrite(gpu::LaunchFuncOp op, ArrayRef<Value>,
                        ConversionPatternRewriter &rewriter) const override {
    if (op.hasClusterSize() || op.getAsyncObject())
      return op.emitOpError("has a cluster size or a stream of its own, expected "
                            "neither");
    gpu::LaunchFuncOp::create(
        rewriter, op.getLoc(), op.getKernel(), op.getGridSizeOperandValues(),
        op.getBlockSizeOperandValues(), op.getDynamicSharedMemorySize(),
        op.getKernelOperands(), /*asyncTokenType=*/Type());
    replaceWithRest(rewriter, op, {});
    return success();
  }
};

struct LaunchPattern : public TokenPattern<gpu::LaunchOp> {
  using TokenPattern::TokenPattern;
  LogicalResult rewrite(gpu::LaunchOp op, ArrayRef<Value>,
                        ConversionPatternRewriter &rewriter) const override {
    if (op.hasClusterSize() || !op.getWorkgroupAttributions().empty() ||
        !op.getPrivateAttributions().empty())
      return op.emitOpError("has a cluster size or memory of its own, expected "
                            "neither; outline it to a gpu.func first");
    gpu::KernelDim3 grid = op.getGridSizeOperandValues();
    gpu::KernelDim3 block = op.getBlockSizeOperandValues();
    auto launch = gpu::LaunchOp::create(
        rewriter, op.getLoc(), grid.x, grid.y, grid.z, block.x, block.y,
        block.z, op.getDynamicSharedMemorySize());
    rewriter.eraseBlock(&launch.getBody().front());
    rewriter.inlineRegionBefore(op.getBody(), launch.getBody(),
                                launch.getBody().begin());
    replaceWithRest(rewriter, op, {});
    return success();
  }
};

class OrderTokens
    : public mlir::dist::impl::OrderTokensPassBase<OrderTokens> {
public:
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion(
        [](gpu::AsyncTokenType, SmallVectorImpl<Type> &) { return success(); });
    ConversionTarget target(*context);
    RewritePatternSet patterns(context);
    scf::populateSCFStructuralTypeConversions(converter, patterns);
    cf::populateCFStructuralTypeConversions(converter, patterns);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                   converter);
    populateCallOpTypeConversionPattern(patterns, converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    patterns.add<AfterPattern, DropPattern<TokenOp>, DropPattern<ub::PoisonOp>,
                 DropPattern<arith::SelectOp>, AllocPattern,
                 EffectPattern<gpu::DeallocOp, memref::DeallocOp>,
                 EffectPattern<gpu::MemcpyOp, memref::CopyOp>,
                 EffectPattern<gpu::MemsetOp, linalg::FillOp>, WaitPattern,
                 LaunchFuncPattern, LaunchPattern>(converter, context);
    target.markUnknownOpDynamicallyLegal(
        [](Operation *op) { return !hasToken(op); });
    target.addIllegalOp<AfterOp, TokenOp, gpu::AllocOp, gpu::DeallocOp,
                        gpu::MemcpyOp, gpu::MemsetOp, gpu::WaitOp>();
    // Bodies of kernels have no tokens and are left alone.
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
