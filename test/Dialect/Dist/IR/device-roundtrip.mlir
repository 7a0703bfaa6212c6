// The operations of device programs in text, generic text and bytecode.
// RUN: dist-opt %s | dist-opt | FileCheck %s
// RUN: dist-opt %s -mlir-print-op-generic | dist-opt | FileCheck %s

memref.global "private" constant @c : memref<2xf32> = dense<[1.0, 2.0]>
func.func private @k_host(memref<4xf32>, f32, index, index, index, index, index, index)
func.func private @library(memref<4xf32>) attributes {dist.stream_ordered}
func.func private @scratch(memref<4xindex>) attributes {dist.host_memory}

// CHECK-LABEL: func.func @launches(
// CHECK-SAME: %[[M:.*]]: memref<4xf32>, %[[X:.*]]: f32, %[[N:.*]]: index)
func.func @launches(%m: memref<4xf32>, %x: f32, %n: index) {
  // CHECK: dist.launch "k" host @k_host grid(%[[N]], %[[N]], %[[N]]) block(%[[N]], %[[N]], %[[N]]) args(%[[M]], %[[X]] : memref<4xf32>, f32) access [2, 0]
  dist.launch "k" host @k_host grid(%n, %n, %n) block(%n, %n, %n)
      args(%m, %x : memref<4xf32>, f32) access [2, 0]
  // CHECK: dist.launch "e" image @images grid(%[[N]], %[[N]], %[[N]]) block(%[[N]], %[[N]], %[[N]]) access []
  dist.launch "e" image @images grid(%n, %n, %n) block(%n, %n, %n) access []
  return
}

// CHECK-LABEL: func.func @accesses(
func.func @accesses(%m: memref<4xf32>, %i: index) -> (f32, memref<2xf32>) {
  // CHECK: %[[READ:.*]] = dist.device_read %{{.*}}[%{{.*}}] : memref<4xf32>
  %x = dist.device_read %m[%i] : memref<4xf32>
  // CHECK: dist.device_write %[[READ]], %{{.*}}[%{{.*}}] : memref<4xf32>
  dist.device_write %x, %m[%i] : memref<4xf32>
  %c = memref.get_global @c : memref<2xf32>
  // CHECK: dist.device_constant %{{.*}} : memref<2xf32>
  %d = dist.device_constant %c : memref<2xf32>
  // CHECK: dist.synchronize
  dist.synchronize
  return %x, %d : f32, memref<2xf32>
}

// CHECK-LABEL: func.func @tokens(
func.func @tokens(%x: tensor<4xf32>, %m: memref<4xf32>, %s: !gpu.async.token,
                  %t: !gpu.async.token) -> (tensor<4xf32>, !gpu.async.token) {
  // CHECK: dist.after %{{.*}}, %{{.*}} of %{{.*}} : tensor<4xf32>
  %y = dist.after %s, %t of %x : tensor<4xf32>
  // CHECK: dist.token %{{.*}}, %{{.*}} : tensor<4xf32>, memref<4xf32>
  %u = dist.token %y, %m : tensor<4xf32>, memref<4xf32>
  return %y, %u : tensor<4xf32>, !gpu.async.token
}
