//===- FakeTest.cpp - every rule that the fake device checks --------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One thread plays all ranks: no call of the fake blocks.
//
//===----------------------------------------------------------------------===//

#include "Fake/FakeMachine.h"
#include "TestSupport.h"

#include <unistd.h>

using namespace dist::rt;

namespace {
class FakeDevice : public testing::Test {
protected:
  FakeDevice() {
    distrtWorldOptions options;
    distrtWorldOptionsInit(&options);
    options.numRanks = 3;
    options.numWorkers = 2;
    machine = createFakeDevices(options);
    for (int i = 0; i < 3; ++i) {
      machine->bind(i);
      EXPECT_EQ(t().cudaStreamCreateWithFlags(&compute[i], 0), cudaSuccess);
      EXPECT_EQ(t().cudaStreamCreateWithFlags(&comms[i], 0), cudaSuccess);
    }
  }
  const Table &t() { return machine->table(); }
  float *memory(size_t bytes = 256) {
    void *pointer = nullptr;
    EXPECT_EQ(t().cudaMalloc(&pointer, bytes), cudaSuccess);
    return static_cast<float *>(pointer);
  }
  cudaEvent_t event() {
    cudaEvent_t result = nullptr;
    t().cudaEventCreateWithFlags(&result, cudaEventDisableTiming);
    return result;
  }
  void order(cudaStream_t later, cudaStream_t earlier) {
    cudaEvent_t edge = event();
    EXPECT_EQ(t().cudaEventRecord(edge, earlier), cudaSuccess);
    EXPECT_EQ(t().cudaStreamWaitEvent(later, edge, 0), cudaSuccess);
  }
  /// A communicator of ranks 0 ... n-1.
  std::vector<ncclComm_t> makeComms(int n) {
    ncclUniqueId id;
    machine->bind(0);
    t().ncclGetUniqueId(&id);
    std::vector<ncclComm_t> result(static_cast<size_t>(n));
    for (int i = 0; i < n; ++i) {
      machine->bind(i);
      ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
      config.blocking = 0;
      EXPECT_EQ(
          t().ncclCommInitRankConfig(&result[size_t(i)], n, id, i, &config),
          ncclInProgress);
    }
    for (int i = 0; i < n; ++i) {
      machine->bind(i);
      settle(result[size_t(i)]);
    }
    return result;
  }
  void settle(ncclComm_t comm) {
    ncclResult_t state = ncclInProgress;
    for (int i = 0; i < 3 && state == ncclInProgress; ++i)
      EXPECT_EQ(t().ncclCommGetAsyncError(comm, &state), ncclSuccess);
    EXPECT_EQ(state, ncclSuccess);
  }
  ncclResult_t allReduce(int rank, ncclComm_t comm, const void *from, void *to,
                         size_t count = 4) {
    machine->bind(rank);
    ncclResult_t result = t().ncclAllReduce(from, to, count, ncclFloat32,
                                            ncclSum, comm, comms[rank]);
    return result;
  }
  void drain(cudaStream_t stream) {
    while (t().cudaStreamQuery(stream) == cudaErrorNotReady)
      usleep(100);
  }
  static std::string text() { return fake::Machine::lastText(); }
#define EXPECT_VIOLATION(call, part)                                           \
  EXPECT_GT(int(call), 0);                                                     \
  EXPECT_CONTAINS(text(), part)

  std::unique_ptr<DeviceSource> machine;
  cudaStream_t compute[3], comms[3];
};

/// Adds 1 to every float of a memref of rank 1.
void addOne(void **arguments, const int64_t *, const int64_t *) {
  float *data = *static_cast<float **>(arguments[0]);
  int64_t offset = *static_cast<int64_t *>(arguments[1]);
  int64_t size = *static_cast<int64_t *>(arguments[2]);
  for (int64_t i = 0; i < size; ++i)
    data[offset + i] += 1;
}
const distrtParameter kMemref[] = {{DISTRT_PARAMETER_READ_WRITE, 1, 8, 4},
                                   {DISTRT_PARAMETER_VALUE, -1, 8, 0},
                                   {DISTRT_PARAMETER_VALUE, -1, 8, 0},
                                   {DISTRT_PARAMETER_VALUE, -1, 8, 0}};
const distrtKernel kAddOne = {
    sizeof(distrtKernel), "add_one", nullptr, 0, addOne, kMemref, 4, 0};

cudaError_t launch(const Table &table, float *data, int64_t offset,
                   int64_t size, cudaStream_t stream) {
  int64_t stride = 1;
  const int64_t one[] = {1, 1, 1};
  void *arguments[] = {&data, &offset, &size, &stride};
  return table.fake->launch({&kAddOne, one, one, arguments}, stream);
}
} // namespace

TEST_F(FakeDevice, GroupsAreBalanced) {
  machine->bind(0);
  EXPECT_VIOLATION(t().ncclGroupEnd(), "no group was started");
  t().ncclGroupStart();
  EXPECT_CONTAINS(machine->leftovers(), "an open group");
}

TEST_F(FakeDevice, ABadCallDropsTheGroup) {
  auto comm = makeComms(1);
  machine->bind(0);
  float *x = memory();
  t().ncclGroupStart();
  EXPECT_EQ(allReduce(0, comm[0], x, x), ncclSuccess);
  EXPECT_VIOLATION(t().ncclAllReduce(x, x, 4, ncclFloat32, ncclRedOp_t(77),
                                     comm[0], comms[0]),
                   "the operator is not one of this communicator");
  EXPECT_VIOLATION(t().ncclGroupEnd(), "nothing of the group was launched");
}

TEST_F(FakeDevice, NothingIsUsedWhileAGroupIsOpen) {
  auto comm = makeComms(1);
  machine->bind(0);
  float *x = memory();
  t().ncclGroupStart();
  allReduce(0, comm[0], x, x);
  EXPECT_VIOLATION(t().cudaEventRecord(event(), comms[0]),
                   "while a group with calls on it is open");
}

TEST_F(FakeDevice, NothingIsCalledWhileACallIsInProgress) {
  auto comm = makeComms(1);
  machine->bind(0);
  float *x = memory();
  EXPECT_EQ(allReduce(0, comm[0], x, x), ncclInProgress);
  EXPECT_VIOLATION(allReduce(0, comm[0], x, x),
                   "a call on comm0 is in progress");
  EXPECT_VIOLATION(t().cudaMemsetAsync(x, 0, 4, comms[0]),
                   "used while a call on comm0 is in progress");
  settle(comm[0]);
  EXPECT_EQ(t().cudaMemsetAsync(x, 0, 4, comms[0]), cudaSuccess);
}

TEST_F(FakeDevice, RanksIssueInOneOrder) {
  auto a = makeComms(2), b = makeComms(2);
  std::vector<float *> x;
  for (int i = 0; i < 2; ++i) {
    machine->bind(i);
    x.push_back(memory());
  }
  EXPECT_EQ(allReduce(0, a[0], x[0], x[0]), ncclInProgress);
  settle(a[0]);
  EXPECT_VIOLATION(allReduce(1, b[1], x[1], x[1]),
                   "ranks issue in different orders");
}

TEST_F(FakeDevice, EveryEdgeIsRecordedBeforeItIsWaitedFor) {
  machine->bind(0);
  cudaEvent_t edge = event();
  EXPECT_VIOLATION(t().cudaStreamWaitEvent(compute[0], edge, 0),
                   "event0 was never recorded");
  t().cudaEventDestroy(edge);
  EXPECT_VIOLATION(t().cudaEventRecord(edge, compute[0]),
                   "event0 was destroyed");
}

TEST_F(FakeDevice, ACollectiveIsOrderedBehindItsProducer) {
  auto comm = makeComms(1);
  machine->bind(0);
  float *x = memory();
  t().cudaMemsetAsync(x, 0, 16, compute[0]);
  EXPECT_VIOLATION(allReduce(0, comm[0], x, x), "nothing orders this read of "
                                                "buf0 on stream1 behind the "
                                                "write by cudaMemsetAsync on "
                                                "stream0");
}

TEST_F(FakeDevice, AConsumerIsOrderedBehindTheCollective) {
  auto comm = makeComms(1);
  machine->bind(0);
  float *x = memory();
  t().cudaMemsetAsync(x, 0, 16, compute[0]);
  order(comms[0], compute[0]);
  EXPECT_EQ(allReduce(0, comm[0], x, x), ncclInProgress);
  settle(comm[0]);
  EXPECT_EQ(launch(t(), x, 0, 4, compute[0]), cudaError_t(kFakeRace));
  EXPECT_CONTAINS(text(), "by ncclAllReduce on stream1");
  order(compute[0], comms[0]);
  EXPECT_EQ(launch(t(), x, 0, 4, compute[0]), cudaSuccess);
  drain(compute[0]);
  EXPECT_EQ(x[3], 1);
}

TEST_F(FakeDevice, ParametersSayWhatAKernelTouches) {
  machine->bind(0);
  float *x = memory();
  EXPECT_EQ(launch(t(), x, 0, 8, compute[0]), cudaSuccess);
  EXPECT_EQ(launch(t(), x, 8, 8, comms[0]), cudaSuccess); // other elements
  EXPECT_EQ(launch(t(), x, 7, 1, comms[0]), cudaError_t(kFakeRace));
  EXPECT_CONTAINS(text(), "by kernel add_one on stream0");
}

TEST_F(FakeDevice, TheHostOrdersWhatItWaitedFor) {
  machine->bind(0);
  float *x = memory();
  EXPECT_EQ(launch(t(), x, 0, 8, compute[0]), cudaSuccess);
  drain(compute[0]);
  EXPECT_EQ(launch(t(), x, 0, 8, comms[0]), cudaSuccess);
}

TEST_F(FakeDevice, HandlesAreNotUsedAfterTheyAreGone) {
  auto comm = makeComms(1);
  machine->bind(0);
  float *x = memory();
  t().ncclCommAbort(comm[0]);
  EXPECT_VIOLATION(allReduce(0, comm[0], x, x), "comm0 was destroyed");
  t().cudaStreamDestroy(compute[0]);
  EXPECT_VIOLATION(t().cudaMemsetAsync(x, 0, 4, compute[0]),
                   "stream0 was destroyed");
  t().cudaFree(x);
  EXPECT_VIOLATION(t().cudaMemsetAsync(x, 0, 4, comms[0]), "buf0 was freed");
  EXPECT_VIOLATION(t().cudaFree(x), "was freed before");
}

TEST_F(FakeDevice, AFinalizedCommunicatorIsOver) {
  auto comm = makeComms(1);
  machine->bind(0);
  float *x = memory();
  EXPECT_EQ(t().ncclCommFinalize(comm[0]), ncclInProgress);
  settle(comm[0]);
  EXPECT_VIOLATION(allReduce(0, comm[0], x, x), "comm0 was finalized");
}

TEST_F(FakeDevice, HandlesBelongToADevice) {
  machine->bind(0);
  float *x = memory();
  machine->bind(1);
  EXPECT_VIOLATION(t().cudaMemsetAsync(x, 0, 4, compute[1]),
                   "buf0 belongs to device 0, not to device 1");
  EXPECT_VIOLATION(t().cudaMemsetAsync(x, 0, 4, compute[0]),
                   "stream0 belongs to device 0, not to device 1");
}

TEST_F(FakeDevice, BuffersAreDeviceMemory) {
  auto comm = makeComms(1);
  machine->bind(0);
  float host[16] = {};
  EXPECT_VIOLATION(allReduce(0, comm[0], host, host),
                   "the send buffer: the address is not memory of a device");
}

TEST_F(FakeDevice, BuffersEndInside) {
  auto comm = makeComms(1);
  machine->bind(0);
  float *x = memory(256), *y = memory(256);
  EXPECT_VIOLATION(t().cudaMemsetAsync(x, 0, 257, compute[0]),
                   "bytes [0, 257) of buf0 are out of bounds");
  EXPECT_VIOLATION(allReduce(0, comm[0], x, y, 63),
                   "less than 16 bytes before the end");
  EXPECT_EQ(allReduce(0, comm[0], x, y, 60), ncclInProgress);
}

TEST_F(FakeDevice, BuffersOverlapInPlaceOnly) {
  auto comm = makeComms(1);
  machine->bind(0);
  float *x = memory();
  EXPECT_VIOLATION(allReduce(0, comm[0], x, x + 1),
                   "overlap without being in place");
}

TEST_F(FakeDevice, MembersAgree) {
  auto comm = makeComms(2);
  machine->bind(0);
  float *x = memory();
  EXPECT_EQ(allReduce(0, comm[0], x, x, 4), ncclInProgress);
  machine->bind(1);
  float *y = memory();
  EXPECT_VIOLATION(allReduce(1, comm[1], y, y, 5),
                   "ncclAllReduce of 5 float32 does not match ncclAllReduce of "
                   "4 float32 on rank 0");
}

TEST_F(FakeDevice, MessagesMatch) {
  auto comm = makeComms(2);
  machine->bind(0);
  float *x = memory();
  EXPECT_EQ(t().ncclSend(x, 4, ncclFloat32, 1, comm[0], comms[0]),
            ncclInProgress);
  machine->bind(1);
  float *y = memory();
  EXPECT_VIOLATION(t().ncclRecv(y, 5, ncclFloat32, 0, comm[1], comms[1]),
                   "does not match ncclSend of 4 float32");
}

TEST_F(FakeDevice, AnIdIsForOneCommunicator) {
  ncclUniqueId id;
  machine->bind(0);
  t().ncclGetUniqueId(&id);
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  ncclComm_t comm;
  EXPECT_EQ(t().ncclCommInitRankConfig(&comm, 2, id, 0, &config),
            ncclInProgress);
  EXPECT_VIOLATION(t().ncclCommInitRankConfig(&comm, 2, id, 0, &config),
                   "has joined before");
  EXPECT_VIOLATION(t().ncclCommInitRankConfig(&comm, 2, id, 1, &config),
                   "two ranks of a communicator are on one device");
}

TEST_F(FakeDevice, FactorsBelongToACommunicator) {
  auto comm = makeComms(1), other = makeComms(1);
  machine->bind(0);
  float *x = memory();
  float factor = 2;
  ncclRedOp_t op;
  t().fake->exactFactor(2);
  t().ncclRedOpCreatePreMulSum(&op, &factor, ncclFloat32,
                               ncclScalarHostImmediate, comm[0]);
  EXPECT_VIOLATION(
      t().ncclAllReduce(x, x, 4, ncclFloat32, op, other[0], comms[0]),
      "not one of this communicator and type");
  EXPECT_CONTAINS(machine->leftovers(), "a reduction operator of comm0");
  EXPECT_EQ(t().ncclRedOpDestroy(op, comm[0]), ncclSuccess);
  EXPECT_VIOLATION(t().ncclRedOpDestroy(op, comm[0]),
                   "not one of this communicator");
}

TEST_F(FakeDevice, NothingIsLeftBehind) {
  makeComms(1);
  machine->bind(0);
  memory();
  event();
  std::string left = machine->leftovers();
  for (const char *part : {"comm0 of rank 0", "stream0 of rank 0",
                           "event0 of rank 0", "buf0 of rank 0"})
    EXPECT_CONTAINS(left, part);
}

TEST_F(FakeDevice, MemoryInUseIsNotFreed) {
  machine->bind(0);
  float *x = memory();
  EXPECT_EQ(launch(t(), x, 0, 8, compute[0]), cudaSuccess);
  EXPECT_VIOLATION(t().cudaFree(x), "may still be used by kernel add_one");
  drain(compute[0]);
  EXPECT_EQ(t().cudaFree(x), cudaSuccess);
}

TEST_F(FakeDevice, NothingForbiddenIsCaptured) {
  machine->bind(0);
  float *x = memory();
  float host[4] = {};
  cudaEvent_t before = event();
  t().cudaEventRecord(before, comms[0]);
  EXPECT_EQ(t().cudaStreamBeginCapture(compute[0], cudaStreamCaptureModeGlobal),
            cudaSuccess);
  void *more;
  EXPECT_VIOLATION(t().cudaMalloc(&more, 16),
                   "cudaMalloc is not allowed while stream0 is captured");
  EXPECT_VIOLATION(t().cudaFree(x), "cudaFree is not allowed");
  EXPECT_VIOLATION(t().cudaStreamQuery(compute[0]), "cudaStreamQuery is not");
  EXPECT_VIOLATION(
      t().cudaMemcpyAsync(x, host, 16, cudaMemcpyHostToDevice, compute[0]),
      "pageable host memory is not allowed");
  EXPECT_VIOLATION(t().cudaStreamWaitEvent(compute[0], before, 0),
                   "was not recorded in the graph");
  ncclUniqueId id = {};
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  ncclComm_t comm;
  EXPECT_VIOLATION(t().ncclCommInitRankConfig(&comm, 1, id, 0, &config),
                   "ncclCommInitRankConfig is not allowed");
}

TEST_F(FakeDevice, ForksOfACaptureAreJoined) {
  machine->bind(0);
  float *x = memory();
  t().cudaStreamBeginCapture(compute[0], cudaStreamCaptureModeGlobal);
  order(comms[0], compute[0]);
  EXPECT_EQ(launch(t(), x, 0, 8, comms[0]), cudaSuccess);
  cudaGraph_t graph;
  EXPECT_VIOLATION(t().cudaStreamEndCapture(compute[0], &graph),
                   "stream1 joined the capture and stream0 does not wait");
}

TEST_F(FakeDevice, AGraphRunsAgain) {
  auto comm = makeComms(2);
  cudaGraphExec_t executable[2];
  float *x[2];
  for (int i = 0; i < 2; ++i) {
    machine->bind(i);
    x[i] = memory();
    t().cudaMemsetAsync(x[i], 0, 256, compute[i]);
    t().cudaStreamBeginCapture(compute[i], cudaStreamCaptureModeGlobal);
    EXPECT_EQ(launch(t(), x[i], 0, 4, compute[i]), cudaSuccess);
    order(comms[i], compute[i]);
    EXPECT_EQ(allReduce(i, comm[size_t(i)], x[i], x[i]), ncclInProgress);
    settle(comm[size_t(i)]);
    order(compute[i], comms[i]);
    cudaGraph_t graph;
    EXPECT_EQ(t().cudaStreamEndCapture(compute[i], &graph), cudaSuccess)
        << text();
    t().cudaGraphInstantiateWithFlags(&executable[i], graph, 0);
  }
  for (int run = 0; run < 2; ++run)
    for (int i = 0; i < 2; ++i) {
      machine->bind(i);
      EXPECT_EQ(t().cudaGraphLaunch(executable[i], compute[i]), cudaSuccess)
          << text();
    }
  for (int i = 0; i < 2; ++i) {
    machine->bind(i);
    drain(compute[i]);
    EXPECT_EQ(x[i][0], 6); // (0 + 1) * 2, then (2 + 1) * 2
  }
}

TEST_F(FakeDevice, VersionsAreChecked) {
  Table old = t();
  EXPECT_FALSE(checkVersions(old).failed());
  old.ncclGetVersion = [](int *version) {
    *version = 22703;
    return ncclSuccess;
  };
  EXPECT_EQ(checkVersions(old).message, "libnccl is too old: version 2.27 was "
                                        "found, at least 2.28 is needed");
  old = t();
  old.cudaRuntimeGetVersion = [](int *version) {
    *version = 12040;
    return cudaSuccess;
  };
  EXPECT_EQ(checkVersions(old).message, "libcudart is too old: version 12.4 "
                                        "was found, at least 12.8 is needed");
}
