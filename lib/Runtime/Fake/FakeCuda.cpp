//===- FakeCuda.cpp - the CUDA runtime of the fake machine ----------------===//
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

namespace {
using Lock = std::lock_guard<std::mutex>;
/// Returns a text when a rule is broken. `run`: of a graph that runs.
using Effect = std::function<std::string(Stream &, Graph::Run *run)>;

cudaError_t refuse(const char *call, const std::string &text) {
  return Machine::current()->violate(cudaErrorInvalidValue,
                                     std::string(call) + ": " + text);
}

/// The result of an operation on a stream. Texts of races say that nothing
/// orders two accesses.
cudaError_t finish(const std::string &text) {
  if (text.empty())
    return cudaSuccess;
  bool isRace = text.compare(0, 14, "nothing orders") == 0;
  return Machine::current()->violate(
      isRace ? cudaError_t(kFakeRace) : cudaErrorInvalidValue, text);
}

void tickGraph(Stream &stream) { ++stream.graphClock[&stream]; }

/// Checks the stream, then does the effect, or keeps it for the graph.
cudaError_t onStream(cudaStream_t handle, Effect effect) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  std::string text;
  Stream *stream = machine.streamOf(handle, text);
  if (stream)
    text = machine.whyBusy(*stream);
  if (!text.empty())
    return finish(text);
  if (stream->graph) {
    tickGraph(*stream);
    stream->graph->calls.push_back(
        {stream, [effect](Stream &again, Graph::Run &run) {
           return effect(again, &run);
         }});
    return cudaSuccess;
  }
  return finish(effect(*stream, nullptr));
}

/// An operation that touches memory and does `work` when its turn comes.
Effect memoryOperation(std::vector<Access> accesses,
                       std::function<void()> work) {
  return [accesses, work](Stream &stream, Graph::Run *) {
    Machine &machine = *Machine::current();
    for (const Access &made : accesses) {
      std::string text = machine.checkMemory(stream.device, made.view, 0);
      if (!text.empty())
        return text;
    }
    machine.tick(stream);
    std::string text = machine.access(stream, accesses);
    if (!text.empty())
      return text;
    Task task;
    task.run = work;
    machine.enqueue(stream, std::move(task));
    return std::string();
  };
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

const char *getErrorString(cudaError_t error) {
  if (error == cudaErrorNotReady)
    return "device not ready";
  return Machine::lastText().c_str();
}

cudaError_t runtimeGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t getDeviceCount(int *count) {
  *count = int(Machine::current()->devices.size());
  return cudaSuccess;
}

cudaError_t setDevice(int device) {
  if (device != Machine::currentDevice())
    return refuse("cudaSetDevice", "a thread is bound to one device");
  return cudaSuccess;
}

cudaError_t deviceGetAttribute(int *value, cudaDeviceAttr attribute, int) {
  // A test of older devices says so.
  const char *given = getenv("DISTRT_FAKE_CAPABILITY");
  int capability = given && *given ? atoi(given) : 90;
  *value = attribute == cudaDevAttrComputeCapabilityMajor   ? capability / 10
           : attribute == cudaDevAttrComputeCapabilityMinor ? capability % 10
                                                            : 0;
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

cudaError_t streamCreate(cudaStream_t *stream, unsigned) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  *stream = machine.makeStream(Machine::currentDevice());
  return cudaSuccess;
}

cudaError_t streamDestroy(cudaStream_t handle) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  std::string text;
  Stream *stream = machine.streamOf(handle, text);
  if (stream && stream->graph)
    text = "the stream is captured";
  if (!text.empty())
    return refuse("cudaStreamDestroy", text);
  stream->destroyed = true;
  return cudaSuccess;
}

/// An event inside of a graph is another one in each run of it.
Effect recordEffect(Event *event) {
  return [event](Stream &stream, Graph::Run *run) {
    Machine &machine = *Machine::current();
    Event *target = event;
    if (run) {
      Event *&standIn = run->events[event];
      if (!standIn) {
        standIn = reinterpret_cast<Event *>(
            machine.makeEvent(stream.device, event->timed));
        standIn->destroyed = true; // nobody has its handle
      }
      target = standIn;
    }
    machine.record(stream, *target);
    return std::string();
  };
}

cudaError_t eventRecord(cudaEvent_t handle, cudaStream_t streamHandle) {
  Machine &machine = *Machine::current();
  Event *event;
  {
    Lock lock(machine.mutex);
    std::string text;
    event = machine.eventOf(handle, text);
    Stream *stream = event ? machine.streamOf(streamHandle, text) : nullptr;
    if (!stream)
      return refuse("cudaEventRecord", text);
    if (stream->graph) {
      event->graph = stream->graph;
      event->signal = nullptr;
      event->graphClock = stream->graphClock;
      ++event->graphClock[stream];
    }
  }
  return onStream(streamHandle, recordEffect(event));
}

/// Why `stream` cannot wait for the event, whose graph it joins if it can.
std::string joinGraph(Stream &stream, Event &event) {
  if (!event.graph)
    return stream.graph ? format("event%d was not recorded in the graph that "
                                 "stream%d is captured into",
                                 event.number, stream.number)
                        : "";
  if (event.graph->ended)
    return format("event%d was recorded in a capture that has ended",
                  event.number);
  if (stream.graph && stream.graph != event.graph)
    return format("stream%d is captured into another graph", stream.number);
  if (!stream.graph) {
    stream.graph = event.graph;
    stream.graphClock.clear();
    event.graph->streams.push_back(&stream);
  }
  for (auto [other, time] : event.graphClock) {
    int64_t &known = stream.graphClock[other];
    known = std::max(known, time);
  }
  return "";
}

cudaError_t streamWaitEvent(cudaStream_t streamHandle, cudaEvent_t handle,
                            unsigned) {
  Machine &machine = *Machine::current();
  Event *event;
  {
    Lock lock(machine.mutex);
    std::string text;
    event = machine.eventOf(handle, text);
    Stream *stream = event ? machine.streamOf(streamHandle, text) : nullptr;
    if (stream && !event->signal && !event->graph)
      text = format("event%d was never recorded", event->number);
    else if (stream)
      text = joinGraph(*stream, *event);
    if (!text.empty())
      return refuse("cudaStreamWaitEvent", text);
  }
  return onStream(streamHandle, [event](Stream &stream, Graph::Run *run) {
    Machine::current()->wait(stream, run ? *run->events[event] : *event);
    return std::string();
  });
}

cudaError_t streamQuery(cudaStream_t handle) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  std::string text;
  Stream *stream = machine.streamOf(handle, text);
  if (stream && stream->graph)
    text = machine.whyForbidden("cudaStreamQuery");
  if (!text.empty())
    return refuse("cudaStreamQuery", text);
  if (stream->running || !stream->tasks.empty())
    return cudaErrorNotReady;
  machine.hostSaw(*stream);
  return cudaSuccess;
}

cudaError_t eventCreate(cudaEvent_t *event, unsigned flags) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  *event = machine.makeEvent(Machine::currentDevice(),
                             !(flags & cudaEventDisableTiming));
  return cudaSuccess;
}

cudaError_t eventDestroy(cudaEvent_t handle) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  std::string text;
  Event *event = machine.eventOf(handle, text);
  if (!event)
    return refuse("cudaEventDestroy", text);
  event->destroyed = true;
  return cudaSuccess;
}

cudaError_t eventQuery(cudaEvent_t handle) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  std::string text;
  Event *event = machine.eventOf(handle, text);
  if (event && event->graph)
    text = "the event was recorded in a capture";
  if (!text.empty())
    return refuse("cudaEventQuery", text);
  if (event->signal && !event->signal->done)
    return cudaErrorNotReady;
  merge(machine.devices[size_t(event->device)].host, event->clock);
  return cudaSuccess;
}

cudaError_t eventElapsedTime(float *milliseconds, cudaEvent_t from,
                             cudaEvent_t to) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  std::string text;
  Event *begin = machine.eventOf(from, text);
  Event *end = begin ? machine.eventOf(to, text) : nullptr;
  if (end && !(begin->timed && end->timed))
    text = "an event without timing";
  if (!text.empty())
    return refuse("cudaEventElapsedTime", text);
  for (Event *event : {begin, end})
    if (!event->signal || !event->signal->done)
      return cudaErrorNotReady;
  *milliseconds =
      float(double(end->signal->timeNs - begin->signal->timeNs) / 1e6);
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Capture
//===----------------------------------------------------------------------===//

cudaError_t streamIsCapturing(cudaStream_t handle,
                              cudaStreamCaptureStatus *status) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  std::string text;
  Stream *stream = machine.streamOf(handle, text);
  if (!stream)
    return refuse("cudaStreamIsCapturing", text);
  *status = stream->graph ? cudaStreamCaptureStatusActive
                          : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

cudaError_t streamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  std::string text;
  Stream *stream = machine.streamOf(handle, text);
  if (stream && stream->graph)
    text = "the stream is captured already";
  if (!text.empty())
    return refuse("cudaStreamBeginCapture", text);
  machine.graphs.push_back(std::make_unique<Graph>());
  stream->graph = machine.graphs.back().get();
  stream->graph->origin = stream;
  stream->graph->streams = {stream};
  stream->graphClock.clear();
  return cudaSuccess;
}

cudaError_t streamEndCapture(cudaStream_t handle, cudaGraph_t *result) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  std::string text;
  Stream *stream = machine.streamOf(handle, text);
  if (stream && (!stream->graph || stream->graph->origin != stream))
    text = "no capture began on this stream";
  if (!text.empty())
    return refuse("cudaStreamEndCapture", text);
  Graph *graph = stream->graph;
  for (Stream *other : graph->streams) {
    if (stream->graphClock[other] < other->graphClock[other])
      text = format("stream%d joined the capture and stream%d does not wait "
                    "for its last operation",
                    other->number, stream->number);
    other->graph = nullptr;
  }
  graph->ended = true;
  *result = reinterpret_cast<cudaGraph_t>(graph);
  if (text.empty())
    return cudaSuccess;
  return machine.violate(cudaErrorStreamCaptureUnjoined,
                         "cudaStreamEndCapture: " + text);
}

cudaError_t graphInstantiate(cudaGraphExec_t *result, cudaGraph_t handle,
                             unsigned long long) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  auto *graph = reinterpret_cast<Graph *>(handle);
  machine.executables.push_back(std::make_unique<Executable>());
  machine.executables.back()->graph = graph;
  *result = reinterpret_cast<cudaGraphExec_t>(machine.executables.back().get());
  return cudaSuccess;
}

cudaError_t graphLaunch(cudaGraphExec_t handle, cudaStream_t streamHandle) {
  auto *executable = reinterpret_cast<Executable *>(handle);
  if (executable->destroyed)
    return refuse("cudaGraphLaunch", "the graph was destroyed");
  Graph *graph = executable->graph;
  return onStream(streamHandle, [graph](Stream &stream, Graph::Run *) {
    Machine &machine = *Machine::current();
    Graph::Run run;
    for (Stream *captured : graph->streams) {
      if (captured == graph->origin) {
        run.streams[captured] = &stream;
        continue;
      }
      auto *standIn =
          reinterpret_cast<Stream *>(machine.makeStream(stream.device));
      standIn->destroyed = true; // nobody has its handle
      run.streams[captured] = standIn;
    }
    for (const Graph::Call &call : graph->calls) {
      std::string text = call.again(*run.streams[call.stream], run);
      if (!text.empty())
        return text;
    }
    return std::string();
  });
}

cudaError_t graphExecDestroy(cudaGraphExec_t handle) {
  reinterpret_cast<Executable *>(handle)->destroyed = true;
  return cudaSuccess;
}

cudaError_t graphDestroy(cudaGraph_t handle) {
  reinterpret_cast<Graph *>(handle)->destroyed = true;
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

cudaError_t allocate(void **pointer, size_t bytes) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  std::string text = machine.whyForbidden("cudaMalloc");
  if (!text.empty())
    return finish(text);
  Allocation *allocation =
      machine.makeAllocation(Machine::currentDevice(), bytes);
  if (!allocation)
    return machine.violate(cudaErrorMemoryAllocation, "out of memory");
  *pointer = allocation->base;
  return cudaSuccess;
}

cudaError_t release(void *pointer) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  if (!pointer)
    return cudaSuccess;
  std::string text = machine.whyForbidden("cudaFree");
  Allocation *allocation = machine.allocationOf(pointer);
  if (text.empty() && (!allocation || allocation->base != pointer))
    text = "cudaFree: the address is not the beginning of an allocation";
  else if (text.empty() && allocation->freed)
    text = "cudaFree: buf" + std::to_string(allocation->number) +
           " was freed before";
  if (!text.empty())
    return finish(text);
  Clock &host = machine.devices[size_t(allocation->device)].host;
  for (const Access &made : allocation->accesses)
    if (host[made.stream] < made.time)
      return finish(format("cudaFree: buf%d may still be used by %s on "
                           "stream%d",
                           allocation->number, made.what.c_str(), made.stream));
  allocation->freed = true;
  allocation->accesses.clear();
  return cudaSuccess;
}

cudaError_t copy2D(void *to, size_t toPitch, const void *from, size_t fromPitch,
                   size_t width, size_t height, cudaMemcpyKind kind,
                   cudaStream_t stream) {
  if (height > 1 && (toPitch < width || fromPitch < width))
    return refuse("cudaMemcpy2DAsync", "a pitch is less than the width");
  std::vector<Access> accesses;
  const char *name = height == 1 ? "cudaMemcpyAsync" : "cudaMemcpy2DAsync";
  if (kind != cudaMemcpyHostToDevice)
    accesses.push_back(
        {rowsView(from, fromPitch, width, height), false, 0, 0, name});
  if (kind != cudaMemcpyDeviceToHost)
    accesses.push_back(
        {rowsView(to, toPitch, width, height), true, 0, 0, name});
  if (kind == cudaMemcpyDeviceToDevice &&
      overlaps(accesses[0].view, accesses[1].view))
    return refuse(name, "source and destination overlap");
  if (kind != cudaMemcpyDeviceToDevice) {
    Machine &machine = *Machine::current();
    Lock lock(machine.mutex);
    std::string text =
        machine.whyForbidden("a copy from or to pageable host memory");
    if (!text.empty())
      return finish(text);
  }
  // Pageable memory of the host is read before the call returns.
  auto staged = std::make_shared<std::vector<char>>();
  if (kind == cudaMemcpyHostToDevice) {
    auto *bytes = static_cast<const char *>(from);
    staged->assign(bytes, bytes + (height - 1) * fromPitch + width);
    from = staged->data();
  }
  return onStream(stream, memoryOperation(std::move(accesses), [=] {
                    (void)staged;
                    for (size_t i = 0; i < height; ++i)
                      memcpy(static_cast<char *>(to) + i * toPitch,
                             static_cast<const char *>(from) + i * fromPitch,
                             width);
                  }));
}

cudaError_t copyAsync(void *to, const void *from, size_t bytes,
                      cudaMemcpyKind kind, cudaStream_t stream) {
  return copy2D(to, bytes, from, bytes, bytes, 1, kind, stream);
}

cudaError_t set2D(void *to, size_t pitch, int byte, size_t width, size_t height,
                  cudaStream_t stream) {
  if (height > 1 && pitch < width)
    return refuse("cudaMemset2DAsync", "the pitch is less than the width");
  const char *name = height == 1 ? "cudaMemsetAsync" : "cudaMemset2DAsync";
  std::vector<Access> accesses = {
      {rowsView(to, pitch, width, height), true, 0, 0, name}};
  return onStream(stream, memoryOperation(std::move(accesses), [=] {
                    for (size_t i = 0; i < height; ++i)
                      memset(static_cast<char *>(to) + i * pitch, byte, width);
                  }));
}

cudaError_t setAsync(void *to, int byte, size_t bytes, cudaStream_t stream) {
  return set2D(to, bytes, byte, bytes, 1, stream);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

int64_t wordOf(void **arguments, int64_t index) {
  int64_t word;
  memcpy(&word, arguments[index], sizeof(word));
  return word;
}

/// What parameter `index` of a launch says may be touched.
View touchedBy(const distrtKernel &kernel, void **arguments, int64_t index) {
  const distrtParameter &parameter = kernel.parameters[index];
  auto *pointer = reinterpret_cast<char *>(wordOf(arguments, index));
  if (parameter.rank < 0) {
    Machine &machine = *Machine::current();
    Lock lock(machine.mutex);
    Allocation *allocation = machine.allocationOf(pointer);
    return allocation ? bytesView(allocation->base, allocation->bytes)
                      : bytesView(pointer, 1);
  }
  View view;
  view.rank = parameter.rank;
  view.elementSize = parameter.elementBytes;
  view.data = pointer + wordOf(arguments, index + 1) * view.elementSize;
  for (int32_t i = 0; i < view.rank; ++i) {
    view.sizes[i] = wordOf(arguments, index + 2 + i);
    view.strides[i] = wordOf(arguments, index + 2 + view.rank + i);
  }
  return view;
}

/// The values of the arguments, kept for when the kernel's turn comes.
struct KernelCall {
  distrtHostKernel function;
  std::vector<std::vector<char>> values;
  int64_t grid[3], block[3];
  void run() {
    std::vector<void *> pointers;
    for (std::vector<char> &value : values)
      pointers.push_back(value.data());
    function(pointers.data(), grid, block);
  }
};

cudaError_t launchOnHost(const KernelLaunch &launch, cudaStream_t stream) {
  const distrtKernel &kernel = *launch.kernel;
  std::vector<Access> accesses;
  auto call = std::make_shared<KernelCall>();
  call->function = kernel.hostFunction;
  for (int i = 0; i < 3; ++i) {
    call->grid[i] = launch.grid[i];
    call->block[i] = launch.block[i];
  }
  std::string name = std::string("kernel ") + kernel.name;
  for (int64_t i = 0; i < kernel.numParameters; ++i) {
    const distrtParameter &parameter = kernel.parameters[i];
    auto *bytes = static_cast<const char *>(launch.arguments[i]);
    call->values.emplace_back(bytes, bytes + parameter.bytes);
    if (parameter.kind & DISTRT_PARAMETER_READ)
      accesses.push_back(
          {touchedBy(kernel, launch.arguments, i), false, 0, 0, name});
    if (parameter.kind & DISTRT_PARAMETER_WRITE)
      accesses.push_back(
          {touchedBy(kernel, launch.arguments, i), true, 0, 0, name});
  }
  return onStream(
      stream, memoryOperation(std::move(accesses), [call] { call->run(); }));
}

double &factorOfThread() {
  static thread_local double factor = 1;
  return factor;
}

void noteFactor(double factor) { factorOfThread() = factor; }

cudaError_t loadLibrary(cudaLibrary_t *, const void *, cudaJitOption *, void **,
                        unsigned, cudaLibraryOption *, void **, unsigned) {
  return refuse("cudaLibraryLoadData", "the fake device runs no device code");
}
cudaError_t unloadLibrary(cudaLibrary_t) { return cudaSuccess; }
cudaError_t getKernel(cudaKernel_t *, cudaLibrary_t, const char *) {
  return refuse("cudaLibraryGetKernel", "the fake device runs no device code");
}
cudaError_t launchKernel(const void *, dim3, dim3, void **, size_t,
                         cudaStream_t) {
  return refuse("cudaLaunchKernel", "the fake device runs no device code");
}
} // namespace

const FakeHooks fake::hooks = {launchOnHost, noteFactor};
double fake::exactFactor() { return factorOfThread(); }

void fake::fillCudaTable(Table &table) {
  table.cudaGetErrorString = getErrorString;
  table.cudaRuntimeGetVersion = runtimeGetVersion;
  table.cudaGetDeviceCount = getDeviceCount;
  table.cudaSetDevice = setDevice;
  table.cudaDeviceGetAttribute = deviceGetAttribute;
  table.cudaStreamCreateWithFlags = streamCreate;
  table.cudaStreamDestroy = streamDestroy;
  table.cudaStreamWaitEvent = streamWaitEvent;
  table.cudaStreamQuery = streamQuery;
  table.cudaStreamIsCapturing = streamIsCapturing;
  table.cudaStreamBeginCapture = streamBeginCapture;
  table.cudaStreamEndCapture = streamEndCapture;
  table.cudaGraphInstantiateWithFlags = graphInstantiate;
  table.cudaGraphLaunch = graphLaunch;
  table.cudaGraphExecDestroy = graphExecDestroy;
  table.cudaGraphDestroy = graphDestroy;
  table.cudaEventCreateWithFlags = eventCreate;
  table.cudaEventDestroy = eventDestroy;
  table.cudaEventRecord = eventRecord;
  table.cudaEventQuery = eventQuery;
  table.cudaEventElapsedTime = eventElapsedTime;
  table.cudaMalloc = allocate;
  table.cudaFree = release;
  table.cudaMemcpyAsync = copyAsync;
  table.cudaMemcpy2DAsync = copy2D;
  table.cudaMemsetAsync = setAsync;
  table.cudaMemset2DAsync = set2D;
  table.cudaLibraryLoadData = loadLibrary;
  table.cudaLibraryUnload = unloadLibrary;
  table.cudaLibraryGetKernel = getKernel;
  table.cudaLaunchKernel = launchKernel;
}
