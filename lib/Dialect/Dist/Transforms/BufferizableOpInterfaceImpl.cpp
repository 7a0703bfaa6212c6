//===- BufferizableOpInterfaceImpl.cpp ------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// One-Shot bufferization knows nothing of futures, and that is what makes them
// safe: a future stays an opaque handle that owns its destination, so in flight
// there is no buffer that a pass could copy, reuse or free. What One-Shot must
// know stands in ordinary tensor operands: a start reads its sources, and every
// wait that the future can reach reads them again through `keeps`. A writer in
// between is then a conflict, and One-Shot gives it a copy.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Transforms/BufferizableOpInterfaceImpl.h"
#include "Dialect/Dist/Analysis/OwnSlot.h"
#include "Dialect/Dist/IR/Dist.h"
#include "Dialect/Dist/Utils/Collectives.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace mlir::dist {
namespace {

/// Replaces the tensors in `operands` by their buffers, in place: the results
/// are futures or nothing, so no user sees a difference.
LogicalResult bufferizeOperands(Operation *op, MutableOperandRange operands,
                                RewriterBase &rewriter,
                                const BufferizationOptions &options,
                                BufferizationState &state) {
  SmallVector<Value> buffers;
  for (OpOperand &operand : operands) {
    if (!isa<TensorType>(operand.get().getType())) {
      buffers.push_back(operand.get());
      continue;
    }
    FailureOr<Value> buffer =
        getBuffer(rewriter, operand.get(), options, state);
    if (failed(buffer))
      return failure();
    buffers.push_back(*buffer);
  }
  rewriter.modifyOpInPlace(op, [&] { operands.assign(buffers); });
  return success();
}

//===----------------------------------------------------------------------===//
// Starts
//===----------------------------------------------------------------------===//

/// A start reads its sources and makes no tensor. Donating a source counts as
/// writing it: whoever reads it later gets a copy.
template <typename StartOp>
struct StartModel
    : public BufferizableOpInterface::ExternalModel<StartModel<StartOp>,
                                                    StartOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand,
                               const AnalysisState &) const {
    auto start = cast<StartOp>(op);
    unsigned index =
        operand.getOperandNumber() - start.getSources().getBeginOperandIndex();
    return start.getSourceMode(index) == SourceMode::Donate;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    return bufferizeOperands(op, cast<StartOp>(op).getSourcesMutable(),
                             rewriter, options, state);
  }
};

/// The buffer that `memref` shows a part of.
Value stripViews(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// A donated source moves into the future: the block that owned it does not
/// free it any more. Whether it was owned may be known at run time only; then
/// the runtime copies what it does not get.
template <typename StartOp>
struct StartDeallocationModel
    : public BufferDeallocationOpInterface::ExternalModel<
          StartDeallocationModel<StartOp>, StartOp> {
  FailureOr<Operation *> process(Operation *op, DeallocationState &state,
                                 const DeallocationOptions &) const {
    auto start = cast<StartOp>(op);
    OpBuilder builder(op);
    Block *block = op->getBlock();
    Value never;
    SmallVector<Value> owned;
    for (auto [index, source] : llvm::enumerate(start.getSources())) {
      if (start.getSourceMode(index) != SourceMode::Donate)
        continue;
      if (!never)
        never = arith::ConstantIntOp::create(builder, op->getLoc(), 0, 1);
      Value base = stripViews(source);
      Ownership ownership = state.getOwnership(base, block);
      if (base.getParentBlock() != block || !ownership.isUnique()) {
        owned.push_back(never);
        continue;
      }
      owned.push_back(ownership.getIndicator());
      state.dropMemrefToDeallocate(base, block);
      for (Value memref = source;;
           memref =
               memref.getDefiningOp<ViewLikeOpInterface>().getViewSource()) {
        state.resetOwnerships(memref, block);
        state.updateOwnership(memref, Ownership(never));
        if (memref == base)
          break;
      }
    }
    start.getOwnedMutable().assign(owned);
    return op;
  }
};

//===----------------------------------------------------------------------===//
// Waits, drops and keeps
//===----------------------------------------------------------------------===//

/// What waits, drops and keeps share: they read what they keep.
template <typename Model, typename OpTy>
struct KeepModelBase
    : public BufferizableOpInterface::ExternalModel<Model, OpTy> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }
};

template <typename OpTy>
struct KeepModel : public KeepModelBase<KeepModel<OpTy>, OpTy> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    return bufferizeOperands(op, cast<OpTy>(op).getKeepsMutable(), rewriter,
                             options, state);
  }
};

/// A wait is an allocation: the destination moves out of the future.
struct WaitModel : public KeepModelBase<WaitModel, WaitOp> {
  bool bufferizesToAllocation(Operation *, Value) const { return true; }

  FailureOr<BufferLikeType> getBufferType(Operation *, Value value,
                                          const BufferizationOptions &options,
                                          const BufferizationState &,
                                          SmallVector<Value> &) const {
    auto tensor = cast<RankedTensorType>(value.getType());
    std::optional<Attribute> memorySpace = options.defaultMemorySpaceFn(tensor);
    return cast<BufferLikeType>(Type(getMemRefTypeWithStaticIdentityLayout(
        tensor, memorySpace.value_or(Attribute()))));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto wait = cast<WaitOp>(op);
    if (failed(bufferizeOperands(op, wait.getKeepsMutable(), rewriter, options,
                                 state)))
      return failure();
    SmallVector<Type> types;
    for (Value result : wait.getResults()) {
      if (!isa<TensorType>(result.getType())) {
        types.push_back(result.getType());
        continue;
      }
      FailureOr<BufferLikeType> type =
          bufferization::getBufferType(result, options, state);
      if (failed(type))
        return failure();
      types.push_back(*type);
    }
    auto newWait =
        WaitOp::create(rewriter, op->getLoc(), types, wait.getFutures(),
                       wait.getKeeps(), wait.getDestinations());
    newWait->setDiscardableAttrs(wait->getDiscardableAttrDictionary());
    replaceOpWithBufferizedValues(rewriter, op, newWait.getResults());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Synchronous in-place forms
//===----------------------------------------------------------------------===//

/// Destination-passing style; the destination is overwritten as a whole.
template <typename IntoOp>
struct IntoModel
    : public DstBufferizableOpInterfaceExternalModel<IntoModel<IntoOp>,
                                                     IntoOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  /// The collectives that keep the shape work with source and destination in
  /// one buffer.
  bool bufferizesToElementwiseAccess(Operation *op, const AnalysisState &,
                                     ArrayRef<OpOperand *>) const {
    // With several operands, one's destination could be another's source.
    auto into = cast<CollectiveOpInterface>(op);
    return mayShareBuffer(into.getCollectiveKind()) &&
           into.getSources().size() == 1;
  }

  /// A gather out of its own slot of the destination, a scatter into its own
  /// slot of the source.
  bool isNotConflicting(Operation *op, OpOperand *read, OpOperand *write,
                        const AnalysisState &) const {
    auto into = cast<CollectiveOpInterface>(op);
    return read->getOwner() == op && write->getOwner() == op &&
           into.getSources().size() == 1 &&
           mayWorkInPlace(into, read->get(), write->get());
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto into = cast<IntoOp>(op);
    if (into.getResults().empty())
      return success();
    SmallVector<Value> buffers;
    for (Value operand : op->getOperands()) {
      if (!isa<TensorType>(operand.getType())) {
        buffers.push_back(operand);
        continue;
      }
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(*buffer);
    }
    OperationState newOp(op->getLoc(), op->getName(), buffers, TypeRange(),
                         op->getAttrs());
    newOp.propertiesAttr = op->getPropertiesAsAttribute();
    auto newInto = cast<IntoOp>(rewriter.create(newOp));
    replaceOpWithBufferizedValues(rewriter, op, newInto.getDestinations());
    return success();
  }
};

template <typename... StartOps> void attachStartModels(MLIRContext *context) {
  (StartOps::template attachInterface<StartModel<StartOps>>(*context), ...);
  (StartOps::template attachInterface<StartDeallocationModel<StartOps>>(
       *context),
   ...);
}

template <typename... IntoOps> void attachIntoModels(MLIRContext *context) {
  (IntoOps::template attachInterface<IntoModel<IntoOps>>(*context), ...);
}

} // namespace

void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, DistDialect *) {
    context->loadDialect<arith::ArithDialect>();
    attachStartModels<AllGatherOp, AllReduceOp, ReduceScatterOp, BroadcastOp,
                      AllToAllOp, PermuteOp, ReduceOp>(context);
    attachIntoModels<AllGatherIntoOp, AllReduceIntoOp, ReduceScatterIntoOp,
                     BroadcastIntoOp, AllToAllIntoOp, PermuteIntoOp,
                     ReduceIntoOp>(context);
    WaitOp::attachInterface<WaitModel>(*context);
    DropOp::attachInterface<KeepModel<DropOp>>(*context);
    KeepOp::attachInterface<KeepModel<KeepOp>>(*context);
  });
}

} // namespace mlir::dist
