//===- ListScheduler.cpp - Order of one block -------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ListScheduler.h"

using namespace mlir;
using namespace mlir::dist;

static InFlightUsage getOrNone(const InFlightUsages &usages, unsigned id) {
  auto found = usages.find(id);
  return found == usages.end() ? InFlightUsage() : found->second;
}

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

ListScheduler::ListScheduler(Block &block, const DependenceGraph &graph,
                             const Communicators &communicators,
                             InFlightAnalysis &inFlight, InFlightContext outer)
    : graph(graph), inFlight(inFlight), around(std::move(outer)),
      nodes(graph.getNodes()), missingPredecessors(nodes.size(), 0),
      isAvailable(nodes.size(), false), isPlaced(nodes.size(), false),
      beginsAt(nodes.size()), endsAt(nodes.size()) {
  flights = inFlight.getFlights(block, graph, around);
  auto addStream = [&](unsigned id) {
    streams[id].limit = communicators.get(id).limit;
  };
  for (auto [index, node] : llvm::enumerate(nodes)) {
    missingPredecessors[index] = node.predecessors.size();
    if (node.kind == NodeKind::Start)
      addStream(node.communicator);
    llvm::for_each(node.issuesOn, addStream);
  }
  for (const Flight &flight : flights)
    for (auto [id, usage] : flight.usages)
      addStream(id);
  for (auto [id, usage] : around.usages) {
    addStream(id);
    streams[id].usage = usage;
  }
  computeNeeds();
  createSlots();
  createDemands();
}

void ListScheduler::computeNeeds() {
  needs.assign(nodes.size(), nodes.size() - 1);
  for (unsigned index = nodes.size(); index-- != 0;)
    for (unsigned successor : nodes[index].successors)
      needs[index] =
          std::min(needs[index], nodes[successor].kind == NodeKind::Anchor
                                     ? successor
                                     : needs[successor]);
}

void ListScheduler::createSlots() {
  slots.resize(flights.size());
  for (auto [index, flight] : llvm::enumerate(flights)) {
    Slot &slot = slots[index];
    for (auto [group, ends] : llvm::enumerate(flight.ends)) {
      slot.openEnds.push_back(group);
      for (unsigned end : ends) {
        slot.canYield &= nodes[end].kind == NodeKind::Late;
        endsAt[end].push_back({index, group});
      }
    }
    slot.canYield &= !flight.ends.empty();
    if (flight.node < 0)
      begin(index);
    else
      beginsAt[flight.node].push_back(index);
  }
}

void ListScheduler::begin(unsigned index) {
  Slot &slot = slots[index];
  slot.isIssued = true;
  slot.issue = numIssued++;
  for (auto [id, usage] : flights[index].usages) {
    streams[id].usage = streams[id].usage + usage;
    streams[id].inFlight[slot.issue] = index;
  }
}

/// What a start takes of its communicator.
InFlightUsage ListScheduler::getOwnUsage(unsigned start) const {
  return flights[beginsAt[start].front()].usages.at(nodes[start].communicator);
}

/// Who issues on a bounded communicator, in the order in which that is needed.
/// A loop or branch that communicates inside may need all the room.
void ListScheduler::createDemands() {
  if (graph.getIssueOrder() == IssueOrder::Program)
    return;
  for (auto [index, node] : llvm::enumerate(nodes)) {
    if (node.kind == NodeKind::Start) {
      Stream &stream = streams[node.communicator];
      if (stream.limit.isBounded())
        stream.demands.push_back({needs[index], static_cast<unsigned>(index),
                                  getOwnUsage(index)});
    }
    for (unsigned id : node.issuesOn) {
      Stream &stream = streams[id];
      if (!stream.limit.isBounded())
        continue;
      InFlightUsage all = {stream.limit.count, stream.limit.bytes};
      const InFlightUsages *peak = inFlight.getCallPeak(node.op);
      stream.demands.push_back({static_cast<unsigned>(index),
                                static_cast<unsigned>(index),
                                peak ? getOrNone(*peak, id) : all});
    }
  }
  for (auto &[id, stream] : streams)
    llvm::sort(stream.demands, [](const Demand &lhs, const Demand &rhs) {
      return std::tie(lhs.need, lhs.node) < std::tie(rhs.need, rhs.node);
    });
}

//===----------------------------------------------------------------------===//
// Placing
//===----------------------------------------------------------------------===//

void ListScheduler::release(unsigned index) {
  Slot &slot = slots[index];
  slot.isOver = true;
  for (auto [id, usage] : flights[index].usages) {
    streams[id].usage = streams[id].usage - usage;
    streams[id].inFlight.erase(slot.issue);
    active.insert(id);
  }
}

void ListScheduler::place(unsigned node) {
  order.push_back(node);
  isPlaced[node] = true;
  for (auto [index, group] : endsAt[node]) {
    Slot &slot = slots[index];
    llvm::erase(slot.openEnds, group);
    if (slot.openEnds.empty() && slot.isIssued && !slot.isOver)
      release(index);
  }
  // What an operation hands out is in flight from here on.
  if (nodes[node].kind != NodeKind::Start)
    llvm::for_each(beginsAt[node], [&](unsigned slot) { begin(slot); });
}

/// Tells the successors. Waits, views and feeders are available as soon as
/// everything before them is; starts become ready.
void ListScheduler::makeAvailable(unsigned node) {
  SmallVector<unsigned> worklist = {node};
  isAvailable[node] = true;
  while (!worklist.empty()) {
    for (unsigned successor : nodes[worklist.pop_back_val()].successors) {
      if (--missingPredecessors[successor] != 0)
        continue;
      const DependenceNode &next = nodes[successor];
      if (next.kind == NodeKind::Start) {
        bool isGather = next.isGather;
        streams[next.communicator].ready.insert(
            {isGather, isGather ? needs[successor] : successor, successor});
        active.insert(next.communicator);
      } else if (next.kind != NodeKind::Anchor) {
        isAvailable[successor] = true;
        worklist.push_back(successor);
      }
    }
  }
}

/// Everything before `node` that is not placed yet, in program order.
SmallVector<unsigned> ListScheduler::collectMissing(unsigned node) {
  SmallVector<unsigned> missing, worklist = {node};
  llvm::SmallDenseSet<unsigned> seen;
  while (!worklist.empty())
    for (unsigned predecessor : nodes[worklist.pop_back_val()].predecessors)
      if (!isPlaced[predecessor] && seen.insert(predecessor).second) {
        missing.push_back(predecessor);
        worklist.push_back(predecessor);
      }
  llvm::sort(missing);
  return missing;
}

void ListScheduler::placeMissing(ArrayRef<unsigned> missing) {
  for (unsigned node : missing) {
    // Making room for one of them may have placed others.
    if (isPlaced[node])
      continue;
    if (nodes[node].kind == NodeKind::Start)
      forceIssue(node);
    else
      place(node);
  }
}

void ListScheduler::issue(unsigned start) {
  placeMissing(collectMissing(start));
  begin(beginsAt[start].front());
  Stream &stream = streams[nodes[start].communicator];
  stream.ready.erase({nodes[start].isGather,
                      nodes[start].isGather ? needs[start] : start, start});
  place(start);
  makeAvailable(start);
}

/// Whether nothing but waits that can be placed now keeps the slot in flight.
bool ListScheduler::canYieldNow(unsigned slot) const {
  return slots[slot].canYield &&
         llvm::all_of(slots[slot].openEnds, [&](unsigned group) {
           return llvm::any_of(flights[slot].ends[group], [&](unsigned end) {
             return isAvailable[end];
           });
         });
}

/// Places the waits of the oldest collective that can yield.
bool ListScheduler::makeRoom(Stream &stream) {
  for (auto [issue, slot] : stream.inFlight) {
    if (!canYieldNow(slot))
      continue;
    for (unsigned group : SmallVector<unsigned, 2>(slots[slot].openEnds)) {
      unsigned end = *llvm::find_if(flights[slot].ends[group],
                                    [&](unsigned end) { return isAvailable[end]; });
      if (isPlaced[end])
        continue;
      placeMissing(collectMissing(end));
      place(end);
    }
    return true;
  }
  return false;
}

/// Makes room for `own` if that is possible, and else changes nothing: a wait
/// that is placed early in vain would be a wait too early. What is too much
/// even alone has room when nothing else is in flight.
bool ListScheduler::makeRoomFor(unsigned id, InFlightUsage own) {
  Stream &stream = streams[id];
  InFlightUsage rest = stream.usage + own;
  unsigned numYielding = 0;
  for (auto [issue, slot] : stream.inFlight) {
    if (rest.fits(stream.limit))
      break;
    if (!canYieldNow(slot))
      continue;
    rest = rest - flights[slot].usages.at(id);
    ++numYielding;
  }
  if (!rest.fits(stream.limit) && numYielding != stream.inFlight.size())
    return false;
  while (!(stream.usage + own).fits(stream.limit) && makeRoom(stream)) {
  }
  return true;
}

/// The start is needed now, whether there is room or not.
void ListScheduler::forceIssue(unsigned start) {
  unsigned id = nodes[start].communicator;
  Stream &stream = streams[id];
  InFlightUsage own = getOwnUsage(start);
  while (!(stream.usage + own).fits(stream.limit) && makeRoom(stream)) {
  }
  if (!(stream.usage + own).fits(stream.limit))
    addExcess(id, start, stream.usage + own);
  issue(start);
}

void ListScheduler::addExcess(unsigned id, unsigned node,
                              InFlightUsage usage) {
  Stream &stream = streams[id];
  InFlightExcess excess;
  excess.communicator = id;
  excess.op = nodes[node].op;
  excess.usage = usage;
  if (stream.limit.count != 0)
    excess.excess.count =
        std::max<int64_t>(0, excess.usage.count - stream.limit.count);
  if (stream.limit.bytes != 0)
    excess.excess.bytes =
        std::max<int64_t>(0, excess.usage.bytes - stream.limit.bytes);
  for (auto [issue, slot] : stream.inFlight)
    if (CollectiveOpInterface other = flights[slot].start)
      excess.others.push_back(other);
  excesses.push_back(std::move(excess));
}

//===----------------------------------------------------------------------===//
// Issuing
//===----------------------------------------------------------------------===//

/// A gather that starts early must leave room for all that is needed before its
/// own readers are done.
bool ListScheduler::isRoomLeftForEarlierNeeds(unsigned start) {
  Stream &stream = streams[nodes[start].communicator];
  InFlightUsage usage = stream.usage + getOwnUsage(start);
  for (unsigned i = stream.firstDemand, e = stream.demands.size(); i != e;
       ++i) {
    const Demand &demand = stream.demands[i];
    if (demand.need >= needs[start])
      return true;
    if (isPlaced[demand.node]) {
      if (i == stream.firstDemand)
        ++stream.firstDemand;
      continue;
    }
    usage = usage + demand.usage;
    if (!usage.fits(stream.limit))
      return false;
  }
  return true;
}

bool ListScheduler::canIssue(unsigned start) {
  unsigned id = nodes[start].communicator;
  Stream &stream = streams[id];
  if (!stream.limit.isBounded())
    return true;
  InFlightUsage own = getOwnUsage(start);
  if (nodes[start].isGather || !slots[beginsAt[start].front()].canYield)
    return (stream.usage + own).fits(stream.limit) &&
           isRoomLeftForEarlierNeeds(start);
  if (!makeRoomFor(id, own))
    return false;
  if (!(stream.usage + own).fits(stream.limit))
    addExcess(id, start, stream.usage + own);
  return true;
}

void ListScheduler::issueReady() {
  while (!active.empty()) {
    // The best head of all streams, so that the order between communicators is
    // one rule too.
    unsigned best = *active.begin();
    for (unsigned id : active)
      if (streams[best].ready.empty() ||
          (!streams[id].ready.empty() &&
           *streams[id].ready.begin() < *streams[best].ready.begin()))
        best = id;
    if (streams[best].ready.empty()) {
      active.clear();
      return;
    }
    unsigned start = std::get<2>(*streams[best].ready.begin());
    if (canIssue(start))
      issue(start);
    else
      active.erase(best);
  }
}

/// What is in flight while `node`, an operation that communicates inside, runs:
/// what it is handed counts in there.
InFlightContext ListScheduler::getContext(unsigned node) const {
  InFlightContext context = around;
  for (unsigned index = 0, e = slots.size(); index != e; ++index) {
    const Slot &slot = slots[index];
    if (!slot.isIssued || slot.isOver)
      continue;
    bool endsHere = llvm::all_of(slot.openEnds, [&](unsigned group) {
      return llvm::is_contained(flights[index].ends[group], node);
    });
    if (!endsHere || slot.openEnds.empty() ||
        !isHandedTo(flights[index], nodes[node].op))
      context.add(flights[index]);
  }
  return context;
}

/// Before an operation that communicates inside, collectives that can yield
/// make room for it.
void ListScheduler::placeAnchor(unsigned node) {
  placeMissing(collectMissing(node));
  const DependenceNode &anchor = nodes[node];
  const InFlightUsages *peak = inFlight.getCallPeak(anchor.op);
  if (!anchor.issuesOn.empty() && (peak || anchor.op->getNumRegions() != 0)) {
    auto getNeeded = [&](unsigned id) {
      InFlightUsages inside = getContext(node).usages;
      return getOrNone(inside, id) + getOrNone(*peak, id);
    };
    for (unsigned id : anchor.issuesOn) {
      Stream &stream = streams[id];
      if (!stream.limit.isBounded())
        continue;
      while ((!peak || !getNeeded(id).fits(stream.limit)) && makeRoom(stream)) {
      }
      // What is too much in the callee alone is said there.
      if (peak && getOrNone(*peak, id).fits(stream.limit) &&
          !getNeeded(id).fits(stream.limit))
        addExcess(id, node, getNeeded(id));
    }
    if (!peak)
      contextAt[node] = getContext(node);
  }
  place(node);
  makeAvailable(node);
  // The room that was kept for it is free.
  active.insert(anchor.issuesOn.begin(), anchor.issuesOn.end());
}

void ListScheduler::run() {
  for (auto [index, node] : llvm::enumerate(nodes))
    if (missingPredecessors[index] == 0 && !isAvailable[index]) {
      if (node.kind == NodeKind::Start) {
        streams[node.communicator].ready.insert(
            {node.isGather,
             node.isGather ? needs[index] : static_cast<unsigned>(index),
             static_cast<unsigned>(index)});
        active.insert(node.communicator);
      } else if (node.kind != NodeKind::Anchor) {
        makeAvailable(index);
      }
    }
  issueReady();
  unsigned last = nodes.size() - 1;
  for (unsigned index = 0; index != last; ++index) {
    if (nodes[index].kind != NodeKind::Anchor)
      continue;
    placeAnchor(index);
    issueReady();
  }
  // What nobody needs still comes before the terminator.
  SmallVector<unsigned> rest;
  for (unsigned index = 0; index != last; ++index)
    if (!isPlaced[index])
      rest.push_back(index);
  placeMissing(rest);
  placeAnchor(last);
}
