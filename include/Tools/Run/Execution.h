//===- Execution.h ----------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs compiled programs on the ranks of a world.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_TOOLS_RUN_EXECUTION_H
#define DIST_TOOLS_RUN_EXECUTION_H

#include "Tools/Run/Arguments.h"
#include "Tools/Run/Program.h"
#include "dist-rt/distrt.h"
#include "llvm/ADT/SetVector.h"
#include <chrono>

namespace mlir::dist::run {

/// One call of a program's entry: the arguments and room for the results, laid
/// out as the C interface wants them.
class EntryCall {
public:
  static llvm::Expected<std::unique_ptr<EntryCall>>
  create(const Program &program, ArrayRef<Array> arguments);

  /// Calls the entry. May be left by distrtRaise, so nothing in its frame needs
  /// a destructor.
  void call() { program.call(packed); }

  /// On a rank with a device, around the call: bring the arguments there, and
  /// the arguments and results back. Return the runtime's status.
  int copyToDevice(distrtContext *context);
  int copyFromDevice(distrtContext *context);

  /// Reads the results of a call that returned and frees their buffers.
  llvm::Expected<std::vector<Array>> takeResults();

  /// What the buffer of a shaped argument holds now.
  Array readArgument(unsigned index) const;

private:
  explicit EntryCall(const Program &program) : program(program) {}
  llvm::Error addArgument(const ValueSpec &spec, const Array &array);
  void layOutResults();

  int readResults(distrtContext *context,
                  llvm::SmallSetVector<void *, 8> &buffers);

  /// An argument in memory.
  struct Slot {
    AlignedMemory memory;
    int64_t bytes = 0;
    /// Its place on the device, during the call; else null.
    void *device = nullptr;
    /// The words of a memref descriptor: two pointers, offset, sizes, strides.
    std::vector<int64_t> descriptor;
    /// What the interface takes for a shaped argument.
    void *descriptorPointer = nullptr;
    std::optional<StridedView> view;
  };

  const Program &program;
  std::vector<std::unique_ptr<Slot>> slots;
  /// Where each result lies in `resultData`; tied ones do not.
  SmallVector<int64_t> resultOffsets;
  std::vector<int64_t> resultData;
  void *resultPointer = nullptr;
  /// What results on a device held.
  SmallVector<AlignedMemory> resultMemory;
  SmallVector<void *> packed;
};

/// What became of one rank; nothing did of one in another process.
struct RankOutcome {
  int status = DISTRT_OK;
  std::string message;
  int64_t beginNs = 0;
  int64_t endNs = 0;
  std::vector<Array> results;
  /// Memref and writable arguments after the run; the others are empty.
  std::vector<std::optional<Array>> arguments;
};

struct WorldDeleter {
  void operator()(distrtWorld *world) const { distrtWorldDestroy(world); }
};

/// A world with the time of its creation, from which the runtime counts.
struct World {
  std::unique_ptr<distrtWorld, WorldDeleter> handle;
  std::chrono::steady_clock::time_point created;
  int64_t numRanks = 0;
  /// The ranks that this process has.
  int64_t firstRank = 0;
  int64_t numLocalRanks = 0;
};

/// Makes the world that the options describe and binds its groups. `numRanks` 0:
/// the environment says how many there are.
llvm::Expected<World> createWorld(const RunOptions &options, int64_t numRanks);

/// Runs `programs` (one per rank of the world) with `arguments` (likewise) on the
/// ranks of this process.
llvm::Expected<std::vector<RankOutcome>>
runRanks(const World &world, ArrayRef<const Program *> programs,
         ArrayRef<std::vector<Array>> arguments);

} // namespace mlir::dist::run

#endif // DIST_TOOLS_RUN_EXECUTION_H
