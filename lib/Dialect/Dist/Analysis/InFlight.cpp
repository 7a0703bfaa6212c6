//===- InFlight.cpp - How long a collective is in flight --------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Analysis/InFlight.h"
#include "Dialect/Dist/Analysis/Views.h"
#include "Dialect/Dist/Utils/Collectives.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::dist;
using bufferization::MaterializeInDestinationOp;

InFlightUsage mlir::dist::getUsage(CollectiveOpInterface start,
                                   InFlightLimit limit) {
  return {1, getInFlightBytes(start).value_or(limit.bytes)};
}

InFlightUsage mlir::dist::getUsage(FutureType future, InFlightLimit limit) {
  ShapedType type = future.getPayload();
  int64_t bytes = getElementBytes(type.getElementType());
  for (int64_t size : type.getShape())
    if (ShapedType::isDynamic(size) || llvm::MulOverflow(bytes, size, bytes))
      return {1, limit.bytes};
  return {1, bytes};
}

CollectiveOpInterface mlir::dist::getCarriedStart(BlockArgument argument) {
  auto loop = dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  if (!loop)
    return {};
  OpOperand *init = loop.getTiedLoopInit(argument);
  return init ? getStart(init->get()) : CollectiveOpInterface();
}

namespace {
/// Collects the nodes that keep one flight in the air.
class EndCollector {
public:
  EndCollector(Block &block, const DependenceGraph &graph, bool isGather)
      : block(block), graph(graph), isGather(isGather) {}

  void addFuture(Value future) {
    for (Operation *user : future.getUsers()) {
      add(user);
      auto wait = dyn_cast<WaitOp>(user);
      if (!isGather || !wait || wait->getBlock() != &block)
        continue;
      for (auto [waited, result] :
           llvm::zip_equal(wait.getFutures(), wait.getResults()))
        if (waited == future)
          addReaders(result);
      ArrayRef<unsigned> readers =
          graph.getNodes()[graph.getIndex(wait)].memoryReaders;
      ends.append(readers.begin(), readers.end());
    }
  }

  SmallVector<unsigned, 2> take() {
    llvm::sort(ends);
    ends.erase(llvm::unique(ends), ends.end());
    return std::move(ends);
  }

private:
  /// A user elsewhere holds the flight to the end of this block.
  void add(Operation *op) {
    int index = graph.getIndex(op);
    ends.push_back(index >= 0 ? index : graph.getNodes().size() - 1);
  }

  /// What shows the same data is looked through; everything else reads.
  void addReaders(Value value) {
    SmallVector<Value> worklist = {value};
    while (!worklist.empty()) {
      Value current = worklist.pop_back_val();
      for (OpOperand &use : current.getUses()) {
        Operation *user = use.getOwner();
        bool shows = getViewedOperand(user) == &use;
        if (auto op = dyn_cast<MaterializeInDestinationOp>(user))
          shows = op.getNumResults() == 1 && op.getSource() == current;
        if (shows && user->getBlock() == &block)
          worklist.push_back(user->getResult(0));
        else
          add(user);
      }
    }
  }

  Block &block;
  const DependenceGraph &graph;
  bool isGather;
  SmallVector<unsigned, 2> ends;
};
} // namespace

static bool isGather(CollectiveOpInterface start) {
  return start && start.getCollectiveKind() == CollectiveKind::AllGather;
}

SmallVector<Flight, 0> mlir::dist::getFlights(Block &block,
                                              const DependenceGraph &graph) {
  SmallVector<Flight, 0> flights;
  auto addFlight = [&](CollectiveOpInterface start, ValueRange futures,
                       int node) {
    EndCollector ends(block, graph, isGather(start));
    for (Value future : futures)
      ends.addFuture(future);
    flights.push_back({start, futures, node, ends.take()});
  };
  for (BlockArgument &argument : block.getArguments())
    if (isa<FutureType>(argument.getType()))
      addFlight(getCarriedStart(argument), ValueRange(argument), -1);
  for (auto [index, node] : llvm::enumerate(graph.getNodes())) {
    auto start = dyn_cast<CollectiveOpInterface>(node.op);
    if (start && start.isStart())
      addFlight(start, start->getResults(), index);
  }
  return flights;
}
