//===- Numerics.h - reductions over every data type -------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_COMMON_NUMERICS_H
#define DIST_LIB_RUNTIME_COMMON_NUMERICS_H

#include <cstdint>

namespace dist::rt {

/// IEEE binary16 and bfloat16 as bits, to and from f32. Narrowing rounds to
/// nearest even, once; nan stays nan.
float halfToFloat(uint16_t bits);
uint16_t floatToHalf(float value);
float bfloatToFloat(uint16_t bits);
uint16_t floatToBfloat(float value);

/// The same for fp8. E4M3FN has no infinity: what overflows is nan.
float float8E4M3FNToFloat(uint8_t bits);
uint8_t floatToFloat8E4M3FN(float value);
float float8E5M2ToFloat(uint8_t bits);
uint8_t floatToFloat8E5M2(float value);

/// Elements and bytes that one fold call may take at most; callers go chunk by
/// chunk.
constexpr int64_t kFoldChunk = 4096;
constexpr int64_t kFoldBytes = 32768;

/// Folds `count` elements of `numSources` buffers, from the first to the last,
/// into `out`, which must not be one of them. `factors`, one per buffer, are
/// read for premul_sum only.
using FoldFunction = void (*)(const char *const *sources, const double *factors,
                              int64_t numSources, int64_t count, void *out);

/// Null for an illegal cell of the table.
FoldFunction lookupFold(int dataType, int reduction);

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_COMMON_NUMERICS_H
