//===- BuildersTest.cpp - What an embedder builds with ----------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "Dialect/Dist/IR/Dist.h"
#include "Dialect/Dist/Utils/Collectives.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::dist;

namespace {
class BuildersTest : public ::testing::Test {
protected:
  BuildersTest() : builder(&context), loc(UnknownLoc::get(&context)) {
    context.loadDialect<DistDialect, func::FuncDialect>();
    module = ModuleOp::create(loc);
    builder.setInsertionPointToStart(module->getBody());
    MeshOp::create(
        builder, loc, "m",
        builder.getArrayAttr(
            {MeshAxisAttr::get(&context, builder.getStringAttr("x"), 2),
             MeshAxisAttr::get(&context, builder.getStringAttr("y"), 4)}),
        DenseI64ArrayAttr());
    ProcessGroupOp::create(builder, loc, "late", IntegerAttr(), GroupAttr());
  }

  /// A function of `types`, whose body the builder then adds to.
  Block::BlockArgListType addFunction(TypeRange types) {
    auto function = func::FuncOp::create(
        builder, loc, "f", builder.getFunctionType(types, TypeRange()));
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToStart(body);
    func::ReturnOp::create(builder, loc);
    builder.setInsertionPointToStart(body);
    return body->getArguments();
  }
  RankedTensorType tensor(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, builder.getF32Type());
  }
  MemRefType memref(ArrayRef<int64_t> shape) {
    return MemRefType::get(shape, builder.getF32Type());
  }
  GroupAttr along(StringRef axis) {
    return GroupAttr::getMesh(&context, "m", axis);
  }

  MLIRContext context;
  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(BuildersTest, StartsInferTheirFutures) {
  auto args = addFunction({tensor({8, 3}), tensor({ShapedType::kDynamic, 3})});
  auto gather =
      AllGatherOp::create(builder, loc, ValueRange(args), 0, along("y"));
  EXPECT_EQ(gather.getFutures()[0].getType(), FutureType::get(tensor({32, 3})));
  EXPECT_EQ(gather.getFutures()[1].getType(),
            FutureType::get(tensor({ShapedType::kDynamic, 3})));
  auto reduce = AllReduceOp::create(builder, loc, ValueRange(args),
                                    Reduction::Max, along("x"));
  EXPECT_EQ(reduce.getFutures()[0].getType(), FutureType::get(tensor({8, 3})));
  EXPECT_EQ(reduce.getReduction(), Reduction::Max);
  auto scatter = ReduceScatterOp::create(builder, loc, args[0], Reduction::Sum,
                                         0, along("x"));
  EXPECT_EQ(scatter.getFutures()[0].getType(), FutureType::get(tensor({4, 3})));
  auto broadcast =
      BroadcastOp::create(builder, loc, args[0], 1,
                          GroupAttr::getTable(&context, {{3, 5}}, "params"));
  EXPECT_EQ(broadcast.getFutures()[0].getType(),
            FutureType::get(tensor({8, 3})));
  EXPECT_EQ(broadcast.getGroup().getTagOrEmpty(), "params");
  auto exchange =
      AllToAllOp::create(builder, loc, ValueRange(args), 0, 1, along("y"));
  EXPECT_EQ(exchange.getFutures()[0].getType(),
            FutureType::get(tensor({2, 12})));
  EXPECT_EQ(exchange.getFutures()[1].getType(),
            FutureType::get(tensor({ShapedType::kDynamic, 12})));
  auto permute =
      PermuteOp::create(builder, loc, args[0], {0, 1, 1, 0}, along("x"));
  EXPECT_EQ(permute.getFutures()[0].getType(), FutureType::get(tensor({8, 3})));
  EXPECT_EQ(permute.getPairs(), ArrayRef<int64_t>({0, 1, 1, 0}));
  auto rooted = ReduceOp::create(builder, loc, ValueRange(args), Reduction::Avg,
                                 3, along("y"));
  EXPECT_EQ(rooted.getFutures()[1].getType(),
            FutureType::get(tensor({ShapedType::kDynamic, 3})));
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(BuildersTest, UnboundGroupGivesADynamicSize) {
  auto args = addFunction({tensor({8})});
  auto gather = AllGatherOp::create(
      builder, loc, args[0], 0, GroupAttr::getProcessGroup(&context, "late"));
  EXPECT_EQ(gather.getFutures()[0].getType(),
            FutureType::get(tensor({ShapedType::kDynamic})));
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(BuildersTest, WithoutABlockThereAreNoSymbols) {
  auto args = addFunction({tensor({8})});
  OpBuilder detached(&context);
  auto gather = AllGatherOp::create(detached, loc, args[0], 0, along("y"));
  EXPECT_EQ(gather.getFutures()[0].getType(),
            FutureType::get(tensor({ShapedType::kDynamic})));
  gather->destroy();
}

TEST_F(BuildersTest, DestinationsDecideFuturesAndResults) {
  auto args = addFunction({memref({8}), memref({32}), tensor({8}), tensor({32}),
                           memref({2}), memref({2})});
  auto gather =
      AllGatherOp::create(builder, loc, args[0], args[1], 0, along("y"));
  EXPECT_EQ(gather.getFutures()[0].getType(), FutureType::get(memref({32})));
  auto wait = WaitOp::create(builder, loc, gather.getFutures()[0]);
  EXPECT_EQ(wait.getResults()[0].getType(), memref({32}));
  auto inPlace =
      AllGatherIntoOp::create(builder, loc, args[2], args[3], 0, along("y"));
  EXPECT_EQ(inPlace.getResults()[0].getType(), tensor({32}));
  auto buffers =
      AllGatherIntoOp::create(builder, loc, args[0], args[1], 0, along("y"));
  EXPECT_TRUE(buffers.getResults().empty());
  AllReduceOp::create(builder, loc, args[0], args[0], Reduction::Sum,
                      along("y"));
  AllReduceIntoOp::create(builder, loc, args[2], args[2], Reduction::Avg,
                          along("x"));
  ReduceScatterOp::create(builder, loc, args[0], args[4], Reduction::Sum, 0,
                          along("y"));
  ReduceScatterIntoOp::create(builder, loc, args[3], args[2], Reduction::Sum, 0,
                              along("y"));
  BroadcastOp::create(builder, loc, args[0], args[0], 0, along("x"));
  BroadcastIntoOp::create(builder, loc, args[0], args[0], 0, along("x"));
  auto other = AllReduceIntoOp::create(builder, loc, args[2], args[2],
                                       Reduction::Max, along("x"));
  AllToAllIntoOp::create(builder, loc, args[2], other.getResults()[0], 0, 0,
                         along("x"));
  AllToAllOp::create(builder, loc, args[4], args[5], 0, 0, along("x"));
  PermuteOp::create(builder, loc, args[0], args[0], {0, 1}, along("x"));
  PermuteIntoOp::create(builder, loc, args[2], args[2], {1, 0}, along("x"));
  ReduceOp::create(builder, loc, args[0], args[0], Reduction::Sum, 1,
                   along("x"));
  ReduceIntoOp::create(builder, loc, args[2], args[2], Reduction::Sum, 1,
                       along("x"));
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(BuildersTest, WaitReturnsPayloadsAndKeepsSources) {
  auto args = addFunction({tensor({8}), tensor({4, 2})});
  auto start = AllReduceOp::create(builder, loc, ValueRange(args),
                                   Reduction::Sum, along("x"));
  auto wait =
      WaitOp::create(builder, loc, start.getFutures(), ValueRange(args));
  EXPECT_EQ(wait.getResultTypes(), TypeRange(ValueRange(args)));
  EXPECT_EQ(wait.getKeeps().size(), 2u);
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(BuildersTest, OneInterfaceServesAll) {
  auto args = addFunction({tensor({8}), tensor({32})});
  CollectiveOpInterface start =
      AllGatherOp::create(builder, loc, args[0], 0, along("y"));
  EXPECT_TRUE(start.isStart());
  EXPECT_EQ(start.getFuture(0), start->getResult(0));
  EXPECT_EQ(start.getPayloadType(0), tensor({32}));
  EXPECT_EQ(start.getCollectiveDim(), 0);
  EXPECT_EQ(start.getCollectiveReduction(), std::nullopt);
  // NCCL's convention: what a gather gives, what a scatter takes.
  EXPECT_EQ(getCollectiveBytes(start, 0), 4 * 32);
  CollectiveOpInterface inPlace = ReduceScatterIntoOp::create(
      builder, loc, args[1], args[0], Reduction::Product, 0, along("y"));
  EXPECT_FALSE(inPlace.isStart());
  EXPECT_EQ(inPlace.getPayloadType(0), tensor({8}));
  EXPECT_EQ(inPlace.getCollectiveReduction(), Reduction::Product);
  EXPECT_EQ(getCollectiveBytes(inPlace, 0), 4 * 32);
  EXPECT_EQ(inPlace.getCollectiveConcatDim(), std::nullopt);
  EXPECT_TRUE(inPlace.getCollectivePairs().empty());
  CollectiveOpInterface exchange =
      AllToAllOp::create(builder, loc, args[1], 0, 0, along("y"));
  EXPECT_EQ(exchange.getCollectiveDim(), 0);
  EXPECT_EQ(exchange.getCollectiveConcatDim(), 0);
  EXPECT_EQ(getCollectiveBytes(exchange, 0), 4 * 32);
  CollectiveOpInterface permute =
      PermuteIntoOp::create(builder, loc, args[0], args[0], {1, 0}, along("x"));
  EXPECT_EQ(permute.getCollectivePairs(), ArrayRef<int64_t>({1, 0}));
  EXPECT_EQ(getCollectiveBytes(permute, 0), 4 * 8);
  CollectiveOpInterface reduce =
      ReduceOp::create(builder, loc, args[0], Reduction::Min, 1, along("x"));
  EXPECT_EQ(reduce.getCollectiveRoot(), 1);
  EXPECT_EQ(reduce.getCollectiveReduction(), Reduction::Min);
}

TEST_F(BuildersTest, InferredSizes) {
  int64_t dynamic = ShapedType::kDynamic;
  auto infer = [](CollectiveKind kind, ArrayRef<int64_t> source, int64_t dim,
                  std::optional<int64_t> size) {
    return inferCollectiveShape({kind, dim}, source, size);
  };
  using Shape = SmallVector<int64_t>;
  EXPECT_EQ(infer(CollectiveKind::AllGather, {4, 3}, 1, 5), Shape({4, 15}));
  EXPECT_EQ(infer(CollectiveKind::AllGather, {4, 3}, 0, std::nullopt),
            Shape({dynamic, 3}));
  // Nothing from each of any number of members is nothing.
  EXPECT_EQ(infer(CollectiveKind::AllGather, {0}, 0, std::nullopt), Shape({0}));
  EXPECT_EQ(infer(CollectiveKind::ReduceScatter, {0}, 0, 3), Shape({0}));
  EXPECT_EQ(infer(CollectiveKind::ReduceScatter, {dynamic, 6}, 1, 3),
            Shape({dynamic, 2}));
  EXPECT_EQ(infer(CollectiveKind::AllGather, {int64_t(1) << 62}, 0, 4),
            Shape({dynamic}));
}
