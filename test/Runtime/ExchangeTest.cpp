//===- ExchangeTest.cpp - all_to_all, permute and reduce ------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

#include <algorithm>
#include <cstddef>

using namespace dist::test;

namespace {
int64_t product(const Sizes &sizes) {
  int64_t n = 1;
  for (int64_t size : sizes)
    n *= size;
  return n;
}

Sizes indexOf(int64_t linear, const Sizes &sizes) {
  Sizes index(sizes.size());
  for (size_t i = sizes.size(); i-- > 0; linear /= sizes[i])
    index[i] = linear % sizes[i];
  return index;
}

int64_t linearOf(const Sizes &index, const Sizes &strides) {
  int64_t linear = 0;
  for (size_t i = 0; i < index.size(); ++i)
    linear += index[i] * strides[i];
  return linear;
}

/// Bytes of an element that say whose it is and where it was.
std::vector<char> elementBytes(int64_t member, int64_t linear, int64_t size) {
  uint64_t state = uint64_t(member * 1000003 + linear + 1);
  std::vector<char> bytes;
  for (int64_t i = 0; i < size; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    bytes.push_back(char(state >> 56));
  }
  return bytes;
}

/// A buffer for views of `sizes` with dimensions in the order of `order`, outer
/// ones first, and `gap` unused elements behind each run of the inner one.
struct Buffer {
  Buffer(const Sizes &sizes, const std::vector<size_t> &order, int64_t gap,
         int64_t elementSize)
      : sizes(sizes), strides(sizes.size()), elementSize(elementSize) {
    int64_t stride = 1;
    for (size_t i = order.size(); i-- > 0;) {
      strides[order[i]] = stride;
      stride *= sizes[order[i]];
      if (i + 1 == order.size())
        stride += gap;
    }
    bytes.assign(size_t(stride * elementSize), 0x5A);
  }
  char *at(const Sizes &index) {
    return bytes.data() + linearOf(index, strides) * elementSize;
  }
  Ref ref() { return Ref(bytes.data(), sizes, strides); }
  Sizes sizes, strides;
  int64_t elementSize;
  std::vector<char> bytes;
};

/// Compares the result of position `position` with the definition: the piece
/// of member q lies at slot q of `concat` and is slot `position` of `split`.
int64_t wrongElements(Buffer &result, const Sizes &source, size_t split,
                      size_t concat, int64_t n, int64_t position) {
  int64_t wrong = 0;
  int64_t slot = result.sizes[concat] / n, piece = source[split] / n;
  for (int64_t i = 0; i < product(result.sizes); ++i) {
    Sizes index = indexOf(i, result.sizes);
    const char *found = result.at(index);
    int64_t member = index[concat] / slot;
    index[concat] -= member * slot;
    index[split] += position * piece;
    auto expected = elementBytes(member, linearOf(index, rowMajor(source)),
                                 result.elementSize);
    wrong += !std::equal(expected.begin(), expected.end(), found);
  }
  return wrong;
}

struct Form {
  std::vector<size_t> order;
  int64_t gap;
};

void checkAllToAll(int64_t n, int dataType, const Form &from, const Form &to) {
  SCOPED_TRACE(std::string(distrtDataTypeName(dataType)) + " of " +
               std::to_string(n));
  World world(n + 1);
  Sizes members;
  for (int64_t i = n; i > 0; --i)
    members.push_back(i); // rank 0 is outside
  Group group({members});
  const Sizes source = {2 * n, n, 3 * n};
  int64_t elementSize = distrtDataTypeSize(dataType);
  world.ok([&](distrtContext *context, int64_t rank) {
    int64_t position = rank ? n - rank : -1;
    for (size_t split = 0; split < 3; ++split)
      for (size_t concat = 0; concat < 3; ++concat) {
        Buffer x(source, from.order, from.gap, elementSize);
        for (int64_t i = 0; i < product(source); ++i) {
          auto bytes = elementBytes(position, i, elementSize);
          memcpy(x.at(indexOf(i, source)), bytes.data(), bytes.size());
        }
        Sizes sizes = source;
        sizes[split] /= n;
        sizes[concat] *= n;
        Buffer y(sizes, to.order, to.gap, elementSize);
        auto *future = Call(DISTRT_ALL_TO_ALL, group)
                           .dim(int64_t(split))
                           .concatDim(int64_t(concat))
                           .operand(dataType, x.ref(), y.ref())
                           .start(context);
        wait(context, future, 3);
        int64_t gapBytes = to.gap * elementSize;
        for (int64_t i = 0; i < gapBytes; ++i)
          EXPECT_EQ(y.bytes[size_t(y.sizes[to.order[2]] * elementSize + i)],
                    0x5A);
        if (rank) {
          EXPECT_EQ(wrongElements(y, source, split, concat, n, position), 0)
              << "split " << split << " concat " << concat;
        } else {
          for (int64_t i = 0; i < product(sizes); ++i)
            EXPECT_EQ(*y.at(indexOf(i, sizes)), 0);
        }
      }
    return 0;
  });
}

/// The race that a test is about, hidden from the thread sanitizer.
__attribute__((no_sanitize("thread"), noinline)) void touch(float *p,
                                                            float value) {
  *p = value;
}

const int kExchanges[] = {DISTRT_ALL_TO_ALL, DISTRT_PERMUTE, DISTRT_REDUCE};
} // namespace

TEST_ON_BACKENDS(AllToAll, EveryPairOfDimensions) {
  const Form dense = {{0, 1, 2}, 0}, turned = {{2, 0, 1}, 0},
             holes = {{1, 2, 0}, 2};
  for (int64_t n : {1, 2, 3})
    for (int dataType : {DISTRT_I8, DISTRT_BF16, DISTRT_F32, DISTRT_C64,
                         DISTRT_C128, DISTRT_F8E5M2}) {
      checkAllToAll(n, dataType, dense, dense);
      checkAllToAll(n, dataType, turned, dense);
      checkAllToAll(n, dataType, dense, holes);
      checkAllToAll(n, dataType, holes, turned);
    }
}

TEST_ON_BACKENDS(AllToAll, PacksOnlyWhatItMust) {
  World world(2);
  auto group = all(2);
  auto expect = [&](int64_t dim, int64_t concatDim, int64_t packs,
                    int64_t unpacks) {
    auto before = world.counters(0);
    world.ok([&](distrtContext *context, int64_t) {
      Values x(16, 1.0f);
      auto *future = Call(DISTRT_ALL_TO_ALL, *group)
                         .dim(dim)
                         .concatDim(concatDim)
                         .operand(DISTRT_F32, Ref(x.data(), {4, 4}))
                         .start(context);
      take<float>(wait(context, future, 2));
      return 0;
    });
    auto after = world.counters(0);
    EXPECT_EQ(after.packs - before.packs, packs);
    EXPECT_EQ(after.unpacks - before.unpacks, unpacks);
    EXPECT_EQ(after.bytes - before.bytes, 64);
  };
  expect(0, 0, 0, 0);
  expect(1, 0, 1, 0);
  expect(0, 1, 0, 1);
  expect(1, 1, 1, 1);
}

TEST_ON_BACKENDS(AllToAll, LargeThroughThePool) {
  for (uint64_t seed : {0, 3}) {
    World world(3, [&](distrtWorldOptions &options) { options.seed = seed; });
    auto group = all(3);
    world.ok([&](distrtContext *context, int64_t rank) {
      const int64_t n = 100003;
      std::vector<int32_t> x(size_t(3 * n));
      for (size_t i = 0; i < x.size(); ++i)
        x[i] = int32_t(i) * 3 + int32_t(rank);
      auto *future = Call(DISTRT_ALL_TO_ALL, *group)
                         .operand(DISTRT_I32, Ref(x.data(), {3 * n}))
                         .start(context);
      auto y = take<int32_t>(wait(context, future, 1));
      int64_t wrong = 0;
      for (int64_t i = 0; i < 3 * n; ++i)
        wrong +=
            y[size_t(i)] != int32_t((rank * n + i % n) * 3) + int32_t(i / n);
      EXPECT_EQ(wrong, 0);
      return 0;
    });
  }
}

TEST_ON_BACKENDS(AllToAll, InPlaceByACopyOnly) {
  World world(2);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    Values x = {float(rank), float(rank + 10)};
    auto *future = Call(DISTRT_ALL_TO_ALL, *group)
                       .operand(DISTRT_F32, Ref(x.data(), {2}),
                                Ref(x.data(), {2}), DISTRT_SOURCE_COPY)
                       .start(context);
    wait(context, future, 1);
    EXPECT_EQ(x, rank ? (Values{10, 11}) : (Values{0, 1}));
    return 0;
  });
}

TEST_ON_BACKENDS(Permute, MovesAndZeros) {
  World world(4);
  Group group({{3, 0, 2, 1}});
  world.ok([&](distrtContext *context, int64_t rank) {
    int64_t position = rank == 3 ? 0 : rank == 0 ? 1 : rank == 2 ? 2 : 3;
    auto permute = [&](Sizes pairs) {
      Values x = {float(position + 1), 0.5f};
      auto *future = Call(DISTRT_PERMUTE, group)
                         .pairs(std::move(pairs))
                         .operand(DISTRT_F32, Ref(x.data(), {2}))
                         .start(context);
      return take<float>(wait(context, future, 1));
    };
    auto from = [&](int64_t source) {
      return source < 0 ? Values{0, 0} : Values{float(source + 1), 0.5f};
    };
    EXPECT_EQ(permute({0, 1, 1, 2, 2, 3, 3, 0}), from((position + 3) % 4));
    EXPECT_EQ(permute({0, 1, 1, 2, 2, 3}), from(position - 1));
    EXPECT_EQ(permute({2, 2, 0, 3}), from(position == 2   ? 2
                                          : position == 3 ? 0
                                                          : -1));
    EXPECT_EQ(permute({}), from(-1));
    return 0;
  });
  EXPECT_EQ(world.counters(0).bytes, 4 * 8);
  EXPECT_EQ(world.counters(0).packs, 0);
}

TEST_ON_BACKENDS(Permute, PairsAreASet) {
  World world(2);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    int64_t x = rank;
    auto *future = Call(DISTRT_PERMUTE, *group)
                       .pairs(rank ? Sizes{1, 0, 0, 1} : Sizes{0, 1, 1, 0})
                       .operand(DISTRT_I64, Ref(&x, {}))
                       .start(context);
    EXPECT_EQ(take<int64_t>(wait(context, future, 0))[0], 1 - rank);
    return 0;
  });
}

TEST_ON_BACKENDS(Permute, InPlace) {
  // A ring, a chain (the first receives zeros), and members that keep theirs.
  for (bool checked : {false, true})
    for (int64_t count : {int64_t(3), int64_t(300000)}) {
      World world(3, [&](distrtWorldOptions &options) {
        options.checked = checked;
        options.numWorkers = 2;
      });
      auto group = all(3);
      world.ok([&](distrtContext *context, int64_t rank) {
        std::vector<int32_t> x(size_t(count), int32_t(rank + 1));
        auto step = [&](Sizes pairs, int32_t expected) {
          auto *future = Call(DISTRT_PERMUTE, *group)
                             .pairs(std::move(pairs))
                             .operand(DISTRT_I32, Ref(x.data(), {count}),
                                      Ref(x.data(), {count}))
                             .start(context);
          wait(context, future, 1);
          EXPECT_EQ(std::count(x.begin(), x.end(), expected), count);
        };
        step({0, 1, 1, 2, 2, 0}, int32_t(rank == 0 ? 3 : rank));
        step({0, 0, 1, 1, 2, 2}, int32_t(rank == 0 ? 3 : rank));
        step({0, 1, 1, 2}, int32_t(rank == 0 ? 0 : rank == 1 ? 3 : 1));
        return 0;
      });
      // Only who sends to another keeps a copy: rank 2 did in the ring alone.
      EXPECT_EQ(world.counters(0).packs, 2);
      EXPECT_EQ(world.counters(2).packs, 1);
    }
}

TEST_ON_BACKENDS(Permute, InPlaceWithStrides) {
  World world(2);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    std::vector<int16_t> x = {int16_t(rank), 9, int16_t(rank + 10), 9};
    Ref ref(x.data(), {2}, {2});
    auto *future = Call(DISTRT_PERMUTE, *group)
                       .pairs({0, 1, 1, 0})
                       .operand(DISTRT_I16, ref, ref)
                       .start(context);
    wait(context, future, 1);
    EXPECT_EQ(
        x, (std::vector<int16_t>{int16_t(1 - rank), 9, int16_t(11 - rank), 9}));
    return 0;
  });
}

TEST_ON_BACKENDS(Reduce, RootHasTheResult) {
  World world(4);
  Group group({{3, 1}, {0, 2}});
  world.ok([&](distrtContext *context, int64_t rank) {
    for (int root : {0, 1}) {
      int64_t rootRank = rank % 2 ? (root ? 1 : 3) : (root ? 2 : 0);
      Values x = {float(rank + 1), -1};
      auto *future = Call(DISTRT_REDUCE, group)
                         .root(root)
                         .operand(DISTRT_F32, Ref(x.data(), {2}))
                         .start(context);
      Values sum = {rank % 2 ? 6.0f : 4.0f, -2};
      EXPECT_EQ(take<float>(wait(context, future, 1)),
                rank == rootRank ? sum : (Values{0, 0}));
    }
    return 0;
  });
  EXPECT_EQ(world.counters(0).bytes, 16);
}

TEST_ON_BACKENDS(Reduce, IsAnAllReduceOnTheRoot) {
  // Every legal cell, from bytes that mean something in all types.
  World world(3);
  auto group = all(3);
  world.ok([&](distrtContext *context, int64_t rank) {
    for (int type = DISTRT_I1; type <= DISTRT_C128; ++type)
      for (int reduction = DISTRT_SUM; reduction <= DISTRT_PREMUL_SUM;
           ++reduction) {
        if (!distrtReductionIsLegal(type, reduction))
          continue;
        const int64_t n = 100, size = distrtDataTypeSize(type);
        std::vector<char> x;
        while (int64_t(x.size()) < n * size)
          for (char c : elementBytes(rank, int64_t(x.size()), 16))
            x.push_back(type == DISTRT_I1 ? c & 1 : c);
        auto start = [&](int kind) {
          return Call(kind, *group)
              .reduction(reduction)
              .root(2)
              .operand(type, Ref(x.data(), {n}))
              .factor(0.3)
              .start(context);
        };
        Ref a = wait(context, start(DISTRT_ALL_REDUCE), 1);
        Ref b = wait(context, start(DISTRT_REDUCE), 1);
        std::vector<char> zeros(size_t(n * size));
        EXPECT_EQ(memcmp(b.data<char>(),
                         rank == 2 ? a.data<char>() : zeros.data(),
                         zeros.size()),
                  0)
            << distrtDataTypeName(type) << distrtReductionName(reduction);
        _mlir_memref_to_llvm_free(a.allocated());
        _mlir_memref_to_llvm_free(b.allocated());
      }
    return 0;
  });
}

TEST_ON_BACKENDS(Reduce, InPlace) {
  for (bool checked : {false, true}) {
    World world(
        3, [&](distrtWorldOptions &options) { options.checked = checked; });
    auto group = all(3);
    world.ok([&](distrtContext *context, int64_t rank) {
      const int64_t n = 200000;
      std::vector<int32_t> x(n, int32_t(rank + 1));
      std::vector<int32_t> y = {int32_t(rank + 1), 9, int32_t(rank + 2), 9};
      distrtFuture *futures[2];
      Ref strided(y.data(), {2}, {2});
      EXPECT_EQ(Call(DISTRT_REDUCE, *group)
                    .root(1)
                    .operand(DISTRT_I32, Ref(x.data(), {n}), Ref(x.data(), {n}))
                    .operand(DISTRT_I32, strided, strided)
                    .start(context, futures),
                DISTRT_OK);
      wait(context, futures[0], 1);
      wait(context, futures[1], 1);
      EXPECT_EQ(std::count(x.begin(), x.end(), rank == 1 ? 6 : 0), n);
      EXPECT_EQ(y, rank == 1 ? (std::vector<int32_t>{6, 9, 9, 9})
                             : (std::vector<int32_t>{0, 9, 0, 9}));
      return 0;
    });
    EXPECT_EQ(world.counters(0).packs, 1);
  }
}

TEST_ON_BACKENDS(Exchange, ZeroSizeScalarsAndOneRank) {
  for (int64_t n : {1, 2}) {
    World world(n);
    auto group = all(n);
    Sizes ring = n == 1 ? Sizes{0, 0} : Sizes{0, 1, 1, 0};
    world.ok([&](distrtContext *context, int64_t rank) {
      for (int kind : kExchanges) {
        auto *future = Call(kind, *group)
                           .dim(2)
                           .concatDim(0)
                           .pairs(ring)
                           .operand(DISTRT_C128, Ref(nullptr, {2, 0, 4}))
                           .start(context);
        Ref result = wait(context, future, 3);
        EXPECT_EQ(result.sizes(), kind == DISTRT_ALL_TO_ALL
                                      ? (Sizes{2 * n, 0, 4 / n})
                                      : (Sizes{2, 0, 4}));
        _mlir_memref_to_llvm_free(result.allocated());
        if (kind == DISTRT_ALL_TO_ALL)
          continue;
        double x = 1.5;
        future = Call(kind, *group)
                     .pairs(ring)
                     .operand(DISTRT_F64, Ref(&x, {}))
                     .start(context);
        double expected = kind == DISTRT_PERMUTE ? 1.5
                          : rank == 0            ? 1.5 * double(n)
                                                 : 0;
        EXPECT_EQ(take<double>(wait(context, future, 0))[0], expected);
      }
      return 0;
    });
    EXPECT_EQ(world.counters(0).packs + world.counters(0).unpacks, 0);
  }
}

TEST(Exchange, OutsidersGetZeros) {
  World world(3);
  Group group({{2, 0}});
  int64_t before = liveBytes();
  world.ok([&](distrtContext *context, int64_t rank) {
    for (int kind : kExchanges) {
      auto call = [&] {
        Call made(kind, group);
        made.dim(1).concatDim(0).pairs({0, 1, 1, 0});
        return made;
      };
      Values x = {1, 2, 3, 4}, y(8, 9.0f);
      auto *future =
          call().operand(DISTRT_F32, Ref(x.data(), {2, 2})).start(context);
      auto fresh = take<float>(wait(context, future, 2));
      EXPECT_EQ(fresh == Values(4, 0.0f),
                rank == 1 || (kind == DISTRT_REDUCE && rank == 0));
      bool exchanges = kind == DISTRT_ALL_TO_ALL;
      Ref named(y.data(), exchanges ? Sizes{4, 1} : Sizes{2, 2},
                exchanges ? Sizes{2, 1} : Sizes{4, 2});
      wait(context,
           call()
               .operand(DISTRT_F32, Ref(x.data(), {2, 2}), named)
               .start(context),
           2);
      for (size_t i = 0; i < 8; ++i)
        EXPECT_EQ(y[i], i % 2 ? 9 : fresh[i / 2]);
      if (!exchanges) {
        Ref place(x.data(), {2, 2});
        wait(context, call().operand(DISTRT_F32, place, place).start(context),
             2);
        EXPECT_EQ(x, fresh);
      }
      void *buffer = _mlir_memref_to_llvm_alloc(16);
      const float values[] = {1, 2, 3, 4};
      memcpy(buffer, values, 16);
      future = call()
                   .operand(DISTRT_F32, Ref(buffer, {2, 2}), Ref(),
                            DISTRT_SOURCE_OWNED)
                   .start(context);
      EXPECT_EQ(take<float>(wait(context, future, 2)), fresh);
    }
    return 0;
  });
  EXPECT_EQ(world.counters(1).collectives, 0);
  EXPECT_EQ(liveBytes(), before);
}

TEST(Exchange, DonatedAndCopiedSources) {
  World world(3);
  auto group = all(3);
  int64_t before = liveBytes();
  world.ok([&](distrtContext *context, int64_t rank) {
    for (int kind : kExchanges)
      for (int flags : {DISTRT_SOURCE_OWNED, DISTRT_SOURCE_COPY}) {
        auto *x = static_cast<int32_t *>(_mlir_memref_to_llvm_alloc(12));
        for (int i = 0; i < 3; ++i)
          x[i] = int32_t(rank * 10 + i);
        // Position 2 receives and does not send, 0 sends and does not receive.
        auto *future = Call(kind, *group)
                           .pairs({0, 1, 1, 2})
                           .root(1)
                           .operand(DISTRT_I32, Ref(x, {3}), Ref(), flags)
                           .start(context);
        if (flags == DISTRT_SOURCE_COPY) {
          x[0] = x[1] = x[2] = -1;
          _mlir_memref_to_llvm_free(x);
        }
        auto base = int32_t(10 * (rank - 1));
        std::vector<int32_t> expected;
        if (kind == DISTRT_ALL_TO_ALL)
          expected = {int32_t(rank), int32_t(10 + rank), int32_t(20 + rank)};
        else if (kind == DISTRT_PERMUTE && rank > 0)
          expected = {base, base + 1, base + 2};
        else if (kind == DISTRT_REDUCE && rank == 1)
          expected = {30, 33, 36};
        else
          expected = {0, 0, 0};
        EXPECT_EQ(take<int32_t>(wait(context, future, 1)), expected);
      }
    return 0;
  });
  // A permute copies its source only where it is sent.
  EXPECT_EQ(world.counters(1).sourceCopies, 3);
  EXPECT_EQ(world.counters(2).sourceCopies, 2);
  EXPECT_EQ(world.counters(1).sourceMoves, 3);
  EXPECT_EQ(liveBytes(), before);
}

TEST_ON_BACKENDS(Exchange, Coalesced) {
  World world(2);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    for (int kind : kExchanges) {
      Values a = {float(rank), float(rank + 2)};
      std::vector<int64_t> b = {rank, rank + 4, rank + 8, rank + 12};
      distrtFuture *futures[2];
      EXPECT_EQ(Call(kind, *group)
                    .pairs({0, 1})
                    .root(1)
                    .operand(DISTRT_F32, Ref(a.data(), {2}))
                    .operand(DISTRT_I64, Ref(b.data(), {2, 2}, {1, 2}))
                    .start(context, futures),
                DISTRT_OK);
      auto second = take<int64_t>(wait(context, futures[1], 2));
      auto first = take<float>(wait(context, futures[0], 1));
      if (kind == DISTRT_ALL_TO_ALL) {
        EXPECT_EQ(first, rank ? (Values{2, 3}) : (Values{0, 1}));
        // Row `rank` of both transposed matrices.
        EXPECT_EQ(second, rank ? (std::vector<int64_t>{4, 12, 5, 13})
                               : (std::vector<int64_t>{0, 8, 1, 9}));
      } else if (rank == 0) {
        EXPECT_EQ(first, (Values{0, 0}));
        EXPECT_EQ(second, std::vector<int64_t>(4));
      } else if (kind == DISTRT_PERMUTE) {
        EXPECT_EQ(first, (Values{0, 2}));
        EXPECT_EQ(second, (std::vector<int64_t>{0, 8, 4, 12}));
      } else {
        EXPECT_EQ(first, (Values{1, 5}));
        EXPECT_EQ(second, (std::vector<int64_t>{1, 17, 9, 25}));
      }
    }
    return 0;
  });
  EXPECT_EQ(world.counters(0).collectives, 3);
  EXPECT_EQ(world.counters(0).bytes, 3 * (8 + 32));
}

TEST_ON_BACKENDS(Exchange, OlderCallersGetDefaults) {
  // Version 1 of the structs: no concat dim, no pairs, no factor.
  World world(2);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    auto older = [&](int kind, auto &x, int dataType, Sizes sizes) {
      Call call(kind, *group);
      call.dim(1).concatDim(7).pairs({0, 9});
      call.operand(dataType, Ref(x.data(), sizes)).factor(100);
      call.site.structSize = offsetof(distrtCallSite, concatDim);
      call.operands[0].structSize = offsetof(distrtOperand, factor);
      if (kind == DISTRT_REDUCE)
        call.reduction(DISTRT_PREMUL_SUM);
      return wait(context, call.start(context), int32_t(sizes.size()));
    };
    Values x = {float(rank), float(rank + 2)};
    Ref moved = older(DISTRT_ALL_TO_ALL, x, DISTRT_F32, {1, 2});
    EXPECT_EQ(moved.sizes(), (Sizes{2, 1}));
    take<float>(moved);
    EXPECT_EQ(take<float>(older(DISTRT_PERMUTE, x, DISTRT_F32, {1, 2})),
              (Values{0, 0}));
    EXPECT_EQ(take<float>(older(DISTRT_REDUCE, x, DISTRT_F32, {1, 2})),
              rank ? (Values{0, 0}) : (Values{1, 5}));
    // All but the last member of the site.
    Call call(DISTRT_ALL_TO_ALL, *group);
    call.dim(0).concatDim(1).operand(DISTRT_F32, Ref(x.data(), {2, 1}));
    call.site.structSize = offsetof(distrtCallSite, numPairs);
    Ref wide = wait(context, call.start(context), 2);
    EXPECT_EQ(wide.sizes(), (Sizes{1, 2}));
    take<float>(wide);
    return 0;
  });
}

TEST_ON_BACKENDS(Exchange, EveryDataType) {
  World world(2);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    for (int type = DISTRT_I1; type <= DISTRT_C128; ++type) {
      const int64_t n = 6, size = distrtDataTypeSize(type);
      auto bytesOf = [&](int64_t member) {
        std::vector<char> bytes;
        for (int64_t i = 0; i < n; ++i)
          for (char c : elementBytes(member, i, size))
            bytes.push_back(c);
        return bytes;
      };
      std::vector<char> x = bytesOf(rank), other = bytesOf(1 - rank);
      auto run = [&](int kind) {
        auto *future = Call(kind, *group)
                           .pairs({0, 1, 1, 0})
                           .operand(type, Ref(x.data(), {n}))
                           .start(context);
        Ref result = wait(context, future, 1);
        std::vector<char> bytes(result.data<char>(),
                                result.data<char>() + n * size);
        _mlir_memref_to_llvm_free(result.allocated());
        return bytes;
      };
      EXPECT_EQ(run(DISTRT_PERMUTE), other) << distrtDataTypeName(type);
      auto half = n * size / 2;
      std::vector<char> expected = rank ? other : x;
      std::copy_n((rank ? other : x).begin() + rank * half, half,
                  expected.begin());
      std::copy_n((rank ? x : other).begin() + rank * half, half,
                  expected.begin() + half);
      EXPECT_EQ(run(DISTRT_ALL_TO_ALL), expected) << distrtDataTypeName(type);
    }
    return 0;
  });
}

TEST(Exchange, CheckedModeSeesWrites) {
  for (int kind : kExchanges)
    for (bool source : {true, false}) {
      World world(2, [](distrtWorldOptions &options) {
        options.checked = true;
        options.linkDelayNs = 20000000;
      });
      auto group = all(2);
      EXPECT_EQ(world.run([&](distrtContext *context, int64_t rank) {
        Values x = {1, 2}, y = {3, 4};
        distrtFuture *future = nullptr;
        int status =
            Call(kind, *group)
                .pairs({0, 1, 1, 0})
                .operand(DISTRT_F32, Ref(x.data(), {2}), Ref(y.data(), {2}))
                .start(context, &future);
        if (rank == 1)
          touch(source ? &x[1] : &y[1], 7);
        return status ? status : distrtFutureDrop(context, future, nullptr);
      }),
                DISTRT_RACE);
      EXPECT_CONTAINS(world.message(), distrtCollectiveName(kind));
      EXPECT_CONTAINS(world.message(), "was written in flight");
    }
}

TEST_ON_BACKENDS(Exchange, NamesInTheTrace) {
  World world(1, [](distrtWorldOptions &options) { options.trace = true; });
  auto group = all(1);
  world.ok([&](distrtContext *context, int64_t) {
    for (int kind : kExchanges) {
      float x = 1;
      EXPECT_EQ(distrtFutureDrop(context,
                                 Call(kind, *group)
                                     .pairs({0, 0})
                                     .operand(DISTRT_F32, Ref(&x, {1}))
                                     .start(context),
                                 nullptr),
                DISTRT_OK);
    }
    return 0;
  });
  int64_t kinds[7] = {};
  for (int64_t i = 0; i < distrtWorldNumEvents(world.get()); ++i) {
    distrtEvent event = {};
    event.structSize = sizeof(event);
    ASSERT_EQ(distrtWorldEvent(world.get(), i, &event), DISTRT_OK);
    ASSERT_LE(event.collective, DISTRT_REDUCE);
    EXPECT_EQ(event.bytes, 4);
    ++kinds[event.collective];
  }
  for (int kind : kExchanges)
    EXPECT_EQ(kinds[kind], 3);
  EXPECT_STREQ(distrtCollectiveName(DISTRT_ALL_TO_ALL), "all_to_all");
  EXPECT_STREQ(distrtCollectiveName(DISTRT_PERMUTE), "permute");
  EXPECT_STREQ(distrtCollectiveName(DISTRT_REDUCE), "reduce");
  EXPECT_STREQ(distrtCollectiveName(DISTRT_REDUCE + 1), "unknown");
}
