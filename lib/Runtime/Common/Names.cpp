//===- Names.cpp - names and tables of the ABI ----------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dist-rt/distrt.h"

extern "C" {

const char *distrtDataTypeName(int dataType) {
  static const char *const names[] = {"i1",   "i8",   "i16",  "i32",  "i64",
                                      "ui8",  "ui16", "ui32", "ui64", "f16",
                                      "bf16", "f32",  "f64"};
  return dataType >= DISTRT_I1 && dataType <= DISTRT_F64 ? names[dataType]
                                                         : "unknown";
}

const char *distrtReductionName(int reduction) {
  static const char *const names[] = {"none", "sum",  "product", "min", "max",
                                      "avg",  "band", "bor",     "bxor"};
  return reduction >= DISTRT_NO_REDUCTION && reduction <= DISTRT_BXOR
             ? names[reduction]
             : "unknown";
}

const char *distrtCollectiveName(int kind) {
  static const char *const names[] = {"all_gather", "all_reduce",
                                      "reduce_scatter", "broadcast"};
  return kind >= DISTRT_ALL_GATHER && kind <= DISTRT_BROADCAST ? names[kind]
                                                               : "unknown";
}

const char *distrtStatusName(int status) {
  static const char *const names[] = {
      "ok",          "invalid argument", "unbound group", "mismatch",
      "timeout",     "aborted",          "race",          "leak",
      "unsupported", "abi mismatch",     "out of memory", "internal error"};
  return status >= DISTRT_OK && status <= DISTRT_INTERNAL ? names[status]
                                                          : "unknown";
}

int64_t distrtDataTypeSize(int dataType) {
  static const int64_t sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8};
  return dataType >= DISTRT_I1 && dataType <= DISTRT_F64 ? sizes[dataType] : 0;
}

bool distrtReductionIsLegal(int dataType, int reduction) {
  if (dataType < DISTRT_I1 || dataType > DISTRT_F64 ||
      reduction <= DISTRT_NO_REDUCTION || reduction > DISTRT_BXOR)
    return false;
  bool bitwise = reduction >= DISTRT_BAND;
  if (dataType == DISTRT_I1)
    return bitwise;
  return dataType < DISTRT_F16 || !bitwise;
}

} // extern "C"
