//===- Replay.h - Following a program with its constants --------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes a function as far as its constants carry: integers, which part of
// which buffer a memref is, which collective a future is of. Loops run for
// their first iterations, private functions are entered, both sides of a branch
// are taken when the condition is not known. The work is bounded by the size of
// the function.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_TRANSFORMS_REPLAY_H
#define DIST_LIB_TRANSFORMS_REPLAY_H

#include "Dialect/Dist/Analysis/Effects.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::dist {

/// In every dimension of a buffer, `counts` elements from `offsets` on, each
/// `strides` after the one before.
struct BufferPart {
  Value root;
  /// Which of the allocations that `root` stands for, one after the other.
  unsigned instance = 0;
  SmallVector<int64_t, 4> offsets, counts, strides;
  /// The dimension of the buffer behind each dimension of the memref.
  SmallVector<unsigned, 4> dims;
  /// Whether the part is what it says; else it is somewhere within.
  bool isExact = true;
  /// Whether `dims` still holds.
  bool hasDims = true;

  bool isWhole() const;
};

enum class Overlap { None, Possible, Certain };

using BufferParts = SmallVector<BufferPart, 0>;

/// Whether an access to `part` touches what `inFlight` has: surely when it is
/// inside of that, or has some of it and `touchesAll`.
Overlap compare(const BufferPart &inFlight, const BufferPart &part,
                bool touchesAll);

/// Uncertain: on some paths only.
enum class FlightState { Done, InFlight, Uncertain };

/// A source or a destination of a collective that was started.
struct ReplayedFlight {
  CollectiveOpInterface start;
  /// One of these is it.
  BufferParts parts;
  bool isDestination;
  FlightState state = FlightState::InFlight;
  /// Whether a loop has handed the future on to a next iteration.
  bool isCarried = false;
};

/// What is known of a value.
struct Replayed {
  Attribute constant;
  BufferParts parts;
  /// The collectives that a future may be of, each by its flights.
  SmallVector<SmallVector<unsigned, 2>, 1> collectives;
};

class Replay {
public:
  explicit Replay(EffectAnalysis &effects) : effects(effects) {}
  virtual ~Replay() = default;

  LogicalResult run(FunctionOpInterface function);

protected:
  /// Called before `op`, which is not a branch, a loop, a wait or a call that
  /// is entered, takes effect.
  virtual LogicalResult visit(Operation *op) = 0;

  /// The flights that may have a part of `root`, those that ended too.
  ArrayRef<unsigned> getFlights(Value root) const {
    auto found = flightsOf.find(root);
    return found == flightsOf.end() ? ArrayRef<unsigned>()
                                    : ArrayRef<unsigned>(found->second);
  }
  const ReplayedFlight &getFlight(unsigned id) const { return flights[id]; }
  ArrayRef<Operation *> getCalls() const { return calls; }

  /// What the memref is, and what of it `op` touches.
  BufferParts getTouched(Operation *op, Value memref);
  /// The buffer, somewhere within.
  BufferParts getParts(Value buffer);

private:
  Replayed &lookup(Value value);
  SmallVector<Replayed, 0> lookupAll(ValueRange values);
  std::optional<int64_t> getInt(OpFoldResult value);
  BufferPart createRoot(Value value, unsigned instance);
  void bind(ValueRange values, ArrayRef<Replayed> known);

  LogicalResult runBlock(Block &block);
  LogicalResult runOperation(Operation *op);
  LogicalResult runLoop(scf::ForOp loop);
  LogicalResult runLoop(scf::WhileOp loop);
  LogicalResult runBranches(Operation *op, ArrayRef<Region *> regions);
  LogicalResult runIf(scf::IfOp op);
  LogicalResult runCall(func::CallOp call, Block &body);
  void runWait(WaitOp wait);
  void runStart(CollectiveOpInterface start);
  bool runSelect(Operation *op);
  bool runView(Operation *op);
  bool runAlias(Operation *op);
  bool runFold(Operation *op);
  BufferPart getSubView(memref::SubViewOp op, const BufferPart &part);

  int64_t getMaxIterations(Operation *loop, int64_t numCarried);
  void markCarried(ArrayRef<Replayed> values);
  void leaveUnfinished(SmallVectorImpl<Replayed> &values, unsigned firstFlight);

  EffectAnalysis &effects;
  DenseMap<Value, Replayed> values;
  DenseMap<Operation *, bool> communicates;
  SmallVector<ReplayedFlight, 0> flights;
  DenseMap<Value, SmallVector<unsigned, 2>> flightsOf;
  SmallVector<Operation *> calls;
  unsigned numRoots = 0;
  /// Operations that may still be executed.
  int64_t budget = 0;
};

} // namespace mlir::dist

#endif // DIST_LIB_TRANSFORMS_REPLAY_H
