//===- Dist.cpp -----------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dist-c/Dist.h"
#include "Dialect/Dist/IR/Dist.h"
#include "RegisterAll.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::dist;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Dist, dist, mlir::dist::DistDialect)

void distRegisterDialects(MlirDialectRegistry registry) {
  registerDistDialects(*unwrap(registry));
}

void distRegisterAllDialects(MlirDialectRegistry registry) {
  mlir::dist::registerAllDialects(*unwrap(registry));
}

void distRegisterPasses(void) { registerDistPasses(); }

void distRegisterAllPasses(void) { mlir::dist::registerAllPasses(); }

/// Where the errors of constructors go: they have no location.
static auto makeEmitter(MLIRContext *context) {
  return [context] { return emitError(UnknownLoc::get(context)); };
}

bool distTypeIsAFuture(MlirType type) { return isa<FutureType>(unwrap(type)); }

MlirType distFutureTypeGet(MlirType payload) {
  Type type = unwrap(payload);
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped) {
    makeEmitter(type.getContext())()
        << "expected a ranked tensor or memref in a future, found " << type;
    return wrap(Type());
  }
  return wrap(
      Type(FutureType::getChecked(makeEmitter(type.getContext()), shaped)));
}

MlirType distFutureTypeGetPayload(MlirType future) {
  return wrap(Type(cast<FutureType>(unwrap(future)).getPayload()));
}

bool distAttributeIsAGroup(MlirAttribute attribute) {
  return isa<GroupAttr>(unwrap(attribute));
}

/// A group of the given fields; null, with a diagnostic, where they do not fit.
static MlirAttribute makeGroup(MLIRContext *context, GroupKind kind,
                               StringRef symbol, ArrayRef<AxisRefAttr> axes,
                               ArrayRef<int64_t> ranks, int64_t groupSize,
                               StringRef tag) {
  return wrap(Attribute(GroupAttr::getChecked(
      makeEmitter(context), context, kind,
      symbol.empty() ? FlatSymbolRefAttr()
                     : FlatSymbolRefAttr::get(context, symbol),
      axes, ranks, groupSize,
      tag.empty() ? StringAttr() : StringAttr::get(context, tag))));
}

MlirAttribute distGroupAttrGetTable(MlirContext context, intptr_t numGroups,
                                    intptr_t groupSize, const int64_t *ranks,
                                    MlirStringRef tag) {
  ArrayRef<int64_t> table;
  if (numGroups > 0 && groupSize > 0)
    table = ArrayRef<int64_t>(ranks, numGroups * groupSize);
  return makeGroup(unwrap(context), GroupKind::Table, "", {}, table, groupSize,
                   unwrap(tag));
}

MlirAttribute distGroupAttrGetMesh(MlirContext context, MlirStringRef mesh,
                                   intptr_t numAxes, const MlirStringRef *axes,
                                   MlirStringRef tag) {
  MLIRContext *ctx = unwrap(context);
  SmallVector<AxisRefAttr> refs;
  for (intptr_t i = 0; i < numAxes; ++i)
    refs.push_back(AxisRefAttr::get(ctx, unwrap(axes[i])));
  return makeGroup(ctx, GroupKind::Mesh, unwrap(mesh), refs, {}, 0,
                   unwrap(tag));
}

MlirAttribute distGroupAttrGetProcessGroup(MlirContext context,
                                           MlirStringRef name,
                                           MlirStringRef tag) {
  return makeGroup(unwrap(context), GroupKind::ProcessGroup, unwrap(name), {},
                   {}, 0, unwrap(tag));
}

bool distAttributeIsAReduction(MlirAttribute attribute) {
  return isa<ReductionAttr>(unwrap(attribute));
}

MlirAttribute distReductionAttrGet(MlirContext context, MlirStringRef name) {
  MLIRContext *ctx = unwrap(context);
  std::optional<Reduction> reduction = symbolizeReduction(unwrap(name));
  if (!reduction) {
    makeEmitter(ctx)() << "unknown reduction '" << unwrap(name) << "'";
    return wrap(Attribute());
  }
  return wrap(Attribute(ReductionAttr::get(ctx, *reduction)));
}

MlirModule distModuleParse(MlirContext context, MlirStringRef source,
                           MlirStringRef fileName) {
  MLIRContext *ctx = unwrap(context);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(unwrap(source), unwrap(fileName)),
      llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, ctx);
  return MlirModule{module.release().getOperation()};
}

MlirLogicalResult distModuleRunPipeline(MlirModule module, MlirStringRef text) {
  ModuleOp op = unwrap(module);
  PassManager manager(op.getContext(), ModuleOp::getOperationName());
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(parsePassPipeline(unwrap(text), manager, os))) {
    op.emitError() << "pipeline '" << unwrap(text)
                   << "': " << StringRef(message).trim();
    return wrap(failure());
  }
  return wrap(manager.run(op));
}
