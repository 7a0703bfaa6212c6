// RUN: dist-opt %s --dist-deallocate-buffers --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @frees_what_nobody_needs(
// CHECK:         memref.alloc
// CHECK:         bufferization.dealloc
func.func @frees_what_nobody_needs(%i: index, %v: f32) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  %e = memref.load %m[%i] : memref<4xf32>
  return %e : f32
}

// CHECK-LABEL: func.func @leaves_a_function_that_frees_alone(
// CHECK:         memref.alloc
// CHECK:         memref.dealloc
// CHECK-NOT:     dealloc
// expected-remark @below {{manages its memory itself: nothing is freed for it}}
func.func @leaves_a_function_that_frees_alone(%i: index, %v: f32) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  memref.store %v, %m[%i] : memref<4xf32>
  %e = memref.load %m[%i] : memref<4xf32>
  // expected-note @below {{it frees a buffer here}}
  memref.dealloc %m : memref<4xf32>
  return %e : f32
}

// CHECK-LABEL: func.func @an_unused_wait_stays(
// CHECK:         dist.wait
// CHECK:         bufferization.dealloc
func.func @an_unused_wait_stays(%m: memref<4xf32>) {
  %f = dist.all_reduce sum %m on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  %y = dist.wait %f keeps(%m : memref<4xf32>)
    : !dist.future<tensor<4xf32>> -> memref<4xf32>
  return
}

// The start takes the buffer over; what is left to free is not it.
//
// CHECK-LABEL: func.func @a_donated_source_is_not_freed(
// CHECK-DAG:     %[[OWNED:.*]] = arith.constant true
// CHECK-DAG:     %[[SOURCE:.*]] = memref.alloc
// CHECK:         dist.all_reduce sum %[[SOURCE]] owned(%[[OWNED]])
// CHECK-NOT:     dealloc
func.func @a_donated_source_is_not_freed(%v: f32) {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
  %f = dist.all_reduce sum %m on <[[0, 1]]> {source_modes = [#dist.source<donate>]}
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  dist.drop %f : !dist.future<tensor<4xf32>>
  return
}
