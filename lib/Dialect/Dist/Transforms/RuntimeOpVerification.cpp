//===- RuntimeOpVerification.cpp ------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The sizes that a program leaves open, compared where a collective is issued.
// The runtime compares them as well; a check in the program can be moved,
// merged and folded by other passes, and names the operation.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Transforms/RuntimeOpVerification.h"
#include "Dialect/Dist/Analysis/Communicators.h"
#include "Dialect/Dist/IR/Dist.h"
#include "Dialect/Dist/Utils/Collectives.h"
#include "Dialect/Dist/Utils/Groups.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"

using namespace mlir;
using namespace mlir::dist;

namespace {
/// Emits the checks of one collective before it.
class SizeChecks {
public:
  using MakeMessage = function_ref<std::string(Operation *, StringRef)>;

  SizeChecks(CollectiveOpInterface op, OpBuilder &builder, Location loc,
             MakeMessage makeMessage)
      : op(op), builder(builder), loc(loc), makeMessage(makeMessage) {}

  void run() {
    for (unsigned index = 0, e = op.getSources().size(); index != e; ++index)
      for (int64_t dim = 0, rank = op.getPayloadType(index).getRank();
           dim != rank; ++dim) {
        checkDivides(index, dim);
        checkResult(index, dim);
      }
  }

private:
  void checkDivides(unsigned index, int64_t dim);
  void checkResult(unsigned index, int64_t dim);

  /// "size of dim 1 of source 0", with the size where it is known.
  std::string describe(StringRef what, unsigned index, int64_t dim,
                       ShapedType type) {
    std::string text = "size ";
    if (!type.isDynamicDim(dim))
      text += std::to_string(type.getDimSize(dim)) + " ";
    return text + "of dim " + std::to_string(dim) + " of " + what.str() + " " +
           std::to_string(index);
  }

  std::string describeSource(unsigned index, int64_t dim) {
    return describe("source", index, dim,
                    cast<ShapedType>(op.getSources()[index].getType()));
  }

  /// "the size of group @g", with the number where it is known.
  std::string describeGroup() {
    std::string text = "the size ";
    if (std::optional<int64_t> size = getGroupSize(op.getGroup(), op))
      text += std::to_string(*size) + " ";
    return text + "of group " + getGroupName(op.getGroup());
  }

  void check(Value condition, const std::string &message) {
    // What folds to true needs no check.
    if (matchPattern(condition, m_One()))
      return;
    cf::AssertOp::create(builder, loc, condition, makeMessage(op, message));
  }

  CollectiveOpInterface op;
  OpBuilder &builder;
  Location loc;
  MakeMessage makeMessage;
};
} // namespace

void SizeChecks::checkDivides(unsigned index, int64_t dim) {
  SizeChange change = ShapeRule::get(op).getChange(dim);
  if (change != SizeChange::Divided && change != SizeChange::Recut)
    return;
  auto type = cast<ShapedType>(op.getSources()[index].getType());
  // The verifier has compared what is static.
  if (!type.isDynamicDim(dim) && getGroupSize(op.getGroup(), op))
    return;
  Value size = getValueOrCreateConstantIndexOp(
      builder, loc, getMixedSize(builder, loc, op.getSources()[index], dim));
  auto groupSize = builder.createOrFold<GroupSizeOp>(
      loc, builder.getIndexType(), op.getGroup());
  auto rest = builder.createOrFold<arith::RemUIOp>(loc, size, groupSize);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  check(builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, rest,
                                            zero),
        describeSource(index, dim) + " is not divisible by " +
            describeGroup());
}

void SizeChecks::checkResult(unsigned index, int64_t dim) {
  bool isNamed = !op.getDestinations().empty();
  ShapedType result = op.getPayloadType(index);
  // A fresh result has the size that it gets, unless its type promises one.
  if (!isNamed && result.isDynamicDim(dim))
    return;
  SizeChange change = ShapeRule::get(op).getChange(dim);
  bool isScaled =
      change == SizeChange::Multiplied || change == SizeChange::Divided;
  auto source = cast<ShapedType>(op.getSources()[index].getType());
  if (!source.isDynamicDim(dim) && !result.isDynamicDim(dim) &&
      (!isScaled || getGroupSize(op.getGroup(), op)))
    return;
  OpFoldResult found =
      isNamed ? getMixedSize(builder, loc, op.getDestinations()[index], dim)
              : OpFoldResult(builder.getIndexAttr(result.getDimSize(dim)));
  Value expected = getValueOrCreateConstantIndexOp(
      builder, loc, reifyResultSize(builder, loc, op, index, dim));
  std::string message =
      describe(isNamed ? "destination" : "result", index, dim, result) +
      " is not the " + describeSource(index, dim);
  if (isScaled)
    message += (change == SizeChange::Multiplied ? " times " : " over ") +
               describeGroup();
  check(builder.createOrFold<arith::CmpIOp>(
            loc, arith::CmpIPredicate::eq,
            getValueOrCreateConstantIndexOp(builder, loc, found), expected),
        message);
}

namespace {
template <typename Op>
struct SizeModel
    : public RuntimeVerifiableOpInterface::ExternalModel<SizeModel<Op>, Op> {
  void generateRuntimeVerification(
      Operation *op, OpBuilder &builder, Location loc,
      function_ref<std::string(Operation *, StringRef)> makeMessage) const {
    SizeChecks(cast<CollectiveOpInterface>(op), builder, loc, makeMessage)
        .run();
  }
};

template <typename... Ops>
void attachSizeModels(MLIRContext *context) {
  (Ops::template attachInterface<SizeModel<Ops>>(*context), ...);
}
} // namespace

void mlir::dist::registerRuntimeVerifiableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, DistDialect *) {
    context->loadDialect<arith::ArithDialect, cf::ControlFlowDialect>();
    attachSizeModels<AllGatherOp, AllReduceOp, ReduceScatterOp, BroadcastOp,
                     AllToAllOp, PermuteOp, ReduceOp>(context);
    attachSizeModels<AllGatherIntoOp, AllReduceIntoOp, ReduceScatterIntoOp,
                     BroadcastIntoOp, AllToAllIntoOp, PermuteIntoOp,
                     ReduceIntoOp>(context);
  });
}
