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

  /// Reads the results of a call that returned and frees their buffers.
  llvm::Expected<std::vector<Array>> takeResults();

  /// What the buffer of a shaped argument holds now.
  Array readArgument(unsigned index) const;

private:
  explicit EntryCall(const Program &program) : program(program) {}
  llvm::Error addArgument(const ValueSpec &spec, const Array &array);
  void layOutResults();

  /// An argument in memory.
  struct Slot {
    AlignedMemory memory;
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
  SmallVector<void *> packed;
};

/// What became of one rank.
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
};

/// Makes the world that the options describe and binds its groups.
llvm::Expected<World> createWorld(const RunOptions &options, int64_t numRanks);

/// Runs `programs` (one per rank) with `arguments` (likewise).
llvm::Expected<std::vector<RankOutcome>>
runRanks(const World &world, ArrayRef<const Program *> programs,
         ArrayRef<std::vector<Array>> arguments);

} // namespace mlir::dist::run

#endif // DIST_TOOLS_RUN_EXECUTION_H
