//===- DistToLLVM.cpp -----------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//


#include "Conversion/DistToLLVM/DistToLLVM.h"
#include "Conversion/Passes.h"
#include "RuntimeCalls.h"
#include "dist-rt/distrt.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "convert-dist-to-llvm"

namespace mlir::dist {
#define GEN_PASS_DEF_CONVERTDISTTOLLVMPASS
#include "Conversion/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

LogicalResult mlir::dist::checkRuntimeCall(
    Operation *op, ConversionPatternRewriter &rewriter) {
  if (isa_and_nonnull<FunctionOpInterface>(op->getParentOp()))
    return success();
  return rewriter.notifyMatchFailure(
      op, "stands inside of structured control flow; lower scf to cf first");
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

namespace {
/// Writes the operands of one launch and makes the call.
class CollectiveCall {
public:
  CollectiveCall(CollectiveOpInterface op, const LLVMTypeConverter &converter,
                 ConversionPatternRewriter &rewriter)
      : op(op), rewriter(rewriter), calls(op, rewriter),
        operandType(LLVM::LLVMStructType::getLiteral(
            rewriter.getContext(),
            {calls.getI64(), calls.getI32(), calls.getI32(),
             calls.getPointerType(), calls.getPointerType(),
             calls.getPointerType(), calls.getI32(), calls.getI32(),
             calls.getF64()})) {}

  /// The futures of the launch. `owned` has a flag per donated source.
  SmallVector<Value> emit(ValueRange sources, ValueRange destinations,
                          ValueRange owned) {
    int64_t count = sources.size();
    Value operands = calls.getSlot(operandType, count);
    Value futures = calls.getSlot(calls.getPointerType(), count);
    Value site = calls.getCallSite(op);
    size_t nextOwned = 0;
    for (int64_t i = 0; i < count; ++i) {
      bool donated = op.getSourceMode(i) == SourceMode::Donate;
      Value isOwned =
          donated && !owned.empty() ? owned[nextOwned++] : Value();
      storeOperand(operands, i, sources[i],
                   destinations.empty() ? Value() : destinations[i],
                   getFlags(i, isOwned));
    }
    calls.callChecked(getCallee(),
                      {calls.getContext(), site, operands,
                       calls.getInt(calls.getI64(), count), futures});
    SmallVector<Value> results;
    for (int64_t i = 0; i < count; ++i)
      results.push_back(LLVM::LoadOp::create(
          rewriter, op.getLoc(), calls.getPointerType(),
          getElement(futures, calls.getPointerType(), i)));
    return results;
  }

  RuntimeCalls &getCalls() { return calls; }

private:
  StringRef getCallee() {
    switch (op.getCollectiveKind()) {
    case CollectiveKind::AllGather:
      return "distrtAllGather";
    case CollectiveKind::AllReduce:
      return "distrtAllReduce";
    case CollectiveKind::ReduceScatter:
      return "distrtReduceScatter";
    case CollectiveKind::Broadcast:
      return "distrtBroadcast";
    case CollectiveKind::AllToAll:
      return "distrtAllToAll";
    case CollectiveKind::Permute:
      return "distrtPermute";
    case CollectiveKind::Reduce:
      return "distrtReduce";
    }
    llvm_unreachable("unknown collective");
  }

  Value getElement(Value array, Type type, int64_t index) {
    return LLVM::GEPOp::create(rewriter, op.getLoc(), calls.getPointerType(),
                               type, array,
                               ArrayRef<LLVM::GEPArg>(int32_t(index)));
  }

  Value spill(Value descriptor) {
    Value slot = calls.getSlot(descriptor.getType());
    LLVM::StoreOp::create(rewriter, op.getLoc(), descriptor, slot);
    return slot;
  }

  /// A donated source whose ownership is not known, or not there, is copied.
  Value getFlags(int64_t index, Value isOwned) {
    switch (op.getSourceMode(index)) {
    case SourceMode::Borrow:
      return calls.getInt(calls.getI32(), 0);
    case SourceMode::Copy:
      return calls.getInt(calls.getI32(), DISTRT_SOURCE_COPY);
    case SourceMode::Donate:
      break;
    }
    Value copy = calls.getInt(calls.getI32(), DISTRT_SOURCE_COPY);
    if (!isOwned)
      return copy;
    return LLVM::SelectOp::create(
        rewriter, op.getLoc(), isOwned,
        calls.getInt(calls.getI32(), DISTRT_SOURCE_OWNED), copy);
  }

  /// Sizes that the program promises of a fresh destination.
  Value getExpectedSizes(int64_t index) {
    if (!op.isStart() || !op.getDestinations().empty())
      return calls.getNull();
    ShapedType payload =
        cast<FutureType>(op->getResult(index).getType()).getPayload();
    return calls.getIntegers(llvm::map_to_vector(
        payload.getShape(), [](int64_t size) -> int64_t {
          return ShapedType::isDynamic(size) ? -1 : size;
        }));
  }

  /// What this member's elements are multiplied with. An f64 is what it is in
  /// the LLVM dialect too: no conversion.
  Value getFactor(int64_t index) {
    OperandRange factors = op.getCollectiveFactors();
    return factors.empty() ? calls.getFloat(1.0) : factors[index];
  }

  void storeOperand(Value operands, int64_t index, Value source,
                    Value destination, Value flags) {
    auto type = cast<MemRefType>(op.getSources()[index].getType());
    Value fields[] = {
        calls.getInt(calls.getI64(), sizeof(distrtOperand)),
        calls.getInt(calls.getI32(),
                     *getRuntimeDataType(type.getElementType(),
                                         op.getCollectiveReduction())),
        calls.getInt(calls.getI32(), type.getRank()),
        spill(source),
        destination ? spill(destination) : calls.getNull(),
        getExpectedSizes(index),
        flags,
        calls.getInt(calls.getI32(), 0),
        getFactor(index)};
    Value element = getElement(operands, operandType, index);
    for (auto [position, field] : llvm::enumerate(fields)) {
      Value address = LLVM::GEPOp::create(
          rewriter, op.getLoc(), calls.getPointerType(), operandType, element,
          ArrayRef<LLVM::GEPArg>{0, int32_t(position)});
      LLVM::StoreOp::create(rewriter, op.getLoc(), field, address);
    }
  }

  CollectiveOpInterface op;
  ConversionPatternRewriter &rewriter;
  RuntimeCalls calls;
  Type operandType;
};

/// Collectives on buffers only, whose elements the runtime knows.
LogicalResult checkOperands(CollectiveOpInterface op,
                            ConversionPatternRewriter &rewriter) {
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<ShapedType>(operand.getType());
    if (!type)
      continue;
    if (!isa<MemRefType>(type))
      return rewriter.notifyMatchFailure(op, "has tensors; bufferize first");
    if (!getRuntimeDataType(type.getElementType(), op.getCollectiveReduction()))
      return rewriter.notifyMatchFailure(op, "has an unknown element type");
  }
  return checkRuntimeCall(op, rewriter);
}

template <typename StartOp>
struct StartLowering : public ConvertOpToLLVMPattern<StartOp> {
  using ConvertOpToLLVMPattern<StartOp>::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(StartOp op, typename StartOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkOperands(op, rewriter)))
      return failure();
    CollectiveCall call(op, *this->getTypeConverter(), rewriter);
    rewriter.replaceOp(op, call.emit(adaptor.getSources(),
                                     adaptor.getDestinations(),
                                     adaptor.getOwned()));
    return success();
  }
};

/// A synchronous form is a start and its wait.
template <typename IntoOp>
struct IntoLowering : public ConvertOpToLLVMPattern<IntoOp> {
  using ConvertOpToLLVMPattern<IntoOp>::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(IntoOp op, typename IntoOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkOperands(op, rewriter)))
      return failure();
    CollectiveCall call(op, *this->getTypeConverter(), rewriter);
    SmallVector<Value> futures =
        call.emit(adaptor.getSources(), adaptor.getDestinations(), {});
    RuntimeCalls &calls = call.getCalls();
    for (Value future : futures)
      calls.callChecked("distrtFutureDrop", {calls.getContext(), future,
                                             calls.getLocationString()});
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Futures
//===----------------------------------------------------------------------===//

struct WaitLowering : public ConvertOpToLLVMPattern<WaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(WaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!llvm::all_of(op.getResultTypes(), llvm::IsaPred<MemRefType>))
      return rewriter.notifyMatchFailure(op, "has tensors; bufferize first");
    if (failed(checkRuntimeCall(op, rewriter)))
      return failure();
    RuntimeCalls calls(op, rewriter);
    SmallVector<Value> results;
    for (auto [future, result] :
         llvm::zip_equal(adaptor.getFutures(), op.getResults())) {
      auto type = cast<MemRefType>(result.getType());
      Type descriptor = getTypeConverter()->convertType(type);
      Value slot = calls.getSlot(descriptor);
      calls.callChecked("distrtFutureWait",
                        {calls.getContext(), future, slot,
                         calls.getInt(calls.getI64(), type.getRank()),
                         calls.getLocationString()});
      results.push_back(
          LLVM::LoadOp::create(rewriter, op.getLoc(), descriptor, slot));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct DropLowering : public ConvertOpToLLVMPattern<DropOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(DropOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkRuntimeCall(op, rewriter)))
      return failure();
    RuntimeCalls calls(op, rewriter);
    calls.callChecked("distrtFutureDrop",
                      {calls.getContext(), adaptor.getFuture(),
                       calls.getLocationString()});
    rewriter.eraseOp(op);
    return success();
  }
};

struct DupLowering : public ConvertOpToLLVMPattern<DupOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(DupOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkRuntimeCall(op, rewriter)))
      return failure();
    RuntimeCalls calls(op, rewriter);
    rewriter.replaceOp(op, calls.call("distrtFutureDup", calls.getPointerType(),
                                      {calls.getContext(),
                                       adaptor.getFuture()}));
    return success();
  }
};

struct KeepLowering : public ConvertOpToLLVMPattern<KeepOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(KeepOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

/// A future of nothing: a path that does not define one.
struct PoisonLowering : public ConvertOpToLLVMPattern<ub::PoisonOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(ub::PoisonOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<FutureType>(op.getType()))
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::ZeroOp>(
        op, LLVM::LLVMPointerType::get(op.getContext()));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

/// An assertion that does not hold fails its rank and lets the others know; the
/// stock lowering would end the whole process without a word.
struct AssertLowering : public ConvertOpToLLVMPattern<cf::AssertOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(cf::AssertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkRuntimeCall(op, rewriter)))
      return failure();
    RuntimeCalls calls(op, rewriter);
    calls.callCheckedUnless(
        adaptor.getArg(), "distrtAssertFailed", [&]() -> SmallVector<Value> {
          return {calls.getContext(), calls.getString(op.getMsg()),
                  calls.getLocationString()};
        });
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

/// dist.rank and dist.group_size: `worldCallee` without a group, `groupCallee`
/// with one.
template <typename QueryOp>
struct QueryLowering : public ConvertOpToLLVMPattern<QueryOp> {
  QueryLowering(const LLVMTypeConverter &converter, StringRef worldCallee,
                StringRef groupCallee)
      : ConvertOpToLLVMPattern<QueryOp>(converter), worldCallee(worldCallee),
        groupCallee(groupCallee) {}

  LogicalResult
  matchAndRewrite(QueryOp op, typename QueryOp::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkRuntimeCall(op, rewriter)))
      return failure();
    RuntimeCalls calls(op, rewriter);
    Value result;
    if (!op.getGroup()) {
      result = calls.call(worldCallee, calls.getI64(), calls.getContext())
                   .getResult();
    } else {
      Value slot = calls.getSlot(calls.getI64());
      calls.callChecked(groupCallee,
                        {calls.getContext(), calls.getGroup(*op.getGroup()),
                         calls.getLocationString(), slot});
      result =
          LLVM::LoadOp::create(rewriter, op.getLoc(), calls.getI64(), slot);
    }
    Type index = this->getTypeConverter()->convertType(op.getType());
    if (index != calls.getI64())
      result = LLVM::TruncOp::create(rewriter, op.getLoc(), index, result);
    rewriter.replaceOp(op, result);
    return success();
  }

  StringRef worldCallee, groupCallee;
};

template <template <typename> class Lowering, typename... Ops>
void addLowerings(const LLVMTypeConverter &converter,
                  RewritePatternSet &patterns) {
  patterns.add<Lowering<Ops>...>(converter);
}
} // namespace

void mlir::dist::populateDistToLLVMTypeConversions(
    LLVMTypeConverter &converter) {
  converter.addConversion([](FutureType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
}

void mlir::dist::populateDistToLLVMConversionPatterns(
    const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  addLowerings<StartLowering, AllGatherOp, AllReduceOp, ReduceScatterOp,
               BroadcastOp, AllToAllOp, PermuteOp, ReduceOp>(converter,
                                                             patterns);
  addLowerings<IntoLowering, AllGatherIntoOp, AllReduceIntoOp,
               ReduceScatterIntoOp, BroadcastIntoOp, AllToAllIntoOp,
               PermuteIntoOp, ReduceIntoOp>(converter, patterns);
  patterns.add<WaitLowering, DropLowering, DupLowering, KeepLowering>(
      converter);
  // Before the pattern of the ub dialect, which would make an undefined pointer.
  patterns.add<PoisonLowering>(converter, /*benefit=*/2);
  // Before the pattern of the cf dialect, which would abort the process.
  patterns.add<AssertLowering>(converter, /*benefit=*/2);
  patterns.add<QueryLowering<RankOp>>(converter, "distrtRank",
                                      "distrtGroupRank");
  patterns.add<QueryLowering<GroupSizeOp>>(converter, "distrtWorldSize",
                                           "distrtGroupSize");
  populateDeviceToLLVMConversionPatterns(converter, patterns);
}

//===----------------------------------------------------------------------===//
// convert-to-llvm and convert-dist-to-llvm
//===----------------------------------------------------------------------===//

/// Declarations stay legal: the calls look them up while they are made.
static void configureTarget(ConversionTarget &target) {
  target.addIllegalDialect<DistDialect>();
  target.addLegalOp<MeshOp, ProcessGroupOp>();
}

namespace {
struct DistToLLVMInterface : public ConvertToLLVMPatternInterface {
  using ConvertToLLVMPatternInterface::ConvertToLLVMPatternInterface;

  void populateConvertToLLVMConversionPatterns(
      ConversionTarget &target, LLVMTypeConverter &converter,
      RewritePatternSet &patterns) const final {
    configureTarget(target);
    populateDistToLLVMTypeConversions(converter);
    populateDistToLLVMConversionPatterns(converter, patterns);
  }
};

/// Says what is in the way of the patterns, which can only fail.
LogicalResult checkLowerable(Operation *op) {
  if (!isa<DistDialect>(op->getDialect()) || isa<MeshOp, ProcessGroupOp>(op))
    return success();
  if (!isa_and_nonnull<FunctionOpInterface>(op->getParentOp()))
    return op->emitOpError()
           << "stands inside of '" << op->getParentOp()->getName()
           << "', expected a block of a function; lower structured control "
              "flow first";
  for (Type type : op->getOperandTypes())
    if (isa<TensorType>(type))
      return op->emitOpError() << "has an operand of type " << type
                               << ", expected a memref; bufferize first";
  for (Type type : op->getResultTypes())
    if (isa<TensorType>(type))
      return op->emitOpError() << "has a result of type " << type
                               << ", expected a memref; bufferize first";
  return success();
}

class ConvertDistToLLVM
    : public mlir::dist::impl::ConvertDistToLLVMPassBase<ConvertDistToLLVM> {
public:
  void runOnOperation() override {
    WalkResult lowerable = getOperation().walk([](Operation *op) {
      return failed(checkLowerable(op)) ? WalkResult::interrupt()
                                        : WalkResult::advance();
    });
    if (lowerable.wasInterrupted())
      return signalPassFailure();
    LLVMTypeConverter converter(&getContext());
    RewritePatternSet patterns(&getContext());
    LLVMConversionTarget target(getContext());
    configureTarget(target);
    target.addIllegalDialect<func::FuncDialect, cf::ControlFlowDialect>();
    target.addDynamicallyLegalOp<ub::PoisonOp>(
        [](ub::PoisonOp op) { return !isa<FutureType>(op.getType()); });
    populateDistToLLVMTypeConversions(converter);
    populateDistToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

void mlir::dist::registerConvertDistToLLVMInterface(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, DistDialect *dialect) {
    dialect->addInterfaces<DistToLLVMInterface>();
  });
}
