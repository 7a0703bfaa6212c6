//===- InFlight.cpp - How long a collective is in flight --------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Analysis/InFlight.h"
#include "Dialect/Dist/Analysis/Sources.h"
#include "Dialect/Dist/Analysis/Views.h"
#include "Dialect/Dist/Utils/Collectives.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/RegionKindInterface.h"

using namespace mlir;
using namespace mlir::dist;
using bufferization::MaterializeInDestinationOp;

InFlightAnalysis::InFlightAnalysis(ModuleOp module, EffectAnalysis &effects,
                                   Communicators &communicators)
    : effects(effects), communicators(communicators), flow(module) {
  module.walk([&](CollectiveOpInterface op) { communicators.getId(op); });
}

bool mlir::dist::isHandedTo(const Flight &flight, Operation *op) {
  return (op->getNumRegions() != 0 || isa<CallOpInterface>(op)) &&
         llvm::any_of(flight.futures, [&](Value future) {
           return llvm::is_contained(op->getOperands(), future);
         });
}

void mlir::dist::addUsages(InFlightUsages &usages, const Flight &flight) {
  for (auto [id, usage] : flight.usages)
    usages[id] = usages[id] + usage;
}

void mlir::dist::subtractUsages(InFlightUsages &usages, const Flight &flight) {
  for (auto [id, usage] : flight.usages)
    usages[id] = usages[id] - usage;
}

void InFlightContext::add(const Flight &flight) {
  addUsages(usages, flight);
  flights.push_back(flight);
}

static void join(InFlightUsages &usages, const InFlightUsages &other) {
  for (auto [id, usage] : other)
    usages[id] = usages[id].join(usage);
}

//===----------------------------------------------------------------------===//
// Where futures come from
//===----------------------------------------------------------------------===//

static void merge(FutureOrigin &origin, const FutureOrigin &other) {
  origin.starts.insert_range(other.starts);
  origin.arguments.insert_range(other.arguments);
  origin.isUnknown |= other.isUnknown;
}

const FutureOrigin &InFlightAnalysis::getOrigin(Value future) {
  auto [entry, isNew] = origins.try_emplace(future);
  if (!isNew)
    return entry->second;
  // A recursive program asks again for what is not known yet.
  entry->second.isUnknown = true;
  FutureOrigin origin = computeOrigin(future);
  return origins[future] = std::move(origin);
}

/// What a call returns comes from its callee, or is what it was given.
void InFlightAnalysis::addCallOrigin(OpResult result, FutureOrigin &origin) {
  auto call = cast<CallOpInterface>(result.getOwner());
  FunctionOpInterface callee = effects.getCallee(call);
  if (!callee || callee.isExternal()) {
    origin.isUnknown = true;
    return;
  }
  for (Block &block : callee.getFunctionBody()) {
    Operation *end = block.getTerminator();
    if (!end->hasTrait<OpTrait::ReturnLike>())
      continue;
    FutureOrigin returned = getOrigin(end->getOperand(result.getResultNumber()));
    for (BlockArgument argument : returned.arguments)
      if (argument.getOwner() == &callee.getFunctionBody().front())
        merge(origin, getOrigin(call.getArgOperands()[argument.getArgNumber()]));
      else
        origin.arguments.insert(argument);
    origin.starts.insert_range(returned.starts);
    origin.isUnknown |= returned.isUnknown;
  }
}

FutureOrigin InFlightAnalysis::computeOrigin(Value future) {
  FutureOrigin origin;
  for (Value source : getSources(future)) {
    if (CollectiveOpInterface start = getStart(source)) {
      origin.starts.insert(start);
      continue;
    }
    auto argument = dyn_cast<BlockArgument>(source);
    if (argument && argument.getOwner()->isEntryBlock() &&
        isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      origin.arguments.insert(argument);
    else if (source.getDefiningOp<CallOpInterface>())
      addCallOrigin(cast<OpResult>(source), origin);
    else if (!source.getDefiningOp<ub::PoisonOp>())
      origin.isUnknown = true;
  }
  return origin;
}

/// What the callers of a function give it; unknown when there may be others.
void InFlightAnalysis::addArgumentOrigin(BlockArgument argument,
                                         FutureOrigin &origin) {
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  std::optional<ArrayRef<func::CallOp>> callers;
  if (function)
    callers = flow.getCallers(function);
  if (!callers) {
    origin.isUnknown = true;
    return;
  }
  for (func::CallOp call : *callers)
    merge(origin, getOrigin(call.getOperand(argument.getArgNumber())));
}

static std::optional<int64_t> getBytes(FutureType future) {
  ShapedType type = future.getPayload();
  int64_t bytes = *getElementBytes(type.getElementType());
  for (int64_t size : type.getShape())
    if (ShapedType::isDynamic(size) || llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
  return bytes;
}

/// What `start` takes of `limit`: a size that is not known takes all.
static InFlightUsage getUsage(CollectiveOpInterface start,
                              InFlightLimit limit) {
  return {1, getInFlightBytes(start).value_or(limit.bytes)};
}

/// A future of unknown origin counts on every communicator.
InFlightUsages InFlightAnalysis::getUsages(Value future) {
  FutureOrigin origin = getOrigin(future);
  // Callers may hand on arguments of their own.
  for (unsigned i = 0; i < origin.arguments.size(); ++i)
    addArgumentOrigin(origin.arguments[i], origin);
  InFlightUsages usages;
  for (CollectiveOpInterface start : origin.starts) {
    unsigned id = communicators.getId(start);
    usages[id] =
        usages[id].join(getUsage(start, communicators.get(id).limit));
  }
  if (origin.isUnknown)
    for (unsigned id = 0, e = communicators.size(); id != e; ++id) {
      std::optional<int64_t> bytes =
          getBytes(cast<FutureType>(future.getType()));
      usages[id] = usages[id].join(
          {1, bytes.value_or(communicators.get(id).limit.bytes)});
    }
  return usages;
}

//===----------------------------------------------------------------------===//
// Flights
//===----------------------------------------------------------------------===//

namespace {
/// Collects the nodes that keep one flight in the air.
class EndCollector {
public:
  EndCollector(Block &block, const DependenceGraph &graph, bool isGather)
      : block(block), graph(graph), isGather(isGather) {}

  void addFuture(Value future) {
    SmallVector<std::pair<Operation *, Value>> users;
    SmallVector<Value> worklist = {future};
    while (!worklist.empty()) {
      Value current = worklist.pop_back_val();
      for (Operation *user : current.getUsers())
        if (auto dup = dyn_cast<DupOp>(user))
          worklist.push_back(dup);
        else
          users.push_back({user, current});
    }
    SmallVector<unsigned, 1> waits;
    for (auto [user, value] : users)
      if (isa<WaitOp, DropOp>(user) && user->getBlock() == &block)
        waits.push_back(graph.getIndex(user));
    if (!isGather && !waits.empty()) {
      ends.push_back(std::move(waits));
      return;
    }
    for (auto [user, value] : users) {
      add(user);
      auto wait = dyn_cast<WaitOp>(user);
      if (!isGather || !wait || wait->getBlock() != &block)
        continue;
      for (auto [waited, result] :
           llvm::zip_equal(wait.getFutures(), wait.getResults()))
        if (waited == value)
          addReaders(result);
      ArrayRef<unsigned> readers =
          graph.getNodes()[graph.getIndex(wait)].memoryReaders;
      last.append(readers.begin(), readers.end());
    }
  }

  SmallVector<SmallVector<unsigned, 1>, 2> take() {
    for (SmallVector<unsigned, 1> &group : ends) {
      llvm::sort(group);
      group.erase(llvm::unique(group), group.end());
    }
    llvm::sort(last);
    last.erase(llvm::unique(last), last.end());
    for (unsigned node : last)
      ends.push_back({node});
    return std::move(ends);
  }

private:
  /// A user elsewhere holds the flight to the end of this block.
  void add(Operation *op) {
    int index = graph.getIndex(op);
    last.push_back(index >= 0 ? index : graph.getNodes().size() - 1);
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
  SmallVector<SmallVector<unsigned, 1>, 2> ends;
  /// Nodes all of which must be done.
  SmallVector<unsigned> last;
};
} // namespace

static bool isGather(CollectiveOpInterface start) {
  return start.getCollectiveKind() == CollectiveKind::AllGather;
}

/// Takes those flights out of `context` whose futures the block uses.
static SmallVector<Flight, 0> takeUsed(Block &block, InFlightContext &context) {
  if (context.flights.empty())
    return {};
  llvm::SmallDenseSet<Value> used;
  block.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (isa<FutureType>(operand.getType()))
        used.insert(operand);
  });
  SmallVector<Flight, 0> taken, rest;
  for (Flight &flight : context.flights)
    if (llvm::any_of(flight.futures,
                     [&](Value future) { return used.contains(future); })) {
      subtractUsages(context.usages, flight);
      taken.push_back(std::move(flight));
    } else {
      rest.push_back(std::move(flight));
    }
  context.flights = std::move(rest);
  return taken;
}

SmallVector<Flight, 0>
InFlightAnalysis::getFlights(Block &block, const DependenceGraph &graph,
                             InFlightContext &context) {
  SmallVector<Flight, 0> flights;
  auto add = [&](Flight flight, bool mayGather) {
    EndCollector ends(block, graph, mayGather);
    for (Value future : flight.futures)
      ends.addFuture(future);
    flight.ends = ends.take();
    flights.push_back(std::move(flight));
  };
  auto addOther = [&](Value future, int node) {
    add({{}, {future}, getUsages(future), node, {}},
        llvm::any_of(getOrigin(future).starts, isGather));
  };
  for (BlockArgument argument : block.getArguments())
    if (isa<FutureType>(argument.getType()))
      addOther(argument, -1);
  for (const Flight &flight : takeUsed(block, context))
    add({{}, flight.futures, flight.usages, -1, {}},
        llvm::any_of(flight.futures, [&](Value future) {
          return llvm::any_of(getOrigin(future).starts, isGather);
        }));
  for (auto [index, node] : llvm::enumerate(graph.getNodes())) {
    auto start = dyn_cast<CollectiveOpInterface>(node.op);
    if (start && start.isStart()) {
      unsigned id = communicators.getId(start);
      add({start,
           llvm::to_vector_of<Value, 1>(start->getResults()),
           {{id, getUsage(start, communicators.get(id).limit)}},
           static_cast<int>(index),
           {}},
          isGather(start));
      continue;
    }
    // A reference to a future in flight here is no other collective.
    if (isa<DupOp, ub::PoisonOp>(node.op))
      continue;
    for (OpResult result : node.op->getResults())
      if (isa<FutureType>(result.getType()))
        addOther(result, index);
  }
  return flights;
}

//===----------------------------------------------------------------------===//
// The walk in program order
//===----------------------------------------------------------------------===//

const InFlightUsages &
InFlightAnalysis::getPeak(FunctionOpInterface function) {
  auto [entry, isNew] = peaks.try_emplace(function);
  if (!isNew)
    return entry->second;
  InFlightUsages peak =
      walk(function.getFunctionBody(), {},
           [](Operation *, unsigned, InFlightUsage) {});
  return peaks[function] = std::move(peak);
}

const InFlightUsages *InFlightAnalysis::getCallPeak(Operation *op) {
  auto call = dyn_cast<CallOpInterface>(op);
  FunctionOpInterface callee =
      call ? effects.getCallee(call) : FunctionOpInterface();
  if (!callee || callee.isExternal() ||
      callee->hasAttr(DistDialect::kNoEffectsAttrName))
    return nullptr;
  return &getPeak(callee);
}

namespace {
/// What is in flight at one point of a block.
class FlightTracker {
public:
  FlightTracker(ArrayRef<Flight> flights, size_t numNodes,
                const InFlightContext &around)
      : flights(flights), around(around), usages(around.usages), peak(usages),
        endsAt(numNodes), beginsAt(numNodes) {
    for (auto [index, flight] : llvm::enumerate(flights)) {
      if (flight.node < 0)
        begin(index);
      else
        beginsAt[flight.node].push_back(index);
      if (flight.ends.empty())
        continue;
      unsigned end = 0;
      for (ArrayRef<unsigned> group : flight.ends)
        end = std::max(end, group.front());
      endsAt[end].push_back(index);
    }
  }

  void begin(unsigned flight) {
    active.insert(flight);
    addUsages(usages, flights[flight]);
    join(peak, usages);
  }

  void endAt(unsigned node) {
    for (unsigned flight : endsAt[node])
      if (active.erase(flight))
        subtractUsages(usages, flights[flight]);
  }

  /// What is around the inside of `op`, a node.
  InFlightContext getContext(unsigned node, Operation *op) const {
    InFlightContext context = around;
    for (unsigned flight : active)
      if (!llvm::is_contained(endsAt[node], flight) ||
          !isHandedTo(flights[flight], op))
        context.add(flights[flight]);
    return context;
  }

  ArrayRef<unsigned> getBeginning(unsigned node) const {
    return beginsAt[node];
  }

  ArrayRef<Flight> flights;
  const InFlightContext &around;
  InFlightUsages usages, peak;

private:
  std::set<unsigned> active;
  SmallVector<SmallVector<unsigned, 1>, 0> endsAt, beginsAt;
};
} // namespace

InFlightUsages InFlightAnalysis::walkBlock(Block &block,
                                           InFlightContext context,
                                           InFlightExcessHandler handler) {
  DependenceGraph graph(block, IssueOrder::Program, effects, communicators);
  SmallVector<Flight, 0> flights = getFlights(block, graph, context);
  ArrayRef<DependenceNode> nodes = graph.getNodes();
  FlightTracker tracker(flights, nodes.size(), context);
  auto check = [&](Operation *op, unsigned id, InFlightUsage usage) {
    if (!usage.fits(communicators.get(id).limit))
      handler(op, id, usage);
  };
  auto beginAndCheck = [&](unsigned flight, Operation *op) {
    tracker.begin(flight);
    for (auto [id, unused] : flights[flight].usages)
      check(op, id, tracker.usages[id]);
  };
  for (auto [index, node] : llvm::enumerate(nodes)) {
    for (unsigned flight : tracker.getBeginning(index))
      if (flights[flight].start)
        beginAndCheck(flight, node.op);
    const InFlightUsages *callPeak = getCallPeak(node.op);
    if (callPeak || (node.op->getNumRegions() != 0 && !node.issuesOn.empty())) {
      InFlightContext inside = tracker.getContext(index, node.op);
      for (Region &region : node.op->getRegions())
        join(tracker.peak, walk(region, inside, handler));
      // What is too much in the callee alone is said there.
      if (callPeak)
        for (auto [id, own] : *callPeak) {
          InFlightUsage usage = inside.usages[id] + own;
          tracker.peak[id] = tracker.peak[id].join(usage);
          if (own.fits(communicators.get(id).limit))
            check(node.op, id, usage);
        }
    }
    tracker.endAt(index);
    // What an operation hands out counted inside of it, if that is known.
    bool isKnown = callPeak || node.op->getNumRegions() != 0;
    for (unsigned flight : tracker.getBeginning(index)) {
      if (flights[flight].start)
        continue;
      if (isKnown)
        tracker.begin(flight);
      else
        beginAndCheck(flight, node.op);
    }
  }
  return tracker.peak;
}

InFlightUsages InFlightAnalysis::walk(Region &region,
                                      const InFlightContext &around,
                                      InFlightExcessHandler handler) {
  InFlightUsages peak = around.usages;
  for (Block &block : region)
    if (!block.empty() && block.back().hasTrait<OpTrait::IsTerminator>() &&
        mayHaveSSADominance(region))
      join(peak, walkBlock(block, around, handler));
  return peak;
}
