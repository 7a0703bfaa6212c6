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
#include "mlir/IR/RegionKindInterface.h"

#define DEBUG_TYPE "dist-schedule"

namespace mlir::dist {
#define GEN_PASS_DEF_SCHEDULEPASS
#include "Dialect/Dist/Transforms/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

/// A warning names so many of the others in flight.
static constexpr size_t kMaxNotes = 4;

namespace {
class ModuleScheduler {
public:
  ModuleScheduler(ModuleOp module, InFlightOptions options)
      : module(module), communicators(std::move(options)),
        effects(module, communicators), uniformity(module, effects) {}

  void run() {
    SetVector<Block *> blocks;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto collective = dyn_cast<CollectiveOpInterface>(op);
      if (isa<WaitOp>(op) || (collective && collective.isStart()))
        blocks.insert(op->getBlock());
    });
    // Pre-order finds an operation before those inside of it, but not a block
    // whose collectives come after a nested one.
    SmallVector<Block *> sorted = blocks.takeVector();
    llvm::stable_sort(sorted, [](Block *lhs, Block *rhs) {
      return getDepth(lhs) < getDepth(rhs);
    });
    for (Block *block : sorted)
      if (!block->empty() && block->back().hasTrait<OpTrait::IsTerminator>() &&
          mayHaveSSADominance(*block->getParent()))
        schedule(*block);
    reportExcesses();
  }

private:
  static unsigned getDepth(Block *block) {
    unsigned depth = 0;
    for (Operation *op = block->getParentOp(); op; op = op->getParentOp())
      ++depth;
    return depth;
  }

  void schedule(Block &block);
  void remarkBarriers(const DependenceGraph &graph);
  void reportExcesses();

  ModuleOp module;
  Communicators communicators;
  EffectAnalysis effects;
  UniformityAnalysis uniformity;
  /// What is in flight around operations with regions.
  DenseMap<Operation *, InFlightUsages> usagesAround;
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

void ModuleScheduler::schedule(Block &block) {
  IssueOrder order =
      uniformity.isUniform(block) ? IssueOrder::Consumers : IssueOrder::Program;
  DependenceGraph graph(block, order, effects, communicators);
  if (CollectiveOpInterface start = graph.getUnboundStart())
    start->emitRemark() << "starts of this block keep their order: group "
                        << getGroupName(start.getGroup())
                        << " is not bound and may be any other one";
  remarkBarriers(graph);
  InFlightUsages outside;
  for (Operation *op = block.getParentOp(); op; op = op->getParentOp())
    if (auto found = usagesAround.find(op); found != usagesAround.end()) {
      outside = found->second;
      break;
    }
  ListScheduler scheduler(block, graph, communicators, outside);
  scheduler.run();

  ArrayRef<DependenceNode> nodes = graph.getNodes();
  for (auto [index, node] : llvm::enumerate(nodes))
    if (node.op->getNumRegions() != 0 && !node.issuesOn.empty())
      usagesAround[node.op] = scheduler.getUsagesAt(index);
  for (const InFlightExcess &excess : scheduler.getExcesses()) {
    auto [entry, isNew] = excesses.insert({excess.communicator, excess});
    InFlightUsage worst = entry->second.excess, found = excess.excess;
    if (!isNew &&
        std::tie(found.bytes, found.count) > std::tie(worst.bytes, worst.count))
      entry->second = excess;
  }
  if (llvm::is_sorted(scheduler.getOrder()))
    return;
  Operation *terminator = &block.back();
  for (unsigned index : scheduler.getOrder().drop_back())
    nodes[index].op->moveBefore(terminator);
}

/// Names the collective by what it works on, for a location alone is little
/// help in a program that was generated.
static std::string describe(CollectiveOpInterface start) {
  std::string text;
  llvm::raw_string_ostream os(text);
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
        excess.start->emitWarning()
        << "bound on group " << getGroupName(communicator.group)
        << " cannot be kept: with the " << describe(excess.start) << ", ";
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
      diag.attachNote(excess.start->getLoc())
          << "and " << others.size() - kMaxNotes << " more";
  }
}

namespace {
struct SchedulePass : public dist::impl::SchedulePassBase<SchedulePass> {
  using SchedulePassBase::SchedulePassBase;

  void runOnOperation() override {
    FailureOr<InFlightOptions> options = InFlightOptions::get(
        maxInFlight, maxInFlightBytes, limits, getOperation().getLoc());
    if (failed(options))
      return signalPassFailure();
    ModuleScheduler(getOperation(), *options).run();
  }
};
} // namespace
