//===- dist-test-opt.cpp --------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// dist-opt with passes that only tests need.
//
//===----------------------------------------------------------------------===//

#include "RegisterAll.h"
#include "SeedFault.h"
#include "Unprotect.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::dist::registerAllDialects(registry);
  mlir::dist::registerAllPasses();
  mlir::dist::test::registerSeedFault();
  mlir::dist::test::registerUnprotect();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "dist optimizer driver with test passes\n", registry));
}
