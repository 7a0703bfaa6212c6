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
#include "llvm/Support/CommandLine.h"

namespace mlir::dist {

/// What a program is lowered for.
enum class Target { Host, Cuda };

/// The code of kernels that goes into a program for a device: none (their
/// versions for the host alone), PTX, a cubin, or a cubin where there is a ptxas
/// and PTX where there is none.
enum class KernelCode { None, Ptx, Cubin, Auto };

/// See `dist-to-llvm`.
struct LoweringOptions : public PassPipelineOptions<LoweringOptions> {
  Option<Target> target{
      *this, "target", llvm::cl::desc("What the program is lowered for"),
      llvm::cl::init(Target::Host),
      llvm::cl::values(
          clEnumValN(Target::Host, "host", "Memory and compute of the host"),
          clEnumValN(Target::Cuda, "cuda",
                     "Buffers and compute on a CUDA device"))};
  Option<KernelCode> kernels{
      *this, "kernels", llvm::cl::desc("Code of the kernels to embed"),
      llvm::cl::init(KernelCode::Auto),
      llvm::cl::values(
          clEnumValN(KernelCode::None, "none", "Host versions only"),
          clEnumValN(KernelCode::Ptx, "ptx", "PTX"),
          clEnumValN(KernelCode::Cubin, "cubin", "Machine code, by ptxas"),
          clEnumValN(KernelCode::Auto, "auto",
                     "Machine code where ptxas is found, else PTX"))};
  Option<std::string> chip{*this, "cubin-chip",
                           llvm::cl::desc("Chip of the kernels"),
                           llvm::cl::init("sm_90")};
  Option<std::string> features{*this, "cubin-features",
                               llvm::cl::desc("PTX features of the kernels"),
                               llvm::cl::init("+ptx80")};
};

/// The parts of `dist-bufferize`: up to the preparation of futures, One-Shot
/// bufferization, and what decides who owns and frees the buffers. Between the
/// last two belongs dist-verify-bufferization.
void buildPreparePipeline(OpPassManager &pm);
void buildOneShotPipeline(OpPassManager &pm);
void buildOwnershipPipeline(OpPassManager &pm);

/// `dist-bufferize`: tensors and futures of tensors to buffers that are freed.
void buildBufferizePipeline(OpPassManager &pm);

/// `dist-buffers-to-llvm`: the result of `dist-bufferize` to the LLVM dialect.
void buildBuffersToLLVMPipeline(OpPassManager &pm,
                                const LoweringOptions &options);

/// `dist-to-llvm`: both.
void buildToLLVMPipeline(OpPassManager &pm, const LoweringOptions &options);

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
