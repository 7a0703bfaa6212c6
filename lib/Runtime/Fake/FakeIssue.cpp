//===- FakeIssue.cpp - rules of launches across ranks ---------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fake/FakeMachine.h"

#include <algorithm>

using namespace dist::rt;
using namespace dist::rt::fake;

static std::string opText(const CollectiveOp &op) {
  std::string text =
      format("%s of %zu %s", op.call, op.count, ncclTypeName(op.type));
  if (op.root >= 0)
    text += " root " + std::to_string(op.root);
  return text;
}

/// Whether the ops of a launch read or write what they may.
static std::string checkBuffers(Machine &machine, const Comm &comm,
                                Stream &stream,
                                const std::vector<CollectiveOp> &ops) {
  std::vector<Access> accesses;
  for (const CollectiveOp &op : ops) {
    size_t bytes = op.count * sizeOf(op.type);
    auto n = size_t(comm.numRanks);
    bool scatters =
        op.kind == DISTRT_REDUCE_SCATTER || op.kind == DISTRT_ALL_TO_ALL;
    bool gathers = op.kind == DISTRT_ALL_GATHER ||
                   op.kind == DISTRT_ALL_TO_ALL || op.kind == kGather;
    bool atRoot = op.root < 0 || op.root == comm.rank;
    bool reads = op.kind == kPointToPoint      ? op.isSend
                 : op.kind == DISTRT_BROADCAST ? atRoot
                                               : true;
    bool writes = op.kind == kPointToPoint                         ? !op.isSend
                  : op.kind == DISTRT_REDUCE || op.kind == kGather ? atRoot
                                                                   : true;
    View send = bytesView(op.send, scatters ? n * bytes : bytes);
    View receive = bytesView(op.receive, gathers ? n * bytes : bytes);
    for (bool write : {false, true}) {
      if (!(write ? writes : reads))
        continue;
      const View &view = write ? receive : send;
      std::string text =
          machine.checkMemory(comm.device, view, /*padding=*/write ? 0 : 16);
      if (!text.empty())
        return std::string(write ? "the receive buffer: "
                                 : "the send buffer: ") +
               text;
      accesses.push_back({view, write, 0, 0, op.call});
    }
    if (!reads || !writes || op.kind == kPointToPoint)
      continue;
    // In place is a rule about pointers; every other overlap is undefined.
    auto *from = static_cast<const char *>(op.send);
    auto *to = static_cast<const char *>(op.receive);
    auto rank = size_t(comm.rank);
    bool inPlace = op.kind == DISTRT_ALL_GATHER || op.kind == kGather
                       ? from == to + rank * bytes
                   : op.kind == DISTRT_REDUCE_SCATTER
                       ? to == from + rank * bytes
                   : op.kind == DISTRT_ALL_TO_ALL ? false
                                                  : from == to;
    if (!inPlace && overlaps(send, receive))
      return "the buffers overlap without being in place";
  }
  return machine.access(stream, std::move(accesses));
}

std::string Machine::checkOrder(const Comm &comm, int64_t launch) {
  for (Comm *other : comm.clique->comms) {
    if (!other || other->device == comm.device)
      continue;
    int a = std::min(comm.device, other->device);
    int b = std::max(comm.device, other->device);
    SharedOrder &order = sharedOrders[{a, b}];
    int64_t &mine = order.issued[comm.device == b];
    int64_t at = mine++ - order.first;
    std::pair<Clique *, int64_t> entry = {comm.clique, launch};
    if (at == int64_t(order.launches.size())) {
      order.launches.push_back(entry);
      continue;
    }
    const auto &[expected, number] = order.launches[size_t(at)];
    if (order.launches[size_t(at)] != entry)
      return format("ranks issue in different orders, which can block both: "
                    "here launch %lld of communicator %d, on rank %d launch "
                    "%lld of communicator %d comes first",
                    static_cast<long long>(launch), comm.clique->number,
                    other->device, static_cast<long long>(number),
                    expected->number);
    while (!order.launches.empty() &&
           order.first < std::min(order.issued[0], order.issued[1])) {
      order.launches.pop_front();
      ++order.first;
    }
  }
  return "";
}

std::string Machine::checkAgreement(const Comm &comm, const Round &round) {
  const Round::Side &mine = round.sides[size_t(comm.rank)];
  for (size_t i = 0; i < round.sides.size(); ++i) {
    const Round::Side &other = round.sides[i];
    if (!other.issued || &other == &mine)
      continue;
    std::string who = "rank " + std::to_string(i) + " of the communicator";
    if (other.ops.size() != mine.ops.size())
      return format("%zu collectives in one group, but %zu on %s",
                    mine.ops.size(), other.ops.size(), who.c_str());
    for (size_t k = 0; k < mine.ops.size(); ++k) {
      const CollectiveOp &a = mine.ops[k], &b = other.ops[k];
      bool sameOp = a.op == b.op || (a.op >= ncclNumOps && b.op >= ncclNumOps);
      if (a.kind != b.kind || a.count != b.count || a.type != b.type ||
          a.root != b.root || !sameOp)
        return opText(a) + (sameOp ? "" : " with another reduction") +
               " does not match " + opText(b) + " on " + who;
    }
  }
  return "";
}

std::string Machine::issueRound(Comm &comm, Stream &stream,
                                const std::vector<CollectiveOp> &ops) {
  Clique &clique = *comm.clique;
  int64_t number = comm.numLaunches++;
  std::shared_ptr<Round> &slot = clique.rounds[number];
  if (!slot) {
    slot = std::make_shared<Round>();
    slot->number = number;
    slot->sides.resize(size_t(comm.numRanks));
  }
  std::shared_ptr<Round> round = slot;
  Round::Side &side = round->sides[size_t(comm.rank)];
  side.issued = true;
  side.ops = ops;
  side.stream = &stream;
  if (++round->numIssued == comm.numRanks)
    clique.rounds.erase(number);
  std::string text = checkAgreement(comm, *round);
  if (text.empty())
    text = checkOrder(comm, number);
  if (!text.empty())
    return text;
  Task task;
  task.kind = Task::Collective;
  task.round = round;
  task.side = comm.rank;
  task.clique = &clique;
  enqueue(stream, std::move(task));
  return "";
}

std::string Machine::issueMessages(Comm &comm, Stream &stream,
                                   const std::vector<CollectiveOp> &ops) {
  Clique &clique = *comm.clique;
  Task task;
  task.kind = Task::Messages;
  task.clique = &clique;
  for (const CollectiveOp &op : ops) {
    if (op.peer < 0 || op.peer >= comm.numRanks)
      return format("%s with rank %d of a communicator of %d", op.call, op.peer,
                    comm.numRanks);
    auto pair = op.isSend ? std::make_pair(comm.rank, op.peer)
                          : std::make_pair(op.peer, comm.rank);
    Clique::Channel &channel = clique.channels[pair];
    int64_t at = (op.isSend ? channel.numSends++ : channel.numReceives++) -
                 channel.first;
    if (at == int64_t(channel.messages.size()))
      channel.messages.push_back(std::make_shared<Message>());
    std::shared_ptr<Message> message = channel.messages[size_t(at)];
    (op.isSend ? message->send : message->receive) = op;
    (op.isSend ? message->sendIssued : message->receiveIssued) = true;
    const CollectiveOp &send = message->send, &receive = message->receive;
    if (message->sendIssued && message->receiveIssued &&
        (send.count != receive.count || send.type != receive.type))
      return opText(op) + " does not match " +
             opText(op.isSend ? receive : send) + " on rank " +
             std::to_string(op.peer) + " of the communicator";
    task.messages.emplace_back(std::move(message), op.isSend);
    while (channel.first < std::min(channel.numSends, channel.numReceives)) {
      channel.messages.pop_front();
      ++channel.first;
    }
  }
  enqueue(stream, std::move(task));
  return "";
}

std::string Machine::issue(Comm &comm, Stream &stream,
                           const std::vector<CollectiveOp> &ops) {
  tick(stream);
  std::string text = checkBuffers(*this, comm, stream, ops);
  if (!text.empty())
    return text;
  std::vector<CollectiveOp> collectives, messages;
  for (const CollectiveOp &op : ops)
    (op.kind == kPointToPoint ? messages : collectives).push_back(op);
  if (!collectives.empty())
    text = issueRound(comm, stream, collectives);
  if (text.empty() && !messages.empty())
    text = issueMessages(comm, stream, messages);
  return text;
}
