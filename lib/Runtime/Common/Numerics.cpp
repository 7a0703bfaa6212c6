//===- Numerics.cpp - reductions over every data type ---------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common/Numerics.h"

#include "dist-rt/distrt.h"

#include <cmath>
#include <cstring>
#include <type_traits>

using namespace dist::rt;

template <typename To, typename From> static To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "bit cast between equal sizes");
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}

float dist::rt::halfToFloat(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000u) << 16;
  uint32_t exponent = (bits >> 10) & 0x1fu;
  uint32_t mantissa = bits & 0x3ffu;
  if (exponent == 0x1f)
    return bitCast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent != 0)
    return bitCast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
  // Subnormal or zero: mantissa * 2^-24, exact in f32.
  float magnitude = float(mantissa) * 0x1p-24f;
  return bitCast<float>(sign | bitCast<uint32_t>(magnitude));
}

uint16_t dist::rt::floatToHalf(float value) {
  uint32_t bits = bitCast<uint32_t>(value);
  uint16_t sign = uint16_t((bits >> 16) & 0x8000u);
  uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return uint16_t(sign | 0x7e00u | ((magnitude >> 13) & 0x1ffu));
  if (magnitude >= 0x477ff000u) // 65520 and more round to infinity
    return uint16_t(sign | 0x7c00u);
  if (magnitude >= 0x38800000u) { // normal in f16: 2^-14 and more
    uint32_t rounded = magnitude - 0x38000000u;
    rounded += 0xfffu + ((rounded >> 13) & 1u);
    return uint16_t(sign | (rounded >> 13));
  }
  if (magnitude <= 0x33000000u) // 2^-25 and less round to zero
    return sign;
  uint32_t shift = 126 - (magnitude >> 23); // 14 .. 24
  uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
  uint32_t result = mantissa >> shift;
  uint32_t rest = mantissa & ((1u << shift) - 1);
  uint32_t half = 1u << (shift - 1);
  result += rest > half || (rest == half && (result & 1u));
  return uint16_t(sign | result);
}

float dist::rt::bfloatToFloat(uint16_t bits) {
  return bitCast<float>(uint32_t(bits) << 16);
}

uint16_t dist::rt::floatToBfloat(float value) {
  uint32_t bits = bitCast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return uint16_t((bits >> 16) | 0x40u);
  return uint16_t((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

/// fp8 from f32, rounded once. `maxFinite` and `overflow` are bit patterns
/// without sign.
template <int exponentBits, int mantissaBits, uint8_t maxFinite,
          uint8_t overflow>
static uint8_t encodeFloat8(float value, uint8_t nan) {
  constexpr uint32_t bias = (1u << (exponentBits - 1)) - 1;
  constexpr int shift = 23 - mantissaBits;
  uint32_t bits = bitCast<uint32_t>(value);
  auto sign = uint8_t((bits >> 24) & 0x80u);
  uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return sign | nan;
  uint32_t result;
  if (magnitude >= (128u - bias) << 23) { // normal in fp8
    uint32_t rounded = magnitude - ((127u - bias) << 23);
    rounded += (1u << (shift - 1)) - 1 + ((rounded >> shift) & 1u);
    result = rounded >> shift;
  } else {
    // Beside this number f32 is as coarse as the subnormals of fp8: the
    // addition rounds, and the count of steps is in the low bits.
    constexpr uint32_t coarse = (127u + 1 - bias + shift) << 23;
    result =
        bitCast<uint32_t>(bitCast<float>(magnitude) + bitCast<float>(coarse)) -
        coarse;
  }
  return sign | (result > maxFinite ? overflow : uint8_t(result));
}

float dist::rt::float8E4M3FNToFloat(uint8_t bits) {
  uint32_t sign = uint32_t(bits & 0x80u) << 24;
  uint32_t magnitude = bits & 0x7fu;
  if (magnitude == 0x7f)
    return bitCast<float>(sign | 0x7fc00000u);
  if (magnitude >= 8)
    return bitCast<float>(sign | ((magnitude << 20) + (120u << 23)));
  float subnormal = float(magnitude) * 0x1p-9f;
  return bitCast<float>(sign | bitCast<uint32_t>(subnormal));
}

uint8_t dist::rt::floatToFloat8E4M3FN(float value) {
  return encodeFloat8<4, 3, 0x7e, 0x7f>(value, 0x7f);
}

// The upper half of an f16.
float dist::rt::float8E5M2ToFloat(uint8_t bits) {
  return halfToFloat(uint16_t(bits << 8));
}

uint8_t dist::rt::floatToFloat8E5M2(float value) {
  uint32_t payload = bitCast<uint32_t>(value) >> 21 & 1u;
  return encodeFloat8<5, 2, 0x7b, 0x7c>(value, uint8_t(0x7e | payload));
}

namespace {
template <typename T> struct Complex { T re, im; };
template <typename T> constexpr bool isComplex = false;
template <typename T> constexpr bool isComplex<Complex<T>> = true;

/// How elements lie in memory and what they are accumulated in.
template <typename T> struct Plain {
  using Storage = T;
  using Accumulator = T;
  static T load(T value) { return value; }
  static T store(T value) { return value; }
};
struct Half {
  using Storage = uint16_t;
  using Accumulator = float;
  static float load(uint16_t bits) { return halfToFloat(bits); }
  static uint16_t store(float value) { return floatToHalf(value); }
};
struct Bfloat {
  using Storage = uint16_t;
  using Accumulator = float;
  static float load(uint16_t bits) { return bfloatToFloat(bits); }
  static uint16_t store(float value) { return floatToBfloat(value); }
};

struct Float8E4M3FN {
  using Storage = uint8_t;
  using Accumulator = float;
  static float load(uint8_t bits) { return float8E4M3FNToFloat(bits); }
  static uint8_t store(float value) { return floatToFloat8E4M3FN(value); }
};
struct Float8E5M2 {
  using Storage = uint8_t;
  using Accumulator = float;
  static float load(uint8_t bits) { return float8E5M2ToFloat(bits); }
  static uint8_t store(float value) { return floatToFloat8E5M2(value); }
};

/// Wrapping arithmetic: in unsigned 64 bits, then cut to the width.
template <typename T> uint64_t wide(T value) {
  return static_cast<uint64_t>(value);
}

struct Sum {
  template <typename T> static T apply(T a, T b) {
    if constexpr (isComplex<T>)
      return {a.re + b.re, a.im + b.im};
    else if constexpr (std::is_floating_point_v<T>)
      return a + b;
    else
      return static_cast<T>(wide(a) + wide(b));
  }
};
struct Product {
  template <typename T> static T apply(T a, T b) {
    if constexpr (isComplex<T>)
      return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    else if constexpr (std::is_floating_point_v<T>)
      return a * b;
    else
      return static_cast<T>(wide(a) * wide(b));
  }
};
struct Min {
  template <typename T> static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(a))
        return a;
      if (a == b)
        return std::signbit(a) ? a : b;
    }
    return a < b ? a : b;
  }
};
struct Max {
  template <typename T> static T apply(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(a))
        return a;
      if (a == b)
        return std::signbit(a) ? b : a;
    }
    return a > b ? a : b;
  }
};
struct BitAnd {
  template <typename T> static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct BitOr {
  template <typename T> static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct BitXor {
  template <typename T> static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

/// A complex sum is divided as complex division does it, which has one
/// reciprocal for both parts.
template <typename T> Complex<T> divide(Complex<T> sum, int64_t n) {
  T scale = T(1) / static_cast<T>(n);
  return {sum.re * scale, sum.im * scale};
}
template <typename T> T divide(T sum, int64_t n) {
  if constexpr (std::is_floating_point_v<T>)
    return sum / static_cast<T>(n);
  else if constexpr (std::is_signed_v<T>)
    return static_cast<T>(static_cast<int64_t>(sum) / n);
  else
    return static_cast<T>(static_cast<uint64_t>(sum) /
                          static_cast<uint64_t>(n));
}

/// What is done besides the fold itself.
enum class Scale { None, Average, Factors };

template <typename Codec, typename Op, Scale scale>
void fold(const char *const *sources, const double *factors, int64_t numSources,
          int64_t count, void *out) {
  using Storage = typename Codec::Storage;
  using Accumulator = typename Codec::Accumulator;
  constexpr bool direct = std::is_same_v<Storage, Accumulator>;
  Accumulator scratch[direct ? 1 : kFoldChunk];
  auto *result = static_cast<Storage *>(out);
  Accumulator *sum = scratch;
  if constexpr (direct)
    sum = result;
  auto element = [&](int64_t source, int64_t i) {
    Storage value;
    memcpy(&value, sources[source] + size_t(i) * sizeof(Storage),
           sizeof(Storage));
    if constexpr (scale == Scale::Factors)
      return Codec::load(value) * static_cast<Accumulator>(factors[source]);
    else
      return Codec::load(value);
  };
  if (numSources == 1) {
    for (int64_t i = 0; i < count; ++i)
      sum[i] = element(0, i);
  } else {
    for (int64_t i = 0; i < count; ++i)
      sum[i] = Op::apply(element(0, i), element(1, i));
  }
  for (int64_t source = 2; source < numSources; ++source)
    for (int64_t i = 0; i < count; ++i)
      sum[i] = Op::apply(sum[i], element(source, i));
  if constexpr (scale == Scale::Average)
    for (int64_t i = 0; i < count; ++i)
      sum[i] = divide(sum[i], numSources);
  if constexpr (!direct)
    for (int64_t i = 0; i < count; ++i)
      result[i] = Codec::store(sum[i]);
}

template <typename Codec> FoldFunction lookupReduction(int reduction) {
  using Accumulator = typename Codec::Accumulator;
  switch (reduction) {
  case DISTRT_SUM:
    return fold<Codec, Sum, Scale::None>;
  case DISTRT_PRODUCT:
    return fold<Codec, Product, Scale::None>;
  case DISTRT_AVG:
    return fold<Codec, Sum, Scale::Average>;
  }
  if constexpr (!isComplex<Accumulator>) {
    switch (reduction) {
    case DISTRT_MIN:
      return fold<Codec, Min, Scale::None>;
    case DISTRT_MAX:
      return fold<Codec, Max, Scale::None>;
    }
  }
  if constexpr (std::is_floating_point_v<Accumulator>) {
    if (reduction == DISTRT_PREMUL_SUM)
      return fold<Codec, Sum, Scale::Factors>;
  }
  if constexpr (std::is_integral_v<Accumulator>) {
    switch (reduction) {
    case DISTRT_BAND:
      return fold<Codec, BitAnd, Scale::None>;
    case DISTRT_BOR:
      return fold<Codec, BitOr, Scale::None>;
    case DISTRT_BXOR:
      return fold<Codec, BitXor, Scale::None>;
    }
  }
  return nullptr;
}
} // namespace

FoldFunction dist::rt::lookupFold(int dataType, int reduction) {
  if (!distrtReductionIsLegal(dataType, reduction))
    return nullptr;
  switch (dataType) {
  case DISTRT_I1:
  case DISTRT_UI8:
    return lookupReduction<Plain<uint8_t>>(reduction);
  case DISTRT_I8:
    return lookupReduction<Plain<int8_t>>(reduction);
  case DISTRT_I16:
    return lookupReduction<Plain<int16_t>>(reduction);
  case DISTRT_I32:
    return lookupReduction<Plain<int32_t>>(reduction);
  case DISTRT_I64:
    return lookupReduction<Plain<int64_t>>(reduction);
  case DISTRT_UI16:
    return lookupReduction<Plain<uint16_t>>(reduction);
  case DISTRT_UI32:
    return lookupReduction<Plain<uint32_t>>(reduction);
  case DISTRT_UI64:
    return lookupReduction<Plain<uint64_t>>(reduction);
  case DISTRT_F16:
    return lookupReduction<Half>(reduction);
  case DISTRT_BF16:
    return lookupReduction<Bfloat>(reduction);
  case DISTRT_F32:
    return lookupReduction<Plain<float>>(reduction);
  case DISTRT_F64:
    return lookupReduction<Plain<double>>(reduction);
  case DISTRT_F8E4M3FN:
    return lookupReduction<Float8E4M3FN>(reduction);
  case DISTRT_F8E5M2:
    return lookupReduction<Float8E5M2>(reduction);
  case DISTRT_C64:
    return lookupReduction<Plain<Complex<float>>>(reduction);
  case DISTRT_C128:
    return lookupReduction<Plain<Complex<double>>>(reduction);
  }
  return nullptr;
}
