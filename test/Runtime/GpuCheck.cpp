//===- GpuCheck.cpp - what only a real device can show --------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Run by utils/gpu-check. One rank, one device. Exit code 0: all checks passed,
// 1: one failed, 77: there is no device or no library.
//
//===----------------------------------------------------------------------===//

#include "NCCL/Table.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <unistd.h>
#include <vector>

using namespace dist::rt;

namespace {
/// Spins for as many clock ticks as its parameter says.
const char kSpinPtx[] = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry spin(.param .u64 ticks)
{
  .reg .pred %p;
  .reg .u64 %r<5>;
  ld.param.u64 %r1, [ticks];
  mov.u64 %r2, %clock64;
loop:
  mov.u64 %r3, %clock64;
  sub.u64 %r4, %r3, %r2;
  setp.lt.u64 %p, %r4, %r1;
  @%p bra loop;
  ret;
}
)";
void spinOnHost(void **, const int64_t *, const int64_t *) {}
const distrtParameter kSpinParameter = {DISTRT_PARAMETER_VALUE, -1, 8, 0};
const distrtKernel kSpin = {
    sizeof(distrtKernel), "spin",          kSpinPtx, sizeof(kSpinPtx),
    spinOnHost,           &kSpinParameter, 1,        0};

int failures = 0;
void check(bool good, const std::string &what) {
  printf("%s: %s\n", good ? "ok" : "FAILED", what.c_str());
  failures += !good;
}

struct World {
  World(bool fake, bool trace, const char *log) {
    distrtWorldOptions options;
    distrtWorldOptionsInit(&options);
    options.backend = "nccl";
    options.fakeDevice = fake;
    options.trace = trace;
    options.callLog = log;
    options.deadlineNs = 30000000000;
    status = distrtWorldCreate(&options, &handle);
  }
  ~World() { distrtWorldDestroy(handle); }
  void run(const std::function<int(distrtContext *)> &body) {
    auto call = [](distrtContext *context, void *user) {
      return (*static_cast<const std::function<int(distrtContext *)> *>(user))(
          context);
    };
    int result = distrtWorldRun(
        handle, call, const_cast<std::function<int(distrtContext *)> *>(&body));
    check(result == DISTRT_OK,
          std::string("run: ") + distrtWorldMessage(handle));
  }
  distrtWorld *handle = nullptr;
  int status;
};

const int64_t kRankZero[] = {0};
distrtGroupDesc groupOfOne(const char *tag) {
  distrtGroupDesc group = {};
  group.structSize = sizeof(group);
  group.kind = DISTRT_GROUP_TABLE;
  group.name = "one";
  group.tag = tag;
  group.ranks = kRankZero;
  group.numGroups = group.groupSize = 1;
  return group;
}

struct Vector {
  void *allocated, *aligned;
  int64_t offset, size, stride;
};

distrtFuture *start(distrtContext *context, int kind,
                    const distrtGroupDesc *group, int dataType, int reduction,
                    const Vector &source) {
  static decltype(&distrtAllGather) const functions[] = {
      distrtAllGather, distrtAllReduce, distrtReduceScatter, distrtBroadcast,
      distrtAllToAll,  distrtPermute,   distrtReduce};
  const int64_t toSelf[] = {0, 0};
  distrtCallSite site = {};
  site.structSize = sizeof(site);
  site.group = group;
  site.location = "gpu-check";
  site.reduction = reduction;
  site.pairs = toSelf;
  site.numPairs = 1;
  distrtOperand operand = {};
  operand.structSize = sizeof(operand);
  operand.dataType = dataType;
  operand.rank = 1;
  operand.source = &source;
  operand.factor = 1;
  distrtFuture *future = nullptr;
  int status = functions[kind](context, &site, &operand, 1, &future);
  if (status)
    check(false, distrtContextMessage(context));
  return future;
}

/// With one rank every collective gives its source.
void checkCell(distrtContext *context, const distrtGroupDesc *group, int kind,
               int dataType, int reduction) {
  const int64_t count = 64;
  auto bytes = size_t(count * distrtDataTypeSize(dataType));
  std::vector<char> sent(bytes), received(bytes);
  // 0 and 1 in every type are finite numbers; i1 has no others.
  for (size_t i = 0; i < bytes; ++i)
    sent[i] = char(dataType == DISTRT_I1 ? i % 2 : 0);
  void *data = _mlir_memref_to_llvm_alloc(bytes);
  distrtDeviceWrite(context, data, sent.data(), int64_t(bytes), nullptr);
  Vector source = {data, data, 0, count, 1}, result = {};
  distrtFuture *future =
      start(context, kind, group, dataType, reduction, source);
  if (!future)
    return;
  int status = distrtFutureWait(context, future, &result, 1, nullptr);
  if (!status)
    status = distrtDeviceRead(context, received.data(), result.aligned,
                              int64_t(bytes), nullptr);
  if (status || sent != received)
    check(false, std::string(distrtCollectiveName(kind)) + " " +
                     distrtReductionName(reduction) + " " +
                     distrtDataTypeName(dataType) + ": " +
                     (status ? distrtContextMessage(context)
                             : "the result is not the source"));
  _mlir_memref_to_llvm_free(result.allocated);
  _mlir_memref_to_llvm_free(data);
}

int everyCell(distrtContext *context) {
  distrtGroupDesc group = groupOfOne("");
  for (int type = DISTRT_I1; type <= DISTRT_C128; ++type)
    for (int kind = DISTRT_ALL_GATHER; kind <= DISTRT_REDUCE; ++kind) {
      bool reduces = kind == DISTRT_ALL_REDUCE ||
                     kind == DISTRT_REDUCE_SCATTER || kind == DISTRT_REDUCE;
      if (!reduces) {
        checkCell(context, &group, kind, type, DISTRT_NO_REDUCTION);
        continue;
      }
      for (int op = DISTRT_SUM; op <= DISTRT_PREMUL_SUM; ++op)
        if (distrtReductionIsLegal(type, op))
          checkCell(context, &group, kind, type, op);
    }
  return DISTRT_OK;
}

int spin(distrtContext *context, int64_t ticks) {
  void *arguments[] = {&ticks};
  const int64_t one[] = {1, 1, 1};
  return distrtKernelLaunch(context, &kSpin, one, one, arguments, "gpu-check");
}

/// A kernel and collectives of several communicators side by side.
int overlap(distrtContext *context) {
  const int64_t count = int64_t(64) << 20;
  distrtGroupDesc groups[] = {groupOfOne(""), groupOfOne("a"), groupOfOne("b")};
  void *data = _mlir_memref_to_llvm_alloc(size_t(count) * 4);
  Vector source = {data, data, 0, count, 1};
  const int64_t zero[16] = {};
  distrtDeviceWrite(context, data, zero, sizeof(zero), nullptr);
  std::vector<distrtFuture *> futures;
  for (distrtGroupDesc &group : groups)
    futures.push_back(start(context, DISTRT_ALL_GATHER, &group, DISTRT_F32,
                            DISTRT_NO_REDUCTION, source));
  int status = spin(context, 50000000);
  for (distrtFuture *future : futures)
    if (!status && future)
      status = distrtFutureDrop(context, future, nullptr);
  if (!status)
    status = distrtSynchronize(context, nullptr);
  _mlir_memref_to_llvm_free(data);
  return status;
}

void checkOverlap(distrtWorld *world) {
  std::vector<distrtEvent> kernels, flights;
  for (int64_t i = 0; i < distrtWorldNumEvents(world); ++i) {
    distrtEvent event = {};
    event.structSize = sizeof(event);
    distrtWorldEvent(world, i, &event);
    if (event.kind == DISTRT_EVENT_KERNEL && !strcmp(event.group, "spin"))
      kernels.push_back(event);
    if (event.kind == DISTRT_EVENT_FLIGHT)
      flights.push_back(event);
  }
  bool found = false;
  for (const distrtEvent &kernel : kernels)
    for (const distrtEvent &flight : flights)
      found |= kernel.beginNs < flight.endNs && flight.beginNs < kernel.endNs;
  check(found, "a kernel and a collective overlap in the trace");
}

double microsecondsEach(int n, const std::function<void()> &body) {
  auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < n; ++i)
    body();
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now() - begin)
             .count() /
         n;
}

/// Time on the host of a start and a wait, and of the bare NCCL call.
int overhead(distrtContext *context) {
  Outcome outcome;
  const Table *table = loadLibraries(outcome);
  const int n = 1000;
  distrtGroupDesc group = groupOfOne("");
  void *data = _mlir_memref_to_llvm_alloc(1024);
  Vector source = {data, data, 0, 256, 1};
  double ours = microsecondsEach(n, [&] {
    distrtFutureDrop(context,
                     start(context, DISTRT_ALL_REDUCE, &group, DISTRT_F32,
                           DISTRT_SUM, source),
                     nullptr);
  });
  distrtSynchronize(context, nullptr);
  ncclUniqueId id;
  ncclComm_t comm = nullptr;
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  table->ncclGetUniqueId(&id);
  if (table->ncclCommInitRankConfig(&comm, 1, id, 0, &config) == ncclSuccess) {
    auto stream =
        static_cast<cudaStream_t>(distrtContextComputeStream(context));
    double raw = microsecondsEach(n, [&] {
      table->ncclAllReduce(data, data, 256, ncclFloat32, ncclSum, comm, stream);
    });
    distrtSynchronize(context, nullptr);
    table->ncclCommDestroy(comm);
    printf("launch: %.2f us with start and wait, %.2f us of NCCL alone\n", ours,
           raw);
  }
  _mlir_memref_to_llvm_free(data);
  return DISTRT_OK;
}

std::string logOf(bool fake) {
  std::string path = "/tmp/dist-gpu-check-" + std::to_string(getpid());
  {
    World world(fake, false, path.c_str());
    world.run(everyCell);
  }
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)),
                   std::istreambuf_iterator<char>());
  unlink(path.c_str());
  return text;
}
} // namespace

int main() {
  {
    World world(/*fake=*/false, /*trace=*/true, nullptr);
    if (!world.handle) {
      printf("skipped: %s\n", distrtWorldMessage(nullptr));
      return world.status == DISTRT_DEVICE_ERROR ||
                     world.status == DISTRT_UNSUPPORTED
                 ? 77
                 : 1;
    }
    world.run(everyCell);
    world.run(overlap);
    checkOverlap(world.handle);
    world.run(overhead);
  }
  check(logOf(/*fake=*/true) == logOf(/*fake=*/false),
        "the call log of the fake device is that of the real one");
  printf("%d checks failed\n", failures);
  return failures != 0;
}
