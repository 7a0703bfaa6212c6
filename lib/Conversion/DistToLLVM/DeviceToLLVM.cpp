//===- DeviceToLLVM.cpp ---------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Operations of device programs to calls of the runtime.
//
//===----------------------------------------------------------------------===//

#include "Conversion/DistToLLVM/DistToLLVM.h"
#include "Dialect/Dist/IR/DeviceOps.h"
#include "RuntimeCalls.h"
#include "dist-rt/distrt.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace mlir::dist;

namespace {
/// What one launch passes: the arguments as a kernel of the gpu dialect takes
/// them, memrefs as their fields.
struct KernelArguments {
  SmallVector<Value> values;
  SmallVector<distrtParameter> parameters;
};

KernelArguments expandArguments(LaunchOp op, ValueRange converted,
                                OpBuilder &builder) {
  KernelArguments result;
  DataLayout layout = DataLayout::closest(op);
  auto add = [&](Value value) -> distrtParameter & {
    result.values.push_back(value);
    auto bytes = static_cast<int64_t>(
        layout.getTypeSize(value.getType()).getFixedValue());
    result.parameters.push_back({DISTRT_PARAMETER_VALUE, -1, bytes, 0});
    return result.parameters.back();
  };
  for (auto [argument, value, access] :
       llvm::zip_equal(op.getArguments(), converted, op.getAccess())) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type) {
      add(value);
      continue;
    }
    SmallVector<Value> fields;
    MemRefDescriptor::unpack(builder, op.getLoc(), value, type, fields);
    for (auto [index, field] : llvm::enumerate(fields)) {
      distrtParameter &parameter = add(field);
      constexpr size_t kAligned = 1;
      if (index != kAligned)
        continue;
      // The numbers of `access` are the runtime's.
      parameter.kind = access;
      parameter.rank = type.getRank();
      parameter.elementBytes =
          layout.getTypeSize(type.getElementType()).getFixedValue();
    }
  }
  return result;
}

/// The function that the runtime calls for a host version: takes the values of
/// the arguments and the sizes out of memory.
LLVM::LLVMFuncOp getPackedHost(LaunchOp op, const KernelArguments &arguments,
                               RuntimeCalls &calls,
                               ConversionPatternRewriter &rewriter) {
  auto module = op->getParentOfType<ModuleOp>();
  std::string name = (*op.getHost() + "_packed").str();
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = op.getLoc();
  Type pointer = calls.getPointerType();
  rewriter.setInsertionPointToEnd(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(
      rewriter, loc, name,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(op.getContext()),
                                  {pointer, pointer, pointer}),
      LLVM::Linkage::Internal);
  SymbolTable::setSymbolVisibility(function, SymbolTable::Visibility::Private);
  Block *entry = function.addEntryBlock(rewriter);
  rewriter.setInsertionPointToStart(entry);
  auto loadElement = [&](Value array, Type type, int32_t index) -> Value {
    Value address =
        LLVM::GEPOp::create(rewriter, loc, pointer, type, array,
                            ArrayRef<LLVM::GEPArg>(index));
    return LLVM::LoadOp::create(rewriter, loc, type, address);
  };
  SmallVector<Value> operands;
  for (auto [index, value] : llvm::enumerate(arguments.values)) {
    Value address = loadElement(entry->getArgument(0), pointer, index);
    operands.push_back(
        LLVM::LoadOp::create(rewriter, loc, value.getType(), address));
  }
  for (Value sizes : {entry->getArgument(1), entry->getArgument(2)})
    for (int32_t dim = 0; dim < 3; ++dim)
      operands.push_back(loadElement(sizes, calls.getI64(), dim));
  LLVM::CallOp::create(rewriter, loc, TypeRange(), *op.getHost(), operands);
  LLVM::ReturnOp::create(rewriter, loc, ValueRange());
  return function;
}

struct LaunchLowering : public ConvertOpToLLVMPattern<LaunchOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(LaunchOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkRuntimeCall(op, rewriter)))
      return failure();
    LLVM::GlobalOp image;
    if (op.getImage()) {
      image = op->getParentOfType<ModuleOp>().lookupSymbol<LLVM::GlobalOp>(
          *op.getImage());
      if (!image)
        return rewriter.notifyMatchFailure(
            op, "has an image that is no constant; run dist-embed-kernels");
    }
    RuntimeCalls calls(op, rewriter);
    Location loc = op.getLoc();
    KernelArguments arguments =
        expandArguments(op, adaptor.getArguments(), rewriter);
    LLVM::LLVMFuncOp host;
    if (op.getHost())
      host = getPackedHost(op, arguments, calls, rewriter);
    Value kernel =
        calls.getKernel(op.getName(), image, host, arguments.parameters);

    auto storeElement = [&](Value array, Type type, int32_t index,
                            Value value) {
      Value address =
          LLVM::GEPOp::create(rewriter, loc, calls.getPointerType(), type,
                              array, ArrayRef<LLVM::GEPArg>(index));
      LLVM::StoreOp::create(rewriter, loc, value, address);
    };
    auto spillSizes = [&](ValueRange sizes) {
      Value array = calls.getSlot(calls.getI64(), 3);
      for (auto [dim, size] : llvm::enumerate(sizes))
        storeElement(array, calls.getI64(), dim, size);
      return array;
    };
    int64_t count = arguments.values.size();
    Value pointers = calls.getSlot(calls.getPointerType(),
                                   std::max<int64_t>(count, 1));
    for (auto [index, value] : llvm::enumerate(arguments.values)) {
      Value slot = calls.getSlot(value.getType());
      LLVM::StoreOp::create(rewriter, loc, value, slot);
      storeElement(pointers, calls.getPointerType(), index, slot);
    }
    Value grid = spillSizes(adaptor.getGrid());
    Value block = spillSizes(adaptor.getBlock());
    calls.callChecked("distrtKernelLaunch",
                      {calls.getContext(), kernel, grid, block, pointers,
                       calls.getLocationString()});
    rewriter.eraseOp(op);
    return success();
  }
};

/// Element address and size.
template <typename AccessOp>
struct AccessLowering : public ConvertOpToLLVMPattern<AccessOp> {
  using ConvertOpToLLVMPattern<AccessOp>::ConvertOpToLLVMPattern;
  using Adaptor = typename AccessOp::Adaptor;
  LogicalResult
  matchAndRewrite(AccessOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkRuntimeCall(op, rewriter)))
      return failure();
    MemRefType type = op.getBuffer().getType();
    Type element =
        this->getTypeConverter()->convertType(type.getElementType());
    if (!element)
      return rewriter.notifyMatchFailure(op, "has an unknown element type");
    RuntimeCalls calls(op, rewriter);
    Value address = this->getStridedElementPtr(
        rewriter, op.getLoc(), type, adaptor.getBuffer(), adaptor.getIndices());
    Value slot = calls.getSlot(element);
    Value bytes = calls.getInt(
        calls.getI64(),
        DataLayout::closest(op).getTypeSize(element).getFixedValue());
    access(op, adaptor, calls, slot, address, bytes, rewriter);
    return success();
  }

private:
  static void access(DeviceReadOp op, Adaptor, RuntimeCalls &calls, Value slot,
                     Value address, Value bytes,
                     ConversionPatternRewriter &rewriter) {
    calls.callChecked("distrtDeviceRead",
                      {calls.getContext(), slot, address, bytes,
                       calls.getLocationString()});
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(
        op, slot.getDefiningOp<LLVM::AllocaOp>().getElemType(), slot);
  }
  static void access(DeviceWriteOp op, Adaptor adaptor, RuntimeCalls &calls,
                     Value slot, Value address, Value bytes,
                     ConversionPatternRewriter &rewriter) {
    LLVM::StoreOp::create(rewriter, op.getLoc(), adaptor.getValue(), slot);
    calls.callChecked("distrtDeviceWrite",
                      {calls.getContext(), address, slot, bytes,
                       calls.getLocationString()});
    rewriter.eraseOp(op);
  }
};

struct ConstantLowering : public ConvertOpToLLVMPattern<DeviceConstantOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(DeviceConstantOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkRuntimeCall(op, rewriter)))
      return failure();
    MemRefType type = op.getConstant().getType();
    RuntimeCalls calls(op, rewriter);
    MemRefDescriptor descriptor(adaptor.getConstant());
    int64_t bytes =
        type.getNumElements() *
        DataLayout::closest(op).getTypeSize(type.getElementType()).getFixedValue();
    Value slot = calls.getSlot(calls.getPointerType());
    calls.callChecked("distrtDeviceConstant",
                      {calls.getContext(),
                       descriptor.alignedPtr(rewriter, op.getLoc()),
                       calls.getInt(calls.getI64(), bytes), slot,
                       calls.getLocationString()});
    Value address = LLVM::LoadOp::create(rewriter, op.getLoc(),
                                         calls.getPointerType(), slot);
    // The allocated pointer stays what says that nothing is to be freed.
    descriptor.setAlignedPtr(rewriter, op.getLoc(), address);
    rewriter.replaceOp(op, {descriptor});
    return success();
  }
};

struct SynchronizeLowering : public ConvertOpToLLVMPattern<SynchronizeOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult
  matchAndRewrite(SynchronizeOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(checkRuntimeCall(op, rewriter)))
      return failure();
    RuntimeCalls calls(op, rewriter);
    calls.callChecked("distrtSynchronize",
                      {calls.getContext(), calls.getLocationString()});
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void mlir::dist::populateDeviceToLLVMConversionPatterns(
    const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<LaunchLowering, AccessLowering<DeviceReadOp>,
               AccessLowering<DeviceWriteOp>, ConstantLowering,
               SynchronizeLowering>(converter);
}
