//===- CallLogTest.cpp - golden logs of CUDA and NCCL calls ---------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The expected logs are Inputs/calls/*.txt, one per scenario. With
// DIST_UPDATE_GOLDEN in the environment they are written instead of compared.
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace dist::test;

namespace {
/// Everything that one rank of a scenario needs; buffers are device memory.
struct Rank {
  distrtContext *context;
  int64_t rank;
  std::vector<void *> buffers;

  /// A buffer of `count` elements of 4 bytes that a kernel has written.
  Ref make(const Sizes &sizes) {
    int64_t count = 1;
    for (int64_t size : sizes)
      count *= size;
    void *data = _mlir_memref_to_llvm_alloc(size_t(count) * 4);
    buffers.push_back(data);
    Ref ref(data, sizes);
    fill(ref, count);
    return ref;
  }
  void fill(const Ref &ref, int64_t count) {
    kernel("produce", DISTRT_PARAMETER_WRITE, ref, count);
  }
  void use(const Ref &ref, int64_t count) {
    kernel("consume", DISTRT_PARAMETER_READ, ref, count);
  }
  void kernel(const char *name, int kind, const Ref &ref, int64_t count) {
    const distrtParameter parameters[] = {{kind, 1, 8, 4},
                                          {DISTRT_PARAMETER_VALUE, -1, 8, 0},
                                          {DISTRT_PARAMETER_VALUE, -1, 8, 0},
                                          {DISTRT_PARAMETER_VALUE, -1, 8, 0}};
    distrtKernel what = {sizeof(what), name,       nullptr, 0,
                         touch,        parameters, 4,       0};
    auto *data = ref.data<float>();
    int64_t offset = 0, stride = 1;
    void *arguments[] = {&data, &offset, &count, &stride};
    const int64_t one[] = {1, 1, 1};
    ok(distrtKernelLaunch(context, &what, one, one, arguments, "x.mlir:1:1"));
  }
  static void touch(void **arguments, const int64_t *, const int64_t *) {
    auto *data = *static_cast<volatile float **>(arguments[0]);
    for (int64_t i = 0; i < *static_cast<int64_t *>(arguments[2]); ++i)
      data[i] = data[i];
  }
  void ok(int status) {
    EXPECT_EQ(status, DISTRT_OK) << distrtContextMessage(context);
  }
  int tryStart(const Call &call, distrtFuture **futures) {
    static decltype(&distrtAllGather) const functions[] = {
        distrtAllGather, distrtAllReduce, distrtReduceScatter, distrtBroadcast,
        distrtAllToAll,  distrtPermute,   distrtReduce};
    return functions[call.kind](context, &call.site, call.operands.data(),
                                int64_t(call.operands.size()), futures);
  }
  std::vector<distrtFuture *> start(const Call &call) {
    std::vector<distrtFuture *> futures(call.operands.size());
    ok(tryStart(call, futures.data()));
    return futures;
  }
  Ref await(distrtFuture *future, int32_t rank, bool owned) {
    Ref result(rank);
    ok(distrtFutureWait(context, future, result.get(), rank, "x.mlir:9:9"));
    if (owned)
      buffers.push_back(result.allocated());
    return result;
  }
  void freeAll() {
    for (void *buffer : buffers)
      _mlir_memref_to_llvm_free(buffer);
  }
};

using Scenario = std::function<void(Rank &)>;

std::string logPath(const std::string &name) {
  return std::string(DIST_RT_TEST_INPUTS) + "/calls/" + name + ".txt";
}

std::string readFile(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void expectLog(const std::string &name, int64_t numRanks,
               const Scenario &scenario, int expected = DISTRT_OK) {
  SCOPED_TRACE(name);
  std::string found = testing::TempDir() + "dist-calls-" + name + "-" +
                      std::to_string(getpid());
  {
    World world(numRanks, [&](distrtWorldOptions &options) {
      options.backend = "nccl";
      options.fakeDevice = true;
      options.callLog = found.c_str();
    });
    if (!world.get())
      return;
    EXPECT_EQ(world.run([&](distrtContext *context, int64_t rank) {
      Rank self = {context, rank, {}};
      scenario(self);
      self.freeAll();
      return 0;
    }),
              expected)
        << world.message();
  }
  std::string log = readFile(found);
  remove(found.c_str());
  if (getenv("DIST_UPDATE_GOLDEN")) {
    std::ofstream(logPath(name)) << log;
    return;
  }
  EXPECT_EQ(log, readFile(logPath(name)));
}

const char *const kNames[] = {"all_gather", "all_reduce", "reduce_scatter",
                              "broadcast",  "all_to_all", "permute",
                              "reduce"};

Call makeCall(int kind, const Group &group) {
  Call call(kind, group);
  if (kind == DISTRT_PERMUTE)
    call.pairs({0, 1, 1, 0});
  return call;
}

/// The destination of an in-place form, given the source.
void inPlace(Rank &self, const Group &group, int kind) {
  Call call = makeCall(kind, group);
  bool slots = kind == DISTRT_ALL_GATHER || kind == DISTRT_REDUCE_SCATTER;
  Ref whole = self.make({slots ? 8 : 4});
  Ref slot(whole.data<float>(), {4}, {1}, 4 * self.rank);
  if (kind == DISTRT_ALL_GATHER)
    call.operand(DISTRT_F32, slot, whole);
  else if (kind == DISTRT_REDUCE_SCATTER)
    call.operand(DISTRT_F32, whole, slot);
  else
    call.operand(DISTRT_F32, whole, whole);
  self.await(self.start(call)[0], 1, false);
  self.use(whole, 4);
}
} // namespace

#define SKIP_WITHOUT_NCCL()                                                    \
  if (!hasFakeDevices())                                                       \
  GTEST_SKIP() << "built without the backend nccl"

TEST(CallLog, SynchronousFunctional) {
  SKIP_WITHOUT_NCCL();
  auto group = all(2);
  for (int kind = 0; kind <= DISTRT_REDUCE; ++kind)
    expectLog(std::string(kNames[kind]) + "-sync", 2, [&](Rank &self) {
      Ref x = self.make({4});
      Call call = makeCall(kind, *group);
      call.operand(DISTRT_F32, x);
      Ref y = self.await(self.start(call)[0], 1, true);
      self.use(y, y.count());
    });
}

TEST(CallLog, Asynchronous) {
  SKIP_WITHOUT_NCCL();
  auto group = all(2);
  for (int kind = 0; kind <= DISTRT_REDUCE; ++kind)
    expectLog(std::string(kNames[kind]) + "-async", 2, [&](Rank &self) {
      Ref x = self.make({4}), other = self.make({4});
      Call call = makeCall(kind, *group);
      call.operand(DISTRT_F32, x);
      distrtFuture *future = self.start(call)[0];
      self.use(other, 4); // beside the collective
      Ref y = self.await(future, 1, true);
      self.use(y, y.count());
    });
}

TEST(CallLog, InPlace) {
  SKIP_WITHOUT_NCCL();
  auto group = all(2);
  for (int kind = 0; kind <= DISTRT_REDUCE; ++kind)
    if (kind != DISTRT_ALL_TO_ALL)
      expectLog(std::string(kNames[kind]) + "-in-place", 2,
                [&](Rank &self) { inPlace(self, *group, kind); });
}

TEST(CallLog, Coalesced) {
  SKIP_WITHOUT_NCCL();
  auto group = all(2);
  for (int kind = 0; kind <= DISTRT_REDUCE; ++kind)
    expectLog(std::string(kNames[kind]) + "-coalesced", 2, [&](Rank &self) {
      Ref x = self.make({4}), y = self.make({2});
      Call call = makeCall(kind, *group);
      call.operand(DISTRT_F32, x).operand(DISTRT_I32, y);
      auto futures = self.start(call);
      for (distrtFuture *future : futures) {
        Ref z = self.await(future, 1, true);
        self.use(z, z.count());
      }
    });
}

TEST(CallLog, ControlFlow) {
  SKIP_WITHOUT_NCCL();
  auto group = all(2);
  expectLog("loop", 2, [&](Rank &self) {
    Ref x = self.make({4});
    for (int i = 0; i < 3; ++i) {
      Call call(DISTRT_ALL_REDUCE, *group);
      call.operand(DISTRT_F32, x, x);
      self.await(self.start(call)[0], 1, false);
      self.fill(x, 4);
    }
  });
  expectLog("loop-prefetch", 2, [&](Rank &self) {
    Ref x = self.make({4});
    Call call(DISTRT_ALL_GATHER, *group);
    call.operand(DISTRT_F32, x);
    distrtFuture *next = self.start(call)[0];
    for (int i = 0; i < 3; ++i) {
      distrtFuture *now = next;
      if (i < 2)
        next = self.start(call)[0];
      Ref y(1);
      self.ok(distrtFutureWait(self.context, now, y.get(), 1, nullptr));
      self.use(y, 8);
      _mlir_memref_to_llvm_free(y.allocated());
    }
  });
  for (bool taken : {false, true})
    expectLog(taken ? "branch-taken" : "branch-not-taken", 2, [&](Rank &self) {
      Ref x = self.make({4});
      if (taken) {
        Call call(DISTRT_ALL_REDUCE, *group);
        call.operand(DISTRT_F32, x, x);
        self.await(self.start(call)[0], 1, false);
      }
      self.use(x, 4);
    });
}

TEST(CallLog, SeveralGroups) {
  SKIP_WITHOUT_NCCL();
  auto world = all(4), tagged = all(4, "other");
  Group rows({{0, 1}, {2, 3}}), part({{0, 2}});
  auto reduce = [](Rank &self, const Group &group, const Ref &x) {
    Call call(DISTRT_ALL_REDUCE, group);
    call.operand(DISTRT_F32, x, x);
    return self.start(call)[0];
  };
  expectLog("groups-world-and-rows", 4, [&](Rank &self) {
    Ref x = self.make({4}), y = self.make({4});
    distrtFuture *a = reduce(self, *world, x), *b = reduce(self, rows, y);
    self.await(b, 1, false);
    self.await(a, 1, false);
    self.use(x, 4);
  });
  expectLog("groups-tags", 4, [&](Rank &self) {
    Ref x = self.make({4}), y = self.make({4});
    distrtFuture *a = reduce(self, *world, x), *b = reduce(self, *tagged, y);
    self.await(a, 1, false);
    self.await(b, 1, false);
  });
  expectLog("groups-outsider", 4, [&](Rank &self) {
    Ref x = self.make({4});
    self.await(reduce(self, part, x), 1, false);
    self.use(x, 4);
  });
  expectLog("groups-prepared-larger-first", 4, [&](Rank &self) {
    const distrtGroupDesc *list[] = {part.get(), rows.get(), world->get()};
    self.ok(distrtPrepareGroups(self.context, list, 3, nullptr));
  });
}

TEST(CallLog, Layouts) {
  SKIP_WITHOUT_NCCL();
  auto group = all(2);
  auto one = [&](const char *name, int kind, int64_t dim, int64_t concatDim,
                 bool strided) {
    expectLog(name, 2, [=, &group](Rank &self) {
      Ref x = self.make({4, 6});
      if (strided)
        x = Ref(x.data<float>(), {4, 4}, {6, 1}, 1);
      Call call = makeCall(kind, *group);
      call.dim(dim).concatDim(concatDim).operand(DISTRT_F32, x);
      Ref y = self.await(self.start(call)[0], 2, true);
      self.use(y, y.count());
    });
  };
  one("layout-gather-dim-1", DISTRT_ALL_GATHER, 1, 0, false);
  one("layout-scatter-dim-1", DISTRT_REDUCE_SCATTER, 1, 0, false);
  one("layout-exchange-0-1", DISTRT_ALL_TO_ALL, 0, 1, false);
  one("layout-strided-source", DISTRT_ALL_REDUCE, 0, 0, true);
}

TEST(CallLog, TypesAndReductions) {
  SKIP_WITHOUT_NCCL();
  auto group = all(2);
  struct Cell {
    const char *name;
    int kind, type, reduction;
    int64_t count;
  };
  // Counts fill the 16 bytes that the kernel writes.
  const Cell cells[] = {
      {"cell-avg-bf16", DISTRT_ALL_REDUCE, DISTRT_BF16, DISTRT_AVG, 8},
      {"cell-premul-f32", DISTRT_ALL_REDUCE, DISTRT_F32, DISTRT_PREMUL_SUM, 4},
      {"cell-sum-i16", DISTRT_ALL_REDUCE, DISTRT_I16, DISTRT_SUM, 8},
      {"cell-bxor-i32", DISTRT_REDUCE, DISTRT_I32, DISTRT_BXOR, 4},
      {"cell-bor-i1", DISTRT_REDUCE_SCATTER, DISTRT_I1, DISTRT_BOR, 16},
      {"cell-sum-c64", DISTRT_ALL_REDUCE, DISTRT_C64, DISTRT_SUM, 2},
      {"cell-product-c64", DISTRT_ALL_REDUCE, DISTRT_C64, DISTRT_PRODUCT, 2},
      {"cell-sum-f8", DISTRT_ALL_REDUCE, DISTRT_F8E4M3FN, DISTRT_SUM, 16},
  };
  for (const Cell &cell : cells)
    expectLog(cell.name, 2, [&](Rank &self) {
      Ref x(self.make({4}).data<float>(), {cell.count});
      Call call(cell.kind, *group);
      call.reduction(cell.reduction).operand(cell.type, x).factor(0.5);
      self.await(self.start(call)[0], 1, true);
    });
  expectLog("cell-moved-i1", 2, [&](Rank &self) {
    Ref x(self.make({4}).data<float>(), {16});
    Call call(DISTRT_ALL_GATHER, *group);
    call.operand(DISTRT_I1, x);
    self.await(self.start(call)[0], 1, true);
  });
}

TEST(CallLog, Futures) {
  SKIP_WITHOUT_NCCL();
  auto group = all(2);
  auto reduce = [&](Rank &self, const Ref &x, int flags) {
    Call call(DISTRT_ALL_REDUCE, *group);
    call.operand(DISTRT_F32, x, Ref(), flags);
    return self.start(call)[0];
  };
  expectLog("future-dropped", 2, [&](Rank &self) {
    distrtFuture *future = reduce(self, self.make({4}), 0);
    self.ok(distrtFutureDrop(self.context, future, nullptr));
  });
  expectLog("future-waited-twice", 2, [&](Rank &self) {
    distrtFuture *future = reduce(self, self.make({4}), 0);
    distrtFutureDup(self.context, future);
    self.await(future, 1, true);
    self.await(future, 1, true);
  });
  expectLog("source-copied", 2, [&](Rank &self) {
    Ref x = self.make({4});
    distrtFuture *future = reduce(self, x, DISTRT_SOURCE_COPY);
    self.fill(x, 4);
    self.await(future, 1, true);
  });
  expectLog("source-owned", 2, [&](Rank &self) {
    Ref x = self.make({4});
    self.buffers.clear();
    self.await(reduce(self, x, DISTRT_SOURCE_OWNED), 1, true);
  });
  expectLog("memory-reused", 2, [&](Rank &self) {
    for (int i = 0; i < 3; ++i) {
      Ref x = self.make({4});
      self.await(reduce(self, x, 0), 1, true);
      self.freeAll();
      self.buffers.clear();
    }
  });
}

TEST(CallLog, EdgeCases) {
  SKIP_WITHOUT_NCCL();
  auto group = all(2), alone = all(1);
  expectLog("empty", 2, [&](Rank &self) {
    Call call(DISTRT_ALL_REDUCE, *group);
    call.operand(DISTRT_F32, Ref(self.make({1}).data<float>(), {0}));
    self.await(self.start(call)[0], 1, true);
  });
  expectLog("group-of-one", 1, [&](Rank &self) {
    Call call(DISTRT_ALL_REDUCE, *alone);
    call.reduction(DISTRT_AVG).operand(DISTRT_F32, self.make({4}));
    self.await(self.start(call)[0], 1, true);
  });
  expectLog("permute-to-self-and-nobody", 3, [&](Rank &self) {
    auto three = all(3);
    Call call(DISTRT_PERMUTE, *three);
    call.pairs({0, 0, 1, 2}).operand(DISTRT_F32, self.make({4}));
    self.await(self.start(call)[0], 1, true);
  });
  expectLog("host-value", 1, [&](Rank &self) {
    Ref x = self.make({4});
    float host[4] = {1, 2, 3, 4}, back[4] = {};
    self.ok(distrtDeviceWrite(self.context, x.data<float>(), host, 16, "w"));
    self.ok(distrtDeviceRead(self.context, back, x.data<float>(), 16, "r"));
    EXPECT_EQ(back[2], 3);
  });
}

TEST(CallLog, Errors) {
  SKIP_WITHOUT_NCCL();
  auto alone = all(1);
  // What is wrong on one rank alone opens no group and reaches no library.
  expectLog(
      "error-argument", 1,
      [&](Rank &self) {
        Call call(DISTRT_ALL_REDUCE, *alone);
        call.reduction(DISTRT_BAND).operand(DISTRT_F32, self.make({4}));
        distrtFuture *future = nullptr;
        EXPECT_EQ(self.tryStart(call, &future), DISTRT_INVALID_ARGUMENT);
      },
      DISTRT_INVALID_ARGUMENT);
  expectLog(
      "error-aborts-communicators", 1,
      [&](Rank &self) {
        Ref x = self.make({4});
        Call call(DISTRT_ALL_REDUCE, *alone);
        call.operand(DISTRT_F32, x, x);
        self.await(self.start(call)[0], 1, false);
        call.operands[0].dataType = 99;
        distrtFuture *future = nullptr;
        EXPECT_EQ(self.tryStart(call, &future), DISTRT_INVALID_ARGUMENT);
      },
      DISTRT_INVALID_ARGUMENT);
}

TEST(CallLog, AFileThatCannotBeWritten) {
  SKIP_WITHOUT_NCCL();
  testing::internal::CaptureStderr();
  {
    World world(1, [&](distrtWorldOptions &options) {
      options.backend = "nccl";
      options.fakeDevice = true;
      options.callLog = "/nowhere/log";
    });
    world.ok([](distrtContext *, int64_t) { return 0; });
  }
  EXPECT_CONTAINS(testing::internal::GetCapturedStderr(),
                  "dist: cannot write the call log /nowhere/log");
}
