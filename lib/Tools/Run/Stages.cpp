//===- Stages.cpp ---------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs pipelines by name and writes down what they do.
//
//===----------------------------------------------------------------------===//

#include "Tools/Run/Program.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::dist;
using namespace mlir::dist::run;

namespace {
/// Writes the whole module after each pass, one file per pass of the pipeline:
/// a pass on functions overwrites its file function by function. Wants a
/// context without threads.
class StageDumper : public PassInstrumentation {
public:
  StageDumper(StringRef folder, unsigned &stage)
      : folder(folder.str()), stage(stage) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    write(pass, op, /*failed=*/false);
  }
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    write(pass, op, /*failed=*/true);
  }

private:
  void write(Pass *pass, Operation *op, bool failed) {
    // Adaptors, which only nest other passes, have no argument.
    if (pass->getArgument().empty())
      return;
    auto [entry, isNew] = numbers.try_emplace(pass, stage);
    if (isNew)
      ++stage;
    std::string name;
    llvm::raw_string_ostream(name)
        << llvm::format("%03u-", entry->second) << pass->getArgument()
        << (failed ? ".failed" : "") << ".mlir";
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    while (Operation *parent = op->getParentOp())
      op = parent;
    if (code) {
      op->emitWarning() << "cannot write '" << path << "': " << code.message();
      return;
    }
    OpPrintingFlags flags;
    if (failed)
      flags.printGenericOpForm().assumeVerified();
    op->print(os, flags);
    os << '\n';
  }

  std::string folder;
  unsigned &stage;
  llvm::DenseMap<Pass *, unsigned> numbers;
};
} // namespace

LogicalResult run::runPipeline(ModuleOp module, StringRef text,
                               const std::string &dumpStages, unsigned &stage) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(parsePassPipeline(text, manager, os)))
    return module.emitError()
           << "pipeline '" << text << "': " << StringRef(message).trim();
  if (!dumpStages.empty())
    manager.addInstrumentation(
        std::make_unique<StageDumper>(dumpStages, stage));
  return manager.run(module);
}
