//===- Report.cpp ---------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools/Run/Report.h"
#include "Tools/Run/Npy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::dist;
using namespace mlir::dist::run;
using llvm::Error;
using llvm::Twine;

static void printValue(const RunOptions &options, int64_t rank, StringRef what,
                       unsigned index, const ValueSpec &spec,
                       const Array &array, raw_ostream &os) {
  StringRef container = spec.isMemRef()   ? "memref"
                        : spec.isShaped() ? "tensor"
                                          : "";
  os << "rank " << rank << ": " << what << " " << index << ": "
     << getArrayTypeName(array, container) << " = ";
  printArray(array, options.printLimit, os);
  os << '\n';
}

void run::printValues(const RunOptions &options,
                      ArrayRef<const Program *> programs,
                      ArrayRef<RankOutcome> outcomes, raw_ostream &os) {
  for (auto [rank, outcome] : llvm::enumerate(outcomes)) {
    const Signature &signature = programs[rank]->getSignature();
    if (options.printArgs)
      for (auto [index, array] : llvm::enumerate(outcome.arguments))
        if (array)
          printValue(options, rank, "argument", index,
                     signature.arguments[index], *array, os);
    if (options.print)
      for (auto [index, array] : llvm::enumerate(outcome.results))
        printValue(options, rank, "result", index, signature.results[index],
                   array, os);
  }
}

Error run::writeValues(const RunOptions &options,
                       ArrayRef<RankOutcome> outcomes) {
  std::error_code code = llvm::sys::fs::create_directories(options.outputDir);
  if (!code && !llvm::sys::fs::is_directory(options.outputDir))
    code = std::make_error_code(std::errc::not_a_directory);
  if (code)
    return llvm::createStringError("--output-dir: cannot make '" +
                                   options.outputDir + "': " + code.message());
  auto write = [&](StringRef what, unsigned index, int64_t rank,
                   const Array &array) {
    llvm::SmallString<128> path(options.outputDir);
    llvm::sys::path::append(path, what + Twine(index) + ".rank" + Twine(rank) +
                                      ".npy");
    return writeNpy(path, array);
  };
  for (auto [rank, outcome] : llvm::enumerate(outcomes)) {
    for (auto [index, array] : llvm::enumerate(outcome.results))
      if (Error error = write("result", index, rank, array))
        return error;
    if (!options.printArgs)
      continue;
    for (auto [index, array] : llvm::enumerate(outcome.arguments))
      if (array)
        if (Error error = write("arg", index, rank, *array))
          return error;
  }
  return Error::success();
}

void run::printCounters(distrtWorld *world, int64_t numRanks, raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attributeArray("ranks", [&] {
      for (int64_t rank = 0; rank < numRanks; ++rank) {
        distrtCounters counters = {};
        counters.structSize = sizeof(counters);
        if (distrtWorldCounters(world, rank, &counters) != DISTRT_OK)
          continue;
        json.object([&] {
          json.attribute("rank", rank);
          json.attribute("collectives", counters.collectives);
          json.attribute("bytes", counters.bytes);
          json.attribute("packs", counters.packs);
          json.attribute("unpacks", counters.unpacks);
          json.attribute("sourceCopies", counters.sourceCopies);
          json.attribute("sourceMoves", counters.sourceMoves);
          json.attribute("resultCopies", counters.resultCopies);
          json.attribute("liveFutures", counters.liveFutures);
          json.attribute("blockedNs", counters.blockedNs);
          json.attribute("inFlightNs", counters.inFlightNs);
          json.attribute("maxInFlight", counters.maxInFlight);
        });
      }
    });
    distrtAllocationCounters allocations = {};
    allocations.structSize = sizeof(allocations);
    distrtAllocationCountersRead(&allocations);
    json.attributeObject("allocations", [&] {
      json.attribute("allocations", allocations.allocations);
      json.attribute("frees", allocations.frees);
      json.attribute("liveBytes", allocations.liveBytes);
      json.attribute("peakBytes", allocations.peakBytes);
    });
  });
  os << '\n';
}
