// RUN: dist-opt %s --dist-lower-deallocations | FileCheck %s

// The arrays through which the host compares buffers are on its stack, at the
// beginning of the function, and nothing frees them.
// CHECK-LABEL: func.func @frees_what_is_not_retained(
// CHECK-COUNT-5: memref.alloca()
// CHECK-NOT: memref.alloc()
// CHECK: scf.for
// CHECK: call @dealloc_helper
func.func @frees_what_is_not_retained(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>, %d: memref<4xf32>, %p: i1, %q: i1, %n: index)
    -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %p) -> i1 {
    %0:2 = bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%p, %q)
        retain (%c, %d : memref<4xf32>, memref<4xf32>)
    scf.yield %0#0 : i1
  }
  return %r : i1
}

// The buffers of the program stay.
// CHECK-LABEL: func.func @keeps_allocations(
// CHECK: memref.alloc() : memref<4xf32>
func.func @keeps_allocations() -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  return %m : memref<4xf32>
}

// CHECK: func.func private @dealloc_helper({{.*}}) attributes {dist.host_memory}
