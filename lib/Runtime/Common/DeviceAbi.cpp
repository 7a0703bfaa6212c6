//===- DeviceAbi.cpp - streams, device memory and kernels -----------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common/World.h"

#include <cstring>

using namespace dist::rt;

namespace {
/// One call of this file: its context, and what its messages begin with.
struct DeviceCall {
  distrtContext *context;
  const char *what;
  const char *location;

  /// The status that the call must return at once, if any.
  int enter() const {
    if (!context)
      return refuseWithoutContext(std::string(what) +
                                  ": the context is null (outside of a rank?)");
    return context->enter();
  }
  int refuse(int status, const std::string &message) const {
    return context->refuse(status,
                           rankPrefix(*context, what, location) + message);
  }
  /// Errors of a device are the rank's: nothing behind them can be trusted.
  int finish(const Outcome &outcome) const {
    if (!outcome.failed())
      return DISTRT_OK;
    if (context->failure.load(std::memory_order_acquire))
      return context->adoptFailure();
    return context->fail(outcome.status, rankPrefix(*context, what, location) +
                                             outcome.message);
  }
};
} // namespace

static int copyBytes(const DeviceCall &call, void *to, const void *from,
                     int64_t bytes) {
  if (int status = call.enter())
    return status;
  if (bytes < 0 || (bytes > 0 && (!to || !from)))
    return call.refuse(DISTRT_INVALID_ARGUMENT,
                       bytes < 0 ? "the number of bytes is negative: " +
                                       std::to_string(bytes)
                                 : std::string("a pointer is null"));
  return DISTRT_OK;
}

static const char *checkKernel(const distrtKernel *kernel, const int64_t *grid,
                               const int64_t *block, void **arguments) {
  if (!kernel || kernel->structSize < sizeof(distrtKernel))
    return kernel ? "the kernel's description is too short"
                  : "the kernel is null";
  if (!kernel->name || !*kernel->name)
    return "the kernel has no name";
  if (!grid || !block)
    return "the grid or the block is null";
  for (int i = 0; i < 3; ++i)
    if (grid[i] < 0 || block[i] < 0 || grid[i] > INT32_MAX ||
        block[i] > INT32_MAX)
      return "a size of the grid or the block is out of range";
  if (kernel->numParameters < 0 || kernel->sharedBytes < 0)
    return "a count or a size of the kernel is negative";
  if (kernel->numParameters > 0 && (!kernel->parameters || !arguments))
    return "the parameters or the arguments are null";
  for (int64_t i = 0; i < kernel->numParameters; ++i) {
    const distrtParameter &parameter = kernel->parameters[i];
    if (parameter.bytes < 1 || !arguments[i])
      return "an argument is null or has no size";
    if (parameter.kind < DISTRT_PARAMETER_VALUE ||
        parameter.kind > DISTRT_PARAMETER_READ_WRITE)
      return "a parameter has an unknown kind";
    if (parameter.kind == DISTRT_PARAMETER_VALUE)
      continue;
    if (parameter.bytes != sizeof(void *))
      return "an address among the parameters does not have 8 bytes";
    if (parameter.rank < 0)
      continue;
    int64_t words = 1 + 2 * int64_t(parameter.rank);
    if (parameter.rank > kMaxRank || parameter.elementBytes < 1 ||
        i + words >= kernel->numParameters)
      return "an expanded memref among the parameters is not complete";
    for (int64_t j = 1; j <= words; ++j)
      if (kernel->parameters[i + j].bytes != sizeof(int64_t))
        return "an expanded memref among the parameters is not complete";
  }
  return nullptr;
}

void distrtContext::releaseConstants() {
  for (auto &[host, memory] : deviceConstants)
    device->release(memory);
  deviceConstants.clear();
}

extern "C" {

void *distrtContextComputeStream(distrtContext *context) {
  return context && context->device ? context->device->computeStream()
                                    : nullptr;
}

int distrtContextSetComputeStream(distrtContext *context, void *stream) {
  DeviceCall call = {context, "set compute stream", nullptr};
  if (int status = call.enter())
    return status;
  if (!context->device)
    return stream ? call.refuse(DISTRT_UNSUPPORTED,
                                "this world has no devices and no streams")
                  : DISTRT_OK;
  return call.finish(context->device->setComputeStream(stream));
}

int distrtContextSetCommunicator(distrtContext *context,
                                 const distrtGroupDesc *group,
                                 void *communicator, const char *location) {
  DeviceCall call = {context, "set communicator", location};
  if (int status = call.enter())
    return status;
  if (!group || !communicator)
    return call.refuse(DISTRT_INVALID_ARGUMENT, group
                                                    ? "the communicator is null"
                                                    : "the group is null");
  if (!context->device)
    return call.refuse(DISTRT_UNSUPPORTED,
                       "this world has no devices and no communicators");
  int status;
  std::string message;
  ResolvedGroup *resolved = context->groups.lookup(
      context->world->groups, group, context->rank, status, message);
  if (!resolved)
    return call.refuse(status, message);
  if (!resolved->state)
    return call.refuse(DISTRT_INVALID_ARGUMENT,
                       "this rank is no member of " + resolved->text);
  Outcome outcome = context->world->backend->adopt(
      *resolved->state->communicator, resolved->position, communicator);
  return outcome.failed() ? call.refuse(outcome.status, outcome.message)
                          : DISTRT_OK;
}

int distrtPrepareGroups(distrtContext *context,
                        const distrtGroupDesc *const *groups, int64_t numGroups,
                        const char *location) {
  DeviceCall call = {context, "prepare groups", location};
  if (int status = call.enter())
    return status;
  if (numGroups < 0 || (numGroups > 0 && !groups))
    return call.refuse(DISTRT_INVALID_ARGUMENT,
                       "the groups are null or their number is negative");
  // Larger ones first, equal ones in the given order.
  std::map<std::pair<int64_t, int64_t>, ResolvedGroup *> plan;
  for (int64_t i = 0; i < numGroups; ++i) {
    int status = DISTRT_INVALID_ARGUMENT;
    std::string message = "the group is null";
    ResolvedGroup *group =
        groups[i] ? context->groups.lookup(context->world->groups, groups[i],
                                           context->rank, status, message)
                  : nullptr;
    if (!group)
      return call.refuse(status, message);
    if (group->state)
      plan[{-group->size, i}] = group;
  }
  for (auto &entry : plan)
    if (int status = call.finish(context->world->backend->join(
            *entry.second->state->communicator, entry.second->position, nullptr)))
      return status;
  return DISTRT_OK;
}

int distrtSynchronize(distrtContext *context, const char *location) {
  DeviceCall call = {context, "synchronize", location};
  if (int status = call.enter())
    return status;
  return context->device ? call.finish(context->device->synchronize())
                         : int(DISTRT_OK);
}

int distrtDeviceRead(distrtContext *context, void *host, const void *device,
                     int64_t bytes, const char *location) {
  DeviceCall call = {context, "read", location};
  if (int status = copyBytes(call, host, device, bytes))
    return status;
  if (context->device)
    return call.finish(context->device->read(host, device, bytes));
  if (bytes > 0)
    memcpy(host, device, size_t(bytes));
  return DISTRT_OK;
}

int distrtDeviceWrite(distrtContext *context, void *device, const void *host,
                      int64_t bytes, const char *location) {
  DeviceCall call = {context, "write", location};
  if (int status = copyBytes(call, device, host, bytes))
    return status;
  if (context->device)
    return call.finish(context->device->write(device, host, bytes));
  if (bytes > 0)
    memcpy(device, host, size_t(bytes));
  return DISTRT_OK;
}

int distrtDeviceConstant(distrtContext *context, const void *host,
                         int64_t bytes, const void **device,
                         const char *location) {
  DeviceCall call = {context, "constant", location};
  if (int status = copyBytes(call, device, host, bytes))
    return status;
  if (!device)
    return call.refuse(DISTRT_INVALID_ARGUMENT, "a pointer is null");
  if (!context->device) {
    *device = host;
    return DISTRT_OK;
  }
  auto [entry, isNew] = context->deviceConstants.try_emplace(host, nullptr);
  if (isNew) {
    void *memory = context->device->allocate(0, size_t(bytes));
    if (!memory) {
      context->deviceConstants.erase(entry);
      return call.refuse(DISTRT_OUT_OF_MEMORY,
                         "no memory for a constant of " +
                             std::to_string(bytes) + " bytes");
    }
    entry->second = memory;
    if (int status =
            call.finish(context->device->write(memory, host, bytes)))
      return status;
  }
  *device = entry->second;
  return DISTRT_OK;
}

int distrtKernelLaunch(distrtContext *context, const distrtKernel *kernel,
                       const int64_t grid[3], const int64_t block[3],
                       void **arguments, const char *location) {
  DeviceCall call = {context, "kernel", location};
  if (int status = call.enter())
    return status;
  if (const char *text = checkKernel(kernel, grid, block, arguments))
    return call.refuse(DISTRT_INVALID_ARGUMENT, text);
  if (grid[0] * grid[1] * grid[2] == 0 || block[0] * block[1] * block[2] == 0)
    return DISTRT_OK;
  if (context->device)
    return call.finish(
        context->device->launch({kernel, grid, block, arguments}));
  if (!kernel->hostFunction)
    return call.refuse(DISTRT_UNSUPPORTED, "kernel " + oneLine(kernel->name) +
                                               " has no version for the host");
  kernel->hostFunction(arguments, grid, block);
  return DISTRT_OK;
}

} // extern "C"
