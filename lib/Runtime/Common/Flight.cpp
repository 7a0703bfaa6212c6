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

using namespace dist::rt;

enum { kKind, kReduction, kRoot, kDim, kNumOperands, kFirstOperand };

std::string dist::rt::describeFingerprint(const Fingerprint &fingerprint,
                                          bool withDim, bool withRoot) {
  const std::vector<int64_t> &words = fingerprint.words;
  std::string text = distrtCollectiveName(int(words[kKind]));
  if (words[kReduction] != DISTRT_NO_REDUCTION)
    text += std::string(" ") + distrtReductionName(int(words[kReduction]));
  if (withDim && words[kDim] >= 0)
    text += " dim " + std::to_string(words[kDim]);
  if (withRoot && words[kRoot] >= 0)
    text += " root " + std::to_string(words[kRoot]);
  int64_t n = words[kNumOperands];
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
  return describe() + ": " + describeFingerprint(fingerprint, true, true);
}

bool Flight::aboutToMove() {
  if (!context->world->options.checked)
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
  if (context->world->options.checked)
    noteMoved(*this);
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

static std::string locationSuffix(const char *location) {
  return location[0] ? std::string(" at ") + location : std::string();
}

void distrtWorld::mismatch(const std::vector<int64_t> &members,
                           const std::string &tag, Launch *const *launches) {
  (void)tag;
  auto flightAt = [&](size_t i) { return static_cast<Flight *>(launches[i]); };
  bool dims = false, roots = false;
  const auto &first = launches[0]->fingerprint.words;
  for (size_t i = 1; i < members.size(); ++i) {
    const auto &words = launches[i]->fingerprint.words;
    if (words[kKind] != first[kKind])
      continue;
    dims |= words[kDim] != first[kDim];
    roots |= words[kRoot] != first[kRoot];
  }
  std::vector<std::pair<std::string, std::vector<int64_t>>> camps;
  for (size_t i = 0; i < members.size(); ++i) {
    Flight *flight = flightAt(i);
    std::string what = describeFingerprint(flight->fingerprint, dims, roots) +
                       locationSuffix(flight->location);
    size_t camp = 0;
    while (camp < camps.size() && camps[camp].first != what)
      ++camp;
    if (camp == camps.size())
      camps.push_back({what, {}});
    camps[camp].second.push_back(members[i]);
  }
  std::string text = flightAt(0)->describe() + ": ranks disagree: ";
  for (size_t i = 0; i < camps.size(); ++i) {
    if (i)
      text += ", ";
    text += formatRanks(camps[i].second) +
            (camps[i].second.size() == 1 ? " has " : " have ") + camps[i].first;
  }
  fail(members, DISTRT_MISMATCH, text);
}

void distrtWorld::timeout(Flight &waiting, const Expiry &expiry) {
  std::string text =
      (expiry.summary.empty() ? waiting.summary() : expiry.summary) +
      " did not complete within " + formatDuration(deadlineNs);
  if (expiry.missing.empty())
    text += ": all ranks joined";
  else
    text += ": missing " + formatRanks(expiry.missing);
  fail(waiting.group->communicator->members, DISTRT_TIMEOUT, text);
}
