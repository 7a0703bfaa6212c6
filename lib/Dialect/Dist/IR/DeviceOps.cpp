//===- DeviceOps.cpp ------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Operations of programs for devices.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/IR/DeviceOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::dist;

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

//===----------------------------------------------------------------------===//
// What a program says
//===----------------------------------------------------------------------===//

void SynchronizeOp::getEffects(Effects &effects) {
  // Nothing that touches memory or communicates moves past it.
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Write::get(),
                       CommunicatorResource::get());
}

LogicalResult AfterOp::verify() {
  // after C1.
  if (getTokens().empty())
    return emitOpError("needs at least one token");
  return success();
}

Value AfterOp::getViewSource() { return getValue(); }

LogicalResult TokenOp::verify() {
  // token C1.
  if (getValues().empty())
    return emitOpError("needs at least one tensor or memref");
  return success();
}

//===----------------------------------------------------------------------===//
// What the lowering makes
//===----------------------------------------------------------------------===//

static LogicalResult verifyIndices(Operation *op, MemRefType type,
                                   ValueRange indices) {
  if (static_cast<int64_t>(indices.size()) == type.getRank())
    return success();
  return op->emitOpError() << "has " << indices.size()
                           << " indices, expected " << type.getRank()
                           << ", one for each dimension of the buffer";
}

LogicalResult DeviceReadOp::verify() {
  // device_read C1.
  return verifyIndices(*this, getBuffer().getType(), getIndices());
}

void DeviceReadOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getBufferMutable());
}

LogicalResult DeviceWriteOp::verify() {
  // device_write C1.
  return verifyIndices(*this, getBuffer().getType(), getIndices());
}

void DeviceWriteOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getBufferMutable());
}

LogicalResult DeviceConstantOp::verify() {
  // device_constant C1.
  if (!getConstant().getType().hasStaticShape() ||
      !getConstant().getType().getLayout().isIdentity())
    return emitOpError() << "has a constant of type " << getConstant().getType()
                         << ", expected a static shape and no layout";
  return success();
}

LogicalResult LaunchOp::verify() {
  // launch C1.
  for (auto [sizes, what] :
       {std::pair(getGrid(), "grid"), std::pair(getBlock(), "block")})
    if (sizes.size() != 3)
      return emitOpError() << "has " << sizes.size() << ' ' << what
                           << " sizes, expected 3";
  // launch C2.
  if (getAccess().size() != getArguments().size())
    return emitOpError() << "has " << getAccess().size()
                         << " entries of access, expected "
                         << getArguments().size() << ", one for each argument";
  for (auto [index, operand, access] :
       llvm::enumerate(getArguments(), getAccess())) {
    bool isBuffer = isa<MemRefType>(operand.getType());
    if (access < 0 || access > 3 || (access != 0 && !isBuffer))
      return emitOpError() << "has access " << access << " of argument "
                           << index << " of type " << operand.getType()
                           << ", expected "
                           << (isBuffer ? "0 to 3" : "0 for a value");
  }
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!getHost())
    return success();
  auto host = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      *this, getHostAttr());
  // launch C3.
  if (!host)
    return emitOpError() << "names '" << *getHost()
                         << "', expected a function as host version";
  // A function of the LLVM dialect has descriptors in the place of buffers.
  auto type = dyn_cast<FunctionType>(host.getFunctionType());
  if (!type)
    return success();
  SmallVector<Type> expected = llvm::to_vector(getArguments().getTypes());
  expected.append(6, IndexType::get(getContext()));
  if (type.getInputs() != ArrayRef<Type>(expected) || type.getNumResults() != 0)
    return emitOpError() << "has host version '" << *getHost() << "' of type "
                         << type << ", expected "
                         << FunctionType::get(getContext(), expected, {});
  return success();
}

void LaunchOp::getEffects(Effects &effects) {
  for (auto [operand, access] :
       llvm::zip_equal(getArgumentsMutable(), getAccess())) {
    if (access & 1)
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (access & 2)
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

#define GET_OP_CLASSES
#include "Dialect/Dist/IR/DistDeviceOps.cpp.inc"
