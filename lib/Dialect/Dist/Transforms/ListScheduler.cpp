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

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

ListScheduler::ListScheduler(Block &block, const DependenceGraph &graph,
                             const Communicators &communicators,
                             const InFlightUsages &outside)
    : graph(graph), nodes(graph.getNodes()),
      missingPredecessors(nodes.size(), 0), isAvailable(nodes.size(), false),
      isPlaced(nodes.size(), false), slotOf(nodes.size(), -1),
      endsAt(nodes.size()) {
  for (auto [index, node] : llvm::enumerate(nodes)) {
    missingPredecessors[index] = node.predecessors.size();
    if (node.kind == NodeKind::Start)
      streams[node.communicator];
    for (unsigned id : node.issuesOn)
      streams[id];
  }
  for (auto &[id, stream] : streams) {
    stream.limit = communicators.get(id).limit;
    if (auto found = outside.find(id); found != outside.end())
      stream.usage = found->second;
  }
  computeNeeds();
  createSlots(block);
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

/// A future that came in is in flight from the beginning.
void ListScheduler::addIncoming(const Flight &flight, unsigned communicator) {
  Stream &stream = streams[communicator];
  Slot slot;
  slot.flight = &flight - flights.data();
  slot.communicator = communicator;
  slot.usage =
      flight.start
          ? getUsage(flight.start, stream.limit)
          : getUsage(cast<FutureType>(flight.futures.front().getType()),
                     stream.limit);
  slot.isIssued = true;
  slot.missingEnds = flight.ends.size();
  slot.lastsToEnd = flight.ends.empty();
  for (unsigned end : flight.ends) {
    slot.canYield &= nodes[end].kind == NodeKind::Late;
    endsAt[end].push_back(slots.size());
  }
  slot.issue = numIssued++;
  stream.inFlight[slot.issue] = slots.size();
  stream.usage = stream.usage + slot.usage;
  slots.push_back(slot);
}

void ListScheduler::createSlots(Block &block) {
  flights = getFlights(block, graph);
  for (const Flight &flight : flights) {
    if (flight.node < 0) {
      // Nobody knows whose a future is that came in without its start: it
      // counts on every communicator.
      for (auto &[id, stream] : streams)
        if (stream.limit.isBounded())
          addIncoming(flight, id);
      continue;
    }
    const DependenceNode &node = nodes[flight.node];
    Slot slot;
    slot.flight = &flight - flights.data();
    slot.communicator = node.kind == NodeKind::Start ? node.communicator
                        : node.issuesOn.empty()      ? 0
                                                     : node.issuesOn.front();
    slot.usage = getUsage(flight.start, streams[slot.communicator].limit);
    slot.missingEnds = flight.ends.size();
    slot.lastsToEnd = flight.ends.empty();
    for (unsigned end : flight.ends) {
      slot.canYield &= nodes[end].kind == NodeKind::Late;
      endsAt[end].push_back(slots.size());
    }
    slotOf[flight.node] = slots.size();
    slots.push_back(slot);
  }
}

/// Who issues on a bounded communicator, in the order in which that is needed.
/// An operation that communicates inside may need all the room.
void ListScheduler::createDemands() {
  if (graph.getIssueOrder() == IssueOrder::Program)
    return;
  for (auto [index, node] : llvm::enumerate(nodes)) {
    if (node.kind == NodeKind::Start) {
      Stream &stream = streams[node.communicator];
      if (stream.limit.isBounded())
        stream.demands.push_back({needs[index], static_cast<unsigned>(index),
                                  slots[slotOf[index]].usage});
    }
    for (unsigned id : node.issuesOn) {
      Stream &stream = streams[id];
      if (stream.limit.isBounded())
        stream.demands.push_back({static_cast<unsigned>(index),
                                  static_cast<unsigned>(index),
                                  {stream.limit.count, stream.limit.bytes}});
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
  Stream &stream = streams[slot.communicator];
  stream.usage = stream.usage - slot.usage;
  stream.inFlight.erase(slot.issue);
  active.insert(slot.communicator);
}

void ListScheduler::place(unsigned node) {
  order.push_back(node);
  isPlaced[node] = true;
  for (unsigned slot : endsAt[node])
    if (--slots[slot].missingEnds == 0 && slots[slot].isIssued)
      release(slot);
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
  Stream &stream = streams[nodes[start].communicator];
  Slot &slot = slots[slotOf[start]];
  slot.isIssued = true;
  stream.usage = stream.usage + slot.usage;
  slot.issue = numIssued++;
  stream.inFlight[slot.issue] = slotOf[start];
  stream.ready.erase({nodes[start].isGather,
                      nodes[start].isGather ? needs[start] : start, start});
  place(start);
  makeAvailable(start);
}

/// Whether nothing but waits that can be placed now keeps the slot in flight.
bool ListScheduler::canYieldNow(unsigned slot) const {
  if (!slots[slot].canYield || slots[slot].lastsToEnd)
    return false;
  return llvm::all_of(flights[slots[slot].flight].ends,
                      [&](unsigned end) { return isAvailable[end]; });
}

/// Places the waits of the oldest collective that can yield.
bool ListScheduler::makeRoom(Stream &stream) {
  for (auto [issue, slot] : stream.inFlight) {
    if (!canYieldNow(slot))
      continue;
    for (unsigned end : flights[slots[slot].flight].ends)
      if (!isPlaced[end]) {
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
bool ListScheduler::makeRoomFor(Stream &stream, InFlightUsage own) {
  InFlightUsage rest = stream.usage + own;
  unsigned numYielding = 0;
  for (auto [issue, slot] : stream.inFlight) {
    if (rest.fits(stream.limit))
      break;
    if (!canYieldNow(slot))
      continue;
    rest = rest - slots[slot].usage;
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
  Stream &stream = streams[nodes[start].communicator];
  InFlightUsage own = slots[slotOf[start]].usage;
  while (!(stream.usage + own).fits(stream.limit) && makeRoom(stream)) {
  }
  if (!(stream.usage + own).fits(stream.limit))
    addExcess(start);
  issue(start);
}

void ListScheduler::addExcess(unsigned start) {
  unsigned id = nodes[start].communicator;
  Stream &stream = streams[id];
  InFlightExcess excess;
  excess.communicator = id;
  excess.start = cast<CollectiveOpInterface>(nodes[start].op);
  excess.usage = stream.usage + slots[slotOf[start]].usage;
  if (stream.limit.count != 0)
    excess.excess.count =
        std::max<int64_t>(0, excess.usage.count - stream.limit.count);
  if (stream.limit.bytes != 0)
    excess.excess.bytes =
        std::max<int64_t>(0, excess.usage.bytes - stream.limit.bytes);
  for (auto [issue, slot] : stream.inFlight)
    if (CollectiveOpInterface other = flights[slots[slot].flight].start)
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
  InFlightUsage usage = stream.usage + slots[slotOf[start]].usage;
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
  Stream &stream = streams[nodes[start].communicator];
  if (!stream.limit.isBounded())
    return true;
  const Slot &slot = slots[slotOf[start]];
  if (nodes[start].isGather || !slot.canYield)
    return (stream.usage + slot.usage).fits(stream.limit) &&
           isRoomLeftForEarlierNeeds(start);
  if (!makeRoomFor(stream, slot.usage))
    return false;
  if (!(stream.usage + slot.usage).fits(stream.limit))
    addExcess(start);
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

/// Before an operation that communicates inside, collectives that can yield
/// make room for it.
void ListScheduler::placeAnchor(unsigned node) {
  placeMissing(collectMissing(node));
  const DependenceNode &anchor = nodes[node];
  for (unsigned id : anchor.issuesOn) {
    Stream &stream = streams[id];
    while (stream.limit.isBounded() && makeRoom(stream)) {
    }
  }
  if (anchor.op->getNumRegions() != 0 && !anchor.issuesOn.empty()) {
    InFlightUsages &usages = usagesAt[node];
    for (auto &[id, stream] : streams)
      usages[id] = stream.usage;
  }
  place(node);
  makeAvailable(node);
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
