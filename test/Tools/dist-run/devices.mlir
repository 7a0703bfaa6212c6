// Arguments go to the device and come back; what the options refuse.
// RUN: dist-run %s --ranks 2 --backend=nccl --fake-device --fill=iota --print --print-args --call-log %t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log
// RUN: dist-run %s --ranks 2 --backend=nccl --fake-device --fill=iota --timeline %t.svg --trace %t.json
// RUN: FileCheck %s --check-prefix=TIMELINE < %t.svg
// RUN: FileCheck %s --check-prefix=TRACE < %t.json
// RUN: not dist-run %s --ranks 2 --fake-device 2>&1 | FileCheck %s --check-prefix=FAKE
// RUN: not dist-run %s --ranks 2 --call-log %t.log 2>&1 | FileCheck %s --check-prefix=CALLS

// A result that is a scalar, one that is an argument, and one of its own.
// CHECK: rank 0: argument 0: memref<2xf32> = [4, 6]
// CHECK: rank 0: result 0: tensor<2xf32> = [8, 12]
// CHECK: rank 0: result 1: f32 = 4
// CHECK: rank 1: argument 0: memref<2xf32> = [4, 6]
// CHECK: rank 1: result 0: tensor<2xf32> = [8, 12]
// LOG: ncclAllReduce
// TIMELINE: >kernels<
// TIMELINE: <title>f_kernel
// TIMELINE: >collectives<
// TIMELINE: <title>all_reduce #0
// TRACE-DAG: "name":"f_kernel
// TRACE-DAG: all_reduce
// FAKE: dist-run: error: --fake-device: expected --backend=nccl with it
// CALLS: dist-run: error: --call-log: expected --backend=nccl with it
func.func @f(%m: memref<2xf32>, %x: tensor<2xf32>) -> (tensor<2xf32>, f32) {
  %c0 = arith.constant 0 : index
  %f = dist.all_reduce sum %x on <[[0, 1]]> : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  %two = arith.constant dense<2.0> : tensor<2xf32>
  %s = arith.addf %y, %two : tensor<2xf32>
  bufferization.materialize_in_destination %s in restrict writable %m : (tensor<2xf32>, memref<2xf32>) -> ()
  %z = arith.addf %s, %s : tensor<2xf32>
  %v = tensor.extract %s[%c0] : tensor<2xf32>
  return %z, %v : tensor<2xf32>, f32
}
