// RUN: dist-opt %s --dist-to-llvm | FileCheck %s
// RUN: dist-opt %s --dist-bufferize --dist-buffers-to-llvm | FileCheck %s

// The interface that a runner calls: buffers behind the signature, the result
// that is an argument is not returned.
//
// CHECK-LABEL: llvm.func @main(
// CHECK-SAME:    dist.signature = (tensor<4xbf16>, tensor<8xbf16>) -> (tensor<8xbf16>, tensor<4xbf16>)
// CHECK-SAME:    dist.tied_results = array<i64: 1, -1>
// CHECK-SAME:    llvm.emit_c_interface
// CHECK:       llvm.func @_mlir_ciface_main(
// CHECK:       llvm.mlir.global_ctors
dist.process_group @g
func.func @main(%x: tensor<4xbf16>, %out: tensor<8xbf16>)
    -> (tensor<8xbf16>, tensor<4xbf16>) {
  %e = math.exp %x : tensor<4xbf16>
  %r = dist.all_gather_into %x into %out dim 0 on <@g>
    : (tensor<4xbf16>) into (tensor<8xbf16>) -> tensor<8xbf16>
  return %r, %e : tensor<8xbf16>, tensor<4xbf16>
}
