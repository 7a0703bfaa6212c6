//===- Pipelines.h -  ----------------------------------------- -*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The named pipelines. Why their passes stand in this order is told in
// lib/Pipelines/Pipelines.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_PIPELINES_PIPELINES_H
#define DIST_PIPELINES_PIPELINES_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::dist {

/// `dist-bufferize`: tensors and futures of tensors to buffers that are freed.
void buildBufferizePipeline(OpPassManager &pm);

/// `dist-buffers-to-llvm`: the result of `dist-bufferize` to the LLVM dialect.
void buildBuffersToLLVMPipeline(OpPassManager &pm);

/// `dist-to-llvm`: both.
void buildToLLVMPipeline(OpPassManager &pm);

void registerPipelines();

} // namespace mlir::dist

#endif // DIST_PIPELINES_PIPELINES_H
