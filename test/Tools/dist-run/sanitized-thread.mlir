// The thread sanitizer sees the stores of the compiled program: one to a buffer
// that a collective reads in flight is a race with the runtime's threads. Static
// checks take two arguments for two buffers; the entries pass one buffer twice,
// and two. The link delay keeps the collective in flight.

// REQUIRES: tsan
// RUN: not dist-run %s --entry one --link-delay 100ms 2>&1 | FileCheck %s
// RUN: dist-run %s --entry two --link-delay 100ms --print | FileCheck %s --check-prefix=TWO

// CHECK: ThreadSanitizer: data race

// TWO: rank 0: result 0: f32 = 2
// TWO: rank 1: result 0: f32 = 2

func.func private @sum(%source: memref<4xf32>, %stored: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %sum = memref.alloc() : memref<4xf32>
  %f = dist.all_reduce sum %source into %sum on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32>) -> !dist.future<memref<4xf32>>
  memref.store %one, %stored[%c0] : memref<4xf32>
  %done = dist.wait %f keeps(%source : memref<4xf32>)
      into(%sum : memref<4xf32>) : !dist.future<memref<4xf32>>
  %value = memref.load %sum[%c0] : memref<4xf32>
  return %value : f32
}

func.func @one() -> f32 {
  %one = arith.constant 1.0 : f32
  %buffer = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%buffer : memref<4xf32>)
  %value = call @sum(%buffer, %buffer)
      : (memref<4xf32>, memref<4xf32>) -> f32
  return %value : f32
}

func.func @two() -> f32 {
  %one = arith.constant 1.0 : f32
  %source = memref.alloc() : memref<4xf32>
  %stored = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%source : memref<4xf32>)
  %value = call @sum(%source, %stored)
      : (memref<4xf32>, memref<4xf32>) -> f32
  return %value : f32
}
