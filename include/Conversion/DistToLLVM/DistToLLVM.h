//===- DistToLLVM.h ---------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Lowering of dist to calls of the runtime ABI, include/dist-rt/distrt.h.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_CONVERSION_DISTTOLLVM_DISTTOLLVM_H
#define DIST_CONVERSION_DISTTOLLVM_DISTTOLLVM_H

#include <memory>

namespace mlir {
class DialectRegistry;
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace mlir::dist {

/// A future is a pointer that only the runtime looks behind.
void populateDistToLLVMTypeConversions(LLVMTypeConverter &converter);

/// The operations on memrefs become calls. They need unstructured control flow,
/// for every call that can fail branches to a cold block. Declarations of
/// meshes and process groups stay, see dist-finalize-lowering.
void populateDistToLLVMConversionPatterns(const LLVMTypeConverter &converter,
                                          RewritePatternSet &patterns);

/// Lets `convert-to-llvm` convert dist as well.
void registerConvertDistToLLVMInterface(DialectRegistry &registry);

/// Lets the translation to LLVM IR pass over the dialect's attributes.
void registerDistDialectTranslation(DialectRegistry &registry);

} // namespace mlir::dist

#endif // DIST_CONVERSION_DISTTOLLVM_DISTTOLLVM_H
