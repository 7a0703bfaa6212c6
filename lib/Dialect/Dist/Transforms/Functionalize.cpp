//===- Functionalize.cpp - In-place collectives become async ----*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A synchronous collective hides its wait. Taken apart, the scheduler can move
// the two halves.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Transforms/Passes.h"
#include "InPlaceForms.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#define DEBUG_TYPE "dist-functionalize"

namespace mlir::dist {
#define GEN_PASS_DEF_FUNCTIONALIZEPASS
#include "Dialect/Dist/Transforms/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

/// Type of the tensor in flight. The collectives that keep the shape infer it
/// from the source, which may know less or more than the destination.
static Type getInFlightType(CollectiveOpInterface into, unsigned index) {
  auto destination =
      cast<RankedTensorType>(into.getDestinations()[index].getType());
  if (into.getCollectiveDim())
    return RankedTensorType::get(destination.getShape(),
                                 destination.getElementType());
  auto source = cast<RankedTensorType>(into.getSources()[index].getType());
  return RankedTensorType::get(source.getShape(), source.getElementType());
}

/// start + wait + materialisation in the destination.
static void functionalizeTensors(OpBuilder &builder,
                                 CollectiveOpInterface into) {
  Location loc = into.getLoc();
  SmallVector<Type> futures;
  for (unsigned i = 0, e = into.getSources().size(); i != e; ++i)
    futures.push_back(
        FutureType::get(cast<ShapedType>(getInFlightType(into, i))));
  CollectiveOpInterface start = createStart(builder, into, futures);
  SmallVector<Value> results;
  for (auto [future, destination] :
       llvm::zip_equal(start->getResults(), into.getDestinations())) {
    Value waited =
        WaitOp::create(
            builder, loc,
            TypeRange(cast<FutureType>(future.getType()).getPayload()), future,
            ValueRange(), ValueRange())
            .getResult(0);
    auto type = cast<RankedTensorType>(destination.getType());
    auto plain = RankedTensorType::get(type.getShape(), type.getElementType());
    if (waited.getType() != plain)
      waited = tensor::CastOp::create(builder, loc, plain, waited);
    results.push_back(bufferization::MaterializeInDestinationOp::create(
                          builder, loc, waited, destination)
                          .getResult());
  }
  into->replaceAllUsesWith(results);
  into->erase();
}

/// start with named destinations + waits that name all buffers.
static void functionalizeMemRefs(OpBuilder &builder,
                                 CollectiveOpInterface into) {
  SmallVector<Type> futures;
  for (Type type : into.getDestinations().getTypes())
    futures.push_back(FutureType::get(cast<ShapedType>(type)));
  CollectiveOpInterface start = createStart(builder, into, futures);
  for (auto [future, source, destination] : llvm::zip_equal(
           start->getResults(), start.getSources(), start.getDestinations()))
    WaitOp::create(builder, into.getLoc(), TypeRange(destination.getType()),
                   future, source, destination);
  into->erase();
}

namespace {
struct FunctionalizePass
    : public dist::impl::FunctionalizePassBase<FunctionalizePass> {
  using FunctionalizePassBase::FunctionalizePassBase;

  void runOnOperation() override {
    SmallVector<CollectiveOpInterface> intoOps;
    getOperation()->walk([&](CollectiveOpInterface op) {
      if (isIntoOp(op))
        intoOps.push_back(op);
    });
    OpBuilder builder(&getContext());
    for (CollectiveOpInterface into : intoOps) {
      builder.setInsertionPoint(into);
      if (into->getNumResults() == 0)
        functionalizeMemRefs(builder, into);
      else
        functionalizeTensors(builder, into);
    }
  }
};
} // namespace
