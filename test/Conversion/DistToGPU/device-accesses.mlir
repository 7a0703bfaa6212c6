// RUN: dist-opt %s --dist-device-accesses | FileCheck %s

// CHECK-LABEL: func.func @reads_and_writes(
// CHECK: %[[X:.*]] = dist.device_read %{{.*}}[%{{.*}}] : memref<4xf32>
// CHECK: dist.device_write %[[X]], %{{.*}}[] : memref<f32>
// CHECK-NOT: memref.{{load|store}}
// CHECK: return
func.func @reads_and_writes(%m: memref<4xf32>, %i: index, %s: memref<f32>) {
  %x = memref.load %m[%i] : memref<4xf32>
  memref.store %x, %s[] : memref<f32>
  return
}

// The host reads its own constant.
// CHECK-LABEL: func.func @reads_a_constant(
// CHECK: %[[C:.*]] = memref.get_global @c
// CHECK: memref.load %[[C]]
memref.global "private" constant @c : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @reads_a_constant(%i: index) -> f32 {
  %c = memref.get_global @c : memref<4xf32>
  %d = dist.device_constant %c : memref<4xf32>
  %x = memref.load %d[%i] : memref<4xf32>
  return %x : f32
}

// The stack is the host's.
// CHECK-LABEL: func.func @uses_the_stack(
// CHECK-NOT: dist.device
// CHECK: return
func.func private @compare(memref<?xindex>) attributes {dist.host_memory}
func.func @uses_the_stack(%i: index) -> index {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<4xindex>
  memref.store %i, %m[%c0] : memref<4xindex>
  %v = memref.cast %m : memref<4xindex> to memref<?xindex>
  func.call @compare(%v) : (memref<?xindex>) -> ()
  %x = memref.load %m[%c0] : memref<4xindex>
  return %x : index
}

// A function that says so works on the stream by itself.
// CHECK-LABEL: func.func @calls_a_library(
// CHECK: call @library
func.func private @library(memref<4xf32>) attributes {dist.stream_ordered}
func.func @calls_a_library(%m: memref<4xf32>) {
  func.call @library(%m) : (memref<4xf32>) -> ()
  return
}
