//===- NcclDevice.cpp - streams, memory and kernels of one rank -----------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NCCL/NcclBackend.h"

#include <algorithm>
#include <sched.h>
#include <time.h>

using namespace dist::rt;

NcclDevice::NcclDevice(NcclBackend &backend, LaunchOwner &owner, bool logging)
    : backend(backend), owner(owner), api(backend.source->table(), logging),
      pool(api) {}

Outcome NcclDevice::enter() {
  backend.source->bind(owner.rank);
  const Table &table = api.functions();
  int device = backend.source->deviceOf(owner.rank);
  Outcome outcome = api.check(table.cudaSetDevice(device), "cudaSetDevice");
  if (outcome.failed() || ownStream)
    return outcome;
  int major = 0, minor = 0;
  outcome = api.check(table.cudaDeviceGetAttribute(
                          &major, cudaDevAttrComputeCapabilityMajor, device),
                      "cudaDeviceGetAttribute");
  if (!outcome.failed())
    outcome = api.check(table.cudaDeviceGetAttribute(
                            &minor, cudaDevAttrComputeCapabilityMinor, device),
                        "cudaDeviceGetAttribute");
  if (!outcome.failed())
    outcome = api.createStream(ownStream);
  if (outcome.failed())
    return outcome;
  capability = 10 * major + minor;
  compute = ownStream;
  if (!backend.trace)
    return {};
  // The device's clock, related to the host's once.
  outcome = mark(compute, epoch);
  if (!outcome.failed())
    outcome = awaitStream(compute, nowNs() + backend.deadlineNs);
  epochNs = nowNs();
  return outcome;
}

void NcclDevice::pause(int64_t &naps) {
  if (++naps < 64) {
    sched_yield();
    return;
  }
  timespec nap = {0, naps < 256 ? 20000 : 200000};
  nanosleep(&nap, nullptr);
}

bool NcclDevice::isCapturing() {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  api.functions().cudaStreamIsCapturing(compute, &status);
  return status != cudaStreamCaptureStatusNone;
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

Outcome NcclDevice::takeEvent(cudaEvent_t &event) {
  if (!freeEvents.empty()) {
    event = freeEvents.back();
    freeEvents.pop_back();
    return {};
  }
  Outcome outcome = api.createEvent(event, /*timed=*/false);
  if (!outcome.failed())
    allEvents.push_back(event);
  return outcome;
}

/// A wait refers to the record that was the last one when it was issued, so
/// that the event is free again at once.
Outcome NcclDevice::orderBehind(cudaStream_t later, cudaStream_t earlier) {
  cudaEvent_t event;
  Outcome outcome = takeEvent(event);
  if (outcome.failed())
    return outcome;
  outcome = api.record(event, earlier);
  if (!outcome.failed())
    outcome = api.wait(later, event);
  giveEvent(event);
  return outcome;
}

Outcome NcclDevice::setComputeStream(void *stream) {
  auto next = stream ? static_cast<cudaStream_t>(stream) : ownStream;
  if (next == compute)
    return {};
  if (next != ownStream)
    api.adoptStream(next);
  Outcome outcome = orderBehind(next, compute);
  if (!outcome.failed())
    compute = next;
  return outcome;
}

Outcome NcclDevice::streamWait(Launch &launch) {
  for (auto entry = pending.rbegin(); entry != pending.rend(); ++entry)
    if (entry->launch == &launch && !entry->waited) {
      entry->waited = true;
      break;
    }
  // Fault injection: a launch that never joins has no event.
  if (!launch.event)
    return {};
  auto event = static_cast<cudaEvent_t>(launch.event);
  launch.event = nullptr;
  Outcome outcome = api.wait(compute, event);
  giveEvent(event);
  return outcome;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void *NcclDevice::allocate(size_t alignment, size_t bytes) {
  void *pointer = nullptr;
  Outcome outcome = pool.allocate(alignment, bytes, isCapturing(), pointer);
  lastMemoryError = outcome.message;
  return outcome.failed() ? nullptr : pointer;
}

bool NcclDevice::release(void *pointer) {
  return pool.owns(pointer) && pool.release(pointer, isCapturing());
}

Outcome NcclDevice::copyOn(cudaStream_t stream, const StridedCopy &copy) {
  Outcome outcome;
  forEachPlane(copy, [&](const Plane &plane) {
    if (outcome.failed())
      return;
    outcome = plane.height == 1
                  ? api.copy(plane.destination, plane.source, plane.width,
                             CopyDirection::WithinDevice, stream)
                  : api.copy2D(plane.destination, plane.destinationPitch,
                               plane.source, plane.sourcePitch, plane.width,
                               plane.height, stream);
  });
  return outcome;
}

Outcome NcclDevice::copyNow(const StridedCopy &copy) {
  return copyOn(compute, copy);
}

Outcome NcclDevice::fillNow(const View &view, unsigned char byte) {
  Outcome outcome;
  forEachPlane(makeCopy(view, view), [&](const Plane &plane) {
    if (outcome.failed())
      return;
    outcome = plane.height == 1
                  ? api.set(plane.destination, byte, plane.width, compute)
                  : api.set2D(plane.destination, plane.destinationPitch, byte,
                              plane.width, plane.height, compute);
  });
  return outcome;
}

Outcome NcclDevice::read(void *host, const void *device, int64_t bytes) {
  if (isCapturing())
    return {DISTRT_UNSUPPORTED,
            "the host cannot read a value while a graph is captured"};
  if (bytes > 0) {
    Outcome outcome =
        api.copy(host, device, size_t(bytes), CopyDirection::ToHost, compute);
    if (outcome.failed())
      return outcome;
  }
  return synchronize();
}

Outcome NcclDevice::write(void *device, const void *host, int64_t bytes) {
  if (isCapturing())
    return {DISTRT_UNSUPPORTED,
            "the host cannot write a value while a graph is captured: the "
            "graph would read the host's memory again when it runs"};
  if (bytes == 0)
    return {};
  return api.copy(device, host, size_t(bytes), CopyDirection::ToDevice,
                  compute);
}

Outcome NcclDevice::launch(const KernelLaunch &launch) {
  Timed times = {nullptr, nullptr, {}};
  Outcome outcome = mark(compute, times.begin);
  if (!outcome.failed())
    outcome = api.launch(launch, compute);
  if (!outcome.failed())
    outcome = mark(compute, times.end);
  if (outcome.failed() || !times.begin)
    return outcome;
  NcclBackend *world = &backend;
  int64_t rank = owner.rank;
  std::string name = launch.kernel->name;
  times.record = [world, rank, name](int64_t beginNs, int64_t endNs) {
    world->sink->kernelRan(rank, name, beginNs, endNs);
  };
  timed.push_back(std::move(times));
  return {};
}

//===----------------------------------------------------------------------===//
// Times of a trace
//===----------------------------------------------------------------------===//

Outcome NcclDevice::mark(cudaStream_t stream, cudaEvent_t &event) {
  event = nullptr;
  if (!backend.trace || isCapturing())
    return {};
  Outcome outcome;
  if (freeTimed.empty()) {
    outcome = api.createEvent(event, /*timed=*/true);
    if (outcome.failed())
      return outcome;
    allEvents.push_back(event);
  } else {
    event = freeTimed.back();
    freeTimed.pop_back();
  }
  return api.record(event, stream);
}

/// Records what has ended. `all`: the streams are idle.
void NcclDevice::resolveTimes(bool all) {
  const Table &table = api.functions();
  std::deque<Timed> left;
  for (Timed &entry : timed) {
    if (!all && table.cudaEventQuery(entry.end) != cudaSuccess) {
      left.push_back(std::move(entry));
      continue;
    }
    float begin = 0, end = 0; // milliseconds
    if (table.cudaEventElapsedTime(&begin, epoch, entry.begin) == cudaSuccess &&
        table.cudaEventElapsedTime(&end, epoch, entry.end) == cudaSuccess)
      entry.record(epochNs + int64_t(double(begin) * 1e6),
                   epochNs + int64_t(double(end) * 1e6));
    freeTimed.push_back(entry.begin);
    freeTimed.push_back(entry.end);
  }
  timed.swap(left);
}

//===----------------------------------------------------------------------===//
// Waiting on the host
//===----------------------------------------------------------------------===//

Outcome NcclDevice::asyncFailure() {
  for (Member *member : joined) {
    ncclResult_t state = api.asyncError(member->handle);
    if (state != ncclSuccess && state != ncclInProgress)
      return api.check(state, "NCCL reports", member->handle);
  }
  return {};
}

/// The oldest launch that somebody has not joined is what holds everything up.
int64_t NcclDevice::expire(const std::string &what) {
  int64_t now = nowNs();
  std::string within =
      " did not complete within " + formatDuration(backend.deadlineNs);
  const Pending *last = nullptr;
  for (const Pending &entry : pending) {
    last = &entry;
    if (entry.confirmed->load())
      continue;
    const std::vector<int64_t> &members = entry.communicator->members;
    Control::Arrivals arrivals =
        backend.control->arrivals(entry.key, int64_t(members.size()));
    // A meeting that nobody knows is over, or has not begun.
    if (arrivals.missing.empty() ||
        (entry.announced && arrivals.missing.size() == members.size()))
      continue;
    // Somebody came late: they get a deadline of their own.
    if (arrivals.lastNs + backend.deadlineNs > now)
      return arrivals.lastNs + backend.deadlineNs;
    std::vector<int64_t> missing;
    for (int64_t position : arrivals.missing)
      missing.push_back(members[size_t(position)]);
    backend.sink->fail(members, DISTRT_TIMEOUT,
                       entry.summary + within + ": missing " +
                           formatRanks(missing));
    return 0;
  }
  backend.sink->fail({owner.rank}, DISTRT_TIMEOUT,
                     "rank " + std::to_string(owner.rank) + ": " + what +
                         within + ": all ranks joined" +
                         (last ? ", the last one was " + last->summary : ""));
  return 0;
}

static Outcome aborted() {
  return {DISTRT_ABORTED, "another rank of the world failed"};
}

Outcome NcclDevice::awaitConfirmations(int64_t &untilNs) {
  while (true) {
    uint32_t seen = owner.parker.prepare();
    bool ready = true;
    for (const Pending &entry : pending)
      ready &= !entry.waited || entry.confirmed->load();
    if (ready || interrupted()) {
      owner.parker.finish();
      return ready ? Outcome() : aborted();
    }
    int64_t now = nowNs();
    if (now >= untilNs) {
      untilNs = expire("a collective");
      if (!untilNs)
        return aborted();
      continue;
    }
    Outcome outcome = asyncFailure();
    if (outcome.failed())
      return outcome;
    owner.parker.park(seen, std::min(untilNs, now + 10000000));
  }
}

Outcome NcclDevice::awaitStream(cudaStream_t stream, int64_t untilNs) {
  int64_t naps = 0;
  while (true) {
    cudaError_t state = api.functions().cudaStreamQuery(stream);
    if (state == cudaSuccess)
      return {};
    if (state != cudaErrorNotReady)
      return api.check(state, "cudaStreamQuery");
    if (!abandoned && interrupted())
      return aborted();
    Outcome outcome = asyncFailure();
    if (outcome.failed())
      return outcome;
    if (nowNs() >= untilNs) {
      untilNs = abandoned ? 0 : expire("the compute stream");
      if (!untilNs)
        return aborted();
    }
    pause(naps);
  }
}

Outcome NcclDevice::synchronize() {
  if (isCapturing())
    return {DISTRT_UNSUPPORTED,
            "the host cannot wait while a graph is captured"};
  int64_t untilNs = nowNs() + backend.deadlineNs;
  Outcome outcome = awaitConfirmations(untilNs);
  if (!outcome.failed())
    outcome = awaitStream(compute, untilNs);
  if (outcome.failed())
    return outcome;
  forgetConfirmed();
  resolveTimes(/*all=*/false);
  return interrupted() ? aborted() : Outcome();
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

void NcclDevice::abandon() {
  if (abandoned || !ownStream)
    return;
  abandoned = true;
  std::vector<cudaStream_t> streams = {compute};
  for (Member *member : joined) {
    streams.push_back(member->stream);
    if (!member->adopted)
      api.abortComm(member->handle);
  }
  joined.erase(std::remove_if(joined.begin(), joined.end(),
                              [](Member *member) { return !member->adopted; }),
               joined.end());
  // What is left is finite. A device that does not come to an end is named: its
  // memory must not be used again.
  int64_t untilNs = nowNs() + backend.deadlineNs;
  for (cudaStream_t stream : streams)
    if (awaitStream(stream, untilNs).status == DISTRT_ABORTED) {
      fprintf(stderr,
              "dist: rank %lld: the device still works %s after its "
              "communicators were aborted\n",
              static_cast<long long>(owner.rank),
              formatDuration(backend.deadlineNs).c_str());
      return;
    }
}

void NcclDevice::close() {
  if (!ownStream)
    return;
  if (interrupted())
    abandon();
  // Nothing is reported any more, and nothing is freed that is in use.
  abandoned = true;
  int64_t untilNs = nowNs() + backend.deadlineNs;
  awaitStream(compute, untilNs);
  for (cudaStream_t stream : ownedStreams)
    awaitStream(stream, untilNs);
  resolveTimes(/*all=*/true);
  for (Member *member : joined) {
    if (member->adopted)
      continue;
    if (!api.finalizeComm(member->handle).failed())
      settle(member->handle, "ncclCommFinalize");
    api.destroyComm(member->handle);
  }
  joined.clear();
  pool.clear();
  api.unloadKernels();
  for (cudaEvent_t event : allEvents)
    api.destroyEvent(event);
  for (cudaStream_t stream : ownedStreams)
    api.destroyStream(stream);
  api.destroyStream(ownStream);
  ownStream = compute = nullptr;
}
