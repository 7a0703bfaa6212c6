//===- FakeMachine.cpp - devices that are not there -----------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fake/FakeMachine.h"

#include <cstdlib>
#include <cstring>

using namespace dist::rt;
using namespace dist::rt::fake;

static thread_local Machine *boundMachine = nullptr;
static thread_local int boundDevice = 0;
static std::string &textOfThread() {
  static thread_local std::string text;
  return text;
}

Machine *Machine::current() { return boundMachine; }
int Machine::currentDevice() { return boundDevice; }
const std::string &Machine::lastText() { return textOfThread(); }

static int64_t workersFor(const distrtWorldOptions &options) {
  if (options.numWorkers > 0)
    return options.numWorkers;
  unsigned cores = std::thread::hardware_concurrency();
  return cores ? int64_t(cores) : 1;
}

Machine::Machine(const distrtWorldOptions &options)
    : devices(size_t(options.numRanks)), linkDelayNs(options.linkDelayNs),
      linkBytesPerNs(options.linkBytesPerNs), numWorkers(workersFor(options)),
      seed(options.seed) {}

Machine::~Machine() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  for (std::thread &worker : workers)
    worker.join();
  for (auto &allocation : allocations)
    ::free(allocation->base);
}

const Table &Machine::table() const {
  static const Table functions = [] {
    Table table;
    fillCudaTable(table);
    fillNcclTable(table);
    table.fake = &hooks;
    return table;
  }();
  return functions;
}

void Machine::bind(int64_t rank) {
  boundMachine = this;
  boundDevice = int(rank);
}

cudaError_t Machine::violate(cudaError_t error, const std::string &text) {
  textOfThread() = text;
  return error;
}

ncclResult_t Machine::violate(ncclResult_t error, const std::string &text) {
  textOfThread() = text;
  return error;
}

std::unique_ptr<DeviceSource>
dist::rt::createFakeDevices(const distrtWorldOptions &options) {
  return std::make_unique<Machine>(options);
}

void fake::merge(Clock &clock, const Clock &other) {
  for (auto [stream, time] : other) {
    int64_t &known = clock[stream];
    known = std::max(known, time);
  }
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

template <typename T>
static T *handleOf(const std::map<const void *, T *> &handles,
                   const void *handle, const char *what, std::string &text) {
  auto found = handles.find(handle);
  if (found == handles.end()) {
    text = handle ? std::string("not a ") + what + " of this machine"
                  : std::string("the ") + what + " is null";
    return nullptr;
  }
  std::string name = what + std::to_string(found->second->number);
  if (found->second->destroyed)
    text = name + " was destroyed";
  else if (found->second->device != Machine::currentDevice())
    text = name + " belongs to device " +
           std::to_string(found->second->device) + ", not to device " +
           std::to_string(Machine::currentDevice());
  else
    return found->second;
  return nullptr;
}

Stream *Machine::streamOf(cudaStream_t handle, std::string &text) {
  return handleOf(streamHandles, handle, "stream", text);
}
Event *Machine::eventOf(cudaEvent_t handle, std::string &text) {
  return handleOf(eventHandles, handle, "event", text);
}
Comm *Machine::commOf(ncclComm_t handle, std::string &text) {
  return handleOf(commHandles, handle, "comm", text);
}

cudaStream_t Machine::makeStream(int device) {
  streams.push_back(std::make_unique<Stream>());
  Stream *stream = streams.back().get();
  stream->device = device;
  stream->number = devices[size_t(device)].numStreams++;
  streamHandles[stream] = stream;
  return reinterpret_cast<cudaStream_t>(stream);
}

cudaEvent_t Machine::makeEvent(int device, bool timed) {
  events.push_back(std::make_unique<Event>());
  Event *event = events.back().get();
  event->device = device;
  event->number = devices[size_t(device)].numEvents++;
  event->timed = timed;
  eventHandles[event] = event;
  return reinterpret_cast<cudaEvent_t>(event);
}

Comm *Machine::makeComm(int device) {
  comms.push_back(std::make_unique<Comm>());
  Comm *comm = comms.back().get();
  comm->device = device;
  comm->number = devices[size_t(device)].numComms++;
  commHandles[comm] = comm;
  return comm;
}

std::string Machine::leftovers() {
  std::lock_guard<std::mutex> lock(mutex);
  std::string text;
  auto add = [&](const char *what, int device, int number) {
    text += (text.empty() ? "" : ", ") + std::string(what) +
            std::to_string(number) + " of rank " + std::to_string(device);
  };
  for (auto &comm : comms) {
    if (!comm->destroyed)
      add("comm", comm->device, comm->number);
    if (!comm->factors.empty() && !comm->aborted)
      add("a reduction operator of comm", comm->device, comm->number);
  }
  for (auto &stream : streams)
    if (!stream->destroyed)
      add("stream", stream->device, stream->number);
  for (auto &event : events)
    if (!event->destroyed)
      add("event", event->device, event->number);
  for (auto &allocation : allocations)
    if (!allocation->freed)
      add("buf", allocation->device, allocation->number);
  for (size_t i = 0; i < devices.size(); ++i)
    if (devices[i].groupDepth)
      add("an open group, depth ", int(i), devices[i].groupDepth);
  return text.empty() ? text : "never given back: " + text;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

View fake::bytesView(const void *pointer, size_t bytes) {
  return rowsView(pointer, bytes, bytes, 1);
}

View fake::rowsView(const void *pointer, size_t pitch, size_t width,
                    size_t height) {
  View view;
  view.data = static_cast<char *>(const_cast<void *>(pointer));
  view.rank = 2;
  view.sizes[0] = int64_t(height);
  view.sizes[1] = int64_t(width);
  view.strides[0] = int64_t(pitch);
  view.strides[1] = 1;
  return view;
}

Allocation *Machine::makeAllocation(int device, size_t bytes) {
  void *base = nullptr;
  if (bytes > (size_t(1) << 40) ||
      posix_memalign(&base, 256, std::max<size_t>(bytes, 1)) != 0)
    return nullptr;
  // What is read before it is written shows.
  memset(base, 0xDB, bytes);
  allocations.push_back(std::make_unique<Allocation>());
  Allocation *allocation = allocations.back().get();
  allocation->device = device;
  allocation->number = devices[size_t(device)].numAllocations++;
  allocation->base = static_cast<char *>(base);
  allocation->bytes = bytes;
  byAddress[allocation->base] = allocation;
  return allocation;
}

Allocation *Machine::allocationOf(const void *pointer) {
  auto *address = static_cast<const char *>(pointer);
  auto next = byAddress.upper_bound(address);
  if (next == byAddress.begin())
    return nullptr;
  Allocation *allocation = std::prev(next)->second;
  return address <= allocation->base + allocation->bytes ? allocation : nullptr;
}

std::string Machine::checkMemory(int device, const View &view, size_t padding) {
  ByteRange range = byteRange(view);
  if (range.low == range.high)
    return "";
  Allocation *allocation =
      allocationOf(reinterpret_cast<const void *>(range.low));
  if (!allocation)
    return "the address is not memory of a device";
  std::string name = "buf" + std::to_string(allocation->number);
  if (allocation->freed)
    return name + " was freed";
  if (allocation->device != device)
    return name + " belongs to device " + std::to_string(allocation->device) +
           ", not to device " + std::to_string(device);
  auto base = reinterpret_cast<uintptr_t>(allocation->base);
  if (range.high + padding > base + allocation->bytes)
    return format("bytes [%zu, %zu) of %s are %s, which has %zu bytes",
                  size_t(range.low - base), size_t(range.high - base),
                  name.c_str(),
                  range.high > base + allocation->bytes
                      ? "out of bounds"
                      : "less than 16 bytes before the end of it",
                  allocation->bytes);
  return "";
}

std::string Machine::access(Stream &stream, std::vector<Access> accesses) {
  for (Access &made : accesses) {
    ByteRange range = byteRange(made.view);
    if (range.low == range.high)
      continue;
    Allocation *allocation =
        allocationOf(reinterpret_cast<const void *>(range.low));
    if (!allocation)
      continue; // the host's
    made.stream = stream.number;
    made.time = stream.time;
    std::vector<Access> &old = allocation->accesses;
    size_t kept = 0;
    std::string race;
    for (size_t i = 0; i < old.size(); ++i) {
      Access &other = old[i];
      auto known = stream.clock.find(other.stream);
      bool ordered = known != stream.clock.end() && other.time <= known->second;
      if (!ordered && (made.write || other.write) && race.empty() &&
          overlaps(made.view, other.view))
        race = format("nothing orders this %s of buf%d on stream%d behind the "
                      "%s by %s on stream%d",
                      made.write ? "write" : "read", allocation->number,
                      stream.number, other.write ? "write" : "read",
                      other.what.c_str(), other.stream);
      // An older access of the same bytes that this one is ordered behind
      // cannot race with anything that this one does not race with.
      bool covered = ordered && isSameLayout(made.view, other.view) &&
                     (made.write || !other.write);
      if (!covered) {
        if (kept != i)
          old[kept] = std::move(other);
        ++kept;
      }
    }
    old.resize(kept);
    if (!race.empty())
      return race;
    old.push_back(std::move(made));
  }
  return "";
}

//===----------------------------------------------------------------------===//
// What may be called when
//===----------------------------------------------------------------------===//

std::string Machine::whyBusy(const Stream &stream) {
  for (auto &comm : comms)
    if (comm->inProgress && comm->inProgressOn == &stream && !comm->destroyed)
      return format("stream%d is used while a call on comm%d is in progress",
                    stream.number, comm->number);
  for (auto &entry : devices[size_t(stream.device)].grouped)
    if (entry.second.second == &stream)
      return format("stream%d is used while a group with calls on it is open",
                    stream.number);
  return "";
}

std::string Machine::whyForbidden(const char *call) {
  for (auto &stream : streams)
    if (stream->graph && stream->device == currentDevice())
      return format("%s is not allowed while stream%d is captured", call,
                    stream->number);
  return "";
}
