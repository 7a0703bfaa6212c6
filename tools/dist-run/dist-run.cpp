//===- dist-run.cpp -------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a program and runs it on the ranks of this machine.
//
//===----------------------------------------------------------------------===//

#include "RegisterAll.h"
#include "Tools/Run/Run.h"
#include "mlir/IR/DialectRegistry.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::dist::registerAllDialects(registry);
  mlir::dist::registerAllPasses();
  return mlir::dist::run::runMain(argc, argv, registry);
}
