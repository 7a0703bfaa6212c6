// A group that is a part of the world.
//
// RUN: dist-opt %s --dist-bufferize | FileCheck %s --check-prefix=IR
// RUN: dist-opt %s --dist-to-llvm -o %t
// RUN: dist-run %t --entry=outside_of_the_group --ranks=3 --checked --print --counters --link-delay=1ms \
// RUN:   | FileCheck %s --check-prefix=V1


// Rank 2 is outside of the group: it communicates nothing and has zeros.
//
// IR-LABEL: func.func @outside_of_the_group(
// IR-NOT: memref.copy
//
// V1: rank 0: result 0: tensor<8xi32> = [8, 10, 12, 14, 0, 2, 4, 6]
// V1-NEXT: rank 0: result 1: tensor<4xi32> = [8, 10, 12, 14]
// V1-NEXT: rank 0: result 2: tensor<2xi32> = [16, 20]
// V1-NEXT: rank 1: result 0: tensor<8xi32> = [8, 10, 12, 14, 0, 2, 4, 6]
// V1-NEXT: rank 1: result 1: tensor<4xi32> = [8, 10, 12, 14]
// V1-NEXT: rank 1: result 2: tensor<2xi32> = [8, 12]
// V1-NEXT: rank 2: result 0: tensor<8xi32> = [0, 0, 0, 0, 0, 0, 0, 0]
// V1-NEXT: rank 2: result 1: tensor<4xi32> = [0, 0, 0, 0]
// V1-NEXT: rank 2: result 2: tensor<2xi32> = [0, 0]
// V1: "packs": 0,
// V1: "unpacks": 0,
// V1: "sourceCopies": 0,
// V1: "sourceMoves": 0,
// V1: "resultCopies": 0,
// V1: "liveBytes": 0,
func.func @outside_of_the_group(%x: tensor<4xi32>)
    -> (tensor<8xi32>, tensor<4xi32>, tensor<2xi32>) {
  %z = arith.addi %x, %x : tensor<4xi32>
  %f = dist.all_gather %z dim 0 on <[[1, 0]]>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %g = dist.broadcast %z root 0 on <[[1, 0]]>
    : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %h = dist.reduce_scatter sum %z dim 0 on <[[1, 0]]>
    : (tensor<4xi32>) -> !dist.future<tensor<2xi32>>
  %a = dist.wait %f : !dist.future<tensor<8xi32>>
  %b = dist.wait %g : !dist.future<tensor<4xi32>>
  %c = dist.wait %h : !dist.future<tensor<2xi32>>
  return %a, %b, %c : tensor<8xi32>, tensor<4xi32>, tensor<2xi32>
}
