//===- ListScheduler.h - Order of one block ---------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_TRANSFORMS_LISTSCHEDULER_H
#define DIST_LIB_TRANSFORMS_LISTSCHEDULER_H

#include "Dialect/Dist/Analysis/InFlight.h"
#include <set>

namespace mlir::dist {

/// A start, or a call, that had to be issued although there was no room for it.
struct InFlightExcess {
  unsigned communicator;
  Operation *op;
  /// What is in flight with it, and by how much that is too much.
  InFlightUsage usage, excess;
  /// The others in flight, in issue order.
  SmallVector<CollectiveOpInterface> others;
};

/// Orders a block. The anchors are placed one after the other in program order.
/// Directly before an anchor comes what it needs and is not there yet; directly
/// after it come the starts that it made ready and for which there is room.
///
/// Everything is placed relative to anchors by facts that do not change when
/// the block is rewritten in the order found, hence scheduling twice gives the
/// same order.
class ListScheduler {
public:
  /// `around` is in flight around the block.
  ListScheduler(Block &block, const DependenceGraph &graph,
                const Communicators &communicators, InFlightAnalysis &inFlight,
                InFlightContext around);

  void run();

  ArrayRef<unsigned> getOrder() const { return order; }
  ArrayRef<InFlightExcess> getExcesses() const { return excesses; }
  /// What is in flight around an operation with regions that communicates.
  const InFlightContext &getContextAt(unsigned node) const {
    return contextAt.at(node);
  }

private:
  /// The state of a flight.
  struct Slot {
    /// Groups of ends of which no node has been placed yet.
    SmallVector<unsigned, 2> openEnds;
    bool isIssued = false;
    bool isOver = false;
    unsigned issue = 0;
    /// Whether only its waits keep it in flight, so that they can be placed
    /// early to make room.
    bool canYield = true;
  };

  /// Who needs room later on this communicator, by need.
  struct Demand {
    unsigned need;
    unsigned node;
    InFlightUsage usage;
  };

  struct Stream {
    InFlightLimit limit;
    InFlightUsage usage;
    /// Ready starts by (rank, key, node): other collectives in program order,
    /// then gathers in the order of their readers.
    std::set<std::tuple<bool, unsigned, unsigned>> ready;
    /// Slots in flight by the number of their issue.
    std::map<unsigned, unsigned> inFlight;
    /// Under a bound and with free order only.
    SmallVector<Demand, 0> demands;
    unsigned firstDemand = 0;
  };

  void computeNeeds();
  void createSlots();
  void createDemands();
  void begin(unsigned slot);
  InFlightUsage getOwnUsage(unsigned start) const;
  InFlightContext getContext(unsigned node) const;

  void place(unsigned node);
  void makeAvailable(unsigned node);
  SmallVector<unsigned> collectMissing(unsigned node);
  void placeMissing(ArrayRef<unsigned> missing);
  void issue(unsigned start);
  void forceIssue(unsigned start);
  void issueReady();
  bool canIssue(unsigned start);
  bool isRoomLeftForEarlierNeeds(unsigned start);
  bool canYieldNow(unsigned slot) const;
  bool makeRoom(Stream &stream);
  bool makeRoomFor(unsigned id, InFlightUsage own);
  void placeAnchor(unsigned node);
  void release(unsigned slot);
  void addExcess(unsigned id, unsigned node, InFlightUsage usage);

  const DependenceGraph &graph;
  InFlightAnalysis &inFlight;
  InFlightContext around;
  ArrayRef<DependenceNode> nodes;
  SmallVector<unsigned> order;
  unsigned numIssued = 0;
  SmallVector<InFlightExcess, 0> excesses;
  std::map<unsigned, InFlightContext> contextAt;

  /// The first anchor that needs the node, directly or not.
  SmallVector<unsigned, 0> needs;
  SmallVector<unsigned, 0> missingPredecessors;
  /// Placed, or placeable at once without issuing anything.
  std::vector<bool> isAvailable;
  std::vector<bool> isPlaced;
  SmallVector<Flight, 0> flights;
  /// One for each flight.
  SmallVector<Slot, 0> slots;
  /// Slots that begin at a node: that of a start, or of what an operation hands
  /// out.
  SmallVector<SmallVector<unsigned, 1>, 0> beginsAt;
  /// Slots that a node may end, with the group of ends that it is in.
  SmallVector<SmallVector<std::pair<unsigned, unsigned>, 1>, 0> endsAt;
  std::map<unsigned, Stream> streams;
  /// Streams where something may be issued.
  std::set<unsigned> active;
};

} // namespace mlir::dist

#endif // DIST_LIB_TRANSFORMS_LISTSCHEDULER_H
