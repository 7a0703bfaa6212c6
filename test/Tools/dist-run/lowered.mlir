// LLVM dialect IR from elsewhere: here from stock passes, with the C interface.

// RUN: split-file %s %t
// RUN: dist-opt %t/buffers.mlir --expand-strided-metadata --finalize-memref-to-llvm=use-generic-functions=1 --convert-func-to-llvm \
// RUN:   --convert-arith-to-llvm --reconcile-unrealized-casts -o %t/lowered.mlir
// RUN: dist-run %t/lowered.mlir --ranks=2 --print --print-args --arg 2=-9 | FileCheck %s
// CHECK:      rank 0: argument 1: memref<2x3xi8> = {{\[\[}}0, 1, 2], [3, 4, 5]]
// CHECK-NEXT: rank 0: result 0: tensor<4xf32> = [0, 1, 2, 3]
// CHECK-NEXT: rank 0: result 1: tensor<2x3xi8> = {{\[\[}}0, 1, 2], [3, 4, 5]]
// CHECK-NEXT: rank 0: result 2: index = -9
// CHECK-NEXT: rank 0: result 3: i1 = true
// CHECK-NEXT: rank 0: result 4: tensor<4xf32> = [0, 1, 2, 3]
// CHECK-NEXT: rank 1: argument 1: memref<2x3xi8> = {{\[\[}}6, 7, 8], [9, 10, 11]]
// CHECK-NEXT: rank 1: result 0: tensor<4xf32> = [4, 5, 6, 7]

// The type that the descriptors came from can be given from outside.
// RUN: sed 's/dist.signature/some.type/; s/dist.tied_results/some.ties/' %t/lowered.mlir > %t/unsigned.mlir
// RUN: not dist-run %t/unsigned.mlir --ranks=1 2>&1 | FileCheck %s --check-prefix=UNSIGNED
// UNSIGNED: error: entry 'main' carries no 'dist.signature' attribute with a function type; give one with --signature
// RUN: dist-run %t/unsigned.mlir --ranks=1 --print \
// RUN:   '--signature=(tensor<4xf32>, memref<2x3xi8, strided<[6,1], offset: 2>>, index) -> (tensor<4xf32>, tensor<2x3xi8>, index, i1)' \
// RUN:   | FileCheck %s --check-prefix=SIGNED
// SIGNED: rank 0: result 3: i1 = true
// RUN: not dist-run %t/unsigned.mlir --ranks=1 '--signature=(tensor<4xf32>' 2>&1 | FileCheck %s --check-prefix=NO-TYPE
// NO-TYPE: dist-run: error: --signature: expected a function type, found '(tensor<4xf32>'
// RUN: not dist-run %t/unsigned.mlir --ranks=1 '--signature=(tensor<4xf32>) -> ()' 2>&1 | FileCheck %s --check-prefix=DISAGREES
// DISAGREES: error: '_mlir_ciface_main' has 4 arguments, the signature of the entry needs 1

// RUN: sed 's/array<i64: -1, -1, -1, -1, 0>/array<i64: -1, -1, -1, -1, 2>/' %t/lowered.mlir > %t/tied.mlir
// RUN: not dist-run %t/tied.mlir --ranks=1 2>&1 | FileCheck %s --check-prefix=TIED
// TIED: error: 'dist.tied_results' ties result 4 to argument 2, which has another type

// RUN: not dist-run %t/no-interface.mlir --ranks=1 2>&1 | FileCheck %s --check-prefix=NO-INTERFACE
// NO-INTERFACE: error: entry 'main' has no C interface: expected a function '_mlir_ciface_main'

//--- buffers.mlir
func.func @main(%a: memref<4xf32>, %b: memref<2x3xi8, strided<[6,1], offset: 2>>, %n: index) -> (memref<4xf32>, memref<2x3xi8>, index, i1)
    attributes {
      llvm.emit_c_interface, dist.tied_results = array<i64: -1, -1, -1, -1, 0>,
      dist.signature = (tensor<4xf32>, memref<2x3xi8, strided<[6,1], offset: 2>>, index) -> (tensor<4xf32>, tensor<2x3xi8>, index, i1, tensor<4xf32>)
    } {
  %copy = memref.alloc() : memref<4xf32>
  memref.copy %a, %copy : memref<4xf32> to memref<4xf32>
  %dense = memref.alloc() : memref<2x3xi8>
  memref.copy %b, %dense : memref<2x3xi8, strided<[6,1], offset: 2>> to memref<2x3xi8>
  %true = arith.constant true
  return %copy, %dense, %n, %true : memref<4xf32>, memref<2x3xi8>, index, i1
}

//--- no-interface.mlir
llvm.func @main() {
  llvm.return
}
