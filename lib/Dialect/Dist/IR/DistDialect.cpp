//===- DistDialect.cpp ----------------------------------------------*- C++
//-*-===//
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

#include "Dialect/Dist/IR/Dist.h"
#include "mlir/IR/BuiltinOps.h"
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
} // namespace

void DistDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "Dialect/Dist/IR/DistOps.cpp.inc"
      >();
  addInterfaces<DistInlinerInterface>();
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
  if (name == kSpmdAttrName)
    return expectUnitOn(isa<ModuleOp>(op), "a module");
  if (name == kNoEffectsAttrName)
    return expectUnitOn(isa<FunctionOpInterface>(op), "a function");
  if (name == kUniformAttrName || name == kWritableAttrName)
    return op->emitOpError() << "has attribute '" << name
                             << "', expected it on a function argument";
  if (name == kSignatureAttrName || name == kTiedAttrName)
    return success();
  return op->emitOpError() << "has unknown attribute '" << name
                           << "' of the dist dialect";
}

LogicalResult DistDialect::verifyRegionArgAttribute(Operation *op,
                                                    unsigned regionIndex,
                                                    unsigned argIndex,
                                                    NamedAttribute attr) {
  StringRef name = attr.getName().getValue();
  if (name != kUniformAttrName && name != kWritableAttrName)
    return op->emitOpError()
           << "argument " << argIndex << " has unknown attribute '" << name
           << "' of the dist dialect";
  if (!isa<UnitAttr>(attr.getValue()))
    return op->emitOpError()
           << "argument " << argIndex << " has attribute '" << name
           << "' with a value, expected a unit attribute";
  return success();
}
