//===- Communicators.h - The communicators of a module ----------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers the communicators, so that passes compare integers instead of
// expansions, and holds what the user allows to be in flight on each.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_ANALYSIS_COMMUNICATORS_H
#define DIST_DIALECT_DIST_ANALYSIS_COMMUNICATORS_H

#include "Dialect/Dist/IR/Dist.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <string>

namespace mlir::dist {

/// What may be in flight on one communicator; 0 is no bound.
struct InFlightLimit {
  int64_t count = 0;
  int64_t bytes = 0;

  bool isBounded() const { return count > 0 || bytes > 0; }
};

/// The options of dist-schedule and dist-verify-schedule.
struct InFlightOptions {
  InFlightLimit all;
  /// Bounds of single groups by name, in the order of the option.
  SmallVector<std::pair<std::string, InFlightLimit>> groups;

  /// Reads the option `limits`; what is wrong, such as a name of no group of
  /// `module`, is reported at its location.
  static FailureOr<InFlightOptions> get(int64_t count, int64_t bytes,
                                        StringRef limits, ModuleOp module);
};

/// "g", "m[dp,tp]" or "[[0,1],[2,3]]", followed by "#tag" with a tag.
std::string getGroupName(GroupAttr group);

struct Communicator {
  GroupAttr group;
  /// Whether its members are known at compile time.
  bool isBound;
  InFlightLimit limit;
};

/// Numbers follow the first occurrence in the program.
class Communicators {
public:
  Communicators() = default;
  explicit Communicators(InFlightOptions options)
      : options(std::move(options)) {}

  unsigned getId(CollectiveOpInterface op);
  const Communicator &get(unsigned id) const { return communicators[id]; }
  unsigned size() const { return communicators.size(); }

private:
  /// Tag, group size and ranks; an unbound group has its symbol instead.
  using Key =
      std::tuple<std::string, std::string, int64_t, std::vector<int64_t>>;

  InFlightOptions options;
  SmallVector<Communicator> communicators;
  std::map<Key, unsigned> byKey;
  DenseMap<std::pair<Attribute, Operation *>, unsigned> cache;
};

/// The bytes that `start` holds while it is in flight, summed over its
/// operands; nullopt when a size is dynamic.
std::optional<int64_t> getInFlightBytes(CollectiveOpInterface start);

} // namespace mlir::dist

#endif // DIST_DIALECT_DIST_ANALYSIS_COMMUNICATORS_H
