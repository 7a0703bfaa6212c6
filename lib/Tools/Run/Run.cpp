//===- Run.cpp ------------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools/Run/Run.h"
#include "Tools/Run/Report.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace mlir::dist;
using namespace mlir::dist::run;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

static Error makeError(const Twine &message) {
  return llvm::createStringError(message);
}

namespace {
/// The programs of a run: one for all ranks, and those of --rank-module.
struct Programs {
  std::unique_ptr<Program> shared;
  std::map<int64_t, std::unique_ptr<Program>> own;

  SmallVector<const Program *> expand(int64_t numRanks) const {
    SmallVector<const Program *> programs(numRanks, shared.get());
    for (auto &[rank, program] : own)
      programs[rank] = program.get();
    return programs;
  }
};
} // namespace

static Expected<Programs> compileAll(MLIRContext &context,
                                     const RunOptions &options) {
  Programs programs;
  auto shared = Program::compile(context, options.inputFile, options);
  if (!shared)
    return shared.takeError();
  programs.shared = std::move(*shared);
  for (auto &[rank, path] : options.rankModules) {
    // The stages and the schedule that are shown are those of the main module.
    RunOptions own = options;
    own.printScheduled = false;
    own.dumpStages.clear();
    auto program = Program::compile(context, path, own);
    if (!program)
      return makeError("--rank-module " + Twine(rank) + ": " +
                       llvm::toString(program.takeError()));
    programs.own[rank] = std::move(*program);
  }
  return programs;
}

/// How many ranks to run on: what the user says, else what the module needs. 0
/// leaves it to the environment of a rank with a real device.
static Expected<int64_t> chooseNumRanks(const RunOptions &options,
                                        const WorldNeeds &needs) {
  int64_t numRanks = options.numRanks;
  if (options.hasRealDevice())
    return numRanks;
  if (numRanks == 0)
    numRanks =
        needs.meshes.empty() ? needs.tableRanks : needs.meshes.front().second;
  if (numRanks == 0)
    for (const GroupBinding &binding : options.groups)
      for (int64_t rank : binding.ranks)
        numRanks = std::max(numRanks, rank + 1);
  constexpr int64_t kMaxRanks = 4096;
  if (numRanks == 0)
    return makeError("the module does not say how many ranks it needs: give "
                     "--ranks");
  if (numRanks > kMaxRanks)
    return makeError("the module needs " + Twine(numRanks) +
                     " ranks, at most " + Twine(kMaxRanks) + " can run here");
  return numRanks;
}

/// Compares the world with what the module and the options say about it.
static Error checkNumRanks(const RunOptions &options, const WorldNeeds &needs,
                           int64_t numRanks) {
  for (auto &[name, meshRanks] : needs.meshes)
    if (meshRanks != numRanks)
      return makeError("mesh '" + name + "' spans " + Twine(meshRanks) +
                       " ranks, but " + Twine(numRanks) + " run");
  for (auto &[rank, path] : options.rankModules)
    if (rank >= numRanks)
      return makeError("--rank-module: there is no rank " + Twine(rank) +
                       " among " + Twine(numRanks));
  return Error::success();
}

/// Finds process groups without ranks, and --group options without a group,
/// before any rank starts. Lowered IR is found out at run time.
static Error checkGroups(const RunOptions &options, const WorldNeeds &needs) {
  if (!needs.isKnown)
    return Error::success();
  for (const GroupBinding &binding : options.groups) {
    auto group = needs.processGroups.find(binding.name);
    if (group == needs.processGroups.end())
      return makeError("--group: the module has no process group '" +
                       binding.name + "'");
    if (group->second)
      return makeError("--group: process group '" + binding.name +
                       "' has its ranks in the module already");
  }
  SmallVector<StringRef> unbound;
  for (StringRef name : needs.unboundGroups)
    if (llvm::none_of(options.groups, [&](const GroupBinding &binding) {
          return binding.name == name;
        }))
      unbound.push_back(name);
  if (unbound.empty())
    return Error::success();
  return makeError("process group" + Twine(unbound.size() > 1 ? "s '" : " '") +
                   llvm::join(unbound, "', '") + "' " +
                   (unbound.size() > 1 ? "are" : "is") +
                   " not bound; bind with --group NAME=RANKS");
}

/// Checks arguments marked as uniform: ranks compute with them on their own and
/// would part ways.
static Error checkUniform(ArrayRef<const Program *> programs,
                          ArrayRef<std::vector<Array>> arguments) {
  for (size_t rank = 1; rank < programs.size(); ++rank)
    for (auto [index, spec] :
         llvm::enumerate(programs[rank]->getSignature().arguments)) {
      // A rank of another process has no arguments here.
      if (!spec.isUniform || index >= arguments[0].size() ||
          index >= arguments[rank].size())
        continue;
      const Array &first = arguments[0][index];
      const Array &other = arguments[rank][index];
      if (first.shape != other.shape || first.data != other.data)
        return makeError("argument " + Twine(index) +
                         " is dist.uniform but differs between rank 0 and "
                         "rank " +
                         Twine(rank));
    }
  return Error::success();
}

/// One line per rank that failed.
static Error makeRankError(ArrayRef<RankOutcome> outcomes) {
  Error error = Error::success();
  for (auto [rank, outcome] : llvm::enumerate(outcomes)) {
    if (outcome.status == DISTRT_OK)
      continue;
    std::string message = outcome.message;
    if (message.empty())
      message = distrtStatusName(outcome.status);
    std::string prefix = "rank " + llvm::itostr(rank);
    if (!StringRef(message).starts_with(prefix))
      message = prefix + ": " + message;
    error = llvm::joinErrors(std::move(error), makeError(message));
  }
  return error;
}

/// What is written whether or not the ranks succeeded.
static Error writeTraces(const RunOptions &options, distrtWorld *world,
                         ArrayRef<RankOutcome> outcomes) {
  if (options.counters)
    printCounters(world, outcomes.size(), llvm::outs());
  if (!options.traceFile.empty() &&
      distrtWorldWriteTrace(world, options.traceFile.c_str()) != DISTRT_OK)
    return makeError("--trace: " + Twine(distrtWorldMessage(world)));
  if (!options.timelineFile.empty())
    return writeTimeline(world, outcomes, options.timelineFile);
  return Error::success();
}

static Error execute(const RunOptions &options, const Programs &programs) {
  const WorldNeeds &needs = programs.shared->getNeeds();
  Expected<int64_t> numRanks = chooseNumRanks(options, needs);
  if (!numRanks)
    return numRanks.takeError();
  if (*numRanks != 0)
    if (Error error = checkNumRanks(options, needs, *numRanks))
      return error;
  if (Error error = checkGroups(options, needs))
    return error;
  if (Error error =
          checkArgumentOptions(options, programs.shared->getSignature()))
    return error;
  Expected<World> world = createWorld(options, *numRanks);
  if (!world)
    return world.takeError();
  if (*numRanks == 0)
    if (Error error = checkNumRanks(options, needs, world->numRanks))
      return error;

  SmallVector<const Program *> ranks = programs.expand(world->numRanks);
  std::vector<std::vector<Array>> arguments(world->numRanks);
  for (int64_t rank = world->firstRank, i = 0; i < world->numLocalRanks;
       ++rank, ++i) {
    auto made = makeArguments(options, ranks[rank]->getSignature(), rank);
    if (!made)
      return made.takeError();
    arguments[rank] = std::move(*made);
  }
  if (Error error = checkUniform(ranks, arguments))
    return error;
  auto outcomes = runRanks(*world, ranks, arguments);
  if (!outcomes)
    return outcomes.takeError();
  Error failed = makeRankError(*outcomes);
  if (!failed) {
    printValues(options, ranks, *outcomes, llvm::outs());
    if (!options.outputDir.empty())
      failed = writeValues(options, *outcomes);
  }
  return llvm::joinErrors(std::move(failed),
                          writeTraces(options, world->handle.get(), *outcomes));
}

Error run::runProgram(const RunOptions &options, DialectRegistry &registry) {
  registerAllToLLVMIRTranslations(registry);
  // Stages are written by one thread. The others would have little to do: a
  // program is one function in most cases.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // Errors about a module would print all of it.
  context.printOpOnDiagnostic(false);
  Expected<Programs> programs = compileAll(context, options);
  if (!programs)
    return programs.takeError();
  return execute(options, *programs);
}

int run::runMain(int argc, char **argv, DialectRegistry &registry) {
  llvm::InitLLVM init(argc, argv);
  Expected<RunOptions> options = parseRunOptions(argc, argv);
  Error error = options ? runProgram(*options, registry) : options.takeError();
  llvm::outs().flush();
  if (!error)
    return 0;
  llvm::handleAllErrors(std::move(error), [](const llvm::ErrorInfoBase &info) {
    llvm::errs() << "dist-run: error: " << info.message() << '\n';
  });
  return 1;
}
