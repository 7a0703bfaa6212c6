//===- Program.h ------------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a file to machine code: parsing, the pipelines, the JIT.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_TOOLS_RUN_PROGRAM_H
#define DIST_TOOLS_RUN_PROGRAM_H

#include "Tools/Run/Options.h"
#include "Tools/Run/Signature.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace mlir::dist::run {

/// What a module says about the world that it wants to run in.
struct WorldNeeds {
  /// The meshes with the number of ranks that each spans, in module order.
  SmallVector<std::pair<std::string, int64_t>> meshes;
  /// One more than the largest rank in a table.
  int64_t tableRanks = 0;
  /// Process groups without ranks that the entry reaches, in module order.
  SmallVector<std::string> unboundGroups;
  /// All process groups: whether they have ranks.
  llvm::StringMap<bool> processGroups;
  /// Lowered IR does not tell any of this.
  bool isKnown = true;
};

/// One compiled program.
class Program {
public:
  /// Parses, lowers and compiles `path` ("-": stdin). Diagnostics go to stderr
  /// as MLIR prints them; the error that is returned sums up.
  static llvm::Expected<std::unique_ptr<Program>>
  compile(MLIRContext &context, StringRef path, const RunOptions &options);
  ~Program();

  const Signature &getSignature() const { return signature; }
  const WorldNeeds &getNeeds() const { return needs; }

  /// Calls the entry through its C interface. `arguments` are what the packed
  /// form of the interface wants: a pointer to each argument.
  void call(MutableArrayRef<void *> arguments) const {
    packed(arguments.data());
  }

private:
  Program() = default;
  LogicalResult lower(ModuleOp module, const RunOptions &options);
  llvm::Error jit(ModuleOp module, const RunOptions &options);

  Signature signature;
  WorldNeeds needs;
  std::unique_ptr<ExecutionEngine> engine;
  void (*packed)(void **) = nullptr;
};

/// Collects what `module` says about the world, seen from `entry`.
WorldNeeds collectNeeds(ModuleOp module, FunctionOpInterface entry);

/// Runs the pipeline `text` on `module`. With `dumpStages` the IR after each
/// pass goes to a file there, numbered on from `stage`.
LogicalResult runPipeline(ModuleOp module, StringRef text,
                          const std::string &dumpStages, unsigned &stage);

} // namespace mlir::dist::run

#endif // DIST_TOOLS_RUN_PROGRAM_H
