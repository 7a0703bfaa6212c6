//===- Reduction.cpp ------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A step changes the operation with some number in a copy of the module. The
// copy is kept when it verifies and is still interesting. Steps are tried from
// the last operation to the first, the coarse ones before the fine ones, until
// no step is kept.

#include "Tools/Reduce/Reduction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Reducer/ReductionPatternInterface.h"
#include "mlir/Reducer/Tester.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

/// Some value of `type` that can be used before `op`: an operand, an argument
/// around it, a constant, a fresh tensor; null where there is none.
static Value findValue(Type type, Operation *op, OpBuilder &builder) {
  for (Value operand : op->getOperands())
    if (operand.getType() == type)
      return operand;
  for (Block *block = op->getBlock(); block;) {
    for (BlockArgument argument : block->getArguments())
      if (argument.getType() == type)
        return argument;
    Operation *parent = block->getParentOp();
    block = parent->hasTrait<OpTrait::IsIsolatedFromAbove>()
                ? nullptr
                : parent->getBlock();
  }
  if (type.isIntOrIndexOrFloat() &&
      (type.isIndex() || type.isSignlessInteger() || isa<FloatType>(type)))
    return arith::ConstantOp::create(builder, op->getLoc(),
                                     builder.getZeroAttr(type));
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return {};
  return tensor::EmptyOp::create(builder, op->getLoc(), tensor.getShape(),
                                 tensor.getElementType());
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Erases `op` and lets its users take other values of the types.
static LogicalResult eraseOperation(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return failure();
  if (auto symbol = dyn_cast<SymbolOpInterface>(op)) {
    if (!SymbolTable::symbolKnownUseEmpty(op, op->getParentOp()))
      return failure();
    op->erase();
    return success();
  }
  OpBuilder builder(op);
  SmallVector<Value> replacements;
  for (Value result : op->getResults()) {
    Value value =
        result.use_empty() ? result : findValue(result.getType(), op, builder);
    if (!value)
      return failure();
    replacements.push_back(value);
  }
  for (auto [result, value] : llvm::zip(op->getResults(), replacements))
    if (value != result)
      result.replaceAllUsesWith(value);
  op->erase();
  return success();
}

/// Puts the body of region `index` in the place of `op`.
static LogicalResult inlineRegion(Operation *op, unsigned index) {
  if (isa<FunctionOpInterface, ModuleOp>(op) || index >= op->getNumRegions() ||
      !llvm::hasSingleElement(op->getRegion(index)))
    return failure();
  Block &body = op->getRegion(index).front();
  if (!body.mightHaveTerminator())
    return failure();
  Operation *terminator = body.getTerminator();
  OpBuilder builder(op);
  for (BlockArgument argument : body.getArguments()) {
    Value value = argument.use_empty()
                      ? argument
                      : findValue(argument.getType(), op, builder);
    if (!value)
      return failure();
    if (value != argument)
      argument.replaceAllUsesWith(value);
  }
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         body.getOperations(), body.begin(),
                                         terminator->getIterator());
  for (OpResult result : op->getResults()) {
    if (result.use_empty())
      continue;
    auto yielded = llvm::find_if(terminator->getOperands(), [&](Value value) {
      return value.getType() == result.getType();
    });
    Value value = yielded != terminator->operand_end()
                      ? *yielded
                      : findValue(result.getType(), op, builder);
    if (!value)
      return failure();
    result.replaceAllUsesWith(value);
  }
  op->erase();
  return success();
}

/// Applies the reduction patterns of the dialect of `op` to it alone.
static LogicalResult applyPatterns(Operation *op) {
  Dialect *dialect = op->getDialect();
  auto *interface =
      dialect
          ? dialect->getRegisteredInterface<DialectReductionPatternInterface>()
          : nullptr;
  if (!interface)
    return failure();
  RewritePatternSet patterns(op->getContext());
  interface->populateReductionPatterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingOps)
      .enableFolding(false)
      .enableConstantCSE(false);
  bool changed = false;
  if (failed(
          applyOpPatternsGreedily({op}, std::move(patterns), config, &changed)))
    return failure();
  return success(changed);
}

using Step = LogicalResult (*)(Operation *);
static const Step kSteps[] = {
    eraseOperation,
    [](Operation *op) { return inlineRegion(op, 0); },
    [](Operation *op) { return inlineRegion(op, 1); },
    applyPatterns,
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static SmallVector<Operation *> getOperations(ModuleOp module) {
  SmallVector<Operation *> operations;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module)
      operations.push_back(op);
  });
  return operations;
}

namespace {
struct ReductionPass : PassWrapper<ReductionPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReductionPass)

  ReductionPass() = default;
  ReductionPass(const ReductionPass &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "dist-reduction"; }
  StringRef getDescription() const final {
    return "Makes a module smaller while a script finds it interesting";
  }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<arith::ArithDialect, tensor::TensorDialect>();
  }

  void runOnOperation() final {
    ModuleOp module = getOperation();
    Tester tester(test, testArguments);
    auto isInteresting = [&](ModuleOp candidate) {
      return tester.isInteresting(candidate).first ==
             Tester::Interestingness::True;
    };
    if (!isInteresting(module)) {
      module.emitError() << "'" << test
                         << "' does not find the program interesting, expected "
                            "it to exit with 1";
      return signalPassFailure();
    }
    OwningOpRef<ModuleOp> best = module.clone();
    bool changed = true;
    while (changed) {
      changed = false;
      for (Step step : kSteps)
        for (size_t index = getOperations(*best).size(); index-- > 0;)
          if (OwningOpRef<ModuleOp> smaller = tryStep(*best, step, index);
              smaller && isInteresting(*smaller)) {
            best = std::move(smaller);
            index = std::min(index, getOperations(*best).size());
            changed = true;
          }
    }
    module.getBodyRegion().takeBody(best->getBodyRegion());
  }

  /// A copy of `module` with the step done; null where it cannot be done.
  static OwningOpRef<ModuleOp> tryStep(ModuleOp module, Step step,
                                       size_t index) {
    // What does not verify is no error of anybody's.
    ScopedDiagnosticHandler quiet(module.getContext(),
                                  [](Diagnostic &) { return success(); });
    OwningOpRef<ModuleOp> copy = module.clone();
    if (failed(step(getOperations(*copy)[index])) || failed(verify(*copy)))
      return nullptr;
    return copy;
  }

  Option<std::string> test{
      *this, "test",
      llvm::cl::desc("Script that exits with 1 when the "
                     "file that it is given is interesting")};
  ListOption<std::string> testArguments{
      *this, "test-arg", llvm::cl::desc("Arguments before the file's name")};
};
} // namespace

void mlir::dist::registerReductionPass() { PassRegistration<ReductionPass>(); }
