//===- Groups.cpp - Who is in a group ---------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Utils/Groups.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::dist;

namespace {
/// Receives what is wrong with a group and the declaration to point at, which
/// may be null.
using Report = function_ref<void(const Twine &message, Operation *declaration)>;

/// Finds the symbol that a group names.
using Lookup = function_ref<Operation *(StringAttr name)>;

/// One digit of a rank's position: `size` values that are `weight` apart.
struct Digit {
  int64_t weight;
  int64_t size;

  int64_t of(int64_t position) const { return position / weight % size; }
};

/// A group whose symbol and axes are resolved, but whose ranks are not written
/// out: what it costs does not depend on the size of the world.
struct ResolvedGroup {
  GroupAttr group;
  MeshOp mesh;
  ProcessGroupOp processGroup;
  SmallVector<Digit> digits;

  /// Members per list, 0 if not known.
  int64_t getGroupSize() const;
  RankTable expand() const;
};
} // namespace

/// Number of ranks of `mesh`, 0 for one that its verifier refuses.
static int64_t getNumRanksOrZero(MeshOp mesh) {
  int64_t ranks = 1;
  for (auto axis : mesh.getAxes().getAsRange<MeshAxisAttr>())
    if (axis.getSize() < 1 || llvm::MulOverflow(ranks, axis.getSize(), ranks) ||
        ranks > kMaxWorldSize)
      return 0;
  std::optional<ArrayRef<int64_t>> ids = mesh.getDeviceIds();
  return ids && static_cast<int64_t>(ids->size()) != ranks ? 0 : ranks;
}

/// The digit that `axis` stands for in `mesh`.
static FailureOr<Digit> resolveAxis(AxisRefAttr axis, MeshOp mesh,
                                    Report report) {
  int64_t weight = mesh.getNumRanks();
  for (auto meshAxis : mesh.getAxes().getAsRange<MeshAxisAttr>()) {
    weight /= meshAxis.getSize();
    if (meshAxis.getName() != axis.getName())
      continue;
    if (!axis.isSubAxis())
      return Digit{weight, meshAxis.getSize()};
    int64_t used;
    // group C8.
    if (llvm::MulOverflow(axis.getPreSize(), axis.getSize(), used) ||
        meshAxis.getSize() % used != 0) {
      report("sub-axis \"" + axis.getName().getValue() + "\":(" +
                 Twine(axis.getPreSize()) + ")" + Twine(axis.getSize()) +
                 " does not divide the axis of size " +
                 Twine(meshAxis.getSize()),
             mesh);
      return failure();
    }
    return Digit{weight * (meshAxis.getSize() / used), axis.getSize()};
  }
  report("group names unknown axis \"" + axis.getName().getValue() +
             "\" of mesh @" + mesh.getSymName(),
         mesh);
  return failure();
}

/// Whether the digits have a position in common: an axis named twice, or two
/// sub-axes that overlap.
static bool overlap(Digit lhs, Digit rhs) {
  if (lhs.size == 1 || rhs.size == 1)
    return false;
  if (lhs.weight > rhs.weight)
    std::swap(lhs, rhs);
  return rhs.weight < lhs.weight * lhs.size;
}

static LogicalResult resolveMesh(ResolvedGroup &resolved, Report report) {
  MeshOp mesh = resolved.mesh;
  if (getNumRanksOrZero(mesh) == 0) {
    report("group names malformed mesh @" + mesh.getSymName(), mesh);
    return failure();
  }
  ArrayRef<AxisRefAttr> axes = resolved.group.getAxes();
  for (AxisRefAttr axis : axes) {
    FailureOr<Digit> digit = resolveAxis(axis, mesh, report);
    if (failed(digit))
      return failure();
    // group C7.
    for (auto [other, otherAxis] : llvm::zip(resolved.digits, axes))
      if (otherAxis == axis ||
          (otherAxis.getName() == axis.getName() && overlap(*digit, other))) {
        report("group names axis \"" + axis.getName().getValue() +
                   "\" of mesh @" + mesh.getSymName() + " twice",
               mesh);
        return failure();
      }
    resolved.digits.push_back(*digit);
  }
  return success();
}

static FailureOr<ResolvedGroup> resolveGroup(GroupAttr group, Lookup lookup,
                                             Report report) {
  ResolvedGroup resolved;
  resolved.group = group;
  if (group.isTable())
    return resolved;
  Operation *symbol = lookup(group.getSymbol().getAttr());
  resolved.mesh = dyn_cast_or_null<MeshOp>(symbol);
  resolved.processGroup = dyn_cast_or_null<ProcessGroupOp>(symbol);
  if (group.isMesh() && resolved.mesh) {
    if (failed(resolveMesh(resolved, report)))
      return failure();
    return resolved;
  }
  if (group.isProcessGroup() && resolved.processGroup)
    return resolved;
  // group C6.
  std::string name = ("@" + group.getSymbol().getValue()).str();
  StringRef expected = group.isMesh() ? "dist.mesh" : "dist.process_group";
  if (!symbol)
    report("group names unknown symbol " + name + ", expected a " + expected,
           nullptr);
  else if (resolved.mesh)
    report("group names mesh " + name + " without its axes, expected " + name +
               "[...]",
           symbol);
  else
    report("group names " + name + ", expected a " + expected + ", found a " +
               symbol->getName().getStringRef(),
           symbol);
  return failure();
}

static FailureOr<ResolvedGroup> resolveGroup(GroupAttr group, Operation *from) {
  return resolveGroup(
      group,
      [&](StringAttr name) {
        return SymbolTable::lookupNearestSymbolFrom(from, name);
      },
      [](const Twine &, Operation *) {});
}

static FailureOr<ResolvedGroup>
resolveGroup(GroupAttr group, Operation *from, SymbolTableCollection &symbols,
             function_ref<InFlightDiagnostic()> emitError) {
  return resolveGroup(
      group,
      [&](StringAttr name) {
        return symbols.lookupNearestSymbolFrom(from, name);
      },
      [&](const Twine &message, Operation *declaration) {
        InFlightDiagnostic diag = emitError() << message;
        if (declaration)
          diag.attachNote(declaration->getLoc()) << "declared here";
      });
}

//===----------------------------------------------------------------------===//
// ResolvedGroup
//===----------------------------------------------------------------------===//

int64_t ResolvedGroup::getGroupSize() const {
  if (group.isTable())
    return group.getGroupSize();
  if (auto op = processGroup) {
    if (std::optional<GroupAttr> ranks = op.getRanks())
      return ranks->getGroupSize();
    return op.getSize().value_or(0);
  }
  int64_t size = 1;
  for (Digit digit : digits)
    size *= digit.size;
  return size;
}

RankTable ResolvedGroup::expand() const {
  RankTable table;
  table.groupSize = getGroupSize();
  GroupAttr listed = group;
  if (auto op = processGroup)
    listed = op.getRanks().value_or(group);
  if (listed.isTable())
    table.ranks.assign(listed.getRanks().begin(), listed.getRanks().end());
  if (!mesh)
    return table;

  table.worldSize = getNumRanksOrZero(mesh);
  std::optional<ArrayRef<int64_t>> deviceIds = MeshOp(mesh).getDeviceIds();
  for (int64_t base = 0; base < table.worldSize; ++base) {
    // Each list is named by its member whose digits are all zero.
    if (llvm::any_of(digits, [&](Digit digit) { return digit.of(base) != 0; }))
      continue;
    for (int64_t member = 0; member < table.groupSize; ++member) {
      int64_t position = base, rest = member;
      for (Digit digit : llvm::reverse(digits)) {
        position += rest % digit.size * digit.weight;
        rest /= digit.size;
      }
      table.ranks.push_back(deviceIds ? (*deviceIds)[position] : position);
    }
  }
  return table;
}

//===----------------------------------------------------------------------===//
// The questions
//===----------------------------------------------------------------------===//

FailureOr<RankTable>
mlir::dist::expandGroups(GroupAttr group, Operation *from,
                         SymbolTableCollection &symbols,
                         function_ref<InFlightDiagnostic()> emitError) {
  FailureOr<ResolvedGroup> resolved =
      resolveGroup(group, from, symbols, emitError);
  if (failed(resolved))
    return failure();
  return resolved->expand();
}

FailureOr<RankTable> mlir::dist::expandGroups(GroupAttr group,
                                              Operation *from) {
  FailureOr<ResolvedGroup> resolved = resolveGroup(group, from);
  if (failed(resolved))
    return failure();
  return resolved->expand();
}

FailureOr<int64_t>
mlir::dist::verifyGroup(GroupAttr group, Operation *from,
                        SymbolTableCollection &symbols,
                        function_ref<InFlightDiagnostic()> emitError) {
  FailureOr<ResolvedGroup> resolved =
      resolveGroup(group, from, symbols, emitError);
  if (failed(resolved))
    return failure();
  return resolved->getGroupSize();
}

std::optional<int64_t> mlir::dist::getGroupSize(GroupAttr group,
                                                Operation *from) {
  FailureOr<ResolvedGroup> resolved = resolveGroup(group, from);
  if (failed(resolved) || resolved->getGroupSize() < 1)
    return std::nullopt;
  return resolved->getGroupSize();
}

std::optional<int64_t> mlir::dist::getWorldSize(Operation *from) {
  auto module = from->getParentOfType<ModuleOp>();
  if (auto self = dyn_cast<ModuleOp>(from))
    module = self;
  if (!module)
    return std::nullopt;
  for (MeshOp mesh : module.getOps<MeshOp>())
    if (int64_t ranks = getNumRanksOrZero(mesh))
      return ranks;
  return std::nullopt;
}

bool mlir::dist::coversWorld(GroupAttr group, Operation *from) {
  if (group.isMesh())
    return succeeded(resolveGroup(group, from));
  FailureOr<RankTable> table = expandGroups(group, from);
  // Ranks are distinct, so counting them is enough once they are in range.
  std::optional<int64_t> world = getWorldSize(from);
  return succeeded(table) && world &&
         static_cast<int64_t>(table->ranks.size()) == *world &&
         llvm::all_of(table->ranks,
                      [&](int64_t rank) { return rank < *world; });
}

/// The lists in the order of their first members: which list comes first has no
/// meaning, for a rank knows only its own.
static SmallVector<ArrayRef<int64_t>> getSortedLists(const RankTable &table) {
  SmallVector<ArrayRef<int64_t>> lists;
  for (int64_t i = 0, e = table.getNumGroups(); i != e; ++i)
    lists.push_back(table.getGroup(i));
  llvm::sort(lists, [](ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
    return lhs.front() < rhs.front();
  });
  return lists;
}

bool mlir::dist::isSameCommunicator(GroupAttr lhs, GroupAttr rhs,
                                    Operation *from) {
  if (lhs == rhs)
    return true;
  if (lhs.getTagOrEmpty() != rhs.getTagOrEmpty())
    return false;
  std::optional<int64_t> size = getGroupSize(lhs, from);
  if (!size || size != getGroupSize(rhs, from))
    return false;
  FailureOr<RankTable> left = expandGroups(lhs, from);
  FailureOr<RankTable> right = expandGroups(rhs, from);
  return succeeded(left) && succeeded(right) && left->isBound() &&
         right->isBound() && getSortedLists(*left) == getSortedLists(*right);
}

bool mlir::dist::mayBeSameCommunicator(GroupAttr lhs, GroupAttr rhs,
                                       Operation *from) {
  if (isSameCommunicator(lhs, rhs, from))
    return true;
  for (GroupAttr group : {lhs, rhs}) {
    FailureOr<ResolvedGroup> resolved = resolveGroup(group, from);
    if (failed(resolved) ||
        (resolved->processGroup && !resolved->processGroup.getRanks()))
      return true;
  }
  return false;
}
