//===- Options.h ------------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the user of dist-run asked for.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_TOOLS_RUN_OPTIONS_H
#define DIST_TOOLS_RUN_OPTIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mlir::dist::run {

/// Generated values of arguments that no file is given for.
enum class Fill { Iota, Zero, Random };

/// --group NAME=TABLE.
struct GroupBinding {
  std::string name;
  /// All ranks in order; the table is empty.
  bool isWorld = false;
  llvm::SmallVector<int64_t> ranks;
  int64_t numGroups = 0;
  int64_t groupSize = 0;
};

/// --fault RANK:SEQUENCE:KIND.
struct FaultOption {
  int64_t rank;
  int64_t sequence;
  bool isDrop;
  int64_t delayNs;
};

struct RunOptions {
  std::string inputFile;
  std::map<int64_t, std::string> rankModules;
  std::string entry;
  std::string signature;
  int64_t numRanks = 0;

  // Compilation.
  bool schedule = true;
  std::string overlapOptions;
  std::string lowerOptions;
  bool printScheduled = false;
  std::string dumpStages;
  unsigned optLevel = 2;
  std::vector<std::string> sharedLibs;

  // Arguments, by position.
  std::map<int64_t, std::string> inputs;
  std::map<int64_t, std::string> scalars;
  std::map<int64_t, llvm::SmallVector<int64_t>> shapes;
  std::string inputDir;
  std::optional<Fill> fill;
  uint64_t fillSeed = 0;

  // Results.
  bool print = false;
  bool printArgs = false;
  int64_t printLimit = 1000;
  std::string outputDir;
  bool counters = false;
  std::string traceFile;
  std::string timelineFile;

  // The world.
  std::string backend;
  bool fakeDevice = false;
  std::string callLog;
  std::vector<GroupBinding> groups;
  std::vector<FaultOption> faults;
  int64_t linkDelayNs = 0;
  double linkBytesPerNs = 0;
  int64_t deadlineNs = 0;
  int64_t numWorkers = 0;
  uint64_t seed = 0;
  bool checked = false;

  /// Whether buffers and compute are on devices.
  bool hasDevice() const { return backend == "nccl"; }
  /// Then this process is one rank of a world that its environment describes.
  bool hasRealDevice() const { return hasDevice() && !fakeDevice; }
};

/// Parses the command line. Exits on --help and on unknown options, as every
/// LLVM tool does; a value that makes no sense is returned as an error.
llvm::Expected<RunOptions> parseRunOptions(int argc, char **argv);

/// "5ms", "200us", "1.5s" in nanoseconds.
llvm::Expected<int64_t> parseDuration(llvm::StringRef text);

/// "NAME=world", "NAME=0,1,2" or "NAME=[[0,1],[2,3]]".
llvm::Expected<GroupBinding> parseGroupBinding(llvm::StringRef text);

} // namespace mlir::dist::run

#endif // DIST_TOOLS_RUN_OPTIONS_H
