// RUN: dist-opt %s --dist-embed-kernels -split-input-file | FileCheck %s
// RUN: dist-opt %s --dist-embed-kernels=images=false -split-input-file | FileCheck %s --check-prefix=NONE

// A binary as it is, text with the byte that ends it.
// CHECK-NOT: gpu
// CHECK: llvm.mlir.global internal constant @binary("\7FELF") {addr_space = 0 : i32, alignment = 16 : i64}
// CHECK: llvm.mlir.global internal constant @text(".version 8.0\00")
// CHECK: dist.launch "k" image @binary host @k_host
// NONE-NOT: gpu
// NONE-NOT: llvm.mlir.global
// NONE: dist.launch "k" host @k_host
module attributes {gpu.container_module} {
  gpu.binary @binary [#gpu.object<#nvvm.target, bin = "\7FELF">]
  gpu.binary @text [#gpu.object<#nvvm.target, assembly = ".version 8.0">]
  func.func private @k_host(index, index, index, index, index, index)
  func.func @f(%n: index) {
    dist.launch "k" image @binary host @k_host grid(%n, %n, %n) block(%n, %n, %n) access []
    return
  }
}
