//===- TestSupport.h - worlds, groups and buffers for tests -----*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_TEST_RUNTIME_TESTSUPPORT_H
#define DIST_TEST_RUNTIME_TESTSUPPORT_H

#include "dist-rt/distrt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace dist::test {

using Sizes = std::vector<int64_t>;

/// An explicit table, or a named group.
class Group {
public:
  explicit Group(std::vector<Sizes> lists, std::string tag = "")
      : tag(std::move(tag)) {
    for (const Sizes &list : lists)
      ranks.insert(ranks.end(), list.begin(), list.end());
    fill();
    desc.numGroups = int64_t(lists.size());
    desc.groupSize = lists.empty() ? 0 : int64_t(lists[0].size());
  }
  static std::unique_ptr<Group> named(std::string name, int64_t size = 0) {
    auto group = std::make_unique<Group>(std::vector<Sizes>());
    group->name = std::move(name);
    group->fill();
    group->desc.kind = DISTRT_GROUP_NAMED;
    group->desc.groupSize = size;
    return group;
  }
  Group(const Group &) = delete;
  distrtGroupDesc *operator->() { return &desc; }
  const distrtGroupDesc *get() const { return &desc; }

private:
  void fill() {
    desc.structSize = sizeof(desc);
    desc.name = name.c_str();
    desc.tag = tag.c_str();
    desc.ranks = ranks.data();
  }
  Sizes ranks;
  std::string name = "g", tag;
  distrtGroupDesc desc = {};
};

/// All ranks of a world of `n`.
inline std::unique_ptr<Group> all(int64_t n, std::string tag = "") {
  Sizes ranks;
  for (int64_t i = 0; i < n; ++i)
    ranks.push_back(i);
  return std::make_unique<Group>(std::vector<Sizes>{ranks}, std::move(tag));
}

inline Sizes rowMajor(const Sizes &sizes) {
  Sizes strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;)
    strides[i - 1] = strides[i] * sizes[i];
  return strides;
}

/// A memref descriptor.
class Ref {
public:
  Ref() = default;
  Ref(void *data, const Sizes &sizes) : Ref(data, sizes, rowMajor(sizes)) {}
  Ref(void *data, const Sizes &sizes, const Sizes &strides, int64_t offset = 0)
      : rank(int32_t(sizes.size())) {
    words = {int64_t(data), int64_t(data), offset};
    words.insert(words.end(), sizes.begin(), sizes.end());
    words.insert(words.end(), strides.begin(), strides.end());
  }
  explicit Ref(int32_t rank) : rank(rank), words(size_t(3 + 2 * rank)) {}
  void *get() { return words.data(); }
  const void *get() const { return words.data(); }
  template <typename T> T *data() const {
    return reinterpret_cast<T *>(words[1]) + words[2];
  }
  void *allocated() const { return reinterpret_cast<void *>(words[0]); }
  Sizes sizes() const { return {words.begin() + 3, words.begin() + 3 + rank}; }
  Sizes strides() const { return {words.begin() + 3 + rank, words.end()}; }
  int64_t count() const {
    int64_t n = 1;
    for (int64_t size : sizes())
      n *= size;
    return n;
  }
  /// The same view somewhere else.
  Ref moved(ptrdiff_t bytes) const {
    Ref result = *this;
    result.words[0] += bytes;
    result.words[1] += bytes;
    return result;
  }
  /// The addresses that it touches.
  std::pair<char *, char *> range(int64_t elementSize) const {
    int64_t low = 0, high = elementSize;
    for (int32_t i = 0; i < rank; ++i) {
      if (sizes()[size_t(i)] <= 0)
        return {nullptr, nullptr};
      int64_t reach =
          (sizes()[size_t(i)] - 1) * strides()[size_t(i)] * elementSize;
      (reach < 0 ? low : high) += reach;
    }
    char *base = reinterpret_cast<char *>(words[1]) + words[2] * elementSize;
    return {base + low, base + high};
  }
  bool operator==(const Ref &other) const { return words == other.words; }
  int32_t rank = 0;

private:
  std::vector<int64_t> words;
};

/// The backend that the worlds of the running test have.
inline const char *&backendOfTest() {
  static const char *name = "local";
  return name;
}

/// Whether the runtime was built with the backend "nccl".
inline bool hasFakeDevices() {
  distrtWorldOptions options;
  distrtWorldOptionsInit(&options);
  options.backend = "nccl";
  options.fakeDevice = true;
  distrtWorld *world = nullptr;
  distrtWorldCreate(&options, &world);
  distrtWorldDestroy(world);
  return world != nullptr;
}

/// A test that runs on the local backend and on NCCL with fake devices.
#define TEST_ON_BACKENDS(suite, name)                                          \
  static void suite##name##Body();                                             \
  TEST(suite, name) { suite##name##Body(); }                                   \
  TEST(suite##OnNccl, name) {                                                  \
    if (!dist::test::hasFakeDevices())                                         \
      GTEST_SKIP() << "built without the backend nccl";                        \
    dist::test::backendOfTest() = "nccl";                                      \
    suite##name##Body();                                                       \
    dist::test::backendOfTest() = "local";                                     \
  }                                                                            \
  static void suite##name##Body()

/// Device memory beside the host memory that a test uses, of one rank thread.
/// In host worlds nothing is mirrored.
class Mirror {
public:
  static Mirror &ofThread() {
    static thread_local Mirror instance;
    return instance;
  }
  /// Memory of the allocation hooks is on the device already.
  void *allocate(size_t bytes) {
    void *pointer = _mlir_memref_to_llvm_alloc(bytes);
    onDevice.insert(pointer);
    return pointer;
  }
  void note(void *pointer) { onDevice.insert(pointer); }

  /// The view on the device, with the bytes that the host has now.
  Ref toDevice(distrtContext *context, const Ref &ref, int64_t elementSize) {
    if (!distrtContextComputeStream(context) || !ref.data<char>() ||
        onDevice.count(ref.allocated()))
      return ref;
    auto [low, high] = ref.range(elementSize);
    if (low == high)
      return ref;
    Region *region = find(low, high);
    if (!region)
      region = add(low, high);
    char *there = region->device + (low - region->low);
    char *written = region->written.data() + (low - region->low);
    // What is in flight must not be written again.
    if (region->isNew || memcmp(written, low, size_t(high - low)) != 0) {
      memcpy(written, low, size_t(high - low));
      region->isNew = region->low != low || region->high != high;
      EXPECT_EQ(distrtDeviceWrite(context, there, low, high - low, nullptr),
                DISTRT_OK)
          << distrtContextMessage(context);
    }
    return ref.moved(there - low);
  }
  void toHost(distrtContext *context, const Ref &ref, int64_t elementSize) {
    auto [low, high] = ref.range(elementSize);
    Region *region = low == high ? nullptr : find(low, high);
    if (!region)
      return;
    ptrdiff_t at = low - region->low;
    EXPECT_EQ(distrtDeviceRead(context, low, region->device + at, high - low,
                               nullptr),
              DISTRT_OK)
        << distrtContextMessage(context);
    memcpy(region->written.data() + at, low, size_t(high - low));
  }
  /// A pair of views must keep how they overlap.
  void join(distrtContext *context, const Ref &a, const Ref &b,
            int64_t elementSize) {
    if (!distrtContextComputeStream(context) || !a.data<char>() ||
        !b.data<char>() || onDevice.count(a.allocated()) ||
        onDevice.count(b.allocated()))
      return;
    auto [lowA, highA] = a.range(elementSize);
    auto [lowB, highB] = b.range(elementSize);
    if (lowA >= highB || lowB >= highA)
      return;
    char *low = std::min(lowA, lowB), *high = std::max(highA, highB);
    if (!find(low, high))
      add(low, high);
  }
  struct Named {
    Ref host;
    int64_t elementSize;
  };
  std::map<distrtFuture *, Named> destinations;
  void clear() {
    for (Region &region : regions)
      _mlir_memref_to_llvm_free(region.device);
    regions.clear();
    onDevice.clear();
    destinations.clear();
  }

private:
  struct Region {
    char *low, *high, *device;
    std::vector<char> written; // what the host had
    bool isNew;
  };
  Region *add(char *low, char *high) {
    auto bytes = size_t(high - low);
    auto *device = static_cast<char *>(_mlir_memref_to_llvm_alloc(bytes));
    regions.push_back({low, high, device, std::vector<char>(bytes), true});
    return &regions.back();
  }
  Region *find(char *low, char *high) {
    for (auto region = regions.rbegin(); region != regions.rend(); ++region)
      if (region->low <= low && high <= region->high)
        return &*region;
    return nullptr;
  }
  std::deque<Region> regions;
  std::set<void *> onDevice;
};

/// One call site and its operands.
struct Call {
  Call(int kind, const Group &group) : kind(kind) {
    site.structSize = sizeof(site);
    site.group = group.get();
    site.location = "x.mlir:3:8";
    if (kind == DISTRT_ALL_REDUCE || kind == DISTRT_REDUCE_SCATTER ||
        kind == DISTRT_REDUCE)
      site.reduction = DISTRT_SUM;
  }
  Call &reduction(int value) { return site.reduction = value, *this; }
  Call &dim(int64_t value) { return site.dim = value, *this; }
  Call &root(int value) { return site.root = value, *this; }
  Call &concatDim(int64_t value) { return site.concatDim = value, *this; }
  /// Source, target, source, target ...
  Call &pairs(Sizes value) {
    pairList = std::move(value);
    site.pairs = pairList.data();
    site.numPairs = int64_t(pairList.size() / 2);
    return *this;
  }
  /// Of the last operand.
  Call &factor(double value) { return operands.back().factor = value, *this; }
  Call &at(const char *value) { return site.location = value, *this; }
  Call &operand(int dataType, Ref source, Ref destination = Ref(),
                int flags = 0, const int64_t *expected = nullptr) {
    refs.push_back(std::make_unique<std::pair<Ref, Ref>>(
        std::move(source), std::move(destination)));
    distrtOperand op = {};
    op.structSize = sizeof(op);
    op.dataType = dataType;
    op.rank = refs.back()->first.rank;
    op.source = refs.back()->first.get();
    op.destination =
        refs.back()->second == Ref() ? nullptr : refs.back()->second.get();
    op.expectedSizes = expected;
    op.flags = flags;
    op.factor = 1;
    operands.push_back(op);
    return *this;
  }
  int start(distrtContext *context, distrtFuture **futures) const {
    static decltype(&distrtAllGather) const functions[] = {
        distrtAllGather, distrtAllReduce, distrtReduceScatter, distrtBroadcast,
        distrtAllToAll,  distrtPermute,   distrtReduce};
    if (!distrtContextComputeStream(context))
      return functions[kind](context, &site, operands.data(),
                             int64_t(operands.size()), futures);
    Mirror &mirror = Mirror::ofThread();
    std::vector<distrtOperand> moved = operands;
    std::deque<Ref> views;
    auto sizeOf = [&](size_t i) {
      return std::max<int64_t>(distrtDataTypeSize(operands[i].dataType), 1);
    };
    for (size_t i = 0; i < moved.size(); ++i)
      if (moved[i].source && moved[i].destination)
        mirror.join(context, refs[i]->first, refs[i]->second, sizeOf(i));
    for (size_t i = 0; i < moved.size(); ++i) {
      if (moved[i].source) {
        views.push_back(mirror.toDevice(context, refs[i]->first, sizeOf(i)));
        moved[i].source = views.back().get();
      }
      if (moved[i].destination) {
        views.push_back(mirror.toDevice(context, refs[i]->second, sizeOf(i)));
        moved[i].destination = views.back().get();
      }
    }
    int status = functions[kind](context, &site, moved.data(),
                                 int64_t(moved.size()), futures);
    for (size_t i = 0; !status && i < moved.size(); ++i)
      if (moved[i].destination)
        mirror.destinations[futures[i]] = {refs[i]->second, sizeOf(i)};
      else
        mirror.destinations.erase(futures[i]);
    return status;
  }
  /// Starts a single operand.
  distrtFuture *start(distrtContext *context) const {
    distrtFuture *future = nullptr;
    int status = start(context, &future);
    EXPECT_EQ(status, DISTRT_OK) << distrtContextMessage(context);
    return future;
  }
  int kind;
  distrtCallSite site = {};
  Sizes pairList;
  std::vector<std::unique_ptr<std::pair<Ref, Ref>>> refs;
  std::vector<distrtOperand> operands;
};

inline Ref wait(distrtContext *context, distrtFuture *future, int32_t rank) {
  Ref result(rank);
  int status =
      distrtFutureWait(context, future, result.get(), rank, "x.mlir:9:9");
  EXPECT_EQ(status, DISTRT_OK) << distrtContextMessage(context);
  if (status || !distrtContextComputeStream(context))
    return result;
  EXPECT_EQ(distrtSynchronize(context, "x.mlir:9:9"), DISTRT_OK)
      << distrtContextMessage(context);
  // Fake device memory can be read where it is.
  Mirror &mirror = Mirror::ofThread();
  auto named = mirror.destinations.find(future);
  if (named == mirror.destinations.end()) {
    mirror.note(result.allocated());
    return result;
  }
  Ref host = named->second.host;
  mirror.toHost(context, host, named->second.elementSize);
  return host;
}

/// Values of a result that the caller owns; frees it.
template <typename T> std::vector<T> take(const Ref &ref) {
  EXPECT_EQ(ref.strides(), rowMajor(ref.sizes()));
  std::vector<T> values(ref.data<T>(), ref.data<T>() + ref.count());
  _mlir_memref_to_llvm_free(ref.allocated());
  return values;
}

using Values = std::vector<float>;

/// One world per test. Runs lambdas on its ranks.
class World {
public:
  using Options = std::function<void(distrtWorldOptions &)>;
  explicit World(int64_t numRanks, const Options &adjust = {}) {
    distrtWorldOptions options;
    distrtWorldOptionsInit(&options);
    options.numRanks = numRanks;
    options.backend = backendOfTest();
    options.fakeDevice = strcmp(options.backend, "nccl") == 0;
    if (adjust)
      adjust(options);
    status = distrtWorldCreate(&options, &world);
    EXPECT_EQ(status, DISTRT_OK) << distrtWorldMessage(nullptr);
  }
  ~World() { distrtWorldDestroy(world); }
  World(const World &) = delete;

  using Function = std::function<int(distrtContext *, int64_t rank)>;
  int run(const Function &function) {
    return distrtWorldRun(world, call, const_cast<Function *>(&function));
  }
  void ok(const Function &function) {
    EXPECT_EQ(run(function), DISTRT_OK) << distrtWorldMessage(world);
  }
  int statusOf(int64_t rank) { return distrtWorldRankStatus(world, rank); }
  std::string messageOf(int64_t rank) {
    return distrtWorldRankMessage(world, rank);
  }
  std::string message() { return distrtWorldMessage(world); }
  distrtCounters counters(int64_t rank) {
    distrtCounters values = {};
    values.structSize = sizeof(values);
    EXPECT_EQ(distrtWorldCounters(world, rank, &values), DISTRT_OK);
    return values;
  }
  distrtWorld *get() { return world; }

private:
  static int call(distrtContext *context, void *user) {
    int status = (*static_cast<Function *>(user))(context, distrtRank(context));
    if (!status)
      Mirror::ofThread().clear();
    return status;
  }
  distrtWorld *world = nullptr;
  int status = 0;
};

inline int64_t liveBytes() {
  distrtAllocationCounters counters = {};
  counters.structSize = sizeof(counters);
  distrtAllocationCountersRead(&counters);
  return counters.liveBytes;
}

#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_NE(std::string(text).find(part), std::string::npos) << "in: " << (text)

} // namespace dist::test

#endif // DIST_TEST_RUNTIME_TESTSUPPORT_H
