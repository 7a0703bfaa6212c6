//===- DeviceTest.cpp - worlds with fake devices --------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

#include <cstdlib>

using namespace dist::test;

namespace {
void fake(distrtWorldOptions &options) {
  options.backend = "nccl";
  options.fakeDevice = true;
}

/// Multiplies every float by 2.
void twice(void **arguments, const int64_t *, const int64_t *) {
  float *data = *static_cast<float **>(arguments[0]);
  for (int64_t i = 0; i < *static_cast<int64_t *>(arguments[2]); ++i)
    data[i] *= 2;
}
const distrtParameter kParameters[] = {{DISTRT_PARAMETER_READ_WRITE, 1, 8, 4},
                                       {DISTRT_PARAMETER_VALUE, -1, 8, 0},
                                       {DISTRT_PARAMETER_VALUE, -1, 8, 0},
                                       {DISTRT_PARAMETER_VALUE, -1, 8, 0}};
const distrtKernel kTwice = {sizeof(distrtKernel), "twice", nullptr, 0, twice,
                             kParameters,          4,       0};

int launch(distrtContext *context, float *data, int64_t size,
           const distrtKernel &kernel = kTwice) {
  int64_t offset = 0, stride = 1;
  const int64_t one[] = {1, 1, 1};
  void *arguments[] = {&data, &offset, &size, &stride};
  return distrtKernelLaunch(context, &kernel, one, one, arguments, "k:1:1");
}
} // namespace

TEST(Device, HostWorldsServeTheSameCalls) {
  World world(1);
  world.ok([](distrtContext *context, int64_t) {
    EXPECT_EQ(distrtContextComputeStream(context), nullptr);
    float x[2] = {1, 2}, y[2] = {};
    EXPECT_EQ(launch(context, x, 2), DISTRT_OK);
    EXPECT_EQ(distrtDeviceWrite(context, y, x, 8, nullptr), DISTRT_OK);
    EXPECT_EQ(y[1], 4);
    EXPECT_EQ(distrtSynchronize(context, nullptr), DISTRT_OK);
    EXPECT_EQ(distrtPrepareGroups(context, nullptr, 0, nullptr), DISTRT_OK);
    EXPECT_EQ(distrtContextSetComputeStream(context, x), DISTRT_UNSUPPORTED);
    return 0;
  });
}

TEST(Device, KernelsAndCollectivesAreOrdered) {
  if (!hasFakeDevices())
    GTEST_SKIP();
  World world(2, fake);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    EXPECT_NE(distrtContextComputeStream(context), nullptr);
    auto *x = static_cast<float *>(Mirror::ofThread().allocate(8));
    float host[2] = {float(rank), 1};
    distrtDeviceWrite(context, x, host, 8, nullptr);
    EXPECT_EQ(launch(context, x, 2), DISTRT_OK);
    auto *future = Call(DISTRT_ALL_REDUCE, *group)
                       .operand(DISTRT_F32, Ref(x, {2}), Ref(x, {2}))
                       .start(context);
    Ref result(1);
    EXPECT_EQ(distrtFutureWait(context, future, result.get(), 1, nullptr),
              DISTRT_OK);
    EXPECT_EQ(launch(context, x, 2), DISTRT_OK);
    EXPECT_EQ(distrtDeviceRead(context, host, x, 8, nullptr), DISTRT_OK);
    EXPECT_EQ(host[0], 4);
    EXPECT_EQ(host[1], 8);
    _mlir_memref_to_llvm_free(x);
    return 0;
  });
}

TEST(Device, AKernelBeforeTheWaitIsARace) {
  if (!hasFakeDevices())
    GTEST_SKIP();
  World world(1, fake);
  auto group = all(1);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t) {
    auto *x = static_cast<float *>(Mirror::ofThread().allocate(8));
    EXPECT_EQ(launch(context, x, 2), DISTRT_OK);
    Call(DISTRT_ALL_REDUCE, *group)
        .operand(DISTRT_F32, Ref(x, {2}), Ref(x, {2}))
        .start(context);
    return launch(context, x, 2);
  }),
            DISTRT_RACE);
  EXPECT_CONTAINS(world.message(), "rank 0: kernel at k:1:1: cudaLaunchKernel: "
                                   "nothing orders this");
}

TEST(Device, AKernelNeedsTheVersionOfItsDevice) {
  for (bool device : {false, true}) {
    if (device && !hasFakeDevices())
      continue;
    World world(1, [&](distrtWorldOptions &options) {
      if (device)
        fake(options);
    });
    world.run([&](distrtContext *context, int64_t) {
      distrtKernel kernel = kTwice;
      kernel.hostFunction = nullptr;
      void *x = _mlir_memref_to_llvm_alloc(8);
      EXPECT_EQ(launch(context, static_cast<float *>(x), 2, kernel),
                DISTRT_UNSUPPORTED);
      EXPECT_CONTAINS(distrtContextMessage(context),
                      "kernel twice has no version for the host");
      _mlir_memref_to_llvm_free(x);
      return 0;
    });
  }
}

TEST(Device, KernelDescriptionsAreChecked) {
  World world(1);
  world.ok([&](distrtContext *context, int64_t) {
    float x[2] = {};
    distrtKernel kernel = kTwice;
    kernel.numParameters = 3;
    EXPECT_EQ(launch(context, x, 2, kernel), DISTRT_INVALID_ARGUMENT);
    EXPECT_CONTAINS(distrtContextMessage(context),
                    "an expanded memref among the parameters is not complete");
    kernel = kTwice;
    kernel.name = "";
    EXPECT_EQ(launch(context, x, 2, kernel), DISTRT_INVALID_ARGUMENT);
    EXPECT_EQ(distrtDeviceRead(context, x, nullptr, 8, "r:1:1"),
              DISTRT_INVALID_ARGUMENT);
    EXPECT_CONTAINS(distrtContextMessage(context),
                    "rank 0: read at r:1:1: a pointer is null");
    return 0;
  });
}

TEST(Device, PrivateMemoryOnly) {
  if (!hasFakeDevices())
    GTEST_SKIP();
  // Host memory in a device world is found, not read.
  World world(1, fake);
  auto group = all(1);
  float x[2] = {};
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t) {
    Ref ref(x, {2});
    Call call(DISTRT_ALL_REDUCE, *group);
    call.operand(DISTRT_F32, ref, ref);
    distrtFuture *future;
    return distrtAllReduce(context, &call.site, call.operands.data(), 1,
                           &future);
  }),
            DISTRT_DEVICE_ERROR);
  EXPECT_CONTAINS(world.message(), "the address is not memory of a device");
}

TEST(Device, Float8NeedsCapability) {
  if (!hasFakeDevices())
    GTEST_SKIP();
  setenv("DISTRT_FAKE_CAPABILITY", "80", 1);
  World world(1, fake);
  auto group = all(1);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t) {
    void *x = Mirror::ofThread().allocate(8);
    distrtFuture *future;
    return Call(DISTRT_ALL_REDUCE, *group)
        .operand(DISTRT_F8E5M2, Ref(x, {8}))
        .start(context, &future);
  }),
            DISTRT_UNSUPPORTED);
  unsetenv("DISTRT_FAKE_CAPABILITY");
  EXPECT_CONTAINS(world.message(),
                  "NCCL reduces f8E5M2 on devices of compute capability 9.0 "
                  "and higher only; the group has one of 8.0");
}

TEST(Device, CheckedModeComparesBeforeAnythingIsIssued) {
  if (!hasFakeDevices())
    GTEST_SKIP();
  World world(2, [](distrtWorldOptions &options) {
    fake(options);
    options.checked = true;
  });
  auto group = all(2);
  world.run([&](distrtContext *context, int64_t rank) {
    void *x = Mirror::ofThread().allocate(32);
    distrtFuture *future;
    // The start itself fails, on both ranks.
    EXPECT_EQ(Call(DISTRT_ALL_REDUCE, *group)
                  .operand(DISTRT_F32, Ref(x, {4 + rank}))
                  .start(context, &future),
              DISTRT_MISMATCH);
    return 0;
  });
}

TEST(Device, GroupsThatNobodyJoinsAreNamed) {
  if (!hasFakeDevices())
    GTEST_SKIP();
  World world(2, [](distrtWorldOptions &options) {
    fake(options);
    options.deadlineNs = 100000000;
  });
  auto group = all(2);
  EXPECT_EQ(world.run([&](distrtContext *context, int64_t rank) {
    const distrtGroupDesc *list[] = {group->get()};
    return rank ? 0 : distrtPrepareGroups(context, list, 1, nullptr);
  }),
            DISTRT_TIMEOUT);
  EXPECT_EQ(world.message(), "the communicator of group [0, 1] was not made "
                             "within 100 ms: missing rank 1");
}

TEST(Device, TheTraceHasKernelsAndCollectives) {
  if (!hasFakeDevices())
    GTEST_SKIP();
  World world(2, [](distrtWorldOptions &options) {
    fake(options);
    options.trace = true;
    options.linkDelayNs = 1000000;
  });
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t) {
    auto *x = static_cast<float *>(Mirror::ofThread().allocate(8));
    launch(context, x, 2);
    auto *future = Call(DISTRT_ALL_REDUCE, *group)
                       .operand(DISTRT_F32, Ref(x, {2}))
                       .start(context);
    take<float>(wait(context, future, 1));
    _mlir_memref_to_llvm_free(x);
    return 0;
  });
  int64_t kernels = 0, flights = 0;
  for (int64_t i = 0; i < distrtWorldNumEvents(world.get()); ++i) {
    distrtEvent event = {};
    event.structSize = sizeof(event);
    distrtWorldEvent(world.get(), i, &event);
    kernels += event.kind == DISTRT_EVENT_KERNEL &&
               std::string(event.group) == "twice";
    if (event.kind == DISTRT_EVENT_FLIGHT) {
      ++flights;
      EXPECT_GE(event.endNs - event.beginNs, 900000); // the link's delay
    }
  }
  EXPECT_EQ(kernels, 2);
  EXPECT_EQ(flights, 2);
}

TEST(Device, NoLibraryNoDevice) {
  // Whatever this machine has: a library that is not there is named.
  setenv("DISTRT_LIBCUDART", "/nowhere/libcudart.so", 1);
  distrtWorldOptions options;
  distrtWorldOptionsInit(&options);
  options.backend = "nccl";
  distrtWorld *world = nullptr;
  int status = distrtWorldCreate(&options, &world);
  unsetenv("DISTRT_LIBCUDART");
  EXPECT_EQ(status, DISTRT_UNSUPPORTED);
  if (hasFakeDevices())
    EXPECT_CONTAINS(distrtWorldMessage(nullptr),
                    "world: the CUDA runtime cannot be loaded; tried "
                    "/nowhere/libcudart.so");
  else
    EXPECT_CONTAINS(distrtWorldMessage(nullptr), "not part of this build");
  EXPECT_EQ(world, nullptr);
}

TEST(Device, OptionsThatDoNotFit) {
  distrtWorldOptions options;
  distrtWorldOptionsInit(&options);
  options.fakeDevice = true;
  distrtWorld *world = nullptr;
  EXPECT_EQ(distrtWorldCreate(&options, &world), DISTRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(distrtWorldMessage(nullptr), "need the backend \"nccl\"");
  // A caller of version 2 does not reach the new members.
  options.structSize = offsetof(distrtWorldOptions, fakeDevice);
  EXPECT_EQ(distrtWorldCreate(&options, &world), DISTRT_OK);
  distrtWorldDestroy(world);
}
