// Bounds of groups that are not there, or given twice.
//
// RUN: not dist-opt %s --dist-schedule="limits=dq:count=1" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not dist-opt %s --dist-verify-schedule="limits=dq:count=1" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: option limits names dq, expected a group of the module: {{\[\[}}0,1]]#t, dp
// RUN: not dist-opt %s --dist-schedule="limits={dp:count=1;@dp:bytes=8}" 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: option limits names group dp twice
// RUN: dist-opt %s --dist-schedule="limits={dp:count=1;[[0,1]]#t:count=1}" | FileCheck %s
// CHECK: dist.all_reduce

dist.process_group @dp size 2
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %f = dist.all_reduce sum %x on <[[0, 1]], tag = "t">
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %y = dist.wait %f : !dist.future<tensor<4xf32>>
  return %y : tensor<4xf32>
}
