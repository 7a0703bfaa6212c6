//===- LocalBackend.h - ranks that are threads of one process ---*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Every communicator is a queue of rendezvous, by sequence number. The last
// member to arrive compares the fingerprints. The link is serial per
// communicator: a flight begins with its last arrival or the end of the one
// before, whichever is later, and takes delay + bytes / bandwidth. Only at its
// end are sources read and destinations written, so that a program that touches
// a buffer in flight computes wrong values here too. Small data is moved by the
// thread that finds it ready (without a link the last arriver), large data in
// units by the pool.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_LOCAL_LOCALBACKEND_H
#define DIST_LIB_RUNTIME_LOCAL_LOCALBACKEND_H

#include "Common/Backend.h"
#include "Local/Pool.h"

#include <algorithm>
#include <deque>
#include <mutex>

namespace dist::rt {

class LocalBackend;

/// The data movement of one collective of all members, cut into units that are
/// independent of each other. Phases follow each other: packing, the
/// collective, unpacking.
class Movement {
public:
  void reset(const std::vector<Launch *> &launches);
  const std::vector<Launch *> &members() const { return launches; }
  /// Bytes written, for the choice between one thread and the pool.
  int64_t bytes() const { return totalBytes; }
  static constexpr int numPhases = 3;
  int64_t numUnits(int phase) const;
  void runUnit(int phase, int64_t unit) const;

private:
  struct PartPlan {
    int64_t firstUnit;
    int64_t numSegments;
    int64_t unitsPerSegment;
    int64_t unitElements;
  };
  void runPart(size_t part, int64_t segment, int64_t begin, int64_t end) const;
  void reduce(size_t part, int64_t segment, int64_t begin, int64_t end) const;
  void exchange(size_t part, int64_t source, int64_t offset,
                int64_t bytes) const;
  void permute(size_t part, int64_t offset, int64_t bytes) const;

  std::vector<Launch *> launches;
  std::vector<PartPlan> plans;
  int64_t partUnits = 0;
  bool packs = false, unpacks = false;
  int64_t totalBytes = 0;
};

class LocalCommunicator final : public Communicator {
public:
  LocalCommunicator(LocalBackend &backend, std::vector<int64_t> members,
                    std::string tag);

  void enqueue(int64_t position, Launch &launch);
  Expiry expire(int64_t position, Launch &launch);
  void abort();

private:
  struct Slot {
    std::vector<Launch *> launches; // by position, null until it arrives
    int64_t numArrived = 0;
    int64_t firstArrivalNs = 0;
    int64_t lastArrivalNs = 0;
    int64_t dueNs(int64_t deadlineNs) const {
      return std::min(lastArrivalNs + deadlineNs,
                      firstArrivalNs + 2 * deadlineNs);
    }
  };
  struct LateArrival {
    LocalCommunicator *communicator;
    int64_t position;
    Launch *launch;
  };

  // The caller of these holds the mutex.
  Slot &slotFor(int64_t sequence);
  void arrive(int64_t position, Launch &launch, int64_t atNs);
  bool takeFront();

  /// Starts what is ready, until nothing is. Called without the mutex.
  void pump();
  void moveHere();
  bool beginPhase();
  void retire(bool moved);

  static void lateArrival(void *argument);
  static void flightEnded(void *argument);
  static void runInPool(void *argument);
  static void poolTask(void *argument);

  LocalBackend &backend;
  std::mutex mutex;
  std::deque<Slot> slots; // the first has sequence number `base`
  int64_t base = 0;
  bool aborted = false;
  bool busy = false; // a flight of this communicator is on the link or moving
  int64_t linkFreeNs = 0;
  int64_t currentDueNs = 0;
  std::vector<int64_t> joinNotBefore;   // per member: behind a late arrival
  std::deque<LateArrival> lateArrivals; // faults only, kept: addresses

  // The flight that is on the link or moving.
  std::vector<Launch *> current;
  Movement movement;
  int phase = 0;
  std::atomic<int64_t> nextUnit{0};
  std::atomic<int64_t> tasksLeft{0};
};

class LocalBackend final : public Backend {
public:
  LocalBackend(const distrtWorldOptions &options, ErrorSink &sink);

  void *allocate(int64_t rank, size_t bytes) override;
  void release(int64_t rank, void *pointer) override;
  std::unique_ptr<Communicator>
  createCommunicator(const std::vector<int64_t> &members,
                     const std::string &tag, uint64_t uniqueId) override;
  Outcome enqueue(Communicator &communicator, int64_t position,
                  Launch &launch) override;
  WaitResult hostWait(Launch &launch, int64_t untilNs,
                      const std::atomic<const void *> &interrupt) override;
  Expiry expire(Communicator &communicator, int64_t position,
                Launch &launch) override;
  void abort(Communicator &communicator) override;

private:
  friend class LocalCommunicator;
  const int64_t deadlineNs;
  const int64_t linkDelayNs;
  const double linkBytesPerNs;
  int spins;
  ErrorSink &sink;
  Pool pool;
  Timer timer; // before the pool ends: its tasks submit to it
};

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_LOCAL_LOCALBACKEND_H
