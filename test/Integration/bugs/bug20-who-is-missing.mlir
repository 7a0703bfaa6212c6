// bug20-who-is-missing: every rank that waits names the one that never came.
//
// A rank drops its second collective:
// RUN: not dist-run %s --entry main --schedule=false --deadline 2s \
// RUN:   --fault 2:1:drop 2>&1 | FileCheck %s --check-prefixes=CHECK
//
// A rank runs another module, without it:
// RUN: not dist-run %s --entry main --schedule=false --deadline 2s \
// RUN:   --rank-module 2=%S/Inputs/one_all_reduce.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,MODULE
//
// One launch of two:
// RUN: not dist-run %s --entry coalesced --schedule=false --deadline 2s \
// RUN:   --fault 2:1:drop 2>&1 | FileCheck %s --check-prefix=COALESCED
//
// A rank that is late, but within the deadline, is no error:
// RUN: dist-run %s --entry main --schedule=false --deadline 10s --print \
// RUN:   --fault 2:1:delay:100ms | FileCheck %s --check-prefix=LATE

// CHECK-DAG: rank 0: all_reduce #1 on group [0, 1, 2, 3] at {{.*}}bug20-who-is-missing.mlir:[[#@LINE+20]]:{{.*}} sum f32 [8 elements] did not complete within 2 s: missing rank 2{{$}}
// CHECK-DAG: rank 1: all_reduce #1 on group [0, 1, 2, 3] at {{.*}}bug20-who-is-missing.mlir:[[#@LINE+19]]:{{.*}} sum f32 [8 elements] did not complete within 2 s: missing rank 2{{$}}
// CHECK-DAG: rank 3: all_reduce #1 on group [0, 1, 2, 3] at {{.*}}bug20-who-is-missing.mlir:[[#@LINE+18]]:{{.*}} sum f32 [8 elements] did not complete within 2 s: missing rank 2{{$}}
// MODULE-NOT: rank 2:
// CHECK-NOT: #0

// COALESCED-DAG: rank 0: all_reduce #1 on group [0, 1, 2, 3] at {{.*}}mlir:[[#@LINE+27]]:{{.*}}missing rank 2{{$}}
// COALESCED-DAG: rank 1: all_reduce #1 on group [0, 1, 2, 3] at {{.*}}mlir:[[#@LINE+26]]:{{.*}}missing rank 2{{$}}
// COALESCED-DAG: rank 3: all_reduce #1 on group [0, 1, 2, 3] at {{.*}}mlir:[[#@LINE+25]]:{{.*}}missing rank 2{{$}}
// COALESCED-NOT: #0

// LATE: rank 0: result 0: tensor<8xf32> = [192, 208, 224, 240, 256, 272, 288, 304]
// LATE: rank 1: result 0: tensor<8xf32> = [192, 208, 224, 240, 256, 272, 288, 304]
// LATE: rank 2: result 0: tensor<8xf32> = [192, 208, 224, 240, 256, 272, 288, 304]
// LATE: rank 3: result 0: tensor<8xf32> = [192, 208, 224, 240, 256, 272, 288, 304]

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %f = dist.all_reduce sum %x on <[[0, 1, 2, 3]]>
      : (tensor<8xf32>) -> !dist.future<tensor<8xf32>>
  %y = dist.wait %f : !dist.future<tensor<8xf32>>
  %g = dist.all_reduce sum %y on <[[0, 1, 2, 3]]>
      : (tensor<8xf32>) -> !dist.future<tensor<8xf32>>
  %z = dist.wait %g : !dist.future<tensor<8xf32>>
  return %z : tensor<8xf32>
}

func.func @coalesced(%x: tensor<8xf32>, %w: tensor<3xf32>)
    -> (tensor<8xf32>, tensor<3xf32>) {
  %f:2 = dist.all_reduce sum %x, %w on <[[0, 1, 2, 3]]>
      : (tensor<8xf32>, tensor<3xf32>)
      -> !dist.future<tensor<8xf32>>, !dist.future<tensor<3xf32>>
  %y, %v = dist.wait %f#0, %f#1
      : !dist.future<tensor<8xf32>>, !dist.future<tensor<3xf32>>
  %g:2 = dist.all_reduce sum %y, %v on <[[0, 1, 2, 3]]>
      : (tensor<8xf32>, tensor<3xf32>)
      -> !dist.future<tensor<8xf32>>, !dist.future<tensor<3xf32>>
  %z, %u = dist.wait %g#0, %g#1
      : !dist.future<tensor<8xf32>>, !dist.future<tensor<3xf32>>
  return %z, %u : tensor<8xf32>, tensor<3xf32>
}
