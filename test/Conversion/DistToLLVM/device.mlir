// Operations of device programs as calls of the runtime.
// RUN: dist-opt %s --convert-to-llvm --reconcile-unrealized-casts | FileCheck %s

// The aligned pointer says how the kernel uses the buffer, and of which rank and
// element it is; the rest are values.
// CHECK: llvm.mlir.global private constant @[[KERNEL:dist_kernel_[0-9a-f]+]]() {{.*}} : !llvm.struct<(i64, ptr, ptr, i64, ptr, ptr, i64, i64)>
// CHECK: llvm.mlir.addressof @k_host_packed
// CHECK: llvm.mlir.addressof @image
// CHECK: llvm.mlir.constant(5 : i64)
// CHECK: llvm.mlir.global private constant @[[PARAMETERS:dist_parameters_[0-9a-f]+]]() {{.*}} : !llvm.array<6 x struct<(i32, i32, i64, i64)>>
// CHECK: llvm.mlir.constant(2 : i32)
// CHECK: llvm.mlir.constant(1 : i32)

llvm.mlir.global internal constant @image("code\00") {addr_space = 0 : i32, alignment = 16 : i64}

// CHECK-LABEL: llvm.func @k_host(
// CHECK-SAME: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: f32, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64)
func.func private @k_host(%m: memref<4xf32>, %x: f32, %gx: index, %gy: index, %gz: index, %bx: index, %by: index, %bz: index) {
  return
}

// CHECK-LABEL: llvm.func @launches(
// CHECK: %[[CONTEXT:.*]] = llvm.call @distrtContextCurrent()
// CHECK: %[[ADDRESS:.*]] = llvm.mlir.addressof @[[KERNEL]]
// CHECK: %[[STATUS:.*]] = llvm.call @distrtKernelLaunch(%[[CONTEXT]], %[[ADDRESS]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK: llvm.icmp "eq" %[[STATUS]]
// CHECK: llvm.cond_br
func.func @launches(%m: memref<4xf32>, %x: f32, %n: index) {
  dist.launch "k" image @image host @k_host grid(%n, %n, %n) block(%n, %n, %n)
      args(%m, %x : memref<4xf32>, f32) access [2, 0]
  return
}

// CHECK-LABEL: llvm.func @accesses(
// CHECK: llvm.call @distrtDeviceRead(%{{.*}}, %[[SLOT:.*]], %{{.*}}, %[[EIGHT:.*]], %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> i32
// CHECK: %[[X:.*]] = llvm.load %[[SLOT]] : !llvm.ptr -> f64
// CHECK: llvm.store %[[X]], %[[OTHER:.*]] :
// CHECK: llvm.call @distrtDeviceWrite(%{{.*}}, %{{.*}}, %[[OTHER]], %{{.*}}, %{{.*}})
func.func @accesses(%m: memref<4x?xf64, strided<[?, 2], offset: ?>>, %i: index) {
  %x = dist.device_read %m[%i, %i] : memref<4x?xf64, strided<[?, 2], offset: ?>>
  dist.device_write %x, %m[%i, %i] : memref<4x?xf64, strided<[?, 2], offset: ?>>
  return
}

// The allocated pointer stays what says that nothing is to be freed.
// CHECK-LABEL: llvm.func @constant(
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(8 : i64)
// CHECK: llvm.call @distrtDeviceConstant(%{{.*}}, %{{.*}}, %[[BYTES]], %[[DSLOT:.*]], %{{.*}})
// CHECK: %[[COPY:.*]] = llvm.load %[[DSLOT]]
// CHECK: llvm.insertvalue %[[COPY]], %{{.*}}[1]
func.func @constant(%c: memref<2xf32>) -> memref<2xf32> {
  %d = dist.device_constant %c : memref<2xf32>
  return %d : memref<2xf32>
}

// CHECK-LABEL: llvm.func @waits(
// CHECK: llvm.call @distrtSynchronize(
func.func @waits() {
  dist.synchronize
  return
}

// What the runtime calls takes the values out of memory.
// CHECK: llvm.func internal @k_host_packed(%[[ARGUMENTS:.*]]: !llvm.ptr, %[[GRID:.*]]: !llvm.ptr, %[[BLOCK:.*]]: !llvm.ptr)
// CHECK: llvm.getelementptr %[[ARGUMENTS]][0]
// CHECK: llvm.getelementptr %[[ARGUMENTS]][5]
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: llvm.getelementptr %[[GRID]][0]
// CHECK: llvm.getelementptr %[[BLOCK]][2]
// CHECK: llvm.call @k_host(
