// What is not needed for the interesting operation goes away: the collectives
// before and behind it, waits, in-place forms, opaque computations, operands of
// one launch, functions.
//
// RUN: printf '#!/bin/sh\ngrep -q "all_reduce max" "$1" && grep -q "dist.wait.*tensor<2xf32>" "$1" && exit 1\nexit 0\n' > %t.sh
// RUN: chmod +x %t.sh
// RUN: dist-reduce %s -dist-reduction=test=%t.sh | FileCheck %s
//
// RUN: not dist-reduce %s -dist-reduction=test=/bin/true 2>&1 | FileCheck %s --check-prefix=NO-TEST

// CHECK-NOT: func.func private
// CHECK-LABEL: func.func @step
// CHECK-NOT: dist.
// CHECK: %[[FUTURE:.*]] = dist.all_reduce max %{{[a-z0-9]+}} on
// CHECK-NEXT: dist.wait %[[FUTURE]]
// CHECK-NEXT: return

// NO-TEST: error: '/bin/true' does not find the program interesting, expected it to exit with 1

func.func @step(%x: tensor<4xf32>, %a: tensor<2xf32>, %out: tensor<4xf32>,
                %m: memref<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %y = dist.wait %f : !dist.future<tensor<4xf32>>
  %g:2 = dist.all_reduce max %y, %a on <[[0, 1]]>
      : (tensor<4xf32>, tensor<2xf32>)
      -> !dist.future<tensor<4xf32>>, !dist.future<tensor<2xf32>>
  %z = dist.wait %g#0 : !dist.future<tensor<4xf32>>
  %b = dist.wait %g#1 : !dist.future<tensor<2xf32>>
  %w = dist.all_gather_into %b into %out dim 0 on <[[0, 1]]>
      : (tensor<2xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  dist.all_reduce_into sum %m into %m on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32>)
  %s = dist.opaque "kernel"(%w, %z) {bytes = 16 : i64, flops = 4 : i64}
      : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %s, %y, %w : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

func.func private @unused(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
