//===- Schedule.cpp - Starts early, waits late ------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the blocks with collectives and rewrites each in the order that the
// list scheduler finds, outer blocks first: what they keep in flight around a
// loop or a branch leaves less room inside.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Analysis/Uniformity.h"
#include "Dialect/Dist/Transforms/Passes.h"
#include "ListScheduler.h"
#include "SplitWaits.h"
#include "mlir/IR/RegionKindInterface.h"
#include <map>

#define DEBUG_TYPE "dist-schedule"

namespace mlir::dist {
#define GEN_PASS_DEF_SCHEDULEPASS
#include "Dialect/Dist/Transforms/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

/// Rounds after which an order under a bound is taken as it is. Two are the
/// rule: one that finds it and one that confirms it.
static constexpr unsigned kMaxRounds = 8;

/// A warning names so many of the others in flight.
static constexpr size_t kMaxNotes = 4;

namespace {
class ModuleScheduler {
public:
  ModuleScheduler(ModuleOp module, InFlightOptions options)
      : module(module), communicators(std::move(options)),
        effects(module, communicators), uniformity(module, effects),
        inFlight(module, effects, communicators) {}

  void run();

private:
  static unsigned getDepth(Block *block) {
    unsigned depth = 0;
    for (Operation *op = block->getParentOp(); op; op = op->getParentOp())
      ++depth;
    return depth;
  }

  void schedule(Block &block);
  bool scheduleOnce(Block &block, bool isFirst, bool isLast);
  void schedule(FunctionOpInterface function);
  void scheduleCallees(FunctionOpInterface function);
  InFlightContext getAround(Block &block) const;
  void addExcesses(ArrayRef<InFlightExcess> found);
  void remarkBarriers(const DependenceGraph &graph);
  void reportExcesses();

  ModuleOp module;
  Communicators communicators;
  EffectAnalysis effects;
  UniformityAnalysis uniformity;
  InFlightAnalysis inFlight;
  llvm::DenseSet<Operation *> scheduled;
  /// What is in flight around operations with regions.
  DenseMap<Operation *, InFlightContext> contexts;
  /// The worst of each communicator.
  std::map<unsigned, InFlightExcess> excesses;
};
} // namespace

/// One remark for each start that an operation of unknown effects holds back:
/// nothing else that it needs comes as late.
void ModuleScheduler::remarkBarriers(const DependenceGraph &graph) {
  ArrayRef<DependenceNode> nodes = graph.getNodes();
  // The last anchor that a node needs but for its own barrier, or -1.
  SmallVector<int, 0> lastNeeded(nodes.size(), -1);
  for (auto [index, node] : llvm::enumerate(nodes)) {
    for (unsigned predecessor : node.predecessors) {
      bool isAnchor = nodes[predecessor].kind == NodeKind::Anchor;
      if (isAnchor && static_cast<int>(predecessor) == node.barrier)
        continue;
      lastNeeded[index] =
          std::max(lastNeeded[index], isAnchor ? static_cast<int>(predecessor)
                                               : lastNeeded[predecessor]);
    }
    if (node.kind != NodeKind::Start || node.barrier <= lastNeeded[index])
      continue;
    Operation *barrier = nodes[node.barrier].op;
    InFlightDiagnostic diag = node.op->emitRemark()
                              << "starts no earlier: effects of ";
    auto call = dyn_cast<CallOpInterface>(barrier);
    auto symbol = call ? dyn_cast<SymbolRefAttr>(call.getCallableForCallee())
                       : SymbolRefAttr();
    if (symbol)
      diag << "the call of " << symbol;
    else
      diag << "'" << barrier->getName() << "'";
    diag << " are unknown";
    diag.attachNote(barrier->getLoc()) << "stands here";
  }
}

InFlightContext ModuleScheduler::getAround(Block &block) const {
  for (Operation *op = block.getParentOp(); op; op = op->getParentOp())
    if (auto found = contexts.find(op); found != contexts.end())
      return found->second;
  return {};
}

/// One round. Returns whether another one may find another order: a start of
/// waited data that had to wait for room stands lower now, which is where it
/// stays, and leaves its room to others before.
bool ModuleScheduler::scheduleOnce(Block &block, bool isFirst, bool isLast) {
  IssueOrder order =
      uniformity.isUniform(block) ? IssueOrder::Consumers : IssueOrder::Program;
  DependenceGraph graph(block, order, effects, communicators);
  ArrayRef<DependenceNode> nodes = graph.getNodes();
  if (isFirst) {
    if (CollectiveOpInterface start = graph.getUnboundStart())
      start->emitRemark() << "starts of this block keep their order: group "
                          << getGroupName(start.getGroup())
                          << " is not bound and may be any other one";
    remarkBarriers(graph);
  }
  ListScheduler scheduler(block, graph, communicators, inFlight,
                          getAround(block));
  scheduler.run();

  bool isBounded = false;
  for (const DependenceNode &node : nodes)
    isBounded |= node.kind == NodeKind::Start &&
                 communicators.get(node.communicator).limit.isBounded();
  bool isStable = llvm::is_sorted(scheduler.getOrder());
  SmallVector<Operation *> ordered;
  for (unsigned index : scheduler.getOrder())
    ordered.push_back(nodes[index].op);
  bool goesOn = isBounded && !isStable && !isLast;
  if (!goesOn) {
    for (auto [index, node] : llvm::enumerate(nodes))
      if (node.op->getNumRegions() != 0 && !node.issuesOn.empty())
        contexts[node.op] = scheduler.getContextAt(index);
    addExcesses(scheduler.getExcesses());
  }
  if (!isStable)
    for (Operation *op : ArrayRef<Operation *>(ordered).drop_back())
      op->moveBefore(&block.back());
  return goesOn;
}

/// Callees first: how much they have in flight at once decides how much room a
/// call needs.
void ModuleScheduler::run() {
  module.walk([&](FunctionOpInterface function) {
    if (!function.isExternal())
      scheduleCallees(function);
  });
  reportExcesses();
}

void ModuleScheduler::scheduleCallees(FunctionOpInterface function) {
  SmallVector<std::pair<FunctionOpInterface, bool>> stack = {{function, false}};
  while (!stack.empty()) {
    auto [current, hasCallees] = stack.pop_back_val();
    if (hasCallees) {
      schedule(current);
      continue;
    }
    if (!scheduled.insert(current).second)
      continue;
    stack.push_back({current, true});
    current->walk([&](CallOpInterface call) {
      FunctionOpInterface callee = effects.getCallee(call);
      if (callee && !callee.isExternal())
        stack.push_back({callee, false});
    });
  }
}

void ModuleScheduler::schedule(FunctionOpInterface function) {
  SetVector<Block *> blocks;
  // What is around a loop or a branch leaves less room inside.
  auto addBlocks = [&](Operation *op) {
    for (; op != function && blocks.insert(op->getBlock());)
      op = op->getParentOp();
  };
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto collective = dyn_cast<CollectiveOpInterface>(op);
    if (isa<WaitOp>(op) || (collective && collective.isStart()) ||
        (isa<CallOpInterface>(op) &&
         !effects.getEffects(op).communicators.empty()))
      addBlocks(op);
  });
  // Outer blocks first.
  std::map<unsigned, SmallVector<Block *>> byDepth;
  for (Block *block : blocks)
    byDepth[getDepth(block)].push_back(block);
  for (const auto &[depth, level] : byDepth)
    for (Block *block : level)
      if (!block->empty() &&
          block->back().hasTrait<OpTrait::IsTerminator>() &&
          mayHaveSSADominance(*block->getParent()))
        schedule(*block);
}

void ModuleScheduler::schedule(Block &block) {
  for (unsigned round = 1; round <= kMaxRounds; ++round)
    if (!scheduleOnce(block, round == 1, round == kMaxRounds))
      return;
}

void ModuleScheduler::addExcesses(ArrayRef<InFlightExcess> found) {
  for (const InFlightExcess &excess : found) {
    auto [entry, isNew] = excesses.insert({excess.communicator, excess});
    InFlightUsage worst = entry->second.excess, other = excess.excess;
    if (!isNew &&
        std::tie(other.bytes, other.count) > std::tie(worst.bytes, worst.count))
      entry->second = excess;
  }
}

/// Names the collective by what it works on, for a location alone is little
/// help in a program that was generated.
static std::string describe(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    os << "call of " << cast<SymbolRefAttr>(call.getCallableForCallee());
    return text;
  }
  auto start = cast<CollectiveOpInterface>(op);
  os << stringifyCollectiveKind(start.getCollectiveKind()) << " of ";
  llvm::interleave(
      start.getSources(), os,
      [&](Value source) {
        source.printAsOperand(os, OpPrintingFlags());
        os << " (" << source.getType() << ")";
      },
      ", ");
  os << " to ";
  llvm::interleave(
      start->getResultTypes(), os,
      [&](Type type) { os << cast<FutureType>(type).getPayload(); }, ", ");
  return text;
}

void ModuleScheduler::reportExcesses() {
  for (auto &[id, excess] : excesses) {
    const Communicator &communicator = communicators.get(id);
    InFlightDiagnostic diag =
        excess.op->emitWarning()
        << "bound on group " << getGroupName(communicator.group)
        << " cannot be kept: with the " << describe(excess.op) << ", ";
    if (excess.excess.bytes != 0)
      diag << excess.usage.bytes << " bytes are in flight, "
           << excess.excess.bytes << " more than " << communicator.limit.bytes;
    else
      diag << excess.usage.count << " collectives are in flight, "
           << excess.excess.count << " more than " << communicator.limit.count;
    ArrayRef<CollectiveOpInterface> others = excess.others;
    for (CollectiveOpInterface other : others.take_front(kMaxNotes))
      diag.attachNote(other->getLoc()) << "in flight: " << describe(other);
    if (others.size() > kMaxNotes)
      diag.attachNote(excess.op->getLoc())
          << "and " << others.size() - kMaxNotes << " more";
  }
}

namespace {
struct SchedulePass : public dist::impl::SchedulePassBase<SchedulePass> {
  using SchedulePassBase::SchedulePassBase;

  void runOnOperation() override {
    FailureOr<InFlightOptions> options = InFlightOptions::get(
        maxInFlight, maxInFlightBytes, limits, getOperation());
    if (failed(options))
      return signalPassFailure();
    splitWaitsByReader(getOperation());
    ModuleScheduler(getOperation(), *options).run();
  }
};
} // namespace
