//===- DependenceGraph.cpp - What must stay before what ---------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Analysis/DependenceGraph.h"
#include "Dialect/Dist/Analysis/Views.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::dist;
using bufferization::MaterializeInDestinationOp;

DependenceGraph::DependenceGraph(Block &block, IssueOrder order,
                                 EffectAnalysis &effects,
                                 Communicators &communicators)
    : block(block), order(order), effectAnalysis(effects),
      communicators(communicators) {
  classify();
  decideIssueOrder();
  classifyFeeders();
  addValueEdges();
  addMemoryEdges();
  addBarrierEdges();
  addIssueEdges();
  addWaitedOperandEdges();
}

int DependenceGraph::getIndex(Operation *op) const {
  op = block.findAncestorOpInBlock(*op);
  return op ? static_cast<int>(indices.lookup(op)) : -1;
}

/// Consecutive duplicates are what several operands of one producer give; rarer
/// ones do no harm, since the counters see each edge from both ends.
void DependenceGraph::addEdge(unsigned from, unsigned to) {
  assert(from < to && "edges follow the program");
  bool implied = nodes[from].kind == NodeKind::Anchor &&
                 nodes[to].kind == NodeKind::Anchor;
  if (implied ||
      (!nodes[from].successors.empty() && nodes[from].successors.back() == to))
    return;
  nodes[from].successors.push_back(to);
  nodes[to].predecessors.push_back(from);
}

//===----------------------------------------------------------------------===//
// What moves
//===----------------------------------------------------------------------===//

/// Whether a tensor may be a memref in disguise: then the order of operations
/// on tensors matters to memory in a way that nothing here sees.
static bool mixesTensorsAndMemRefs(Operation *op) {
  return isa<bufferization::ToTensorOp, bufferization::ToBufferOp>(op);
}

void DependenceGraph::classify() {
  bool isMixed = false;
  for (Operation &op : block) {
    indices[&op] = nodes.size();
    nodes.emplace_back().op = &op;
    effects.push_back(effectAnalysis.getEffects(&op));
    isMixed |= mixesTensorsAndMemRefs(&op);
  }
  auto isLate = [&](Value value) {
    Operation *def = value.getDefiningOp();
    return def && def->getBlock() == &block &&
           nodes[indices.lookup(def)].kind == NodeKind::Late;
  };
  for (auto [index, node] : llvm::enumerate(nodes)) {
    const OpEffects &does = effects[index];
    bool touchesUnknown = llvm::any_of(
        does.accesses, [](MemoryAccess access) { return !access.buffer; });
    if (does.unknown || touchesUnknown || (isMixed && !does.accesses.empty()) ||
        node.op->hasTrait<OpTrait::IsTerminator>()) {
      node.issuesOn.assign(does.communicators.begin(),
                           does.communicators.end());
      continue;
    }
    auto collective = dyn_cast<CollectiveOpInterface>(node.op);
    if (collective && collective.isStart()) {
      node.kind = NodeKind::Start;
      node.communicator = does.communicators.front();
      node.isGather =
          collective.getCollectiveKind() == CollectiveKind::AllGather;
      continue;
    }
    node.issuesOn.assign(does.communicators.begin(), does.communicators.end());
    OpOperand *viewed = getViewedOperand(node.op);
    auto materialise = dyn_cast<MaterializeInDestinationOp>(node.op);
    if (isa<WaitOp>(node.op) || (viewed && isLate(viewed->get())) ||
        (materialise && isLate(materialise.getSource())))
      node.kind = NodeKind::Late;
  }
}

/// An unbound group may turn out to be any of the others: it is ordered against
/// them all.
void DependenceGraph::decideIssueOrder() {
  if (order == IssueOrder::Program)
    return;
  llvm::SmallDenseSet<unsigned> used;
  CollectiveOpInterface unbound;
  for (auto [index, node] : llvm::enumerate(nodes))
    for (unsigned id : effects[index].communicators) {
      used.insert(id);
      if (!communicators.get(id).isBound && !unbound)
        unbound = dyn_cast<CollectiveOpInterface>(node.op);
    }
  if (used.size() < 2 || llvm::all_of(used, [&](unsigned id) {
        return communicators.get(id).isBound;
      }))
    return;
  order = IssueOrder::Program;
  unboundStart = unbound;
}

/// Whether `op` costs so little that it may be computed long before it is
/// needed: it moves bytes at most.
static bool isCheap(Operation *op) {
  if (auto opaque = dyn_cast<OpaqueOp>(op))
    return opaque.getView() ||
           (opaque.getFlops() == 0 && !opaque.getNanoseconds());
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.getNumLoops() == linalgOp.getNumParallelLoops();
  if (op->getNumRegions() != 0)
    return false;
  if (getViewedOperand(op) || isa<tensor::EmptyOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>() ||
      op->hasTrait<OpTrait::Elementwise>())
    return true;
  return llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>);
}

bool DependenceGraph::isFeeder(unsigned index) const {
  Operation *op = nodes[index].op;
  if (nodes[index].kind != NodeKind::Anchor || op->use_empty() ||
      effects[index].hasMemoryAccess() || !nodes[index].issuesOn.empty() ||
      !isCheap(op) || !isMemoryEffectFree(op))
    return false;
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    if (user->getBlock() != &block)
      return false;
    const DependenceNode &node = nodes[indices.lookup(user)];
    return node.kind == NodeKind::Feeder ||
           (node.kind == NodeKind::Start && node.isGather);
  });
}

void DependenceGraph::classifyFeeders() {
  // Users come later in the block, so they are classified first.
  for (unsigned index = nodes.size(); index-- != 0;)
    if (isFeeder(index))
      nodes[index].kind = NodeKind::Feeder;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void DependenceGraph::addValueEdges() {
  for (auto [index, node] : llvm::enumerate(nodes)) {
    auto addOperands = [&, index = index](Operation *op) {
      for (Value operand : op->getOperands()) {
        Operation *def = operand.getDefiningOp();
        if (def && def->getBlock() == &block)
          addEdge(indices.lookup(def), index);
      }
    };
    addOperands(node.op);
    for (Region &region : node.op->getRegions())
      region.walk(addOperands);
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
/// The last accesses to one class of buffers.
struct AccessHistory {
  int lastWrite = -1;
  SmallVector<unsigned> readsSince;
};
} // namespace

/// Each isolated buffer is a class of its own; all others, which may be any of
/// each other, are one. A write depends on the write before and on the reads
/// since, and makes them history, so that the number of edges is linear.
void DependenceGraph::addMemoryEdges() {
  DenseMap<Value, AccessHistory> histories;
  auto getHistory = [&](Value buffer) -> AccessHistory & {
    bool own = buffer && effectAnalysis.isIsolated(buffer);
    return histories[own ? buffer : Value()];
  };
  for (unsigned index = 0, e = nodes.size(); index != e; ++index) {
    if (effects[index].unknown)
      effects[index].accesses = {{Value(), false}, {Value(), true}};
    // Reads first: what an operation reads and writes, it reads before.
    for (MemoryAccess access : effects[index].accesses) {
      if (access.isWrite)
        continue;
      AccessHistory &history = getHistory(access.buffer);
      if (history.readsSince.empty() || history.readsSince.back() != index)
        history.readsSince.push_back(index);
      if (history.lastWrite < 0 || history.lastWrite == static_cast<int>(index))
        continue;
      addEdge(history.lastWrite, index);
      if (isa<WaitOp>(nodes[history.lastWrite].op))
        nodes[history.lastWrite].memoryReaders.push_back(index);
    }
    for (MemoryAccess access : effects[index].accesses) {
      if (!access.isWrite)
        continue;
      AccessHistory &history = getHistory(access.buffer);
      for (unsigned read : history.readsSince)
        if (read != index)
          addEdge(read, index);
      if (history.lastWrite >= 0 &&
          history.lastWrite != static_cast<int>(index))
        addEdge(history.lastWrite, index);
      history.lastWrite = index;
      history.readsSince.clear();
    }
  }
}

/// Communication and memory do not cross an operation of unknown effects.
void DependenceGraph::addBarrierEdges() {
  int barrier = -1;
  SmallVector<unsigned> sinceBarrier;
  for (unsigned index = 0, e = nodes.size(); index != e; ++index) {
    if (effects[index].unknown) {
      for (unsigned earlier : sinceBarrier)
        addEdge(earlier, index);
      sinceBarrier.clear();
      barrier = index;
      continue;
    }
    bool isWait = isa<WaitOp>(nodes[index].op);
    if (nodes[index].kind != NodeKind::Start && !isWait)
      continue;
    sinceBarrier.push_back(index);
    if (barrier >= 0) {
      addEdge(barrier, index);
      nodes[index].barrier = barrier;
    }
  }
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// In program order everything that issues a collective is one chain. Else the
/// chain of each communicator has all but the gathers that move.
void DependenceGraph::addIssueEdges() {
  DenseMap<unsigned, unsigned> last;
  auto chain = [&](unsigned id, unsigned index) {
    auto [entry, isNew] = last.insert({id, index});
    if (!isNew && entry->second != index)
      addEdge(entry->second, index);
    entry->second = index;
  };
  for (unsigned index = 0, e = nodes.size(); index != e; ++index) {
    DependenceNode &node = nodes[index];
    if (effects[index].communicators.empty())
      continue;
    if (order == IssueOrder::Program) {
      chain(0, index);
      continue;
    }
    if (node.kind == NodeKind::Start && node.isGather)
      continue;
    for (unsigned id : effects[index].communicators)
      chain(id, index);
  }
}

/// A start whose operand is waited for in this block could only move up by
/// making that wait early. Which of the two should have the time is left as the
/// program has it: the start stays below the anchor above it.
void DependenceGraph::addWaitedOperandEdges() {
  llvm::SmallBitVector needsWait(nodes.size());
  int anchor = -1;
  for (unsigned index = 0, e = nodes.size(); index != e; ++index) {
    DependenceNode &node = nodes[index];
    if (node.kind == NodeKind::Anchor) {
      anchor = index;
      continue;
    }
    needsWait[index] = isa<WaitOp>(node.op);
    for (Value operand : node.op->getOperands())
      if (Operation *def = operand.getDefiningOp();
          def && def->getBlock() == &block &&
          !isa<FutureType>(operand.getType()))
        needsWait[index] = needsWait[index] || needsWait[indices.lookup(def)];
    if (node.kind == NodeKind::Start && needsWait[index] && anchor >= 0)
      addEdge(anchor, index);
  }
}
