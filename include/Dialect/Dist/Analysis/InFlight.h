//===- InFlight.h - How long a collective is in flight ----------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The definition of "in flight", shared by the scheduler and the checker: a
// start holds its place until the first wait for it in its block, a gather
// until the last reader of the gathered value. A future that is handed on goes
// on counting where it arrives: in the body of a loop, after an operation that
// returns it, in a function that takes it.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_ANALYSIS_INFLIGHT_H
#define DIST_DIALECT_DIST_ANALYSIS_INFLIGHT_H

#include "Dialect/Dist/Analysis/DependenceGraph.h"
#include "Dialect/Dist/Analysis/FutureFlow.h"

namespace mlir::dist {

struct InFlightUsage {
  int64_t count = 0;
  int64_t bytes = 0;

  InFlightUsage operator+(InFlightUsage other) const {
    return {count + other.count, bytes + other.bytes};
  }
  InFlightUsage operator-(InFlightUsage other) const {
    return {count - other.count, bytes - other.bytes};
  }
  /// The larger of each.
  InFlightUsage join(InFlightUsage other) const {
    return {std::max(count, other.count), std::max(bytes, other.bytes)};
  }
  bool fits(InFlightLimit limit) const {
    return (limit.count == 0 || count <= limit.count) &&
           (limit.bytes == 0 || bytes <= limit.bytes);
  }
};

/// What is in flight on each communicator, by number.
using InFlightUsages = std::map<unsigned, InFlightUsage>;

/// The starts that a future can come from.
struct FutureOrigin {
  SetVector<CollectiveOpInterface> starts;
  /// Arguments of functions that it can be as well.
  SetVector<BlockArgument> arguments;
  /// Whether it can come from elsewhere.
  bool isUnknown = false;
};

/// One collective in flight in a block.
struct Flight {
  /// The start, when it is in this block.
  CollectiveOpInterface start;
  /// The futures of the start, or those that came from elsewhere.
  SmallVector<Value, 1> futures;
  /// What it holds of each communicator that it can be on.
  InFlightUsages usages;
  /// Node of the start, or of the operation that hands the future out; -1 for
  /// what is in flight at entry.
  int node = -1;
  /// The flight ends when of each group one node is done. Without groups it
  /// lasts to the end of the block.
  SmallVector<SmallVector<unsigned, 1>, 2> ends;
};

/// What is in flight around a block.
struct InFlightContext {
  InFlightUsages usages;
  /// Those flights whose futures the block may use.
  SmallVector<Flight, 0> flights;

  void add(const Flight &flight);
};

/// Called for what does not fit: an operation of a block and a communicator
/// with all that is in flight then.
using InFlightExcessHandler =
    function_ref<void(Operation *, unsigned, InFlightUsage)>;

class InFlightAnalysis {
public:
  /// Numbers all communicators of `module`: a future of unknown origin counts
  /// on each of them.
  InFlightAnalysis(ModuleOp module, EffectAnalysis &effects,
                   Communicators &communicators);

  /// The flights of a block. Those of `context` that the block uses become its
  /// own, and `context` has the rest afterwards.
  SmallVector<Flight, 0> getFlights(Block &block, const DependenceGraph &graph,
                                    InFlightContext &context);

  /// The most that is in flight at once while `function` runs, what it is given
  /// included.
  const InFlightUsages &getPeak(FunctionOpInterface function);

  /// The most that a call needs, null for other operations and for calls of
  /// functions that nobody knows.
  const InFlightUsages *getCallPeak(Operation *op);

  /// Walks `region` in program order.
  InFlightUsages walk(Region &region, const InFlightContext &around,
                      InFlightExcessHandler handler);

private:
  const FutureOrigin &getOrigin(Value future);
  FutureOrigin computeOrigin(Value future);
  void addCallOrigin(OpResult result, FutureOrigin &origin);
  void addArgumentOrigin(BlockArgument argument, FutureOrigin &origin);
  InFlightUsages getUsages(Value future);
  InFlightUsages walkBlock(Block &block, InFlightContext context,
                           InFlightExcessHandler handler);

  EffectAnalysis &effects;
  Communicators &communicators;
  FutureFlow flow;
  DenseMap<Value, FutureOrigin> origins;
  DenseMap<Operation *, InFlightUsages> peaks;
};

/// Adds what `flight` holds.
void addUsages(InFlightUsages &usages, const Flight &flight);
void subtractUsages(InFlightUsages &usages, const Flight &flight);

/// Whether `flight` goes into `op` as an operand: inside it counts anew.
bool isHandedTo(const Flight &flight, Operation *op);

} // namespace mlir::dist

#endif // DIST_DIALECT_DIST_ANALYSIS_INFLIGHT_H
