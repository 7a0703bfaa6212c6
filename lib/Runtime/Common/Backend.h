//===- Backend.h - what executes collectives --------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The common layer decides everything that has a meaning: groups, order,
// sequence numbers, checks, layouts, futures, errors and messages. A backend
// only executes. The contract is kept so small that NCCL on CUDA streams, MPI
// and threads fit behind it without a change above:
//
// * Buffers are contiguous: pointer + count. NCCL and MPI collectives know
//   nothing else. What is strided travels as a StridedCopy before or after the
//   collective, on the same communication stream (local: the thread that moves
//   the data; NCCL: cudaMemcpy2DAsync or a kernel on the stream; MPI: the
//   communication thread). The copies belong to the launch, because on a device
//   the host never sees the moment between them and the collective.
// * All parts of a launch are one unit (ncclGroupStart ... ncclGroupEnd) and
//   complete together; NCCL promises no order inside a group.
// * Nothing that can fail for a reason of one rank's own is left to the
// backend:
//   an error inside an NCCL group drops the whole group of one rank while its
//   peers launch and hang.
// * Launches of one communicator execute in the order of `enqueue`; every
// member
//   enqueues them with the same sequence numbers. Nothing orders two
//   communicators. (NCCL serialises a communicator by itself; an MPI backend
//   posts non-blocking collectives in this order from its one thread.)
// * Exchanges need nothing but contiguous pieces. all_to_all: ncclAlltoAll from
//   2.28 on, before it ncclSend and ncclRecv per peer inside the launch's group
//   (the same count everywhere), MPI_Ialltoall. permute: a send to the target
//   and a receive from the source, if there are any, inside the group; zeros by
//   cudaMemsetAsync behind it. reduce: ncclReduce, and the same zeros on the
//   other members.
// * NCCL has no complex type: a sum travels as twice as many floats, a
//   product is a gather and a kernel. premul_sum: ncclRedOpCreatePreMulSum with
//   each member's own factor.
// * Before data moves the fingerprints of all members are compared with
//   findDisagreement. In one process that is a memory access; a backend over
//   processes sends the words over its control channel (the bootstrap store for
//   NCCL, a small all-gather for MPI) beside the data.
// * Completion is an event, not a call: `Launch::complete` ends the flight.
//   A backend with streams records a pooled event behind the copies and lets
//   `streamWait` make another stream wait for it, without the host;
//   `hostWait` blocks the calling rank thread.
// * `abort` is local, idempotent and wakes nobody: after it returned, no launch
//   begins to touch memory. What runs ends by itself (NCCL: ncclCommAbort).
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_COMMON_BACKEND_H
#define DIST_LIB_RUNTIME_COMMON_BACKEND_H

#include "Common/Device.h"
#include "Common/Layout.h"
#include "Common/Support.h"
#include "dist-rt/distrt.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dist::rt {

/// What must agree between the members: words that can be sent as they are.
///   kind, reduction, root, dim, concat dim, number of operands,
///   (data type, count)*, the sources of a permute
/// What the kind does not use is -1. Factors are each member's own.
struct Fingerprint {
  std::vector<int64_t> words;
};

/// One operand on the wire. `count` is NCCL's: per rank for all_gather (sent),
/// reduce_scatter (received) and all_to_all (both), the whole buffer otherwise.
/// In place is a pointer rule as NCCL has it: send == receive for all_reduce,
/// broadcast and reduce, this rank's slot of the larger buffer for all_gather
/// and reduce_scatter. all_to_all: never. permute: only where no other member
/// receives what this one holds.
struct Part {
  const void *send = nullptr;
  void *receive = nullptr;
  int64_t count = 0;
  int32_t dataType = 0;
  double factor = 1; // premul_sum
};

/// The rank thread that owns launches, as a backend sees it.
struct LaunchOwner {
  int64_t rank = 0;
  /// Non-null once the rank has a failure to report.
  const std::atomic<const void *> *interrupt = nullptr;
  /// Launches whose memory the backend may be touching right now. A rank that
  /// failed leaves only when there are none.
  std::atomic<int> executing{0};
  Parker parker;
};

/// One rank's side of one collective. Allocated by the common layer, which
/// keeps it alive until `done` or, after an abort, until `owner->executing` has
/// dropped to zero.
class Launch {
public:
  virtual ~Launch() = default;
  /// All members are there, nothing has been touched. Returns false when the
  /// launch must not run (checked mode found a race and reported it).
  virtual bool aboutToMove() = 0;
  /// The data is in place. Sets `done`; `this` may be gone on return.
  virtual void complete() = 0;
  /// What it is, for messages about a group.
  virtual std::string summary() const = 0;
  /// Where in the program it is; "" when unknown.
  virtual const char *where() const = 0;
  /// With a trace: records the flight later, when the launch may be gone.
  virtual std::function<void(int64_t beginNs, int64_t endNs)>
  flightRecorder() const = 0;

  LaunchOwner *owner = nullptr;
  int32_t kind = 0;
  int32_t reduction = 0;
  int64_t root = 0;
  /// permute: per position the position whose data it receives, or -1: zeros.
  std::vector<int64_t> sources;
  int64_t sequence = 0;
  int64_t payload = 0; // bytes, NCCL's convention
  int64_t startNs = 0;
  /// When a waiter asks `expire`: its own start plus the world's deadline.
  int64_t deadlineNs = INT64_MAX;
  /// Fault injection: nanoseconds to join late, or -1 to join never.
  int64_t joinDelayNs = 0;
  Fingerprint fingerprint;
  std::vector<StridedCopy> before;
  std::vector<Part> parts;
  std::vector<StridedCopy> after;
  /// Of a backend with streams: the event behind the launch, or null, and
  /// buffers of its own, which go when the launch is complete.
  void *event = nullptr;
  std::vector<void *> scratch;
  std::atomic<bool> done{false};
};

/// What one member says about its launch.
struct Statement {
  Fingerprint fingerprint;
  std::string location;
};

/// Told to the common layer about a whole group.
class ErrorSink {
public:
  virtual ~ErrorSink() = default;
  /// `statements`, one per member, differ.
  virtual void mismatch(const std::vector<int64_t> &members,
                        const std::string &tag, int64_t sequence,
                        const std::vector<Statement> &statements) = 0;
  /// Ends the world: `ranks` report this, all others that they were aborted.
  /// `remote`: another process said so.
  virtual void fail(const std::vector<int64_t> &ranks, int status,
                    const std::string &message, bool remote = false) = 0;
  /// With a trace: a kernel ran on the rank's compute stream.
  virtual void kernelRan(int64_t rank, const std::string &name, int64_t beginNs,
                         int64_t endNs) = 0;
};

class Communicator {
public:
  Communicator(std::vector<int64_t> members, std::string tag)
      : members(std::move(members)), tag(std::move(tag)) {}
  virtual ~Communicator() = default;
  const std::vector<int64_t> members;
  const std::string tag;
};

/// Why a launch has not completed at its deadline.
struct Expiry {
  bool completed = false; // it did after all, or its failure is known
  /// Not yet: another member came later, ask again then. Every member waits at
  /// least one deadline and at most two.
  int64_t retryNs = 0;
  std::string summary;          // of the launch that holds up the queue, or ""
  std::vector<int64_t> missing; // members (world ranks) that never joined it
};

enum class WaitResult { Done, Interrupted, Expired };

class Backend {
public:
  virtual ~Backend() = default;

  /// Once, before anything else: whom to tell, and the ranks of this process.
  virtual void attach(ErrorSink &, const std::vector<LaunchOwner *> &) {}

  /// Memory that the communicators can reach, padded by 16 bytes (NCCL may read
  /// past an end). Local: the allocation hooks.
  virtual void *allocate(int64_t rank, size_t bytes) = 0;
  virtual void release(int64_t rank, void *pointer) = 0;

  /// `uniqueId` is equal on all members and distinct per communicator of the
  /// world: the key under which members of other processes find each other.
  /// Called by the first member of this process that uses the group.
  virtual std::unique_ptr<Communicator>
  createCommunicator(const std::vector<int64_t> &members,
                     const std::string &tag, uint64_t uniqueId) = 0;

  /// Before a member's first launch, `first` if it is known. May block until all
  /// members are there, at most the world's deadline.
  virtual Outcome join(Communicator &, int64_t /*position*/,
                       const Launch * /*first*/) {
    return {};
  }

  /// An embedder's own communicator for a member that has not joined yet.
  virtual Outcome adopt(Communicator &, int64_t /*position*/, void *) {
    return {DISTRT_UNSUPPORTED, "this world has no devices"};
  }

  /// Never blocks on a peer.
  virtual Outcome enqueue(Communicator &communicator, int64_t position,
                          Launch &launch) = 0;

  /// Blocks the rank thread until the launch is done, `interrupt` is non-null
  /// or the clock reaches `untilNs`.
  virtual WaitResult hostWait(Launch &launch, int64_t untilNs,
                              const std::atomic<const void *> &interrupt) = 0;

  /// Of a backend with devices, instead of `hostWait`: makes the owner's
  /// compute stream wait for the launch.
  virtual Outcome streamWait(Launch &) { return {DISTRT_INTERNAL, ""}; }

  /// The device of a rank of this process; null where there are none.
  virtual Device *device(int64_t /*rank*/) { return nullptr; }

  /// In the order of the rank's own work: at once, or on its compute stream.
  virtual Outcome copyNow(int64_t /*rank*/, const StridedCopy &copy) {
    runCopy(copy);
    return {};
  }
  virtual Outcome fillNow(int64_t /*rank*/, const View &view,
                          unsigned char byte) {
    fill(view, byte);
    return {};
  }

  /// A rank of this process failed: other processes must hear of it.
  virtual void announceFailure(const std::vector<int64_t> & /*ranks*/,
                               int /*status*/, const std::string &) {}

  /// A run has ended.
  virtual void endRun() {}

  virtual Expiry expire(Communicator &communicator, int64_t position,
                        Launch &launch) = 0;

  virtual void abort(Communicator &communicator) = 0;
};

/// Position of the first member whose fingerprint differs from that of the
/// first one, or -1.
int64_t findDisagreement(Launch *const *launches, int64_t numLaunches);

/// What the members say, of launches that are all in this process.
std::vector<Statement> statementsOf(Launch *const *launches,
                                    int64_t numLaunches);

/// The backend "local". In Local/.
std::unique_ptr<Backend> createLocalBackend(const distrtWorldOptions &options,
                                            ErrorSink &sink);

/// The ranks of a world, and which of them this process is.
struct Placement {
  int64_t numRanks = 1;
  int64_t firstLocal = 0;
  int64_t numLocal = 1;
};

/// The backend "nccl". In NCCL/. Null, and an outcome that says why, when it
/// cannot be.
std::unique_ptr<Backend> createNcclBackend(const distrtWorldOptions &options,
                                           Placement &placement,
                                           Outcome &outcome);

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_COMMON_BACKEND_H
