//===- Environment.cpp - which rank this process is -----------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NCCL/Environment.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace dist::rt;

namespace {
/// Reads variables; the first problem is kept.
class Reader {
public:
  static const char *text(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : nullptr;
  }
  static bool has(const char *name) { return text(name) != nullptr; }

  int64_t number(const char *name, int64_t low, int64_t high) {
    const char *value = text(name);
    if (!value) {
      problem(std::string("the environment variable ") + name + " is missing");
      return low;
    }
    errno = 0;
    char *end;
    long long result = strtoll(value, &end, 10);
    if (*end || errno || result < low || result > high) {
      problem(std::string("the environment variable ") + name + " is \"" +
              oneLine(value) + "\", not a number from " + std::to_string(low) +
              " to " + std::to_string(high));
      return low;
    }
    return result;
  }
  void problem(const std::string &text) {
    if (!outcome.failed())
      outcome = {DISTRT_INVALID_ARGUMENT, text};
  }
  Outcome outcome;
};

/// How one kind of launcher says who a process is.
struct Launcher {
  const char *rank, *size, *localRank, *localSize;
};
constexpr Launcher kTorchrun = {"RANK", "WORLD_SIZE", "LOCAL_RANK",
                                "LOCAL_WORLD_SIZE"};
constexpr Launcher kOpenMpi = {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                               "OMPI_COMM_WORLD_LOCAL_RANK",
                               "OMPI_COMM_WORLD_LOCAL_SIZE"};
constexpr Launcher kHydra = {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID",
                             "MPI_LOCALNRANKS"};
constexpr int64_t kMaxRanks = 65536;
} // namespace

static bool isUsed(const Launcher &launcher) {
  return Reader::has(launcher.rank) || Reader::has(launcher.size);
}

static void readLauncher(Reader &reader, const Launcher &launcher,
                         Environment &environment) {
  environment.numRanks = reader.number(launcher.size, 1, kMaxRanks);
  environment.rank = reader.number(launcher.rank, 0, kMaxRanks);
  if (environment.rank >= environment.numRanks)
    reader.problem(
        format("the environment variable %s is %lld, but %s is %lld",
               launcher.rank, static_cast<long long>(environment.rank),
               launcher.size, static_cast<long long>(environment.numRanks)));
  environment.localVariable = launcher.localRank;
  if (environment.numRanks > 1 || Reader::has(launcher.localRank))
    environment.localRank = reader.number(launcher.localRank, 0, kMaxRanks);
}

/// Processes of one mpirun on one host have the same parent.
static std::string fileOfParent() {
  int64_t parent = getppid();
  std::string began = "0";
  std::string path = "/proc/" + std::to_string(parent) + "/stat";
  if (FILE *file = fopen(path.c_str(), "r")) {
    char line[1024];
    size_t length = fread(line, 1, sizeof(line) - 1, file);
    fclose(file);
    line[length] = '\0';
    // Field 22, counted behind the name, which may contain anything.
    char *at = strrchr(line, ')');
    for (int field = 2; at && field < 22; ++field)
      at = strchr(at + 1, ' ');
    if (at)
      began = std::to_string(strtoll(at + 1, nullptr, 10));
  }
  const char *folder = Reader::text("TMPDIR");
  return format("%s/distrt-%lld-%lld-%s", folder ? folder : "/tmp",
                static_cast<long long>(getuid()),
                static_cast<long long>(parent), began.c_str());
}

static void readRendezvous(Reader &reader, const Launcher &launcher, bool isMpi,
                           Environment &environment) {
  if (const char *file = Reader::text("DISTRT_RENDEZVOUS_FILE")) {
    environment.file = file;
    return;
  }
  if (Reader::has("MASTER_ADDR") || Reader::has("MASTER_PORT") || !isMpi) {
    const char *host = Reader::text("MASTER_ADDR");
    if (!host)
      reader.problem("the environment variable MASTER_ADDR is missing");
    environment.host = host ? host : "";
    environment.port = int(reader.number("MASTER_PORT", 1, 65534));
    // torchrun's agent listens on the port itself.
    const char *agent = Reader::text("TORCHELASTIC_USE_AGENT_STORE");
    if (Reader::has("DISTRT_PORT"))
      environment.port = int(reader.number("DISTRT_PORT", 1, 65535));
    else if (agent && strcmp(agent, "True") == 0)
      ++environment.port;
    return;
  }
  if (!Reader::has(launcher.localSize) ||
      reader.number(launcher.localSize, 1, kMaxRanks) != environment.numRanks)
    reader.problem("the ranks are on several hosts: the environment variable "
                   "MASTER_ADDR (with MASTER_PORT) or DISTRT_RENDEZVOUS_FILE "
                   "is missing");
  else
    environment.file = fileOfParent();
}

Outcome dist::rt::readEnvironment(Environment &environment) {
  environment = Environment();
  Reader reader;
  const Launcher *used = nullptr;
  for (const Launcher *launcher : {&kTorchrun, &kOpenMpi, &kHydra}) {
    if (!isUsed(*launcher))
      continue;
    Environment says;
    readLauncher(reader, *launcher, says);
    if (!used) {
      used = launcher;
      environment = says;
    } else if (says.rank != environment.rank ||
               says.numRanks != environment.numRanks) {
      reader.problem(format(
          "the environment variables %s and %s say rank %lld of %lld, but %s "
          "and %s say rank %lld of %lld",
          used->rank, used->size, static_cast<long long>(environment.rank),
          static_cast<long long>(environment.numRanks), launcher->rank,
          launcher->size, static_cast<long long>(says.rank),
          static_cast<long long>(says.numRanks)));
    }
  }
  if (environment.numRanks > 1 && !reader.outcome.failed())
    readRendezvous(reader, *used, used != &kTorchrun, environment);
  return reader.outcome;
}
