// Ranks, sizes and element types.
//
// RUN: dist-opt %s --dist-bufferize | FileCheck %s --check-prefix=IR
// RUN: dist-opt %s --dist-to-llvm -o %t
// RUN: dist-run %t --entry=rank_zero --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=V1
// RUN: dist-run %t --entry=gather_of_columns --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=V2
// RUN: dist-run %t --entry=scatter_of_the_last_dimension --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=V3
// RUN: dist-run %t --entry=dynamic_sizes --ranks=2 --group=g=0,1 --checked --print --counters --shape=0=3x2 \
// RUN:   | FileCheck %s --check-prefix=V4
// RUN: dist-run %t --entry=bf16 --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=V5
// RUN: dist-run %t --entry=nothing_to_send --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=V6
// RUN: dist-run %t --entry=several_in_one_launch --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=2ms \
// RUN:   | FileCheck %s --check-prefix=V7
// RUN: dist-run %t --entry=groups_of_one --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=V8

dist.process_group @g

// No dimensions: all_reduce and broadcast.
//
// IR-LABEL: func.func @rank_zero(
// IR-NOT: memref.copy
//
// V1: rank 0: result 0: tensor<f64> = 1
// V1-NEXT: rank 0: result 1: tensor<f64> = 1
// V1-NEXT: rank 1: result 0: tensor<f64> = 1
// V1-NEXT: rank 1: result 1: tensor<f64> = 1
// V1: "packs": 0,
// V1: "unpacks": 0,
// V1: "sourceCopies": 0,
// V1: "sourceMoves": 0,
// V1: "resultCopies": 0,
// V1: "liveBytes": 0,
func.func @rank_zero(%x: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<f64>) -> !dist.future<tensor<f64>>
  %g = dist.broadcast %x root 1 on <@g>
    : (tensor<f64>) -> !dist.future<tensor<f64>>
  %y:2 = dist.wait %f, %g
    : !dist.future<tensor<f64>>, !dist.future<tensor<f64>>
  return %y#0, %y#1 : tensor<f64>, tensor<f64>
}

// Gather along dimension 1: a true concatenation.
//
// IR-LABEL: func.func @gather_of_columns(
// IR-NOT: memref.copy
//
// V2: rank 0: result 0: tensor<2x6xf32> = {{\[\[}}0, 1, 2, 6, 7, 8], [3, 4, 5, 9, 10, 11{{\]\]}}
// V2-NEXT: rank 1: result 0: tensor<2x6xf32> = {{\[\[}}0, 1, 2, 6, 7, 8], [3, 4, 5, 9, 10, 11{{\]\]}}
// V2: "packs": 0,
// V2: "unpacks": 1,
// V2: "sourceCopies": 0,
// V2: "sourceMoves": 0,
// V2: "resultCopies": 0,
// V2: "liveBytes": 0,
func.func @gather_of_columns(%x: tensor<2x3xf32>) -> tensor<2x6xf32> {
  %f = dist.all_gather %x dim 1 on <@g>
    : (tensor<2x3xf32>) -> !dist.future<tensor<2x6xf32>>
  %y = dist.wait %f : !dist.future<tensor<2x6xf32>>
  return %y : tensor<2x6xf32>
}

// Scatter along dimension 2, after a computation.
//
// IR-LABEL: func.func @scatter_of_the_last_dimension(
// IR-NOT: memref.copy
//
// V3: rank 0: result 0: tensor<2x2x2xi32> = {{\[\[}}[256, 290], [416, 466{{\]\]}}, {{\[\[}}640, 706], [928, 1010{{\]\]}}]
// V3-NEXT: rank 1: result 0: tensor<2x2x2xi32> = {{\[\[}}[328, 370], [520, 578{{\]\]}}, {{\[\[}}776, 850], [1096, 1186{{\]\]}}]
// V3: "packs": 1,
// V3: "unpacks": 0,
// V3: "sourceCopies": 0,
// V3: "sourceMoves": 0,
// V3: "resultCopies": 0,
// V3: "liveBytes": 0,
func.func @scatter_of_the_last_dimension(%x: tensor<2x2x4xi32>)
    -> tensor<2x2x2xi32> {
  %z = arith.muli %x, %x : tensor<2x2x4xi32>
  %f = dist.reduce_scatter sum %z dim 2 on <@g>
    : (tensor<2x2x4xi32>) -> !dist.future<tensor<2x2x2xi32>>
  %y = dist.wait %f : !dist.future<tensor<2x2x2xi32>>
  return %y : tensor<2x2x2xi32>
}

// Sizes that are known at run time, in both dimensions.
//
// IR-LABEL: func.func @dynamic_sizes(
// IR-NOT: memref.copy
//
// With --shape=0=3x2:
// V4: rank 0: result 0: tensor<3x4xf64> = {{\[\[}}0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10, 11{{\]\]}}
// V4-NEXT: rank 0: result 1: tensor<3x2xf64> = {{\[\[}}0, 1], [2, 3], [4, 5{{\]\]}}
// V4-NEXT: rank 1: result 0: tensor<3x4xf64> = {{\[\[}}0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10, 11{{\]\]}}
// V4-NEXT: rank 1: result 1: tensor<3x2xf64> = {{\[\[}}6, 7], [8, 9], [10, 11{{\]\]}}
// V4: "packs": 1,
// V4: "unpacks": 1,
// V4: "sourceCopies": 0,
// V4: "sourceMoves": 0,
// V4: "resultCopies": 0,
// V4: "liveBytes": 0,
func.func @dynamic_sizes(%x: tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %f = dist.all_gather %x dim 1 on <@g>
    : (tensor<?x?xf64>) -> !dist.future<tensor<?x?xf64>>
  %y = dist.wait %f : !dist.future<tensor<?x?xf64>>
  %g = dist.reduce_scatter max %y dim 1 on <@g>
    : (tensor<?x?xf64>) -> !dist.future<tensor<?x?xf64>>
  %z = dist.wait %g : !dist.future<tensor<?x?xf64>>
  return %y, %z : tensor<?x?xf64>, tensor<?x?xf64>
}

// A type that is not the processor's: the sum is formed in f32.
//
// IR-LABEL: func.func @bf16(
// IR-NOT: memref.copy
//
// V5: rank 0: result 0: tensor<4xbf16> = [8, 13, 20, 29]
// V5-NEXT: rank 0: result 1: tensor<8xbf16> = [0, 1, 4, 9, 16, 25, 36, 49]
// V5-NEXT: rank 1: result 0: tensor<4xbf16> = [8, 13, 20, 29]
// V5-NEXT: rank 1: result 1: tensor<8xbf16> = [0, 1, 4, 9, 16, 25, 36, 49]
// V5: "packs": 0,
// V5: "unpacks": 0,
// V5: "sourceCopies": 0,
// V5: "sourceMoves": 0,
// V5: "resultCopies": 0,
// V5: "liveBytes": 0,
func.func @bf16(%x: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<8xbf16>) {
  %z = arith.mulf %x, %x : tensor<4xbf16>
  %f = dist.all_reduce avg %z on <@g>
    : (tensor<4xbf16>) -> !dist.future<tensor<4xbf16>>
  %g = dist.all_gather %z dim 0 on <@g>
    : (tensor<4xbf16>) -> !dist.future<tensor<8xbf16>>
  %y = dist.wait %f : !dist.future<tensor<4xbf16>>
  %w = dist.wait %g : !dist.future<tensor<8xbf16>>
  return %y, %w : tensor<4xbf16>, tensor<8xbf16>
}

// No elements at all.
//
// IR-LABEL: func.func @nothing_to_send(
// IR-NOT: memref.copy
//
// V6: rank 0: result 0: tensor<0x3xf32> = []
// V6-NEXT: rank 0: result 1: tensor<0x6xf32> = []
// V6-NEXT: rank 0: result 2: tensor<0x3xf32> = []
// V6-NEXT: rank 1: result 0: tensor<0x3xf32> = []
// V6-NEXT: rank 1: result 1: tensor<0x6xf32> = []
// V6-NEXT: rank 1: result 2: tensor<0x3xf32> = []
// V6: "packs": 0,
// V6: "unpacks": 0,
// V6: "sourceCopies": 0,
// V6: "sourceMoves": 0,
// V6: "resultCopies": 0,
// V6: "liveBytes": 0,
func.func @nothing_to_send(%x: tensor<0x3xf32>)
    -> (tensor<0x3xf32>, tensor<0x6xf32>, tensor<0x3xf32>) {
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<0x3xf32>) -> !dist.future<tensor<0x3xf32>>
  %g = dist.all_gather %x dim 1 on <@g>
    : (tensor<0x3xf32>) -> !dist.future<tensor<0x6xf32>>
  %h = dist.reduce_scatter sum %x dim 0 on <@g>
    : (tensor<0x3xf32>) -> !dist.future<tensor<0x3xf32>>
  %a = dist.wait %f : !dist.future<tensor<0x3xf32>>
  %b = dist.wait %g : !dist.future<tensor<0x6xf32>>
  %c = dist.wait %h : !dist.future<tensor<0x3xf32>>
  return %a, %b, %c : tensor<0x3xf32>, tensor<0x6xf32>, tensor<0x3xf32>
}

// Two operands of different types and ranks are one launch with two futures, of
// which one is waited for in a loop.
//
// IR-LABEL: func.func @several_in_one_launch(
// IR-COUNT-1: memref.copy
// IR-NOT: memref.copy
//
// V7: rank 0: result 0: tensor<2x2xf32> = {{\[\[}}8, 12], [16, 20{{\]\]}}
// V7-NEXT: rank 0: result 1: tensor<3xi32> = [6, 10, 14]
// V7-NEXT: rank 1: result 0: tensor<2x2xf32> = {{\[\[}}8, 12], [16, 20{{\]\]}}
// V7-NEXT: rank 1: result 1: tensor<3xi32> = [6, 10, 14]
// V7: "packs": 0,
// V7: "unpacks": 0,
// V7: "sourceCopies": 0,
// V7: "sourceMoves": 0,
// V7: "resultCopies": 2,
// V7: "liveBytes": 0,
func.func @several_in_one_launch(%x: tensor<2x2xf32>, %y: tensor<3xi32>)
    -> (tensor<2x2xf32>, tensor<3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x2 = arith.addf %x, %x : tensor<2x2xf32>
  %f:2 = dist.all_reduce sum %x2, %y on <@g>
    : (tensor<2x2xf32>, tensor<3xi32>)
    -> !dist.future<tensor<2x2xf32>>, !dist.future<tensor<3xi32>>
  %a = dist.wait %f#0 : !dist.future<tensor<2x2xf32>>
  %zero = arith.constant dense<0> : tensor<3xi32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %zero)
      -> (tensor<3xi32>) {
    %b = dist.wait %f#1 : !dist.future<tensor<3xi32>>
    %s = arith.addi %sum, %b : tensor<3xi32>
    scf.yield %s : tensor<3xi32>
  }
  return %a, %r : tensor<2x2xf32>, tensor<3xi32>
}

// Each rank is alone: the value is its own.
//
// IR-LABEL: func.func @groups_of_one(
// IR-NOT: memref.copy
//
// V8: rank 0: result 0: tensor<2x2xf32> = {{\[\[}}0, 2], [4, 6{{\]\]}}
// V8-NEXT: rank 1: result 0: tensor<2x2xf32> = {{\[\[}}8, 10], [12, 14{{\]\]}}
// V8: "packs": 0,
// V8: "unpacks": 0,
// V8: "sourceCopies": 0,
// V8: "sourceMoves": 0,
// V8: "resultCopies": 0,
// V8: "liveBytes": 0,
func.func @groups_of_one(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %z = arith.addf %x, %x : tensor<2x2xf32>
  %f = dist.all_gather %z dim 0 on <[[0], [1]]>
    : (tensor<2x2xf32>) -> !dist.future<tensor<2x2xf32>>
  %y = dist.wait %f : !dist.future<tensor<2x2xf32>>
  return %y : tensor<2x2xf32>
}
