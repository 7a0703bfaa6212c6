// The host version runs the threads of a kernel one after the other.
// RUN: dist-opt %s --dist-host-kernels | FileCheck %s

// Two launches of one kernel share its host version.
// CHECK-LABEL: func.func @launches(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>, %[[N:.*]]: index)
// CHECK: dist.launch "copy" image @kernels host @copy_host grid(%[[N]], %[[N]], %[[N]]) block(%[[N]], %[[N]], %[[N]]) args(%[[A]], %[[B]], %[[N]] : memref<4xf32>, memref<4xf32>, index) access [1, 2, 0]
// CHECK: dist.launch "copy" image @kernels host @copy_host
// CHECK: dist.launch "both" image @kernels host @both_host {{.*}} access [3]
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @copy(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) kernel {
      %b_x = gpu.block_id x
      %s_y = gpu.block_dim y
      %g_z = gpu.grid_dim z
      %t_x = gpu.thread_id x
      %s = arith.addi %b_x, %s_y : index
      %t = arith.addi %s, %g_z : index
      %u = arith.addi %t, %t_x : index
      %x = memref.load %a[%u] : memref<4xf32>
      memref.store %x, %b[%n] : memref<4xf32>
      gpu.return
    }
    gpu.func @both(%a: memref<4xf32>) kernel {
      %i = gpu.global_id x
      %v = memref.subview %a[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
      %x = memref.load %a[%i] : memref<4xf32>
      memref.store %x, %v[%i] : memref<2xf32, strided<[1], offset: 1>>
      gpu.return
    }
  }
  func.func @launches(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) {
    gpu.launch_func @kernels::@copy blocks in (%n, %n, %n) threads in (%n, %n, %n)
        args(%a : memref<4xf32>, %b : memref<4xf32>, %n : index)
    gpu.launch_func @kernels::@copy blocks in (%n, %n, %n) threads in (%n, %n, %n)
        args(%a : memref<4xf32>, %b : memref<4xf32>, %n : index)
    gpu.launch_func @kernels::@both blocks in (%n, %n, %n) threads in (%n, %n, %n)
        args(%a : memref<4xf32>)
    return
  }
}

// The thread has its coordinates as arguments: sizes of the grid and of a block,
// then the ids of block and thread, x y z each.
// CHECK: func.func private @copy_thread(%[[TA:.*]]: memref<4xf32>, %[[TB:.*]]: memref<4xf32>, %[[TN:.*]]: index, %{{.*}}: index, %{{.*}}: index, %[[GZ:.*]]: index, %{{.*}}: index, %[[SY:.*]]: index, %{{.*}}: index, %[[BX:.*]]: index, %{{.*}}: index, %{{.*}}: index, %[[TX:.*]]: index, %{{.*}}: index, %{{.*}}: index) attributes {dist.host_memory, llvm.linkage = #llvm.linkage<internal>}
// CHECK: %[[S:.*]] = arith.addi %[[BX]], %[[SY]]
// CHECK: %[[T:.*]] = arith.addi %[[S]], %[[GZ]]
// CHECK: %[[U:.*]] = arith.addi %[[T]], %[[TX]]
// CHECK: memref.load %[[TA]][%[[U]]]
// CHECK: memref.store %{{.*}}, %[[TB]][%[[TN]]]
// CHECK: return

// Blocks outside, and x fastest in each.
// CHECK: func.func private @copy_host(%{{.*}}: memref<4xf32>, %{{.*}}: memref<4xf32>, %{{.*}}: index, %[[HGX:.*]]: index, %[[HGY:.*]]: index, %[[HGZ:.*]]: index, %[[HSX:.*]]: index, %[[HSY:.*]]: index, %[[HSZ:.*]]: index)
// CHECK: scf.for %[[IBZ:.*]] = %{{.*}} to %[[HGZ]]
// CHECK: scf.for %[[IBY:.*]] = %{{.*}} to %[[HGY]]
// CHECK: scf.for %[[IBX:.*]] = %{{.*}} to %[[HGX]]
// CHECK: scf.for %[[ITZ:.*]] = %{{.*}} to %[[HSZ]]
// CHECK: scf.for %[[ITY:.*]] = %{{.*}} to %[[HSY]]
// CHECK: scf.for %[[ITX:.*]] = %{{.*}} to %[[HSX]]
// CHECK: func.call @copy_thread({{.*}}, %[[HGX]], %[[HGY]], %[[HGZ]], %[[HSX]], %[[HSY]], %[[HSZ]], %[[IBX]], %[[IBY]], %[[IBZ]], %[[ITX]], %[[ITY]], %[[ITZ]])
