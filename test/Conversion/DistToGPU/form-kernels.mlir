// What becomes a kernel, and over how many threads it is spread.
// RUN: dist-opt %s --dist-form-kernels --lower-affine --canonicalize | FileCheck %s

// 12 elements, one block of a warp.
// CHECK-LABEL: func.func @adds_elements(
// CHECK-SAME: %[[A:.*]]: memref<3x4xf32>, %[[B:.*]]: memref<3x4xf32>)
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[C12:.*]] = arith.constant 12 : index
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %[[C1]], {{.*}}) threads(%[[TX:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %[[C32]],
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[TX]], %[[C12]]
// CHECK: scf.if %[[INSIDE]]
// CHECK: %[[COLUMN:.*]] = arith.remui %[[TX]], %[[C4]]
// CHECK: %[[ROW:.*]] = arith.divui %[[TX]], %[[C4]]
// CHECK: memref.load %[[A]][%[[ROW]], %[[COLUMN]]]
// CHECK: memref.store %{{.*}}, %[[B]][%[[ROW]], %[[COLUMN]]]
// CHECK: gpu.terminator
func.func @adds_elements(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}

// An unknown number of elements: blocks of 256, at least one of them.
// CHECK-LABEL: func.func @fills_dynamic(
// CHECK: %[[DIM:.*]] = memref.dim
// CHECK: %[[N:.*]] = arith.maxsi %[[DIM]], %c0
// CHECK: %[[BLOCKS:.*]] = arith.maxsi %{{.*}}, %c1
// CHECK: gpu.launch blocks(%[[BX:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %[[BLOCKS]], {{.*}}) threads(%[[TX:.*]], %{{.*}}, %{{.*}}) in (%[[SIZE:.*]] = %c256
// CHECK: %[[BEGIN:.*]] = arith.muli %[[BX]], %[[SIZE]]
// CHECK: %[[ID:.*]] = arith.addi %[[BEGIN]], %[[TX]]
// CHECK: arith.cmpi ult, %[[ID]], %[[N]]
func.func @fills_dynamic(%m: memref<?xf32>, %v: f32) {
  linalg.fill ins(%v : f32) outs(%m : memref<?xf32>)
  return
}

// A thread adds a whole row, in order.
// CHECK-LABEL: func.func @reduces_rows(
// CHECK: gpu.launch
// CHECK: scf.if
// CHECK: scf.for
// CHECK: arith.addf
func.func @reduces_rows(%a: memref<8x16xf32>, %b: memref<8xf32>) {
  linalg.reduce ins(%a : memref<8x16xf32>) outs(%b : memref<8xf32>) dimensions = [1]
      (%x: f32, %y: f32) {
        %s = arith.addf %x, %y : f32
        linalg.yield %s : f32
      }
  return
}

// The parallel columns come outside, although the program names rows first.
// CHECK-LABEL: func.func @reduces_columns(
// CHECK: gpu.launch
// CHECK: scf.if
// CHECK: scf.for
// CHECK-NOT: scf.parallel
// CHECK: gpu.terminator
func.func @reduces_columns(%a: memref<8x16xf32>, %b: memref<16xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
                  iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<8x16xf32>) outs(%b : memref<16xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}

// One thread where nothing is parallel.
// CHECK-LABEL: func.func @reduces_all(
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c1, {{.*}}) threads({{.*}}) in (%{{.*}} = %c1,
// CHECK-NEXT: scf.for
func.func @reduces_all(%a: memref<8xf32>, %b: memref<f32>) {
  linalg.reduce ins(%a : memref<8xf32>) outs(%b : memref<f32>) dimensions = [0]
      (%x: f32, %y: f32) {
        %s = arith.addf %x, %y : f32
        linalg.yield %s : f32
      }
  return
}

// CHECK-LABEL: func.func @copies_a_column(
// CHECK-NOT: memref.copy
// CHECK: gpu.launch
// CHECK: memref.load
// CHECK: memref.store
func.func @copies_a_column(%a: memref<8xf32, strided<[4]>>, %b: memref<8xf32>) {
  memref.copy %a, %b : memref<8xf32, strided<[4]>> to memref<8xf32>
  return
}

// A loop of scalar code runs in order, in one thread.
// CHECK-LABEL: func.func @runs_in_order(
// CHECK: gpu.launch
// CHECK-NEXT: scf.for
// CHECK: memref.load
// CHECK: memref.store
// CHECK: gpu.terminator
func.func @runs_in_order(%m: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c1 to %c16 step %c1 {
    %before = arith.subi %i, %c1 : index
    %x = memref.load %m[%before] : memref<16xf32>
    memref.store %x, %m[%i] : memref<16xf32>
  }
  return
}

// What such a loop yields goes through memory: one read for the host.
// CHECK-LABEL: func.func @yields_a_sum(
// CHECK: %[[SLOT:.*]] = memref.alloc() : memref<f32>
// CHECK: gpu.launch
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: memref.store %[[SUM]], %[[SLOT]][]
// CHECK: gpu.terminator
// CHECK: %[[READ:.*]] = dist.device_read %[[SLOT]][]
// CHECK: memref.dealloc %[[SLOT]]
// CHECK: return %[[READ]]
func.func @yields_a_sum(%m: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %zero) -> f32 {
    %x = memref.load %m[%i] : memref<16xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %sum : f32
}

// Around a collective the host loops; what is in between are kernels.
// CHECK-LABEL: func.func @loops_around_collectives(
// CHECK: scf.for
// CHECK: dist.all_reduce_into
// CHECK: gpu.launch
// CHECK: gpu.terminator
// CHECK: }
func.func @loops_around_collectives(%m: memref<16xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    dist.all_reduce_into sum %m into %m on <[[0, 1]]> : (memref<16xf32>) into (memref<16xf32>)
    linalg.fill ins(%v : f32) outs(%m : memref<16xf32>)
  }
  return
}

// CHECK-LABEL: func.func @spreads_a_parallel_loop(
// CHECK-NOT: scf.parallel
// CHECK: gpu.launch
// CHECK: scf.if
// CHECK: memref.store
func.func @spreads_a_parallel_loop(%m: memref<?xindex>, %lower: index, %upper: index, %step: index) {
  scf.parallel (%i) = (%lower) to (%upper) step (%step) {
    memref.store %i, %m[%i] : memref<?xindex>
  }
  return
}

// The host's own scratch memory stays with the host.
// CHECK-LABEL: func.func @keeps_the_stack(
// CHECK-NOT: gpu.launch
// CHECK: return
func.func @keeps_the_stack(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<index>
  memref.store %c0, %m[] : memref<index>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %m[] : memref<index>
    %y = arith.addi %x, %i : index
    memref.store %y, %m[] : memref<index>
  }
  %r = memref.load %m[] : memref<index>
  return %r : index
}

// A constant goes to the device once, where the function begins.
// CHECK-LABEL: func.func @uses_a_constant(
// CHECK: %[[C:.*]] = memref.get_global @c
// CHECK: %[[D:.*]] = dist.device_constant %[[C]]
// CHECK: gpu.launch
// CHECK: memref.load %[[D]]
memref.global "private" constant @c : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @uses_a_constant(%m: memref<4xf32>) {
  %c = memref.get_global @c : memref<4xf32>
  memref.copy %c, %m : memref<4xf32> to memref<4xf32>
  return
}

// A branch around one store is the host's: it knows the condition.
// CHECK-LABEL: func.func @stores_under_a_condition(
// CHECK-NOT: gpu.launch
// CHECK: scf.if
// CHECK-NEXT: memref.store
func.func @stores_under_a_condition(%m: memref<f32>, %v: f32, %condition: i1) {
  scf.if %condition {
    memref.store %v, %m[] : memref<f32>
  }
  return
}
