//===- Group.cpp - process groups -----------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common/Group.h"

#include <cstring>

using namespace dist::rt;

std::string dist::rt::groupText(const std::vector<int64_t> &members,
                                const std::string &tag) {
  std::string text = formatList(members);
  if (!tag.empty())
    text += " tag \"" + oneLine(tag.c_str()) + "\"";
  return text;
}

static std::string tableText(const std::vector<int64_t> &ranks,
                             int64_t groupSize, const std::string &tag) {
  std::string text;
  for (size_t i = 0; i < ranks.size(); i += size_t(groupSize)) {
    std::vector<int64_t> row(ranks.begin() + long(i),
                             ranks.begin() + long(i) + groupSize);
    text += (text.empty() ? "" : ", ") + formatList(row);
  }
  if (ranks.size() > size_t(groupSize))
    text = "[" + text + "]";
  if (!tag.empty())
    text += " tag \"" + oneLine(tag.c_str()) + "\"";
  return text;
}

int GroupTable::checkTable(const std::string &what, const int64_t *ranks,
                           int64_t numGroups, int64_t groupSize,
                           std::string &message) const {
  if (numGroups < 1 || groupSize < 1 || !ranks) {
    message = what + " has no members: " + std::to_string(numGroups) +
              " lists of " + std::to_string(groupSize) + " ranks";
    return DISTRT_INVALID_ARGUMENT;
  }
  if (numGroups > worldSize || groupSize > worldSize ||
      numGroups * groupSize > worldSize) {
    message = what + " has " + std::to_string(numGroups) + " lists of " +
              std::to_string(groupSize) + " ranks, more than the world of " +
              std::to_string(worldSize);
    return DISTRT_INVALID_ARGUMENT;
  }
  std::vector<bool> seen(static_cast<size_t>(worldSize));
  for (int64_t i = 0; i < numGroups * groupSize; ++i) {
    if (ranks[i] < 0 || ranks[i] >= worldSize) {
      message = what + " names rank " + std::to_string(ranks[i]) +
                ", which is out of range for a world of " +
                std::to_string(worldSize);
      return DISTRT_INVALID_ARGUMENT;
    }
    if (seen[size_t(ranks[i])]) {
      message = what + " has the duplicate rank " + std::to_string(ranks[i]);
      return DISTRT_INVALID_ARGUMENT;
    }
    seen[size_t(ranks[i])] = true;
  }
  return DISTRT_OK;
}

static std::string quotedName(const char *name) {
  if (!name || !*name)
    return "group";
  // A table's name is the table itself.
  return (*name == '[' ? "group " : "group @") + oneLine(name);
}

int GroupTable::bind(const char *name, const int64_t *ranks, int64_t numGroups,
                     int64_t groupSize, std::string &message) {
  if (!name || !*name) {
    message = "a process group needs a name to be bound";
    return DISTRT_INVALID_ARGUMENT;
  }
  if (int status =
          checkTable(quotedName(name), ranks, numGroups, groupSize, message))
    return status;
  std::lock_guard<std::mutex> lock(mutex);
  Binding &binding = bindings[name];
  binding.ranks.assign(ranks, ranks + numGroups * groupSize);
  binding.numGroups = numGroups;
  binding.groupSize = groupSize;
  bindGeneration.fetch_add(1, std::memory_order_release);
  return DISTRT_OK;
}

GroupState *GroupTable::intern(std::vector<int64_t> members,
                               const std::string &tag) {
  std::lock_guard<std::mutex> lock(mutex);
  auto key = std::make_pair(std::move(members), tag);
  std::unique_ptr<GroupState> &state = states[key];
  if (!state) {
    state = std::make_unique<GroupState>();
    state->text = groupText(key.first, tag);
    state->sequences.resize(key.first.size());
    // FNV-1a over the identity: the same number on every member.
    uint64_t id = 1469598103934665603u;
    for (char c : state->text)
      id = (id ^ static_cast<unsigned char>(c)) * 1099511628211u;
    state->communicator = backend->createCommunicator(key.first, tag, id);
    if (aborted)
      backend->abort(*state->communicator);
  }
  return state.get();
}

void GroupTable::abortAll() {
  std::lock_guard<std::mutex> lock(mutex);
  aborted = true;
  for (auto &entry : states)
    if (entry.second->communicator)
      backend->abort(*entry.second->communicator);
}

int GroupTable::resolve(const distrtGroupDesc &desc, int64_t rank,
                        ResolvedGroup &result, std::string &message) {
  std::string what = quotedName(desc.name);
  if (desc.structSize < sizeof(distrtGroupDesc)) {
    message = what + " has a descriptor of " + std::to_string(desc.structSize) +
              " bytes, at least " + std::to_string(sizeof(distrtGroupDesc)) +
              " are needed";
    return DISTRT_INVALID_ARGUMENT;
  }
  result.desc = desc;
  result.name = desc.name ? desc.name : "";
  result.tag = desc.tag ? desc.tag : "";
  result.bindGeneration = generation();
  int64_t numGroups = desc.numGroups, groupSize = desc.groupSize;
  if (desc.kind == DISTRT_GROUP_NAMED) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = bindings.find(result.name);
    if (found == bindings.end()) {
      message = what + " is not bound to any ranks";
      return DISTRT_UNBOUND_GROUP;
    }
    const Binding &binding = found->second;
    if (groupSize > 0 && groupSize != binding.groupSize) {
      message = what + " is declared with " + std::to_string(groupSize) +
                " members but bound to lists of " +
                std::to_string(binding.groupSize);
      return DISTRT_INVALID_ARGUMENT;
    }
    result.ranks = binding.ranks;
    numGroups = binding.numGroups;
    groupSize = binding.groupSize;
  } else if (desc.kind == DISTRT_GROUP_TABLE) {
    if (int status =
            checkTable(what, desc.ranks, numGroups, groupSize, message))
      return status;
    result.ranks.assign(desc.ranks, desc.ranks + numGroups * groupSize);
  } else {
    message = what + " has the unknown kind " + std::to_string(desc.kind);
    return DISTRT_INVALID_ARGUMENT;
  }
  if (desc.worldSize != 0 && desc.worldSize != worldSize) {
    message = what + " is made for a world of " +
              std::to_string(desc.worldSize) + " ranks, but this one has " +
              std::to_string(worldSize);
    return DISTRT_INVALID_ARGUMENT;
  }
  result.size = groupSize;
  for (int64_t i = 0; i < numGroups * groupSize; ++i) {
    if (result.ranks[size_t(i)] != rank)
      continue;
    auto first = result.ranks.begin() + i / groupSize * groupSize;
    result.position = i % groupSize;
    result.state = intern({first, first + groupSize}, result.tag);
    result.text = result.state->text;
    return DISTRT_OK;
  }
  result.text = tableText(result.ranks, groupSize, result.tag);
  return DISTRT_OK;
}

bool GroupCache::matches(const ResolvedGroup &entry,
                         const distrtGroupDesc &desc, int64_t generation) {
  const distrtGroupDesc &old = entry.desc;
  if (old.structSize != desc.structSize || old.kind != desc.kind ||
      old.numGroups != desc.numGroups || old.groupSize != desc.groupSize ||
      old.worldSize != desc.worldSize ||
      strcmp(entry.tag.c_str(), desc.tag ? desc.tag : "") != 0 ||
      strcmp(entry.name.c_str(), desc.name ? desc.name : "") != 0)
    return false;
  if (desc.kind == DISTRT_GROUP_NAMED)
    return entry.bindGeneration == generation;
  return desc.ranks && memcmp(entry.ranks.data(), desc.ranks,
                              entry.ranks.size() * sizeof(int64_t)) == 0;
}

ResolvedGroup *GroupCache::lookup(GroupTable &table,
                                  const distrtGroupDesc *desc, int64_t rank,
                                  int &status, std::string &message) {
  status = DISTRT_OK;
  int64_t generation = table.generation();
  if (desc == lastKey && matches(*lastEntry, *desc, generation))
    return lastEntry;
  std::unique_ptr<ResolvedGroup> &slot = entries[desc];
  if (!slot || !matches(*slot, *desc, generation)) {
    auto fresh = std::make_unique<ResolvedGroup>();
    lastKey = nullptr;
    status = table.resolve(*desc, rank, *fresh, message);
    if (status != DISTRT_OK) {
      entries.erase(desc);
      return nullptr;
    }
    slot = std::move(fresh);
  }
  lastKey = desc;
  lastEntry = slot.get();
  return lastEntry;
}
