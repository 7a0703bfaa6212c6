// A lowered module has no mesh any more: each collective on one of its axes knows
// the world that it was made for.
//
// RUN: dist-opt %s --dist-to-llvm -o %t.mlir
// RUN: dist-run %t.mlir --ranks 4 --print | FileCheck %s
// RUN: not dist-run %t.mlir --ranks 3 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SMALLER
// RUN: not dist-run %t.mlir --ranks 6 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LARGER

// CHECK: rank 0: result 0: tensor<2xf32> = [4, 6]
// CHECK: rank 1: result 0: tensor<2xf32> = [8, 10]
// CHECK: rank 2: result 0: tensor<2xf32> = [4, 6]
// CHECK: rank 3: result 0: tensor<2xf32> = [8, 10]
// SMALLER: rank 0: all_reduce at {{.*}}mesh-of-lowered-module.mlir:[[#@LINE+7]]:{{[0-9]+}}: group @m["dp"] has 2 lists of 2 ranks, more than the world of 3
// SMALLER: rank 1: {{.*}} group @m["dp"]
// SMALLER: rank 2: {{.*}} group @m["dp"]
// LARGER: rank 0: all_reduce at {{.*}}mesh-of-lowered-module.mlir:[[#@LINE+4]]:{{[0-9]+}}: group @m["dp"] is made for a world of 4 ranks, but this one has 6
// LARGER: rank 5: {{.*}} group @m["dp"]
dist.mesh @m ["dp" = 2, "tp" = 2]
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %f = dist.all_reduce sum %x on <@m["dp"]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}
