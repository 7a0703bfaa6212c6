//===- RegisterAll.cpp ----------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterAll.h"
#include "Conversion/DistToGPU/LaunchEffects.h"
#include "Conversion/DistToLLVM/DistToLLVM.h"
#include "Conversion/Passes.h"
#include "Dialect/Dist/IR/Dist.h"
#include "Dialect/Dist/IR/ValueBoundsOpInterfaceImpl.h"
#include "Dialect/Dist/Transforms/BufferizableOpInterfaceImpl.h"
#include "Dialect/Dist/Transforms/Passes.h"
#include "Dialect/Dist/Transforms/ReductionPatterns.h"
#include "Dialect/Dist/Transforms/RuntimeOpVerification.h"
#include "Pipelines/Pipelines.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

using namespace mlir;

void mlir::dist::registerDistDialects(DialectRegistry &registry) {
  registry.insert<DistDialect>();
  registerBufferizableOpInterfaceExternalModels(registry);
  registerRuntimeVerifiableOpInterfaceExternalModels(registry);
  registerValueBoundsOpInterfaceExternalModels(registry);
  registerConvertDistToLLVMInterface(registry);
  registerDistDialectTranslation(registry);
  registerLaunchEffects(registry);
  registerReductionPatterns(registry);
}

void mlir::dist::registerAllDialects(DialectRegistry &registry) {
  ::mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  // For the code of kernels.
  registerAllGPUToLLVMIRTranslations(registry);
  registerDistDialects(registry);
}

void mlir::dist::registerDistPasses() {
  registerDistTransformsPasses();
  registerDistConversionPasses();
  registerPipelines();
}

void mlir::dist::registerAllPasses() {
  ::mlir::registerAllPasses();
  registerDistPasses();
}
