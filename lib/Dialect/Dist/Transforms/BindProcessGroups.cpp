//===- BindProcessGroups.cpp - Ranks for process groups ---------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Late binding: the names that a program was built with meet the ranks that it
// runs on.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/IR/Dist.h"
#include "Dialect/Dist/Transforms/Passes.h"
#include "Dialect/Dist/Utils/Groups.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"

#define DEBUG_TYPE "dist-bind-process-groups"

namespace mlir::dist {
#define GEN_PASS_DEF_BINDPROCESSGROUPSPASS
#include "Dialect/Dist/Transforms/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

namespace {
using Bindings = llvm::MapVector<StringRef, GroupAttr>;

/// Parses the option `groups`. What is wrong is reported at `loc`, with the rest
/// of the text that could not be read.
class BindingParser {
public:
  BindingParser(StringRef text, Location loc) : rest(text), loc(loc) {}

  FailureOr<Bindings> parse() {
    Bindings bindings;
    for (skipSeparators(); !rest.empty(); skipSeparators()) {
      rest.consume_front("@");
      StringRef name = rest.take_while([](char c) {
        return llvm::isAlnum(c) || StringRef("_.$-").contains(c);
      });
      if (name.empty())
        return expected("the name of a process group");
      rest = rest.drop_front(name.size());
      if (!consume('='))
        return expected("'=' after '" + name + "'");
      FailureOr<GroupAttr> ranks = parseRanks(name);
      if (failed(ranks))
        return failure();
      if (!bindings.insert({name, *ranks}).second)
        return emitError(loc)
               << "option groups binds process group @" << name << " twice";
    }
    return bindings;
  }

private:
  FailureOr<GroupAttr> parseRanks(StringRef name) {
    SmallVector<int64_t> ranks;
    int64_t groupSize = 0;
    if (rest.consume_front("world:")) {
      StringRef digits = rest;
      if (digits.consumeInteger(10, groupSize) || groupSize < 1 ||
          groupSize > kMaxWorldSize)
        return expected("a world size from 1 to " + Twine(kMaxWorldSize));
      rest = digits;
      llvm::append_range(ranks, llvm::seq<int64_t>(0, groupSize));
    } else if (failed(parseTable(ranks, groupSize))) {
      return failure();
    }
    if (!rest.empty() && !isSeparator(rest.front()))
      return expected("a blank or ';' after the ranks of '" + name + "'");
    auto emitGroupError = [&]() -> InFlightDiagnostic {
      return emitError(loc) << "option groups, process group @" << name
                             << ": ";
    };
    auto group = GroupAttr::getChecked(
        emitGroupError, loc.getContext(), GroupKind::Table, FlatSymbolRefAttr(),
        ArrayRef<AxisRefAttr>(), ArrayRef<int64_t>(ranks), groupSize,
        StringAttr());
    if (!group)
      return failure();
    return group;
  }

  LogicalResult parseTable(SmallVectorImpl<int64_t> &ranks,
                           int64_t &groupSize) {
    if (!consume('['))
      return expected("'[[' or 'world:'");
    do {
      size_t before = ranks.size();
      if (!consume('['))
        return expected("'['");
      do {
        skipBlanks();
        if (rest.consumeInteger(10, ranks.emplace_back()))
          return expected("a rank");
      } while (consume(','));
      if (!consume(']'))
        return expected("',' or ']'");
      int64_t size = ranks.size() - before;
      if (before != 0 && size != groupSize)
        return emitError(loc)
               << "option groups has lists of unequal size: expected "
               << groupSize << " ranks as in the first list, found " << size;
      groupSize = size;
    } while (consume(','));
    if (!consume(']'))
      return expected("',' or ']'");
    return success();
  }

  static bool isSeparator(char c) { return llvm::isSpace(c) || c == ';'; }
  void skipBlanks() { rest = rest.ltrim(); }
  void skipSeparators() { rest = rest.drop_while(isSeparator); }
  /// Consumes `c` with the blanks around it, if it is next.
  bool consume(char c) {
    StringRef trimmed = rest.ltrim();
    if (!trimmed.consume_front(StringRef(&c, 1)))
      return false;
    rest = trimmed;
    return true;
  }
  LogicalResult expected(const Twine &what) {
    return emitError(loc) << "option groups: expected " << what
                           << ", found '" << rest << "'";
  }

  StringRef rest;
  Location loc;
};

struct BindProcessGroupsPass
    : public dist::impl::BindProcessGroupsPassBase<BindProcessGroupsPass> {
  using BindProcessGroupsPassBase::BindProcessGroupsPassBase;

  void runOnOperation() override {
    FailureOr<Bindings> bindings =
        BindingParser(groups, getOperation().getLoc()).parse();
    if (failed(bindings))
      return signalPassFailure();
    SmallVector<ProcessGroupOp> bound;
    if (failed(bind(*bindings, bound))) {
      for (ProcessGroupOp processGroup : bound)
        processGroup.removeRanksAttr();
      return signalPassFailure();
    }
    getOperation()->walk([](ProcessGroupOp processGroup) {
      if (!processGroup.getRanks())
        processGroup.emitRemark()
            << "process group @" << processGroup.getSymName()
            << " stays unbound, the runtime has to bind it";
    });
    if (bound.empty())
      markAllAnalysesPreserved();
  }

private:
  /// Binds what can be bound; `bound` receives the operations that changed.
  LogicalResult bind(const Bindings &bindings,
                     SmallVectorImpl<ProcessGroupOp> &bound) {
    llvm::SmallSet<StringRef, 4> found;
    WalkResult result = getOperation()->walk([&](ProcessGroupOp op) {
      auto it = bindings.find(op.getSymName());
      if (it == bindings.end())
        return WalkResult::advance();
      found.insert(it->first);
      if (op.getRanks() == it->second)
        return WalkResult::advance();
      if (op.getRanks()) {
        op.emitOpError() << "is bound to " << *op.getRanks()
                         << ", but option groups binds it to " << it->second;
        return WalkResult::interrupt();
      }
      op.setRanksAttr(it->second);
      bound.push_back(op);
      return failed(op.verify()) ? WalkResult::interrupt()
                                 : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
    for (auto [name, ranks] : bindings)
      if (!found.contains(name))
        return emitError(getOperation().getLoc())
               << "option groups binds @" << name
               << ", expected the name of a process group of the module";
    return bound.empty() ? success() : verifyUsers(bound);
  }

  /// Checks the operations whose group has just been bound: only now is its
  /// size known.
  LogicalResult verifyUsers(ArrayRef<ProcessGroupOp> bound) {
    llvm::SmallSet<StringRef, 4> names;
    for (ProcessGroupOp processGroup : bound)
      names.insert(processGroup.getSymName());
    SymbolTableCollection symbols;
    bool ok = true;
    getOperation()->walk([&](Operation *op) {
      auto group = op->getAttrOfType<GroupAttr>("group");
      auto user = dyn_cast<SymbolUserOpInterface>(op);
      if (user && group && group.isProcessGroup() &&
          names.contains(group.getSymbol().getValue()))
        ok &= succeeded(user.verifySymbolUses(symbols));
    });
    return success(ok);
  }
};
} // namespace
