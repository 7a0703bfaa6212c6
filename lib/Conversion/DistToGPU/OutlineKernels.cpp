//===- OutlineKernels.cpp -------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#define DEBUG_TYPE "dist-outline-kernels"

namespace mlir::dist {
#define GEN_PASS_DEF_OUTLINEKERNELSPASS
#include "Conversion/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;

/// Functions of the host cannot be called by a kernel, nor tokens wait for it
/// any more.
static LogicalResult checkLaunch(gpu::LaunchOp launch) {
  if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty())
    return launch.emitOpError("has tokens; run dist-order-tokens first");
  WalkResult result = launch.getBody().walk([](CallOpInterface call) {
    call->emitOpError("stands in a kernel, which cannot call functions; inline "
                      "it first");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {
class OutlineKernels
    : public mlir::dist::impl::OutlineKernelsPassBase<OutlineKernels> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<gpu::LaunchOp> launches;
    module.walk([&](gpu::LaunchOp launch) { launches.push_back(launch); });
    if (launches.empty())
      return;
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    SymbolTable symbols(module);
    auto kernels =
        gpu::GPUModuleOp::create(builder, module.getLoc(), "dist_kernels");
    symbols.insert(kernels);
    SymbolTable names(kernels);
    for (gpu::LaunchOp launch : launches) {
      if (failed(checkLaunch(launch)))
        return signalPassFailure();
      outline(launch, names);
    }
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                    builder.getUnitAttr());
  }

private:
  void outline(gpu::LaunchOp launch, SymbolTable &names) {
    // Constants are part of the kernel, not arguments.
    (void)sinkOperationsIntoLaunchOp(
        launch, [](Operation *op) { return matchPattern(op, m_Constant()); });
    auto function = launch->getParentOfType<FunctionOpInterface>();
    SmallVector<Value> operands;
    gpu::GPUFuncOp kernel = outlineKernelFunc(
        launch, (function.getName() + "_kernel").str(), operands);
    names.insert(kernel);
    OpBuilder builder(launch);
    gpu::LaunchFuncOp::create(builder, launch.getLoc(), kernel,
                              launch.getGridSizeOperandValues(),
                              launch.getBlockSizeOperandValues(),
                              launch.getDynamicSharedMemorySize(), operands);
    launch.erase();
  }
};
} // namespace
