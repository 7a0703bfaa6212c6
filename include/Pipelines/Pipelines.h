//===- Pipelines.h ----------------------------------------------*- C++ -*-===//
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

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::dist {

/// The parts of `dist-bufferize`: up to the preparation of futures, One-Shot
/// bufferization, and what decides who owns and frees the buffers. Between the
/// last two belongs dist-verify-bufferization.
void buildPreparePipeline(OpPassManager &pm);
void buildOneShotPipeline(OpPassManager &pm);
void buildOwnershipPipeline(OpPassManager &pm);

/// `dist-bufferize`: tensors and futures of tensors to buffers that are freed.
void buildBufferizePipeline(OpPassManager &pm);

/// `dist-buffers-to-llvm`: the result of `dist-bufferize` to the LLVM dialect.
void buildBuffersToLLVMPipeline(OpPassManager &pm);

/// `dist-to-llvm`: both.
void buildToLLVMPipeline(OpPassManager &pm);

/// What may be in flight, see dist-schedule.
struct OverlapOptions : public PassPipelineOptions<OverlapOptions> {
  Option<int64_t> maxInFlight{
      *this, "max-in-flight",
      llvm::cl::desc("Collectives in flight per communicator, 0: no bound"),
      llvm::cl::init(0)};
  Option<int64_t> maxInFlightBytes{
      *this, "max-in-flight-bytes",
      llvm::cl::desc("Bytes in flight per communicator, 0: no bound"),
      llvm::cl::init(0)};
  Option<std::string> limits{
      *this, "limits", llvm::cl::desc("Bounds of single groups"),
      llvm::cl::init("")};
};

/// `dist-overlap`: collectives start early and are waited for late.
void buildOverlapPipeline(OpPassManager &pm, const OverlapOptions &options);

void registerPipelines();

} // namespace mlir::dist

#endif // DIST_PIPELINES_PIPELINES_H
