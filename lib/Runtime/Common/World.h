//===- World.h - worlds and contexts ----------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_COMMON_WORLD_H
#define DIST_LIB_RUNTIME_COMMON_WORLD_H

#include "Common/Flight.h"

#include <csetjmp>
#include <deque>
#include <unordered_map>
#include <unordered_set>

namespace dist::rt {

/// A failure as one rank reports it. Made once, never changed, lives as long as
/// the world.
struct Failure {
  int status;
  std::string message;
};

/// Written by the rank thread, read by anybody.
class Count {
public:
  void add(int64_t n) {
    value.store(value.load(std::memory_order_relaxed) + n,
                std::memory_order_relaxed);
  }
  void raiseTo(int64_t n) {
    if (n > get())
      value.store(n, std::memory_order_relaxed);
  }
  int64_t get() const { return value.load(std::memory_order_relaxed); }

private:
  std::atomic<int64_t> value{0};
};

struct Counters {
  Count collectives, bytes, packs, unpacks, sourceCopies, sourceMoves,
      resultCopies, liveFutures, blockedNs, inFlightNs, maxInFlight;
};

struct Event {
  int32_t kind;
  int32_t collective;
  int64_t rank;
  int64_t sequence;
  int64_t beginNs;
  int64_t endNs;
  int64_t bytes;
  const char *group;
  const char *location;
};

/// The last launches of a rank, always on; printed with a failure when the
/// environment sets DISTRT_FLIGHT_RECORDER.
struct Record {
  GroupState *group = nullptr;
  int64_t sequence = 0;
  int64_t startNs = 0;
  int64_t endNs = 0; // 0: has not been waited for
  int32_t kind = 0;
  char location[48] = {};
};
constexpr int64_t kRecords = 64;

} // namespace dist::rt

struct distrtContext {
  dist::rt::LaunchOwner owner;
  distrtWorld *world = nullptr;
  int64_t rank = 0;

  /// Points to a Failure; set once, by whichever thread finds it.
  std::atomic<const void *> failure{nullptr};
  /// The failure that this rank has reported, see `enter`.
  const dist::rt::Failure *reported = nullptr;
  std::deque<std::string> messages; // never shrinks: pointers are handed out
  bool raisedHere = false;

  dist::rt::GroupCache groups;
  dist::rt::Counters counters;
  int64_t inFlight = 0;

  dist::rt::Flight *live = nullptr; // flights with futures left
  std::vector<dist::rt::Flight *> freeFlights;
  std::vector<std::unique_ptr<dist::rt::Flight>> allFlights;
  distrtFuture *freeFutures = nullptr;
  std::deque<distrtFuture> allFutures;

  distrtRaiseHandler raiseHandler = nullptr;
  void *raiseUser = nullptr;
  jmp_buf unwind; // of distrtWorldRun's thread
  int unwindStatus = 0;

  /// A fault that the world's options want of this rank, and where its hits are
  /// counted.
  struct Fault {
    distrtFault fault;
    int64_t *hits;
  };
  std::vector<Fault> faults;
  dist::rt::Record records[dist::rt::kRecords];
  int64_t numRecords = 0;

  std::mutex eventMutex;
  std::vector<dist::rt::Event> events;
  std::unordered_set<std::string> strings;

  // Outcome of the last run.
  int status = DISTRT_OK;
  std::string statusMessage;

  /// At the beginning of a call: the failure that it must return, if any. An
  /// abort that this rank has not seen yet waits until the call would block or
  /// communicate, so that a mistake which every rank makes is reported as that
  /// by every rank.
  int enter();
  /// Reports the pending failure, abort or not; DISTRT_OK without one.
  int adoptFailure();
  /// A failure of this rank's own: sticky, aborts the others.
  int fail(int status, const std::string &message);
  /// A failure of this call alone.
  int refuse(int status, const std::string &message);
  /// Waits until the backend touches none of this rank's memory.
  void quiesce();
  /// The memory of this rank is not the host's, so that its futures complete in
  /// the order of a stream.
  dist::rt::Device *device = nullptr;
  /// Copies of the program's constants on the device, until the run ends.
  std::unordered_map<const void *, void *> deviceConstants;
  void releaseConstants();

  dist::rt::Flight *takeFlight();
  void giveFlight(dist::rt::Flight *flight);
  distrtFuture *takeFuture(dist::rt::Flight *flight, int64_t operand);
  void giveFuture(distrtFuture *future);
  void addEvent(int32_t kind, const dist::rt::Flight &flight, int64_t beginNs,
                int64_t endNs, const char *location);
  void addEvent(int32_t kind, int32_t collective, int64_t sequence,
                int64_t bytes, const std::string &group, int64_t beginNs,
                int64_t endNs, const char *location);
};

struct distrtWorld final : dist::rt::ErrorSink {
  /// `backend` null: the local one.
  distrtWorld(const distrtWorldOptions &options, dist::rt::Placement placement,
              std::unique_ptr<dist::rt::Backend> backend);
  ~distrtWorld() override;

  void mismatch(const std::vector<int64_t> &members, const std::string &tag,
                int64_t sequence,
                const std::vector<dist::rt::Statement> &statements) override;

  /// The first failure wins, except that a rank's own failure replaces an abort
  /// that it has not reported yet.
  void fail(const std::vector<int64_t> &ranks, int status,
            const std::string &message, bool remote = false) override;
  void kernelRan(int64_t rank, const std::string &name, int64_t beginNs,
                 int64_t endNs) override;
  /// Null for a rank of another process.
  distrtContext *contextOf(int64_t rank);
  bool checksMemory() const { return options.checked && !hasDevices; }
  /// A deadline has passed.
  void timeout(dist::rt::Flight &waiting, const dist::rt::Expiry &expiry);
  void printRecords();

  distrtWorldOptions options;
  int64_t createdNs = 0;
  int64_t deadlineNs = 0;
  dist::rt::Placement placement;
  bool hasDevices = false;
  dist::rt::GroupTable groups;
  std::vector<std::unique_ptr<distrtContext>> contexts; // of local ranks

  std::mutex mutex; // everything below
  /// Per fault of the options; each is written by its rank's thread only.
  std::vector<int64_t> faultHits;
  std::deque<dist::rt::Failure> failures;
  std::atomic<bool> failed{false};
  std::string message;
  bool running = false;
  std::vector<dist::rt::Event> sortedEvents;

  /// Last, so that its threads end before the rest goes.
  std::unique_ptr<dist::rt::Backend> backend;
};

namespace dist::rt {
/// Message of calls that have no context.
int refuseWithoutContext(const std::string &message);
/// The prefix of a rank's messages: "rank 1: what at where: ".
std::string rankPrefix(const distrtContext &context, const char *what,
                       const char *location);
/// Completes a flight for its rank: blocks, accounts, verifies.
int finishFlight(distrtContext &context, Flight &flight, const char *location);
/// Completes the flights whose futures are left at the end of a run. Returns
/// the number of futures and describes the oldest flight.
int64_t completeLiveFlights(distrtContext &context, std::string &first);
void setCurrentContext(distrtContext *context);
} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_COMMON_WORLD_H
