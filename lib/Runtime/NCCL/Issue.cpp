//===- Issue.cpp - the NCCL calls of one launch ---------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// NCCL has no bool, 16-bit integer or complex type and no bitwise reduction.
// What is only moved goes as bytes. A sum of complex numbers is one of twice as
// many floats. Every other cell gathers the operands of all members and folds
// them with a kernel, in group order.
//
// Whether a call is made is decided from what all members agree on (kinds,
// types, counts, size of the group), never from what one rank sees.
//
//===----------------------------------------------------------------------===//

#include "NCCL/Fold.h"
#include "NCCL/NcclBackend.h"

using namespace dist::rt;

namespace {
/// NCCL's type of an element, or ncclNumTypes: none.
ncclDataType_t nativeType(int dataType) {
  switch (dataType) {
  case DISTRT_I8:
    return ncclInt8;
  case DISTRT_I32:
    return ncclInt32;
  case DISTRT_I64:
    return ncclInt64;
  case DISTRT_UI8:
    return ncclUint8;
  case DISTRT_UI32:
    return ncclUint32;
  case DISTRT_UI64:
    return ncclUint64;
  case DISTRT_F16:
    return ncclFloat16;
  case DISTRT_BF16:
    return ncclBfloat16;
  case DISTRT_F32:
    return ncclFloat32;
  case DISTRT_F64:
    return ncclFloat64;
  case DISTRT_F8E4M3FN:
    return ncclFloat8e4m3;
  case DISTRT_F8E5M2:
    return ncclFloat8e5m2;
  default:
    return ncclNumTypes;
  }
}

/// Elements as NCCL counts them.
struct Wire {
  ncclDataType_t type;
  size_t count;
};

/// For what only moves.
Wire movedAs(int dataType, int64_t count) {
  ncclDataType_t type = nativeType(dataType);
  if (type != ncclNumTypes)
    return {type, size_t(count)};
  return {ncclUint8, size_t(count * distrtDataTypeSize(dataType))};
}

/// For a reduction; false when a kernel must do it.
bool reducedAs(int dataType, int reduction, int64_t numMembers, int64_t count,
               Wire &wire, ncclRedOp_t &op) {
  bool isComplex = dataType == DISTRT_C64 || dataType == DISTRT_C128;
  wire = {nativeType(dataType), size_t(count)};
  if (isComplex)
    wire = {dataType == DISTRT_C64 ? ncclFloat32 : ncclFloat64,
            2 * size_t(count)};
  if (wire.type == ncclNumTypes)
    return false;
  switch (reduction) {
  case DISTRT_SUM:
    op = ncclSum;
    return true;
  case DISTRT_PRODUCT:
    op = ncclProd;
    return !isComplex;
  case DISTRT_MIN:
    op = ncclMin;
    return true;
  case DISTRT_MAX:
    op = ncclMax;
    return true;
  case DISTRT_AVG:
    // NCCL refuses some averages of one rank, where it is the sum.
    op = numMembers == 1 ? ncclSum : ncclAvg;
    return !isComplex || numMembers == 1;
  case DISTRT_PREMUL_SUM:
    op = ncclSum; // made per launch
    return true;
  default:
    return false;
  }
}

/// One operand, with everything that can fail on one rank alone done before a
/// group opens.
struct Plan {
  const Part *part;
  Wire wire;
  ncclRedOp_t op = ncclSum;
  bool ownsOp = false;
  char *gathered = nullptr; // operands of all members, for the kernel
};

class Issuer {
public:
  Issuer(Api &api, MemoryPool &pool, bool capturing, const Member &member,
         int64_t position, int64_t numMembers, Launch &launch,
         const std::function<Outcome()> &settle)
      : api(api), pool(pool), capturing(capturing), member(member),
        position(position), n(numMembers), launch(launch), settle(settle) {}

  Outcome run() {
    Outcome outcome;
    for (const Part &part : launch.parts) {
      if (part.count == 0)
        continue; // the same everywhere, and NCCL would drop it
      plans.push_back({&part, movedAs(part.dataType, part.count)});
      outcome = prepare(plans.back());
      if (outcome.failed())
        break;
    }
    if (!outcome.failed())
      outcome = communicate();
    for (size_t i = 0; i < plans.size() && !outcome.failed(); ++i)
      outcome = finish(plans[i]);
    // A call has copied what it needs of its operator.
    for (Plan &plan : plans)
      if (plan.ownsOp) {
        Outcome destroyed = api.destroyFactor(plan.op, member.handle);
        if (!outcome.failed())
          outcome = destroyed;
      }
    return outcome;
  }

private:
  bool reduces() const { return launch.reduction != DISTRT_NO_REDUCTION; }
  bool isRoot() const { return position == launch.root; }
  size_t bytesOf(const Part &part) const {
    return size_t(part.count * distrtDataTypeSize(part.dataType));
  }

  Outcome prepare(Plan &plan) {
    const Part &part = *plan.part;
    if (!reduces())
      return {};
    if (!reducedAs(part.dataType, launch.reduction, n, part.count, plan.wire,
                   plan.op)) {
      plan.wire = {ncclUint8, bytesOf(part)};
      void *buffer;
      Outcome outcome =
          pool.allocate(0, size_t(n) * bytesOf(part), capturing, buffer);
      if (outcome.failed())
        return outcome;
      launch.scratch.push_back(buffer);
      plan.gathered = static_cast<char *>(buffer);
      return {};
    }
    if (launch.reduction != DISTRT_PREMUL_SUM)
      return {};
    plan.ownsOp = true;
    Outcome outcome = api.createFactor(plan.op, part.factor, part.dataType,
                                       plan.wire.type, member.handle);
    plan.ownsOp = !outcome.failed();
    return outcome;
  }

  /// All calls of the launch as one unit. Once a group is open nothing of it is
  /// left out, and it is always ended.
  Outcome communicate() {
    bool grouped = numCalls() > 1;
    Outcome outcome;
    if (launch.kind == DISTRT_PERMUTE)
      outcome = copyToSelf();
    if (grouped && !outcome.failed())
      outcome = api.groupStart();
    if (outcome.failed())
      return outcome;
    for (const Plan &plan : plans) {
      Outcome issued = issue(plan);
      if (!outcome.failed())
        outcome = issued;
    }
    if (grouped) {
      Outcome ended = api.groupEnd();
      if (!outcome.failed())
        outcome = ended;
    }
    // Nothing else may be put on the stream while a call is in progress.
    return outcome.failed() || numCalls() == 0 ? outcome : settle();
  }

  size_t numCalls() const {
    if (launch.kind != DISTRT_PERMUTE)
      return plans.size();
    return plans.size() * ((source() >= 0) + (target() >= 0));
  }

  // permute: positions, without this one.
  int64_t source() const {
    int64_t from = launch.sources[size_t(position)];
    return from == position ? -1 : from;
  }
  int64_t target() const {
    for (int64_t i = 0; i < n; ++i)
      if (launch.sources[size_t(i)] == position && i != position)
        return i;
    return -1;
  }

  Outcome copyToSelf() {
    if (launch.sources[size_t(position)] != position)
      return {};
    for (const Plan &plan : plans) {
      const Part &part = *plan.part;
      if (part.send == part.receive)
        continue;
      Outcome outcome = api.copy(part.receive, part.send, bytesOf(part),
                                 CopyDirection::WithinDevice, member.stream);
      if (outcome.failed())
        return outcome;
    }
    return {};
  }

  Outcome issue(const Plan &plan) {
    const Part &part = *plan.part;
    const auto &[type, count] = plan.wire;
    ncclComm_t comm = member.handle;
    cudaStream_t stream = member.stream;
    switch (launch.kind) {
    case DISTRT_ALL_GATHER:
      return api.allGather(part.send, part.receive, count, type, comm, stream);
    case DISTRT_ALL_REDUCE:
      if (plan.gathered)
        return api.allGather(part.send, plan.gathered, count, type, comm,
                             stream);
      return api.allReduce(part.send, part.receive, count, type, plan.op, comm,
                           stream);
    case DISTRT_REDUCE_SCATTER:
      if (plan.gathered)
        return api.allToAll(part.send, plan.gathered, count, type, comm,
                            stream);
      return api.reduceScatter(part.send, part.receive, count, type, plan.op,
                               comm, stream);
    case DISTRT_BROADCAST:
      return api.broadcast(part.send, part.receive, count, type,
                           int(launch.root), comm, stream);
    case DISTRT_ALL_TO_ALL:
      return api.allToAll(part.send, part.receive, count, type, comm, stream);
    case DISTRT_REDUCE:
      if (plan.gathered)
        return api.gather(part.send, plan.gathered, count, type,
                          int(launch.root), comm, stream);
      return api.reduce(part.send, part.receive, count, type, plan.op,
                        int(launch.root), comm, stream);
    case DISTRT_PERMUTE:
      return exchange(plan);
    default:
      return {DISTRT_INTERNAL, "an unknown kind of collective"};
    }
  }

  Outcome exchange(const Plan &plan) {
    const auto &[type, count] = plan.wire;
    Outcome sent, received;
    if (target() >= 0)
      sent = api.send(plan.part->send, count, type, int(target()),
                      member.handle, member.stream);
    if (source() >= 0)
      received = api.receive(plan.part->receive, count, type, int(source()),
                             member.handle, member.stream);
    return sent.failed() ? sent : received;
  }

  /// What follows the calls on the stream.
  Outcome finish(const Plan &plan) {
    const Part &part = *plan.part;
    bool zeros =
        (launch.kind == DISTRT_REDUCE && !isRoot()) ||
        (launch.kind == DISTRT_PERMUTE && launch.sources[size_t(position)] < 0);
    if (zeros)
      return api.set(part.receive, 0, bytesOf(part), member.stream);
    if (!plan.gathered)
      return {};
    FoldArguments arguments(part.receive, plan.gathered, bytesOf(part), n,
                            part.dataType, launch.reduction);
    return api.launch(arguments.launch(), member.stream);
  }

  Api &api;
  MemoryPool &pool;
  const bool capturing;
  const Member &member;
  const int64_t position;
  const int64_t n;
  Launch &launch;
  const std::function<Outcome()> &settle;
  std::vector<Plan> plans;
};
} // namespace

Outcome dist::rt::issueLaunch(Api &api, MemoryPool &pool, bool capturing,
                              const Member &member, int64_t position,
                              int64_t numMembers, Launch &launch,
                              const std::function<Outcome()> &settle) {
  return Issuer(api, pool, capturing, member, position, numMembers, launch,
                settle)
      .run();
}
