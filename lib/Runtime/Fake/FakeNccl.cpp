//===- FakeNccl.cpp - the NCCL of the fake machine ------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fake/FakeMachine.h"

#include <cstring>

using namespace dist::rt;
using namespace dist::rt::fake;

namespace {
using Lock = std::lock_guard<std::mutex>;

ncclResult_t finish(const char *call, const std::string &text) {
  if (text.empty())
    return ncclSuccess;
  bool isRace = text.compare(0, 14, "nothing orders") == 0;
  return Machine::current()->violate(
      isRace ? ncclResult_t(kFakeRace) : ncclInvalidUsage,
      isRace ? text : std::string(call) + ": " + text);
}

const char *getErrorString(ncclResult_t) { return "a rule was broken"; }
const char *getLastError(ncclComm_t) { return Machine::lastText().c_str(); }

ncclResult_t getVersion(int *version) {
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

//===----------------------------------------------------------------------===//
// Communicators
//===----------------------------------------------------------------------===//

ncclResult_t getUniqueId(ncclUniqueId *id) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  memset(id, 0, sizeof(*id));
  memcpy(id, &machine.nextId, sizeof(machine.nextId));
  auto clique = std::make_unique<Clique>();
  clique->id = machine.nextId;
  clique->number = int(machine.cliques.size());
  machine.cliques[machine.nextId++] = std::move(clique);
  return ncclSuccess;
}

/// A non-blocking call is over when somebody has asked whether it is.
ncclResult_t progress(Comm &comm, Stream *stream) {
  if (comm.blocking)
    return ncclSuccess;
  comm.inProgress = true;
  comm.inProgressOn = stream;
  return ncclInProgress;
}

ncclResult_t commInit(ncclComm_t *result, int numRanks, ncclUniqueId id,
                      int rank, ncclConfig_t *config) {
  const char *call = "ncclCommInitRankConfig";
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  uint64_t number = 0;
  memcpy(&number, &id, sizeof(number));
  auto found = machine.cliques.find(number);
  std::string text = machine.whyForbidden(call);
  DeviceState &device = machine.devices[size_t(Machine::currentDevice())];
  if (text.empty() && device.groupDepth)
    text = "communicators are not made in a group with collectives";
  if (text.empty() && found == machine.cliques.end())
    text = "the unique id does not come from ncclGetUniqueId";
  if (!text.empty())
    return finish(call, text);
  Clique &clique = *found->second;
  if (clique.comms.empty())
    clique.comms.resize(size_t(std::max(numRanks, 0)));
  if (int(clique.comms.size()) != numRanks || rank < 0 || rank >= numRanks)
    return finish(call, format("rank %d of %d does not fit to a communicator "
                               "of %zu",
                               rank, numRanks, clique.comms.size()));
  if (clique.comms[size_t(rank)])
    return finish(call, format("rank %d has joined before: an id is for one "
                               "communicator",
                               rank));
  for (Comm *other : clique.comms)
    if (other && other->device == Machine::currentDevice())
      return finish(call, "two ranks of a communicator are on one device");
  Comm *comm = machine.makeComm(Machine::currentDevice());
  comm->clique = &clique;
  comm->rank = rank;
  comm->numRanks = numRanks;
  comm->blocking = config->blocking != 0;
  clique.comms[size_t(rank)] = comm;
  ++clique.numJoined;
  *result = reinterpret_cast<ncclComm_t>(comm);
  if (comm->blocking)
    return finish(call, "a blocking communicator cannot be given up at a "
                        "deadline: the fake makes none");
  return progress(*comm, nullptr);
}

ncclResult_t getAsyncError(ncclComm_t handle, ncclResult_t *state) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  std::string text;
  Comm *comm = machine.commOf(handle, text);
  if (!comm)
    return finish("ncclCommGetAsyncError", text);
  bool waits = !comm->initialized && comm->clique->numJoined < comm->numRanks;
  *state = comm->inProgress ? ncclInProgress : ncclSuccess;
  if (!waits && comm->inProgress) {
    // The next question finds it over.
    comm->inProgress = false;
    comm->inProgressOn = nullptr;
    comm->initialized = true;
  }
  return ncclSuccess;
}

/// A call on a communicator that must be able to work; its text otherwise.
Comm *readyComm(Machine &machine, ncclComm_t handle, std::string &text) {
  Comm *comm = machine.commOf(handle, text);
  if (!comm)
    return nullptr;
  std::string name = "comm" + std::to_string(comm->number);
  if (comm->inProgress)
    text = "a call on " + name + " is in progress";
  else if (comm->finalized)
    text = name + " was finalized";
  else if (comm->clique->aborted)
    text = name + " was aborted by another rank";
  return text.empty() ? comm : nullptr;
}

ncclResult_t commFinalize(ncclComm_t handle) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  std::string text = machine.whyForbidden("ncclCommFinalize");
  Comm *comm = text.empty() ? readyComm(machine, handle, text) : nullptr;
  if (!comm)
    return finish("ncclCommFinalize", text);
  comm->finalized = true;
  return progress(*comm, nullptr);
}

ncclResult_t commDestroy(ncclComm_t handle) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  std::string text = machine.whyForbidden("ncclCommDestroy");
  Comm *comm = text.empty() ? machine.commOf(handle, text) : nullptr;
  if (comm && comm->inProgress)
    text = "a call on it is in progress";
  if (!text.empty())
    return finish("ncclCommDestroy", text);
  comm->destroyed = true;
  return ncclSuccess;
}

ncclResult_t commAbort(ncclComm_t handle) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  std::string text;
  Comm *comm = machine.commOf(handle, text);
  if (!comm)
    return finish("ncclCommAbort", text);
  comm->destroyed = comm->aborted = true;
  comm->inProgress = false;
  machine.abortClique(*comm);
  return ncclSuccess;
}

ncclResult_t commCount(const ncclComm_t handle, int *count) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  std::string text;
  Comm *comm = machine.commOf(handle, text);
  if (!comm)
    return finish("ncclCommCount", text);
  *count = comm->numRanks;
  return ncclSuccess;
}

ncclResult_t commUserRank(const ncclComm_t handle, int *rank) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  std::string text;
  Comm *comm = machine.commOf(handle, text);
  if (!comm)
    return finish("ncclCommUserRank", text);
  *rank = comm->rank;
  return ncclSuccess;
}

ncclResult_t redOpCreate(ncclRedOp_t *op, void *, ncclDataType_t type,
                         ncclScalarResidence_t residence, ncclComm_t handle) {
  const char *call = "ncclRedOpCreatePreMulSum";
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  std::string text;
  Comm *comm = readyComm(machine, handle, text);
  if (comm && residence != ncclScalarHostImmediate)
    text = "a factor in device memory is not part of the fake";
  if (!text.empty())
    return finish(call, text);
  int number = machine.devices[size_t(comm->device)].nextRedOp++;
  comm->factors[number] = {exactFactor(), type};
  *op = ncclRedOp_t(number);
  return ncclSuccess;
}

ncclResult_t redOpDestroy(ncclRedOp_t op, ncclComm_t handle) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  std::string text;
  Comm *comm = machine.commOf(handle, text);
  if (comm && !comm->factors.erase(int(op)))
    text = "the operator is not one of this communicator";
  return finish("ncclRedOpDestroy", text);
}

//===----------------------------------------------------------------------===//
// Groups and collectives
//===----------------------------------------------------------------------===//

ncclResult_t groupStart() {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  ++machine.devices[size_t(Machine::currentDevice())].groupDepth;
  return ncclSuccess;
}

/// Issues the ops of one communicator as one launch.
std::string launchOps(Machine &machine, Comm &comm, Stream &stream,
                      const std::vector<CollectiveOp> &ops) {
  std::string text = machine.whyBusy(stream);
  if (!text.empty())
    return text;
  if (!stream.graph) {
    text = machine.issue(comm, stream, ops);
    if (text.empty())
      progress(comm, &stream);
    return text;
  }
  progress(comm, &stream);
  ++stream.graphClock[&stream];
  Comm *again = &comm;
  stream.graph->calls.push_back({&stream, [=](Stream &other, Graph::Run &) {
                                   return Machine::current()->issue(*again,
                                                                    other, ops);
                                 }});
  return "";
}

ncclResult_t groupEnd() {
  const char *call = "ncclGroupEnd";
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  DeviceState &device = machine.devices[size_t(Machine::currentDevice())];
  if (device.groupDepth == 0)
    return finish(call, "no group was started");
  if (--device.groupDepth > 0)
    return ncclSuccess;
  auto grouped = std::move(device.grouped);
  device.grouped.clear();
  // As NCCL: one bad call, and nothing of the group is launched here.
  if (!device.groupError.empty()) {
    std::string text =
        "nothing of the group was launched: " + device.groupError;
    device.groupError.clear();
    return finish(call, text);
  }
  std::vector<std::pair<Comm *, Stream *>> order;
  std::map<Comm *, std::vector<CollectiveOp>> ops;
  for (auto &[comm, call] : grouped) {
    if (!ops.count(comm))
      order.push_back({comm, call.second});
    ops[comm].push_back(call.first);
  }
  for (auto [comm, stream] : order) {
    std::string text = launchOps(machine, *comm, *stream, ops[comm]);
    if (!text.empty())
      return finish(call, text);
  }
  return order.empty() ? ncclSuccess : ncclInProgress;
}

std::string checkOp(const Comm &comm, CollectiveOp &op) {
  if (op.type < 0 || op.type >= ncclNumTypes)
    return "an unknown type";
  if (op.root >= comm.numRanks)
    return format("root %d of a communicator of %d", op.root, comm.numRanks);
  if (op.op >= ncclNumOps) {
    auto factor = comm.factors.find(int(op.op));
    if (factor == comm.factors.end() || factor->second.second != op.type)
      return "the operator is not one of this communicator and type";
    op.factor = factor->second.first;
  }
  return "";
}

ncclResult_t call(CollectiveOp op, ncclComm_t handle,
                  cudaStream_t streamHandle) {
  Machine &machine = *Machine::current();
  Lock lock(machine.mutex);
  DeviceState &device = machine.devices[size_t(Machine::currentDevice())];
  std::string text;
  Comm *comm = readyComm(machine, handle, text);
  Stream *stream = comm ? machine.streamOf(streamHandle, text) : nullptr;
  if (stream)
    text = checkOp(*comm, op);
  if (text.empty() && device.groupDepth > 0) {
    for (auto &entry : device.grouped)
      if (entry.first == comm && entry.second.second != stream)
        text = "one communicator on two streams in one group";
    if (text.empty()) {
      device.grouped.push_back({comm, {op, stream}});
      return ncclSuccess;
    }
  }
  if (text.empty())
    text = launchOps(machine, *comm, *stream, {op});
  if (text.empty())
    return ncclInProgress;
  if (device.groupDepth > 0)
    device.groupError = std::string(op.call) + ": " + text;
  return finish(op.call, text);
}

CollectiveOp makeOp(const char *name, int32_t kind, const void *send,
                    void *receive, size_t count, ncclDataType_t type) {
  CollectiveOp op;
  op.call = name;
  op.kind = kind;
  op.send = send;
  op.receive = receive;
  op.count = count;
  op.type = type;
  return op;
}

ncclResult_t allReduce(const void *send, void *receive, size_t count,
                       ncclDataType_t type, ncclRedOp_t reduction,
                       ncclComm_t comm, cudaStream_t stream) {
  CollectiveOp op =
      makeOp("ncclAllReduce", DISTRT_ALL_REDUCE, send, receive, count, type);
  op.op = reduction;
  return call(op, comm, stream);
}

ncclResult_t reduce(const void *send, void *receive, size_t count,
                    ncclDataType_t type, ncclRedOp_t reduction, int root,
                    ncclComm_t comm, cudaStream_t stream) {
  CollectiveOp op =
      makeOp("ncclReduce", DISTRT_REDUCE, send, receive, count, type);
  op.op = reduction;
  op.root = root;
  return call(op, comm, stream);
}

ncclResult_t broadcast(const void *send, void *receive, size_t count,
                       ncclDataType_t type, int root, ncclComm_t comm,
                       cudaStream_t stream) {
  CollectiveOp op =
      makeOp("ncclBroadcast", DISTRT_BROADCAST, send, receive, count, type);
  op.root = root;
  return call(op, comm, stream);
}

ncclResult_t reduceScatter(const void *send, void *receive, size_t count,
                           ncclDataType_t type, ncclRedOp_t reduction,
                           ncclComm_t comm, cudaStream_t stream) {
  CollectiveOp op = makeOp("ncclReduceScatter", DISTRT_REDUCE_SCATTER, send,
                           receive, count, type);
  op.op = reduction;
  return call(op, comm, stream);
}

ncclResult_t allGather(const void *send, void *receive, size_t count,
                       ncclDataType_t type, ncclComm_t comm,
                       cudaStream_t stream) {
  return call(
      makeOp("ncclAllGather", DISTRT_ALL_GATHER, send, receive, count, type),
      comm, stream);
}

ncclResult_t allToAll(const void *send, void *receive, size_t count,
                      ncclDataType_t type, ncclComm_t comm,
                      cudaStream_t stream) {
  return call(
      makeOp("ncclAlltoAll", DISTRT_ALL_TO_ALL, send, receive, count, type),
      comm, stream);
}

ncclResult_t gather(const void *send, void *receive, size_t count,
                    ncclDataType_t type, int root, ncclComm_t comm,
                    cudaStream_t stream) {
  CollectiveOp op = makeOp("ncclGather", kGather, send, receive, count, type);
  op.root = root;
  return call(op, comm, stream);
}

ncclResult_t sendTo(const void *send, size_t count, ncclDataType_t type,
                    int peer, ncclComm_t comm, cudaStream_t stream) {
  CollectiveOp op =
      makeOp("ncclSend", kPointToPoint, send, nullptr, count, type);
  op.peer = peer;
  op.isSend = true;
  return call(op, comm, stream);
}

ncclResult_t receiveFrom(void *receive, size_t count, ncclDataType_t type,
                         int peer, ncclComm_t comm, cudaStream_t stream) {
  CollectiveOp op =
      makeOp("ncclRecv", kPointToPoint, nullptr, receive, count, type);
  op.peer = peer;
  return call(op, comm, stream);
}
} // namespace

void fake::fillNcclTable(Table &table) {
  table.ncclGetVersion = getVersion;
  table.ncclGetUniqueId = getUniqueId;
  table.ncclGetErrorString = getErrorString;
  table.ncclGetLastError = getLastError;
  table.ncclCommInitRankConfig = commInit;
  table.ncclCommFinalize = commFinalize;
  table.ncclCommDestroy = commDestroy;
  table.ncclCommAbort = commAbort;
  table.ncclCommGetAsyncError = getAsyncError;
  table.ncclCommCount = commCount;
  table.ncclCommUserRank = commUserRank;
  table.ncclRedOpCreatePreMulSum = redOpCreate;
  table.ncclRedOpDestroy = redOpDestroy;
  table.ncclGroupStart = groupStart;
  table.ncclGroupEnd = groupEnd;
  table.ncclAllReduce = allReduce;
  table.ncclReduce = reduce;
  table.ncclBroadcast = broadcast;
  table.ncclReduceScatter = reduceScatter;
  table.ncclAllGather = allGather;
  table.ncclAlltoAll = allToAll;
  table.ncclGather = gather;
  table.ncclSend = sendTo;
  table.ncclRecv = receiveFrom;
}
