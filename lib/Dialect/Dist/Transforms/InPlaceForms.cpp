//===- InPlaceForms.cpp - Starts and their in-place forms -------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InPlaceForms.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::dist;

bool mlir::dist::isIntoOp(Operation *op) {
  return isa<AllGatherIntoOp, AllReduceIntoOp, ReduceScatterIntoOp,
             BroadcastIntoOp, AllToAllIntoOp, PermuteIntoOp, ReduceIntoOp>(op);
}

/// Discardable attributes belong to the collective, whatever its form.
static CollectiveOpInterface finish(Operation *created, Operation *from) {
  created->setDiscardableAttrs(from->getDiscardableAttrDictionary());
  return cast<CollectiveOpInterface>(created);
}

CollectiveOpInterface mlir::dist::createStart(OpBuilder &b,
                                              CollectiveOpInterface into,
                                              TypeRange futures) {
  Location loc = into.getLoc();
  ValueRange sources = into.getSources();
  SmallVector<Value> named;
  if (!isa<RankedTensorType>(into.getDestinations().front().getType()))
    named = llvm::to_vector(into.getDestinations());
  GroupAttr group = into.getGroup();
  ValueRange none;
  Operation *start =
      llvm::TypeSwitch<Operation *, Operation *>(into)
          .Case([&](AllGatherIntoOp op) {
            return AllGatherOp::create(b, loc, futures, sources, named, none,
                                       group, nullptr, op.getDimAttr());
          })
          .Case([&](AllReduceIntoOp op) {
            return AllReduceOp::create(b, loc, futures, sources, named, none,
                                       group, nullptr, op.getReductionAttr(),
                                       op.getFactors());
          })
          .Case([&](ReduceScatterIntoOp op) {
            return ReduceScatterOp::create(
                b, loc, futures, sources, named, none, group, nullptr,
                op.getReductionAttr(), op.getDimAttr(), op.getFactors());
          })
          .Case([&](BroadcastIntoOp op) {
            return BroadcastOp::create(b, loc, futures, sources, named, none,
                                       group, nullptr, op.getRootAttr());
          })
          .Case([&](AllToAllIntoOp op) {
            return AllToAllOp::create(b, loc, futures, sources, named, none,
                                      group, nullptr, op.getSplitDimAttr(),
                                      op.getConcatDimAttr());
          })
          .Case([&](PermuteIntoOp op) {
            return PermuteOp::create(b, loc, futures, sources, named, none,
                                     group, nullptr, op.getPairsAttr());
          })
          .Case([&](ReduceIntoOp op) {
            return ReduceOp::create(b, loc, futures, sources, named, none,
                                    group, nullptr, op.getReductionAttr(),
                                    op.getRootAttr(), op.getFactors());
          });
  return finish(start, into);
}

CollectiveOpInterface mlir::dist::createInto(OpBuilder &b,
                                             CollectiveOpInterface start,
                                             ValueRange destinations) {
  Location loc = start.getLoc();
  ValueRange sources = start.getSources();
  TypeRange types = destinations.getTypes();
  GroupAttr group = start.getGroup();
  Operation *into =
      llvm::TypeSwitch<Operation *, Operation *>(start)
          .Case([&](AllGatherOp op) {
            return AllGatherIntoOp::create(b, loc, types, sources, destinations,
                                           group, op.getDimAttr());
          })
          .Case([&](AllReduceOp op) {
            return AllReduceIntoOp::create(b, loc, types, sources, destinations,
                                           group, op.getReductionAttr(),
                                           op.getFactors());
          })
          .Case([&](ReduceScatterOp op) {
            return ReduceScatterIntoOp::create(
                b, loc, types, sources, destinations, group,
                op.getReductionAttr(), op.getDimAttr(), op.getFactors());
          })
          .Case([&](BroadcastOp op) {
            return BroadcastIntoOp::create(b, loc, types, sources, destinations,
                                           group, op.getRootAttr());
          })
          .Case([&](AllToAllOp op) {
            return AllToAllIntoOp::create(b, loc, types, sources, destinations,
                                          group, op.getSplitDimAttr(),
                                          op.getConcatDimAttr());
          })
          .Case([&](PermuteOp op) {
            return PermuteIntoOp::create(b, loc, types, sources, destinations,
                                         group, op.getPairsAttr());
          })
          .Case([&](ReduceOp op) {
            return ReduceIntoOp::create(b, loc, types, sources, destinations,
                                        group, op.getReductionAttr(),
                                        op.getRootAttr(), op.getFactors());
          });
  return finish(into, start);
}
