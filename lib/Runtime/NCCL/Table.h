//===- Table.h - the functions of CUDA and NCCL -----------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Everything that the runtime calls of the two libraries goes through one table
// of pointers, so that nothing links them, and a fake pair can stand in.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_NCCL_TABLE_H
#define DIST_LIB_RUNTIME_NCCL_TABLE_H

#include "Common/Device.h"

#include <cuda_runtime_api.h>
#include <memory>
#include <nccl.h>

namespace dist::rt {

#define DIST_CUDA_FUNCTIONS(X)                                                 \
  X(cudaGetErrorString)                                                        \
  X(cudaRuntimeGetVersion)                                                     \
  X(cudaGetDeviceCount)                                                        \
  X(cudaSetDevice)                                                             \
  X(cudaDeviceGetAttribute)                                                    \
  X(cudaStreamCreateWithFlags)                                                 \
  X(cudaStreamDestroy)                                                         \
  X(cudaStreamWaitEvent)                                                       \
  X(cudaStreamQuery)                                                           \
  X(cudaStreamIsCapturing)                                                     \
  X(cudaStreamBeginCapture)                                                    \
  X(cudaStreamEndCapture)                                                      \
  X(cudaGraphInstantiateWithFlags)                                             \
  X(cudaGraphLaunch)                                                           \
  X(cudaGraphExecDestroy)                                                      \
  X(cudaGraphDestroy)                                                          \
  X(cudaEventCreateWithFlags)                                                  \
  X(cudaEventDestroy)                                                          \
  X(cudaEventRecord)                                                           \
  X(cudaEventQuery)                                                            \
  X(cudaEventElapsedTime)                                                      \
  X(cudaFree)                                                                  \
  X(cudaMemcpyAsync)                                                           \
  X(cudaMemcpy2DAsync)                                                         \
  X(cudaMemsetAsync)                                                           \
  X(cudaMemset2DAsync)                                                         \
  X(cudaLibraryLoadData)                                                       \
  X(cudaLibraryUnload)                                                         \
  X(cudaLibraryGetKernel)

/// The C++ headers overload these, so that their types are written out.
#define DIST_CUDA_OVERLOADED(X)                                                \
  X(cudaMalloc)                                                                \
  X(cudaLaunchKernel)

#define DIST_NCCL_FUNCTIONS(X)                                                 \
  X(ncclGetVersion)                                                            \
  X(ncclGetUniqueId)                                                           \
  X(ncclGetErrorString)                                                        \
  X(ncclGetLastError)                                                          \
  X(ncclCommInitRankConfig)                                                    \
  X(ncclCommFinalize)                                                          \
  X(ncclCommDestroy)                                                           \
  X(ncclCommAbort)                                                             \
  X(ncclCommGetAsyncError)                                                     \
  X(ncclCommCount)                                                             \
  X(ncclCommUserRank)                                                          \
  X(ncclRedOpCreatePreMulSum)                                                  \
  X(ncclRedOpDestroy)                                                          \
  X(ncclGroupStart)                                                            \
  X(ncclGroupEnd)                                                              \
  X(ncclAllReduce)                                                             \
  X(ncclReduce)                                                                \
  X(ncclBroadcast)                                                             \
  X(ncclReduceScatter)                                                         \
  X(ncclAllGather)                                                             \
  X(ncclAlltoAll)                                                              \
  X(ncclGather)                                                                \
  X(ncclSend)                                                                  \
  X(ncclRecv)

/// What the fake pair can do besides.
struct FakeHooks {
  /// A kernel has no image there but a function on the host.
  cudaError_t (*launch)(const KernelLaunch &launch, cudaStream_t stream);
  /// The factor of the next ncclRedOpCreatePreMulSum before it was rounded to
  /// the element type: the fake folds as the local backend does.
  void (*exactFactor)(double factor);
};

struct Table {
#define DIST_TABLE_ENTRY(name) decltype(&::name) name = nullptr;
  DIST_CUDA_FUNCTIONS(DIST_TABLE_ENTRY)
  DIST_NCCL_FUNCTIONS(DIST_TABLE_ENTRY)
#undef DIST_TABLE_ENTRY
  cudaError_t (*cudaMalloc)(void **pointer, size_t bytes) = nullptr;
  cudaError_t (*cudaLaunchKernel)(const void *function, dim3 grid, dim3 block,
                                  void **arguments, size_t sharedBytes,
                                  cudaStream_t stream) = nullptr;
  const FakeHooks *fake = nullptr; // null: the real libraries
};

/// What the fake returns for two accesses that nothing orders; not an error
/// code of CUDA.
constexpr int kFakeRace = 99001;

/// Older libraries lack something that is used here.
constexpr int kMinimumNccl = 22800;
constexpr int kMinimumCudaRuntime = 12080;

/// The real libraries, loaded on the first call and kept. Null, and an outcome
/// that says what was tried, without them or when they are too old.
const Table *loadLibraries(Outcome &outcome);

/// Checks what a library says about its version.
Outcome checkVersions(const Table &table);

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_NCCL_TABLE_H
