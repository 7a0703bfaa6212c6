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

/// Elements that one fold call may take at most; callers go chunk by chunk.
constexpr int64_t kFoldChunk = 4096;

/// Folds `count` elements (at most kFoldChunk) of `numSources` buffers, from
/// the first to the last, into `out`, which must not be one of them.
using FoldFunction = void (*)(const char *const *sources, int64_t numSources,
                              int64_t count, void *out);

/// Null for an illegal cell of the table.
FoldFunction lookupFold(int dataType, int reduction);

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_COMMON_NUMERICS_H
