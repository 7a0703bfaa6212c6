//===- Passes.td -------------------------------------------*- tablegen -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//


#ifndef DIST_CONVERSION_PASSES_TD
#define DIST_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// convert-dist-to-llvm
//===----------------------------------------------------------------------===//

def ConvertDistToLLVMPass : Pass<"convert-dist-to-llvm", "ModuleOp"> {
  let summary = "Turns collectives into calls of the runtime";
  let description = [{
    Converts dist, and func, cf and ub with it, so that futures in signatures and
    block arguments become pointers. Needs bufferized programs without scf:
    anything else is an error. `convert-to-llvm` does the same.
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
}

//===----------------------------------------------------------------------===//
// dist-finalize-lowering
//===----------------------------------------------------------------------===//

def FinalizeLoweringPass : Pass<"dist-finalize-lowering", "ModuleOp"> {
  let summary = "Ends a lowering: nothing of dist may be left";
  let description = [{
    Erases the declarations of meshes and process groups, which the calls carry
    by now, and makes the program check the runtime's ABI when it is loaded. An
    operation that is left outside of the LLVM dialect is an error that names
    it.
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
}

//===----------------------------------------------------------------------===//
// dist-device-accesses
//===----------------------------------------------------------------------===//

def DeviceAccessesPass : Pass<"dist-device-accesses", "ModuleOp"> {
  let summary = "Lets the host reach device memory through the runtime";
  let description = [{
    What loads and stores are left outside of kernels becomes `dist.device_read`,
    for which the host waits, and `dist.device_write`; constants that the device
    needs become copies (`dist.device_constant`). What else would touch device
    memory on the host is an error that names it.
  }];
  let dependentDialects = ["DistDialect"];
}

//===----------------------------------------------------------------------===//
// dist-form-kernels
//===----------------------------------------------------------------------===//

def FormKernelsPass : Pass<"dist-form-kernels", "ModuleOp"> {
  let summary = "Puts computation on device memory into kernels";
  let description = [{
    Makes a `gpu.launch` of

    - each linalg operation and each `memref.copy`: a thread per element of its
      parallel dimensions, in which the reduction runs in order;
    - each `scf.parallel` and `scf.forall` that only computes, loads and stores;
    - each other loop or branch that only computes, loads and stores: one thread,
      in program order. What it yields goes through a buffer that the host reads.

    Loops around collectives, allocations, calls and kernels stay on the host.
  }];
  let dependentDialects = ["gpu::GPUDialect", "linalg::LinalgDialect",
                           "scf::SCFDialect", "affine::AffineDialect",
                           "DistDialect"];
}

//===----------------------------------------------------------------------===//
// dist-host-kernels
//===----------------------------------------------------------------------===//

def HostKernelsPass : Pass<"dist-host-kernels", "ModuleOp"> {
  let summary = "Gives every kernel a version for the host";
  let description = [{
    Turns each `gpu.launch_func` into a `dist.launch`, which has the kernel and a
    function that runs its threads one after the other. A kernel whose threads
    talk to each other (barriers, shuffles, shared memory) or that is no gpu.func
    has none; a remark says so, and a device that is not real cannot run it.
  }];
  let dependentDialects = ["DistDialect", "LLVM::LLVMDialect",
                           "arith::ArithDialect", "func::FuncDialect",
                           "scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// dist-lower-deallocations
//===----------------------------------------------------------------------===//

def LowerDeallocationsPass : Pass<"dist-lower-deallocations", "ModuleOp"> {
  let summary = "Lowers deallocations with the host's arrays on the stack";
  let description = [{
    As the stock pass of bufferization, but the arrays of addresses through which
    the host finds out which buffers to free are on its stack: what
    `memref.alloc` gives may be device memory.
  }];
  let dependentDialects = ["arith::ArithDialect", "func::FuncDialect",
                           "memref::MemRefDialect", "scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// dist-order-tokens
//===----------------------------------------------------------------------===//

def OrderTokensPass : Pass<"dist-order-tokens", "ModuleOp"> {
  let summary = "Replaces tokens of the gpu dialect by the order of one stream";
  let description = [{
    All work of a rank's program goes to one compute stream in program order, and
    starts and waits order the communication streams with it. Whatever a token
    stands for has been put on that stream before the token exists, so it says
    nothing more: the pass takes tokens out of operations, loops, branches,
    functions and calls, `dist.after` and `dist.token` with them. Allocations,
    copies and fills of the gpu dialect become those of memref and linalg, and a
    `gpu.wait` of the host becomes `dist.synchronize`.
  }];
  let dependentDialects = ["DistDialect", "linalg::LinalgDialect",
                           "memref::MemRefDialect"];
}

//===----------------------------------------------------------------------===//
// dist-outline-kernels
//===----------------------------------------------------------------------===//

def OutlineKernelsPass : Pass<"dist-outline-kernels", "ModuleOp"> {
  let summary = "Moves kernels into one gpu.module";
  let description = [{
    Each `gpu.launch` becomes a `gpu.func`, named after its function, in one
    module for all of them: one image is embedded and loaded.
  }];
  let dependentDialects = ["gpu::GPUDialect"];
}

//===----------------------------------------------------------------------===//
// dist-embed-kernels
//===----------------------------------------------------------------------===//

def EmbedKernelsPass : Pass<"dist-embed-kernels", "ModuleOp"> {
  let summary = "Puts the kernels' machine code into the program";
  let description = [{
    A `gpu.binary` becomes a constant of the program, which the launches refer
    to: a cubin or fatbin as it is, PTX with the zero byte that ends it. With
    `images=false` modules of the gpu dialect are removed, and the launches have
    their host versions only: a launch without one is an error.
  }];
  let dependentDialects = ["LLVM::LLVMDialect"];
  let options = [
    Option<"images", "images", "bool", /*default=*/"true",
           "Embed the code for devices">
  ];
}

#endif // DIST_CONVERSION_PASSES_TD
