//===- Pipelines.cpp ------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Which passes run in which order, and why.
//
//===----------------------------------------------------------------------===//

#include "Pipelines/Pipelines.h"
#include "Conversion/Passes.h"
#include "Dialect/Dist/Transforms/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mlir::dist;

/// Where the code generator looks for the assembler of PTX too.
static bool findPtxas() {
  SmallVector<std::string> folders;
  for (const char *variable : {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"})
    if (std::optional<std::string> root = llvm::sys::Process::GetEnv(variable))
      folders.push_back(*root + "/bin");
  for (StringRef folder : folders)
    if (llvm::sys::fs::can_execute(folder + "/ptxas"))
      return true;
  return static_cast<bool>(llvm::sys::findProgramByName("ptxas"));
}

void mlir::dist::buildPreparePipeline(OpPassManager &pm) {
  // Futures and tensors pass through the loops and branches of scf only.
  pm.addPass(createLowerAffinePass());

  // Tokens of the gpu dialect say nothing on one stream, and nothing after this
  // knows them.
  pm.addPass(createOrderTokensPass());

  // One-Shot misses conflicts in functions of several blocks: make one block of
  // them. Canonicalization cleans up what lifting leaves behind.
  pm.addNestedPass<func::FuncOp>(createLiftControlFlowToSCFPass());
  pm.addPass(createCanonicalizerPass());

  // Computations that live elsewhere become calls, arithmetic on whole tensors
  // becomes loops over their elements.
  pm.addPass(createLowerOpaquePass());
  pm.addPass(createConvertElementwiseToLinalgPass());

  // What a caller may rely on, before tensors become buffers.
  pm.addPass(createPrepareEntryPass());

  // A destination that is read later, or named as an init by the way, must not
  // stop One-Shot.
  pm.addPass(createRelaxDestinationsPass());

  // What ties a start and its waits to the source is an SSA value: nothing may
  // come between this pass and One-Shot that rematerializes it.
  pm.addPass(createPrepareBufferizationPass());
}

void mlir::dist::buildOneShotPipeline(OpPassManager &pm) {
  bufferization::OneShotBufferizePassOptions oneShot;
  oneShot.bufferizeFunctionBoundaries = true;
  // Tensors that a loop carries need it; futures do not.
  oneShot.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(oneShot));
}

void mlir::dist::buildOwnershipPipeline(OpPassManager &pm) {
  // Copies that One-Shot had to make because a future's destination is unknown
  // to it.
  pm.addPass(createReinplaceBuffersPass());

  // Results that are arguments must be known before deallocation, which would
  // clone them for a caller that owns what it gets.
  pm.addPass(createTieResultsPass());

  // The stock deallocation pipeline, but for the pass that deallocates.
  memref::ExpandReallocPassOptions expandRealloc;
  expandRealloc.emitDeallocs = false;
  pm.addPass(memref::createExpandReallocPass(expandRealloc));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createDeallocateBuffersPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(bufferization::createBufferDeallocationSimplificationPass());
  pm.addPass(createLowerDeallocationsPass());
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());

  // What deallocation had to clone.
  pm.addPass(createLowerClonesPass());
  pm.addPass(createConvertBufferizationToMemRefPass());
}

void mlir::dist::buildBufferizePipeline(OpPassManager &pm) {
  buildPreparePipeline(pm);
  buildOneShotPipeline(pm);
  pm.addPass(createVerifyBufferizationPass());
  buildOwnershipPipeline(pm);
}

/// Computation to kernels with a version for the host.
static void addKernelPasses(OpPassManager &pm) {
  // Loops of the affine dialect are kernels as well.
  pm.addPass(createLowerAffinePass());
  pm.addPass(createFormKernelsPass());
  // Sizes of grids are affine expressions.
  pm.addPass(createLowerAffinePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createOutlineKernelsPass());
  // What is left in functions is the host's. Before the host versions, which
  // load and store for the device.
  pm.addPass(createDeviceAccessesPass());
  pm.addPass(createHostKernelsPass());
}

/// Kernels to the code that is embedded. They are out of the way of the host's
/// passes afterwards.
static void addKernelCodePasses(OpPassManager &pm,
                                const LoweringOptions &options) {
  EmbedKernelsPassOptions embed;
  embed.images = options.kernels != KernelCode::None;
  if (embed.images) {
    ConvertGpuOpsToNVVMOpsOptions nvvm;
    nvvm.indexBitwidth = 64;
    OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
    kernels.addPass(createConvertGpuOpsToNVVMOps(nvvm));
    kernels.addPass(createCanonicalizerPass());
    kernels.addPass(createReconcileUnrealizedCastsPass());
    GpuNVVMAttachTargetOptions target;
    target.chip = options.chip;
    // Without features the code generator takes an older PTX than it can write
    // for this chip, and aborts.
    target.features = options.features;
    pm.addPass(createGpuNVVMAttachTarget(target));
    bool hasAssembler = options.kernels == KernelCode::Cubin ||
                        (options.kernels == KernelCode::Auto && findPtxas());
    GpuModuleToBinaryPassOptions binary;
    binary.compilationTarget = hasAssembler ? "bin" : "isa";
    pm.addPass(createGpuModuleToBinaryPass(binary));
  }
  pm.addPass(createEmbedKernelsPass(embed));
}

void mlir::dist::buildBuffersToLLVMPipeline(OpPassManager &pm,
                                            const LoweringOptions &options) {
  bool isDevice = options.target == Target::Cuda;
  if (isDevice)
    addKernelPasses(pm);

  // Structured computation to loops, loops to branches. The runtime calls test
  // a status and branch, so scf must be gone before them.
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  if (isDevice)
    addKernelCodePasses(pm, options);

  // bf16 has no arithmetic on most processors: compute in f32 and round.
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"bf16"};
  emulate.targetTypeStr = "f32";
  pm.addNestedPass<func::FuncOp>(
      arith::createArithEmulateUnsupportedFloats(emulate));
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addNestedPass<func::FuncOp>(arith::createArithExpandOpsPass(expand));

  // Allocations go through the runtime's hooks, so that a device pool fits.
  FinalizeMemRefToLLVMConversionPassOptions memref;
  memref.useGenericFunctions = true;
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memref));
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createFinalizeLoweringPass());
}

void mlir::dist::buildToLLVMPipeline(OpPassManager &pm,
                                     const LoweringOptions &options) {
  buildBufferizePipeline(pm);
  buildBuffersToLLVMPipeline(pm, options);
}

void mlir::dist::buildOverlapPipeline(OpPassManager &pm,
                                      const OverlapOptions &options) {
  // In-place collectives hide their waits: take them apart first.
  pm.addPass(createFunctionalizePass());
  SchedulePassOptions schedule;
  schedule.maxInFlight = options.maxInFlight;
  schedule.maxInFlightBytes = options.maxInFlightBytes;
  schedule.limits = options.limits;
  pm.addPass(createSchedulePass(schedule));
  // Without the bounds: the scheduler has warned where they cannot be kept, and
  // its nearest schedule is what the user gets.
  pm.addPass(createVerifySchedulePass());
}

void mlir::dist::registerPipelines() {
  PassPipelineRegistration<OverlapOptions>(
      "dist-overlap", "Collectives start early and are waited for late",
      buildOverlapPipeline);
  PassPipelineRegistration<>("dist-bufferize",
                             "Tensors and futures to buffers, without a race",
                             buildBufferizePipeline);
  PassPipelineRegistration<LoweringOptions>(
      "dist-buffers-to-llvm", "Buffers and futures to calls of the runtime",
      buildBuffersToLLVMPipeline);
  PassPipelineRegistration<LoweringOptions>(
      "dist-to-llvm", "Tensor programs with collectives to LLVM",
      buildToLLVMPipeline);
}
