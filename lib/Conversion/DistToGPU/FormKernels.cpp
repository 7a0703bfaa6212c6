//===- FormKernels.cpp ----------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Which computation becomes a kernel, and how its iterations are spread over
// threads. An element of a result is always computed by one thread, in the order
// of the program, so that a kernel gives the bits that the host's loops give.
//
//===----------------------------------------------------------------------===//

#include "Conversion/Passes.h"
#include "Conversion/DistToGPU/DeviceMemory.h"
#include "Dialect/Dist/IR/DeviceOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "dist-form-kernels"

namespace mlir::dist {
#define GEN_PASS_DEF_FORMKERNELSPASS
#include "Conversion/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

/// Threads of a block, but for iteration spaces that are known to be smaller.
static constexpr int64_t kBlockSize = 256;
/// The threads that run together on the device.
static constexpr int64_t kWarpSize = 32;

//===----------------------------------------------------------------------===//
// What a kernel may consist of
//===----------------------------------------------------------------------===//

static bool isControl(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::ParallelOp,
             scf::IndexSwitchOp, scf::YieldOp, scf::ConditionOp, scf::ReduceOp,
             scf::ReduceReturnOp>(op);
}

static bool isLoop(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, scf::ParallelOp>(op);
}

static bool isScalar(Type type) {
  return type.isIntOrIndexOrFloat() || isa<ComplexType>(type);
}

namespace {
/// What is in a nest of control flow.
struct Contents {
  /// Only scalars, control flow, views, and loads and stores of device memory.
  bool isScalarCode = true;
  bool hasAccess = false, hasLoad = false, hasLoop = false;
};
} // namespace

static Contents inspect(Operation *nest) {
  Contents contents;
  nest->walk([&](Operation *op) {
    if (isControl(op)) {
      contents.hasLoop |= isLoop(op);
      return WalkResult::advance();
    }
    if (isa<memref::LoadOp, memref::StoreOp>(op) && takesDeviceMemory(op)) {
      contents.hasAccess = true;
      contents.hasLoad |= isa<memref::LoadOp>(op);
      return WalkResult::advance();
    }
    bool isPure = op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
                  !isa<DistDialect>(op->getDialect()) &&
                  !isa<CallOpInterface, memref::GetGlobalOp>(op);
    if (isPure)
      return WalkResult::advance();
    contents.isScalarCode = false;
    return WalkResult::interrupt();
  });
  return contents;
}

/// Whether the whole of `nest` is one kernel. A branch that only decides about
/// one store is cheaper on the host, which knows the condition.
static bool isKernel(Operation *nest, const Contents &contents) {
  if (!contents.isScalarCode || !contents.hasAccess)
    return false;
  if (!isLoop(nest))
    return (contents.hasLoad || contents.hasLoop) && nest->use_empty();
  return llvm::all_of(nest->getResultTypes(), isScalar);
}

//===----------------------------------------------------------------------===//
// Making kernels
//===----------------------------------------------------------------------===//

namespace {
class KernelFormer {
public:
  explicit KernelFormer(MLIRContext *context) : rewriter(context) {}

  /// Forms the kernels of `region` from outside in.
  LogicalResult form(Region &region);

private:
  LogicalResult formOne(Operation *op);
  LogicalResult formStructured(linalg::LinalgOp op);
  void formCopy(memref::CopyOp op);
  void formParallel(scf::ParallelOp op);
  void formSequential(Operation *nest);

  gpu::LaunchOp createLaunch(Location loc, Value blocks, Value threads);
  /// A launch of one thread around `op`.
  gpu::LaunchOp wrap(Operation *op);
  Value getIndex(Location loc, int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }

  IRRewriter rewriter;
};
} // namespace

gpu::LaunchOp KernelFormer::createLaunch(Location loc, Value blocks,
                                         Value threads) {
  Value one = getIndex(loc, 1);
  auto launch = gpu::LaunchOp::create(rewriter, loc, blocks, one, one, threads,
                                      one, one);
  rewriter.setInsertionPointToEnd(&launch.getBody().front());
  gpu::TerminatorOp::create(rewriter, loc);
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  return launch;
}

gpu::LaunchOp KernelFormer::wrap(Operation *op) {
  rewriter.setInsertionPoint(op);
  Value one = getIndex(op->getLoc(), 1);
  gpu::LaunchOp launch = createLaunch(op->getLoc(), one, one);
  rewriter.moveOpBefore(op, launch.getBody().front().getTerminator());
  return launch;
}

/// Number of iterations, 0 for an empty range.
static OpFoldResult getTripCount(OpBuilder &builder, Location loc, Value lower,
                                 Value upper, Value step) {
  AffineExpr lb = builder.getAffineSymbolExpr(0);
  AffineExpr ub = builder.getAffineSymbolExpr(1);
  AffineExpr st = builder.getAffineSymbolExpr(2);
  return affine::makeComposedFoldedAffineMax(
      builder, loc,
      AffineMap::get(0, 3,
                     {(ub - lb).ceilDiv(st), builder.getAffineConstantExpr(0)},
                     builder.getContext()),
      {getAsOpFoldResult(lower), getAsOpFoldResult(upper),
       getAsOpFoldResult(step)});
}

void KernelFormer::formParallel(scf::ParallelOp loop) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  SmallVector<OpFoldResult> trips;
  OpFoldResult total = rewriter.getIndexAttr(1);
  AffineExpr product =
      rewriter.getAffineSymbolExpr(0) * rewriter.getAffineSymbolExpr(1);
  for (auto [lower, upper, step] :
       llvm::zip_equal(loop.getLowerBound(), loop.getUpperBound(),
                       loop.getStep())) {
    trips.push_back(getTripCount(rewriter, loc, lower, upper, step));
    total = affine::makeComposedFoldedAffineApply(rewriter, loc, product,
                                                  {total, trips.back()});
  }
  int64_t blockSize = kBlockSize;
  if (std::optional<int64_t> count = getConstantIntValue(total))
    blockSize = std::clamp<int64_t>(llvm::alignTo(*count, kWarpSize), kWarpSize,
                                    kBlockSize);
  // A grid is never empty; the threads beyond the end do nothing.
  OpFoldResult blocks = affine::makeComposedFoldedAffineMax(
      rewriter, loc,
      AffineMap::get(0, 1,
                     {rewriter.getAffineSymbolExpr(0).ceilDiv(blockSize),
                      rewriter.getAffineConstantExpr(1)},
                     rewriter.getContext()),
      {total});
  auto materialize = [&](OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, value);
  };
  Value totalValue = materialize(total);
  SmallVector<Value> tripValues = llvm::map_to_vector(trips, materialize);
  gpu::LaunchOp launch =
      createLaunch(loc, materialize(blocks), getIndex(loc, blockSize));

  Value id = arith::AddIOp::create(
      rewriter, loc,
      arith::MulIOp::create(rewriter, loc, launch.getBlockIds().x,
                            launch.getBlockSize().x),
      launch.getThreadIds().x);
  Value isInside = arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::ult, id, totalValue);
  auto guard = scf::IfOp::create(rewriter, loc, isInside);
  rewriter.setInsertionPointToStart(&guard.getThenRegion().front());
  // The last dimension runs fastest: neighbours work on neighbours.
  SmallVector<Value> ivs(tripValues.size());
  for (int64_t dim = tripValues.size() - 1; dim >= 0; --dim) {
    Value position = id;
    if (dim > 0) {
      position = arith::RemUIOp::create(rewriter, loc, id, tripValues[dim]);
      id = arith::DivUIOp::create(rewriter, loc, id, tripValues[dim]);
    }
    Value scaled = arith::MulIOp::create(rewriter, loc, position,
                                         loop.getStep()[dim]);
    ivs[dim] = arith::AddIOp::create(rewriter, loc, scaled,
                                     loop.getLowerBound()[dim]);
  }
  rewriter.eraseOp(loop.getBody()->getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), guard.thenYield(), ivs);
  rewriter.eraseOp(loop);
}

void KernelFormer::formSequential(Operation *nest) {
  Location loc = nest->getLoc();
  gpu::LaunchOp launch = wrap(nest);
  for (OpResult result : nest->getResults()) {
    if (result.use_empty())
      continue;
    rewriter.setInsertionPoint(launch);
    Value slot = memref::AllocOp::create(
        rewriter, loc, MemRefType::get({}, result.getType()));
    rewriter.setInsertionPointAfter(launch);
    Value read = DeviceReadOp::create(rewriter, loc, result.getType(), slot,
                                      ValueRange());
    memref::DeallocOp::create(rewriter, loc, slot);
    rewriter.replaceAllUsesWith(result, read);
    rewriter.setInsertionPointAfter(nest);
    memref::StoreOp::create(rewriter, loc, result, slot);
  }
}

void KernelFormer::formCopy(memref::CopyOp op) {
  auto type = cast<MemRefType>(op.getTarget().getType());
  AffineMap map = rewriter.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  rewriter.setInsertionPoint(op);
  auto generic = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getSource(), op.getTarget(), {map, map},
      iterators, [](OpBuilder &builder, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(builder, loc, arguments[0]);
      });
  rewriter.eraseOp(op);
  LogicalResult formed = formStructured(generic);
  assert(succeeded(formed) && "a copy has loops");
  (void)formed;
}

/// Brings the parallel loops of `op` outside, in their order.
static FailureOr<linalg::LinalgOp> hoistParallel(RewriterBase &rewriter,
                                                 linalg::LinalgOp op) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  auto isParallel = [&](unsigned loop) {
    return iterators[loop] == utils::IteratorType::parallel;
  };
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, iterators.size()));
  std::stable_partition(order.begin(), order.end(), isParallel);
  if (llvm::is_sorted(order))
    return op;
  rewriter.setInsertionPoint(op);
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    FailureOr<linalg::GenericOp> general =
        linalg::generalizeNamedOp(rewriter, op);
    if (failed(general))
      return failure();
    generic = *general;
  }
  FailureOr<linalg::GenericOp> moved =
      linalg::interchangeGenericOp(rewriter, generic, order);
  if (failed(moved))
    return failure();
  return cast<linalg::LinalgOp>(moved->getOperation());
}

LogicalResult KernelFormer::formStructured(linalg::LinalgOp op) {
  FailureOr<linalg::LinalgOp> ordered = hoistParallel(rewriter, op);
  Operation *named = op;
  if (failed(ordered))
    return named->emitOpError("has loops that cannot be put in the order of a "
                              "kernel: parallel ones outside");
  bool isParallel = ordered->getNumParallelLoops() > 0;
  if (!isParallel)
    wrap(*ordered);
  rewriter.setInsertionPoint(*ordered);
  FailureOr<linalg::LinalgLoops> loops =
      linalg::linalgOpToParallelLoops(rewriter, *ordered);
  if (failed(loops))
    return (*ordered)->emitOpError("has no loops that a kernel could run");
  rewriter.eraseOp(*ordered);
  if (isParallel)
    formParallel(cast<scf::ParallelOp>(loops->front()));
  return success();
}

LogicalResult KernelFormer::formOne(Operation *op) {
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    if (!isHostMemory(copy.getSource()) && !isHostMemory(copy.getTarget()))
      formCopy(copy);
    return success();
  }
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    if (!takesDeviceMemory(op))
      return success();
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()) && isHostMemory(operand))
        return op->emitOpError("works on device memory and on host memory");
    return formStructured(structured);
  }
  if (auto forall = dyn_cast<scf::ForallOp>(op)) {
    rewriter.setInsertionPoint(forall);
    scf::ParallelOp parallel;
    if (failed(scf::forallToParallelLoop(rewriter, forall, &parallel)))
      return op->emitOpError("is not bufferized");
    op = parallel;
  }
  if (isControl(op) && op->getNumRegions() != 0) {
    Contents contents = inspect(op);
    auto parallel = dyn_cast<scf::ParallelOp>(op);
    if (isKernel(op, contents)) {
      if (parallel && parallel.getNumResults() == 0)
        formParallel(parallel);
      else
        formSequential(op);
      return success();
    }
  }
  for (Region &region : op->getRegions())
    if (failed(form(region)))
      return failure();
  return success();
}

LogicalResult KernelFormer::form(Region &region) {
  for (Block &block : region) {
    SmallVector<Operation *> ops;
    for (Operation &op : block)
      if (!isa<gpu::LaunchOp>(op))
        ops.push_back(&op);
    for (Operation *op : ops)
      if (failed(formOne(op)))
        return failure();
  }
  return success();
}

/// Constants of the host are copied to the device where the function begins.
static void moveConstants(FunctionOpInterface function, RewriterBase &rewriter) {
  SmallVector<memref::GetGlobalOp> constants;
  function.walk([&](memref::GetGlobalOp op) { constants.push_back(op); });
  Block &entry = function.getFunctionBody().front();
  for (memref::GetGlobalOp op : constants) {
    rewriter.moveOpBefore(op, &entry, entry.begin());
    rewriter.setInsertionPointAfter(op);
    auto copy = DeviceConstantOp::create(rewriter, op.getLoc(), op.getType(), op);
    rewriter.replaceAllUsesExcept(op, copy, copy);
  }
}

namespace {
class FormKernels
    : public mlir::dist::impl::FormKernelsPassBase<FormKernels> {
public:
  void runOnOperation() override {
    KernelFormer former(&getContext());
    IRRewriter rewriter(&getContext());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() || isHostFunction(function))
        continue;
      moveConstants(function, rewriter);
      if (failed(former.form(function.getBody())))
        return signalPassFailure();
    }
  }
};
} // namespace
