// The same on memrefs: what orders is who reads and writes which buffer.
// RUN: dist-opt %s --dist-schedule | FileCheck %s
// RUN: dist-opt %s --dist-schedule --dist-schedule | FileCheck %s

dist.process_group @g ranks [[0, 1]]

// A read of the old value stays above the write that the wait stands for, and a
// write below the wait stays below the readers.
// CHECK-LABEL: func.func @write_after_read
func.func @write_after_read(%a: memref<4xf32>, %b: memref<8xf32>, %out: memref<8xf32>, %z: memref<8xf32>) {
  // CHECK: %[[F:.*]] = dist.all_gather
  // CHECK-NEXT: %[[U:.*]] = dist.wait %[[F]]
  // CHECK-NEXT: linalg.add ins(%[[OUT:.*]], %[[U]]
  // CHECK-NEXT: linalg.copy ins(%{{.*}}) outs(%[[OUT]]
  %f = dist.all_gather %a dim 0 on <@g> : (memref<4xf32>) -> !dist.future<tensor<8xf32>>
  %u = dist.wait %f keeps(%a : memref<4xf32>) : !dist.future<tensor<8xf32>> -> memref<8xf32>
  linalg.add ins(%out, %u : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  linalg.copy ins(%b : memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

// The source is overwritten below the wait: the wait cannot sink below that.
// CHECK-LABEL: func.func @source_is_overwritten
func.func @source_is_overwritten(%v: f32) -> f32 {
  // CHECK: memref.store
  // CHECK-NEXT: %[[F:.*]] = dist.all_reduce
  // CHECK-NEXT: memref.load
  // CHECK-NEXT: dist.wait %[[F]]
  // CHECK-NEXT: memref.store
  %zero = arith.constant 0 : index
  %x = memref.alloc() : memref<1xf32>
  %y = memref.alloc() : memref<1xf32>
  memref.store %v, %x[%zero] : memref<1xf32>
  %f = dist.all_reduce sum %x into %y on <@g>
      : (memref<1xf32>) into (memref<1xf32>) -> !dist.future<memref<1xf32>>
  dist.wait %f keeps(%x : memref<1xf32>) into(%y : memref<1xf32>) : !dist.future<memref<1xf32>>
  %old = memref.load %x[%zero] : memref<1xf32>
  memref.store %old, %x[%zero] : memref<1xf32>
  %r = memref.load %y[%zero] : memref<1xf32>
  memref.dealloc %x : memref<1xf32>
  memref.dealloc %y : memref<1xf32>
  return %r : f32
}

// A wait that names nothing still stands for the buffers of its start.
// CHECK-LABEL: func.func @wait_without_names
func.func @wait_without_names(%v: f32) -> f32 {
  // CHECK: %[[F:.*]] = dist.all_reduce sum %[[X:.*]] into %[[Y:.*]] on
  // CHECK-NEXT: arith.mulf
  // CHECK-NEXT: dist.wait %[[F]]
  // CHECK-NEXT: memref.store %{{.*}}, %[[X]]
  %zero = arith.constant 0 : index
  %x = memref.alloc() : memref<1xf32>
  %y = memref.alloc() : memref<1xf32>
  memref.store %v, %x[%zero] : memref<1xf32>
  %f = dist.all_reduce sum %x into %y on <@g>
      : (memref<1xf32>) into (memref<1xf32>) -> !dist.future<memref<1xf32>>
  dist.wait %f : !dist.future<memref<1xf32>>
  %w = arith.mulf %v, %v : f32
  memref.store %w, %x[%zero] : memref<1xf32>
  %r = memref.load %y[%zero] : memref<1xf32>
  memref.dealloc %x : memref<1xf32>
  memref.dealloc %y : memref<1xf32>
  return %r : f32
}

// Start and wait move over what touches other buffers; the reader sees the
// destination through a view.
// CHECK-LABEL: func.func @reader_through_a_view
func.func @reader_through_a_view(%v: f32) -> f32 {
  // CHECK: %[[OTHER:.*]] = memref.alloc
  // CHECK: memref.store %{{.*}}, %[[X:.*]][%{{.*}}, %{{.*}}]
  // CHECK-NEXT: %[[F:.*]] = dist.all_reduce
  // CHECK-NEXT: memref.store %{{.*}}, %[[OTHER]]
  // CHECK-NEXT: dist.wait %[[F]]
  // CHECK-NEXT: memref.load
  %zero = arith.constant 0 : index
  %other = memref.alloc() : memref<1xf32>
  %x = memref.alloc() : memref<1x1xf32>
  %c = memref.collapse_shape %x [[0, 1]] : memref<1x1xf32> into memref<1xf32>
  memref.store %v, %x[%zero, %zero] : memref<1x1xf32>
  memref.store %v, %other[%zero] : memref<1xf32>
  %f = dist.all_reduce sum %x into %x on <@g>
      : (memref<1x1xf32>) into (memref<1x1xf32>) -> !dist.future<memref<1x1xf32>>
  dist.wait %f keeps(%x : memref<1x1xf32>) into(%x : memref<1x1xf32>) : !dist.future<memref<1x1xf32>>
  %r = memref.load %c[%zero] : memref<1xf32>
  memref.dealloc %x : memref<1x1xf32>
  memref.dealloc %other : memref<1xf32>
  return %r : f32
}

// Arguments may be the same memory: nothing crosses.
// CHECK-LABEL: func.func @arguments_may_alias
func.func @arguments_may_alias(%x: memref<1xf32>, %y: memref<1xf32>, %v: f32) {
  // CHECK: memref.store
  // CHECK-NEXT: %[[F:.*]] = dist.all_reduce
  // CHECK-NEXT: dist.wait %[[F]]
  // CHECK-NEXT: memref.store
  %zero = arith.constant 0 : index
  memref.store %v, %y[%zero] : memref<1xf32>
  %f = dist.all_reduce sum %x into %x on <@g>
      : (memref<1xf32>) into (memref<1xf32>) -> !dist.future<memref<1xf32>>
  dist.wait %f keeps(%x : memref<1xf32>) into(%x : memref<1xf32>) : !dist.future<memref<1xf32>>
  memref.store %v, %y[%zero] : memref<1xf32>
  return
}

// CHECK-LABEL: func.func @arguments_that_do_not_alias
func.func @arguments_that_do_not_alias(%x: memref<1xf32> {llvm.noalias}, %y: memref<1xf32>, %v: f32) {
  // CHECK: %[[F:.*]] = dist.all_reduce
  // CHECK: memref.store
  // CHECK-NEXT: memref.store
  // CHECK-NEXT: dist.wait %[[F]]
  %zero = arith.constant 0 : index
  memref.store %v, %y[%zero] : memref<1xf32>
  %f = dist.all_reduce sum %x into %x on <@g>
      : (memref<1xf32>) into (memref<1xf32>) -> !dist.future<memref<1xf32>>
  dist.wait %f keeps(%x : memref<1xf32>) into(%x : memref<1xf32>) : !dist.future<memref<1xf32>>
  memref.store %v, %y[%zero] : memref<1xf32>
  return
}

// The loop reads the destination inside; it is the first reader.
// CHECK-LABEL: func.func @reader_in_a_loop
func.func @reader_in_a_loop(%v: f32, %n: index) {
  // CHECK: dist.all_reduce
  // CHECK-NEXT: scf.for
  // CHECK: memref.store
  // CHECK: dist.wait
  // CHECK-NEXT: scf.for
  // CHECK: memref.load
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %x = memref.alloc() : memref<1xf32>
  %y = memref.alloc() : memref<1xf32>
  memref.store %v, %x[%zero] : memref<1xf32>
  %f = dist.all_reduce sum %x into %x on <@g>
      : (memref<1xf32>) into (memref<1xf32>) -> !dist.future<memref<1xf32>>
  dist.wait %f keeps(%x : memref<1xf32>) into(%x : memref<1xf32>) : !dist.future<memref<1xf32>>
  scf.for %i = %zero to %n step %one {
    memref.store %v, %y[%zero] : memref<1xf32>
  }
  scf.for %i = %zero to %n step %one {
    %l = memref.load %x[%zero] : memref<1xf32>
    memref.store %l, %y[%zero] : memref<1xf32>
  }
  memref.dealloc %x : memref<1xf32>
  memref.dealloc %y : memref<1xf32>
  return
}
