//===- InFlight.h - How long a collective is in flight ----------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The definition of "in flight", shared by the scheduler and the checker: a
// start holds its place until its wait, a gather until the last reader of the
// gathered value.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_ANALYSIS_INFLIGHT_H
#define DIST_DIALECT_DIST_ANALYSIS_INFLIGHT_H

#include "Dialect/Dist/Analysis/DependenceGraph.h"

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
  bool fits(InFlightLimit limit) const {
    return (limit.count == 0 || count <= limit.count) &&
           (limit.bytes == 0 || bytes <= limit.bytes);
  }
};

/// What is in flight on each communicator, by number.
using InFlightUsages = std::map<unsigned, InFlightUsage>;

/// One collective in flight in a block, or a future that came in as an
/// argument.
struct Flight {
  /// Null for a future that came in.
  CollectiveOpInterface start;
  /// The futures.
  ValueRange futures;
  /// Node of the start, -1 for a future that came in.
  int node = -1;
  /// Nodes after the last of which the flight ends, in program order. Empty
  /// when it lasts to the end of the block.
  SmallVector<unsigned, 2> ends;
};

/// The flights of a block, those that came in first.
SmallVector<Flight, 0> getFlights(Block &block, const DependenceGraph &graph);

/// What `start` takes of `limit`: a size that is not known takes all.
InFlightUsage getUsage(CollectiveOpInterface start, InFlightLimit limit);

/// What a future that came in takes of `limit`.
InFlightUsage getUsage(FutureType future, InFlightLimit limit);

/// The start whose future came in as `argument` of a loop; null when it is not
/// known.
CollectiveOpInterface getCarriedStart(BlockArgument argument);

} // namespace mlir::dist

#endif // DIST_DIALECT_DIST_ANALYSIS_INFLIGHT_H
