//===- Signature.h ----------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the entry of a program takes and gives.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_TOOLS_RUN_SIGNATURE_H
#define DIST_TOOLS_RUN_SIGNATURE_H

#include "Tools/Run/Elements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::dist::run {

/// One argument or result.
struct ValueSpec {
  /// Tensor, memref or scalar.
  Type type;
  Type element;
  /// Sizes, kDynamic where the program leaves them open.
  SmallVector<int64_t> shape;
  /// Of a memref with a layout: kDynamic where it is open. Empty: row-major.
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  bool isWritable = false;
  bool isUniform = false;
  /// Of a result: the argument whose buffer it is, or -1.
  int64_t tiedTo = -1;

  bool isShaped() const { return isa<ShapedType>(type); }
  bool isMemRef() const { return isa<MemRefType>(type); }
};

struct Signature {
  std::string entry;
  SmallVector<ValueSpec> arguments;
  SmallVector<ValueSpec> results;
};

/// The function to run: the one called `name`, or without a name the only
/// public function with a body. Reports an error otherwise.
FailureOr<FunctionOpInterface> findEntry(ModuleOp module, StringRef name);

/// Whether `module` has nothing but the LLVM dialect in it.
bool isLowered(ModuleOp module);

/// The signature of a function of tensors, memrefs and scalars.
FailureOr<Signature> getSignature(FunctionOpInterface entry);

/// The signature that lowered `entry` records in its attributes; `fallback` is
/// taken where it records none.
FailureOr<Signature> getLoweredSignature(FunctionOpInterface entry,
                                         FunctionType fallback);

/// Checks that `module` has the C interface of the entry that `signature`
/// describes, and reads there how the arguments are marked: the lowered
/// function itself has several arguments for each of them.
LogicalResult readInterface(ModuleOp module, Signature &signature);

} // namespace mlir::dist::run

#endif // DIST_TOOLS_RUN_SIGNATURE_H
