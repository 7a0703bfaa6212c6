//===- DeallocateBuffers.cpp ----------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Stock deallocation refuses a module in which one function frees a buffer.
// Here such functions manage their memory and all others are deallocated.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define DEBUG_TYPE "dist-deallocate-buffers"

namespace mlir::dist {
#define GEN_PASS_DEF_DEALLOCATEBUFFERSPASS
#include "Dialect/Dist/Transforms/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;

/// The first operation that frees a buffer, null when none does.
static Operation *findFree(FunctionOpInterface function) {
  Operation *found = nullptr;
  function.walk([&](Operation *op) {
    if (!hasEffect<MemoryEffects::Free>(op))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

namespace {
class DeallocateBuffers
    : public mlir::dist::impl::DeallocateBuffersPassBase<DeallocateBuffers> {
public:
  void runOnOperation() override {
    SymbolTableCollection symbols;
    WalkResult result =
        getOperation().walk([&](FunctionOpInterface function) {
          if (function.isExternal())
            return WalkResult::skip();
          if (Operation *free = findFree(function)) {
            InFlightDiagnostic remark =
                function->emitRemark()
                << "manages its memory itself: nothing is freed for it";
            remark.attachNote(free->getLoc()) << "it frees a buffer here";
            return WalkResult::skip();
          }
          if (failed(bufferization::deallocateBuffersOwnershipBased(
                  function, bufferization::DeallocationOptions(), symbols)))
            return WalkResult::interrupt();
          return WalkResult::skip();
        });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
