//===- dist-reduce.cpp ----------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// mlir-reduce with dist: makes a program smaller while a script of the user's
// finds it interesting. --dist-reduction is the pass to use; upstream's
// --reduction-tree crashes on simple programs.
//
//===----------------------------------------------------------------------===//

#include "RegisterAll.h"
#include "Tools/Reduce/Reduction.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Reducer/Passes.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::dist::registerAllDialects(registry);
  mlir::dist::registerAllPasses();
  mlir::registerReducerPasses();
  mlir::dist::registerReductionPass();
  mlir::MLIRContext context(registry);
  return failed(mlir::mlirReduceMain(argc, argv, context));
}
