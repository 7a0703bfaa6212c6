//===- TraceTest.cpp - counters, events and the Chrome trace --------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

using namespace dist::test;

namespace {
/// A strict JSON reader: enough to know that a file is JSON and to count.
class Json {
public:
  explicit Json(std::string text) : text(std::move(text)) {}
  bool valid() { return value() && (space(), at == text.size()); }
  std::vector<std::string> strings;

private:
  void space() {
    while (at < text.size() && strchr(" \n\r\t", text[at]))
      ++at;
  }
  bool take(char c) {
    space();
    return at < text.size() && text[at] == c ? (++at, true) : false;
  }
  bool list(char end, bool keys) {
    if (take(end))
      return true;
    do {
      if (keys && !(string() && take(':')))
        return false;
      if (!value())
        return false;
    } while (take(','));
    return take(end);
  }
  bool string() {
    if (!take('"'))
      return false;
    std::string found;
    for (; at < text.size() && text[at] != '"'; ++at) {
      if (static_cast<unsigned char>(text[at]) < 0x20)
        return false;
      if (text[at] == '\\' && !strchr("\"\\/bfnrtu", text[++at]))
        return false;
      found += text[at];
    }
    strings.push_back(found);
    return at < text.size() ? (++at, true) : false;
  }
  bool value() {
    space();
    if (take('{'))
      return list('}', true);
    if (take('['))
      return list(']', false);
    if (at < text.size() && text[at] == '"')
      return string();
    char *end = nullptr;
    strtod(text.c_str() + at, &end);
    size_t length = size_t(end - (text.c_str() + at));
    at += length;
    return length > 0;
  }
  std::string text;
  size_t at = 0;
};
} // namespace

TEST(Trace, EventsAndJson) {
  World world(2, [](distrtWorldOptions &options) {
    options.trace = true;
    options.linkDelayNs = 2000000;
  });
  auto group = all(2, "a\"b\\");
  world.ok([&](distrtContext *context, int64_t rank) {
    Values x = {1, 2};
    distrtFuture *futures[3];
    // The location is gone when the trace is read.
    std::string location =
        "quoted \"name\"\t\xff\xc3\xa9:1:" + std::to_string(rank);
    for (auto &future : futures)
      future = Call(DISTRT_ALL_REDUCE, *group)
                   .at(location.c_str())
                   .operand(DISTRT_F32, Ref(x.data(), {2}))
                   .start(context);
    for (auto &future : futures)
      take<float>(wait(context, future, 1));
    return 0;
  });
  ASSERT_EQ(distrtWorldNumEvents(world.get()), 2 * 3 * 3);
  int64_t last = 0, kinds[3] = {}, firstBegin[2] = {};
  for (int64_t i = 0; i < distrtWorldNumEvents(world.get()); ++i) {
    distrtEvent event = {};
    event.structSize = sizeof(event);
    ASSERT_EQ(distrtWorldEvent(world.get(), i, &event), DISTRT_OK);
    EXPECT_GE(event.beginNs, last);
    EXPECT_GE(event.endNs, event.beginNs);
    last = event.beginNs;
    ++kinds[event.kind];
    EXPECT_EQ(event.collective, DISTRT_ALL_REDUCE);
    EXPECT_EQ(event.bytes, 8);
    EXPECT_STREQ(event.group, "[0, 1] tag \"a\"b\\\"");
    if (event.kind == DISTRT_EVENT_WAIT)
      EXPECT_STREQ(event.location, "x.mlir:9:9");
    else
      EXPECT_CONTAINS(event.location, "quoted \"name\"");
    if (event.kind == DISTRT_EVENT_FLIGHT) {
      // The link is serial: each flight adds its delay.
      EXPECT_GE(event.endNs - event.beginNs, 2000000);
      if (event.sequence == 0)
        firstBegin[event.rank] = event.beginNs;
      EXPECT_GE(event.endNs,
                firstBegin[event.rank] + 2000000 * (event.sequence + 1));
    }
  }
  EXPECT_EQ(kinds[0], 6);
  EXPECT_EQ(kinds[1], 6);
  EXPECT_EQ(kinds[2], 6);
  distrtEvent event = {};
  EXPECT_EQ(distrtWorldEvent(world.get(), 18, &event), DISTRT_INVALID_ARGUMENT);

  std::string path = testing::TempDir() + "dist-rt-trace-test.json";
  ASSERT_EQ(distrtWorldWriteTrace(world.get(), path.c_str()), DISTRT_OK);
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  std::remove(path.c_str());
  Json json(text.str());
  EXPECT_TRUE(json.valid()) << text.str();
  auto count = [&](const char *wanted) {
    return std::count(json.strings.begin(), json.strings.end(), wanted);
  };
  EXPECT_EQ(count("traceEvents"), 1);
  EXPECT_EQ(count("X"), 12);
  EXPECT_EQ(count("b"), 6);
  EXPECT_EQ(count("e"), 6);
  EXPECT_EQ(count("rank 1"), 1);
  EXPECT_EQ(distrtWorldWriteTrace(world.get(), "/nonexistent/dir/t.json"),
            DISTRT_INVALID_ARGUMENT);
  EXPECT_CONTAINS(world.message(), "/nonexistent/dir/t.json");
}

TEST(Trace, NothingIsRecordedWithoutIt) {
  World world(1);
  auto group = all(1);
  world.ok([&](distrtContext *context, int64_t) {
    float x = 1;
    take<float>(wait(context,
                     Call(DISTRT_ALL_REDUCE, *group)
                         .operand(DISTRT_F32, Ref(&x, {}))
                         .start(context),
                     0));
    return 0;
  });
  EXPECT_EQ(distrtWorldNumEvents(world.get()), 0);
}

TEST(Trace, Counters) {
  World world(
      2, [](distrtWorldOptions &options) { options.linkDelayNs = 4000000; });
  Group group({{0, 1}}), other({{0, 1}}, "other");
  world.ok([&](distrtContext *context, int64_t) {
    Values x(6, 1.0f);
    auto start = [&](int kind, const Group &on) {
      return Call(kind, on)
          .operand(DISTRT_F32, Ref(x.data(), {6}))
          .start(context);
    };
    distrtFuture *a = start(DISTRT_ALL_GATHER, group);
    distrtFuture *b = start(DISTRT_REDUCE_SCATTER, other);
    EXPECT_EQ(distrtFutureDrop(context, a, nullptr), DISTRT_OK);
    distrtFuture *c = start(DISTRT_BROADCAST, group);
    EXPECT_EQ(distrtFutureDrop(context, b, nullptr), DISTRT_OK);
    EXPECT_EQ(distrtFutureDrop(context, c, nullptr), DISTRT_OK);
    return 0;
  });
  distrtCounters counters = world.counters(0);
  EXPECT_EQ(counters.collectives, 3);
  EXPECT_EQ(counters.bytes, 48 + 24 + 24); // output, input, buffer
  EXPECT_EQ(counters.maxInFlight, 2);
  EXPECT_GE(counters.inFlightNs, 3 * 4000000);
  EXPECT_GT(counters.blockedNs, 4000000);
  EXPECT_EQ(counters.liveFutures, 0);
  // An older caller knows fewer of them.
  distrtCounters old;
  memset(&old, 0x55, sizeof(old));
  old.structSize = 24;
  EXPECT_EQ(distrtWorldCounters(world.get(), 0, &old), DISTRT_OK);
  EXPECT_EQ(old.structSize, 24u);
  EXPECT_EQ(old.bytes, 96);
  EXPECT_EQ(old.packs, 0x5555555555555555);
  EXPECT_EQ(distrtWorldCounters(world.get(), 9, &counters),
            DISTRT_INVALID_ARGUMENT);
}

TEST(Trace, TheLinkIsOverlapped) {
  // Structure, not speed: what is waited for late has less left to wait for.
  // Two communicators fly at the same time, one communicator does not.
  World world(2, [](distrtWorldOptions &options) {
    options.trace = true;
    options.linkDelayNs = 60000000;
    options.linkBytesPerNs = 1;
  });
  Group first({{0, 1}}), second({{0, 1}}, "second");
  world.ok([&](distrtContext *context, int64_t) {
    Values x = {1};
    distrtFuture *futures[3];
    int i = 0;
    for (const Group *group : {&first, &second, &first})
      futures[i++] = Call(DISTRT_ALL_REDUCE, *group)
                         .operand(DISTRT_F32, Ref(x.data(), {1}))
                         .start(context);
    for (auto *future : futures)
      take<float>(wait(context, future, 1));
    return 0;
  });
  int64_t ends[2][2] = {}, begin = INT64_MAX;
  for (int64_t i = 0; i < distrtWorldNumEvents(world.get()); ++i) {
    distrtEvent event = {};
    event.structSize = sizeof(event);
    distrtWorldEvent(world.get(), i, &event);
    bool tagged = std::string(event.group).find("second") != std::string::npos;
    if (event.kind != DISTRT_EVENT_FLIGHT || event.rank != 0)
      continue;
    begin = std::min(begin, event.beginNs);
    ends[tagged][event.sequence] = event.endNs;
  }
  EXPECT_GE(ends[0][1], begin + 2 * 60000000);
  EXPECT_LT(ends[1][0], ends[0][1]);
  EXPECT_EQ(world.counters(0).maxInFlight, 3);
}
