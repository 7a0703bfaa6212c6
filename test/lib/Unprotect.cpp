//===- Unprotect.cpp ------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unprotect.h"
#include "Dialect/Dist/Transforms/Passes.h"
#include "Pipelines/Pipelines.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::dist;

//===----------------------------------------------------------------------===//
// After dist-prepare-bufferization
//===----------------------------------------------------------------------===//

template <typename Op> static SmallVector<Op> collect(ModuleOp module) {
  SmallVector<Op> ops;
  module.walk([&](Op op) { ops.push_back(op); });
  return ops;
}

/// Nothing tells that a source is needed until the wait.
static void removeKeeps(ModuleOp module, RewriterBase &rewriter) {
  for (auto wait : collect<WaitOp>(module))
    wait.getKeepsMutable().clear();
  for (auto drop : collect<DropOp>(module))
    drop.getKeepsMutable().clear();
  for (auto keep : collect<KeepOp>(module))
    rewriter.eraseOp(keep);
}

/// Futures that nobody waits for are forgotten.
static void removeDrops(ModuleOp module, RewriterBase &rewriter) {
  for (auto drop : collect<DropOp>(module))
    rewriter.eraseOp(drop);
}

/// A future with two consumers has one reference.
static void removeDups(ModuleOp module, RewriterBase &rewriter) {
  for (auto dup : collect<DupOp>(module))
    rewriter.replaceOp(dup, dup.getFuture());
}

static void setModes(CollectiveOpInterface start,
                     function_ref<SourceMode(SourceMode)> change) {
  SmallVector<Attribute> modes;
  for (unsigned i = 0, e = start.getSources().size(); i != e; ++i)
    modes.push_back(SourceModeAttr::get(start->getContext(),
                                        change(start.getSourceMode(i))));
  start->setAttr("source_modes", ArrayAttr::get(start->getContext(), modes));
}

/// A source that does not outlive its future is used in place.
static void removeCopies(ModuleOp module, RewriterBase &) {
  for (auto op : collect<CollectiveOpInterface>(module))
    if (op.isStart())
      setModes(op, [](SourceMode mode) {
        return mode == SourceMode::Copy ? SourceMode::Borrow : mode;
      });
}

/// Every source is given away, whether somebody needs it or not.
static void donateAll(ModuleOp module, RewriterBase &rewriter) {
  removeKeeps(module, rewriter);
  for (auto op : collect<CollectiveOpInterface>(module))
    if (op.isStart())
      setModes(op, [](SourceMode) { return SourceMode::Donate; });
}

//===----------------------------------------------------------------------===//
// After One-Shot bufferization
//===----------------------------------------------------------------------===//

/// What canonicalization does to an allocation that nobody uses.
static void eraseUnusedWaits(ModuleOp module, RewriterBase &rewriter) {
  for (auto wait : collect<WaitOp>(module))
    if (wait->use_empty())
      rewriter.eraseOp(wait);
}

/// dist-reinplace-buffers without a look at what lies in between.
static void writeDestinations(ModuleOp module, RewriterBase &rewriter) {
  for (Operation *copy : collect<Operation *>(module)) {
    if (!isa<memref::CopyOp, linalg::CopyOp>(copy))
      continue;
    auto wait = copy->getOperand(0).getDefiningOp<WaitOp>();
    if (!wait || !wait->hasOneUse())
      continue;
    auto start = wait.getFutures()[0].getDefiningOp<CollectiveOpInterface>();
    if (!start || start->getNumResults() != 1)
      continue;
    Value destination = copy->getOperand(1);
    start.getDestinationsMutable().assign(destination);
    start->getResult(0).setType(
        FutureType::get(cast<ShapedType>(destination.getType())));
    rewriter.eraseOp(copy);
    rewriter.setInsertionPoint(wait);
    WaitOp::create(rewriter, wait.getLoc(), destination.getType(),
                   wait.getFutures(), wait.getKeeps(), destination);
    rewriter.eraseOp(wait);
  }
}

/// dist-reinplace-buffers without a look at who needs the source.
static void reuseSources(ModuleOp module, RewriterBase &rewriter) {
  for (auto wait : collect<WaitOp>(module)) {
    auto start = wait.getFutures()[0].getDefiningOp<CollectiveOpInterface>();
    if (!start || start->getNumResults() != 1 ||
        start.getSources()[0].getType() != wait.getResult(0).getType())
      continue;
    Value buffer = start.getSources()[0];
    start.getDestinationsMutable().assign(buffer);
    start->getResult(0).setType(
        FutureType::get(cast<ShapedType>(buffer.getType())));
    rewriter.setInsertionPoint(wait);
    rewriter.replaceOpWithNewOp<WaitOp>(
        wait, buffer.getType(), wait.getFutures(), wait.getKeeps(), buffer);
  }
}

//===----------------------------------------------------------------------===//
// After deallocation
//===----------------------------------------------------------------------===//

static Value getBase(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// Sources are freed where the last operation that names them stands, the
/// start.
static void freeEarly(ModuleOp module, RewriterBase &) {
  SmallVector<CollectiveOpInterface> starts =
      collect<CollectiveOpInterface>(module);
  for (auto dealloc : collect<memref::DeallocOp>(module))
    for (CollectiveOpInterface start : starts)
      if (start->getBlock() == dealloc->getBlock() &&
          llvm::any_of(start.getSources(), [&](Value source) {
            return getBase(source) == getBase(dealloc.getMemref());
          }))
        dealloc->moveAfter(start);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

namespace {
enum class Stage { Prepared, Bufferized, Deallocated };

struct Protection {
  StringRef name;
  Stage stage;
  void (*remove)(ModuleOp, RewriterBase &);
};

const Protection protections[] = {
    {"keeps", Stage::Prepared, removeKeeps},
    {"drops", Stage::Prepared, removeDrops},
    {"dups", Stage::Prepared, removeDups},
    {"copies", Stage::Prepared, removeCopies},
    {"last-use", Stage::Prepared, donateAll},
    {"wait-effect", Stage::Bufferized, eraseUnusedWaits},
    {"opaque-destination", Stage::Deallocated, test::carryDestinations},
    {"may-touch", Stage::Bufferized, writeDestinations},
    {"source-dies", Stage::Bufferized, reuseSources},
    {"late-free", Stage::Deallocated, freeEarly},
};

const Protection *findProtection(StringRef name) {
  for (const Protection &protection : protections)
    if (protection.name == name)
      return &protection;
  return nullptr;
}

struct UnprotectPass
    : public PassWrapper<UnprotectPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(UnprotectPass)
  UnprotectPass() = default;
  UnprotectPass(StringRef name) { protection = name.str(); }
  UnprotectPass(const UnprotectPass &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "test-dist-unprotect"; }
  StringRef getDescription() const override {
    return "Takes one protection of the lowering out";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<memref::MemRefDialect>();
  }
  void runOnOperation() override {
    const Protection *found = findProtection(protection);
    if (!found) {
      getOperation().emitError() << "no protection \"" << protection << "\"";
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    found->remove(getOperation(), rewriter);
  }
  Option<std::string> protection{*this, "protection",
                                 llvm::cl::desc("Which one")};
};

struct Options : public PassPipelineOptions<Options> {
  Option<std::string> without{*this, "without",
                              llvm::cl::desc("Protection to take out")};
  Option<bool> verify{*this, "verify",
                      llvm::cl::desc("Run dist-verify-bufferization"),
                      llvm::cl::init(false)};
};

/// dist-bufferize with one protection less.
void buildBufferize(OpPassManager &pm, const Options &options) {
  const Protection *protection = findProtection(options.without);
  auto unprotect = [&](Stage stage) {
    if (protection && protection->stage == stage)
      pm.addPass(std::make_unique<UnprotectPass>(protection->name));
  };
  buildPreparePipeline(pm);
  unprotect(Stage::Prepared);
  buildOneShotPipeline(pm);
  unprotect(Stage::Bufferized);
  if (options.verify)
    pm.addPass(createVerifyBufferizationPass());
  buildOwnershipPipeline(pm);
  unprotect(Stage::Deallocated);
  if (options.verify)
    pm.addPass(createVerifyBufferizationPass());
}

void buildToLLVM(OpPassManager &pm, const Options &options) {
  buildBufferize(pm, options);
  buildBuffersToLLVMPipeline(pm, LoweringOptions());
}
} // namespace

void mlir::dist::test::registerUnprotect() {
  PassRegistration<UnprotectPass>();
  PassPipelineRegistration<Options>("test-dist-bufferize",
                                    "dist-bufferize with one protection less",
                                    buildBufferize);
  PassPipelineRegistration<Options>("test-dist-to-llvm",
                                    "dist-to-llvm with one protection less",
                                    buildToLLVM);
}
