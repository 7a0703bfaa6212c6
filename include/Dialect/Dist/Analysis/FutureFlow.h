//===- FutureFlow.h ---------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Where futures go. A future is an ordinary SSA value; this analysis follows
// one through structured control flow, calls and returns to everything that
// consumes it, and says on the way under which name its source is known there.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_ANALYSIS_FUTUREFLOW_H
#define DIST_DIALECT_DIST_ANALYSIS_FUTUREFLOW_H

#include "Dialect/Dist/IR/Dist.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/DenseMap.h"
#include <string>

namespace mlir::dist {

/// What one use does with a future.
struct FutureUse {
  enum class Kind {
    Consumed,  ///< waited or dropped
    Forwarded, ///< goes on as `values`
    Called,    ///< handed to a function
    Returned,  ///< handed out by a function
    Unknown    ///< an operation that futures do not pass through
  };
  Kind kind;
  SmallVector<Value> values;
};

FutureUse classifyFutureUse(OpOperand &use);

/// Whether exactly one of the regions of `op` runs, and runs once.
bool runsOneRegionOnce(Operation *op);

/// Uses of a future by one operation of a block: as its operands, and in its
/// regions.
struct FutureUseGroup {
  Operation *op;
  SmallVector<OpOperand *> direct;
  SmallVector<OpOperand *> nested;
};

/// `uses`, all of them in `block` or below it, by the operation of `block` that
/// they belong to, in block order. Operands of one operation are in order.
SmallVector<FutureUseGroup> groupFutureUses(Block *block,
                                            ArrayRef<OpOperand *> uses);

/// An operation that a future reaches, with the value that its source has
/// there.
struct FutureReachedOp {
  Operation *op;
  Value source;
};

/// Everything that a future reaches, in an order that depends on the program
/// alone.
struct FutureReach {
  SmallVector<FutureReachedOp> consumers;
  SmallVector<FutureReachedOp> calls;
  SmallVector<FutureReachedOp> returns;
};

/// The calls of a module and the ways of futures through it.
class FutureFlow {
public:
  explicit FutureFlow(ModuleOp module);

  /// Follows `future`, which reads (or writes) `source`, to all that it
  /// reaches. Fails with a `reason` when `source` does not strictly dominate
  /// a value that the future flows through: then another instance of the source
  /// could be meant there.
  FailureOr<FutureReach> follow(Value future, Value source,
                                std::string &reason);

  /// All calls of `function`, or nullopt when some of them are out of sight.
  std::optional<ArrayRef<func::CallOp>> getCallers(func::FuncOp function);

  /// The function that `call` enters, null when it has no body here.
  func::FuncOp getCallee(func::CallOp call);

  DominanceInfo &getDominance() { return dominance; }

private:
  struct Item {
    Value future;
    Value source;
  };

  /// Whether the function of `argument` may return the future it takes there.
  bool mayReturn(BlockArgument argument);

  /// One use of the future; adds to `reach` and to `worklist`.
  LogicalResult visit(OpOperand &use, Value source, FutureReach &reach,
                      SmallVectorImpl<Item> &worklist, std::string &reason);
  LogicalResult visitReturn(OpOperand &use, Value source, FutureReach &reach,
                            SmallVectorImpl<Item> &worklist,
                            std::string &reason);

  SymbolTableCollection symbols;
  DenseMap<Operation *, SmallVector<func::CallOp>> callers;
  DenseMap<Operation *, bool> hasUnknownCallers;
  DenseMap<BlockArgument, bool> mayReturnCache;
  DominanceInfo dominance;
};

/// Whether `source` is the same instance wherever `value`, a future that the
/// flow passes through, is visible: it is defined before and outside of
/// whatever defines `value`.
bool strictlyDominates(DominanceInfo &dominance, Value source, Value value);

} // namespace mlir::dist

#endif // DIST_DIALECT_DIST_ANALYSIS_FUTUREFLOW_H
