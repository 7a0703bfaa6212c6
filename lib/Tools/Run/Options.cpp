//===- Options.cpp --------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools/Run/Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/CommandLine.h"
#include <cmath>
#include <limits>

using namespace mlir::dist;
using namespace mlir::dist::run;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace cl = llvm::cl;

static Error makeError(const Twine &message) {
  return llvm::createStringError(message);
}

namespace {
/// The command line options. They live only while the command line is parsed,
/// so that a process that merely links this library does not have them.
struct CommandLine {
  cl::OptionCategory category{"dist-run options"};

  cl::opt<std::string> inputFile{cl::Positional, cl::desc("<input file>"),
                                 cl::init("-"), cl::cat(category)};
  cl::opt<std::string> entry{
      "entry", cl::desc("Function to run; default: the only public one"),
      cl::value_desc("name"), cl::cat(category)};
  cl::opt<std::string> signature{
      "signature",
      cl::desc("Type of the entry before its lowering, for lowered IR that "
               "does not carry dist.signature"),
      cl::value_desc("function type"), cl::cat(category)};
  cl::opt<int64_t> ranks{
      "ranks",
      cl::desc("Number of ranks; default: what the module's meshes or rank "
               "tables need"),
      cl::value_desc("N"), cl::init(0), cl::cat(category)};
  cl::list<std::string> rankModules{
      "rank-module", cl::desc("Another module for one rank"),
      cl::value_desc("R=file"), cl::cat(category)};

  cl::opt<bool> schedule{"schedule",
                         cl::desc("Run dist-overlap before the lowering"),
                         cl::init(true), cl::cat(category)};
  cl::opt<int64_t> maxInFlight{
      "max-in-flight", cl::desc("Option max-in-flight of dist-overlap"),
      cl::value_desc("N"), cl::init(-1), cl::cat(category)};
  cl::opt<int64_t> maxInFlightBytes{
      "max-in-flight-bytes",
      cl::desc("Option max-in-flight-bytes of dist-overlap"),
      cl::value_desc("bytes"), cl::init(-1), cl::cat(category)};
  cl::opt<std::string> overlapOptions{
      "overlap-options", cl::desc("Further options of dist-overlap"),
      cl::value_desc("a=b c=d"), cl::cat(category)};
  cl::opt<std::string> lowerOptions{
      "lower-options", cl::desc("Options of dist-to-llvm"),
      cl::value_desc("a=b c=d"), cl::cat(category)};
  cl::opt<bool> printScheduled{"print-scheduled",
                               cl::desc("Print the IR after dist-overlap"),
                               cl::cat(category)};
  cl::opt<std::string> dumpStages{
      "dump-stages", cl::desc("Write the IR after each pass into a folder"),
      cl::value_desc("dir"), cl::cat(category)};
  cl::opt<unsigned> optLevel{
      "opt-level", cl::desc("LLVM's optimisation level, 0 to 3"),
      cl::value_desc("level"), cl::init(2), cl::cat(category)};
  cl::list<std::string> sharedLibs{
      "shared-libs", cl::desc("Libraries that the program calls"),
      cl::value_desc("file,..."), cl::CommaSeparated, cl::cat(category)};

  cl::list<std::string> inputs{
      "input",
      cl::desc("File of argument I, or of the next one in order; {rank} in the "
               "name stands for the rank"),
      cl::value_desc("[I=]file.npy"), cl::cat(category)};
  cl::opt<std::string> inputDir{
      "input-dir",
      cl::desc("Folder with argI.rankR.npy, or argI.npy for all ranks"),
      cl::value_desc("dir"), cl::cat(category)};
  cl::list<std::string> scalars{"arg", cl::desc("Value of scalar argument I"),
                                cl::value_desc("I=value"), cl::cat(category)};
  cl::list<std::string> shapes{
      "shape", cl::desc("Sizes of a generated argument with dynamic ones"),
      cl::value_desc("I=4x2"), cl::cat(category)};
  cl::opt<std::string> fill{
      "fill",
      cl::desc("Values of arguments without a file: iota (rank * size + "
               "index), zero or random"),
      cl::value_desc("kind"), cl::cat(category)};
  cl::opt<uint64_t> fillSeed{"fill-seed", cl::desc("Seed of --fill=random"),
                             cl::value_desc("N"), cl::init(0),
                             cl::cat(category)};

  cl::opt<bool> print{"print", cl::desc("Print the results of each rank"),
                      cl::cat(category)};
  cl::opt<bool> printArgs{
      "print-args",
      cl::desc("Print memref and writable arguments after the run; with "
               "--output-dir write them too"),
      cl::cat(category)};
  cl::opt<int64_t> printLimit{
      "print-limit", cl::desc("Elements to print per value (default 1000)"),
      cl::value_desc("N"), cl::init(1000), cl::cat(category)};
  cl::opt<std::string> outputDir{
      "output-dir", cl::desc("Folder to write resultI.rankR.npy into"),
      cl::value_desc("dir"), cl::cat(category)};
  cl::opt<bool> counters{"counters",
                         cl::desc("Print what each rank did as JSON"),
                         cl::cat(category)};
  cl::opt<std::string> traceFile{"trace", cl::desc("Write a Chrome trace"),
                                 cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> timelineFile{
      "timeline", cl::desc("Draw a timeline of all ranks"),
      cl::value_desc("file.svg"), cl::cat(category)};

  cl::opt<std::string> backend{"backend", cl::desc("Backend of the runtime"),
                               cl::value_desc("local | nccl"),
                               cl::init("local"), cl::cat(category)};
  cl::opt<bool> fakeDevice{
      "fake-device",
      cl::desc("With --backend=nccl: ranks are threads with devices that are not "
               "real"),
      cl::cat(category)};
  cl::opt<std::string> callLog{
      "call-log",
      cl::desc("With --backend=nccl: write the calls of CUDA and NCCL"),
      cl::value_desc("file"), cl::cat(category)};
  cl::list<std::string> groups{
      "group", cl::desc("Bind a process group to ranks"),
      cl::value_desc("name=world | name=0,1 | name=[[0,1],[2,3]]"),
      cl::cat(category)};
  cl::opt<std::string> linkDelay{"link-delay",
                                 cl::desc("Time added to each collective"),
                                 cl::value_desc("5ms"), cl::cat(category)};
  cl::opt<double> linkBandwidth{"link-bandwidth",
                                cl::desc("Bandwidth of the link in bytes per "
                                         "nanosecond, which is GB/s"),
                                cl::value_desc("GB/s"), cl::init(0),
                                cl::cat(category)};
  cl::opt<std::string> deadline{
      "deadline", cl::desc("Time in which a collective must complete"),
      cl::value_desc("60s"), cl::cat(category)};
  cl::opt<int64_t> workers{"workers",
                           cl::desc("Threads that execute collectives"),
                           cl::value_desc("N"), cl::init(0), cl::cat(category)};
  cl::opt<uint64_t> seed{
      "seed", cl::desc("Seed of the order in which collectives execute"),
      cl::value_desc("N"), cl::init(0), cl::cat(category)};
  cl::opt<bool> checked{"checked", cl::desc("Find races and leaks at run time"),
                        cl::cat(category)};
  cl::list<std::string> faults{
      "fault", cl::desc("Let a rank miss a collective or join it late"),
      cl::value_desc("rank:sequence:drop | rank:sequence:delay:5ms"),
      cl::cat(category)};
};
} // namespace

Expected<int64_t> run::parseDuration(StringRef text) {
  static constexpr std::pair<const char *, double> kUnits[] = {
      {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  for (auto [unit, scale] : kUnits) {
    StringRef number = text;
    double value;
    if (!number.consume_back(unit) || number.getAsDouble(value))
      continue;
    value *= scale;
    if (!(value >= 0) || value > 9e18)
      break;
    return static_cast<int64_t>(value);
  }
  return makeError("expected a duration such as 5ms (ns, us, ms or s), found "
                   "'" +
                   text + "'");
}

/// Consumes a list of integers up to `close`, which it consumes too; 0 closes
/// at the end of the text.
static bool parseRanks(StringRef &text, char close,
                       llvm::SmallVectorImpl<int64_t> &ranks) {
  while (true) {
    text = text.ltrim();
    int64_t rank;
    if (text.consumeInteger(10, rank))
      return false;
    ranks.push_back(rank);
    text = text.ltrim();
    if (text.consume_front(","))
      continue;
    if (close == 0)
      return text.empty();
    return text.consume_front(StringRef(&close, 1));
  }
}

static bool parseTable(StringRef text, GroupBinding &binding) {
  if (!text.consume_front("[")) {
    binding.numGroups = 1;
    bool ok = parseRanks(text, 0, binding.ranks);
    binding.groupSize = binding.ranks.size();
    return ok;
  }
  while (true) {
    text = text.ltrim();
    size_t before = binding.ranks.size();
    if (!text.consume_front("[") || !parseRanks(text, ']', binding.ranks))
      return false;
    int64_t size = binding.ranks.size() - before;
    if (binding.numGroups++ == 0)
      binding.groupSize = size;
    else if (size != binding.groupSize)
      return false;
    text = text.ltrim();
    if (text.consume_front(","))
      continue;
    return text.consume_front("]") && text.trim().empty();
  }
}

Expected<GroupBinding> run::parseGroupBinding(StringRef text) {
  auto [name, table] = text.split('=');
  name.consume_front("@");
  GroupBinding binding;
  binding.name = name.str();
  table = table.trim();
  binding.isWorld = table == "world";
  if (name.empty() || (!binding.isWorld && !parseTable(table, binding)))
    return makeError("--group: expected NAME=world, NAME=0,1 or "
                     "NAME=[[0,1],[2,3]] with lists of equal size, found '" +
                     text + "'");
  return binding;
}

static Expected<FaultOption> parseFault(StringRef text) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ':');
  FaultOption fault{};
  bool ok = parts.size() >= 3 && !parts[0].getAsInteger(10, fault.rank) &&
            !parts[1].getAsInteger(10, fault.sequence) && fault.rank >= 0 &&
            fault.sequence >= 0;
  if (ok && parts.size() == 3 && parts[2] == "drop") {
    fault.isDrop = true;
    return fault;
  }
  if (!ok || parts.size() != 4 || parts[2] != "delay")
    return makeError("--fault: expected RANK:SEQUENCE:drop or "
                     "RANK:SEQUENCE:delay:DURATION, found '" +
                     text + "'");
  Expected<int64_t> delay = parseDuration(parts[3]);
  if (!delay)
    return makeError("--fault: " + llvm::toString(delay.takeError()));
  fault.delayNs = *delay;
  return fault;
}

/// Splits "I=value". `index` stays untouched without "I=".
static bool splitIndex(StringRef text, int64_t &index, StringRef &value) {
  auto [left, right] = text.split('=');
  int64_t parsed;
  if (left.size() == text.size() || left.getAsInteger(10, parsed) || parsed < 0)
    return false;
  index = parsed;
  value = right;
  return true;
}

/// Stores entries "I=value" of a list option; twice the same I is an error.
static Error parseIndexed(const cl::list<std::string> &list, StringRef what,
                          std::map<int64_t, std::string> &map) {
  for (const std::string &text : list) {
    int64_t index;
    StringRef value;
    if (!splitIndex(text, index, value))
      return makeError("--" + list.ArgStr + ": expected " + what + ", found '" +
                       text + "'");
    if (!map.try_emplace(index, value.str()).second)
      return makeError("--" + list.ArgStr + ": " + Twine(index) +
                       " is given twice");
  }
  return Error::success();
}

static Error parseInputs(const CommandLine &line, RunOptions &options) {
  int64_t next = 0;
  for (const std::string &text : line.inputs) {
    int64_t index = next;
    StringRef file = text;
    splitIndex(text, index, file);
    if (file.empty())
      return makeError("--input: expected [I=]FILE, found '" + text + "'");
    if (!options.inputs.try_emplace(index, file.str()).second)
      return makeError("--input: argument " + Twine(index) + " is given twice");
    next = index + 1;
  }
  if (Error error = parseIndexed(line.scalars, "I=VALUE", options.scalars))
    return error;
  std::map<int64_t, std::string> shapes;
  if (Error error = parseIndexed(line.shapes, "I=4x2", shapes))
    return error;
  for (auto &[index, text] : shapes) {
    llvm::SmallVector<StringRef> parts;
    StringRef(text).split(parts, 'x');
    for (StringRef part : parts) {
      int64_t size;
      if (part.getAsInteger(10, size) || size < 0)
        return makeError("--shape: expected sizes such as 4x2, found '" + text +
                         "'");
      options.shapes[index].push_back(size);
    }
  }
  if (line.fill == "iota")
    options.fill = Fill::Iota;
  else if (line.fill == "zero")
    options.fill = Fill::Zero;
  else if (line.fill == "random")
    options.fill = Fill::Random;
  else if (line.fill.getNumOccurrences())
    return makeError("--fill: expected iota, zero or random, found '" +
                     line.fill + "'");
  options.inputDir = line.inputDir;
  options.fillSeed = line.fillSeed;
  return Error::success();
}

static Error parseWorld(const CommandLine &line, RunOptions &options) {
  if (line.ranks.getNumOccurrences() && line.ranks < 1)
    return makeError("--ranks: expected at least 1, found " +
                     Twine(line.ranks));
  // A rank is a thread here.
  constexpr int64_t kMaxRanks = 4096;
  if (line.ranks > kMaxRanks)
    return makeError("--ranks: expected at most " + Twine(kMaxRanks) +
                     ", found " + Twine(line.ranks));
  options.numRanks = line.ranks;
  for (const std::string &text : line.groups) {
    Expected<GroupBinding> binding = parseGroupBinding(text);
    if (!binding)
      return binding.takeError();
    for (const GroupBinding &other : options.groups)
      if (other.name == binding->name)
        return makeError("--group: '" + binding->name + "' is given twice");
    options.groups.push_back(std::move(*binding));
  }
  for (const std::string &text : line.faults) {
    Expected<FaultOption> fault = parseFault(text);
    if (!fault)
      return fault.takeError();
    options.faults.push_back(*fault);
  }
  for (auto [option, target] :
       {std::pair(&line.linkDelay, &options.linkDelayNs),
        std::pair(&line.deadline, &options.deadlineNs)}) {
    if (!option->getNumOccurrences())
      continue;
    Expected<int64_t> duration = parseDuration(*option);
    if (!duration)
      return makeError("--" + option->ArgStr + ": " +
                       llvm::toString(duration.takeError()));
    *target = *duration;
  }
  if (!(line.linkBandwidth >= 0) || std::isinf(line.linkBandwidth))
    return makeError("--link-bandwidth: expected a number of at least 0");
  if (line.workers < 0 || line.workers > 4096)
    return makeError("--workers: expected 0 to 4096, found " +
                     Twine(line.workers));
  options.linkBytesPerNs = line.linkBandwidth;
  options.numWorkers = line.workers;
  options.seed = line.seed;
  options.checked = line.checked;
  options.backend = line.backend;
  options.fakeDevice = line.fakeDevice;
  options.callLog = line.callLog;
  if (options.hasDevice())
    return Error::success();
  for (const cl::Option *option :
       std::initializer_list<const cl::Option *>{&line.fakeDevice,
                                                 &line.callLog})
    if (option->getNumOccurrences())
      return makeError("--" + option->ArgStr +
                       ": expected --backend=nccl with it");
  return Error::success();
}

static Error parseCompilation(const CommandLine &line, RunOptions &options) {
  options.inputFile = line.inputFile;
  options.entry = line.entry;
  options.signature = line.signature;
  std::map<int64_t, std::string> modules;
  if (Error error = parseIndexed(line.rankModules, "R=FILE", modules))
    return error;
  options.rankModules = std::move(modules);
  options.schedule = line.schedule;
  for (const cl::opt<int64_t> *option :
       {&line.maxInFlight, &line.maxInFlightBytes}) {
    if (!option->getNumOccurrences())
      continue;
    if (*option < 0)
      return makeError("--" + option->ArgStr + ": expected at least 0, found " +
                       Twine(static_cast<int64_t>(*option)));
    options.overlapOptions +=
        (option->ArgStr + "=" + Twine(static_cast<int64_t>(*option)) + " ")
            .str();
  }
  options.overlapOptions += line.overlapOptions;
  options.lowerOptions = line.lowerOptions;
  options.printScheduled = line.printScheduled;
  options.dumpStages = line.dumpStages;
  if (line.optLevel > 3)
    return makeError("--opt-level: expected 0 to 3, found " +
                     Twine(line.optLevel));
  options.optLevel = line.optLevel;
  options.sharedLibs.assign(line.sharedLibs.begin(), line.sharedLibs.end());
  return Error::success();
}

Expected<RunOptions> run::parseRunOptions(int argc, char **argv) {
  CommandLine line;
  cl::HideUnrelatedOptions(line.category);
  cl::ParseCommandLineOptions(
      argc, argv, "dist-run: compiles a program and runs it on N ranks\n");
  RunOptions options;
  if (Error error = parseCompilation(line, options))
    return error;
  if (Error error = parseInputs(line, options))
    return error;
  if (Error error = parseWorld(line, options))
    return error;
  options.print = line.print;
  options.printArgs = line.printArgs;
  if (line.printLimit < 1)
    return makeError("--print-limit: expected at least 1, found " +
                     Twine(line.printLimit));
  options.printLimit = line.printLimit;
  options.outputDir = line.outputDir;
  options.counters = line.counters;
  options.traceFile = line.traceFile;
  options.timelineFile = line.timelineFile;
  return options;
}
