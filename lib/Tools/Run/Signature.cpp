//===- Signature.cpp ------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools/Run/Signature.h"
#include "Dialect/Dist/IR/Dist.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::dist;
using namespace mlir::dist::run;

static constexpr StringLiteral kInterfacePrefix("_mlir_ciface_");

/// The functions that can be an entry, in module order.
static SmallVector<FunctionOpInterface> collectCandidates(ModuleOp module) {
  SmallVector<FunctionOpInterface> candidates, described;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    auto lowered = dyn_cast<LLVM::LLVMFuncOp>(function.getOperation());
    bool isInternal =
        lowered && (lowered.getLinkage() == LLVM::Linkage::Internal ||
                    lowered.getLinkage() == LLVM::Linkage::Private);
    if (!function.isPublic() || function.isExternal() || isInternal ||
        function.getName().starts_with(kInterfacePrefix))
      continue;
    candidates.push_back(function);
    if (lowered && function->hasAttr(DistDialect::kSignatureAttrName))
      described.push_back(function);
  }
  // The lowering leaves a signature on the functions that were public.
  return described.empty() ? candidates : described;
}

FailureOr<FunctionOpInterface> run::findEntry(ModuleOp module, StringRef name) {
  SmallVector<FunctionOpInterface> candidates = collectCandidates(module);

  auto list = [&](InFlightDiagnostic &&diag) {
    if (candidates.empty()) {
      diag << "there is no public function with a body";
      return failure();
    }
    diag << "candidates are ";
    llvm::interleaveComma(candidates, diag, [&](FunctionOpInterface function) {
      diag << "'" << function.getName() << "'";
    });
    return failure();
  };

  if (name.empty()) {
    if (candidates.size() == 1)
      return candidates.front();
    InFlightDiagnostic diag = module.emitError()
                              << "expected one public function to run, found "
                              << candidates.size();
    if (!candidates.empty())
      diag << "; choose one with --entry: ";
    else
      diag << ": ";
    return list(std::move(diag));
  }
  for (FunctionOpInterface function : candidates)
    if (function.getName() == name)
      return function;
  auto function = dyn_cast_or_null<FunctionOpInterface>(
      SymbolTable::lookupSymbolIn(module, name));
  if (!function)
    return list(module.emitError() << "no function '" << name << "': ");
  return list(function.emitError()
              << "'" << name << "' cannot be the entry, it "
              << (function.isExternal() ? "has no body" : "is not public")
              << ": ");
}

bool run::isLowered(ModuleOp module) {
  return !module
              .walk([&](Operation *op) {
                if (isa<ModuleOp>(op) ||
                    isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
                  return WalkResult::advance();
                return WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Fills in `spec` from its type; false for a type that cannot be passed.
static bool classify(Type type, ValueSpec &spec) {
  spec.type = type;
  Type elementType = type;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    if (tensor.getEncoding())
      return false;
    elementType = tensor.getElementType();
    spec.shape = llvm::to_vector(tensor.getShape());
  } else if (auto memref = dyn_cast<MemRefType>(type)) {
    elementType = memref.getElementType();
    spec.shape = llvm::to_vector(memref.getShape());
    if (memref.getMemorySpaceAsInt() != 0)
      return false;
    if (!memref.getLayout().isIdentity() &&
        failed(memref.getStridesAndOffset(spec.strides, spec.offset)))
      return false;
  }
  spec.element = elementType;
  return isElementType(elementType);
}

static LogicalResult classifyAll(FunctionOpInterface entry, TypeRange types,
                                 StringRef what,
                                 SmallVectorImpl<ValueSpec> &specs) {
  for (auto [index, type] : llvm::enumerate(types)) {
    ValueSpec spec;
    if (isa<FutureType>(type))
      return entry.emitError()
             << what << " " << index << " of entry '" << entry.getName()
             << "' has type " << type
             << ", a future, which dist-run neither makes nor waits for; "
                "choose an entry that does both itself";
    if (!classify(type, spec))
      return entry.emitError()
             << what << " " << index << " of entry '" << entry.getName()
             << "' has type " << type
             << ", expected a ranked tensor, a strided memref or a scalar, of "
                "integers, index, floats or complex numbers of at most 16 "
                "bytes";
    specs.push_back(std::move(spec));
  }
  return success();
}

static FailureOr<Signature> makeSignature(FunctionOpInterface entry,
                                          FunctionType type) {
  Signature signature;
  signature.entry = entry.getName().str();
  if (failed(classifyAll(entry, type.getInputs(), "argument",
                         signature.arguments)) ||
      failed(
          classifyAll(entry, type.getResults(), "result", signature.results)))
    return failure();
  return signature;
}

static void readMarks(FunctionOpInterface function, unsigned position,
                      ValueSpec &spec) {
  spec.isWritable =
      function.getArgAttr(position, DistDialect::kWritableAttrName) != nullptr;
  spec.isUniform =
      function.getArgAttr(position, DistDialect::kUniformAttrName) != nullptr;
}

FailureOr<Signature> run::getSignature(FunctionOpInterface entry) {
  auto function = dyn_cast<func::FuncOp>(entry.getOperation());
  if (!function)
    return entry.emitError() << "expected the entry to be a func.func, found "
                             << entry->getName();
  return makeSignature(entry, function.getFunctionType());
}

/// Stores which results are arguments. That the attribute fits the signature in
/// size is the dialect's to verify, types are not.
static LogicalResult readTiedResults(FunctionOpInterface entry,
                                     Signature &signature) {
  auto tied =
      entry->getAttrOfType<DenseI64ArrayAttr>(DistDialect::kTiedAttrName);
  if (!tied)
    return success();
  for (auto [spec, index] : llvm::zip(signature.results, tied.asArrayRef())) {
    if (index < 0)
      continue;
    const ValueSpec &argument = signature.arguments[index];
    if (!argument.isShaped() || !spec.isShaped() ||
        argument.element != spec.element ||
        argument.shape.size() != spec.shape.size())
      return entry.emitError()
             << "'" << DistDialect::kTiedAttrName << "' ties result "
             << (&spec - signature.results.data()) << " to argument " << index
             << ", which has another type";
    spec.tiedTo = index;
  }
  return success();
}

FailureOr<Signature> run::getLoweredSignature(FunctionOpInterface entry,
                                              FunctionType fallback) {
  FunctionType type = fallback;
  if (auto attribute =
          entry->getAttrOfType<TypeAttr>(DistDialect::kSignatureAttrName))
    type = dyn_cast<FunctionType>(attribute.getValue());
  auto function = dyn_cast<LLVM::LLVMFuncOp>(entry.getOperation());
  if (!function)
    return entry.emitError() << "expected the entry to be an llvm.func";
  if (!type) {
    if (function.getNumArguments() != 0 ||
        !isa<LLVM::LLVMVoidType>(function.getFunctionType().getReturnType()))
      return entry.emitError()
             << "entry '" << entry.getName() << "' carries no '"
             << DistDialect::kSignatureAttrName
             << "' attribute with a function type; give one with --signature";
    type = FunctionType::get(entry.getContext(), {}, {});
  }
  FailureOr<Signature> signature = makeSignature(entry, type);
  if (failed(signature) || failed(readTiedResults(entry, *signature)))
    return failure();

  return signature;
}

LogicalResult run::readInterface(ModuleOp module, Signature &signature) {
  std::string name = (kInterfacePrefix + signature.entry).str();
  auto interface = dyn_cast_or_null<FunctionOpInterface>(
      SymbolTable::lookupSymbolIn(module, name));
  if (!interface || interface.isExternal())
    return module.emitError()
           << "entry '" << signature.entry
           << "' has no C interface: expected a function '" << name << "'";
  // A struct of results comes first; see EntryCall.
  unsigned numShaped = 0, numResults = 0;
  for (const ValueSpec &spec : signature.results) {
    numResults += spec.tiedTo < 0;
    numShaped += spec.tiedTo < 0 && spec.isShaped();
  }
  unsigned first = numShaped || numResults > 1 ? 1 : 0;
  unsigned expected = first + signature.arguments.size();
  if (interface.getNumArguments() != expected)
    return interface.emitError()
           << "'" << name << "' has " << interface.getNumArguments()
           << " arguments, the signature of the entry needs " << expected;
  for (auto [index, spec] : llvm::enumerate(signature.arguments))
    readMarks(interface, first + index, spec);
  return success();
}
