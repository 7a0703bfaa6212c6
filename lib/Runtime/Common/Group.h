//===- Group.h - process groups ---------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_COMMON_GROUP_H
#define DIST_LIB_RUNTIME_COMMON_GROUP_H

#include "Common/Backend.h"

#include <map>
#include <mutex>
#include <unordered_map>

namespace dist::rt {

/// What the common layer keeps per communicator. Identity: the ordered members
/// and the tag.
struct GroupState {
  std::unique_ptr<Communicator> communicator;
  std::string text; // "[0, 1]" or "[0, 1] tag "t""
  /// The next sequence number of each member; only its rank thread touches it.
  struct alignas(64) Counter {
    int64_t next = 0;
  };
  std::vector<Counter> sequences;
};

/// "[0, 1] tag "t"", as messages name a communicator.
std::string groupText(const std::vector<int64_t> &members,
                      const std::string &tag);

/// A descriptor as one rank sees it.
struct ResolvedGroup {
  GroupState *state = nullptr; // null outside of the group
  int64_t position = -1;
  int64_t size = 0;
  std::string text; // for messages; the whole table outside of the group

  // The descriptor that this was made from: an address can be used again.
  distrtGroupDesc desc = {};
  std::vector<int64_t> ranks;
  std::string name, tag;
  int64_t bindGeneration = 0;
};

/// All groups of a world.
class GroupTable {
public:
  GroupTable(int64_t worldSize) : worldSize(worldSize) {}

  void setBackend(Backend *newBackend) { backend = newBackend; }

  /// Returns a status, and a text on failure.
  int bind(const char *name, const int64_t *ranks, int64_t numGroups,
           int64_t groupSize, std::string &message);

  int resolve(const distrtGroupDesc &desc, int64_t rank, ResolvedGroup &result,
              std::string &message);

  int64_t generation() const {
    return bindGeneration.load(std::memory_order_acquire);
  }

  /// Stops all communicators; later ones are born stopped.
  void abortAll();

private:
  struct Binding {
    std::vector<int64_t> ranks;
    int64_t numGroups = 0;
    int64_t groupSize = 0;
  };
  int checkTable(const std::string &what, const int64_t *ranks,
                 int64_t numGroups, int64_t groupSize,
                 std::string &message) const;
  GroupState *intern(std::vector<int64_t> members, const std::string &tag);

  int64_t worldSize;
  Backend *backend = nullptr;
  std::mutex mutex;
  bool aborted = false;
  std::atomic<int64_t> bindGeneration{0};
  std::map<std::string, Binding> bindings;
  std::map<std::pair<std::vector<int64_t>, std::string>,
           std::unique_ptr<GroupState>>
      states;
};

/// The groups that one rank has used, by the address of their descriptors.
class GroupCache {
public:
  /// Null and a status and text on failure.
  ResolvedGroup *lookup(GroupTable &table, const distrtGroupDesc *desc,
                        int64_t rank, int &status, std::string &message);

private:
  static bool matches(const ResolvedGroup &entry, const distrtGroupDesc &desc,
                      int64_t generation);
  std::unordered_map<const distrtGroupDesc *, std::unique_ptr<ResolvedGroup>>
      entries;
  const distrtGroupDesc *lastKey = nullptr;
  ResolvedGroup *lastEntry = nullptr;
};

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_COMMON_GROUP_H
