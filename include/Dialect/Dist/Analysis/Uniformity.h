//===- Uniformity.h - What all ranks do alike -------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass may change the order of collectives only where every rank executes the
// very same code: there one decision of the compiler is the decision of all
// ranks. Behind a condition that ranks answer differently, the partner of a
// collective may stand in other code, which would not be reordered with it.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_ANALYSIS_UNIFORMITY_H
#define DIST_DIALECT_DIST_ANALYSIS_UNIFORMITY_H

#include "Dialect/Dist/Analysis/Effects.h"

namespace mlir::dist {

class UniformityAnalysis {
public:
  UniformityAnalysis(ModuleOp module, EffectAnalysis &effects);

  /// Whether all ranks execute `block` the same number of times: the module is
  /// `dist.spmd`, or only loops and branches that do not depend on the rank
  /// stand around the block and around the calls of its function.
  bool isUniform(Block &block);

private:
  bool isUniformFunction(FunctionOpInterface function);

  bool isSpmd;
  DenseMap<Operation *, SmallVector<Operation *, 2>> callers;
  /// False also while the answer is being computed: recursion proves nothing.
  DenseMap<Operation *, bool> uniformFunctions;
};

} // namespace mlir::dist

#endif // DIST_DIALECT_DIST_ANALYSIS_UNIFORMITY_H
