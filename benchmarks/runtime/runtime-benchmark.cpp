//===- runtime-benchmark.cpp - costs of the local runtime -----------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Prints the costs of start, wait and whole collectives beside baselines that
// are measured in the same run (an empty call, memcpy), so that ratios can be
// compared between machines.
//
//===----------------------------------------------------------------------===//

#include "dist-rt/distrt.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {
int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

struct Memref {
  void *allocated, *aligned;
  int64_t offset, size, stride;
};

struct World {
  explicit World(int64_t n, double linkDelayNs = 0) {
    distrtWorldOptions options;
    distrtWorldOptionsInit(&options);
    options.numRanks = n;
    options.linkDelayNs = int64_t(linkDelayNs);
    if (distrtWorldCreate(&options, &world) != DISTRT_OK)
      std::abort();
    for (int64_t i = 0; i < n; ++i)
      ranks.push_back(i);
    group.structSize = sizeof(group);
    group.name = "world";
    group.tag = "";
    group.ranks = ranks.data();
    group.numGroups = 1;
    group.groupSize = n;
  }
  ~World() { distrtWorldDestroy(world); }
  using Function = std::function<void(distrtContext *)>;
  void run(const Function &function) {
    auto call = [](distrtContext *context, void *user) {
      (*static_cast<const Function *>(user))(context);
      return 0;
    };
    if (distrtWorldRun(world, call, const_cast<Function *>(&function)))
      fprintf(stderr, "failed: %s\n", distrtWorldMessage(world));
  }
  distrtWorld *world = nullptr;
  std::vector<int64_t> ranks;
  distrtGroupDesc group = {};
};

using Start = int (*)(distrtContext *, const distrtCallSite *,
                      const distrtOperand *, int64_t, distrtFuture **);

struct Op {
  Op(World &world, Start start, void *source, int64_t sourceSize,
     void *destination, int64_t destinationSize, int reduction)
      : start(start) {
    from = {source, source, 0, sourceSize, 1};
    to = {destination, destination, 0, destinationSize, 1};
    site.structSize = sizeof(site);
    site.group = &world.group;
    site.location = "benchmark.mlir:1:1";
    site.reduction = reduction;
    operand.structSize = sizeof(operand);
    operand.dataType = DISTRT_F32;
    operand.rank = 1;
    operand.source = &from;
    operand.destination = destination ? &to : nullptr;
  }
  distrtFuture *begin(distrtContext *context) {
    distrtFuture *future = nullptr;
    if (start(context, &site, &operand, 1, &future))
      distrtRaise(context, DISTRT_INTERNAL);
    return future;
  }
  void end(distrtContext *context, distrtFuture *future) {
    if (distrtFutureWait(context, future, &result, 1, "benchmark.mlir:2:1"))
      distrtRaise(context, DISTRT_INTERNAL);
    if (!operand.destination)
      _mlir_memref_to_llvm_free(result.allocated);
  }
  Start start;
  Memref from, to, result;
  distrtCallSite site = {};
  distrtOperand operand = {};
};

/// Start and completed wait, one rank, batches of flights on a modelled link so
/// that no data moves inside the calls.
void callCosts() {
  World world(2, 20e6);
  std::vector<double> starts, waits, empty;
  world.run([&](distrtContext *context) {
    float x[16] = {}, y[64][16];
    for (int round = 0; round < 12; ++round) {
      std::vector<distrtFuture *> futures;
      std::deque<Op> ops; // an operand points into its op
      for (auto &to : y)
        ops.emplace_back(world, distrtAllReduce, x, 16, to, 16, DISTRT_SUM);
      int64_t begin = now();
      for (Op &op : ops)
        futures.push_back(op.begin(context));
      int64_t started = now();
      if (distrtRank(context) == 0 && round > 2)
        starts.push_back(double(started - begin) / 64);
      // Complete the last one by waiting for the link; the others are done.
      ops.back().end(context, futures.back());
      begin = now();
      for (size_t i = 0; i + 1 < ops.size(); ++i)
        ops[i].end(context, futures[i]);
      if (distrtRank(context) == 0 && round > 2)
        waits.push_back(double(now() - begin) / 63);
      begin = now();
      for (int i = 0; i < 1000; ++i)
        distrtRank(context);
      empty.push_back(double(now() - begin) / 1000);
    }
  });
  double call = median(empty);
  printf("empty call            %8.1f ns\n", call);
  printf("start                 %8.1f ns  (%.0f empty calls; goal 1000 ns)\n",
         median(starts), median(starts) / call);
  printf("completed wait        %8.1f ns  (%.0f empty calls; goal 300 ns)\n",
         median(waits), median(waits) / call);
}

void smallAllReduce(int64_t n, int64_t bytes) {
  World world(n);
  std::vector<double> times;
  world.run([&](distrtContext *context) {
    std::vector<float> x(size_t(bytes / 4)), y(size_t(bytes / 4));
    Op op(world, distrtAllReduce, x.data(), bytes / 4, y.data(), bytes / 4,
          DISTRT_SUM);
    for (int i = 0; i < 3000; ++i) {
      int64_t begin = now();
      op.end(context, op.begin(context));
      if (distrtRank(context) == 0 && i > 100)
        times.push_back(double(now() - begin));
    }
  });
  printf("%2lld ranks %7lld B all_reduce   %8.1f us median%s\n",
         static_cast<long long>(n), static_cast<long long>(bytes),
         median(times) / 1e3, n == 8 && bytes == 1024 ? "  (goal 40 us)" : "");
}

/// Bytes per nanosecond of `threads` threads that copy their own `bytes`.
double memcpyBandwidth(int64_t threads, int64_t bytes) {
  std::vector<double> rates;
  for (int round = 0; round < 5; ++round) {
    std::vector<std::thread> workers;
    std::vector<std::vector<char>> buffers(size_t(2 * threads));
    for (auto &buffer : buffers)
      buffer.assign(size_t(bytes), 1);
    int64_t begin = now();
    for (int64_t i = 0; i < threads; ++i)
      workers.emplace_back([&, i] {
        for (int repeat = 0; repeat < 4; ++repeat)
          memcpy(buffers[size_t(2 * i)].data(),
                 buffers[size_t(2 * i + 1)].data(), size_t(bytes));
      });
    for (std::thread &worker : workers)
      worker.join();
    rates.push_back(double(4 * threads * bytes) / double(now() - begin));
  }
  return median(rates);
}

void large(const char *name, Start start, int64_t n, int64_t bytes,
           int64_t sourceFactor, int64_t destinationFactor, int reduction,
           double baseline) {
  World world(n);
  std::vector<double> times;
  world.run([&](distrtContext *context) {
    std::vector<float> x(size_t(bytes / 4 * sourceFactor), 1.0f);
    std::vector<float> y(size_t(bytes / 4 * destinationFactor), 1.0f);
    Op op(world, start, x.data(), int64_t(x.size()), y.data(),
          int64_t(y.size()), reduction);
    for (int i = 0; i < 12; ++i) {
      int64_t begin = now();
      op.end(context, op.begin(context));
      if (distrtRank(context) == 0 && i > 1)
        times.push_back(double(now() - begin));
    }
  });
  // What a memcpy would move: the bytes that are read, or written if those are
  // more.
  double moved = double(n * bytes * std::max(sourceFactor, destinationFactor));
  double rate = moved / median(times);
  printf("%-15s %lld x %3lld MiB  %6.2f GB/s  %3.0f %% of memcpy  (goal 70)\n",
         name, static_cast<long long>(n), static_cast<long long>(bytes >> 20),
         rate, 100 * rate / baseline);
}
} // namespace

int main() {
  callCosts();
  for (int64_t n : {1, 2, 4, 8})
    smallAllReduce(n, 1024);
  smallAllReduce(8, 65536);
  int64_t cores = std::max<int64_t>(1, std::thread::hardware_concurrency());
  const int64_t size = 16 << 20;
  double baseline = memcpyBandwidth(cores, size);
  printf("memcpy on %lld threads   %6.2f GB/s\n", static_cast<long long>(cores),
         baseline);
  for (int64_t n : {2, 4}) {
    large("all_reduce", distrtAllReduce, n, size, 1, 1, DISTRT_SUM, baseline);
    large("all_gather", distrtAllGather, n, size, 1, n, 0, baseline);
    large("reduce_scatter", distrtReduceScatter, n, size / n, n, 1, DISTRT_SUM,
          baseline);
    large("broadcast", distrtBroadcast, n, size, 1, 1, 0, baseline);
  }
  return 0;
}
