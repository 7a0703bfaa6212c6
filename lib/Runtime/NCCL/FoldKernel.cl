//===- FoldKernel.cl - folds what NCCL cannot reduce ----------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Bitwise reductions, 16-bit integers, complex products and averages, as a left fold in
// the order of the sources. utils/make-fold-kernel.sh makes FoldKernel.cpp of
// it, so that building the runtime needs no compiler for devices.
//
//===----------------------------------------------------------------------===//

// The values of distrtReduction and distrtDataType.
enum { kSum = 1, kProduct, kMin, kMax, kAvg, kAnd, kOr, kXor };
enum { kI16 = 2, kU16 = 6, kC64 = 15, kC128 = 16 };

// Arithmetic is done in 32 bits; sums and products wrap, averages truncate.
#define FOLD_SHORT(TYPE, WIDE)                                                 \
  {                                                                            \
    global const TYPE *in = (global const TYPE *)sources;                      \
    ulong count = bytes / sizeof(TYPE);                                        \
    for (ulong i = first; i < count; i += step) {                              \
      WIDE value = in[i];                                                      \
      for (long j = 1; j < numSources; ++j) {                                  \
        WIDE next = in[(ulong)j * count + i];                                  \
        value = reduction == kProduct ? (WIDE)(TYPE)(value * next)             \
                : reduction == kMin   ? (next < value ? next : value)          \
                : reduction == kMax   ? (next > value ? next : value)          \
                                      : (WIDE)(TYPE)(value + next);            \
      }                                                                        \
      if (reduction == kAvg)                                                   \
        value = value / (WIDE)numSources;                                      \
      ((global TYPE *)result)[i] = (TYPE)value;                                \
    }                                                                          \
    return;                                                                    \
  }

#define FOLD_COMPLEX(TYPE)                                                     \
  {                                                                            \
    global const TYPE *in = (global const TYPE *)sources;                      \
    ulong count = bytes / (2 * sizeof(TYPE));                                  \
    for (ulong i = first; i < count; i += step) {                              \
      TYPE a = in[2 * i], b = in[2 * i + 1];                                   \
      for (long j = 1; j < numSources; ++j) {                                  \
        ulong at = 2 * ((ulong)j * count + i);                                 \
        TYPE c = in[at], d = in[at + 1];                                       \
        TYPE real = a * c - b * d, imaginary = a * d + b * c;                  \
        a = reduction == kProduct ? real : a + c;                              \
        b = reduction == kProduct ? imaginary : b + d;                         \
      }                                                                        \
      if (reduction == kAvg) {                                                 \
        TYPE inverse = (TYPE)1 / (TYPE)numSources;                             \
        a *= inverse;                                                          \
        b *= inverse;                                                          \
      }                                                                        \
      ((global TYPE *)result)[2 * i] = a;                                      \
      ((global TYPE *)result)[2 * i + 1] = b;                                  \
    }                                                                          \
    return;                                                                    \
  }

#pragma OPENCL FP_CONTRACT OFF

kernel void dist_fold(global char *result, long resultOffset, ulong bytes,
                      long resultStride, global const char *sources,
                      long sourcesOffset, ulong sourcesSize, long sourcesStride,
                      long numSources, int dataType, int reduction) {
  uint block = __nvvm_read_ptx_sreg_ctaid_x();
  uint threads = __nvvm_read_ptx_sreg_ntid_x();
  ulong first = (ulong)block * threads + __nvvm_read_ptx_sreg_tid_x();
  ulong step = (ulong)threads * __nvvm_read_ptx_sreg_nctaid_x();
  if (reduction >= kAnd) {
    for (ulong i = first; i < bytes; i += step) {
      uchar value = sources[i];
      for (long j = 1; j < numSources; ++j) {
        uchar next = sources[(ulong)j * bytes + i];
        value = reduction == kAnd  ? value & next
                : reduction == kOr ? value | next
                                   : value ^ next;
      }
      result[i] = value;
    }
    return;
  }
  if (dataType == kI16)
    FOLD_SHORT(short, int)
  if (dataType == kU16)
    FOLD_SHORT(ushort, uint)
  if (dataType == kC64)
    FOLD_COMPLEX(float)
  if (dataType == kC128)
    FOLD_COMPLEX(double)
}
