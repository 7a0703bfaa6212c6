// The address sanitizer sees the loads of the compiled program: one element past
// the end of a buffer lies in the padding of the allocation.

// REQUIRES: asan
// RUN: not dist-run %s --ranks 2 --arg 0=3 2>&1 | FileCheck %s --check-prefix=PAST
// RUN: dist-run %s --ranks 2 --arg 0=2 --print | FileCheck %s --check-prefix=INSIDE

// PAST: AddressSanitizer
// PAST: READ of size 4

// INSIDE: rank 1: result 0: f32 = 7

func.func @main(%index: index) -> f32 {
  %seven = arith.constant 7.0 : f32
  %buffer = memref.alloc() : memref<3xf32>
  linalg.fill ins(%seven : f32) outs(%buffer : memref<3xf32>)
  %value = memref.load %buffer[%index] : memref<3xf32>
  memref.dealloc %buffer : memref<3xf32>
  return %value : f32
}
