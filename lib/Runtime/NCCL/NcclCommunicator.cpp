//===- NcclCommunicator.cpp - joining and starting ------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NCCL/NcclBackend.h"

#include "Common/Group.h"

#include <algorithm>
#include <cstring>
#include <mutex>

using namespace dist::rt;

//===----------------------------------------------------------------------===//
// What members say
//===----------------------------------------------------------------------===//

static std::string packStatement(const Launch &launch) {
  const std::vector<int64_t> &words = launch.fingerprint.words;
  std::string text(words.size() * sizeof(int64_t), '\0');
  memcpy(text.data(), words.data(), text.size());
  int64_t count = int64_t(words.size());
  std::string head(sizeof(count), '\0');
  memcpy(head.data(), &count, sizeof(count));
  return head + text + launch.where();
}

/// False for what no member of this version says.
static bool unpackStatement(const std::string &text, Statement &statement) {
  int64_t count = 0;
  if (text.size() < sizeof(count))
    return false;
  memcpy(&count, text.data(), sizeof(count));
  size_t room = text.size() - sizeof(count);
  if (count < 0 || size_t(count) > room / sizeof(int64_t))
    return false;
  statement.fingerprint.words.resize(size_t(count));
  memcpy(statement.fingerprint.words.data(), text.data() + sizeof(count),
         size_t(count) * sizeof(int64_t));
  statement.location =
      text.substr(sizeof(count) + size_t(count) * sizeof(int64_t));
  return true;
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

static std::string meetingName(const NcclCommunicator &communicator) {
  return format("%016llx", static_cast<unsigned long long>(communicator.id));
}

Outcome NcclDevice::meet(NcclCommunicator &communicator, int64_t position,
                         const Launch *first, std::string words,
                         std::vector<std::string> &all) {
  struct Answer {
    std::mutex mutex;
    std::vector<std::string> words;
    std::atomic<bool> there{false};
  };
  auto answer = std::make_shared<Answer>();
  LaunchOwner *wake = &owner;
  auto n = int64_t(communicator.members.size());
  std::string key = meetingName(communicator) + " join";
  backend.control->announce(
      key, n, position, std::move(words),
      [answer, wake](const std::vector<std::string> &said) {
        {
          std::lock_guard<std::mutex> lock(answer->mutex);
          answer->words = said;
        }
        answer->there.store(true);
        wake->parker.unpark();
      });
  int64_t untilNs = nowNs() + backend.deadlineNs;
  while (true) {
    uint32_t seen = owner.parker.prepare();
    bool there = answer->there.load();
    if (there || interrupted()) {
      owner.parker.finish();
      if (!there)
        return {DISTRT_ABORTED, "another rank of the world failed"};
      std::lock_guard<std::mutex> lock(answer->mutex);
      all = answer->words;
      return {};
    }
    if (nowNs() < untilNs) {
      owner.parker.park(seen, untilNs);
      continue;
    }
    Control::Arrivals arrivals = backend.control->arrivals(key, n);
    if (!arrivals.known)
      return {DISTRT_TIMEOUT, "the control channel does not answer"};
    // This rank is there: all missing means that the meeting is just over.
    if (arrivals.missing.empty() || int64_t(arrivals.missing.size()) == n)
      continue;
    if (arrivals.lastNs + backend.deadlineNs > nowNs()) {
      untilNs = arrivals.lastNs + backend.deadlineNs;
      continue;
    }
    std::vector<int64_t> missing;
    for (int64_t other : arrivals.missing)
      missing.push_back(communicator.members[size_t(other)]);
    std::string within = " within " + formatDuration(backend.deadlineNs) +
                         ": missing " + formatRanks(missing);
    std::string text =
        first ? first->summary() + " did not complete" + within
              : "the communicator of group " +
                    groupText(communicator.members, communicator.tag) +
                    " was not made" + within;
    backend.sink->fail(communicator.members, DISTRT_TIMEOUT, text);
    return {DISTRT_ABORTED, "another rank of the world failed"};
  }
}

Outcome NcclDevice::settle(ncclComm_t handle, const char *what) {
  int64_t untilNs = nowNs() + backend.deadlineNs;
  int64_t naps = 0;
  while (true) {
    ncclResult_t state = api.asyncError(handle);
    if (state != ncclInProgress)
      return api.check(state, what, handle);
    if (interrupted())
      return {DISTRT_ABORTED, "another rank of the world failed"};
    if (nowNs() >= untilNs)
      return {DISTRT_TIMEOUT, std::string(what) + " did not end within " +
                                  formatDuration(backend.deadlineNs)};
    pause(naps);
  }
}

Outcome NcclDevice::makeCommunicator(NcclCommunicator &communicator,
                                     int64_t position,
                                     const std::vector<std::string> &words) {
  Member &side = communicator.sides[size_t(position)];
  ncclUniqueId id;
  memcpy(&id, words[0].data() + sizeof(int32_t), sizeof(id));
  std::string name = groupText(communicator.members, communicator.tag);
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  config.commName = name.c_str();
  Outcome outcome = api.initComm(side.handle, int(communicator.members.size()),
                                 id, int(position), config);
  if (outcome.failed())
    return outcome;
  outcome = settle(side.handle, "ncclCommInitRankConfig");
  if (outcome.failed()) {
    api.abortComm(side.handle);
    side.handle = nullptr;
  }
  return outcome;
}

Outcome NcclDevice::join(NcclCommunicator &communicator, int64_t position,
                         const Launch *first) {
  Member &side = communicator.sides[size_t(position)];
  if (side.joined)
    return {};
  if (isCapturing())
    return {DISTRT_UNSUPPORTED,
            "the communicator of group " +
                groupText(communicator.members, communicator.tag) +
                " cannot be made while a graph is captured: prepare it before"};
  // Its capability, whether it has a communicator already, and of the first
  // member the unique id.
  int32_t own = capability | (side.adopted ? 1 << 16 : 0);
  std::string words(reinterpret_cast<const char *>(&own), sizeof(own));
  Outcome outcome;
  if (position == 0 && !side.adopted) {
    ncclUniqueId id;
    outcome = api.createId(id);
    if (outcome.failed())
      return outcome;
    words.append(reinterpret_cast<const char *>(&id), sizeof(id));
  }
  std::vector<std::string> all;
  outcome = meet(communicator, position, first, std::move(words), all);
  if (outcome.failed())
    return outcome;
  side.capability = capability;
  for (size_t i = 0; i < all.size(); ++i) {
    int32_t other = 0;
    memcpy(&other, all[i].data(), std::min(all[i].size(), sizeof(other)));
    side.capability = std::min(side.capability, int(other & 0xffff));
    if (bool(other >> 16) != side.adopted)
      return {
          DISTRT_INVALID_ARGUMENT,
          "a communicator for group " +
              groupText(communicator.members, communicator.tag) +
              " was handed in on some of its ranks only, not on " +
              formatRanks(
                  {communicator.members[side.adopted ? i : size_t(position)]})};
  }
  if (!side.adopted) {
    if (all[0].size() != sizeof(own) + sizeof(ncclUniqueId))
      return {DISTRT_INTERNAL, "the unique id of a communicator is not whole"};
    outcome = makeCommunicator(communicator, position, all);
    if (outcome.failed())
      return outcome;
  }
  outcome = api.createStream(side.stream);
  if (outcome.failed()) {
    if (!side.adopted)
      api.abortComm(side.handle);
    return outcome;
  }
  ownedStreams.push_back(side.stream);
  side.joined = true;
  joined.push_back(&side);
  return {};
}

Outcome NcclDevice::adopt(NcclCommunicator &communicator, int64_t position,
                          void *handle) {
  Member &side = communicator.sides[size_t(position)];
  std::string name = groupText(communicator.members, communicator.tag);
  if (side.joined || side.adopted)
    return {DISTRT_INVALID_ARGUMENT,
            "group " + name + " has a communicator already"};
  auto given = static_cast<ncclComm_t>(handle);
  const Table &table = api.functions();
  int size = 0, rank = 0;
  Outcome outcome =
      api.check(table.ncclCommCount(given, &size), "ncclCommCount", given);
  if (!outcome.failed())
    outcome = api.check(table.ncclCommUserRank(given, &rank),
                        "ncclCommUserRank", given);
  if (outcome.failed())
    return outcome;
  if (size != int(communicator.members.size()) || rank != int(position))
    return {DISTRT_INVALID_ARGUMENT,
            format("the communicator has rank %d of %d, but group %s has "
                   "position %lld of %zu here",
                   rank, size, name.c_str(), static_cast<long long>(position),
                   communicator.members.size())};
  api.adoptComm(given);
  side.handle = given;
  side.adopted = true;
  return {};
}

//===----------------------------------------------------------------------===//
// Starting
//===----------------------------------------------------------------------===//

void NcclDevice::forgetConfirmed() {
  while (!pending.empty() && pending.front().confirmed->load())
    pending.pop_front();
}

Outcome NcclDevice::announce(NcclCommunicator &communicator, int64_t position,
                             Launch &launch) {
  forgetConfirmed();
  Pending entry;
  entry.confirmed = std::make_shared<std::atomic<bool>>(false);
  entry.launch = &launch;
  entry.communicator = &communicator;
  entry.key = meetingName(communicator) + " " + std::to_string(launch.sequence);
  entry.summary = launch.summary();
  pending.push_back(entry);
  if (launch.joinDelayNs < 0)
    return {};
  for (int64_t untilNs = nowNs() + launch.joinDelayNs; nowNs() < untilNs;) {
    uint32_t seen = owner.parker.prepare();
    if (interrupted())
      break;
    owner.parker.park(seen, untilNs);
  }
  owner.parker.finish();
  NcclCommunicator *group = &communicator;
  ErrorSink *sink = backend.sink;
  LaunchOwner *wake = &owner;
  int64_t sequence = launch.sequence;
  auto confirmed = entry.confirmed;
  pending.back().announced = true;
  backend.control->announce(
      entry.key, int64_t(communicator.members.size()), position,
      packStatement(launch), [=](const std::vector<std::string> &said) {
        std::vector<Statement> statements(said.size());
        bool agree = true;
        for (size_t i = 0; i < said.size(); ++i)
          agree &= unpackStatement(said[i], statements[i]) &&
                   statements[i].fingerprint.words ==
                       statements[0].fingerprint.words;
        if (agree)
          confirmed->store(true);
        else
          sink->mismatch(group->members, group->tag, sequence, statements);
        wake->parker.unpark();
      });
  if (interrupted())
    return {DISTRT_ABORTED, "another rank of the world failed"};
  if (!backend.checked)
    return {};
  // Checked mode: nothing is issued before all members agree.
  pending.back().waited = true;
  int64_t untilNs = nowNs() + backend.deadlineNs;
  return awaitConfirmations(untilNs);
}

Outcome NcclDevice::start(NcclCommunicator &communicator, int64_t position,
                          Launch &launch) {
  const Member &side = communicator.sides[size_t(position)];
  if (side.capability < 90)
    for (const Part &part : launch.parts)
      if (launch.reduction != DISTRT_NO_REDUCTION &&
          (part.dataType == DISTRT_F8E4M3FN || part.dataType == DISTRT_F8E5M2))
        return {DISTRT_UNSUPPORTED,
                format("NCCL reduces %s on devices of compute capability 9.0 "
                       "and higher only; the group has one of %d.%d",
                       distrtDataTypeName(part.dataType), side.capability / 10,
                       side.capability % 10)};
  Outcome outcome = announce(communicator, position, launch);
  if (outcome.failed() || launch.joinDelayNs < 0)
    return outcome;
  outcome = issueOrdered(communicator, position, launch);
  if (!outcome.failed())
    return outcome;
  // When ranks disagree, a library may find something wrong before all of them
  // have said what they do; what they say is the better text.
  pending.back().waited = true;
  int64_t untilNs = nowNs() + backend.deadlineNs;
  Outcome confirmed = awaitConfirmations(untilNs);
  return interrupted() ? confirmed : outcome;
}

Outcome NcclDevice::issueOrdered(NcclCommunicator &communicator,
                                 int64_t position, Launch &launch) {
  const Member &side = communicator.sides[size_t(position)];
  Outcome outcome = orderBehind(side.stream, compute);
  if (outcome.failed())
    return outcome;
  Timed times = {nullptr, nullptr, {}};
  outcome = mark(side.stream, times.begin);
  for (size_t i = 0; i < launch.before.size() && !outcome.failed(); ++i)
    outcome = copyOn(side.stream, launch.before[i]);
  if (!outcome.failed())
    outcome = issueLaunch(api, pool, isCapturing(), side, position,
                          int64_t(communicator.members.size()), launch,
                          [&] { return settle(side.handle, "a collective"); });
  for (size_t i = 0; i < launch.after.size() && !outcome.failed(); ++i)
    outcome = copyOn(side.stream, launch.after[i]);
  if (!outcome.failed())
    outcome = mark(side.stream, times.end);
  cudaEvent_t event = nullptr;
  if (!outcome.failed())
    outcome = takeEvent(event);
  if (outcome.failed())
    return outcome;
  launch.event = event;
  if (times.begin) {
    times.record = launch.flightRecorder();
    timed.push_back(std::move(times));
  }
  return api.record(event, side.stream);
}
