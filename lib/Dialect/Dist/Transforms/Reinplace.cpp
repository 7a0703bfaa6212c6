//===- Reinplace.cpp - Async collectives become in-place --------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The way back from dist-functionalize where nothing overlaps: a start whose
// results only materialise in destinations is the synchronous in-place form.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Analysis/Views.h"
#include "Dialect/Dist/Transforms/Passes.h"
#include "InPlaceForms.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"

#define DEBUG_TYPE "dist-reinplace"

namespace mlir::dist {
#define GEN_PASS_DEF_REINPLACEPASS
#include "Dialect/Dist/Transforms/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;
using bufferization::MaterializeInDestinationOp;

namespace {
/// One start and the operations that bring its results to their destinations.
struct InPlaceChain {
  explicit InPlaceChain(CollectiveOpInterface start) : start(start) {}

  /// Whether some result materialises in a tensor at all: only then there is an
  /// opportunity, taken or declined.
  bool hasDestination() const;
  /// Fills the members. Empty when the chain is complete, else why it is not.
  std::string match(DominanceInfo &dominance);
  void rewrite();

private:
  std::string matchResult(Value future);
  std::string matchBetween();

  CollectiveOpInterface start;
  SmallVector<WaitOp> waits;
  SmallVector<tensor::CastOp> casts;
  SmallVector<MaterializeInDestinationOp> materialisations;
  /// Where the collective will be. The start, unless a destination is defined
  /// between the start and its only materialisation.
  Operation *position = nullptr;
};
} // namespace

bool InPlaceChain::hasDestination() const {
  for (Value future : start->getResults())
    for (Operation *wait : future.getUsers())
      if (isa<WaitOp>(wait))
        for (Value waited : wait->getResults())
          for (Operation *user : waited.getUsers()) {
            if (isa<tensor::CastOp>(user) && user->hasOneUse())
              user = *user->user_begin();
            auto op = dyn_cast<MaterializeInDestinationOp>(user);
            if (op && op.getNumResults() == 1)
              return true;
          }
  return false;
}

/// future -> wait -> [cast] -> materialisation, each the only use.
std::string InPlaceChain::matchResult(Value future) {
  if (!future.hasOneUse())
    return future.use_empty() ? "one of its results is never waited for"
                              : "its future has several uses";
  auto wait = dyn_cast<WaitOp>(*future.user_begin());
  if (!wait || wait->getBlock() != start->getBlock())
    return "its future is waited for in another block";
  auto found = llvm::find(wait.getFutures(), future);
  Value waited = wait.getResult(found - wait.getFutures().begin());
  if (waited.use_empty())
    return "one of its results is not materialised in a destination";
  if (!waited.hasOneUse())
    return "its result has other readers than the destination";
  Operation *user = *waited.user_begin();
  auto cast = dyn_cast<tensor::CastOp>(user);
  if (cast) {
    if (!cast->hasOneUse())
      return "its result has other readers than the destination";
    user = *cast->user_begin();
  }
  auto materialise = dyn_cast<MaterializeInDestinationOp>(user);
  if (!materialise || materialise->getBlock() != start->getBlock() ||
      materialise.getNumResults() != 1 ||
      materialise.getSource() != (cast ? cast.getResult() : waited))
    return "its result has other readers than the destination";
  if (!llvm::is_contained(waits, wait))
    waits.push_back(wait);
  if (cast)
    casts.push_back(cast);
  materialisations.push_back(materialise);
  return "";
}

/// Nothing but views may stand between the start and the last
/// materialisation: anything else overlaps with the collective.
std::string InPlaceChain::matchBetween() {
  SmallPtrSet<Operation *, 8> own(waits.begin(), waits.end());
  own.insert(casts.begin(), casts.end());
  own.insert(materialisations.begin(), materialisations.end());
  size_t left = own.size();
  for (Operation *op = start->getNextNode(); left != 0;
       op = op->getNextNode()) {
    if (own.contains(op)) {
      --left;
      continue;
    }
    if (!isTensorView(op))
      return ("'" + op->getName().getStringRef() +
              "' runs while the collective is in flight")
          .str();
  }
  return "";
}

std::string InPlaceChain::match(DominanceInfo &dominance) {
  for (Value future : start->getResults())
    if (std::string reason = matchResult(future); !reason.empty())
      return reason;
  // A wait that also waits for other futures stays theirs.
  for (WaitOp wait : waits)
    for (Value future : wait.getFutures())
      if (future.getDefiningOp() != start)
        return "its wait completes other collectives too";
  if (std::string reason = matchBetween(); !reason.empty())
    return reason;
  position = start;
  for (MaterializeInDestinationOp op : materialisations) {
    if (dominance.properlyDominates(op.getDest(), start))
      continue;
    if (materialisations.size() > 1)
      return "a destination is defined after the start";
    position = op;
  }
  return "";
}

void InPlaceChain::rewrite() {
  OpBuilder builder(position);
  SmallVector<Value> destinations;
  for (MaterializeInDestinationOp op : materialisations)
    destinations.push_back(op.getDest());
  CollectiveOpInterface into = createInto(builder, start, destinations);
  for (auto [op, result] :
       llvm::zip_equal(materialisations, into->getResults()))
    op.getResult().replaceAllUsesWith(result);
  for (Operation *op : materialisations)
    op->erase();
  for (Operation *op : casts)
    op->erase();
  for (Operation *op : waits)
    op->erase();
  start->erase();
}

namespace {
struct ReinplacePass : public dist::impl::ReinplacePassBase<ReinplacePass> {
  using ReinplacePassBase::ReinplacePassBase;

  void runOnOperation() override {
    SmallVector<CollectiveOpInterface> starts;
    getOperation()->walk([&](CollectiveOpInterface op) {
      if (op.isStart() && op.getDestinations().empty() &&
          llvm::all_of(op.getSources().getTypes(),
                       llvm::IsaPred<RankedTensorType>))
        starts.push_back(op);
    });
    auto &dominance = getAnalysis<DominanceInfo>();
    for (CollectiveOpInterface start : starts) {
      InPlaceChain chain(start);
      if (!chain.hasDestination())
        continue;
      if (std::string reason = chain.match(dominance); reason.empty())
        chain.rewrite();
      else
        start->emitRemark() << "not made in place: " << reason;
    }
  }
};
} // namespace
