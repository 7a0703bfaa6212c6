//===- Passes.td -------------------------------------------*- tablegen -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//


#ifndef DIST_CONVERSION_PASSES_TD
#define DIST_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// convert-dist-to-llvm
//===----------------------------------------------------------------------===//

def ConvertDistToLLVMPass : Pass<"convert-dist-to-llvm", "ModuleOp"> {
  let summary = "Turns collectives into calls of the runtime";
  let description = [{
    Converts dist, and func, cf and ub with it, so that futures in signatures and
    block arguments become pointers. Needs bufferized programs without scf:
    anything else is an error. `convert-to-llvm` does the same.
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
}

//===----------------------------------------------------------------------===//
// dist-finalize-lowering
//===----------------------------------------------------------------------===//

def FinalizeLoweringPass : Pass<"dist-finalize-lowering", "ModuleOp"> {
  let summary = "Ends a lowering: nothing of dist may be left";
  let description = [{
    Erases the declarations of meshes and process groups, which the calls carry
    by now, and makes the program check the runtime's ABI when it is loaded. An
    operation that is left outside of the LLVM dialect is an error that names
    it.
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
}

#endif // DIST_CONVERSION_PASSES_TD
