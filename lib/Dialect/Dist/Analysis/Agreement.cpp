//===- Agreement.cpp - Which ranks agree ----------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Analysis/Agreement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::dist;

/// Gives each class the number of its smallest rank.
static std::vector<int32_t>
normalize(ArrayRef<std::pair<int32_t, int32_t>> of) {
  std::map<std::pair<int32_t, int32_t>, int32_t> smallest;
  std::vector<int32_t> classes(of.size());
  for (auto [rank, key] : llvm::enumerate(of))
    classes[rank] = smallest.try_emplace(key, rank).first->second;
  return classes;
}

Agreements::Agreements(ModuleOp module) : module(module) {
  // Ranks beyond those that the module names are members of nothing. There are
  // two at least, so that to agree and not to agree differ.
  module.walk([&](Operation *op) {
    if (auto mesh = dyn_cast<MeshOp>(op))
      worldSize = std::max(worldSize, mesh.getNumRanks());
    for (NamedAttribute attribute : op->getAttrs())
      if (auto group = dyn_cast<GroupAttr>(attribute.getValue()))
        for (int64_t rank : group.getRanks())
          worldSize = std::max(worldSize, rank + 1);
  });
  intern({std::vector<int32_t>(worldSize, 0), {}});
  auto ranks = llvm::seq<int32_t>(0, worldSize);
  intern({std::vector<int32_t>(ranks.begin(), ranks.end()), {}});
}

Agreements::Id Agreements::intern(Agreement agreement) {
  auto [entry, isNew] = ids.try_emplace(agreement, agreements.size());
  if (isNew)
    agreements.push_back(std::move(agreement));
  return entry->second;
}

Agreements::Id Agreements::meet(Id lhs, Id rhs) {
  if (lhs == rhs || rhs == kAll)
    return lhs;
  if (lhs == kAll)
    return rhs;
  if (lhs > rhs)
    std::swap(lhs, rhs);
  auto [entry, isNew] = meets.try_emplace({lhs, rhs}, 0);
  if (!isNew)
    return entry->second;
  const Agreement &left = agreements[lhs], &right = agreements[rhs];
  Agreement both;
  SmallVector<std::pair<int32_t, int32_t>> keys;
  for (auto [first, second] : llvm::zip_equal(left.classes, right.classes))
    keys.push_back({first, second});
  both.classes = normalize(keys);
  std::set_intersection(left.unbound.begin(), left.unbound.end(),
                        right.unbound.begin(), right.unbound.end(),
                        std::back_inserter(both.unbound));
  Id id = intern(std::move(both));
  return meets[{lhs, rhs}] = id;
}

const RankTable *Agreements::expand(GroupAttr group) {
  std::unique_ptr<RankTable> &table = tables[group];
  if (!table) {
    // The verifier has seen the group: it expands.
    auto ignore = [&] { return emitError(module.getLoc()); };
    FailureOr<RankTable> expanded =
        expandGroups(group, module, symbols, ignore);
    table = std::make_unique<RankTable>(
        succeeded(expanded) ? std::move(*expanded) : RankTable());
  }
  return table.get();
}

Agreements::Id Agreements::withinLists(GroupAttr group) {
  const RankTable *table = expand(group);
  Agreement result = agreements[kNone];
  if (!table->isBound()) {
    result.unbound.push_back(group.getSymbol().getValue().str());
    return intern(std::move(result));
  }
  SmallVector<std::pair<int32_t, int32_t>> keys(result.classes.size(), {-1, 0});
  for (int64_t list = 0, e = table->getNumGroups(); list != e; ++list)
    for (int64_t rank : table->getGroup(list))
      keys[rank].first = list;
  result.classes = normalize(keys);
  return intern(std::move(result));
}

Agreements::Id Agreements::byPosition(GroupAttr group) {
  const RankTable *table = expand(group);
  if (!table->isBound())
    return kNone;
  Agreement result;
  SmallVector<std::pair<int32_t, int32_t>> keys(
      agreements[kNone].classes.size(), {-1, 0});
  for (int64_t list = 0, e = table->getNumGroups(); list != e; ++list)
    for (auto [position, rank] : llvm::enumerate(table->getGroup(list)))
      keys[rank].first = position;
  result.classes = normalize(keys);
  return intern(std::move(result));
}

bool Agreements::isWithin(Id agreement, GroupAttr group) {
  if (agreement == kAll || isOfOne(group))
    return true;
  const Agreement &known = agreements[agreement];
  const RankTable *table = expand(group);
  if (!table->isBound())
    return llvm::is_contained(known.unbound, group.getSymbol().getValue());
  for (int64_t list = 0, e = table->getNumGroups(); list != e; ++list) {
    ArrayRef<int64_t> members = table->getGroup(list);
    if (llvm::any_of(members, [&](int64_t rank) {
          return known.classes[rank] != known.classes[members.front()];
        }))
      return false;
  }
  return true;
}

bool Agreements::isOfOne(GroupAttr group) {
  return expand(group)->groupSize == 1;
}

bool Agreements::coversWorld(GroupAttr group) {
  return mlir::dist::coversWorld(group, module);
}
