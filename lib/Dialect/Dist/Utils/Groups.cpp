//===- Groups.cpp ---------------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Utils/Groups.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::dist;

namespace {
/// Receives what is wrong with a group and the declaration to point at, which
/// may be null.
using Report = function_ref<void(const Twine &message, Operation *declaration)>;

/// One digit of a rank's position: `size` values that are `weight` apart.
struct Digit {
  int64_t weight;
  int64_t size;

  int64_t of(int64_t position) const { return position / weight % size; }
};
} // namespace

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

static FailureOr<RankTable> expandMesh(GroupAttr group, MeshOp mesh,
                                       Report report) {
  SmallVector<Digit> digits;
  for (auto [index, axis] : llvm::enumerate(group.getAxes())) {
    FailureOr<Digit> digit = resolveAxis(axis, mesh, report);
    if (failed(digit))
      return failure();
    for (auto [other, otherAxis] : llvm::zip(digits, group.getAxes()))
      if (otherAxis == axis ||
          (otherAxis.getName() == axis.getName() && overlap(*digit, other))) {
        report("group names axis \"" + axis.getName().getValue() +
                   "\" of mesh @" + mesh.getSymName() + " twice",
               mesh);
        return failure();
      }
    digits.push_back(*digit);
  }

  RankTable table;
  table.worldSize = mesh.getNumRanks();
  table.groupSize = 1;
  for (Digit digit : digits)
    table.groupSize *= digit.size;
  std::optional<ArrayRef<int64_t>> deviceIds = mesh.getDeviceIds();
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

static RankTable expandProcessGroup(ProcessGroupOp processGroup) {
  RankTable table;
  if (std::optional<GroupAttr> ranks = processGroup.getRanks()) {
    table.groupSize = ranks->getGroupSize();
    table.ranks.assign(ranks->getRanks().begin(), ranks->getRanks().end());
  } else if (std::optional<uint64_t> size = processGroup.getSize()) {
    table.groupSize = *size;
  }
  return table;
}

static FailureOr<RankTable> expandGroups(GroupAttr group, Operation *from,
                                         SymbolTableCollection &symbols,
                                         Report report) {
  if (group.isTable()) {
    RankTable table;
    table.groupSize = group.getGroupSize();
    table.ranks.assign(group.getRanks().begin(), group.getRanks().end());
    return table;
  }
  Operation *symbol =
      symbols.lookupNearestSymbolFrom(from, group.getSymbol().getAttr());
  auto mesh = dyn_cast_or_null<MeshOp>(symbol);
  auto processGroup = dyn_cast_or_null<ProcessGroupOp>(symbol);
  if (group.isMesh() && mesh)
    return expandMesh(group, mesh, report);
  if (group.isProcessGroup() && processGroup)
    return expandProcessGroup(processGroup);
  std::string name = ("@" + group.getSymbol().getValue()).str();
  StringRef expected = group.isMesh() ? "dist.mesh" : "dist.process_group";
  if (!symbol)
    report("group names unknown symbol " + name + ", expected a " + expected,
           nullptr);
  else if (mesh)
    report("group names mesh " + name + " without its axes, expected " + name +
               "[...]",
           symbol);
  else
    report("group names " + name + ", expected a " + expected + ", found a " +
               symbol->getName().getStringRef(),
           symbol);
  return failure();
}

FailureOr<RankTable>
mlir::dist::expandGroups(GroupAttr group, Operation *from,
                         SymbolTableCollection &symbols,
                         function_ref<InFlightDiagnostic()> emitError) {
  return ::expandGroups(group, from, symbols,
                        [&](const Twine &message, Operation *declaration) {
                          InFlightDiagnostic diag = emitError() << message;
                          if (declaration)
                            diag.attachNote(declaration->getLoc())
                                << "declared here";
                        });
}

FailureOr<RankTable> mlir::dist::expandGroups(GroupAttr group,
                                              Operation *from) {
  SymbolTableCollection symbols;
  return ::expandGroups(group, from, symbols,
                        [](const Twine &, Operation *) {});
}

std::optional<int64_t> mlir::dist::getGroupSize(GroupAttr group,
                                                Operation *from) {
  if (group.isTable())
    return group.getGroupSize();
  FailureOr<RankTable> table = expandGroups(group, from);
  if (failed(table) || table->groupSize == 0)
    return std::nullopt;
  return table->groupSize;
}

bool mlir::dist::isSameCommunicator(GroupAttr lhs, GroupAttr rhs,
                                    Operation *from) {
  if (lhs == rhs)
    return true;
  if (lhs.getTagOrEmpty() != rhs.getTagOrEmpty())
    return false;
  FailureOr<RankTable> left = expandGroups(lhs, from);
  FailureOr<RankTable> right = expandGroups(rhs, from);
  return succeeded(left) && succeeded(right) && left->isBound() &&
         right->isBound() && left->groupSize == right->groupSize &&
         left->ranks == right->ranks;
}

bool mlir::dist::mayBeSameCommunicator(GroupAttr lhs, GroupAttr rhs,
                                       Operation *from) {
  if (isSameCommunicator(lhs, rhs, from))
    return true;
  for (GroupAttr group : {lhs, rhs}) {
    FailureOr<RankTable> table = expandGroups(group, from);
    if (failed(table) || !table->isBound())
      return true;
  }
  return false;
}
