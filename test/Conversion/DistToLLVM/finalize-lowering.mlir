// RUN: dist-opt %s --dist-finalize-lowering | FileCheck %s
// RUN: dist-opt %s --dist-finalize-lowering --dist-finalize-lowering | FileCheck %s

// Declarations go, the check of the runtime's version comes.
//
// CHECK-NOT: dist.
dist.mesh @m ["dp" = 2]
dist.process_group @g

// CHECK: llvm.func @main()
llvm.func @main() {
  llvm.return
}

// CHECK:     llvm.func @distrtCheckAbi(!llvm.ptr, i64) -> i32
// CHECK:     llvm.func internal @[[CHECK:.*]]() attributes {sym_visibility = "private"}
// CHECK:     llvm.call @distrtCheckAbi
// CHECK:     llvm.mlir.global_ctors ctors = [@[[CHECK]]]
// CHECK-NOT: llvm.mlir.global_ctors
