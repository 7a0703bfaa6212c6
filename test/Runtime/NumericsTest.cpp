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
/// Bits of a small float; T says how they are divided.
template <int bits_, int exponentBits_, bool infinities_> struct Small {
  using Bits = std::conditional_t<bits_ == 8, uint8_t, uint16_t>;
  static constexpr int exponentBits = exponentBits_;
  static constexpr int mantissaBits = bits_ - 1 - exponentBits_;
  static constexpr int bias = (1 << (exponentBits_ - 1)) - 1;
  static constexpr int signBit = 1 << (bits_ - 1);
  /// Without infinities only the highest pattern is special: nan.
  static constexpr int firstSpecial =
      infinities_ ? ((1 << exponentBits) - 1) << mantissaBits : signBit - 1;
  static constexpr bool infinities = infinities_;
  Bits bits;
};
using Half = Small<16, 5, true>;
using Bfloat = Small<16, 8, true>;
using Float8E4M3FN = Small<8, 4, false>;
using Float8E5M2 = Small<8, 5, true>;
template <typename T> constexpr bool isSmallFloat = false;
template <int bits, int exponentBits, bool infinities>
constexpr bool isSmallFloat<Small<bits, exponentBits, infinities>> = true;

/// Independent of the runtime: through scaling and nearbyint, which rounds to
/// nearest even.
template <typename T> double widen(T value) {
  int magnitude = value.bits & (T::signBit - 1);
  int exponent = magnitude >> T::mantissaBits;
  int mantissa = magnitude & ((1 << T::mantissaBits) - 1);
  double result;
  if (magnitude >= T::firstSpecial)
    result = T::infinities && mantissa == 0 ? INFINITY : std::nan("");
  else if (exponent == 0)
    result = std::ldexp(mantissa, 1 - T::bias - T::mantissaBits);
  else
    result = std::ldexp(mantissa + (1 << T::mantissaBits),
                        exponent - T::bias - T::mantissaBits);
  return value.bits & T::signBit ? -result : result;
}

template <typename T> T narrow(double value) {
  using Bits = typename T::Bits;
  int sign = std::signbit(value) ? T::signBit : 0;
  double magnitude = std::fabs(value);
  if (std::isnan(value))
    return {Bits(sign | T::firstSpecial | (T::infinities ? 1 : 0))};
  if (magnitude == 0)
    return {Bits(sign)};
  if (std::isinf(magnitude))
    return {Bits(sign | T::firstSpecial)};
  int exponent = std::max(std::ilogb(magnitude), 1 - T::bias);
  auto steps = int64_t(
      std::nearbyint(std::ldexp(magnitude, T::mantissaBits - exponent)));
  // Carries run from the mantissa into the exponent by themselves.
  int64_t bits = steps + (int64_t(exponent + T::bias - 1) << T::mantissaBits);
  return {Bits(sign | std::min<int64_t>(bits, T::firstSpecial))};
}

template <typename T> struct Complex {
  T re, im;
};
template <typename T> constexpr bool isComplex = false;
template <typename T> constexpr bool isComplex<Complex<T>> = true;

/// By rank; the third one is rounded to f32.
const double kFactors[] = {0.5, -3.0, 0.1};

template <typename T> T combine(int reduction, T a, T b) {
  if constexpr (isComplex<T>) {
    if (reduction == DISTRT_PRODUCT)
      return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return {a.re + b.re, a.im + b.im};
  } else if constexpr (std::is_floating_point_v<T>) {
    if (reduction == DISTRT_SUM || reduction == DISTRT_AVG ||
        reduction == DISTRT_PREMUL_SUM)
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
    std::vector<float> wide;
    for (T value : values)
      wide.push_back(float(widen(value)));
    return narrow<T>(expectedOf<float>(reduction, wide));
  } else {
    auto element = [&](size_t i) {
      if constexpr (std::is_floating_point_v<T>)
        if (reduction == DISTRT_PREMUL_SUM)
          return values[i] * T(kFactors[i]);
      return values[i];
    };
    T folded = element(0);
    for (size_t i = 1; i < values.size(); ++i)
      folded = combine<T>(reduction, folded, element(i));
    if (reduction != DISTRT_AVG)
      return folded;
    if constexpr (isComplex<T>) {
      auto scale = 1 / decltype(folded.re)(values.size());
      return {folded.re * scale, folded.im * scale};
    } else if constexpr (std::is_floating_point_v<T>)
      return folded / T(values.size());
    else
      return T(__int128(folded) / __int128(values.size()));
  }
}

template <typename T> bool same(T a, T b) {
  if constexpr (isComplex<T>)
    return same(a.re, b.re) && same(a.im, b.im);
  else if constexpr (isSmallFloat<T>)
    return a.bits == b.bits || (std::isnan(widen(a)) && std::isnan(widen(b)));
  else if constexpr (std::is_floating_point_v<T>)
    return (std::isnan(a) && std::isnan(b)) || memcmp(&a, &b, sizeof(T)) == 0;
  else
    return a == b;
}

uint64_t nextRandom(uint64_t &state) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/// Any bit pattern, with many special ones.
template <typename T> T randomReal(uint64_t &state) {
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
      return narrow<T>(double(int64_t(nextRandom(state) % 4001) - 2000) / 16);
  }
  return value;
}

template <typename T> T randomValue(uint64_t &state) {
  if constexpr (isComplex<T>) {
    using Part = decltype(T::re);
    Part re = randomValue<Part>(state);
    return {re, randomValue<Part>(state)};
  } else {
    return randomReal<T>(state);
  }
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
            .factor(kFactors[rank])
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
  case DISTRT_F8E4M3FN:
    return check<Float8E4M3FN>(dataType, reduction);
  case DISTRT_F8E5M2:
    return check<Float8E5M2>(dataType, reduction);
  case DISTRT_C64:
    return check<Complex<float>>(dataType, reduction);
  case DISTRT_C128:
    return check<Complex<double>>(dataType, reduction);
  }
}

bool isLegal(int dataType, int reduction) {
  bool bitwise = reduction == DISTRT_BAND || reduction == DISTRT_BOR ||
                 reduction == DISTRT_BXOR;
  if (dataType == DISTRT_I1)
    return bitwise;
  if (dataType == DISTRT_C64 || dataType == DISTRT_C128)
    return reduction == DISTRT_SUM || reduction == DISTRT_PRODUCT ||
           reduction == DISTRT_AVG;
  bool isFloat = dataType == DISTRT_F16 || dataType == DISTRT_BF16 ||
                 dataType == DISTRT_F32 || dataType == DISTRT_F64 ||
                 dataType == DISTRT_F8E4M3FN || dataType == DISTRT_F8E5M2;
  return reduction == DISTRT_PREMUL_SUM ? isFloat : !(isFloat && bitwise);
}
} // namespace

TEST(Numerics, EveryCellOfTheTable) {
  int legal = 0;
  for (int dataType = DISTRT_I1; dataType <= DISTRT_C128; ++dataType)
    for (int reduction = DISTRT_SUM; reduction <= DISTRT_PREMUL_SUM;
         ++reduction) {
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
        double x[2] = {};
        distrtFuture *future;
        return Call(DISTRT_ALL_REDUCE, *group)
            .reduction(reduction)
            .operand(dataType, Ref(x, {1}))
            .start(context, &future);
      }),
                DISTRT_INVALID_ARGUMENT);
      EXPECT_CONTAINS(world.message(), distrtReductionName(reduction));
      EXPECT_CONTAINS(world.message(), distrtDataTypeName(dataType));
    }
  EXPECT_EQ(legal, 3 + 8 * 8 + 6 * 6 + 2 * 3);
  EXPECT_FALSE(distrtReductionIsLegal(DISTRT_F32, DISTRT_NO_REDUCTION));
  EXPECT_FALSE(distrtReductionIsLegal(-1, DISTRT_SUM));
  EXPECT_FALSE(distrtReductionIsLegal(DISTRT_C128 + 1, DISTRT_SUM));
}

template <typename T> static void everyPattern(int dataType) {
  // Group of one: a fold of one element must give its bits back; of two, with
  // a factor of 1/2, the subnormals are rounded.
  const int64_t n = 2 * T::signBit;
  std::vector<T> x(n), half(n, narrow<T>(0.5));
  for (int64_t i = 0; i < n; ++i)
    x[size_t(i)].bits = typename T::Bits(i);
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
      wrong += !same(halves[size_t(i)], narrow<T>(widen(x[size_t(i)]) * 0.5));
    }
    EXPECT_EQ(wrong, 0);
    return 0;
  });
}

TEST(Numerics, EveryHalf) { everyPattern<Half>(DISTRT_F16); }
TEST(Numerics, EveryBfloat) { everyPattern<Bfloat>(DISTRT_BF16); }
TEST(Numerics, EveryFloat8E4M3FN) {
  everyPattern<Float8E4M3FN>(DISTRT_F8E4M3FN);
}
TEST(Numerics, EveryFloat8E5M2) { everyPattern<Float8E5M2>(DISTRT_F8E5M2); }

template <typename T> static void everyPair(int dataType) {
  const int64_t n = 65536;
  std::vector<T> x(n), y(n);
  for (int64_t i = 0; i < n; ++i) {
    x[size_t(i)].bits = uint8_t(i);
    y[size_t(i)].bits = uint8_t(i >> 8);
  }
  World world(2);
  auto group = all(2);
  world.ok([&](distrtContext *context, int64_t rank) {
    for (int reduction : {DISTRT_SUM, DISTRT_PRODUCT, DISTRT_MIN, DISTRT_MAX,
                          DISTRT_AVG, DISTRT_PREMUL_SUM}) {
      auto *future =
          Call(DISTRT_ALL_REDUCE, *group)
              .reduction(reduction)
              .operand(dataType, Ref(rank ? y.data() : x.data(), {n}))
              .factor(kFactors[rank])
              .start(context);
      auto result = take<T>(wait(context, future, 1));
      int64_t wrong = 0;
      for (size_t i = 0; i < size_t(n); ++i)
        wrong += !same(result[i], expectedOf<T>(reduction, {x[i], y[i]}));
      EXPECT_EQ(wrong, 0) << distrtReductionName(reduction);
    }
    return 0;
  });
}

TEST(Numerics, EveryPairOfFloat8) {
  everyPair<Float8E4M3FN>(DISTRT_F8E4M3FN);
  everyPair<Float8E5M2>(DISTRT_F8E5M2);
}

TEST(Numerics, FactorsBelongToMembersAndOperands) {
  World world(40); // more than fit on the stack
  auto group = all(40);
  world.ok([&](distrtContext *context, int64_t rank) {
    float x = 1, y = 2;
    distrtFuture *futures[2];
    EXPECT_EQ(Call(DISTRT_ALL_REDUCE, *group)
                  .reduction(DISTRT_PREMUL_SUM)
                  .operand(DISTRT_F32, Ref(&x, {}))
                  .factor(double(rank))
                  .operand(DISTRT_F32, Ref(&y, {}))
                  .factor(rank == 7 ? 0.25 : 0)
                  .start(context, futures),
              DISTRT_OK);
    EXPECT_EQ(take<float>(wait(context, futures[0], 0)), (Values{780}));
    EXPECT_EQ(take<float>(wait(context, futures[1], 0)), (Values{0.5f}));
    return 0;
  });
}

TEST(Numerics, AFactorOfOneRank) {
  World world(1);
  auto group = all(1);
  world.ok([&](distrtContext *context, int64_t) {
    for (int kind : {DISTRT_ALL_REDUCE, DISTRT_REDUCE_SCATTER, DISTRT_REDUCE}) {
      Values x = {3, -4};
      auto *future = Call(kind, *group)
                         .reduction(DISTRT_PREMUL_SUM)
                         .operand(DISTRT_F32, Ref(x.data(), {2}))
                         .factor(0.5)
                         .start(context);
      EXPECT_EQ(take<float>(wait(context, future, 1)), (Values{1.5f, -2}));
    }
    return 0;
  });
}

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
