//===- DependenceGraph.h - What must stay before what -----------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dependences among the operations of one block: SSA, memory with aliases,
// unknown effects and the order of collectives.
//
// What computes (an *anchor*) keeps its order, so there are no edges between
// two anchors: their order is implied. All edges go from an earlier to a later
// operation of the block, hence program order is one valid schedule.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_ANALYSIS_DEPENDENCEGRAPH_H
#define DIST_DIALECT_DIST_ANALYSIS_DEPENDENCEGRAPH_H

#include "Dialect/Dist/Analysis/Effects.h"

namespace mlir::dist {

enum class NodeKind {
  Anchor, ///< keeps its order among the anchors
  Start,  ///< moves up
  Late,   ///< a wait, or a view or materialisation of what it returns: down
  Feeder  ///< cheap, and only feeds gathers that start early: up
};

struct DependenceNode {
  Operation *op = nullptr;
  NodeKind kind = NodeKind::Anchor;
  /// Communicator of a start.
  unsigned communicator = 0;
  bool isGather = false;
  /// The communicators on which an anchor issues collectives.
  SmallVector<unsigned, 0> issuesOn;
  SmallVector<unsigned, 2> predecessors;
  SmallVector<unsigned, 2> successors;
  /// Operations that read the memory which this wait completes.
  SmallVector<unsigned, 0> memoryReaders;
  /// The last operation of unknown effects before a start, or -1.
  int barrier = -1;
};

/// How starts of one block may be reordered.
enum class IssueOrder {
  Program,  ///< all starts keep their order
  Consumers ///< gathers follow their readers, others keep their order on each
            ///< communicator
};

class DependenceGraph {
public:
  /// Builds the graph of `block`. Where starts could be reordered but an
  /// unbound group stands beside another communicator, they keep their order
  /// and `getUnboundStart` names one of that group.
  DependenceGraph(Block &block, IssueOrder order, EffectAnalysis &effects,
                  Communicators &communicators);

  ArrayRef<DependenceNode> getNodes() const { return nodes; }
  /// Node of `op`, or of the operation of this block around it; -1 when it is
  /// elsewhere.
  int getIndex(Operation *op) const;
  IssueOrder getIssueOrder() const { return order; }
  CollectiveOpInterface getUnboundStart() const { return unboundStart; }

private:
  void classify();
  void classifyFeeders();
  bool isFeeder(unsigned index) const;
  void decideIssueOrder();
  void addEdge(unsigned from, unsigned to);
  void addValueEdges();
  void addMemoryEdges();
  void addBarrierEdges();
  void addIssueEdges();
  void addWaitedOperandEdges();

  Block &block;
  IssueOrder order;
  EffectAnalysis &effectAnalysis;
  Communicators &communicators;
  CollectiveOpInterface unboundStart;
  SmallVector<DependenceNode, 0> nodes;
  SmallVector<OpEffects, 0> effects;
  DenseMap<Operation *, unsigned> indices;
};

} // namespace mlir::dist

#endif // DIST_DIALECT_DIST_ANALYSIS_DEPENDENCEGRAPH_H
