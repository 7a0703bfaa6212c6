// A program of linalg with a collective between, for a device: one module of LLVM
// with its kernels.
// RUN: dist-opt %s '--dist-to-llvm=target=cuda kernels=ptx' | FileCheck %s
// RUN: dist-opt %s --dist-bufferize '--dist-buffers-to-llvm=target=cuda kernels=ptx' | FileCheck %s
// RUN: dist-opt %s '--dist-to-llvm=target=cuda kernels=none' | FileCheck %s --check-prefix=NONE
// RUN: dist-opt %s '--dist-to-llvm=target=cuda kernels=ptx cubin-chip=sm_80' | FileCheck %s --check-prefix=CHIP

// CHIP: .target sm_80
// NONE-NOT: @dist_kernels
// NONE: llvm.func @step(

// The product is on the compute stream before the collective starts, which the
// host does not wait for; neither does it for the sum.
// CHECK-LABEL: llvm.func @step(
// CHECK: llvm.call @distrtKernelLaunch(
// CHECK: llvm.call @distrtAllReduce(
// CHECK: llvm.call @distrtFutureWait(
// CHECK: llvm.call @distrtKernelLaunch(
// CHECK-NOT: llvm.call @distrtDeviceRead
// CHECK-NOT: llvm.call @distrtSynchronize
// CHECK: llvm.return

// The code of both kernels, once, and their versions for the host.
// CHECK: @dist_kernels("{{.*}}.target sm_90{{.*}}.entry step_kernel({{.*}}.entry step_kernel_0(
// CHECK: llvm.func internal @step_kernel_thread(
// CHECK: llvm.func internal @step_kernel_host(
func.func @step(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.mulf %x, %x : tensor<4xf32>
  %f = dist.all_reduce sum %y on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = dist.wait %f : !dist.future<tensor<4xf32>>
  %z = arith.addf %r, %x : tensor<4xf32>
  return %z : tensor<4xf32>
}
