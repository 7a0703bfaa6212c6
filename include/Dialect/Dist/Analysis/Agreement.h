//===- Agreement.h - Which ranks agree --------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of the ranks that surely have the same value: a partition of
// the world into classes, and the process groups without ranks whose members
// agree. Partitions are numbered, so that an analysis compares integers.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_ANALYSIS_AGREEMENT_H
#define DIST_DIALECT_DIST_ANALYSIS_AGREEMENT_H

#include "Dialect/Dist/Utils/Groups.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace mlir::dist {

/// All agreements that a module knows, as numbers.
class Agreements {
public:
  using Id = unsigned;
  /// All ranks agree.
  static constexpr Id kAll = 0;
  /// Nothing is known: each rank is a class of its own.
  static constexpr Id kNone = 1;

  explicit Agreements(ModuleOp module);

  /// The ranks that agree on both.
  Id meet(Id lhs, Id rhs);
  /// The members of each list of `group` agree, and so do all ranks outside.
  Id withinLists(GroupAttr group);
  /// The ranks at one position of the lists of `group` agree, and so do all
  /// ranks outside.
  Id byPosition(GroupAttr group);
  /// Whether the members of each list of `group` surely agree.
  bool isWithin(Id agreement, GroupAttr group);
  /// Whether nobody communicates on `group`: its lists have one member.
  bool isOfOne(GroupAttr group);
  /// Whether each rank of the world is in a list of `group`.
  bool coversWorld(GroupAttr group);

private:
  struct Agreement {
    /// Per rank its class, which has the number of its smallest rank.
    std::vector<int32_t> classes;
    /// Symbols of unbound process groups, sorted.
    std::vector<std::string> unbound;
    bool operator<(const Agreement &other) const {
      return std::tie(classes, unbound) <
             std::tie(other.classes, other.unbound);
    }
  };

  const RankTable *expand(GroupAttr group);
  Id intern(Agreement agreement);

  ModuleOp module;
  SymbolTableCollection symbols;
  int64_t worldSize = 2;
  std::vector<Agreement> agreements;
  std::map<Agreement, Id> ids;
  DenseMap<std::pair<Id, Id>, Id> meets;
  DenseMap<Attribute, std::unique_ptr<RankTable>> tables;
};

} // namespace mlir::dist

#endif // DIST_DIALECT_DIST_ANALYSIS_AGREEMENT_H
