//===- RuntimeCalls.h -------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Internal to the conversion: how the runtime ABI looks in the LLVM dialect.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_CONVERSION_DISTTOLLVM_RUNTIMECALLS_H
#define DIST_LIB_CONVERSION_DISTTOLLVM_RUNTIMECALLS_H

#include "Dialect/Dist/IR/Dist.h"
#include "dist-rt/distrt.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir {
class LLVMTypeConverter;
} // namespace mlir

namespace mlir::dist {

/// Emits calls of the runtime at one operation, which must stand directly in a
/// function.
class RuntimeCalls {
public:
  RuntimeCalls(Operation *op, RewriterBase &rewriter);

  /// The context of the running rank, fetched once at the function's entry.
  Value getContext();

  /// A stack slot of the function, so that loops do not grow the stack.
  Value getSlot(Type type, int64_t count = 1);

  /// Calls `name`. The callee is declared when it is not there yet.
  LLVM::CallOp call(StringRef name, TypeRange results, ValueRange arguments);

  /// Calls `name`, which returns a status, and leaves the function through
  /// distrtRaise when it is not zero.
  void callChecked(StringRef name, ValueRange arguments);

  /// Calls a function that never succeeds where `condition` does not hold, and
  /// raises. `arguments` makes its arguments in the block of the call.
  void callCheckedUnless(Value condition, StringRef name,
                         function_ref<SmallVector<Value>()> arguments);

  Value getInt(Type type, int64_t value);
  Value getFloat(double value);
  Value getNull();
  /// Pointer to a constant zero-terminated string.
  Value getString(StringRef text);
  /// Pointer to constant 64-bit integers.
  Value getIntegers(ArrayRef<int64_t> values);
  /// Pointer to the constant distrtGroupDesc of `group`.
  Value getGroup(GroupAttr group);
  /// Pointer to the constant distrtCallSite of a collective.
  Value getCallSite(CollectiveOpInterface op);
  /// Pointer to the constant distrtKernel `name`; without `image` or `host` it
  /// has no version for a device or for the host.
  Value getKernel(StringRef name, LLVM::GlobalOp image, LLVM::LLVMFuncOp host,
                  ArrayRef<distrtParameter> parameters);
  /// "file:line:column" of the operation.
  Value getLocationString();

  Type getPointerType() { return pointerType; }
  Type getI32() { return rewriter.getI32Type(); }
  Type getI64() { return rewriter.getI64Type(); }
  Type getF64() { return rewriter.getF64Type(); }

private:
  /// A constant global named after its content, made by `build` unless it is
  /// there already. `build` makes the initializer's value.
  LLVM::GlobalOp getConstant(StringRef prefix, StringRef content, Type type,
                             function_ref<Value(RuntimeCalls &)> build);
  LLVM::GlobalOp getStringGlobal(StringRef text);
  LLVM::GlobalOp getIntegersGlobal(ArrayRef<int64_t> values);
  LLVM::GlobalOp getGroupGlobal(GroupAttr group);
  LLVM::GlobalOp getParametersGlobal(ArrayRef<distrtParameter> parameters);
  Value getAddress(LLVM::GlobalOp global);
  /// A struct value with `fields` set in order; null fields stay zero.
  Value buildStruct(Type type, ValueRange fields);
  Block *getRaiseBlock();
  Block &getEntry();

  Operation *op;
  Location loc;
  RewriterBase &rewriter;
  ModuleOp module;
  Type pointerType;
};

/// A call that can fail splits its block, which only a function's own blocks
/// allow.
LogicalResult checkRuntimeCall(Operation *op,
                               ConversionPatternRewriter &rewriter);

/// The patterns for the operations of device programs.
void populateDeviceToLLVMConversionPatterns(const LLVMTypeConverter &converter,
                                            RewritePatternSet &patterns);

/// The runtime's number for elements of `type` that are combined by
/// `reduction`, or only moved; nullopt when it has none.
std::optional<int32_t> getRuntimeDataType(Type type,
                                          std::optional<Reduction> reduction);

/// The runtime's number for a reduction: the sign that umin and umax ignore is
/// in the data type.
int32_t getRuntimeReduction(std::optional<Reduction> reduction);

} // namespace mlir::dist

#endif // DIST_LIB_CONVERSION_DISTTOLLVM_RUNTIMECALLS_H
