//===- Builders.cpp - What an embedder builds with --------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builders that infer futures and results from sources, destinations and group.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "Dialect/Dist/IR/Dist.h"
#include "Dialect/Dist/Utils/Collectives.h"
#include "Dialect/Dist/Utils/Groups.h"

using namespace mlir;
using namespace mlir::dist;

/// Size of `group` where `builder` inserts; nullopt without a block, for then
/// there are no symbols to look up.
static std::optional<int64_t> getGroupSizeAt(OpBuilder &builder,
                                             GroupAttr group) {
  if (group.isTable())
    return group.getGroupSize();
  Block *block = builder.getInsertionBlock();
  Operation *parent = block ? block->getParentOp() : nullptr;
  return parent ? getGroupSize(group, parent) : std::nullopt;
}

SmallVector<Type> mlir::dist::inferFutureTypes(ShapeRule rule,
                                               TypeRange sources,
                                               std::optional<int64_t> size) {
  return llvm::map_to_vector(sources, [&](Type source) -> Type {
    auto type = cast<ShapedType>(source);
    return FutureType::get(
        RankedTensorType::get(inferCollectiveShape(rule, type.getShape(), size),
                              type.getElementType()));
  });
}

static SmallVector<Type> getFuturesOf(ValueRange destinations) {
  return llvm::map_to_vector(destinations, [](Value destination) -> Type {
    return FutureType::get(cast<ShapedType>(destination.getType()));
  });
}

/// Results of a synchronous form: tensor destinations after the collective.
static SmallVector<Type> getResultsOf(ValueRange destinations) {
  return llvm::filter_to_vector(destinations.getTypes(),
                                llvm::IsaPred<RankedTensorType>);
}

//===----------------------------------------------------------------------===//
// Starts
//===----------------------------------------------------------------------===//

void AllGatherOp::build(OpBuilder &builder, OperationState &state,
                        ValueRange sources, int64_t dim, GroupAttr group) {
  build(builder, state,
        inferFutureTypes({CollectiveKind::AllGather, dim}, sources.getTypes(),
                         getGroupSizeAt(builder, group)),
        sources, /*destinations=*/{}, /*owned=*/{}, group,
        /*source_modes=*/nullptr, dim);
}

void AllGatherOp::build(OpBuilder &builder, OperationState &state,
                        ValueRange sources, ValueRange destinations,
                        int64_t dim, GroupAttr group) {
  build(builder, state, getFuturesOf(destinations), sources, destinations,
        /*owned=*/{}, group, /*source_modes=*/nullptr, dim);
}

void AllReduceOp::build(OpBuilder &builder, OperationState &state,
                        ValueRange sources, Reduction reduction,
                        GroupAttr group, ValueRange factors) {
  build(builder, state,
        inferFutureTypes({CollectiveKind::AllReduce}, sources.getTypes(),
                         std::nullopt),
        sources, /*destinations=*/{}, /*owned=*/{}, group,
        /*source_modes=*/nullptr, reduction, factors);
}

void AllReduceOp::build(OpBuilder &builder, OperationState &state,
                        ValueRange sources, ValueRange destinations,
                        Reduction reduction, GroupAttr group,
                        ValueRange factors) {
  build(builder, state, getFuturesOf(destinations), sources, destinations,
        /*owned=*/{}, group, /*source_modes=*/nullptr, reduction, factors);
}

void ReduceScatterOp::build(OpBuilder &builder, OperationState &state,
                            ValueRange sources, Reduction reduction,
                            int64_t dim, GroupAttr group, ValueRange factors) {
  build(builder, state,
        inferFutureTypes({CollectiveKind::ReduceScatter, dim},
                         sources.getTypes(), getGroupSizeAt(builder, group)),
        sources, /*destinations=*/{}, /*owned=*/{}, group,
        /*source_modes=*/nullptr, reduction, dim, factors);
}

void ReduceScatterOp::build(OpBuilder &builder, OperationState &state,
                            ValueRange sources, ValueRange destinations,
                            Reduction reduction, int64_t dim, GroupAttr group,
                            ValueRange factors) {
  build(builder, state, getFuturesOf(destinations), sources, destinations,
        /*owned=*/{}, group, /*source_modes=*/nullptr, reduction, dim, factors);
}

void BroadcastOp::build(OpBuilder &builder, OperationState &state,
                        ValueRange sources, int64_t root, GroupAttr group) {
  build(builder, state,
        inferFutureTypes({CollectiveKind::Broadcast}, sources.getTypes(),
                         std::nullopt),
        sources, /*destinations=*/{}, /*owned=*/{}, group,
        /*source_modes=*/nullptr, root);
}

void BroadcastOp::build(OpBuilder &builder, OperationState &state,
                        ValueRange sources, ValueRange destinations,
                        int64_t root, GroupAttr group) {
  build(builder, state, getFuturesOf(destinations), sources, destinations,
        /*owned=*/{}, group, /*source_modes=*/nullptr, root);
}

void AllToAllOp::build(OpBuilder &builder, OperationState &state,
                       ValueRange sources, int64_t splitDim, int64_t concatDim,
                       GroupAttr group) {
  build(builder, state,
        inferFutureTypes({CollectiveKind::AllToAll, splitDim, concatDim},
                         sources.getTypes(), getGroupSizeAt(builder, group)),
        sources, /*destinations=*/{}, /*owned=*/{}, group,
        /*source_modes=*/nullptr, splitDim, concatDim);
}

void AllToAllOp::build(OpBuilder &builder, OperationState &state,
                       ValueRange sources, ValueRange destinations,
                       int64_t splitDim, int64_t concatDim, GroupAttr group) {
  build(builder, state, getFuturesOf(destinations), sources, destinations,
        /*owned=*/{}, group, /*source_modes=*/nullptr, splitDim, concatDim);
}

void PermuteOp::build(OpBuilder &builder, OperationState &state,
                      ValueRange sources, ArrayRef<int64_t> pairs,
                      GroupAttr group) {
  build(builder, state,
        inferFutureTypes({CollectiveKind::Permute}, sources.getTypes(),
                         std::nullopt),
        sources, /*destinations=*/{}, /*owned=*/{}, group,
        /*source_modes=*/nullptr, pairs);
}

void PermuteOp::build(OpBuilder &builder, OperationState &state,
                      ValueRange sources, ValueRange destinations,
                      ArrayRef<int64_t> pairs, GroupAttr group) {
  build(builder, state, getFuturesOf(destinations), sources, destinations,
        /*owned=*/{}, group, /*source_modes=*/nullptr, pairs);
}

void ReduceOp::build(OpBuilder &builder, OperationState &state,
                     ValueRange sources, Reduction reduction, int64_t root,
                     GroupAttr group, ValueRange factors) {
  build(builder, state,
        inferFutureTypes({CollectiveKind::Reduce}, sources.getTypes(),
                         std::nullopt),
        sources, /*destinations=*/{}, /*owned=*/{}, group,
        /*source_modes=*/nullptr, reduction, root, factors);
}

void ReduceOp::build(OpBuilder &builder, OperationState &state,
                     ValueRange sources, ValueRange destinations,
                     Reduction reduction, int64_t root, GroupAttr group,
                     ValueRange factors) {
  build(builder, state, getFuturesOf(destinations), sources, destinations,
        /*owned=*/{}, group, /*source_modes=*/nullptr, reduction, root,
        factors);
}

//===----------------------------------------------------------------------===//
// Synchronous in-place forms
//===----------------------------------------------------------------------===//

void AllGatherIntoOp::build(OpBuilder &builder, OperationState &state,
                            ValueRange sources, ValueRange destinations,
                            int64_t dim, GroupAttr group) {
  build(builder, state, getResultsOf(destinations), sources, destinations,
        group, dim);
}

void AllReduceIntoOp::build(OpBuilder &builder, OperationState &state,
                            ValueRange sources, ValueRange destinations,
                            Reduction reduction, GroupAttr group,
                            ValueRange factors) {
  build(builder, state, getResultsOf(destinations), sources, destinations,
        group, reduction, factors);
}

void ReduceScatterIntoOp::build(OpBuilder &builder, OperationState &state,
                                ValueRange sources, ValueRange destinations,
                                Reduction reduction, int64_t dim,
                                GroupAttr group, ValueRange factors) {
  build(builder, state, getResultsOf(destinations), sources, destinations,
        group, reduction, dim, factors);
}

void BroadcastIntoOp::build(OpBuilder &builder, OperationState &state,
                            ValueRange sources, ValueRange destinations,
                            int64_t root, GroupAttr group) {
  build(builder, state, getResultsOf(destinations), sources, destinations,
        group, root);
}

void AllToAllIntoOp::build(OpBuilder &builder, OperationState &state,
                           ValueRange sources, ValueRange destinations,
                           int64_t splitDim, int64_t concatDim,
                           GroupAttr group) {
  build(builder, state, getResultsOf(destinations), sources, destinations,
        group, splitDim, concatDim);
}

void PermuteIntoOp::build(OpBuilder &builder, OperationState &state,
                          ValueRange sources, ValueRange destinations,
                          ArrayRef<int64_t> pairs, GroupAttr group) {
  build(builder, state, getResultsOf(destinations), sources, destinations,
        group, pairs);
}

void ReduceIntoOp::build(OpBuilder &builder, OperationState &state,
                         ValueRange sources, ValueRange destinations,
                         Reduction reduction, int64_t root, GroupAttr group,
                         ValueRange factors) {
  build(builder, state, getResultsOf(destinations), sources, destinations,
        group, reduction, root, factors);
}

//===----------------------------------------------------------------------===//
// WaitOp
//===----------------------------------------------------------------------===//

void WaitOp::build(OpBuilder &builder, OperationState &state, Value future) {
  build(builder, state, ValueRange(future), /*keeps=*/ValueRange());
}

void WaitOp::build(OpBuilder &builder, OperationState &state,
                   ValueRange futures, ValueRange keeps) {
  build(builder, state, futures, keeps, /*destinations=*/ValueRange());
}
