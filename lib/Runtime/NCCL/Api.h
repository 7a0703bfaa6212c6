//===- Api.h - one rank's calls of CUDA and NCCL ----------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Turns error codes into texts and keeps the log of calls, in which handles
// have names that are the same in every run. Queries are not in the log: how
// often a poll asks depends on the time.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_NCCL_API_H
#define DIST_LIB_RUNTIME_NCCL_API_H

#include "NCCL/Table.h"

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace dist::rt {

enum class CopyDirection { WithinDevice, ToDevice, ToHost };

class Api {
public:
  Api(const Table &table, bool logging) : table(table), logging(logging) {}

  const Table &functions() const { return table; }
  const std::vector<std::string> &log() const { return lines; }

  Outcome check(cudaError_t error, const char *call) const;
  /// `communicator` may be null. What is in progress is no failure.
  Outcome check(ncclResult_t result, const char *call,
                ncclComm_t communicator) const;

  Outcome createStream(cudaStream_t &stream);
  Outcome destroyStream(cudaStream_t stream);
  Outcome createEvent(cudaEvent_t &event, bool timed);
  Outcome destroyEvent(cudaEvent_t event);
  Outcome record(cudaEvent_t event, cudaStream_t stream);
  Outcome wait(cudaStream_t stream, cudaEvent_t event);

  Outcome allocate(void *&pointer, size_t bytes);
  Outcome free(void *pointer);
  Outcome copy(void *to, const void *from, size_t bytes,
               CopyDirection direction, cudaStream_t stream);
  Outcome copy2D(void *to, size_t toPitch, const void *from, size_t fromPitch,
                 size_t width, size_t height, cudaStream_t stream);
  Outcome set(void *to, int byte, size_t bytes, cudaStream_t stream);
  Outcome set2D(void *to, size_t pitch, int byte, size_t width, size_t height,
                cudaStream_t stream);
  Outcome launch(const KernelLaunch &launch, cudaStream_t stream);

  Outcome createId(ncclUniqueId &id);
  Outcome initComm(ncclComm_t &communicator, int numRanks,
                   const ncclUniqueId &id, int rank, ncclConfig_t &config);
  Outcome finalizeComm(ncclComm_t communicator);
  Outcome destroyComm(ncclComm_t communicator);
  Outcome abortComm(ncclComm_t communicator);
  /// ncclInProgress while a call is not over.
  ncclResult_t asyncError(ncclComm_t communicator) const;
  Outcome createFactor(ncclRedOp_t &op, double factor, int dataType,
                       ncclDataType_t type, ncclComm_t communicator);
  Outcome destroyFactor(ncclRedOp_t op, ncclComm_t communicator);
  Outcome groupStart();
  Outcome groupEnd();

  // In NCCL's order of arguments; counts in elements of `type`.
  Outcome allReduce(const void *send, void *receive, size_t count,
                    ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
                    cudaStream_t stream);
  Outcome reduce(const void *send, void *receive, size_t count,
                 ncclDataType_t type, ncclRedOp_t op, int root, ncclComm_t comm,
                 cudaStream_t stream);
  Outcome broadcast(const void *send, void *receive, size_t count,
                    ncclDataType_t type, int root, ncclComm_t comm,
                    cudaStream_t stream);
  Outcome reduceScatter(const void *send, void *receive, size_t count,
                        ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
                        cudaStream_t stream);
  Outcome allGather(const void *send, void *receive, size_t count,
                    ncclDataType_t type, ncclComm_t comm, cudaStream_t stream);
  Outcome allToAll(const void *send, void *receive, size_t count,
                   ncclDataType_t type, ncclComm_t comm, cudaStream_t stream);
  Outcome gather(const void *send, void *receive, size_t count,
                 ncclDataType_t type, int root, ncclComm_t comm,
                 cudaStream_t stream);
  Outcome send(const void *from, size_t count, ncclDataType_t type, int peer,
               ncclComm_t comm, cudaStream_t stream);
  Outcome receive(void *to, size_t count, ncclDataType_t type, int peer,
                  ncclComm_t comm, cudaStream_t stream);

  /// Handles that somebody else made.
  void adoptStream(cudaStream_t stream) { name("stream", stream); }
  void adoptComm(ncclComm_t communicator) { name("comm", communicator); }
  std::string nameOf(const void *handle) const;
  std::string bufferName(const void *pointer) const;

  /// Unloads the code of kernels.
  void unloadKernels();

private:
  struct Buffer {
    int64_t number;
    size_t bytes;
  };
  template <typename... Args>
  void note(const char *call, const Args &...arguments);
  void name(const char *kind, const void *handle);
  std::string opName(ncclRedOp_t op) const;
  Outcome findKernel(const distrtKernel &kernel, cudaKernel_t &function);

  const Table &table;
  const bool logging;
  std::vector<std::string> lines;
  std::unordered_map<std::string, int64_t> counters;
  std::unordered_map<const void *, std::string> names;
  std::map<const char *, Buffer> buffers;
  std::map<int, std::string> opNames;
  struct Loaded {
    cudaLibrary_t library;
    cudaKernel_t function;
  };
  std::unordered_map<const distrtKernel *, Loaded> kernels;
};

/// NCCL's spelling of a type, "uint8".
const char *ncclTypeName(ncclDataType_t type);

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_NCCL_API_H
