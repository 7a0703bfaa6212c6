// Tokens carry nothing on one stream: they leave loops, branches, calls, and
// operations that take or yield them.
// RUN: dist-opt %s --dist-order-tokens | FileCheck %s
// CHECK-NOT: !gpu.async.token

module attributes {gpu.container_module} {

// CHECK-LABEL: func.func @start_after_work_and_work_after_wait(
// CHECK-SAME: %[[M:.*]]: memref<4xf32>, %[[D:.*]]: memref<4xf32>, %[[V:.*]]: f32)
// CHECK-NEXT: linalg.fill ins(%[[V]] : f32) outs(%[[M]] : memref<4xf32>)
// CHECK-NEXT: %[[F:.*]] = dist.all_reduce sum %[[M]]
// CHECK-NEXT: %[[R:.*]] = dist.wait %[[F]]
// CHECK-NEXT: memref.copy %[[R]], %[[D]]
// CHECK-NEXT: dist.synchronize
// CHECK-NEXT: return
func.func @start_after_work_and_work_after_wait(%m: memref<4xf32>, %d: memref<4xf32>, %v: f32) {
  %s = gpu.wait async
  %t = gpu.memset async [%s] %m, %v : memref<4xf32>, f32
  %n = dist.after %t of %m : memref<4xf32>
  %f = dist.all_reduce sum %n into %n on <[[0, 1]]> : (memref<4xf32>) into (memref<4xf32>) -> !dist.future<memref<4xf32>>
  %r = dist.wait %f keeps(%n : memref<4xf32>) into(%n : memref<4xf32>) : !dist.future<memref<4xf32>>
  %u = dist.token %r : memref<4xf32>
  %w = gpu.memcpy async [%u] %d, %r : memref<4xf32>, memref<4xf32>
  gpu.wait [%w]
  return
}

// CHECK-LABEL: func.func @carried_by_a_loop(
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: }
// CHECK-NEXT: dist.synchronize
func.func @carried_by_a_loop(%m: memref<4xf32>, %v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = gpu.wait async
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%before = %s) -> !gpu.async.token {
    %after = gpu.memset async [%before] %m, %v : memref<4xf32>, f32
    scf.yield %after : !gpu.async.token
  }
  gpu.wait [%t]
  return
}

// CHECK-LABEL: func.func private @takes_and_returns(
// CHECK-SAME: %{{.*}}: memref<4xf32>, %{{.*}}: f32) -> f32
// CHECK: return %{{.*}} : f32
func.func private @takes_and_returns(%m: memref<4xf32>, %t: !gpu.async.token, %v: f32) -> (!gpu.async.token, f32) {
  %u = gpu.memset async [%t] %m, %v : memref<4xf32>, f32
  return %u, %v : !gpu.async.token, f32
}

// CHECK-LABEL: func.func @returned_by_a_call(
// CHECK: %[[V:.*]] = call @takes_and_returns(%{{.*}}, %{{.*}}) : (memref<4xf32>, f32) -> f32
// CHECK: dist.synchronize
// CHECK: return %[[V]]
func.func @returned_by_a_call(%m: memref<4xf32>, %v: f32) -> f32 {
  %s = gpu.wait async
  %u, %w = call @takes_and_returns(%m, %s, %v) : (memref<4xf32>, !gpu.async.token, f32) -> (!gpu.async.token, f32)
  gpu.wait [%u]
  return %w : f32
}

// CHECK-LABEL: func.func @used_twice(
// CHECK: linalg.fill
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: dist.synchronize
func.func @used_twice(%a: memref<4xf32>, %b: memref<4xf32>, %v: f32) {
  %s = gpu.wait async
  %t = gpu.memset async [%s] %a, %v : memref<4xf32>, f32
  %u = gpu.memset async [%s] %b, %v : memref<4xf32>, f32
  gpu.wait [%t, %u]
  return
}

// CHECK-LABEL: func.func @chosen_by_a_branch(
// CHECK: scf.if
// CHECK: linalg.fill
// CHECK: cf.br ^[[NEXT:.*]](%{{.*}} : f32)
// CHECK: ^[[NEXT]](%{{.*}}: f32):
func.func @chosen_by_a_branch(%m: memref<4xf32>, %v: f32, %c: i1) -> f32 {
  %s = gpu.wait async
  %t = scf.if %c -> !gpu.async.token {
    %u = gpu.memset async [%s] %m, %v : memref<4xf32>, f32
    scf.yield %u : !gpu.async.token
  } else {
    scf.yield %s : !gpu.async.token
  }
  %w = arith.select %c, %s, %t : !gpu.async.token
  cf.br ^next(%w, %v : !gpu.async.token, f32)
^next(%x: !gpu.async.token, %y: f32):
  gpu.wait [%x]
  return %y : f32
}

// CHECK-LABEL: func.func @allocates(
// CHECK: %[[M:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: memref.dealloc %[[M]]
func.func @allocates(%n: index) {
  %s = gpu.wait async
  %m, %t = gpu.alloc async [%s] (%n) : memref<?xf32>
  %u = gpu.dealloc async [%t] %m : memref<?xf32>
  gpu.wait [%u]
  return
}

// CHECK-LABEL: func.func @launches(
// CHECK: gpu.launch_func @kernels::@k blocks in (%{{.*}}) threads in (%{{.*}}) args(%{{.*}} : memref<4xf32>)
// CHECK: gpu.launch blocks
// CHECK: memref.store
gpu.module @kernels {
  gpu.func @k(%m: memref<4xf32>) kernel {
    gpu.return
  }
}
func.func @launches(%m: memref<4xf32>, %n: index, %v: f32) {
  %s = gpu.wait async
  %t = gpu.launch_func async [%s] @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%m : memref<4xf32>)
  %u = gpu.launch async [%t] blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    memref.store %v, %m[%tx] : memref<4xf32>
    gpu.terminator
  }
  gpu.wait [%u]
  return
}

}
