//===- NcclBackend.h - NCCL on CUDA streams ---------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One rank is one device. Its rank thread makes all calls of CUDA and NCCL: it
// is the one issuer of the device, and the order of its starts is the global
// order over all communicators of the device. Communicators are non-blocking,
// so that every wait of the host ends at a deadline.
//
// The streams of a rank are its compute stream and one communication stream per
// communicator. A start orders the communication stream behind the compute
// stream by one event and records one event behind the collective; a wait
// orders the compute stream behind that. Nothing else orders the streams.
//
// What members must agree on travels over the control channel beside the data,
// so that a start does not block. No value reaches the host before all members
// have confirmed what the value depends on.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_NCCL_NCCLBACKEND_H
#define DIST_LIB_RUNTIME_NCCL_NCCLBACKEND_H

#include "Common/Backend.h"
#include "NCCL/Api.h"
#include "NCCL/Control.h"
#include "NCCL/MemoryPool.h"

#include <deque>

namespace dist::rt {

class NcclBackend;
class NcclCommunicator;

/// Where the devices come from: the real libraries, or the fake machine.
class DeviceSource {
public:
  virtual ~DeviceSource() = default;
  virtual const Table &table() const = 0;
  /// Before the calling thread makes calls for `rank`.
  virtual void bind(int64_t rank) = 0;
  /// The number of the rank's device, for cudaSetDevice.
  virtual int deviceOf(int64_t rank) const = 0;
  /// After all devices were given up: what they left behind; "" for nothing.
  virtual std::string leftovers() { return ""; }
};

/// One rank's side of a communicator.
struct Member {
  ncclComm_t handle = nullptr;
  cudaStream_t stream = nullptr;
  bool adopted = false; // the embedder's
  bool joined = false;
  /// Of all members: the lowest compute capability, ten times.
  int capability = 0;
};

class NcclCommunicator final : public Communicator {
public:
  NcclCommunicator(std::vector<int64_t> members, std::string tag, uint64_t id)
      : Communicator(std::move(members), std::move(tag)), id(id),
        sides(this->members.size()) {}
  const uint64_t id;
  /// By position; each belongs to that rank's thread.
  std::vector<Member> sides;
};

class NcclDevice final : public Device {
public:
  NcclDevice(NcclBackend &backend, LaunchOwner &owner, bool logging);
  /// Gives everything up, on any thread that is bound to the device.
  void close();

  Outcome enter() override;
  void abandon() override;
  void *computeStream() override { return compute; }
  Outcome setComputeStream(void *stream) override;
  Outcome synchronize() override;
  Outcome read(void *host, const void *device, int64_t bytes) override;
  Outcome write(void *device, const void *host, int64_t bytes) override;
  Outcome launch(const KernelLaunch &launch) override;
  void *allocate(size_t alignment, size_t bytes) override;
  bool release(void *pointer) override;

  Outcome join(NcclCommunicator &communicator, int64_t position,
               const Launch *first);
  Outcome adopt(NcclCommunicator &communicator, int64_t position, void *handle);
  Outcome start(NcclCommunicator &communicator, int64_t position,
                Launch &launch);
  Outcome streamWait(Launch &launch);
  Outcome copyNow(const StridedCopy &copy);
  Outcome fillNow(const View &view, unsigned char byte);

  const std::vector<std::string> &log() const { return api.log(); }
  /// What allocate could not say.
  std::string lastMemoryError;

private:
  /// A launch that not all members have confirmed.
  struct Pending {
    std::shared_ptr<std::atomic<bool>> confirmed;
    const Launch *launch; // identity only
    bool announced = false;
    bool waited = false;
    NcclCommunicator *communicator;
    std::string key;
    std::string summary;
  };
  struct Timed {
    cudaEvent_t begin, end;
    std::function<void(int64_t, int64_t)> record;
  };

  bool isCapturing();
  bool interrupted() const { return owner.interrupt->load() != nullptr; }
  Outcome orderBehind(cudaStream_t later, cudaStream_t earlier);
  Outcome takeEvent(cudaEvent_t &event);
  void giveEvent(cudaEvent_t event) { freeEvents.push_back(event); }
  Outcome copyOn(cudaStream_t stream, const StridedCopy &copy);
  /// A timed event on `stream`, or null without a trace.
  Outcome mark(cudaStream_t stream, cudaEvent_t &event);
  void resolveTimes(bool all);

  Outcome makeCommunicator(NcclCommunicator &communicator, int64_t position,
                           const std::vector<std::string> &words);
  Outcome meet(NcclCommunicator &communicator, int64_t position,
               const Launch *first, std::string words,
               std::vector<std::string> &all);
  /// Waits until a non-blocking call on the communicator is over.
  Outcome settle(ncclComm_t handle, const char *what);
  Outcome announce(NcclCommunicator &communicator, int64_t position,
                   Launch &launch);
  /// Puts a launch behind the compute stream and an event behind the launch.
  Outcome issueOrdered(NcclCommunicator &communicator, int64_t position,
                       Launch &launch);
  void forgetConfirmed();
  /// Waits until what the compute stream depends on is confirmed.
  Outcome awaitConfirmations(int64_t &untilNs);
  Outcome awaitStream(cudaStream_t stream, int64_t untilNs);
  /// At a deadline: reports who is missing, or says when to ask again.
  int64_t expire(const std::string &what);
  Outcome asyncFailure();
  static void pause(int64_t &naps);

  NcclBackend &backend;
  LaunchOwner &owner;
  Api api;
  MemoryPool pool;
  cudaStream_t ownStream = nullptr;
  cudaStream_t compute = nullptr;
  int capability = 0;
  bool abandoned = false;
  std::vector<cudaEvent_t> freeEvents;
  std::vector<cudaEvent_t> allEvents;
  std::vector<cudaStream_t> ownedStreams; // of communicators
  std::deque<Pending> pending;
  /// In the order of their creation: all ranks give them up in this order.
  std::vector<Member *> joined;

  // With a trace.
  cudaEvent_t epoch = nullptr;
  int64_t epochNs = 0;
  std::deque<Timed> timed;
  std::vector<cudaEvent_t> freeTimed;
};

class NcclBackend final : public Backend {
public:
  NcclBackend(const distrtWorldOptions &options, const Placement &placement,
              std::unique_ptr<DeviceSource> source,
              std::unique_ptr<Control> control);
  ~NcclBackend() override;

  void attach(ErrorSink &sink,
              const std::vector<LaunchOwner *> &owners) override;
  void *allocate(int64_t rank, size_t bytes) override;
  void release(int64_t rank, void *pointer) override;
  std::unique_ptr<Communicator>
  createCommunicator(const std::vector<int64_t> &members,
                     const std::string &tag, uint64_t uniqueId) override;
  Outcome join(Communicator &communicator, int64_t position,
               const Launch *first) override;
  Outcome adopt(Communicator &communicator, int64_t position,
                void *handle) override;
  Outcome enqueue(Communicator &communicator, int64_t position,
                  Launch &launch) override;
  Outcome streamWait(Launch &launch) override;
  Device *device(int64_t rank) override { return deviceAt(rank); }
  Outcome copyNow(int64_t rank, const StridedCopy &copy) override;
  Outcome fillNow(int64_t rank, const View &view, unsigned char byte) override;
  void announceFailure(const std::vector<int64_t> &ranks, int status,
                       const std::string &message) override;
  void endRun() override;

  // The host never waits for a single launch.
  WaitResult hostWait(Launch &, int64_t,
                      const std::atomic<const void *> &) override {
    return WaitResult::Interrupted;
  }
  Expiry expire(Communicator &, int64_t, Launch &) override { return {}; }
  /// Each rank stops its side itself, see Device::abandon.
  void abort(Communicator &) override {}

private:
  friend class NcclDevice;
  NcclDevice *deviceAt(int64_t rank) {
    return devices[size_t(rank - placement.firstLocal)].get();
  }
  void writeLog() const;

  const int64_t deadlineNs;
  const bool trace;
  const bool checked;
  const Placement placement;
  const std::string logPath;
  std::unique_ptr<DeviceSource> source;
  std::unique_ptr<Control> control;
  ErrorSink *sink = nullptr;
  std::vector<std::unique_ptr<NcclDevice>> devices;
};

/// Puts the calls of one launch on a communication stream. `settle` waits until
/// the calls on a non-blocking communicator are over.
Outcome issueLaunch(Api &api, MemoryPool &pool, bool capturing,
                    const Member &member, int64_t position, int64_t numMembers,
                    Launch &launch, const std::function<Outcome()> &settle);

/// In Fake/. `linkDelayNs` is added to each collective.
std::unique_ptr<DeviceSource>
createFakeDevices(const distrtWorldOptions &options);

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_NCCL_NCCLBACKEND_H
