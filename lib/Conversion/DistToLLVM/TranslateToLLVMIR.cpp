//===- TranslateToLLVMIR.cpp ------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The dialect's attributes on llvm.func say something to a runner and nothing to
// LLVM: the translation passes over them.
//
//===----------------------------------------------------------------------===//

#include "Conversion/DistToLLVM/DistToLLVM.h"
#include "Dialect/Dist/IR/Dist.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"

using namespace mlir;
using namespace mlir::dist;

void mlir::dist::registerDistDialectTranslation(DialectRegistry &registry) {
  registry.insert<DistDialect>();
  registry.addExtension(+[](MLIRContext *, DistDialect *dialect) {
    dialect->addInterfaces<LLVMTranslationDialectInterface>();
  });
}
