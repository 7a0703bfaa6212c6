//===- FakeMachine.h - devices that are not there ---------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A CUDA runtime and an NCCL whose devices are queues on the host. Calls return
// at once; a few threads run what is at the head of a stream and ready. A
// collective runs when it is at the head of a stream on every member, with the
// arithmetic of the local backend.
//
// Every call is checked when it is made, on the thread that makes it, so that a
// violation is found in every run and not only in those where it would show:
//
// * What the streams order is known from vector clocks. Two accesses to a byte,
//   one of them a write, that no chain of stream order, event edges or host
//   synchronisation orders are a race.
// * Handles live for ever and remember that they were destroyed.
// * The launches that two devices have in common, over all communicators, must
//   come in the same order on both.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_FAKE_FAKEMACHINE_H
#define DIST_LIB_RUNTIME_FAKE_FAKEMACHINE_H

#include "NCCL/NcclBackend.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace dist::rt::fake {

class Machine;
struct Stream;
struct Comm;
struct Graph;

/// Per stream of one device how many of its operations are known to be over.
using Clock = std::map<int, int64_t>;
void merge(Clock &clock, const Clock &other);

/// One record of an event.
struct Signal {
  bool done = false;
  int64_t timeNs = 0;
};

struct Event {
  int device = 0;
  int number = 0;
  bool timed = false;
  bool destroyed = false;
  std::shared_ptr<Signal> signal; // of the last record
  Clock clock;
  Graph *graph = nullptr; // recorded while it was captured
  std::map<const Stream *, int64_t> graphClock;
};

/// What an operation touches.
struct Access {
  View view; // of single bytes or elements
  bool write = false;
  int stream = 0; // number on the device; -1: the host
  int64_t time = 0;
  std::string what;
};

struct Allocation {
  int device = 0;
  int number = 0;
  char *base = nullptr;
  size_t bytes = 0;
  bool freed = false;
  std::vector<Access> accesses;
};

/// One call of NCCL on one rank.
struct CollectiveOp {
  const char *call;
  int32_t kind = -1; // distrtCollectiveKind, or kGather
  const void *send = nullptr;
  void *receive = nullptr;
  size_t count = 0;
  ncclDataType_t type = ncclInt8;
  ncclRedOp_t op = ncclSum;
  double factor = 1;
  int root = -1;
  int peer = -1; // of a send or receive
  bool isSend = false;
};
constexpr int32_t kGather = 100;
constexpr int32_t kPointToPoint = 101;

/// The collectives that the members of a clique issue as their k-th launch.
struct Round {
  struct Side {
    bool issued = false;
    bool atHead = false;
    std::vector<CollectiveOp> ops;
    Stream *stream = nullptr;
  };
  std::vector<Side> sides;
  int64_t number = 0;
  int numIssued = 0;
  int numAtHead = 0;
  int64_t dueNs = 0;
  bool moving = false;
  bool done = false;
};

/// A message of one pair of ranks; both sides refer to it.
struct Message {
  CollectiveOp send, receive;
  bool sendIssued = false, receiveIssued = false;
  bool sendAtHead = false, receiveAtHead = false;
  bool done = false;
};

/// All ranks of one unique id.
struct Clique {
  uint64_t id = 0;
  int number = 0;
  std::vector<Comm *> comms; // by rank, null until it joins
  int numJoined = 0;
  bool aborted = false;
  std::map<int64_t, std::shared_ptr<Round>> rounds;
  struct Channel {
    std::deque<std::shared_ptr<Message>> messages;
    int64_t numSends = 0, numReceives = 0, first = 0;
  };
  std::map<std::pair<int, int>, Channel> channels; // from, to
};

struct Comm {
  int device = 0;
  int number = 0;
  int rank = 0;
  int numRanks = 0;
  Clique *clique = nullptr;
  bool blocking = false;
  bool destroyed = false;
  bool aborted = false;
  bool finalized = false;
  bool initialized = false;
  /// A non-blocking call returned that it is in progress, and nobody asked yet.
  bool inProgress = false;
  Stream *inProgressOn = nullptr;
  int64_t numLaunches = 0;
  std::map<int, std::pair<double, ncclDataType_t>> factors;
};

struct Task {
  enum Kind { Run, Record, Wait, Collective, Messages } kind = Run;
  std::function<void()> run;
  std::shared_ptr<Signal> signal;
  std::shared_ptr<Round> round;
  int side = 0;
  Clique *clique = nullptr;
  std::vector<std::pair<std::shared_ptr<Message>, bool>> messages; // is send
};

struct Stream {
  int device = 0;
  int number = 0;
  bool destroyed = false;
  bool running = false;
  std::deque<Task> tasks;
  Clock clock;
  int64_t time = 0; // operations issued
  Graph *graph = nullptr;
  std::map<const Stream *, int64_t> graphClock;
};

/// A graph keeps what was called and calls it again when it runs.
struct Graph {
  Stream *origin = nullptr;
  std::vector<Stream *> streams;
  /// Stand-ins for the captured streams and events of one run.
  struct Run {
    std::map<Stream *, Stream *> streams;
    std::map<Event *, Event *> events;
    std::map<Stream *, bool> begun;
  };
  struct Call {
    Stream *stream;
    std::function<std::string(Stream &, Run &)> again;
  };
  std::vector<Call> calls;
  bool ended = false;
  bool destroyed = false;
};

struct Executable {
  Graph *graph = nullptr;
  bool destroyed = false;
};

struct DeviceState {
  Clock host; // what the host has seen to be over
  int numStreams = 0, numEvents = 0, numAllocations = 0, numComms = 0;
  int groupDepth = 0;
  std::vector<std::pair<Comm *, std::pair<CollectiveOp, Stream *>>> grouped;
  std::string groupError;
  int nextRedOp = int(ncclNumOps);
};

class Machine final : public DeviceSource {
public:
  explicit Machine(const distrtWorldOptions &options);
  ~Machine() override;

  const Table &table() const override;
  void bind(int64_t rank) override;
  int deviceOf(int64_t rank) const override { return int(rank); }
  std::string leftovers() override;

  /// The machine and device of the calling thread.
  static Machine *current();
  static int currentDevice();

  // Results of calls. `violate` keeps the text for the error functions.
  cudaError_t violate(cudaError_t error, const std::string &text);
  ncclResult_t violate(ncclResult_t error, const std::string &text);
  static const std::string &lastText();

  // The caller of everything below holds the mutex.
  std::mutex mutex;

  // Handles: null and a violation text when they may not be used.
  Stream *streamOf(cudaStream_t handle, std::string &text);
  Event *eventOf(cudaEvent_t handle, std::string &text);
  Comm *commOf(ncclComm_t handle, std::string &text);

  cudaStream_t makeStream(int device);
  cudaEvent_t makeEvent(int device, bool timed);
  Comm *makeComm(int device);
  /// Null when there is no memory.
  Allocation *makeAllocation(int device, size_t bytes);
  Allocation *allocationOf(const void *pointer);

  /// What streams may not be used for at the moment; "" for nothing.
  std::string whyBusy(const Stream &stream);
  /// "cudaX is not allowed while a graph is captured", or "".
  std::string whyForbidden(const char *call);

  /// Memory of the device, live, inside of the allocation. `padding` bytes may
  /// be read behind it.
  std::string checkMemory(int device, const View &view, size_t padding);
  /// Enters the accesses of an operation on `stream`, which has been given its
  /// time; a text when one of them races.
  std::string access(Stream &stream, std::vector<Access> accesses);

  /// One more operation, behind all that the host has seen.
  void tick(Stream &stream) {
    merge(stream.clock, devices[size_t(stream.device)].host);
    stream.clock[stream.number] = ++stream.time;
  }
  void enqueue(Stream &stream, Task task);
  void record(Stream &stream, Event &event);
  void wait(Stream &stream, const Event &event);
  /// The host has seen everything on `stream` to be over.
  void hostSaw(const Stream &stream) {
    merge(devices[size_t(stream.device)].host, stream.clock);
  }

  /// A member's ops of one launch; a text when they break a rule.
  std::string issue(Comm &comm, Stream &stream,
                    const std::vector<CollectiveOp> &ops);
  void abortClique(Comm &comm);
  void wake() { changed.notify_all(); }

  std::vector<DeviceState> devices;
  std::map<uint64_t, std::unique_ptr<Clique>> cliques;
  uint64_t nextId = 1;
  std::vector<std::unique_ptr<Graph>> graphs;
  std::vector<std::unique_ptr<Executable>> executables;

private:
  void work();
  bool runOne(std::unique_lock<std::mutex> &lock, int64_t &wakeNs);
  bool advance(Stream &stream, std::unique_lock<std::mutex> &lock,
               int64_t &wakeNs);
  bool advanceRound(Stream &stream, Task &task,
                    std::unique_lock<std::mutex> &lock, int64_t &wakeNs);
  bool advanceMessages(Stream &stream, Task &task);
  std::string issueRound(Comm &comm, Stream &stream,
                         const std::vector<CollectiveOp> &ops);
  std::string issueMessages(Comm &comm, Stream &stream,
                            const std::vector<CollectiveOp> &ops);
  std::string checkOrder(const Comm &comm, int64_t launch);
  std::string checkAgreement(const Comm &comm, const Round &round);

  const int64_t linkDelayNs;
  const double linkBytesPerNs;
  const int64_t numWorkers;
  uint64_t seed;
  std::condition_variable changed;
  std::vector<std::thread> workers;
  bool stopping = false;
  size_t nextStream = 0;

  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<std::unique_ptr<Event>> events;
  std::vector<std::unique_ptr<Comm>> comms;
  std::vector<std::unique_ptr<Allocation>> allocations;
  std::map<const char *, Allocation *> byAddress;
  std::map<const void *, Stream *> streamHandles;
  std::map<const void *, Event *> eventHandles;
  std::map<const void *, Comm *> commHandles;

  /// Per pair of devices the launches that they share, in the order in which
  /// the first of them issued each, and how far either is.
  struct SharedOrder {
    std::deque<std::pair<Clique *, int64_t>> launches;
    int64_t first = 0;
    int64_t issued[2] = {0, 0};
  };
  std::map<std::pair<int, int>, SharedOrder> sharedOrders;
};

/// A view of bytes, of rows of bytes.
View bytesView(const void *pointer, size_t bytes);
View rowsView(const void *pointer, size_t pitch, size_t width, size_t height);

void moveRound(const Round &round);
void moveMessage(const Message &message);
size_t sizeOf(ncclDataType_t type);

/// The functions of the table.
void fillCudaTable(Table &table);
void fillNcclTable(Table &table);
extern const FakeHooks hooks;
/// What the calling thread noted last.
double exactFactor();

} // namespace dist::rt::fake

#endif // DIST_LIB_RUNTIME_FAKE_FAKEMACHINE_H
