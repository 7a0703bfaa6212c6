//===- Flight.h - one rank's side of one collective -------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_COMMON_FLIGHT_H
#define DIST_LIB_RUNTIME_COMMON_FLIGHT_H

#include "Common/Backend.h"
#include "Common/Group.h"

namespace dist::rt {
class Flight;
} // namespace dist::rt

struct distrtFuture {
  uint64_t magic;
  int64_t references;
  dist::rt::Flight *flight;
  int64_t operand;
  distrtFuture *nextFree;
};

namespace dist::rt {

constexpr uint64_t kFutureLive = 0x6675747572650001;
constexpr uint64_t kFutureGone = 0x6675747572650000;

/// What a launch keeps per operand.
struct OperandState {
  int32_t dataType = 0;
  int32_t flags = 0;
  double factor = 1;
  View source;
  View destination;
  bool named = false; // the caller named the destination
  bool ownsDestination = false;
  bool usesSource = false;     // the future's destination is the donated source
  bool consumed = false;       // waited for or dropped
  void *ownedSource = nullptr; // to free at completion
  void *sendStaging = nullptr;
  void *receiveStaging = nullptr;
  distrtFuture *future = nullptr;

  // Checked mode.
  bool checkSource = false;
  bool verifySourceAtWait = false;
  bool checkDestination = false;
  int64_t keptSlot = -1; // slot of the destination that the source occupies
  std::vector<char> sourceBytes;
  std::vector<char> destinationBytes;
};

/// Pooled per context. Everything but `done` belongs to the rank thread until
/// the launch is enqueued and again after it is done.
class Flight final : public Launch {
public:
  bool aboutToMove() override;
  void complete() override;
  std::string summary() const override;
  const char *where() const override { return location; }
  std::function<void(int64_t, int64_t)> flightRecorder() const override;

  /// "all_reduce #1 on group [0, 1] at x.mlir:3:8"
  std::string describe() const;
  int64_t numOperands() const { return int64_t(operands.size()); }

  // What the kind does.
  bool reduces() const {
    return kind == DISTRT_ALL_REDUCE || kind == DISTRT_REDUCE_SCATTER ||
           kind == DISTRT_REDUCE;
  }
  bool hasRoot() const {
    return kind == DISTRT_BROADCAST || kind == DISTRT_REDUCE;
  }
  /// The source consists of slots along `dim`.
  bool scatters() const {
    return kind == DISTRT_REDUCE_SCATTER || kind == DISTRT_ALL_TO_ALL;
  }
  /// The destination consists of slots along `gatherDim`.
  bool gathers() const {
    return kind == DISTRT_ALL_GATHER || kind == DISTRT_ALL_TO_ALL;
  }
  int64_t gatherDim() const {
    return kind == DISTRT_ALL_TO_ALL ? concatDim : dim;
  }
  /// Whether this rank's source is read.
  bool sends() const;
  /// permute: whether another rank receives this rank's source.
  bool sendsToAnother() const;

  distrtContext *context = nullptr;
  GroupState *group = nullptr; // null on a rank outside
  std::string groupText;       // outside only
  int64_t position = -1;
  int64_t groupSize = 0;
  int64_t dim = 0;
  int64_t concatDim = 0;
  int64_t endNs = 0;
  int64_t startEndNs = 0;
  bool finished = false; // completion was accounted for
  bool enqueued = false;
  int64_t recordNumber = -1; // in the flight recorder
  int64_t openFutures = 0;   // operands with references left
  std::vector<OperandState> operands;
  char location[160] = {};
  Flight *previous = nullptr, *next = nullptr; // live flights of the context
};

/// Which words of a fingerprint a text names, besides those that it always
/// names.
struct FingerprintFields {
  bool dims = true;
  bool root = true;
  bool pairs = true;
};

/// "all_reduce sum f32 [8 elements]" from a fingerprint.
std::string describeFingerprint(const Fingerprint &fingerprint,
                                FingerprintFields shown);

/// Writes what the members of `flight` must agree on.
void makeFingerprint(Flight &flight);

/// Frees what a flight holds. `moved`: its completion ran.
void releaseFlightMemory(Flight &flight, bool moved);

/// Argument checks, shapes and layouts of one launch; fills in everything that
/// Launch promises. Returns a status and a text. Allocates destinations.
int prepareFlight(Flight &flight, const distrtOperand *operands,
                  int64_t numOperands, std::string &message);

/// Element types, shapes and strides without side effects (the first half).
int checkOperands(Flight &flight, const distrtOperand *operands,
                  int64_t numOperands, std::string &message);

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_COMMON_FLIGHT_H
