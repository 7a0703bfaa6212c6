//===- Effects.h - What operations touch ------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory and communication of operations, with regions and calls summarised. A
// wait touches the buffers of the collective that it completes, whether it
// names them or not.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_ANALYSIS_EFFECTS_H
#define DIST_DIALECT_DIST_ANALYSIS_EFFECTS_H

#include "Dialect/Dist/Analysis/Communicators.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::dist {

/// The start whose future `future` is; null when it is not known.
CollectiveOpInterface getStart(Value future);

/// The buffer that `memref` is a view of: an allocation, an argument, the
/// result of an operation that nobody looks through.
Value getBuffer(Value memref);

/// A read or write of `buffer`; null stands for any memory but that of
/// allocations which nothing else knows.
struct MemoryAccess {
  Value buffer;
  bool isWrite;
  /// The operand, a view of the buffer; null inside of regions and calls.
  Value memref = Value();
};

/// What an operation does together with everything inside of it.
struct OpEffects {
  /// The operation whose effects are unknown, null without one. It may touch
  /// any memory and communicate with anybody.
  Operation *unknown = nullptr;
  SmallVector<MemoryAccess, 4> accesses;
  /// The communicators on which it issues collectives, without repetition.
  SmallVector<unsigned, 1> communicators;

  bool hasMemoryAccess() const { return unknown || !accesses.empty(); }
};

class EffectAnalysis {
public:
  EffectAnalysis(ModuleOp module, Communicators &communicators);

  OpEffects getEffects(Operation *op);

  /// Whether nothing but the operations that name `buffer` can touch it: an
  /// allocation, or an argument marked `llvm.noalias`, that does not escape.
  bool isIsolated(Value buffer);

  /// The buffer to compare with others instead of `buffer`: the first of the
  /// values that name one global.
  Value getIdentity(Value buffer);

  /// The function with a body that `call` enters, null when it is not known.
  FunctionOpInterface getCallee(CallOpInterface call);

private:
  struct FunctionSummary {
    bool isUnknown = false;
    /// Accesses to the buffers of arguments, by index, and to any memory.
    SmallVector<std::pair<int, bool>> accesses;
    SmallVector<unsigned, 1> communicators;
  };

  const FunctionSummary &getSummary(FunctionOpInterface function);
  void addCall(CallOpInterface call, OpEffects &effects);
  void addWait(WaitOp wait, OpEffects &effects);
  void addRegions(Operation *op, OpEffects &effects);
  bool escapes(Value buffer);

  SymbolTableCollection symbols;
  Communicators &communicators;
  DenseMap<Operation *, FunctionSummary> summaries;
  llvm::DenseSet<Operation *> inProgress;
  DenseMap<Value, bool> isolated;
  /// The first value of each global.
  DenseMap<Operation *, Value> globals;
};

} // namespace mlir::dist

#endif // DIST_DIALECT_DIST_ANALYSIS_EFFECTS_H
