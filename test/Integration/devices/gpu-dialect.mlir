// Kernels, memory and tokens of the gpu dialect with collectives between them: the
// tokens are carried by a loop, returned by a function and used twice.
// RUN: dist-run %s --ranks 2 --backend=nccl --fake-device --fill=iota --print-args | FileCheck %s
// RUN: dist-opt %s '--dist-to-llvm=target=cuda kernels=ptx' | FileCheck %s --check-prefix=MODULE

// x = 2 (r + 1) everywhere, summed over the ranks: 6. Three rounds of doubling and
// summing: times 4 each. Then copied to y.
// CHECK: rank 0: argument 0: memref<4xf32> = [384, 384, 384, 384]
// CHECK: rank 0: argument 1: memref<4xf32> = [384, 384, 384, 384]
// CHECK: rank 1: argument 0: memref<4xf32> = [384, 384, 384, 384]

// One module of LLVM with the code of the program's own kernel and of those that
// the lowering made.
// MODULE-DAG: llvm.mlir.global internal constant @kernels("{{.*}}.entry double(
// MODULE-DAG: llvm.mlir.global internal constant @dist_kernels("{{.*}}.entry
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @double(%m: memref<4xf32>) kernel {
      %i = gpu.thread_id x
      %x = memref.load %m[%i] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %m[%i] : memref<4xf32>
      gpu.return
    }
  }

  func.func private @double(%m: memref<4xf32>, %t: !gpu.async.token) -> !gpu.async.token {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %u = gpu.launch_func async [%t] @kernels::@double blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1) args(%m : memref<4xf32>)
    return %u : !gpu.async.token
  }

  func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %rank = dist.rank : index
    %word = arith.index_cast %rank : index to i32
    %r = arith.sitofp %word : i32 to f32
    %one = arith.constant 1.0 : f32
    %v = arith.addf %r, %one : f32
    %s = gpu.wait async
    // A kernel in place.
    %t = gpu.launch async [%s] blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
      %w = arith.addf %v, %v : f32
      memref.store %w, %x[%tx] : memref<4xf32>
      gpu.terminator
    }
    %a = dist.after %t of %x : memref<4xf32>
    dist.all_reduce_into sum %a into %a on <[[0, 1]]> : (memref<4xf32>) into (memref<4xf32>)
    %first = dist.token %a : memref<4xf32>
    %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%before = %first) -> !gpu.async.token {
      %doubled = func.call @double(%x, %before) : (memref<4xf32>, !gpu.async.token) -> !gpu.async.token
      %b = dist.after %doubled, %before of %x : memref<4xf32>
      %f = dist.all_reduce sum %b into %b on <[[0, 1]]> : (memref<4xf32>) into (memref<4xf32>) -> !dist.future<memref<4xf32>>
      %done = dist.wait %f keeps(%b : memref<4xf32>) into(%b : memref<4xf32>) : !dist.future<memref<4xf32>>
      %after = dist.token %done : memref<4xf32>
      scf.yield %after : !gpu.async.token
    }
    %copied = gpu.memcpy async [%last] %y, %x : memref<4xf32>, memref<4xf32>
    gpu.wait [%copied]
    return
  }
}
