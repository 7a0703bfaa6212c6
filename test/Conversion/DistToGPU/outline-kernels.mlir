// RUN: dist-opt %s --dist-outline-kernels -split-input-file | FileCheck %s

// Kernels of all functions share one module, constants are no arguments.
// CHECK: module attributes {gpu.container_module}
// CHECK-LABEL: func.func @first(
// CHECK-SAME: %[[M:.*]]: memref<4xf32>, %[[V:.*]]: f32)
// CHECK: gpu.launch_func @dist_kernels::@first_kernel blocks in (%[[ONE:.*]], %[[ONE]], %[[ONE]]) threads in (%[[ONE]], %[[ONE]], %[[ONE]]) args(%[[V]] : f32, %[[M]] : memref<4xf32>)
// CHECK: gpu.launch_func @dist_kernels::@first_kernel_0
// CHECK-LABEL: func.func @second(
// CHECK: gpu.launch_func @dist_kernels::@second_kernel
// CHECK: gpu.module @dist_kernels
// CHECK: gpu.func @first_kernel(%{{.*}}: f32, %{{.*}}: memref<4xf32>) kernel
// CHECK: arith.constant 3 : index
// CHECK: memref.store
// CHECK: gpu.func @first_kernel_0(
// CHECK: gpu.func @second_kernel(
func.func @first(%m: memref<4xf32>, %v: f32) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %v, %m[%c3] : memref<4xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %v, %m[%c1] : memref<4xf32>
    gpu.terminator
  }
  return
}
func.func @second(%m: memref<4xf32>, %v: f32) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %v, %m[%c1] : memref<4xf32>
    gpu.terminator
  }
  return
}

// -----

// Nothing to do, nothing changed.
// CHECK-LABEL: func.func @nothing(
// CHECK-NOT: gpu
func.func @nothing() {
  return
}
