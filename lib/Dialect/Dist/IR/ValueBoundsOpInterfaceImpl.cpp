//===- ValueBoundsOpInterfaceImpl.cpp -------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/IR/ValueBoundsOpInterfaceImpl.h"
#include "Dialect/Dist/IR/Dist.h"
#include "Dialect/Dist/Utils/Collectives.h"
#include "Dialect/Dist/Utils/Groups.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::dist;

/// Bounds what source `index` of `op` becomes along `dim`, which is `value`'s.
static void boundResultSize(CollectiveOpInterface op, unsigned index,
                            Value value, int64_t dim,
                            ValueBoundsConstraintSet &cstr) {
  AffineExpr size = cstr.getExpr(op.getSources()[index], dim);
  std::optional<int64_t> groupSize = getGroupSize(op.getGroup(), op);
  switch (ShapeRule::get(op).getChange(dim)) {
  case SizeChange::Same:
  case SizeChange::Recut:
    cstr.bound(value)[dim] == size;
    return;
  case SizeChange::Multiplied:
    // A group has at least one member.
    if (groupSize)
      cstr.bound(value)[dim] == size * *groupSize;
    else
      cstr.bound(value)[dim] >= size;
    return;
  case SizeChange::Divided:
    if (groupSize)
      cstr.bound(value)[dim] == size.floorDiv(*groupSize);
    else
      cstr.bound(value)[dim] <= size;
    return;
  }
}

namespace {
struct RankModel
    : public ValueBoundsOpInterface::ExternalModel<RankModel, RankOp> {
  void populateBoundsForIndexValue(Operation *op, Value value,
                                   ValueBoundsConstraintSet &cstr) const {
    std::optional<GroupAttr> group = cast<RankOp>(op).getGroup();
    std::optional<int64_t> size;
    if (group)
      size = dist::getGroupSize(*group, op);
    // On a rank outside of a group the position is -1; a mesh has none.
    cstr.bound(value) >= (group && !group->isMesh() ? -1 : 0);
    cstr.bound(value) < size.value_or(kMaxWorldSize);
  }
};

struct GroupSizeModel
    : public ValueBoundsOpInterface::ExternalModel<GroupSizeModel,
                                                   GroupSizeOp> {
  void populateBoundsForIndexValue(Operation *op, Value value,
                                   ValueBoundsConstraintSet &cstr) const {
    std::optional<GroupAttr> group = cast<GroupSizeOp>(op).getGroup();
    std::optional<int64_t> size;
    if (group)
      size = dist::getGroupSize(*group, op);
    if (size) {
      cstr.bound(value) == *size;
      return;
    }
    cstr.bound(value) >= 1;
    cstr.bound(value) <= kMaxWorldSize;
  }
};

struct WaitModel
    : public ValueBoundsOpInterface::ExternalModel<WaitModel, WaitOp> {
  void populateBoundsForShapedValueDim(Operation *op, Value value, int64_t dim,
                                       ValueBoundsConstraintSet &cstr) const {
    // A future that comes from elsewhere (a loop, a call) does not say its
    // size.
    Value future =
        cast<WaitOp>(op).getFutures()[cast<OpResult>(value).getResultNumber()];
    auto start = future.getDefiningOp<CollectiveOpInterface>();
    if (!start)
      return;
    unsigned index = cast<OpResult>(future).getResultNumber();
    if (!start.getDestinations().empty())
      cstr.bound(value)[dim] ==
          cstr.getExpr(start.getDestinations()[index], dim);
    boundResultSize(start, index, value, dim, cstr);
  }
};

/// The result is the destination after the collective.
template <typename IntoOp>
struct IntoModel
    : public ValueBoundsOpInterface::ExternalModel<IntoModel<IntoOp>, IntoOp> {
  void populateBoundsForShapedValueDim(Operation *op, Value value, int64_t dim,
                                       ValueBoundsConstraintSet &cstr) const {
    auto into = cast<CollectiveOpInterface>(op);
    unsigned index = cast<OpResult>(value).getResultNumber();
    cstr.bound(value)[dim] == cstr.getExpr(into.getDestinations()[index], dim);
    boundResultSize(into, index, value, dim, cstr);
  }
};

template <typename... IntoOps>
void attachIntoModels(MLIRContext *context) {
  (IntoOps::template attachInterface<IntoModel<IntoOps>>(*context), ...);
}
} // namespace

void mlir::dist::registerValueBoundsOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, DistDialect *) {
    RankOp::attachInterface<RankModel>(*context);
    GroupSizeOp::attachInterface<GroupSizeModel>(*context);
    WaitOp::attachInterface<WaitModel>(*context);
    attachIntoModels<AllGatherIntoOp, AllReduceIntoOp, ReduceScatterIntoOp,
                     BroadcastIntoOp, AllToAllIntoOp, PermuteIntoOp,
                     ReduceIntoOp>(context);
  });
}
