// Programs whose calls of CUDA and NCCL are compared with golden logs: streams,
// events, groups, kernels and copies, in their order on each rank.
//
// RUN: %python %S/call_logs.py --dist-run=dist-run %s %S/Inputs | FileCheck %s
// CHECK-NOT: FAIL
// CHECK: {{^}}40 scenarios, 0 failed{{$}}

// SCENARIO: overlap
// Compute between start and wait is on the compute stream, the collective beside
// it.
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %f = dist.all_reduce sum %x on <[[0, 1]]> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %z = arith.mulf %y, %y : tensor<4xf32>
  %r = dist.wait %f : !dist.future<tensor<4xf32>>
  return %r, %z : tensor<4xf32>, tensor<4xf32>
}

// -----

// SCENARIO: producer-and-consumer
// The collective waits for the kernel that makes its source, the kernel that uses
// its result for the collective.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.addf %x, %x : tensor<4xf32>
  %f = dist.all_reduce sum %y on <[[0, 1]]> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = dist.wait %f : !dist.future<tensor<4xf32>>
  %z = arith.addf %r, %r : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// SCENARIO: independent-futures
// Two groups, two communication streams, no edge between them.
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %f = dist.all_reduce sum %x on <[[0, 1]], tag = "a"> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %g = dist.all_reduce sum %y on <[[0, 1]], tag = "b"> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = dist.wait %f : !dist.future<tensor<4xf32>>
  %s = dist.wait %g : !dist.future<tensor<4xf32>>
  return %r, %s : tensor<4xf32>, tensor<4xf32>
}

// -----

// SCENARIO: loop
// Each iteration uses the events again.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %x) -> tensor<4xf32> {
    %f = dist.all_reduce sum %v on <[[0, 1]]> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    %w = dist.wait %f : !dist.future<tensor<4xf32>>
    scf.yield %w : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// SCENARIO: future-carried-by-a-loop
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f = dist.all_reduce sum %x on <[[0, 1]]> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %g = scf.for %i = %c0 to %c2 step %c1 iter_args(%h = %f) -> !dist.future<tensor<4xf32>> {
    %w = dist.wait %h : !dist.future<tensor<4xf32>>
    %n = dist.all_reduce max %w on <[[0, 1]]> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    scf.yield %n : !dist.future<tensor<4xf32>>
  }
  %r = dist.wait %g : !dist.future<tensor<4xf32>>
  return %r : tensor<4xf32>
}

// -----

// SCENARIO: branch-on-a-device-value
// The host reads the condition: one synchronisation, where the value is needed.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %f = dist.all_reduce sum %x on <[[0, 1]]> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = dist.wait %f : !dist.future<tensor<4xf32>>
  %v = tensor.extract %r[%c0] : tensor<4xf32>
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

// -----

// SCENARIO: explicit-host-wait
func.func @f(%x: memref<4xf32>) {
  dist.all_reduce_into sum %x into %x on <[[0, 1]]> : (memref<4xf32>) into (memref<4xf32>)
  dist.synchronize
  dist.all_reduce_into max %x into %x on <[[0, 1]]> : (memref<4xf32>) into (memref<4xf32>)
  return
}

// -----

// SCENARIO: several-groups
// RANKS: 4
// Groups of different sizes that share ranks.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %f = dist.all_reduce sum %x on <[[0, 1], [2, 3]]> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = dist.wait %f : !dist.future<tensor<4xf32>>
  %g = dist.all_reduce sum %r on <[[0, 1, 2, 3]]> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %s = dist.wait %g : !dist.future<tensor<4xf32>>
  return %s : tensor<4xf32>
}

// -----

// SCENARIO: part-of-the-world
// RANKS: 3
// The rank outside communicates nothing.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %f = dist.all_reduce sum %x on <[[0, 2]]> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = dist.wait %f : !dist.future<tensor<4xf32>>
  return %r : tensor<4xf32>
}

// -----

// SCENARIO: gather-inner-dimension
// A true concatenation: packed by copies on the communication stream.
func.func @f(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {
  %f = dist.all_gather %x dim 1 on <[[0, 1]]> : (tensor<2x2xf32>) -> !dist.future<tensor<2x4xf32>>
  %r = dist.wait %f : !dist.future<tensor<2x4xf32>>
  return %r : tensor<2x4xf32>
}

// -----

// SCENARIO: constant
// Copied to the device once.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %y = arith.addf %x, %c : tensor<4xf32>
  %z = arith.mulf %y, %c : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// SCENARIO: tokens
// Work of the gpu dialect before a start and after a wait.
func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
  %v = arith.constant 2.0 : f32
  %s = gpu.wait async
  %t = gpu.memset async [%s] %x, %v : memref<4xf32>, f32
  %a = dist.after %t of %x : memref<4xf32>
  %f = dist.all_reduce sum %a into %a on <[[0, 1]]> : (memref<4xf32>) into (memref<4xf32>) -> !dist.future<memref<4xf32>>
  %r = dist.wait %f keeps(%a : memref<4xf32>) into(%a : memref<4xf32>) : !dist.future<memref<4xf32>>
  %u = dist.token %r : memref<4xf32>
  %w = gpu.memcpy async [%u] %y, %r : memref<4xf32>, memref<4xf32>
  gpu.wait [%w]
  return
}

// -----

// SCENARIO: missing-rank
// FAILS: missing rank 1
// FLAGS: --deadline=1s
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %rank = dist.rank : index
  %first = arith.cmpi eq, %rank, %c0 : index
  %r = scf.if %first -> tensor<4xf32> {
    %f = dist.all_reduce sum %x on <[[0, 1]]> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    %w = dist.wait %f : !dist.future<tensor<4xf32>>
    scf.yield %w : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
