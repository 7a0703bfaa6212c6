//===- UnprotectLoops.cpp -------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What would happen to a future that shows its destination: in a loop,
// bufferization copies a buffer that is not the iteration argument's, and copies
// it while the collective is in flight.
//
//===----------------------------------------------------------------------===//

#include "Unprotect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::dist;

/// Gives the collective behind `future` a buffer that is visible to all and
/// returns it; null when no start is behind it.
static Value showDestination(Value future, RewriterBase &rewriter) {
  auto start = future.getDefiningOp<AllGatherOp>();
  if (!start || start.getSources().size() != 1)
    return {};
  auto payload = cast<FutureType>(future.getType()).getPayload();
  auto type = MemRefType::get(payload.getShape(), payload.getElementType());
  rewriter.setInsertionPoint(start);
  Value buffer = memref::AllocOp::create(rewriter, start.getLoc(), type);
  start.getDestinationsMutable().assign(buffer);
  future.setType(FutureType::get(type));
  return buffer;
}

static Value copyOf(Value buffer, Operation *before, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(before);
  Value copy = memref::AllocOp::create(rewriter, before->getLoc(),
                                       cast<MemRefType>(buffer.getType()));
  memref::CopyOp::create(rewriter, before->getLoc(), buffer, copy);
  return copy;
}

/// Waits of `future` have their data from `buffer`.
static void takeDataFrom(Value future, Value buffer, RewriterBase &rewriter) {
  for (Operation *user : llvm::make_early_inc_range(future.getUsers())) {
    auto wait = dyn_cast<WaitOp>(user);
    if (!wait)
      continue;
    rewriter.setInsertionPoint(wait);
    WaitOp::create(rewriter, wait.getLoc(), buffer.getType(), future,
                   wait.getKeeps(), ValueRange());
    rewriter.replaceOp(wait, buffer);
  }
}

static void carryDestination(scf::ForOp loop, unsigned index,
                             RewriterBase &rewriter) {
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  Value first = showDestination(loop.getInitArgs()[index], rewriter);
  Value next = showDestination(yield.getOperand(index), rewriter);
  if (!first || !next)
    return;
  Value copy = copyOf(next, yield, rewriter);
  Type type = loop.getInitArgs()[index].getType();
  rewriter.setInsertionPoint(loop);
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
        return SmallVector<Value>{copy};
      });
  if (failed(replaced))
    return;
  auto newLoop = cast<scf::ForOp>(**replaced);
  newLoop.getRegionIterArg(index).setType(type);
  newLoop.getResult(index).setType(type);
  takeDataFrom(newLoop.getRegionIterArg(index),
               newLoop.getRegionIterArgs().back(), rewriter);
  takeDataFrom(newLoop.getResult(index), newLoop.getResults().back(), rewriter);
}

void mlir::dist::test::carryDestinations(ModuleOp module,
                                         RewriterBase &rewriter) {
  SmallVector<std::pair<scf::ForOp, unsigned>> carried;
  module.walk([&](scf::ForOp loop) {
    for (auto [index, init] : llvm::enumerate(loop.getInitArgs()))
      if (isa<FutureType>(init.getType())) {
        carried.push_back({loop, index});
        break;
      }
  });
  for (auto [loop, index] : carried)
    carryDestination(loop, index, rewriter);
}
