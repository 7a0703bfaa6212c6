//===- Needs.cpp ----------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a module says about the world that it wants to run in.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/IR/Dist.h"
#include "Tools/Run/Program.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::dist;
using namespace mlir::dist::run;

/// Names of the process groups that `entry` and what it calls use.
static llvm::StringSet<> collectUsedGroups(ModuleOp module,
                                           FunctionOpInterface entry) {
  llvm::StringSet<> used;
  SymbolTable symbols(module);
  llvm::SetVector<Operation *> reached;
  reached.insert(entry);
  for (unsigned i = 0; i < reached.size(); ++i) {
    reached[i]->walk([&](Operation *op) {
      op->getAttrDictionary().walk([&](Attribute attribute) {
        if (auto group = dyn_cast<GroupAttr>(attribute)) {
          if (group.isProcessGroup())
            used.insert(group.getSymbol().getValue());
          return WalkResult::skip();
        }
        if (auto symbol = dyn_cast<FlatSymbolRefAttr>(attribute))
          if (Operation *callee = symbols.lookup(symbol.getValue()))
            if (isa<FunctionOpInterface>(callee))
              reached.insert(callee);
        return WalkResult::advance();
      });
    });
  }
  return used;
}

WorldNeeds run::collectNeeds(ModuleOp module, FunctionOpInterface entry) {
  WorldNeeds needs;
  llvm::StringSet<> used = collectUsedGroups(module, entry);
  auto addTable = [&](GroupAttr group) {
    for (int64_t rank : group.getRanks())
      needs.tableRanks = std::max(needs.tableRanks, rank + 1);
  };
  for (auto mesh : module.getOps<MeshOp>())
    needs.meshes.emplace_back(mesh.getSymName().str(), mesh.getNumRanks());
  for (auto group : module.getOps<ProcessGroupOp>()) {
    bool isBound = group.getRanksAttr() != nullptr;
    needs.processGroups[group.getSymName()] = isBound;
    if (!isBound && used.contains(group.getSymName()))
      needs.unboundGroups.push_back(group.getSymName().str());
  }
  module.walk([&](Operation *op) {
    op->getAttrDictionary().walk([&](Attribute attribute) {
      auto group = dyn_cast<GroupAttr>(attribute);
      if (!group)
        return WalkResult::advance();
      if (group.isTable())
        addTable(group);
      return WalkResult::skip();
    });
  });
  return needs;
}
