//===- DistDialect.cpp - The dialect and its attributes ---------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect: registration, and the attributes that it gives a meaning to.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/IR/DeviceOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlir::dist;

#include "Dialect/Dist/IR/DistOpsDialect.cpp.inc"

namespace {
/// Collectives may be inlined anywhere: where they stand decides nothing but
/// their order, and inlining keeps that.
struct DistInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *call, Operation *callable,
                       bool wouldBeCloned) const final {
    return true;
  }
  bool isLegalToInline(Operation *op, Region *dest, bool wouldBeCloned,
                       IRMapping &mapping) const final {
    return true;
  }
};

/// Names long tables of ranks, so that a module which repeats them stays
/// readable; short ones and meshes say more where they stand.
struct DistAsmInterface : public OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const final {
    constexpr size_t kMaxInlineRanks = 8;
    auto group = dyn_cast<GroupAttr>(attr);
    if (!group || group.getRanks().size() <= kMaxInlineRanks)
      return AliasResult::NoAlias;
    os << "group";
    return AliasResult::OverridableAlias;
  }
};
} // namespace

void DistDialect::initialize() {
  // The type of tokens.
  getContext()->getOrLoadDialect<gpu::GPUDialect>();
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "Dialect/Dist/IR/DistOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Dialect/Dist/IR/DistDeviceOps.cpp.inc"
      >();
  addInterfaces<DistAsmInterface, DistInlinerInterface>();
}

Operation *DistDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===----------------------------------------------------------------------===//
// Attributes of other dialects' operations
//===----------------------------------------------------------------------===//

/// attributes C5: `dist.signature` is the type of a function.
static LogicalResult verifySignature(Operation *op, Attribute value) {
  auto type = dyn_cast<TypeAttr>(value);
  if (!isa<FunctionOpInterface>(op) || !type ||
      !isa<FunctionType>(type.getValue()))
    return op->emitOpError()
           << "has attribute '" << DistDialect::kSignatureAttrName
           << "', expected it on a function and with a "
              "function type";
  return success();
}

/// attributes C6: `dist.tied_results` has an argument or -1 for each result of
/// the signature.
static LogicalResult verifyTiedResults(Operation *op, Attribute value) {
  StringRef name = DistDialect::kTiedAttrName;
  auto tied = dyn_cast<DenseI64ArrayAttr>(value);
  auto signature = op->getAttrOfType<TypeAttr>(DistDialect::kSignatureAttrName);
  auto type =
      signature ? dyn_cast<FunctionType>(signature.getValue()) : FunctionType();
  if (!tied || !type)
    return op->emitOpError() << "has attribute '" << name
                             << "', expected an array of i64 beside '"
                             << DistDialect::kSignatureAttrName << "'";
  if (tied.size() != static_cast<int64_t>(type.getNumResults()))
    return op->emitOpError()
           << "has attribute '" << name << "' with " << tied.size()
           << " entries, expected " << type.getNumResults()
           << ", one for each result of the signature";
  for (int64_t argument : tied.asArrayRef())
    if (argument < -1 || argument >= static_cast<int64_t>(type.getNumInputs()))
      return op->emitOpError()
             << "has attribute '" << name << "' with entry " << argument
             << ", expected -1 or an argument, less than "
             << type.getNumInputs();
  return success();
}

LogicalResult DistDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attr) {
  StringRef name = attr.getName().getValue();
  auto expectUnitOn = [&](bool isRightOp, StringRef where) -> LogicalResult {
    if (!isRightOp)
      return op->emitOpError()
             << "has attribute '" << name << "', expected it on " << where;
    if (!isa<UnitAttr>(attr.getValue()))
      return op->emitOpError() << "has attribute '" << name
                               << "' with a value, expected a unit attribute";
    return success();
  };
  // attributes C1.
  if (name == kSpmdAttrName || name == kKeepGroupsOfOneAttrName)
    return expectUnitOn(isa<ModuleOp>(op), "a module");
  // attributes C2.
  if (name == kNoEffectsAttrName || name == kHostMemoryAttrName ||
      name == kStreamOrderedAttrName)
    return expectUnitOn(isa<FunctionOpInterface>(op), "a function");
  // attributes C3.
  if (name == kWritableAttrName)
    return op->emitOpError() << "has attribute '" << name
                             << "', expected it on a function argument";
  // attributes C8.
  if (name == kUniformAttrName)
    return expectUnitOn(
        isa<RegionBranchOpInterface>(op) ||
            (isa<BranchOpInterface>(op) && op->getNumSuccessors() > 1),
        "a function argument, a branch or an operation with regions");
  if (name == kSignatureAttrName)
    return verifySignature(op, attr.getValue());
  if (name == kTiedAttrName)
    return verifyTiedResults(op, attr.getValue());
  // attributes C7.
  return op->emitOpError() << "has unknown attribute '" << name
                           << "' of the dist dialect";
}

LogicalResult DistDialect::verifyRegionArgAttribute(Operation *op,
                                                    unsigned regionIndex,
                                                    unsigned argIndex,
                                                    NamedAttribute attr) {
  StringRef name = attr.getName().getValue();
  // attributes C7.
  if (name != kUniformAttrName && name != kWritableAttrName)
    return op->emitOpError()
           << "argument " << argIndex << " has unknown attribute '" << name
           << "' of the dist dialect";
  // attributes C3.
  if (!isa<UnitAttr>(attr.getValue()))
    return op->emitOpError()
           << "argument " << argIndex << " has attribute '" << name
           << "' with a value, expected a unit attribute";
  // attributes C4. A lowered function has pointers and sizes in their place.
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (name != kWritableAttrName || !function ||
      !isa<FunctionType>(function.getFunctionType()))
    return success();
  Type type = function.getArgumentTypes()[argIndex];
  if (type.isIntOrIndexOrFloat() || isa<ComplexType, FutureType>(type))
    return op->emitOpError()
           << "argument " << argIndex << " of type " << type
           << " has attribute '" << name << "', expected a tensor or memref";
  return success();
}

LogicalResult DistDialect::verifyRegionResultAttribute(Operation *op,
                                                       unsigned regionIndex,
                                                       unsigned resultIndex,
                                                       NamedAttribute attr) {
  // attributes C7.
  return op->emitOpError() << "result " << resultIndex
                           << " has unknown attribute '"
                           << attr.getName().getValue()
                           << "' of the dist dialect";
}
