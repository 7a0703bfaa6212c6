// Debian's mlir-opt loads the dialect and the passes as a plugin.
// REQUIRES: mlir-opt
// UNSUPPORTED: sanitizer
// RUN: mlir-opt %s --load-dialect-plugin=%dist_lib/DistPlugin.so --load-pass-plugin=%dist_lib/DistPlugin.so --pass-pipeline="builtin.module(dist-bind-process-groups{groups=g=world:2})" --verify-roundtrip | FileCheck %s

// The plugin links the one library that has the dialect.
// RUN: llvm-nm -D --defined-only %dist_lib/DistPlugin.so | FileCheck %s --check-prefix=SYMBOLS --implicit-check-not=AllGatherOp
// SYMBOLS: mlirGetDialectPluginInfo

// CHECK: dist.process_group @g ranks {{\[}}[0, 1]]
dist.process_group @g

// CHECK-LABEL: func.func @gather
func.func @gather(%x: tensor<4xf32>) -> tensor<8xf32> {
  // CHECK: dist.all_gather
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %y = dist.wait %f : !dist.future<tensor<8xf32>>
  return %y : tensor<8xf32>
}
