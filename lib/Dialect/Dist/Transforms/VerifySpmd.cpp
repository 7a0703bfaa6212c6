//===- VerifySpmd.cpp -----------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// All ranks run one module, so the members of a group can only issue different
// collectives where control flow takes them different ways. Wherever it may,
// either nothing is communicated on the way among members that part, or all
// ways communicate the same.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Analysis/Uniformity.h"
#include "Dialect/Dist/Transforms/Passes.h"
#include "ScheduleChecks.h"
#include "llvm/Support/raw_ostream.h"

#define DEBUG_TYPE "dist-verify-spmd"

namespace mlir::dist {
#define GEN_PASS_DEF_VERIFYSPMDPASS
#include "Dialect/Dist/Transforms/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

namespace {
/// A collective on one of the ways, or the beginning or end of something that
/// has collectives inside. Equal keys mean the same communication.
struct Event {
  std::string key;
  Operation *op;
};
using Events = SmallVector<Event, 0>;

/// The events of one way are not longer: calls of functions that call functions
/// multiply. What is longer is the same as nothing.
constexpr size_t kMaxEvents = 1 << 14;

/// How deep a value is followed to where ranks begin to differ.
constexpr unsigned kMaxOriginDepth = 64;

class SpmdChecker {
public:
  SpmdChecker(ModuleOp module, Communicators &communicators,
              EffectAnalysis &effects)
      : communicators(communicators), effects(effects),
        uniformity(module, effects) {}

  /// Checks the ways that `op`, a branch or an operation with regions, decides
  /// about.
  LogicalResult check(Operation *op);

private:
  using Ways = SmallVector<SmallVector<Block *>>;

  Ways getWays(Operation *op);
  /// The first collective of `blocks` whose members part by `decision`.
  CollectiveOpInterface findParted(ArrayRef<Block *> blocks,
                                   Agreements::Id decision,
                                   llvm::DenseSet<Operation *> &entered);
  void addEvents(ArrayRef<Block *> blocks, Agreements::Id decision,
                 Events &events, SmallVectorImpl<Operation *> &calls);
  void addRegionEvents(Operation *op, Agreements::Id decision, Events &events,
                       SmallVectorImpl<Operation *> &calls);
  bool isParted(CollectiveOpInterface collective, Agreements::Id decision) {
    return !uniformity.getAgreements().isWithin(decision,
                                                collective.getGroup());
  }
  std::string getKey(CollectiveOpInterface collective);
  LogicalResult reportParted(CollectiveOpInterface collective, Operation *op,
                             bool repeats);
  LogicalResult reportDifference(const Events &one, const Events &other,
                                 CollectiveOpInterface parted, Operation *op);
  void addReason(InFlightDiagnostic &diag, CollectiveOpInterface collective,
                 Operation *op);

  Communicators &communicators;
  EffectAnalysis &effects;
  UniformityAnalysis uniformity;
  /// What has been reported: an outer branch parts what an inner one does.
  llvm::DenseSet<Operation *> reported;
};
} // namespace

//===----------------------------------------------------------------------===//
// What is communicated on a way
//===----------------------------------------------------------------------===//

static SmallVector<Block *> getBlocks(Region &region) {
  return llvm::to_vector(llvm::make_pointer_range(region));
}

/// The ways that `op` decides between: its regions, or the blocks behind each
/// successor of a branch up to where they meet. A successor whose blocks branch
/// again gives one way with all of them, twice, which equals no other.
SpmdChecker::Ways SpmdChecker::getWays(Operation *op) {
  Ways ways;
  if (!isa<BranchOpInterface>(op)) {
    for (Region &region : op->getRegions())
      ways.push_back(getBlocks(region));
    // An empty region, the else of an scf.if, is a way with nothing on it.
    return ways;
  }
  for (Block *successor : op->getSuccessors()) {
    SmallVector<Block *> &way = ways.emplace_back();
    for (Block *block = successor;
         block && llvm::is_contained(uniformity.getDeciders(*block), op) &&
         !llvm::is_contained(way, block);
         block = block->getNumSuccessors() == 1 ? block->getSuccessor(0)
                                                : nullptr)
      way.push_back(block);
  }
  return ways;
}

CollectiveOpInterface
SpmdChecker::findParted(ArrayRef<Block *> blocks, Agreements::Id decision,
                        llvm::DenseSet<Operation *> &entered) {
  CollectiveOpInterface found;
  auto visit = [&](Operation *op) {
    if (auto collective = dyn_cast<CollectiveOpInterface>(op)) {
      if (!isParted(collective, decision))
        return WalkResult::advance();
      found = collective;
      return WalkResult::interrupt();
    }
    auto call = dyn_cast<CallOpInterface>(op);
    FunctionOpInterface callee =
        call ? effects.getCallee(call) : FunctionOpInterface();
    if (!callee || callee.isExternal() || !entered.insert(callee).second)
      return WalkResult::advance();
    found = findParted(getBlocks(callee.getFunctionBody()), decision, entered);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  };
  for (Block *block : blocks)
    if (!found)
      block->walk<WalkOrder::PreOrder>(visit);
  return found;
}

std::string SpmdChecker::getKey(CollectiveOpInterface collective) {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << stringifyCollectiveKind(collective.getCollectiveKind()) << ' '
     << communicators.getId(collective);
  if (auto reduction = collective.getCollectiveReduction())
    os << " r" << static_cast<int>(*reduction);
  if (auto dim = collective.getCollectiveDim())
    os << " d" << *dim;
  if (auto dim = collective.getCollectiveConcatDim())
    os << " c" << *dim;
  if (auto root = collective.getCollectiveRoot())
    os << " o" << *root;
  for (int64_t position : collective.getCollectivePairs())
    os << " p" << position;
  // The runtime compares dynamic sizes.
  for (Value source : collective.getSources()) {
    auto type = cast<ShapedType>(source.getType());
    os << ' ' << type.getElementType() << '[';
    llvm::interleaveComma(type.getShape(), os);
    os << ']';
  }
  return key;
}

void SpmdChecker::addRegionEvents(Operation *op, Agreements::Id decision,
                                  Events &events,
                                  SmallVectorImpl<Operation *> &calls) {
  SmallVector<Events> ways;
  bool isEmpty = true;
  for (ArrayRef<Block *> way : getWays(op)) {
    addEvents(way, decision, ways.emplace_back(), calls);
    isEmpty &= ways.back().empty();
  }
  if (isEmpty)
    return;
  // Equal beginnings mean equal decisions: the same values decide.
  std::string key;
  llvm::raw_string_ostream os(key);
  os << op->getName();
  for (Value value : UniformityAnalysis::getDecidingValues(op)) {
    Attribute constant;
    if (matchPattern(value, m_Constant(&constant)))
      os << ' ' << constant;
    else
      os << ' ' << value.getAsOpaquePointer();
  }
  for (const Events &way : ways) {
    events.push_back({key, op});
    events.append(way);
  }
  events.push_back({"end", op});
}

void SpmdChecker::addEvents(ArrayRef<Block *> blocks, Agreements::Id decision,
                            Events &events,
                            SmallVectorImpl<Operation *> &calls) {
  for (Block *block : blocks)
    for (Operation &op : *block) {
      if (events.size() > kMaxEvents)
        return;
      if (auto collective = dyn_cast<CollectiveOpInterface>(op)) {
        if (isParted(collective, decision))
          events.push_back({getKey(collective), &op});
        continue;
      }
      if (op.getNumRegions() != 0) {
        addRegionEvents(&op, decision, events, calls);
        continue;
      }
      auto call = dyn_cast<CallOpInterface>(op);
      FunctionOpInterface callee =
          call ? effects.getCallee(call) : FunctionOpInterface();
      if (!callee || callee.isExternal())
        continue;
      if (llvm::is_contained(calls, callee.getOperation()) ||
          !llvm::hasSingleElement(callee.getFunctionBody())) {
        llvm::DenseSet<Operation *> entered;
        if (findParted(getBlocks(callee.getFunctionBody()), decision, entered))
          events.push_back({("call " + callee.getName()).str(), &op});
        continue;
      }
      calls.push_back(callee);
      addEvents(&callee.getFunctionBody().front(), decision, events, calls);
      calls.pop_back();
    }
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

/// Follows what members of `group` disagree on to where it comes from.
static Value findOrigin(Value value, GroupAttr group,
                        UniformityAnalysis &uniformity) {
  auto disagrees = [&](Value operand) {
    return !uniformity.getAgreements().isWithin(
        uniformity.getAgreement(operand), group);
  };
  for (unsigned depth = 0; depth != kMaxOriginDepth; ++depth) {
    Operation *op = value.getDefiningOp();
    if (!op || isa<RankOp, CollectiveOpInterface>(op))
      return value;
    auto operand = llvm::find_if(op->getOperands(), disagrees);
    if (operand == op->operand_end())
      return value;
    value = *operand;
  }
  return value;
}

void SpmdChecker::addReason(InFlightDiagnostic &diag,
                            CollectiveOpInterface collective, Operation *op) {
  diag.attachNote(op->getLoc())
      << "'" << op->getName()
      << "' goes on by a value on which members of the group may disagree";
  for (Value value : UniformityAnalysis::getDecidingValues(op)) {
    if (uniformity.getAgreements().isWithin(uniformity.getAgreement(value),
                                            collective.getGroup()))
      continue;
    Value origin = findOrigin(value, collective.getGroup(), uniformity);
    auto argument = dyn_cast<BlockArgument>(origin);
    bool isParameter =
        argument &&
        isa<FunctionOpInterface>(argument.getOwner()->getParentOp()) &&
        argument.getOwner()->isEntryBlock();
    Diagnostic &note = diag.attachNote(origin.getLoc());
    if (isParameter)
      note << "argument " << argument.getArgNumber()
           << " may differ between ranks: it is not '"
           << DistDialect::kUniformAttrName << "'";
    else
      note << "the value comes from here";
    return;
  }
}

LogicalResult SpmdChecker::reportParted(CollectiveOpInterface collective,
                                        Operation *op, bool repeats) {
  if (!reported.insert(collective).second)
    return failure();
  InFlightDiagnostic diag = collective.emitOpError();
  if (repeats)
    diag << "may be executed more often by some members of its group than by "
            "others";
  else
    diag << "may be executed by some members of its group only";
  addReason(diag, collective, op);
  return diag;
}

/// The first collective of `events` from `index` on, null without one.
static CollectiveOpInterface getFirstCollective(const Events &events,
                                                size_t index) {
  for (; index < events.size(); ++index)
    if (auto collective = dyn_cast<CollectiveOpInterface>(events[index].op))
      return collective;
  return {};
}

LogicalResult SpmdChecker::reportDifference(const Events &one,
                                            const Events &other,
                                            CollectiveOpInterface parted,
                                            Operation *op) {
  size_t index = 0;
  while (index < one.size() && index < other.size() &&
         one[index].key == other[index].key)
    ++index;
  // One of the ways goes on with something that the other one does not have.
  bool isOne = index < one.size();
  const Events &longer = isOne ? one : other, &shorter = isOne ? other : one;
  CollectiveOpInterface collective = getFirstCollective(longer, index);
  if (index >= shorter.size() || !collective) {
    if (!collective)
      collective = getFirstCollective(shorter, index);
    return reportParted(collective ? collective : parted, op,
                        /*repeats=*/false);
  }
  if (!reported.insert(collective).second)
    return failure();
  InFlightDiagnostic diag = collective.emitOpError()
                            << "is not what all members of its group execute "
                               "as number "
                            << index + 1 << " behind '" << op->getName() << "'";
  bool isElsewhere = llvm::any_of(shorter, [&](const Event &event) {
    return event.key == longer[index].key;
  });
  diag.attachNote(shorter[index].op->getLoc())
      << "others execute this first"
      << (isElsewhere ? ": they wait for each other" : "");
  addReason(diag, collective, op);
  return diag;
}

LogicalResult SpmdChecker::check(Operation *op) {
  Agreements::Id decision = uniformity.getDecision(op);
  if (decision == Agreements::kAll)
    return success();
  Ways ways = getWays(op);
  SmallVector<Block *> all;
  if (isa<BranchOpInterface>(op)) {
    for (Block &block : *op->getParentRegion())
      if (llvm::is_contained(uniformity.getDeciders(block), op))
        all.push_back(&block);
  } else {
    for (ArrayRef<Block *> way : ways)
      all.append(way.begin(), way.end());
  }
  llvm::DenseSet<Operation *> entered;
  CollectiveOpInterface parted = findParted(all, decision, entered);
  if (!parted)
    return success();

  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  size_t numBlocks = 0;
  for (ArrayRef<Block *> way : ways)
    numBlocks += way.size();
  bool isChoice = branch
                      ? !branch.hasLoop() && ways.size() > 1
                      : isa<BranchOpInterface>(op) && numBlocks == all.size();
  if (!isChoice)
    return reportParted(parted, op, branch && branch.hasLoop());
  SmallVector<Events> events;
  for (ArrayRef<Block *> way : ways) {
    SmallVector<Operation *> calls;
    addEvents(way, decision, events.emplace_back(), calls);
    if (events.back().size() > kMaxEvents)
      return reportParted(parted, op, /*repeats=*/false);
  }
  auto hasKeyOf = [](const Event &lhs, const Event &rhs) {
    return lhs.key == rhs.key;
  };
  for (const Events &other : ArrayRef<Events>(events).drop_front()) {
    if (!llvm::equal(events.front(), other, hasKeyOf))
      return reportDifference(events.front(), other, parted, op);
  }
  return success();
}

namespace {
struct VerifySpmdPass : public dist::impl::VerifySpmdPassBase<VerifySpmdPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Communicators communicators;
    EffectAnalysis effects(module, communicators);
    SpmdChecker checker(module, communicators, effects);
    bool ok = true;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      bool decides = isa<RegionBranchOpInterface>(op) ||
                     (isa<BranchOpInterface>(op) && op->getNumSuccessors() > 1);
      if (decides)
        ok &= succeeded(checker.check(op));
    });
    ok &= succeeded(checkInFlight(module, effects));
    if (!ok)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
