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

/// A start that had to be issued although there was no room for it.
struct InFlightExcess {
  unsigned communicator;
  CollectiveOpInterface start;
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
  /// `outside` is in flight around the block all the time.
  ListScheduler(Block &block, const DependenceGraph &graph,
                const Communicators &communicators,
                const InFlightUsages &outside);

  void run();

  ArrayRef<unsigned> getOrder() const { return order; }
  ArrayRef<InFlightExcess> getExcesses() const { return excesses; }
  /// What is in flight around an operation with regions that communicates.
  const InFlightUsages &getUsagesAt(unsigned node) const {
    return usagesAt.at(node);
  }

private:
  /// A start, or a future that came in, and its room.
  struct Slot {
    unsigned flight;
    unsigned communicator;
    InFlightUsage usage;
    /// Ends that have not been placed yet; 0 with `lastsToEnd`.
    unsigned missingEnds = 0;
    bool lastsToEnd = false;
    bool isIssued = false;
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
  void createSlots(Block &block);
  void addIncoming(const Flight &flight, unsigned communicator);
  void createDemands();

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
  bool makeRoomFor(Stream &stream, InFlightUsage own);
  void placeAnchor(unsigned node);
  void release(unsigned slot);
  void addExcess(unsigned start);

  const DependenceGraph &graph;
  ArrayRef<DependenceNode> nodes;
  SmallVector<unsigned> order;
  unsigned numIssued = 0;
  SmallVector<InFlightExcess, 0> excesses;
  std::map<unsigned, InFlightUsages> usagesAt;

  /// The first anchor that needs the node, directly or not.
  SmallVector<unsigned, 0> needs;
  SmallVector<unsigned, 0> missingPredecessors;
  /// Placed, or placeable at once without issuing anything.
  std::vector<bool> isAvailable;
  std::vector<bool> isPlaced;
  SmallVector<Flight, 0> flights;
  SmallVector<Slot, 0> slots;
  /// Slot of each start.
  SmallVector<int, 0> slotOf;
  /// Slots that end at a node.
  SmallVector<SmallVector<unsigned, 1>, 0> endsAt;
  std::map<unsigned, Stream> streams;
  /// Streams where something may be issued.
  std::set<unsigned> active;
};

} // namespace mlir::dist

#endif // DIST_LIB_TRANSFORMS_LISTSCHEDULER_H
