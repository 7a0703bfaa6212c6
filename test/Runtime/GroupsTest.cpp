//===- GroupsTest.cpp - process groups ------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

#include <atomic>

using namespace dist::test;

static int groupSize(distrtContext *context, const distrtGroupDesc *group,
                     int64_t *size) {
  return distrtGroupSize(context, group, "g.mlir:1:1", size);
}

/// Status and message of a use of `group` in a world of four.
static void expectRefused(const distrtGroupDesc *group, int status,
                          std::vector<std::string> parts) {
  World world(4);
  world.run([&](distrtContext *context, int64_t) {
    int64_t size = -7;
    EXPECT_EQ(groupSize(context, group, &size), status);
    EXPECT_EQ(size, -7);
    std::string message = distrtContextMessage(context);
    for (const std::string &part : parts)
      EXPECT_CONTAINS(message, part);
    EXPECT_EQ(message.find('\n'), std::string::npos);
    return 0;
  });
  // As part of a collective it ends the rank.
  World second(4);
  EXPECT_EQ(second.run([&](distrtContext *context, int64_t) {
    float x = 0;
    Group any({{0}});
    distrtFuture *future;
    Call call(DISTRT_ALL_REDUCE, any);
    call.site.group = group;
    return call.operand(DISTRT_F32, Ref(&x, {})).start(context, &future);
  }),
            status);
  for (const std::string &part : parts)
    if (part != "g.mlir:1:1")
      EXPECT_CONTAINS(second.message(), part);
}

TEST_ON_BACKENDS(Groups, RankAndSize) {
  World world(4);
  Group group({{3, 1}, {0, 2}}), part({{2, 1}});
  world.ok([&](distrtContext *context, int64_t rank) {
    EXPECT_EQ(distrtContextCurrent(), context);
    EXPECT_EQ(distrtRank(context), rank);
    EXPECT_EQ(distrtWorldSize(context), 4);
    int64_t position, size;
    EXPECT_EQ(distrtGroupRank(context, group.get(), nullptr, &position), 0);
    EXPECT_EQ(position, rank == 3 || rank == 0 ? 0 : 1);
    EXPECT_EQ(groupSize(context, group.get(), &size), 0);
    EXPECT_EQ(size, 2);
    EXPECT_EQ(distrtGroupRank(context, part.get(), nullptr, &position), 0);
    EXPECT_EQ(position, rank == 2 ? 0 : rank == 1 ? 1 : -1);
    EXPECT_EQ(groupSize(context, part.get(), &size), 0);
    EXPECT_EQ(size, 2);
    return 0;
  });
  EXPECT_EQ(distrtContextCurrent(), nullptr);
}

TEST_ON_BACKENDS(Groups, Invalid) {
  Group duplicate({{0, 1, 1}}), across({{0, 1}, {1, 2}}), range({{0, 4}}),
      negative({{-1, 0}}), empty({}), large({{0, 1, 2, 3}, {0, 1, 2, 3}});
  expectRefused(duplicate.get(), DISTRT_INVALID_ARGUMENT,
                {"@g", "duplicate rank 1", "g.mlir:1:1"});
  expectRefused(across.get(), DISTRT_INVALID_ARGUMENT,
                {"@g", "duplicate rank 1"});
  expectRefused(range.get(), DISTRT_INVALID_ARGUMENT,
                {"@g", "rank 4", "out of range", "world of 4"});
  expectRefused(negative.get(), DISTRT_INVALID_ARGUMENT, {"@g", "rank -1"});
  expectRefused(empty.get(), DISTRT_INVALID_ARGUMENT, {"@g", "no members"});
  expectRefused(large.get(), DISTRT_INVALID_ARGUMENT, {"@g", "world of 4"});
  Group mesh({{0, 1}});
  mesh->worldSize = 8;
  expectRefused(mesh.get(), DISTRT_INVALID_ARGUMENT,
                {"@g", "8 ranks", "has 4"});
  Group kind({{0, 1}});
  kind->kind = 9;
  expectRefused(kind.get(), DISTRT_INVALID_ARGUMENT, {"@g", "kind 9"});
  Group small({{0, 1}});
  small->structSize = 8;
  expectRefused(small.get(), DISTRT_INVALID_ARGUMENT, {"@g", "8 bytes"});
  auto unbound = Group::named("experts");
  expectRefused(unbound->get(), DISTRT_UNBOUND_GROUP, {"@experts", "bound"});
  expectRefused(nullptr, DISTRT_INVALID_ARGUMENT, {"group is null"});
}

TEST_ON_BACKENDS(Groups, Bound) {
  World world(4);
  auto group = Group::named("pg", 2), wrong = Group::named("pg", 4),
       open = Group::named("pg");
  int64_t ranks[] = {3, 0};
  EXPECT_EQ(distrtWorldBindGroup(world.get(), "pg", ranks, 1, 2), DISTRT_OK);
  world.ok([&](distrtContext *context, int64_t rank) {
    int64_t size, position;
    EXPECT_EQ(groupSize(context, group->get(), &size), DISTRT_OK);
    EXPECT_EQ(size, 2);
    EXPECT_EQ(distrtGroupRank(context, open->get(), nullptr, &position), 0);
    EXPECT_EQ(position, rank == 3 ? 0 : rank == 0 ? 1 : -1);
    EXPECT_EQ(groupSize(context, wrong->get(), &size), DISTRT_INVALID_ARGUMENT);
    EXPECT_CONTAINS(distrtContextMessage(context), "@pg");
    EXPECT_CONTAINS(distrtContextMessage(context), "4 members");
    auto *future = Call(DISTRT_ALL_GATHER, *group)
                       .operand(DISTRT_I64, Ref(&rank, {1}))
                       .start(context);
    auto result = take<int64_t>(wait(context, future, 1));
    EXPECT_EQ(result, rank % 3 == 0 ? (Sizes{3, 0}) : (Sizes{0, 0}));
    return 0;
  });
  // Bound again, between runs.
  int64_t others[] = {1, 2, 0, 3};
  EXPECT_EQ(distrtWorldBindGroup(world.get(), "pg", others, 2, 2), DISTRT_OK);
  world.ok([&](distrtContext *context, int64_t rank) {
    int64_t position;
    EXPECT_EQ(distrtGroupRank(context, open->get(), nullptr, &position), 0);
    EXPECT_EQ(position, rank == 1 || rank == 0 ? 0 : 1);
    return 0;
  });
  int64_t twice[] = {1, 1};
  EXPECT_EQ(distrtWorldBindGroup(world.get(), "pg", twice, 1, 2),
            DISTRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(world.message(), "duplicate rank 1");
  EXPECT_EQ(distrtWorldBindGroup(world.get(), "", twice, 1, 1),
            DISTRT_INVALID_ARGUMENT);
  EXPECT_EQ(distrtWorldBindGroup(world.get(), "q", nullptr, 1, 1),
            DISTRT_INVALID_ARGUMENT);
}

TEST_ON_BACKENDS(Groups, IdentityIsMembersAndTag) {
  // Equal lists and tags share a communicator, hence sequence numbers: these
  // two descriptors must meet. A bound group is no different.
  World world(2);
  Group first({{0, 1}}), second({{0, 1}});
  auto named = Group::named("pg");
  int64_t ranks[] = {0, 1};
  distrtWorldBindGroup(world.get(), "pg", ranks, 1, 2);
  world.ok([&](distrtContext *context, int64_t rank) {
    for (const Group *other : {&second, &*named}) {
      const Group &mine = rank == 0 ? first : *other;
      auto *future = Call(DISTRT_ALL_GATHER, mine)
                         .operand(DISTRT_I64, Ref(&rank, {1}))
                         .start(context);
      EXPECT_EQ(take<int64_t>(wait(context, future, 1)), (Sizes{0, 1}));
    }
    return 0;
  });
}

TEST(Groups, TagsAndOrderSeparate) {
  // Three communicators over the same ranks; each rank uses them in another
  // order, which is only right when they are distinct.
  World world(2);
  Group plain({{0, 1}}), tagged({{0, 1}}, "t"), reversed({{1, 0}});
  world.ok([&](distrtContext *context, int64_t rank) {
    const Group *order[] = {&plain, &tagged, &reversed};
    if (rank == 1)
      std::swap(order[0], order[2]);
    std::vector<std::pair<const Group *, distrtFuture *>> futures;
    for (const Group *group : order) {
      int kind = group == &tagged ? DISTRT_ALL_REDUCE : DISTRT_ALL_GATHER;
      futures.push_back({group, Call(kind, *group)
                                    .operand(DISTRT_I64, Ref(&rank, {1}))
                                    .start(context)});
    }
    for (auto &[group, future] : futures) {
      auto result = take<int64_t>(wait(context, future, 1));
      EXPECT_EQ(result, group == &tagged  ? (Sizes{1})
                        : group == &plain ? (Sizes{0, 1})
                                          : (Sizes{1, 0}));
    }
    return 0;
  });
}

TEST_ON_BACKENDS(Groups, SubGroupsAreConcurrentlyInFlight) {
  World world(
      4, [](distrtWorldOptions &options) { options.linkDelayNs = 1000000; });
  Group rows({{0, 1}, {2, 3}}), columns({{0, 2}, {1, 3}});
  world.ok([&](distrtContext *context, int64_t rank) {
    std::vector<distrtFuture *> futures;
    for (int i = 0; i < 3; ++i)
      for (const Group *group : {&rows, &columns})
        futures.push_back(Call(DISTRT_ALL_REDUCE, *group)
                              .operand(DISTRT_I64, Ref(&rank, {1}))
                              .start(context));
    for (size_t i = futures.size(); i-- > 0;) {
      int64_t peer = i % 2 ? rank ^ 2 : rank ^ 1;
      EXPECT_EQ(take<int64_t>(wait(context, futures[i], 1))[0], rank + peer);
    }
    return 0;
  });
  EXPECT_EQ(world.counters(0).maxInFlight, 6);
}

TEST_ON_BACKENDS(Groups, AnAddressMayBeUsedAgain) {
  // Descriptors of a program that was unloaded: same address, other content.
  World world(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    distrtGroupDesc desc = {};
    desc.structSize = sizeof(desc);
    desc.name = "g";
    desc.tag = "";
    desc.numGroups = 1;
    desc.groupSize = 2;
    int64_t ranks[] = {0, 1}, position;
    desc.ranks = ranks;
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(distrtGroupRank(context, &desc, nullptr, &position), 0);
      EXPECT_EQ(position, i % 2 ? 1 - rank : rank);
      std::swap(ranks[0], ranks[1]);
    }
    desc.groupSize = 1;
    EXPECT_EQ(distrtGroupRank(context, &desc, nullptr, &position), 0);
    EXPECT_EQ(position, rank == 0 ? 0 : -1);
    return 0;
  });
}
