//===- Communicators.cpp - The communicators of a module --------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Analysis/Communicators.h"
#include "Dialect/Dist/Utils/Collectives.h"
#include "Dialect/Dist/Utils/Groups.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace mlir;
using namespace mlir::dist;

//===----------------------------------------------------------------------===//
// Names and bounds
//===----------------------------------------------------------------------===//

std::string mlir::dist::getGroupName(GroupAttr group) {
  std::string name;
  llvm::raw_string_ostream os(name);
  if (group.isTable()) {
    os << "[";
    ArrayRef<int64_t> ranks = group.getRanks();
    for (size_t i = 0; i < ranks.size(); ++i) {
      bool first = i % group.getGroupSize() == 0;
      os << (first ? (i == 0 ? "[" : "],[") : ",") << ranks[i];
    }
    os << "]]";
  } else {
    os << group.getSymbol().getValue();
  }
  if (group.isMesh()) {
    os << "[";
    llvm::interleave(
        group.getAxes(), os,
        [&](AxisRefAttr axis) {
          os << axis.getName().getValue();
          if (axis.isSubAxis())
            os << ":(" << axis.getPreSize() << ")" << axis.getSize();
        },
        ",");
    os << "]";
  }
  if (!group.getTagOrEmpty().empty())
    os << "#" << group.getTagOrEmpty();
  return name;
}

/// Reads `count=2` or `bytes=1048576` into `limit`.
static LogicalResult parseBound(StringRef text, InFlightLimit &limit,
                                Location loc) {
  auto [key, number] = text.split('=');
  int64_t value;
  if ((key != "count" && key != "bytes") || number.getAsInteger(10, value) ||
      value < 0)
    return emitError(loc) << "option limits has '" << text
                          << "', expected count=N or bytes=N";
  (key == "count" ? limit.count : limit.bytes) = value;
  return success();
}

/// Every bound is of a group that collectives of `module` use or that it
/// declares, and of another one.
static LogicalResult checkNames(const InFlightOptions &options,
                                ModuleOp module) {
  if (options.groups.empty())
    return success();
  std::set<std::string> names;
  module.walk([&](Operation *op) {
    if (auto group = dyn_cast<ProcessGroupOp>(op))
      names.insert(group.getSymName().str());
    else if (auto collective = dyn_cast<CollectiveOpInterface>(op))
      names.insert(getGroupName(collective.getGroup()));
  });
  llvm::StringSet<> seen;
  for (auto &[name, limit] : options.groups) {
    if (!seen.insert(name).second)
      return module.emitError("option limits names group ") << name << " twice";
    if (names.count(name))
      continue;
    InFlightDiagnostic diag = module.emitError("option limits names ")
                              << name << ", expected a group of the module";
    if (!names.empty())
      diag << ": " << llvm::join(names, ", ");
    return diag;
  }
  return success();
}

FailureOr<InFlightOptions> InFlightOptions::get(int64_t count, int64_t bytes,
                                                StringRef limits,
                                                ModuleOp module) {
  Location loc = module.getLoc();
  InFlightOptions options;
  options.all = {count, bytes};
  if (count < 0 || bytes < 0)
    return emitError(loc) << "option "
                          << (count < 0 ? "max-in-flight"
                                        : "max-in-flight-bytes")
                          << " is " << (count < 0 ? count : bytes)
                          << ", expected at least 0";
  for (StringRef rest = limits;;) {
    rest = rest.ltrim(" ;");
    if (rest.empty()) {
      if (failed(checkNames(options, module)))
        return failure();
      return options;
    }
    StringRef item =
        rest.take_until([](char c) { return c == ' ' || c == ';'; });
    rest = rest.drop_front(item.size());
    // The name of a table has no colon but that of a sub-axis has.
    auto [name, bounds] = item.rsplit(':');
    name.consume_front("@");
    if (name.empty() || bounds.empty())
      return emitError(loc) << "option limits has '" << item
                            << "', expected name:count=N,bytes=N";
    InFlightLimit limit = options.all;
    for (StringRef bound : llvm::split(bounds, ','))
      if (failed(parseBound(bound, limit, loc)))
        return failure();
    options.groups.emplace_back(name.str(), limit);
  }
}

//===----------------------------------------------------------------------===//
// Communicators
//===----------------------------------------------------------------------===//

unsigned Communicators::getId(CollectiveOpInterface op) {
  GroupAttr group = op.getGroup();
  Operation *scope = SymbolTable::getNearestSymbolTable(op);
  auto [cached, isNew] = cache.insert({{group, scope}, 0});
  if (!isNew)
    return cached->second;
  Key key;
  std::get<0>(key) = group.getTagOrEmpty().str();
  FailureOr<RankTable> table = expandGroups(group, op);
  bool isBound = succeeded(table) && table->isBound();
  if (isBound) {
    std::get<2>(key) = table->groupSize;
    std::get<3>(key).assign(table->ranks.begin(), table->ranks.end());
  } else {
    std::get<1>(key) = getGroupName(group);
  }
  auto [found, inserted] = byKey.insert({key, communicators.size()});
  if (inserted)
    communicators.push_back({group, isBound, options.all});
  // A bound given for any of the names of a communicator counts.
  std::string name = getGroupName(group);
  for (auto &[limited, limit] : options.groups)
    if (limited == name)
      communicators[found->second].limit = limit;
  cached->second = found->second;
  return found->second;
}

/// Bytes of a tensor or memref, nullopt when a size is dynamic.
static std::optional<int64_t> getBytes(ShapedType type) {
  if (!type.hasStaticShape())
    return std::nullopt;
  int64_t bytes = *getElementBytes(type.getElementType());
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
  return bytes;
}

std::optional<int64_t>
mlir::dist::getInFlightBytes(CollectiveOpInterface start) {
  bool isGather = start.getCollectiveKind() == CollectiveKind::AllGather;
  int64_t sum = 0;
  for (auto [source, future] :
       llvm::zip_equal(start.getSources(), start->getResults())) {
    std::optional<int64_t> bytes =
        getBytes(isGather ? cast<FutureType>(future.getType()).getPayload()
                          : cast<ShapedType>(source.getType()));
    if (!bytes || llvm::AddOverflow(sum, *bytes, sum))
      return std::nullopt;
  }
  return sum;
}
