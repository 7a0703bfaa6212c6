//===- Uniformity.h - What all ranks do alike -------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which ranks surely have the same value, and which of them surely execute a
// block equally often. Where all do, one decision of the compiler is the
// decision of all ranks. Behind a condition that ranks answer differently, the
// partner of a collective may stand in other code.
//
// What differs: `dist.rank`, arguments of functions that may be called from
// elsewhere (unless `dist.uniform`), results of unknown functions, and what a
// scatter, a permutation or a rooted reduction delivers. What agrees again
// within a group: the result of an all_gather, an all_reduce or a broadcast.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_ANALYSIS_UNIFORMITY_H
#define DIST_DIALECT_DIST_ANALYSIS_UNIFORMITY_H

#include "Dialect/Dist/Analysis/Agreement.h"
#include "Dialect/Dist/Analysis/Effects.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::dist {

class UniformityAnalysis {
public:
  UniformityAnalysis(ModuleOp module, EffectAnalysis &effects);

  /// Whether all ranks execute `block` equally often: the module is
  /// `dist.spmd`, or it follows from the program.
  bool isUniform(Block &block);

  /// Which ranks agree on `value`; of a memref, on what it holds at any time.
  Agreements::Id getAgreement(Value value);
  /// Which ranks execute `block` equally often.
  Agreements::Id getControl(Block &block);
  /// Which ranks agree on where `op`, a branch or an operation with regions,
  /// goes on. All of them where `op` is marked `dist.uniform`.
  Agreements::Id getDecision(Operation *op);
  /// The branches of the region of `block` that decide whether it executes.
  ArrayRef<Operation *> getDeciders(Block &block);
  /// The values that `getDecision` asks for.
  static SmallVector<Value> getDecidingValues(Operation *op);

  Agreements &getAgreements() { return agreements; }

private:
  void visit(Operation *op);
  void visitCollective(CollectiveOpInterface op);
  void visitWait(WaitOp op);
  void visitCall(CallOpInterface call);
  void visitRegionBranch(RegionBranchOpInterface op);
  void visitBranch(BranchOpInterface op);
  void visitReturn(Operation *op, FunctionOpInterface function);
  void visitOther(Operation *op);
  void initialize(FunctionOpInterface function, const llvm::StringSet<> &named);
  void findDeciders(Region &region);

  /// `value` agrees no further than `agreement`.
  void restrict(Value value, Agreements::Id agreement);
  /// What `memref` points to is written with what agrees no further.
  void restrictMemory(Value memref, Agreements::Id agreement);
  void restrict(Agreements::Id &known, Agreements::Id agreement);
  Agreements::Id meet(ValueRange values);

  bool isSpmd;
  EffectAnalysis &effects;
  Agreements agreements;
  /// Values, and of memrefs the buffers, on which not all ranks agree.
  DenseMap<Value, Agreements::Id> values;
  /// Of memory that is written through a name which may mean any buffer.
  Agreements::Id anyMemory = Agreements::kAll;
  DenseMap<Operation *, Agreements::Id> functionControl;
  DenseMap<Operation *, SmallVector<Agreements::Id>> functionResults;
  DenseMap<Block *, SmallVector<Operation *, 2>> deciders;
  DenseSet<Region *> regionsWithDeciders;
  bool changed = false;
};

} // namespace mlir::dist

#endif // DIST_DIALECT_DIST_ANALYSIS_UNIFORMITY_H
