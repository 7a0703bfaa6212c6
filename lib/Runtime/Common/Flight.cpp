//===- Flight.cpp - one rank's side of one collective ---------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common/Flight.h"

#include "Common/Checked.h"
#include "Common/World.h"

#include <algorithm>
#include <cstring>

using namespace dist::rt;

enum {
  kKind,
  kReduction,
  kRoot,
  kDim,
  kConcatDim,
  kNumOperands,
  kFirstOperand
};

bool Flight::sends() const {
  switch (kind) {
  case DISTRT_BROADCAST:
    return position == root;
  case DISTRT_PERMUTE:
    return position >= 0 &&
           std::find(sources.begin(), sources.end(), position) != sources.end();
  default:
    return true;
  }
}

bool Flight::sendsToAnother() const {
  return kind == DISTRT_PERMUTE && sends() &&
         sources[size_t(position)] != position;
}

void dist::rt::makeFingerprint(Flight &flight) {
  std::vector<int64_t> &words = flight.fingerprint.words;
  bool hasDim = flight.scatters() || flight.gathers();
  bool hasConcatDim = flight.kind == DISTRT_ALL_TO_ALL;
  words.clear();
  words.push_back(flight.kind);
  words.push_back(flight.reduces() ? flight.reduction : DISTRT_NO_REDUCTION);
  words.push_back(flight.hasRoot() ? flight.root : -1);
  words.push_back(hasDim ? flight.dim : -1);
  words.push_back(hasConcatDim ? flight.concatDim : -1);
  words.push_back(flight.numOperands());
  for (const OperandState &operand : flight.operands) {
    words.push_back(operand.dataType);
    words.push_back(operand.source.count());
  }
  if (flight.kind == DISTRT_PERMUTE)
    words.insert(words.end(), flight.sources.begin(), flight.sources.end());
}

/// " pairs [0, 1], [1, 2]", by target.
static std::string describePairs(const int64_t *sources, int64_t numSources) {
  const int limit = 16;
  std::string text = " pairs";
  int shown = 0;
  for (int64_t target = 0; target < numSources; ++target) {
    if (sources[target] < 0)
      continue;
    if (shown == limit)
      return text + ", ...";
    text += format("%s [%lld, %lld]", shown++ ? "," : "",
                   static_cast<long long>(sources[target]),
                   static_cast<long long>(target));
  }
  return shown ? text : " without pairs";
}

std::string dist::rt::describeFingerprint(const Fingerprint &fingerprint,
                                          FingerprintFields shown) {
  const std::vector<int64_t> &words = fingerprint.words;
  std::string text = distrtCollectiveName(int(words[kKind]));
  if (words[kReduction] != DISTRT_NO_REDUCTION)
    text += std::string(" ") + distrtReductionName(int(words[kReduction]));
  if (shown.dims && words[kDim] >= 0)
    text += " dim " + std::to_string(words[kDim]);
  if (shown.dims && words[kConcatDim] >= 0)
    text += " concat dim " + std::to_string(words[kConcatDim]);
  if (shown.root && words[kRoot] >= 0)
    text += " root " + std::to_string(words[kRoot]);
  int64_t n = words[kNumOperands];
  auto firstSource = size_t(kFirstOperand + 2 * n);
  if (shown.pairs && words[kKind] == DISTRT_PERMUTE)
    text += describePairs(words.data() + firstSource,
                          int64_t(words.size() - firstSource));
  if (n > 1)
    text += " of " + std::to_string(n) + " operands:";
  for (int64_t i = 0; i < n; ++i) {
    if (i == 8) {
      text += ", ...";
      break;
    }
    int64_t count = words[size_t(kFirstOperand + 2 * i + 1)];
    text +=
        format("%s %s [%lld element%s]", i ? "," : "",
               distrtDataTypeName(int(words[size_t(kFirstOperand + 2 * i)])),
               static_cast<long long>(count), count == 1 ? "" : "s");
  }
  return text;
}

int64_t dist::rt::findDisagreement(Launch *const *launches,
                                   int64_t numLaunches) {
  for (int64_t i = 1; i < numLaunches; ++i)
    if (launches[i]->fingerprint.words != launches[0]->fingerprint.words)
      return i;
  return -1;
}

std::string Flight::describe() const {
  std::string text = format("%s #%lld on group ", distrtCollectiveName(kind),
                            static_cast<long long>(sequence)) +
                     (group ? group->text : groupText);
  if (location[0])
    text += std::string(" at ") + location;
  return text;
}

std::string Flight::summary() const {
  return describe() + ": " + describeFingerprint(fingerprint, {});
}

std::function<void(int64_t, int64_t)> Flight::flightRecorder() const {
  distrtContext *rank = context;
  int32_t what = kind;
  int64_t number = sequence, bytes = payload;
  const std::string *text = &group->text;
  std::string place = location;
  return [=](int64_t beginNs, int64_t endNs) {
    rank->addEvent(DISTRT_EVENT_FLIGHT, what, number, bytes, *text, beginNs,
                   endNs, place.c_str());
  };
}

std::vector<Statement> dist::rt::statementsOf(Launch *const *launches,
                                              int64_t numLaunches) {
  std::vector<Statement> statements;
  for (int64_t i = 0; i < numLaunches; ++i)
    statements.push_back({launches[i]->fingerprint, launches[i]->where()});
  return statements;
}

bool Flight::aboutToMove() {
  if (!context->world->checksMemory())
    return true;
  std::string text;
  if (verifyBeforeMove(*this, text))
    return true;
  context->world->fail({context->rank}, DISTRT_RACE,
                       "rank " + std::to_string(context->rank) + ": " +
                           describe() + ": " + text);
  return false;
}

void Flight::complete() {
  if (context->world->checksMemory())
    noteMoved(*this);
  for (void *buffer : scratch)
    context->world->backend->release(context->rank, buffer);
  scratch.clear();
  for (OperandState &operand : operands) {
    distrtContext &rank = *context;
    if (operand.sendStaging)
      rank.world->backend->release(rank.rank, operand.sendStaging);
    if (operand.receiveStaging)
      rank.world->backend->release(rank.rank, operand.receiveStaging);
    operand.sendStaging = operand.receiveStaging = nullptr;
    if (operand.ownedSource) {
      void *source = operand.ownedSource;
      operand.ownedSource = nullptr;
      rank.world->backend->release(rank.rank, source);
    }
  }
  endNs = nowNs();
  LaunchOwner *wake = owner;
  done.store(true, std::memory_order_seq_cst);
  wake->parker.unpark();
}

void dist::rt::releaseFlightMemory(Flight &flight, bool moved) {
  Backend &backend = *flight.context->world->backend;
  int64_t rank = flight.context->rank;
  for (void *buffer : flight.scratch)
    backend.release(rank, buffer);
  flight.scratch.clear();
  for (OperandState &operand : flight.operands) {
    if (!moved) {
      backend.release(rank, operand.sendStaging);
      backend.release(rank, operand.receiveStaging);
      backend.release(rank, operand.ownedSource);
      operand.sendStaging = operand.receiveStaging = operand.ownedSource =
          nullptr;
    }
    if (operand.ownsDestination)
      backend.release(rank, operand.destination.allocated);
    operand.ownsDestination = false;
  }
}

void distrtWorld::mismatch(const std::vector<int64_t> &members,
                           const std::string &tag, int64_t sequence,
                           const std::vector<Statement> &statements) {
  FingerprintFields shown = {false, false, false};
  const auto &first = statements[0].fingerprint.words;
  for (size_t i = 1; i < members.size(); ++i) {
    const auto &words = statements[i].fingerprint.words;
    if (words[kKind] != first[kKind])
      continue;
    shown.dims |=
        words[kDim] != first[kDim] || words[kConcatDim] != first[kConcatDim];
    shown.root |= words[kRoot] != first[kRoot];
    shown.pairs |=
        words[kKind] == DISTRT_PERMUTE &&
        !std::equal(words.begin() + kFirstOperand + 2 * words[kNumOperands],
                    words.end(),
                    first.begin() + kFirstOperand + 2 * first[kNumOperands],
                    first.end());
  }
  // By fingerprint and location, not by text, which may leave something out.
  struct Camp {
    const Statement *said;
    std::vector<int64_t> members;
  };
  std::vector<Camp> camps;
  for (size_t i = 0; i < members.size(); ++i) {
    const Statement &said = statements[i];
    size_t camp = 0;
    while (camp < camps.size() &&
           (camps[camp].said->fingerprint.words != said.fingerprint.words ||
            camps[camp].said->location != said.location))
      ++camp;
    if (camp == camps.size())
      camps.push_back({&said, {}});
    camps[camp].members.push_back(members[i]);
  }
  // Which collective this is, is what the ranks do not agree on.
  std::string text =
      format("collective #%lld on group ", static_cast<long long>(sequence)) +
      groupText(members, tag) + ": ranks disagree: ";
  for (size_t i = 0; i < camps.size(); ++i) {
    if (i)
      text += ", ";
    text += formatRanks(camps[i].members) +
            (camps[i].members.size() == 1 ? " has " : " have ") +
            describeFingerprint(camps[i].said->fingerprint, shown);
    if (!camps[i].said->location.empty())
      text += " at " + camps[i].said->location;
  }
  fail(members, DISTRT_MISMATCH, text);
}

void distrtWorld::timeout(Flight &waiting, const Expiry &expiry) {
  std::string text =
      (expiry.summary.empty() ? waiting.summary() : expiry.summary) +
      " did not complete within " + formatDuration(deadlineNs);
  bool hasLink = options.linkDelayNs > 0 || options.linkBytesPerNs > 0;
  if (expiry.missing.empty() && hasLink) {
    text += ": all ranks joined, the link has a delay of " +
            formatDuration(options.linkDelayNs);
    if (options.linkBytesPerNs > 0)
      text +=
          format(" and takes %g bytes per nanosecond", options.linkBytesPerNs);
  } else if (expiry.missing.empty())
    text += ": all ranks joined";
  else
    text += ": missing " + formatRanks(expiry.missing);
  fail(waiting.group->communicator->members, DISTRT_TIMEOUT, text);
}
