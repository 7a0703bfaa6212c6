//===- Groups.h - Who is in a group -----------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expansion of groups to ranks: the one place that says who is in a group. The
// verifier, the folders, the scheduler and the lowering all ask here.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_UTILS_GROUPS_H
#define DIST_DIALECT_DIST_UTILS_GROUPS_H

#include "Dialect/Dist/IR/Dist.h"

namespace mlir::dist {

/// A larger world is a mistake, and writing its groups out would take for ever.
inline constexpr int64_t kMaxWorldSize = int64_t(1) << 22;

/// A group written out: lists of world ranks of equal size.
struct RankTable {
  /// Members per list; 0 while a process group is unbound and has no size.
  int64_t groupSize = 0;
  /// List after list; empty while a process group is unbound.
  SmallVector<int64_t> ranks;
  /// Number of ranks of the world that a mesh was made for; 0 for the others.
  int64_t worldSize = 0;

  bool isBound() const { return !ranks.empty(); }
  int64_t getNumGroups() const {
    return isBound() ? ranks.size() / groupSize : 0;
  }
  ArrayRef<int64_t> getGroup(int64_t index) const {
    return ArrayRef<int64_t>(ranks).slice(index * groupSize, groupSize);
  }
};

/// Expands `group`, whose symbols are looked up from `from`. A process group
/// that is not bound yet gives an unbound table. An unknown symbol or axis is
/// an error, reported through `emitError`.
FailureOr<RankTable> expandGroups(GroupAttr group, Operation *from,
                                  SymbolTableCollection &symbols,
                                  function_ref<InFlightDiagnostic()> emitError);

/// The same without a diagnostic and for one question at a time.
FailureOr<RankTable> expandGroups(GroupAttr group, Operation *from);

/// Checks what `expandGroups` checks, at a cost that does not depend on the
/// size of the world. Returns the number of members of each list, 0 if not
/// known.
FailureOr<int64_t> verifyGroup(GroupAttr group, Operation *from,
                               SymbolTableCollection &symbols,
                               function_ref<InFlightDiagnostic()> emitError);

/// Number of members of each list; nullopt when it is not known at compile
/// time (an unbound process group without a size) or the group is ill-formed.
std::optional<int64_t> getGroupSize(GroupAttr group, Operation *from);

/// Number of ranks of the world as the first mesh of the module around `from`
/// says; nullopt without a mesh.
std::optional<int64_t> getWorldSize(Operation *from);

/// Whether every rank of the world surely is a member of one of the lists. On
/// other ranks the results of a collective are zeros.
bool coversWorld(GroupAttr group, Operation *from);

/// Whether both groups are surely one communicator: equal expansions (or the
/// same unbound symbol) and equal tags. The order of the members of a list has
/// a meaning, the order of the lists has none.
bool isSameCommunicator(GroupAttr lhs, GroupAttr rhs, Operation *from);

/// Whether both groups may contend for one communicator order: they are the
/// same, or one of them is unbound.
bool mayBeSameCommunicator(GroupAttr lhs, GroupAttr rhs, Operation *from);

} // namespace mlir::dist

#endif // DIST_DIALECT_DIST_UTILS_GROUPS_H
