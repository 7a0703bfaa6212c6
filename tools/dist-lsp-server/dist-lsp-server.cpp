//===- dist-lsp-server.cpp ------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// mlir-lsp-server with dist: diagnostics, definitions and hovering in editors.
//
//===----------------------------------------------------------------------===//

#include "RegisterAll.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::dist::registerAllDialects(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
