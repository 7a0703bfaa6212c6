// RUN: dist-opt %s | dist-opt | FileCheck %s
// RUN: dist-opt %s --mlir-print-op-generic | dist-opt | FileCheck %s
// RUN: dist-opt %s --emit-bytecode | dist-opt | FileCheck %s

dist.process_group @g size 2

// CHECK-LABEL: func.func @functional
func.func @functional(%x: tensor<4x2xf32>) -> tensor<8x2xf32> {
  // CHECK: %[[F:.*]] = dist.all_gather %{{.*}} dim 0 on <@g> : (tensor<4x2xf32>) -> !dist.future<tensor<8x2xf32>>
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<4x2xf32>) -> !dist.future<tensor<8x2xf32>>
  // CHECK: dist.wait %[[F]] : !dist.future<tensor<8x2xf32>>
  %y = dist.wait %f : !dist.future<tensor<8x2xf32>>
  return %y : tensor<8x2xf32>
}
