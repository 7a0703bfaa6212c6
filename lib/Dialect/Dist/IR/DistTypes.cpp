//===- DistTypes.cpp - The future type --------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The future type.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/IR/Dist.h"
#include "Dialect/Dist/Utils/Collectives.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::dist;

#define GET_TYPEDEF_CLASSES
#include "Dialect/Dist/IR/DistOpsTypes.cpp.inc"

void DistDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "Dialect/Dist/IR/DistOpsTypes.cpp.inc"
      >();
}

Type FutureType::parse(AsmParser &parser) {
  Type payload;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(payload) || parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(loc); };
  if (auto shaped = dyn_cast<ShapedType>(payload))
    return getChecked(emitError, parser.getContext(), shaped);
  emitError() << "future needs a ranked tensor or a ranked memref, found "
              << payload;
  return {};
}

void FutureType::print(AsmPrinter &printer) const {
  printer << '<' << getPayload() << '>';
}

LogicalResult FutureType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ShapedType payload) {
  // future C1.
  if (!isa<RankedTensorType, MemRefType>(payload))
    return emitError() << "future needs a ranked tensor or a ranked memref, "
                          "found "
                       << payload;
  // future C2.
  if (!isCollectiveElementType(payload.getElementType()))
    return emitError() << "future of " << payload
                       << " has an element type that collectives do not move";
  // future C3.
  if (auto tensor = dyn_cast<RankedTensorType>(payload);
      tensor && tensor.getEncoding())
    return emitError() << "future needs a tensor without encoding, found "
                       << payload;
  if (auto memref = dyn_cast<MemRefType>(payload);
      memref && !memref.isStrided())
    return emitError() << "future needs a strided memref, found " << payload;
  return success();
}
