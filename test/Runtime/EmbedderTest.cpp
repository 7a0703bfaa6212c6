//===- EmbedderTest.cpp - streams, communicators and graphs of others -----===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What a host compiler does with its own calls of CUDA and NCCL, which here go
// to the fake machine of the rank thread.
//
//===----------------------------------------------------------------------===//

#include "Fake/FakeMachine.h"
#include "TestSupport.h"

#include <atomic>
#include <thread>

using namespace dist::test;

namespace {
const dist::rt::Table &cuda() {
  return dist::rt::fake::Machine::current()->table();
}

void fake(distrtWorldOptions &options) {
  options.backend = "nccl";
  options.fakeDevice = true;
}

/// all_reduce in place, and its wait.
int reduce(distrtContext *context, const Group &group, float *x) {
  Ref ref(x, {4});
  Call call(DISTRT_ALL_REDUCE, group);
  call.operand(DISTRT_F32, ref, ref);
  distrtFuture *future = nullptr;
  if (int status = distrtAllReduce(context, &call.site, call.operands.data(), 1,
                                   &future))
    return status;
  return distrtFutureWait(context, future, ref.get(), 1, nullptr);
}

float valueOf(distrtContext *context, float *x) {
  float value = -1;
  EXPECT_EQ(distrtDeviceRead(context, &value, x, 4, nullptr), DISTRT_OK)
      << distrtContextMessage(context);
  return value;
}

float *ones(distrtContext *context) {
  auto *x = static_cast<float *>(_mlir_memref_to_llvm_alloc(16));
  const float host[4] = {1, 1, 1, 1};
  EXPECT_EQ(distrtDeviceWrite(context, x, host, 16, nullptr), DISTRT_OK);
  return x;
}
} // namespace

TEST(Embedder, ItsOwnComputeStream) {
  World world(2, fake);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t) {
    float *x = ones(context);
    cudaStream_t stream;
    EXPECT_EQ(cuda().cudaStreamCreateWithFlags(&stream, 0), cudaSuccess);
    // The new stream is behind the write on the old one: no race is found.
    EXPECT_EQ(distrtContextSetComputeStream(context, stream), DISTRT_OK);
    EXPECT_EQ(distrtContextComputeStream(context), stream);
    EXPECT_EQ(reduce(context, *group, x), DISTRT_OK);
    EXPECT_EQ(valueOf(context, x), 2);
    EXPECT_EQ(distrtContextSetComputeStream(context, nullptr), DISTRT_OK);
    EXPECT_NE(distrtContextComputeStream(context), stream);
    EXPECT_EQ(reduce(context, *group, x), DISTRT_OK);
    EXPECT_EQ(valueOf(context, x), 4);
    cuda().cudaStreamDestroy(stream);
    _mlir_memref_to_llvm_free(x);
    return 0;
  });
}

TEST(Embedder, ItsOwnCommunicator) {
  World world(2, fake);
  auto group = all(2);
  Group alone({{0}, {1}});
  ncclUniqueId id = {};
  std::atomic<bool> made{false};
  world.ok([&](distrtContext *context, int64_t rank) {
    if (rank == 0) {
      cuda().ncclGetUniqueId(&id);
      made.store(true);
    }
    while (!made.load())
      std::this_thread::yield();
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    ncclComm_t comm;
    cuda().ncclCommInitRankConfig(&comm, 2, id, int(rank), &config);
    ncclResult_t state = ncclInProgress;
    while (state == ncclInProgress)
      cuda().ncclCommGetAsyncError(comm, &state);
    EXPECT_EQ(distrtContextSetCommunicator(context, alone.get(), comm, "s:1:1"),
              DISTRT_INVALID_ARGUMENT);
    EXPECT_CONTAINS(distrtContextMessage(context),
                    "rank " + std::to_string(rank) +
                        ": set communicator at s:1:1: the communicator has "
                        "rank " +
                        std::to_string(rank) + " of 2, but group [");
    EXPECT_EQ(
        distrtContextSetCommunicator(context, group->get(), comm, nullptr),
        DISTRT_OK);
    EXPECT_EQ(
        distrtContextSetCommunicator(context, group->get(), comm, nullptr),
        DISTRT_INVALID_ARGUMENT);
    float *x = ones(context);
    EXPECT_EQ(reduce(context, *group, x), DISTRT_OK);
    EXPECT_EQ(valueOf(context, x), 2);
    // It is still the embedder's.
    EXPECT_EQ(cuda().ncclCommDestroy(comm), ncclSuccess);
    _mlir_memref_to_llvm_free(x);
    return 0;
  });
}

TEST(Embedder, CapturesAndRunsAgain) {
  World world(2, fake);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t) {
    float *x = ones(context);
    EXPECT_EQ(reduce(context, *group, x), DISTRT_OK); // communicators, memory
    EXPECT_EQ(valueOf(context, x), 2);
    auto stream =
        static_cast<cudaStream_t>(distrtContextComputeStream(context));
    EXPECT_EQ(
        cuda().cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal),
        cudaSuccess);
    EXPECT_EQ(reduce(context, *group, x), DISTRT_OK)
        << distrtContextMessage(context);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    EXPECT_EQ(cuda().cudaStreamEndCapture(stream, &graph), cudaSuccess)
        << dist::rt::fake::Machine::lastText();
    cuda().cudaGraphInstantiateWithFlags(&executable, graph, 0);
    EXPECT_EQ(valueOf(context, x), 2); // captured is not run
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(cuda().cudaGraphLaunch(executable, stream), cudaSuccess);
    EXPECT_EQ(valueOf(context, x), 8);
    EXPECT_EQ(reduce(context, *group, x), DISTRT_OK);
    EXPECT_EQ(valueOf(context, x), 16);
    cuda().cudaGraphExecDestroy(executable);
    cuda().cudaGraphDestroy(graph);
    _mlir_memref_to_llvm_free(x);
    return 0;
  });
}

TEST(Embedder, WhatACaptureCannotHoldIsAnError) {
  auto group = all(1);
  struct Attempt {
    const char *text;
    std::function<int(distrtContext *, float *)> call;
  };
  const Attempt attempts[] = {
      {"the host cannot read a value while a graph is captured",
       [](distrtContext *context, float *x) {
         float value;
         return distrtDeviceRead(context, &value, x, 4, nullptr);
       }},
      {"the host cannot write a value while a graph is captured",
       [](distrtContext *context, float *x) {
         float value = 0;
         return distrtDeviceWrite(context, x, &value, 4, nullptr);
       }},
      {"the host cannot wait while a graph is captured",
       [](distrtContext *context, float *) {
         return distrtSynchronize(context, nullptr);
       }},
      {"cannot be made while a graph is captured: prepare it before",
       [&](distrtContext *context, float *x) {
         return reduce(context, *group, x);
       }}};
  for (const Attempt &attempt : attempts) {
    World world(1, fake);
    world.run([&](distrtContext *context, int64_t) {
      float *x = ones(context);
      auto stream =
          static_cast<cudaStream_t>(distrtContextComputeStream(context));
      cuda().cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
      // Memory that is not there yet cannot be made.
      EXPECT_EQ(_mlir_memref_to_llvm_alloc(size_t(1) << 20), nullptr);
      EXPECT_EQ(attempt.call(context, x), DISTRT_UNSUPPORTED);
      EXPECT_CONTAINS(distrtContextMessage(context), attempt.text);
      cudaGraph_t graph;
      cuda().cudaStreamEndCapture(stream, &graph);
      return 0;
    });
  }
}
