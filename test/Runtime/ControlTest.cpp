//===- ControlTest.cpp - environment and control channel ------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NCCL/Environment.h"
#include "NCCL/Wire.h"
#include "TestSupport.h"

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <unistd.h>

using namespace dist::rt;
using dist::test::Sizes;

namespace {
constexpr int64_t kSecond = 1000000000;

/// Sets variables, and takes them away again.
class Variables {
public:
  Variables(std::map<std::string, std::string> values)
      : values(std::move(values)) {
    for (auto &[name, value] : this->values)
      setenv(name.c_str(), value.c_str(), 1);
  }
  ~Variables() {
    for (auto &entry : values)
      unsetenv(entry.first.c_str());
  }

private:
  std::map<std::string, std::string> values;
};

std::string problemOf(std::map<std::string, std::string> values) {
  Variables scope(std::move(values));
  Environment environment;
  return readEnvironment(environment).message;
}

Environment environmentOf(std::map<std::string, std::string> values) {
  Variables scope(std::move(values));
  Environment environment;
  EXPECT_EQ(readEnvironment(environment).message, "");
  return environment;
}

/// Keeps what a channel reports.
class Sink final : public ErrorSink {
public:
  void mismatch(const std::vector<int64_t> &, const std::string &, int64_t,
                const std::vector<Statement> &) override {}
  void kernelRan(int64_t, const std::string &, int64_t, int64_t) override {}
  void fail(const std::vector<int64_t> &ranks, int status,
            const std::string &message, bool) override {
    std::lock_guard<std::mutex> lock(mutex);
    text = formatRanks(ranks) + " status " + std::to_string(status) + ": " +
           message;
    changed.notify_all();
  }
  std::string wait() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait_for(lock, std::chrono::seconds(10),
                     [this] { return !text.empty(); });
    return text;
  }

private:
  std::mutex mutex;
  std::condition_variable changed;
  std::string text;
};

std::string freshFile(const char *name) {
  return testing::TempDir() + "dist-control-" + name + "-" +
         std::to_string(getpid());
}

/// The channels of `n` ranks in one process.
struct Ranks {
  Ranks(int64_t n, const char *name) : sinks(size_t(n)), controls(size_t(n)) {
    std::vector<std::thread> threads;
    for (int64_t i = 0; i < n; ++i)
      threads.emplace_back([this, i, n, name] {
        Environment environment;
        environment.rank = i;
        environment.numRanks = n;
        environment.file = freshFile(name);
        Outcome outcome;
        controls[size_t(i)] =
            createSocketControl(environment, 10 * kSecond, outcome);
        EXPECT_EQ(outcome.message, "");
        if (controls[size_t(i)])
          controls[size_t(i)]->attach(sinks[size_t(i)]);
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  ~Ranks() {
    // Rank 0 serves the others until they are gone.
    while (controls.size() > 1)
      controls.pop_back();
  }
  std::deque<Sink> sinks;
  std::vector<std::unique_ptr<Control>> controls;
};
} // namespace

TEST(Environment, OneRankWithoutALauncher) {
  Environment environment = environmentOf({});
  EXPECT_EQ(environment.rank, 0);
  EXPECT_EQ(environment.numRanks, 1);
}

TEST(Environment, Torchrun) {
  Environment environment = environmentOf({{"RANK", "3"},
                                           {"WORLD_SIZE", "4"},
                                           {"LOCAL_RANK", "1"},
                                           {"MASTER_ADDR", "host"},
                                           {"MASTER_PORT", "1234"}});
  EXPECT_EQ(environment.rank, 3);
  EXPECT_EQ(environment.numRanks, 4);
  EXPECT_EQ(environment.localRank, 1);
  EXPECT_EQ(environment.host, "host");
  EXPECT_EQ(environment.port, 1234);
  environment = environmentOf({{"RANK", "0"},
                               {"WORLD_SIZE", "2"},
                               {"LOCAL_RANK", "0"},
                               {"MASTER_ADDR", "host"},
                               {"MASTER_PORT", "1234"},
                               {"TORCHELASTIC_USE_AGENT_STORE", "True"}});
  EXPECT_EQ(environment.port, 1235);
}

TEST(Environment, Mpirun) {
  Environment environment =
      environmentOf({{"OMPI_COMM_WORLD_RANK", "1"},
                     {"OMPI_COMM_WORLD_SIZE", "2"},
                     {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                     {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}});
  EXPECT_EQ(environment.rank, 1);
  EXPECT_CONTAINS(environment.file, "/distrt-" + std::to_string(getuid()) +
                                        "-" + std::to_string(getppid()) + "-");
  environment = environmentOf({{"PMI_RANK", "1"},
                               {"PMI_SIZE", "2"},
                               {"MPI_LOCALRANKID", "1"},
                               {"DISTRT_RENDEZVOUS_FILE", "/shared/file"}});
  EXPECT_EQ(environment.localRank, 1);
  EXPECT_EQ(environment.file, "/shared/file");
}

TEST(Environment, ProblemsNameTheVariable) {
  EXPECT_EQ(problemOf({{"RANK", "0"}}),
            "the environment variable WORLD_SIZE is missing");
  EXPECT_EQ(problemOf({{"WORLD_SIZE", "2"}}),
            "the environment variable RANK is missing");
  EXPECT_EQ(problemOf({{"RANK", "x"}, {"WORLD_SIZE", "2"}}),
            "the environment variable RANK is \"x\", not a number from 0 to "
            "65536");
  EXPECT_EQ(
      problemOf({{"RANK", "2"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "0"}}),
      "the environment variable RANK is 2, but WORLD_SIZE is 2");
  EXPECT_EQ(problemOf({{"RANK", "1"}, {"WORLD_SIZE", "2"}}),
            "the environment variable LOCAL_RANK is missing");
  EXPECT_EQ(
      problemOf({{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "1"}}),
      "the environment variable MASTER_ADDR is missing");
  EXPECT_EQ(problemOf({{"RANK", "1"},
                       {"WORLD_SIZE", "2"},
                       {"LOCAL_RANK", "1"},
                       {"MASTER_ADDR", "host"}}),
            "the environment variable MASTER_PORT is missing");
  EXPECT_EQ(problemOf({{"RANK", "0"},
                       {"WORLD_SIZE", "1"},
                       {"PMI_RANK", "1"},
                       {"PMI_SIZE", "2"},
                       {"MPI_LOCALRANKID", "1"}}),
            "the environment variables RANK and WORLD_SIZE say rank 0 of 1, "
            "but PMI_RANK and PMI_SIZE say rank 1 of 2");
  EXPECT_CONTAINS(problemOf({{"PMI_RANK", "1"},
                             {"PMI_SIZE", "4"},
                             {"MPI_LOCALRANKID", "1"},
                             {"MPI_LOCALNRANKS", "2"}}),
                  "the ranks are on several hosts: the environment variable "
                  "MASTER_ADDR");
}

TEST(SocketControl, MembersMeet) {
  Ranks ranks(3, "meet");
  std::mutex mutex;
  std::condition_variable changed;
  std::map<int64_t, std::vector<std::string>> said;
  for (int64_t i : {2, 0, 1}) {
    auto &control = *ranks.controls[size_t(i)];
    if (i == 1)
      EXPECT_EQ(control.arrivals("key", 3).missing, (Sizes{1}));
    control.announce("key", 3, i, "words of " + std::to_string(i),
                     [&, i](const std::vector<std::string> &all) {
                       std::lock_guard<std::mutex> lock(mutex);
                       said[i] = all;
                       changed.notify_all();
                     });
    while (i != 1 && control.arrivals("key", 3).missing.size() == 3)
      usleep(1000);
  }
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait_for(lock, std::chrono::seconds(10),
                   [&] { return said.size() == 3; });
  for (int64_t i = 0; i < 3; ++i)
    EXPECT_EQ(said[i], (std::vector<std::string>{"words of 0", "words of 1",
                                                 "words of 2"}));
}

TEST(SocketControl, AFailureIsTold) {
  Ranks ranks(3, "fail");
  ranks.controls[1]->announceFailure({1}, DISTRT_RACE, "something");
  EXPECT_EQ(ranks.sinks[0].wait(), "rank 1 status 6: something");
  EXPECT_EQ(ranks.sinks[2].wait(), "rank 1 status 6: something");
}

TEST(SocketControl, MissingRanksAreNamed) {
  Environment environment;
  environment.numRanks = 3;
  environment.file = freshFile("missing");
  Outcome outcome;
  EXPECT_EQ(createSocketControl(environment, kSecond / 5, outcome), nullptr);
  EXPECT_EQ(outcome.status, DISTRT_TIMEOUT);
  EXPECT_CONTAINS(outcome.message, "missing ranks 1, 2");
  environment.rank = 1;
  EXPECT_EQ(createSocketControl(environment, kSecond / 5, outcome), nullptr);
  EXPECT_CONTAINS(outcome.message,
                  "rank 1 of 3: the ranks did not meet at the rendezvous file");
}

TEST(Wire, StrangersAreNotTrusted) {
  std::string frame, buffer("\xff\xff\xff\x7f", 4);
  bool broken = false;
  EXPECT_FALSE(takeFrame(buffer, frame, broken));
  EXPECT_TRUE(broken);
  // A count that the frame cannot hold.
  std::string lies =
      FrameWriter(FrameKind::Said).text("key").number(1 << 30).finish();
  EXPECT_TRUE(takeFrame(lies, frame, broken));
  FrameReader reader(frame);
  EXPECT_EQ(reader.text(), "key");
  EXPECT_TRUE(reader.texts().empty());
  EXPECT_FALSE(reader.good);
}
