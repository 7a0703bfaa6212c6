//===- Names.cpp - names and tables of the ABI ----------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dist-rt/distrt.h"

namespace {
/// One row of the table data type x reduction; a bit per reduction.
struct DataTypeRow {
  const char *name;
  int64_t size;
  uint32_t reductions;
};

constexpr uint32_t kBitwise =
    1u << DISTRT_BAND | 1u << DISTRT_BOR | 1u << DISTRT_BXOR;
constexpr uint32_t kComplex =
    1u << DISTRT_SUM | 1u << DISTRT_PRODUCT | 1u << DISTRT_AVG;
constexpr uint32_t kOrdered = kComplex | 1u << DISTRT_MIN | 1u << DISTRT_MAX;
constexpr uint32_t kInteger = kOrdered | kBitwise;
constexpr uint32_t kFloat = kOrdered | 1u << DISTRT_PREMUL_SUM;

/// By distrtDataType.
constexpr DataTypeRow kDataTypes[] = {
    {"i1", 1, kBitwise},
    {"i8", 1, kInteger},
    {"i16", 2, kInteger},
    {"i32", 4, kInteger},
    {"i64", 8, kInteger},
    {"ui8", 1, kInteger},
    {"ui16", 2, kInteger},
    {"ui32", 4, kInteger},
    {"ui64", 8, kInteger},
    {"f16", 2, kFloat},
    {"bf16", 2, kFloat},
    {"f32", 4, kFloat},
    {"f64", 8, kFloat},
    {"f8E4M3FN", 1, kFloat},
    {"f8E5M2", 1, kFloat},
    {"complex<f32>", 8, kComplex},
    {"complex<f64>", 16, kComplex},
};
constexpr int kNumDataTypes = sizeof(kDataTypes) / sizeof(kDataTypes[0]);
static_assert(kNumDataTypes == DISTRT_C128 + 1, "one row per data type");

const DataTypeRow *lookup(int dataType) {
  return dataType >= 0 && dataType < kNumDataTypes ? &kDataTypes[dataType]
                                                   : nullptr;
}
} // namespace

extern "C" {

const char *distrtDataTypeName(int dataType) {
  const DataTypeRow *row = lookup(dataType);
  return row ? row->name : "unknown";
}

const char *distrtReductionName(int reduction) {
  static const char *const names[] = {"none", "sum",       "product", "min",
                                      "max",  "avg",       "band",    "bor",
                                      "bxor", "premul_sum"};
  return reduction >= DISTRT_NO_REDUCTION && reduction <= DISTRT_PREMUL_SUM
             ? names[reduction]
             : "unknown";
}

const char *distrtCollectiveName(int kind) {
  static const char *const names[] = {
      "all_gather", "all_reduce", "reduce_scatter", "broadcast",
      "all_to_all", "permute",    "reduce"};
  return kind >= DISTRT_ALL_GATHER && kind <= DISTRT_REDUCE ? names[kind]
                                                            : "unknown";
}

const char *distrtStatusName(int status) {
  static const char *const names[] = {
      "ok",           "invalid argument", "unbound group", "mismatch",
      "timeout",      "aborted",          "race",          "leak",
      "unsupported",  "abi mismatch",     "out of memory", "internal error",
      "device error", "assertion"};
  return status >= DISTRT_OK && status <= DISTRT_ASSERTION ? names[status]
                                                           : "unknown";
}

int64_t distrtDataTypeSize(int dataType) {
  const DataTypeRow *row = lookup(dataType);
  return row ? row->size : 0;
}

bool distrtReductionIsLegal(int dataType, int reduction) {
  const DataTypeRow *row = lookup(dataType);
  return row && reduction > DISTRT_NO_REDUCTION &&
         reduction <= DISTRT_PREMUL_SUM && (row->reductions >> reduction & 1);
}

} // extern "C"
