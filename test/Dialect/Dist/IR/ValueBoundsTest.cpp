//===- ValueBoundsTest.cpp - Bounds of sizes and ranks ----------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "Dialect/Dist/IR/Dist.h"
#include "RegisterAll.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::dist;
using presburger::BoundType;
using Bounds = ValueBoundsConstraintSet;

namespace {
class ValueBoundsTest : public ::testing::Test {
protected:
  ValueBoundsTest() {
    DialectRegistry registry;
    mlir::dist::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// Parses the body of a function of `arguments` that returns the values in
  /// question.
  void parse(StringRef arguments, StringRef body) {
    std::string text = ("dist.process_group @late\n"
                        "dist.mesh @m [\"x\" = 2, \"y\" = 3]\n"
                        "func.func @f(" +
                        arguments + ") {\n" + body + "\n  return\n}\n")
                           .str();
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
  }

  /// Result `index` of the last operation `Op`.
  template <typename Op>
  Value last(unsigned index = 0) {
    Value found;
    module->walk([&](Op op) { found = op->getResult(index); });
    return found;
  }
  Value argument(unsigned index) {
    Value found;
    module->walk([&](func::FuncOp op) { found = op.getArgument(index); });
    return found;
  }

  static std::optional<int64_t> bound(BoundType type,
                                      const Bounds::Variable &variable) {
    FailureOr<int64_t> result = Bounds::computeConstantBound(
        type, variable, /*stopCondition=*/nullptr, /*closedUB=*/true);
    return failed(result) ? std::optional<int64_t>() : *result;
  }
  static std::optional<int64_t> lower(const Bounds::Variable &variable) {
    return bound(BoundType::LB, variable);
  }
  static std::optional<int64_t> upper(const Bounds::Variable &variable) {
    return bound(BoundType::UB, variable);
  }
  static bool areEqual(Value lhs, int64_t lhsDim, Value rhs, int64_t rhsDim) {
    FailureOr<bool> equal = Bounds::areEqual({lhs, lhsDim}, {rhs, rhsDim});
    return succeeded(equal) && *equal;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(ValueBoundsTest, RankIsBelowTheSizeOfItsGroup) {
  parse("", "%r = dist.rank on <@m[\"y\"]> : index");
  EXPECT_EQ(lower(last<RankOp>()), 0);
  EXPECT_EQ(upper(last<RankOp>()), 2);
}

TEST_F(ValueBoundsTest, RankOutsideOfATableIsMinusOne) {
  parse("", "%r = dist.rank on <[[1, 3]]> : index");
  EXPECT_EQ(lower(last<RankOp>()), -1);
  EXPECT_EQ(upper(last<RankOp>()), 1);
}

TEST_F(ValueBoundsTest, RankOfTheWorld) {
  parse("", "%r = dist.rank : index");
  EXPECT_EQ(lower(last<RankOp>()), 0);
  EXPECT_EQ(upper(last<RankOp>()), (1 << 22) - 1);
}

TEST_F(ValueBoundsTest, GroupSizeIsItsNumber) {
  parse("", "%r = dist.group_size on <@m[\"y\"]> : index");
  EXPECT_EQ(lower(last<GroupSizeOp>()), 3);
  EXPECT_EQ(upper(last<GroupSizeOp>()), 3);
}

TEST_F(ValueBoundsTest, UnboundGroupHasAMember) {
  parse("", "%r = dist.group_size on <@late> : index");
  EXPECT_EQ(lower(last<GroupSizeOp>()), 1);
  EXPECT_EQ(upper(last<GroupSizeOp>()), 1 << 22);
}

static constexpr StringRef kGather =
    "  %f:2 = dist.all_gather %x, %y dim 0 on <GROUP>\n"
    "      : (tensor<?x?xf32>, tensor<?x4xf32>)\n"
    "      -> !dist.future<tensor<?x?xf32>>, !dist.future<tensor<?x?xf32>>\n"
    "  %r:2 = dist.wait %f#1, %f#0\n"
    "      : !dist.future<tensor<?x?xf32>>, !dist.future<tensor<?x?xf32>>\n"
    "  %n = dist.group_size on <GROUP> : index\n";

static std::string on(StringRef text, StringRef group) {
  std::string result = text.str();
  for (size_t at; (at = result.find("GROUP")) != std::string::npos;)
    result.replace(at, 5, group.str());
  return result;
}

TEST_F(ValueBoundsTest, OtherDimensionsOfAGatherAreTheSources) {
  parse("%x: tensor<?x?xf32>, %y: tensor<?x4xf32>", on(kGather, "@late"));
  EXPECT_TRUE(areEqual(last<WaitOp>(1), 1, argument(0), 1));
  EXPECT_EQ(lower({last<WaitOp>(0), 1}), 4);
  EXPECT_EQ(upper({last<WaitOp>(0), 1}), 4);
}

TEST_F(ValueBoundsTest, GatheredDimensionIsAtLeastTheSource) {
  parse("%x: tensor<?x?xf32>, %y: tensor<?x4xf32>", on(kGather, "@late"));
  EXPECT_TRUE(Bounds::compare({last<WaitOp>(1), 0}, Bounds::GE,
                              {argument(0), 0}));
  EXPECT_FALSE(areEqual(last<WaitOp>(1), 0, argument(0), 0));
}

TEST_F(ValueBoundsTest, GatheredDimensionIsTheSourceTimesTheGroup) {
  parse("%x: tensor<?x?xf32>, %y: tensor<?x4xf32>",
        on(kGather, "[[0, 1, 2]]"));
  AffineExpr size = getAffineDimExpr(0, &context);
  Bounds::Variable expected(AffineMap::get(1, 0, size * 3),
                            ArrayRef<Bounds::Variable>{{argument(0), 0}});
  EXPECT_TRUE(Bounds::compare({last<WaitOp>(1), 0}, Bounds::EQ, expected));
}

TEST_F(ValueBoundsTest, ScatteredDimensionIsTheSourceOverTheGroup) {
  parse("%x: tensor<?xf32>, %n: index",
        "  %e = tensor.empty(%n) : tensor<?xf32>\n"
        "  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>\n"
        "      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>\n"
        "  %r = dist.wait %f : !dist.future<tensor<?xf32>>");
  AffineExpr size = getAffineDimExpr(0, &context);
  Bounds::Variable expected(AffineMap::get(1, 0, size.floorDiv(2)),
                            ArrayRef<Bounds::Variable>{{argument(0), 0}});
  EXPECT_TRUE(Bounds::compare({last<WaitOp>(), 0}, Bounds::EQ, expected));
}

TEST_F(ValueBoundsTest, ExchangedDimensions) {
  parse("%x: tensor<?x?xf32>",
        "  %f = dist.all_to_all %x split_dim 0 concat_dim 1 on <[[0, 1]]>\n"
        "      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>\n"
        "  %r = dist.wait %f : !dist.future<tensor<?x?xf32>>");
  AffineExpr size = getAffineDimExpr(0, &context);
  Bounds::Variable cut(AffineMap::get(1, 0, size.floorDiv(2)),
                       ArrayRef<Bounds::Variable>{{argument(0), 0}});
  Bounds::Variable joined(AffineMap::get(1, 0, size * 2),
                          ArrayRef<Bounds::Variable>{{argument(0), 1}});
  EXPECT_TRUE(Bounds::compare({last<WaitOp>(), 0}, Bounds::EQ, cut));
  EXPECT_TRUE(Bounds::compare({last<WaitOp>(), 1}, Bounds::EQ, joined));
}

TEST_F(ValueBoundsTest, ReducedSizeIsTheSources) {
  parse("%x: tensor<?xf32>",
        "  %f = dist.all_reduce sum %x on <@late>\n"
        "      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>\n"
        "  %r = dist.wait %f : !dist.future<tensor<?xf32>>");
  EXPECT_TRUE(areEqual(last<WaitOp>(), 0, argument(0), 0));
}

TEST_F(ValueBoundsTest, InPlaceResultIsItsDestination) {
  parse("%x: tensor<?xf32>, %out: tensor<?xf32>",
        "  %r = dist.all_gather_into %x into %out dim 0 on <@late>\n"
        "      : (tensor<?xf32>) into (tensor<?xf32>) -> tensor<?xf32>");
  EXPECT_TRUE(areEqual(last<AllGatherIntoOp>(), 0, argument(1), 0));
}

TEST_F(ValueBoundsTest, NamedDestinationOfAFuture) {
  parse("%x: memref<?xf32>, %out: memref<?xf32>",
        "  %f = dist.all_gather %x into %out dim 0 on <@late>\n"
        "      : (memref<?xf32>) into (memref<?xf32>)\n"
        "      -> !dist.future<memref<?xf32>>\n"
        "  %r = dist.wait %f into(%out : memref<?xf32>)\n"
        "      : !dist.future<memref<?xf32>>");
  EXPECT_TRUE(areEqual(last<WaitOp>(), 0, argument(1), 0));
}

TEST_F(ValueBoundsTest, FutureFromElsewhereSaysNothing) {
  parse("%x: tensor<?xf32>, %f: !dist.future<tensor<?xf32>>",
        "  %r = dist.wait %f : !dist.future<tensor<?xf32>>");
  EXPECT_EQ(upper({last<WaitOp>(), 0}), std::nullopt);
}
