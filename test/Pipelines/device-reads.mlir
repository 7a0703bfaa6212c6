// The host waits where it reads a value, and only there.
// RUN: dist-opt %s '--dist-to-llvm=target=cuda kernels=none' | FileCheck %s

// CHECK-LABEL: llvm.func @branches_on_a_value(
// CHECK: llvm.call @distrtFutureWait(
// CHECK-NOT: llvm.call @distrtAllReduce
// CHECK: llvm.call @distrtDeviceRead(
// CHECK: llvm.fcmp "ogt"
// CHECK: llvm.call @distrtAllReduce(
// CHECK-NOT: llvm.call @distrtDeviceRead(
// CHECK-LABEL: llvm.func @waits_for_the_host(
// CHECK: llvm.call @distrtAllReduce(
// CHECK: llvm.call @distrtSynchronize(
// CHECK: llvm.call @distrtAllReduce(
func.func @branches_on_a_value(%x: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %f = dist.all_reduce sum %x on <[[0, 1]]> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = dist.wait %f : !dist.future<tensor<4xf32>>
  %v = tensor.extract %r[%i] : tensor<4xf32>
  %p = arith.cmpf ogt, %v, %zero : f32
  %s = scf.if %p -> tensor<4xf32> {
    %g = dist.all_reduce max %r on <[[0, 1]]> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    %w = dist.wait %g : !dist.future<tensor<4xf32>>
    scf.yield %w : tensor<4xf32>
  } else {
    scf.yield %r : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}

func.func @waits_for_the_host(%x: memref<4xf32>) {
  dist.all_reduce_into sum %x into %x on <[[0, 1]]> : (memref<4xf32>) into (memref<4xf32>)
  dist.synchronize
  dist.all_reduce_into max %x into %x on <[[0, 1]]> : (memref<4xf32>) into (memref<4xf32>)
  return
}
