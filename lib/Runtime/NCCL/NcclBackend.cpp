//===- NcclBackend.cpp - NCCL on CUDA streams -----------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NCCL/NcclBackend.h"

#include "NCCL/Environment.h"

#include <cstdio>

using namespace dist::rt;

NcclBackend::NcclBackend(const distrtWorldOptions &options,
                         const Placement &placement,
                         std::unique_ptr<DeviceSource> newSource,
                         std::unique_ptr<Control> newControl)
    : deadlineNs(options.deadlineNs), trace(options.trace),
      checked(options.checked), placement(placement),
      logPath(options.callLog ? options.callLog : ""),
      source(std::move(newSource)), control(std::move(newControl)) {}

NcclBackend::~NcclBackend() {
  // The last word of the log are the calls that give everything up.
  for (auto &device : devices) {
    source->bind(placement.firstLocal + (&device - devices.data()));
    device->close();
  }
  writeLog();
  devices.clear();
  std::string left = source->leftovers();
  if (!left.empty())
    fprintf(stderr, "dist: fake device: %s\n", left.c_str());
}

void NcclBackend::attach(ErrorSink &newSink,
                         const std::vector<LaunchOwner *> &owners) {
  sink = &newSink;
  for (LaunchOwner *owner : owners)
    devices.push_back(
        std::make_unique<NcclDevice>(*this, *owner, !logPath.empty()));
  control->attach(newSink);
}

void *NcclBackend::allocate(int64_t rank, size_t bytes) {
  return deviceAt(rank)->allocate(0, bytes);
}

void NcclBackend::release(int64_t rank, void *pointer) {
  if (pointer)
    deviceAt(rank)->release(pointer);
}

std::unique_ptr<Communicator>
NcclBackend::createCommunicator(const std::vector<int64_t> &members,
                                const std::string &tag, uint64_t uniqueId) {
  return std::make_unique<NcclCommunicator>(members, tag, uniqueId);
}

Outcome NcclBackend::join(Communicator &communicator, int64_t position,
                          const Launch *first) {
  auto &own = static_cast<NcclCommunicator &>(communicator);
  if (own.sides[size_t(position)].joined)
    return {};
  return deviceAt(own.members[size_t(position)])->join(own, position, first);
}

Outcome NcclBackend::adopt(Communicator &communicator, int64_t position,
                           void *handle) {
  auto &own = static_cast<NcclCommunicator &>(communicator);
  return deviceAt(own.members[size_t(position)])->adopt(own, position, handle);
}

Outcome NcclBackend::enqueue(Communicator &communicator, int64_t position,
                             Launch &launch) {
  return deviceAt(launch.owner->rank)
      ->start(static_cast<NcclCommunicator &>(communicator), position, launch);
}

Outcome NcclBackend::streamWait(Launch &launch) {
  return deviceAt(launch.owner->rank)->streamWait(launch);
}

Outcome NcclBackend::copyNow(int64_t rank, const StridedCopy &copy) {
  return deviceAt(rank)->copyNow(copy);
}

Outcome NcclBackend::fillNow(int64_t rank, const View &view,
                             unsigned char byte) {
  return deviceAt(rank)->fillNow(view, byte);
}

void NcclBackend::announceFailure(const std::vector<int64_t> &ranks, int status,
                                  const std::string &message) {
  control->announceFailure(ranks, status, message);
}

void NcclBackend::endRun() { writeLog(); }

void NcclBackend::writeLog() const {
  if (logPath.empty())
    return;
  FILE *file = fopen(logPath.c_str(), "w");
  if (!file) {
    fprintf(stderr, "dist: cannot write the call log %s\n", logPath.c_str());
    return;
  }
  for (size_t i = 0; i < devices.size(); ++i)
    for (const std::string &line : devices[i]->log())
      fprintf(file, "rank %lld: %s\n",
              static_cast<long long>(placement.firstLocal + int64_t(i)),
              line.c_str());
  fclose(file);
}

namespace {
class RealDevices final : public DeviceSource {
public:
  RealDevices(const Table &functions, int device)
      : functions(functions), device(device) {}
  const Table &table() const override { return functions; }
  void bind(int64_t) override { functions.cudaSetDevice(device); }
  int deviceOf(int64_t) const override { return device; }

private:
  const Table &functions;
  const int device;
};
} // namespace

/// The device that the environment gives to this rank.
static Outcome chooseDevice(const Table &table, const Environment &environment,
                            int &device) {
  int count = 0;
  cudaError_t error = table.cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count < 1)
    return {DISTRT_DEVICE_ERROR,
            std::string("there is no CUDA device: ") +
                (error == cudaSuccess ? "cudaGetDeviceCount found none"
                                      : table.cudaGetErrorString(error))};
  // A launcher that shows each rank one device only is right, too.
  if (count > 1 && environment.localRank >= count)
    return {DISTRT_DEVICE_ERROR,
            format("%s is %lld, but there are %d CUDA devices",
                   environment.localVariable.c_str(),
                   static_cast<long long>(environment.localRank), count)};
  device = count == 1 ? 0 : int(environment.localRank);
  return {};
}

std::unique_ptr<Backend>
dist::rt::createNcclBackend(const distrtWorldOptions &options,
                            Placement &placement, Outcome &outcome) {
  if (options.fakeDevice) {
    placement = {options.numRanks, 0, options.numRanks};
    return std::make_unique<NcclBackend>(
        options, placement, createFakeDevices(options), createLocalControl());
  }
  const Table *table = loadLibraries(outcome);
  if (!table)
    return nullptr;
  Environment environment;
  outcome = readEnvironment(environment);
  int device = 0;
  if (!outcome.failed())
    outcome = chooseDevice(*table, environment, device);
  if (!outcome.failed() && options.numRanks > 0 &&
      options.numRanks != environment.numRanks)
    outcome = {DISTRT_INVALID_ARGUMENT,
               format("%lld ranks are asked for, but the environment says %lld",
                      static_cast<long long>(options.numRanks),
                      static_cast<long long>(environment.numRanks))};
  if (outcome.failed())
    return nullptr;
  placement = {environment.numRanks, environment.rank, 1};
  std::unique_ptr<Control> control;
  if (environment.numRanks == 1)
    control = createLocalControl();
  else
    control = createSocketControl(environment, options.deadlineNs, outcome);
  if (!control)
    return nullptr;
  return std::make_unique<NcclBackend>(
      options, placement, std::make_unique<RealDevices>(*table, device),
      std::move(control));
}
