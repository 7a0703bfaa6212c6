//===- CallFuturesTest.cpp - Futures across the C interface -----*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls compiled functions that take or return futures, as docs/runtime-abi.md
// says, on two ranks that are checked for races and leaks.
//
//===----------------------------------------------------------------------===//

#include "../Runtime/TestSupport.h"
#include "RegisterAll.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"
#include <array>
#include <functional>

using namespace mlir;

static constexpr const char *kProgram = R"mlir(
  func.func @start(%x: tensor<2xf32>) -> !dist.future<tensor<2xf32>> {
    %f = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    return %f : !dist.future<tensor<2xf32>>
  }
  func.func @finish(%f: !dist.future<tensor<2xf32>>) -> tensor<2xf32> {
    %y = dist.wait %f : !dist.future<tensor<2xf32>>
    %z = arith.addf %y, %y : tensor<2xf32>
    return %z : tensor<2xf32>
  }
  func.func @start_both(%x: tensor<2xf32>)
      -> (!dist.future<tensor<2xf32>>, f32, !dist.future<tensor<2xf32>>) {
    %c0 = arith.constant 0 : index
    %f = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %first = tensor.extract %x[%c0] : tensor<2xf32>
    return %f, %first, %f
        : !dist.future<tensor<2xf32>>, f32, !dist.future<tensor<2xf32>>
  }
  func.func @ignore(%f: !dist.future<tensor<2xf32>>) {
    return
  }
  func.func private @consume(!dist.future<tensor<2xf32>>) -> f32
  func.func @hand_out(%x: tensor<2xf32>) -> f32 {
    %f = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %r = call @consume(%f) : (!dist.future<tensor<2xf32>>) -> f32
    return %r : f32
  }
  func.func private @produce() -> !dist.future<tensor<2xf32>>
  func.func @take_in() -> tensor<2xf32> {
    %f = call @produce() : () -> !dist.future<tensor<2xf32>>
    %y = dist.wait %f : !dist.future<tensor<2xf32>>
    return %y : tensor<2xf32>
  }
)mlir";

using Values = std::array<float, 2>;

namespace {
/// The descriptor of a memref of one dimension.
struct Vector {
  float *allocated = nullptr, *aligned = nullptr;
  int64_t offset = 0, sizes[1] = {0}, strides[1] = {1};

  static Vector of(float *data, int64_t size) {
    return {data, data, 0, {size}, {1}};
  }
  Values take() {
    Values values = {aligned[offset], aligned[offset + 1]};
    _mlir_memref_to_llvm_free(allocated);
    return values;
  }
};

struct StartBothResult {
  distrtFuture *first;
  float scalar;
  distrtFuture *second;
};

/// Starts a max over both ranks as a caller written in C would.
distrtFuture *startMax(Vector &source) {
  static ::dist::test::Group everyone({{0, 1}});
  distrtCallSite site = {};
  site.structSize = sizeof(site);
  site.group = everyone.get();
  site.location = "caller";
  site.reduction = DISTRT_MAX;
  distrtOperand operand = {};
  operand.structSize = sizeof(operand);
  operand.dataType = DISTRT_F32;
  operand.rank = 1;
  operand.source = &source;
  distrtFuture *future = nullptr;
  EXPECT_EQ(
      distrtAllReduce(distrtContextCurrent(), &site, &operand, 1, &future),
      DISTRT_OK);
  return future;
}

/// What the program calls: waits and adds up.
float consume(distrtFuture *future) {
  Vector result;
  distrtFutureWait(distrtContextCurrent(), future, &result, 1, "consume");
  Values values = result.take();
  return values[0] + values[1];
}

/// What the program calls: hands out a future. Its source stays alive.
distrtFuture *produce() {
  thread_local float data[2];
  thread_local Vector source = Vector::of(data, 2);
  data[0] = 1.0f + distrtRank(distrtContextCurrent());
  data[1] = 5.0f;
  return startMax(source);
}

class CallFutures : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    DialectRegistry registry;
    mlir::dist::registerAllDialects(registry);
    registerAllToLLVMIRTranslations(registry);
    mlir::dist::registerAllPasses();
    context = new MLIRContext(registry);
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(kProgram, context);
    ASSERT_TRUE(module);
    PassManager passes(context);
    ASSERT_TRUE(succeeded(parsePassPipeline("dist-to-llvm", passes)));
    ASSERT_TRUE(succeeded(passes.run(*module)));
    auto created = ExecutionEngine::create(*module);
    ASSERT_TRUE(static_cast<bool>(created));
    engine = created->release();
    engine->registerSymbols([](llvm::orc::MangleAndInterner interner) {
      llvm::orc::SymbolMap symbols;
      symbols[interner("consume")] = {
          llvm::orc::ExecutorAddr::fromPtr(&consume),
          llvm::JITSymbolFlags::Exported};
      symbols[interner("produce")] = {
          llvm::orc::ExecutorAddr::fromPtr(&produce),
          llvm::JITSymbolFlags::Exported};
      return symbols;
    });
  }
  static void TearDownTestSuite() {
    delete engine;
    delete context;
  }

  /// The C interface of function `name`.
  template <typename Function>
  static Function *lookup(const char *name) {
    auto address = engine->lookup(std::string("_mlir_ciface_") + name);
    EXPECT_TRUE(static_cast<bool>(address)) << name;
    return reinterpret_cast<Function *>(*address);
  }

  using Body = std::function<void(distrtContext *, int64_t rank)>;

  /// Runs `body` on two ranks in checked mode; the status of the run.
  static int run(const Body &body) {
    distrtWorldOptions options;
    distrtWorldOptionsInit(&options);
    options.numRanks = 2;
    options.checked = true;
    distrtWorld *world = nullptr;
    EXPECT_EQ(distrtWorldCreate(&options, &world), DISTRT_OK);
    int status = distrtWorldRun(
        world,
        [](distrtContext *context, void *user) -> int {
          (*static_cast<const Body *>(user))(context, distrtRank(context));
          return DISTRT_OK;
        },
        const_cast<Body *>(&body));
    distrtWorldDestroy(world);
    return status;
  }

  static MLIRContext *context;
  static ExecutionEngine *engine;
};
} // namespace

MLIRContext *CallFutures::context = nullptr;
ExecutionEngine *CallFutures::engine = nullptr;

TEST_F(CallFutures, ReturnedFutureIsWaitedForByTheCaller) {
  auto *start = lookup<distrtFuture *(Vector *)>("start");
  Values found[2];
  EXPECT_EQ(run([&](distrtContext *context, int64_t rank) {
              float data[] = {1.0f + rank, 2.0f};
              Vector source = Vector::of(data, 2);
              distrtFuture *future = start(&source);
              // The source is the caller's again as soon as the call returns.
              data[0] = data[1] = -1.0f;
              Vector result;
              distrtFutureWait(context, future, &result, 1, "caller");
              found[rank] = result.take();
            }),
            DISTRT_OK);
  for (const Values &values : found)
    EXPECT_EQ(values, (Values{3.0f, 4.0f}));
}

TEST_F(CallFutures, FutureGoesFromOneFunctionToAnother) {
  auto *start = lookup<distrtFuture *(Vector *)>("start");
  auto *finish = lookup<void(Vector *, distrtFuture *)>("finish");
  Values found[2];
  EXPECT_EQ(run([&](distrtContext *, int64_t rank) {
              float data[] = {1.0f + rank, 2.0f};
              Vector source = Vector::of(data, 2), result;
              finish(&result, start(&source));
              found[rank] = result.take();
            }),
            DISTRT_OK);
  for (const Values &values : found)
    EXPECT_EQ(values, (Values{6.0f, 8.0f}));
}

TEST_F(CallFutures, FutureOfTheCallerIsConsumedByTheCallee) {
  auto *finish = lookup<void(Vector *, distrtFuture *)>("finish");
  Values found[2];
  EXPECT_EQ(run([&](distrtContext *, int64_t rank) {
              float data[] = {1.0f + rank, 2.0f};
              Vector source = Vector::of(data, 2), result;
              finish(&result, startMax(source));
              found[rank] = result.take();
            }),
            DISTRT_OK);
  for (const Values &values : found)
    EXPECT_EQ(values, (Values{4.0f, 4.0f}));
}

TEST_F(CallFutures, FunctionWithoutBodyConsumesWhatItTakes) {
  auto *handOut = lookup<float(Vector *)>("hand_out");
  float found[2];
  EXPECT_EQ(run([&](distrtContext *, int64_t rank) {
              float data[] = {1.0f + rank, 2.0f};
              Vector source = Vector::of(data, 2);
              found[rank] = handOut(&source);
            }),
            DISTRT_OK);
  EXPECT_EQ(found[0], 7.0f);
  EXPECT_EQ(found[1], 7.0f);
}

TEST_F(CallFutures, FunctionWithoutBodyReturnsAReference) {
  auto *takeIn = lookup<void(Vector *)>("take_in");
  Values found[2];
  EXPECT_EQ(run([&](distrtContext *, int64_t rank) {
              Vector result;
              takeIn(&result);
              found[rank] = result.take();
            }),
            DISTRT_OK);
  for (const Values &values : found)
    EXPECT_EQ(values, (Values{2.0f, 5.0f}));
}

TEST_F(CallFutures, EachReturnedFutureIsAReferenceOfItsOwn) {
  auto *start = lookup<void(StartBothResult *, Vector *)>("start_both");
  Values found[2];
  float scalars[2];
  EXPECT_EQ(run([&](distrtContext *context, int64_t rank) {
              float data[] = {1.0f + rank, 2.0f};
              Vector source = Vector::of(data, 2), result;
              StartBothResult both;
              start(&both, &source);
              scalars[rank] = both.scalar;
              distrtFutureDrop(context, both.first, "caller");
              distrtFutureWait(context, both.second, &result, 1, "caller");
              found[rank] = result.take();
            }),
            DISTRT_OK);
  for (int rank = 0; rank < 2; ++rank) {
    EXPECT_EQ(found[rank], (Values{3.0f, 4.0f}));
    EXPECT_EQ(scalars[rank], 1.0f + rank);
  }
}

TEST_F(CallFutures, ArgumentThatIsNotWaitedForIsDropped) {
  auto *start = lookup<distrtFuture *(Vector *)>("start");
  auto *ignore = lookup<void(distrtFuture *)>("ignore");
  EXPECT_EQ(run([&](distrtContext *, int64_t) {
              float data[] = {1.0f, 2.0f};
              Vector source = Vector::of(data, 2);
              ignore(start(&source));
            }),
            DISTRT_OK);
}

TEST_F(CallFutures, FutureThatNobodyConsumesIsALeak) {
  auto *start = lookup<distrtFuture *(Vector *)>("start");
  EXPECT_EQ(run([&](distrtContext *, int64_t) {
              float data[] = {1.0f, 2.0f};
              Vector source = Vector::of(data, 2);
              (void)start(&source);
            }),
            DISTRT_LEAK);
}
