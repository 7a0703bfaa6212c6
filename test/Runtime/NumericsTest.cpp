//===- NumericsTest.cpp - every data type with every reduction ------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

#include <cmath>
#include <limits>
#include <type_traits>

using namespace dist::test;

namespace {
/// Independent of the runtime: 16-bit floats through scaling and nearbyint,
/// which rounds to nearest even.
double widen(uint16_t bits, int exponentBits) {
  int mantissaBits = 15 - exponentBits, bias = (1 << (exponentBits - 1)) - 1;
  int exponent = (bits & 0x7fff) >> mantissaBits;
  int mantissa = bits & ((1 << mantissaBits) - 1);
  double value;
  if (exponent == (1 << exponentBits) - 1)
    value = mantissa ? std::nan("") : INFINITY;
  else if (exponent == 0)
    value = std::ldexp(mantissa, 1 - bias - mantissaBits);
  else
    value = std::ldexp(mantissa + (1 << mantissaBits),
                       exponent - bias - mantissaBits);
  return bits & 0x8000 ? -value : value;
}

uint16_t narrow(double value, int exponentBits) {
  int mantissaBits = 15 - exponentBits, bias = (1 << (exponentBits - 1)) - 1;
  auto sign = uint16_t(std::signbit(value) ? 0x8000 : 0);
  auto infinity = uint16_t(((1 << exponentBits) - 1) << mantissaBits);
  double magnitude = std::fabs(value);
  if (std::isnan(value))
    return uint16_t(sign | infinity | 1);
  if (magnitude == 0)
    return sign;
  if (std::isinf(magnitude))
    return sign | infinity;
  int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  auto steps =
      int64_t(std::nearbyint(std::ldexp(magnitude, mantissaBits - exponent)));
  // Carries run from the mantissa into the exponent by themselves.
  int64_t bits = steps + (int64_t(exponent + bias - 1) << mantissaBits);
  return uint16_t(sign | std::min<int64_t>(bits, infinity));
}

struct Half {
  uint16_t bits;
  static constexpr int exponentBits = 5;
};
struct Bfloat {
  uint16_t bits;
  static constexpr int exponentBits = 8;
};
template <typename T> constexpr bool isSmallFloat = false;
template <> constexpr bool isSmallFloat<Half> = true;
template <> constexpr bool isSmallFloat<Bfloat> = true;

template <typename T> T combine(int reduction, T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (reduction == DISTRT_SUM || reduction == DISTRT_AVG)
      return a + b;
    if (reduction == DISTRT_PRODUCT)
      return a * b;
    if (std::isnan(a) || std::isnan(b))
      return std::numeric_limits<T>::quiet_NaN();
    // The order by sign first, then by value: -0 < +0.
    bool less = std::signbit(a) != std::signbit(b) ? std::signbit(a) : a < b;
    return (reduction == DISTRT_MIN) == less ? a : b;
  } else {
    __int128 wideA = a, wideB = b;
    switch (reduction) {
    case DISTRT_SUM:
    case DISTRT_AVG:
      return T(wideA + wideB);
    case DISTRT_PRODUCT:
      // Modulo 2^64 is enough for every type here.
      return T(uint64_t(wideA) * uint64_t(wideB));
    case DISTRT_MIN:
      return std::min(a, b);
    case DISTRT_MAX:
      return std::max(a, b);
    case DISTRT_BAND:
      return T(a & b);
    case DISTRT_BOR:
      return T(a | b);
    }
    return T(a ^ b);
  }
}

template <typename T>
T expectedOf(int reduction, const std::vector<T> &values) {
  if constexpr (isSmallFloat<T>) {
    auto folded = float(widen(values[0].bits, T::exponentBits));
    for (size_t i = 1; i < values.size(); ++i)
      folded = combine<float>(reduction, folded,
                              float(widen(values[i].bits, T::exponentBits)));
    if (reduction == DISTRT_AVG)
      folded /= float(values.size());
    return {narrow(folded, T::exponentBits)};
  } else {
    T folded = values[0];
    for (size_t i = 1; i < values.size(); ++i)
      folded = combine<T>(reduction, folded, values[i]);
    if (reduction == DISTRT_AVG)
      folded = T(std::is_floating_point_v<T>
                     ? folded / T(values.size())
                     : T(__int128(folded) / __int128(values.size())));
    return folded;
  }
}

template <typename T> bool same(T a, T b) {
  if constexpr (isSmallFloat<T>) {
    double x = widen(a.bits, T::exponentBits),
           y = widen(b.bits, T::exponentBits);
    return a.bits == b.bits || (std::isnan(x) && std::isnan(y));
  } else if constexpr (std::is_floating_point_v<T>) {
    return (std::isnan(a) && std::isnan(b)) || memcmp(&a, &b, sizeof(T)) == 0;
  } else {
    return a == b;
  }
}

uint64_t nextRandom(uint64_t &state) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/// Any bit pattern, with many special ones.
template <typename T> T randomValue(uint64_t &state) {
  uint64_t bits = nextRandom(state);
  T value;
  memcpy(&value, &bits, sizeof(T));
  if constexpr (std::is_floating_point_v<T>) {
    const T special[] = {T(0),
                         -T(0),
                         INFINITY,
                         -INFINITY,
                         T(NAN),
                         T(1),
                         std::numeric_limits<T>::max(),
                         std::numeric_limits<T>::denorm_min()};
    if (nextRandom(state) % 3 == 0)
      return special[nextRandom(state) % 8];
    if (nextRandom(state) % 2 == 0)
      return T(int64_t(nextRandom(state) % 2000001) - 1000000) / T(512);
  } else if constexpr (isSmallFloat<T>) {
    if (nextRandom(state) % 3 == 0)
      return {narrow(double(int64_t(nextRandom(state) % 4001) - 2000) / 16,
                     T::exponentBits)};
  }
  return value;
}

template <typename T>
void check(int dataType, int reduction, bool isBool = false) {
  ASSERT_EQ(sizeof(T), size_t(distrtDataTypeSize(dataType)));
  const int64_t numRanks = 3, count = 3000;
  std::vector<std::vector<T>> inputs(numRanks, std::vector<T>(count));
  uint64_t state = 0x9e3779b97f4a7c15 + uint64_t(100 * dataType + reduction);
  for (auto &list : inputs)
    for (T &value : list) {
      value = randomValue<T>(state);
      if (isBool) {
        auto bit = uint8_t(nextRandom(state) & 1);
        memcpy(&value, &bit, 1);
      }
    }
  World world(numRanks);
  auto group = all(numRanks);
  world.ok([&](distrtContext *context, int64_t rank) {
    auto *future =
        Call(DISTRT_ALL_REDUCE, *group)
            .reduction(reduction)
            .operand(dataType, Ref(inputs[size_t(rank)].data(), {count}))
            .start(context);
    auto result = take<T>(wait(context, future, 1));
    int64_t wrong = 0;
    for (size_t i = 0; i < result.size(); ++i)
      wrong += !same(
          result[i],
          expectedOf<T>(reduction, {inputs[0][i], inputs[1][i], inputs[2][i]}));
    EXPECT_EQ(wrong, 0) << distrtDataTypeName(dataType) << " "
                        << distrtReductionName(reduction);
    return 0;
  });
}

void checkCell(int dataType, int reduction) {
  switch (dataType) {
  case DISTRT_I1:
    return check<uint8_t>(dataType, reduction, true);
  case DISTRT_I8:
    return check<int8_t>(dataType, reduction);
  case DISTRT_I16:
    return check<int16_t>(dataType, reduction);
  case DISTRT_I32:
    return check<int32_t>(dataType, reduction);
  case DISTRT_I64:
    return check<int64_t>(dataType, reduction);
  case DISTRT_UI8:
    return check<uint8_t>(dataType, reduction);
  case DISTRT_UI16:
    return check<uint16_t>(dataType, reduction);
  case DISTRT_UI32:
    return check<uint32_t>(dataType, reduction);
  case DISTRT_UI64:
    return check<uint64_t>(dataType, reduction);
  case DISTRT_F16:
    return check<Half>(dataType, reduction);
  case DISTRT_BF16:
    return check<Bfloat>(dataType, reduction);
  case DISTRT_F32:
    return check<float>(dataType, reduction);
  case DISTRT_F64:
    return check<double>(dataType, reduction);
  }
}

bool isLegal(int dataType, int reduction) {
  bool bitwise = reduction == DISTRT_BAND || reduction == DISTRT_BOR ||
                 reduction == DISTRT_BXOR;
  if (dataType == DISTRT_I1)
    return bitwise;
  bool isFloat = dataType == DISTRT_F16 || dataType == DISTRT_BF16 ||
                 dataType == DISTRT_F32 || dataType == DISTRT_F64;
  return !(isFloat && bitwise);
}
} // namespace

TEST(Numerics, EveryCellOfTheTable) {
  int legal = 0;
  for (int dataType = DISTRT_I1; dataType <= DISTRT_F64; ++dataType)
    for (int reduction = DISTRT_SUM; reduction <= DISTRT_BXOR; ++reduction) {
      EXPECT_EQ(distrtReductionIsLegal(dataType, reduction),
                isLegal(dataType, reduction));
      if (isLegal(dataType, reduction)) {
        ++legal;
        checkCell(dataType, reduction);
        continue;
      }
      World world(1);
      auto group = all(1);
      EXPECT_EQ(world.run([&](distrtContext *context, int64_t) {
        double x = 0;
        distrtFuture *future;
        return Call(DISTRT_ALL_REDUCE, *group)
            .reduction(reduction)
            .operand(dataType, Ref(&x, {1}))
            .start(context, &future);
      }),
                DISTRT_INVALID_ARGUMENT);
      EXPECT_CONTAINS(world.message(), distrtReductionName(reduction));
      EXPECT_CONTAINS(world.message(), distrtDataTypeName(dataType));
    }
  EXPECT_EQ(legal, 3 + 8 * 8 + 4 * 5);
  EXPECT_FALSE(distrtReductionIsLegal(DISTRT_F32, DISTRT_NO_REDUCTION));
  EXPECT_FALSE(distrtReductionIsLegal(-1, DISTRT_SUM));
  EXPECT_FALSE(distrtReductionIsLegal(DISTRT_F64 + 1, DISTRT_SUM));
}

template <typename T> static void everyPattern(int dataType) {
  // Group of one: a fold of one element must give its bits back; of two, with
  // a factor of 1/2, the subnormals are rounded.
  const int64_t n = 65536;
  std::vector<T> x(n), half(n, T{narrow(0.5, T::exponentBits)});
  for (int64_t i = 0; i < n; ++i)
    x[size_t(i)].bits = uint16_t(i);
  World world(2);
  Group one({{0}, {1}});
  auto two = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    auto *a = Call(DISTRT_ALL_REDUCE, one)
                  .operand(dataType, Ref(x.data(), {n}))
                  .start(context);
    auto *b = Call(DISTRT_ALL_REDUCE, *two)
                  .reduction(DISTRT_PRODUCT)
                  .operand(dataType, Ref(rank ? half.data() : x.data(), {n}))
                  .start(context);
    auto same1 = take<T>(wait(context, a, 1));
    auto halves = take<T>(wait(context, b, 1));
    int64_t wrong = 0;
    for (int64_t i = 0; i < n; ++i) {
      wrong += !same(same1[size_t(i)], x[size_t(i)]);
      T expected = {
          narrow(widen(uint16_t(i), T::exponentBits) * 0.5, T::exponentBits)};
      wrong += !same(halves[size_t(i)], expected);
    }
    EXPECT_EQ(wrong, 0);
    return 0;
  });
}

TEST(Numerics, EveryHalf) { everyPattern<Half>(DISTRT_F16); }
TEST(Numerics, EveryBfloat) { everyPattern<Bfloat>(DISTRT_BF16); }

TEST(Numerics, AverageOfManyRanksInANarrowType) {
  // 200 ranks do not fit into i8: the divisor must not wrap.
  World world(200);
  auto group = all(200);
  world.ok([&](distrtContext *context, int64_t rank) {
    int8_t x = rank < 100 ? 1 : 0;
    auto *future = Call(DISTRT_ALL_REDUCE, *group)
                       .reduction(DISTRT_AVG)
                       .operand(DISTRT_I8, Ref(&x, {}))
                       .start(context);
    EXPECT_EQ(take<int8_t>(wait(context, future, 0))[0], 0);
    return 0;
  });
}
