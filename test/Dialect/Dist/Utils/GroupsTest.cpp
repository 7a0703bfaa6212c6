//===- GroupsTest.cpp - Who is in a group -----------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Utils/Groups.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::dist;

namespace {
class GroupsTest : public ::testing::Test {
protected:
  GroupsTest() { context.loadDialect<DistDialect>(); }

  /// A module with the declarations `text`.
  OwningOpRef<ModuleOp> parse(StringRef text) {
    return parseSourceString<ModuleOp>(text, &context);
  }
  GroupAttr group(StringRef text) {
    return dyn_cast_or_null<GroupAttr>(
        parseAttribute(("#dist.group" + text).str(), &context));
  }

  MLIRContext context;
};

using Lists = std::vector<std::vector<int64_t>>;

Lists toLists(const RankTable &table) {
  Lists lists;
  for (int64_t i = 0; i < table.getNumGroups(); ++i)
    lists.emplace_back(table.getGroup(i).begin(), table.getGroup(i).end());
  return lists;
}

Lists toLists(const llvm::json::Array &json) {
  Lists lists;
  for (const llvm::json::Value &list : json) {
    lists.emplace_back();
    for (const llvm::json::Value &rank : *list.getAsArray())
      lists.back().push_back(*rank.getAsInteger());
  }
  return lists;
}
} // namespace

/// The facts of test/cases: meshes with and without device ids, ordered axes,
/// sub-axes.
TEST_F(GroupsTest, ExpandsTheMeshesOfTheCases) {
  auto buffer =
      llvm::MemoryBuffer::getFile(DIST_TEST_CASES "/collectives.json");
  ASSERT_TRUE(buffer);
  llvm::Expected<llvm::json::Value> json =
      llvm::json::parse((*buffer)->getBuffer());
  ASSERT_TRUE(static_cast<bool>(json)) << llvm::toString(json.takeError());
  const llvm::json::Array *cases =
      json->getAsObject()->getArray("mesh_axes_group_cases");
  ASSERT_TRUE(cases && !cases->empty());
  for (const llvm::json::Value &value : *cases) {
    const llvm::json::Object &fact = *value.getAsObject();
    SCOPED_TRACE(fact.getString("id")->str());
    Builder builder(&context);
    SmallVector<Attribute> axes;
    for (const llvm::json::Value &axis : *fact.getArray("mesh")) {
      const llvm::json::Object &object = *axis.getAsObject();
      axes.push_back(MeshAxisAttr::get(
          &context, builder.getStringAttr(*object.getString("axis")),
          *object.getInteger("size")));
    }
    DenseI64ArrayAttr deviceIds;
    if (const llvm::json::Array *ids = fact.getArray("device_ids")) {
      SmallVector<int64_t> list;
      for (const llvm::json::Value &id : *ids)
        list.push_back(*id.getAsInteger());
      deviceIds = builder.getDenseI64ArrayAttr(list);
    }
    SmallVector<AxisRefAttr> refs;
    for (const llvm::json::Value &axis : *fact.getArray("axes")) {
      if (std::optional<StringRef> name = axis.getAsString()) {
        refs.push_back(AxisRefAttr::get(&context, *name));
        continue;
      }
      const llvm::json::Object &object = *axis.getAsObject();
      refs.push_back(AxisRefAttr::get(
          &context, builder.getStringAttr(*object.getString("axis")),
          *object.getInteger("pre_size"), *object.getInteger("size")));
    }
    OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
    OpBuilder body = OpBuilder::atBlockBegin(module->getBody());
    MeshOp::create(body, builder.getUnknownLoc(), "m",
                   builder.getArrayAttr(axes), deviceIds);
    ASSERT_TRUE(succeeded(verify(*module)));
    auto group = GroupAttr::get(&context, GroupKind::Mesh,
                                FlatSymbolRefAttr::get(&context, "m"), refs,
                                ArrayRef<int64_t>(), 0, StringAttr());
    FailureOr<RankTable> table = expandGroups(group, *module);
    ASSERT_TRUE(succeeded(table));
    Lists expected = toLists(*fact.getArray("expected_groups"));
    EXPECT_EQ(toLists(*table), expected);
    EXPECT_EQ(getGroupSize(group, *module), int64_t(expected.front().size()));
    EXPECT_TRUE(coversWorld(group, *module));
  }
}

TEST_F(GroupsTest, EqualExpansionsAreOneCommunicator) {
  OwningOpRef<ModuleOp> module = parse(R"(
    dist.mesh @m ["x" = 2, "y" = 2]
    dist.mesh @p ["x" = 2, "y" = 2] device_ids [0, 2, 1, 3]
    dist.process_group @bound ranks [[0, 1], [2, 3]]
    dist.process_group @late size 2
    dist.process_group @other size 2
  )");
  ASSERT_TRUE(module);
  auto same = [&](StringRef lhs, StringRef rhs) {
    return isSameCommunicator(group(lhs), group(rhs), *module);
  };
  EXPECT_TRUE(same("<@m[\"y\"]>", "<[[0, 1], [2, 3]]>"));
  EXPECT_TRUE(same("<@m[\"y\"]>", "<@bound>"));
  EXPECT_TRUE(same("<@m[\"y\"]>", "<@p[\"x\"]>"));
  // The order of lists has no meaning, that of members has.
  EXPECT_TRUE(same("<[[2, 3], [0, 1]]>", "<@bound>"));
  EXPECT_FALSE(same("<[[1, 0], [2, 3]]>", "<@bound>"));
  EXPECT_FALSE(same("<@m[\"x\", \"y\"]>", "<@m[\"y\", \"x\"]>"));
  EXPECT_FALSE(same("<[[0, 1]]>", "<@bound>"));
  // Tags.
  EXPECT_FALSE(same("<@bound, tag = \"a\">", "<@bound>"));
  EXPECT_TRUE(same("<@bound, tag = \"a\">", "<@m[\"y\"], tag = \"a\">"));
  // What is not bound is its own, but may turn out to be any.
  EXPECT_TRUE(same("<@late>", "<@late>"));
  EXPECT_FALSE(same("<@late>", "<@other>"));
  EXPECT_FALSE(same("<@late>", "<@bound>"));
  EXPECT_TRUE(
      mayBeSameCommunicator(group("<@late>"), group("<@bound>"), *module));
  EXPECT_FALSE(
      mayBeSameCommunicator(group("<@m[\"x\"]>"), group("<@bound>"), *module));
}

TEST_F(GroupsTest, SizesAndWorld) {
  OwningOpRef<ModuleOp> module = parse(R"(
    dist.mesh @m ["x" = 2, "y" = 2]
    dist.process_group @late
    dist.process_group @sized size 3
  )");
  ASSERT_TRUE(module);
  EXPECT_EQ(getGroupSize(group("<[[4, 5, 6]]>"), *module), 3);
  EXPECT_EQ(getGroupSize(group("<@sized>"), *module), 3);
  EXPECT_EQ(getGroupSize(group("<@late>"), *module), std::nullopt);
  EXPECT_EQ(getGroupSize(group("<@nowhere>"), *module), std::nullopt);
  EXPECT_EQ(getGroupSize(group("<@m[\"z\"]>"), *module), std::nullopt);
  EXPECT_EQ(getWorldSize(*module), 4);
  EXPECT_TRUE(coversWorld(group("<[[0], [1], [3], [2]]>"), *module));
  EXPECT_FALSE(coversWorld(group("<[[0], [1]]>"), *module));
  EXPECT_FALSE(coversWorld(group("<[[0], [1], [2], [4]]>"), *module));
  EXPECT_FALSE(coversWorld(group("<@late>"), *module));
  FailureOr<RankTable> late = expandGroups(group("<@late>"), *module);
  ASSERT_TRUE(succeeded(late));
  EXPECT_FALSE(late->isBound());
  EXPECT_EQ(late->getNumGroups(), 0);
  OwningOpRef<ModuleOp> empty = parse("module {}");
  EXPECT_EQ(getWorldSize(*empty), std::nullopt);
  EXPECT_FALSE(coversWorld(group("<[[0]]>"), *empty));
}

/// A mesh that the verifier has not seen must not divide by zero.
TEST_F(GroupsTest, MalformedMeshIsAFailure) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  OpBuilder builder = OpBuilder::atBlockBegin(module->getBody());
  MeshOp::create(builder, builder.getUnknownLoc(), "m",
                 builder.getArrayAttr({MeshAxisAttr::get(
                     &context, builder.getStringAttr("x"), 0)}),
                 DenseI64ArrayAttr());
  EXPECT_TRUE(failed(expandGroups(group("<@m[\"x\"]>"), *module)));
  EXPECT_EQ(getGroupSize(group("<@m[]>"), *module), std::nullopt);
}
