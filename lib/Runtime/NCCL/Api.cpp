//===- Api.cpp - one rank's calls of CUDA and NCCL ------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NCCL/Api.h"

#include "Common/Numerics.h"

#include <cstring>

using namespace dist::rt;

//===----------------------------------------------------------------------===//
// The log
//===----------------------------------------------------------------------===//

static std::string text(const std::string &value) { return value; }
static std::string text(const char *value) { return value; }
static std::string text(size_t value) { return std::to_string(value); }
static std::string text(int value) { return std::to_string(value); }

template <typename... Args>
void Api::note(const char *call, const Args &...arguments) {
  std::string line = std::string(call) + "(";
  const char *separator = "";
  ((line += separator + text(arguments), separator = ", "), ...);
  lines.push_back(line + ")");
}

/// Builds the texts of a line only when somebody reads them.
#define DIST_NOTE(...)                                                         \
  do {                                                                         \
    if (logging)                                                               \
      note(__VA_ARGS__);                                                       \
  } while (false)

void Api::name(const char *kind, const void *handle) {
  if (logging)
    names[handle] = kind + std::to_string(counters[kind]++);
}

std::string Api::nameOf(const void *handle) const {
  auto found = names.find(handle);
  return found == names.end() ? "unknown" : found->second;
}

std::string Api::bufferName(const void *pointer) const {
  if (!pointer)
    return "null";
  auto *address = static_cast<const char *>(pointer);
  auto next = buffers.upper_bound(address);
  if (next != buffers.begin()) {
    auto &[base, buffer] = *--next;
    if (address <= base + buffer.bytes)
      return "buf" + std::to_string(buffer.number) +
             (address == base ? "" : "+" + std::to_string(address - base));
  }
  return "host";
}

const char *dist::rt::ncclTypeName(ncclDataType_t type) {
  static const char *const names[] = {
      "int8",    "uint8",   "int32",   "uint32",   "int64",      "uint64",
      "float16", "float32", "float64", "bfloat16", "float8e4m3", "float8e5m2"};
  return type >= 0 && type < ncclNumTypes ? names[type] : "unknown";
}

std::string Api::opName(ncclRedOp_t op) const {
  static const char *const names[] = {"sum", "prod", "max", "min", "avg"};
  if (op >= 0 && op < ncclNumOps)
    return names[op];
  auto found = opNames.find(int(op));
  return found == opNames.end() ? "unknown" : found->second;
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

Outcome Api::check(cudaError_t error, const char *call) const {
  if (error == cudaSuccess)
    return {};
  const char *what = table.cudaGetErrorString(error);
  int status = int(error) == kFakeRace              ? DISTRT_RACE
               : error == cudaErrorMemoryAllocation ? DISTRT_OUT_OF_MEMORY
                                                    : DISTRT_DEVICE_ERROR;
  return {status, std::string(call) + ": " + (what ? what : "unknown error")};
}

Outcome Api::check(ncclResult_t result, const char *call,
                   ncclComm_t communicator) const {
  if (result == ncclSuccess || result == ncclInProgress)
    return {};
  if (int(result) == kFakeRace)
    return {DISTRT_RACE,
            std::string(call) + ": " + table.ncclGetLastError(communicator)};
  std::string message = std::string(call) + ": ";
  const char *what = table.ncclGetErrorString(result);
  message += what ? what : "unknown error";
  const char *details = table.ncclGetLastError(communicator);
  if (details && *details)
    message += std::string(": ") + oneLine(details);
  return {DISTRT_DEVICE_ERROR, message};
}

//===----------------------------------------------------------------------===//
// Streams, events and memory
//===----------------------------------------------------------------------===//

Outcome Api::createStream(cudaStream_t &stream) {
  Outcome outcome =
      check(table.cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
            "cudaStreamCreateWithFlags");
  if (outcome.failed())
    return outcome;
  name("stream", stream);
  DIST_NOTE("cudaStreamCreateWithFlags", nameOf(stream));
  return {};
}

Outcome Api::destroyStream(cudaStream_t stream) {
  DIST_NOTE("cudaStreamDestroy", nameOf(stream));
  return check(table.cudaStreamDestroy(stream), "cudaStreamDestroy");
}

Outcome Api::createEvent(cudaEvent_t &event, bool timed) {
  unsigned flags = timed ? cudaEventDefault : cudaEventDisableTiming;
  Outcome outcome = check(table.cudaEventCreateWithFlags(&event, flags),
                          "cudaEventCreateWithFlags");
  if (outcome.failed())
    return outcome;
  name("event", event);
  DIST_NOTE("cudaEventCreateWithFlags", nameOf(event));
  return {};
}

Outcome Api::destroyEvent(cudaEvent_t event) {
  DIST_NOTE("cudaEventDestroy", nameOf(event));
  return check(table.cudaEventDestroy(event), "cudaEventDestroy");
}

Outcome Api::record(cudaEvent_t event, cudaStream_t stream) {
  DIST_NOTE("cudaEventRecord", nameOf(event), nameOf(stream));
  return check(table.cudaEventRecord(event, stream), "cudaEventRecord");
}

Outcome Api::wait(cudaStream_t stream, cudaEvent_t event) {
  DIST_NOTE("cudaStreamWaitEvent", nameOf(stream), nameOf(event));
  return check(table.cudaStreamWaitEvent(stream, event, 0),
               "cudaStreamWaitEvent");
}

Outcome Api::allocate(void *&pointer, size_t bytes) {
  Outcome outcome = check(table.cudaMalloc(&pointer, bytes), "cudaMalloc");
  if (outcome.failed())
    return outcome;
  if (logging)
    buffers[static_cast<const char *>(pointer)] = {counters["buf"]++, bytes};
  DIST_NOTE("cudaMalloc", bufferName(pointer), bytes);
  return {};
}

Outcome Api::free(void *pointer) {
  DIST_NOTE("cudaFree", bufferName(pointer));
  buffers.erase(static_cast<const char *>(pointer));
  return check(table.cudaFree(pointer), "cudaFree");
}

Outcome Api::copy(void *to, const void *from, size_t bytes,
                  CopyDirection direction, cudaStream_t stream) {
  DIST_NOTE("cudaMemcpyAsync", bufferName(to), bufferName(from), bytes,
            nameOf(stream));
  cudaMemcpyKind kind =
      direction == CopyDirection::ToDevice ? cudaMemcpyHostToDevice
      : direction == CopyDirection::ToHost ? cudaMemcpyDeviceToHost
                                           : cudaMemcpyDeviceToDevice;
  return check(table.cudaMemcpyAsync(to, from, bytes, kind, stream),
               "cudaMemcpyAsync");
}

Outcome Api::copy2D(void *to, size_t toPitch, const void *from,
                    size_t fromPitch, size_t width, size_t height,
                    cudaStream_t stream) {
  DIST_NOTE("cudaMemcpy2DAsync", bufferName(to), toPitch, bufferName(from),
            fromPitch, width, height, nameOf(stream));
  return check(table.cudaMemcpy2DAsync(to, toPitch, from, fromPitch, width,
                                       height, cudaMemcpyDeviceToDevice,
                                       stream),
               "cudaMemcpy2DAsync");
}

Outcome Api::set(void *to, int byte, size_t bytes, cudaStream_t stream) {
  DIST_NOTE("cudaMemsetAsync", bufferName(to), byte, bytes, nameOf(stream));
  return check(table.cudaMemsetAsync(to, byte, bytes, stream),
               "cudaMemsetAsync");
}

Outcome Api::set2D(void *to, size_t pitch, int byte, size_t width,
                   size_t height, cudaStream_t stream) {
  DIST_NOTE("cudaMemset2DAsync", bufferName(to), pitch, byte, width, height,
            nameOf(stream));
  return check(table.cudaMemset2DAsync(to, pitch, byte, width, height, stream),
               "cudaMemset2DAsync");
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

Outcome Api::findKernel(const distrtKernel &kernel, cudaKernel_t &function) {
  auto found = kernels.find(&kernel);
  if (found != kernels.end()) {
    function = found->second.function;
    return {};
  }
  if (!kernel.image)
    return {DISTRT_UNSUPPORTED,
            "kernel " + oneLine(kernel.name) + " has no code for a device"};
  cudaLibrary_t library;
  Outcome outcome =
      check(table.cudaLibraryLoadData(&library, kernel.image, nullptr, nullptr,
                                      0, nullptr, nullptr, 0),
            "cudaLibraryLoadData");
  if (!outcome.failed())
    outcome = check(table.cudaLibraryGetKernel(&function, library, kernel.name),
                    "cudaLibraryGetKernel");
  if (outcome.failed()) {
    outcome.message = "kernel " + oneLine(kernel.name) + ": " + outcome.message;
    return outcome;
  }
  kernels[&kernel] = {library, function};
  return {};
}

void Api::unloadKernels() {
  for (auto &entry : kernels)
    table.cudaLibraryUnload(entry.second.library);
  kernels.clear();
}

Outcome Api::launch(const KernelLaunch &launch, cudaStream_t stream) {
  const distrtKernel &kernel = *launch.kernel;
  if (logging) {
    std::string arguments;
    for (int64_t i = 0; i < kernel.numParameters; ++i)
      if (kernel.parameters[i].kind != DISTRT_PARAMETER_VALUE)
        arguments +=
            (arguments.empty() ? "" : ", ") +
            bufferName(*static_cast<const void *const *>(launch.arguments[i]));
    note("cudaLaunchKernel", kernel.name, "[" + arguments + "]",
         nameOf(stream));
  }
  if (table.fake) {
    if (!kernel.hostFunction)
      return {DISTRT_UNSUPPORTED, "kernel " + oneLine(kernel.name) +
                                      " has no version for the host, which "
                                      "the fake device needs"};
    return check(table.fake->launch(launch, stream), "cudaLaunchKernel");
  }
  cudaKernel_t function;
  Outcome outcome = findKernel(kernel, function);
  if (outcome.failed())
    return outcome;
  auto extent = [](const int64_t *sizes) {
    return dim3(unsigned(sizes[0]), unsigned(sizes[1]), unsigned(sizes[2]));
  };
  return check(table.cudaLaunchKernel(reinterpret_cast<const void *>(function),
                                      extent(launch.grid), extent(launch.block),
                                      launch.arguments,
                                      size_t(kernel.sharedBytes), stream),
               "cudaLaunchKernel");
}

//===----------------------------------------------------------------------===//
// NCCL
//===----------------------------------------------------------------------===//

Outcome Api::createId(ncclUniqueId &id) {
  DIST_NOTE("ncclGetUniqueId");
  return check(table.ncclGetUniqueId(&id), "ncclGetUniqueId", nullptr);
}

Outcome Api::initComm(ncclComm_t &communicator, int numRanks,
                      const ncclUniqueId &id, int rank, ncclConfig_t &config) {
  Outcome outcome = check(
      table.ncclCommInitRankConfig(&communicator, numRanks, id, rank, &config),
      "ncclCommInitRankConfig", nullptr);
  if (outcome.failed())
    return outcome;
  name("comm", communicator);
  DIST_NOTE("ncclCommInitRankConfig", nameOf(communicator), numRanks, rank);
  return {};
}

Outcome Api::finalizeComm(ncclComm_t communicator) {
  DIST_NOTE("ncclCommFinalize", nameOf(communicator));
  return check(table.ncclCommFinalize(communicator), "ncclCommFinalize",
               communicator);
}

Outcome Api::destroyComm(ncclComm_t communicator) {
  DIST_NOTE("ncclCommDestroy", nameOf(communicator));
  return check(table.ncclCommDestroy(communicator), "ncclCommDestroy", nullptr);
}

Outcome Api::abortComm(ncclComm_t communicator) {
  DIST_NOTE("ncclCommAbort", nameOf(communicator));
  return check(table.ncclCommAbort(communicator), "ncclCommAbort", nullptr);
}

ncclResult_t Api::asyncError(ncclComm_t communicator) const {
  ncclResult_t state = ncclSuccess;
  ncclResult_t result = table.ncclCommGetAsyncError(communicator, &state);
  return result == ncclSuccess ? state : result;
}

Outcome Api::createFactor(ncclRedOp_t &op, double factor, int dataType,
                          ncclDataType_t type, ncclComm_t communicator) {
  // The scalar has the element type, so that it is rounded to it.
  char scalar[8] = {};
  auto put = [&](auto value) { memcpy(scalar, &value, sizeof(value)); };
  auto single = float(factor);
  switch (dataType) {
  case DISTRT_F16:
    put(floatToHalf(single));
    break;
  case DISTRT_BF16:
    put(floatToBfloat(single));
    break;
  case DISTRT_F8E4M3FN:
    put(floatToFloat8E4M3FN(single));
    break;
  case DISTRT_F8E5M2:
    put(floatToFloat8E5M2(single));
    break;
  case DISTRT_F64:
    put(factor);
    break;
  default:
    put(single);
    break;
  }
  if (table.fake)
    table.fake->exactFactor(factor);
  Outcome outcome =
      check(table.ncclRedOpCreatePreMulSum(
                &op, scalar, type, ncclScalarHostImmediate, communicator),
            "ncclRedOpCreatePreMulSum", communicator);
  if (outcome.failed())
    return outcome;
  if (logging)
    opNames[int(op)] = "redop" + std::to_string(counters["redop"]++);
  DIST_NOTE("ncclRedOpCreatePreMulSum", opName(op), format("%g", factor),
            ncclTypeName(type), nameOf(communicator));
  return {};
}

Outcome Api::destroyFactor(ncclRedOp_t op, ncclComm_t communicator) {
  DIST_NOTE("ncclRedOpDestroy", opName(op), nameOf(communicator));
  return check(table.ncclRedOpDestroy(op, communicator), "ncclRedOpDestroy",
               communicator);
}

Outcome Api::groupStart() {
  DIST_NOTE("ncclGroupStart");
  return check(table.ncclGroupStart(), "ncclGroupStart", nullptr);
}

Outcome Api::groupEnd() {
  DIST_NOTE("ncclGroupEnd");
  return check(table.ncclGroupEnd(), "ncclGroupEnd", nullptr);
}

Outcome Api::allReduce(const void *send, void *receive, size_t count,
                       ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
                       cudaStream_t stream) {
  DIST_NOTE("ncclAllReduce", bufferName(send), bufferName(receive), count,
            ncclTypeName(type), opName(op), nameOf(comm), nameOf(stream));
  return check(
      table.ncclAllReduce(send, receive, count, type, op, comm, stream),
      "ncclAllReduce", comm);
}

Outcome Api::reduce(const void *send, void *receive, size_t count,
                    ncclDataType_t type, ncclRedOp_t op, int root,
                    ncclComm_t comm, cudaStream_t stream) {
  DIST_NOTE("ncclReduce", bufferName(send), bufferName(receive), count,
            ncclTypeName(type), opName(op), root, nameOf(comm), nameOf(stream));
  return check(
      table.ncclReduce(send, receive, count, type, op, root, comm, stream),
      "ncclReduce", comm);
}

Outcome Api::broadcast(const void *send, void *receive, size_t count,
                       ncclDataType_t type, int root, ncclComm_t comm,
                       cudaStream_t stream) {
  DIST_NOTE("ncclBroadcast", bufferName(send), bufferName(receive), count,
            ncclTypeName(type), root, nameOf(comm), nameOf(stream));
  return check(
      table.ncclBroadcast(send, receive, count, type, root, comm, stream),
      "ncclBroadcast", comm);
}

Outcome Api::reduceScatter(const void *send, void *receive, size_t count,
                           ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
                           cudaStream_t stream) {
  DIST_NOTE("ncclReduceScatter", bufferName(send), bufferName(receive), count,
            ncclTypeName(type), opName(op), nameOf(comm), nameOf(stream));
  return check(
      table.ncclReduceScatter(send, receive, count, type, op, comm, stream),
      "ncclReduceScatter", comm);
}

Outcome Api::allGather(const void *send, void *receive, size_t count,
                       ncclDataType_t type, ncclComm_t comm,
                       cudaStream_t stream) {
  DIST_NOTE("ncclAllGather", bufferName(send), bufferName(receive), count,
            ncclTypeName(type), nameOf(comm), nameOf(stream));
  return check(table.ncclAllGather(send, receive, count, type, comm, stream),
               "ncclAllGather", comm);
}

Outcome Api::allToAll(const void *send, void *receive, size_t count,
                      ncclDataType_t type, ncclComm_t comm,
                      cudaStream_t stream) {
  DIST_NOTE("ncclAlltoAll", bufferName(send), bufferName(receive), count,
            ncclTypeName(type), nameOf(comm), nameOf(stream));
  return check(table.ncclAlltoAll(send, receive, count, type, comm, stream),
               "ncclAlltoAll", comm);
}

Outcome Api::gather(const void *send, void *receive, size_t count,
                    ncclDataType_t type, int root, ncclComm_t comm,
                    cudaStream_t stream) {
  DIST_NOTE("ncclGather", bufferName(send), bufferName(receive), count,
            ncclTypeName(type), root, nameOf(comm), nameOf(stream));
  return check(table.ncclGather(send, receive, count, type, root, comm, stream),
               "ncclGather", comm);
}

Outcome Api::send(const void *from, size_t count, ncclDataType_t type, int peer,
                  ncclComm_t comm, cudaStream_t stream) {
  DIST_NOTE("ncclSend", bufferName(from), count, ncclTypeName(type), peer,
            nameOf(comm), nameOf(stream));
  return check(table.ncclSend(from, count, type, peer, comm, stream),
               "ncclSend", comm);
}

Outcome Api::receive(void *to, size_t count, ncclDataType_t type, int peer,
                     ncclComm_t comm, cudaStream_t stream) {
  DIST_NOTE("ncclRecv", bufferName(to), count, ncclTypeName(type), peer,
            nameOf(comm), nameOf(stream));
  return check(table.ncclRecv(to, count, type, peer, comm, stream), "ncclRecv",
               comm);
}
