//===- SplitWaits.cpp - A wait per future -----------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitWaits.h"

using namespace mlir;
using namespace mlir::dist;

void mlir::dist::splitWait(WaitOp wait, RewriterBase &rewriter) {
  if (wait.getFutures().size() == 1)
    return;
  rewriter.setInsertionPoint(wait);
  SmallVector<Value> results;
  // The n-th destination is the n-th memref future's.
  size_t nextDestination = 0;
  for (auto [future, result] :
       llvm::zip_equal(wait.getFutures(), wait.getResults())) {
    ValueRange destinations;
    if (cast<FutureType>(future.getType()).hasNamedDestination() &&
        !wait.getDestinations().empty())
      destinations = wait.getDestinations().slice(nextDestination++, 1);
    auto part = WaitOp::create(rewriter, wait.getLoc(), result.getType(),
                               future, wait.getKeeps(), destinations);
    part->setDiscardableAttrs(wait->getDiscardableAttrDictionary());
    results.push_back(part.getResult(0));
  }
  rewriter.replaceOp(wait, results);
}

/// The first operation of its block that reads `value`, or something inside of
/// which does; null without one.
static Operation *getFirstReader(Value value) {
  Operation *first = nullptr;
  for (Operation *user : value.getUsers()) {
    Operation *reader = value.getParentBlock()->findAncestorOpInBlock(*user);
    if (reader && (!first || reader->isBeforeInBlock(first)))
      first = reader;
  }
  return first;
}

void mlir::dist::splitWaitsByReader(Operation *root) {
  SmallVector<WaitOp> waits;
  root->walk([&](WaitOp wait) {
    Operation *first = getFirstReader(wait.getResult(0));
    // Who reads a buffer need not name the wait's result.
    if (wait.getNumResults() > 1 &&
        llvm::any_of(wait.getResults(), [&](Value result) {
          return isa<MemRefType>(result.getType()) ||
                 getFirstReader(result) != first;
        }))
      waits.push_back(wait);
  });
  IRRewriter rewriter(root->getContext());
  for (WaitOp wait : waits)
    splitWait(wait, rewriter);
}
