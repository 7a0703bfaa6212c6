// Futures through scf.if and scf.index_switch.
//
// RUN: dist-opt %s --dist-bufferize | FileCheck %s --check-prefix=IR
// RUN: dist-opt %s --dist-to-llvm -o %t
// RUN: dist-run %t --entry=sources_born_in_the_branches --ranks=2 --group=g=0,1 --checked --print --counters --arg=1=1 \
// RUN:   | FileCheck %s --check-prefix=V1
// RUN: dist-run %t --entry=sources_born_in_the_branches --ranks=2 --group=g=0,1 --checked --print --counters --arg=1=0 \
// RUN:   | FileCheck %s --check-prefix=V2
// RUN: dist-run %t --entry=start_before_the_branches --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms --arg=1=1 \
// RUN:   | FileCheck %s --check-prefix=V3
// RUN: dist-run %t --entry=start_before_the_branches --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms --arg=1=0 \
// RUN:   | FileCheck %s --check-prefix=V4
// RUN: dist-run %t --entry=one_of_two_sources_written --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms --arg=1=1 \
// RUN:   | FileCheck %s --check-prefix=V5
// RUN: dist-run %t --entry=one_of_two_sources_written --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms --arg=1=0 \
// RUN:   | FileCheck %s --check-prefix=V6
// RUN: dist-run %t --entry=chosen_by_a_switch --ranks=2 --group=g=0,1 --checked --print --counters --arg=1=0 \
// RUN:   | FileCheck %s --check-prefix=V7
// RUN: dist-run %t --entry=chosen_by_a_switch --ranks=2 --group=g=0,1 --checked --print --counters --arg=1=1 \
// RUN:   | FileCheck %s --check-prefix=V8
// RUN: dist-run %t --entry=chosen_by_a_switch --ranks=2 --group=g=0,1 --checked --print --counters --arg=1=7 \
// RUN:   | FileCheck %s --check-prefix=V9
// RUN: dist-run %t --entry=select_of_futures --ranks=2 --group=g=0,1 --checked --print --counters --arg=1=1 \
// RUN:   | FileCheck %s --check-prefix=V10
// RUN: dist-run %t --entry=select_of_futures --ranks=2 --group=g=0,1 --checked --print --counters --arg=1=0 \
// RUN:   | FileCheck %s --check-prefix=V11

dist.process_group @g

// 03a: each branch computes and gathers a tensor of its own.
//
// IR-LABEL: func.func @sources_born_in_the_branches(
// IR-NOT: memref.copy
//
// With --arg=1=1:
// V1: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V1-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V1: "packs": 0,
// V1: "unpacks": 0,
// V1: "sourceCopies": 0,
// V1: "sourceMoves": 1,
// V1: "resultCopies": 0,
// V1: "liveBytes": 0,
// With --arg=1=0:
// V2: rank 0: result 0: tensor<8xi32> = [0, 1, 4, 9, 16, 25, 36, 49]
// V2-NEXT: rank 1: result 0: tensor<8xi32> = [0, 1, 4, 9, 16, 25, 36, 49]
// V2: "packs": 0,
// V2: "unpacks": 0,
// V2: "sourceCopies": 0,
// V2: "sourceMoves": 1,
// V2: "resultCopies": 0,
// V2: "liveBytes": 0,
func.func @sources_born_in_the_branches(%a: tensor<4xi32>, %p: i1) -> tensor<8xi32> {
  %f = scf.if %p -> (!dist.future<tensor<8xi32>>) {
    %x = arith.addi %a, %a : tensor<4xi32>
    %fx = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    scf.yield %fx : !dist.future<tensor<8xi32>>
  } else {
    %x = arith.muli %a, %a : tensor<4xi32>
    %fx = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    scf.yield %fx : !dist.future<tensor<8xi32>>
  }
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y : tensor<8xi32>
}

// 03b: one branch writes the source of a collective that started before. One copy
// on each path: the value for the writer, a buffer of its own for the other.
//
// IR-LABEL: func.func @start_before_the_branches(
// IR-COUNT-2: memref.copy
// IR-NOT: memref.copy
//
// With --arg=1=1:
// V3: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V3-NEXT: rank 0: result 1: tensor<4xi32> = [50, 2, 4, 6]
// V3-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V3-NEXT: rank 1: result 1: tensor<4xi32> = [50, 10, 12, 14]
// V3: "packs": 0,
// V3: "unpacks": 0,
// V3: "sourceCopies": 0,
// V3: "sourceMoves": 0,
// V3: "resultCopies": 0,
// V3: "liveBytes": 0,
// With --arg=1=0:
// V4: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V4-NEXT: rank 0: result 1: tensor<4xi32> = [0, 2, 4, 6]
// V4-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V4-NEXT: rank 1: result 1: tensor<4xi32> = [8, 10, 12, 14]
// V4: "packs": 0,
// V4: "unpacks": 0,
// V4: "sourceCopies": 0,
// V4: "sourceMoves": 0,
// V4: "resultCopies": 0,
// V4: "liveBytes": 0,
func.func @start_before_the_branches(%a: tensor<4xi32>, %p: i1) -> (tensor<8xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 50 : i32
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r:2 = scf.if %p -> (tensor<8xi32>, tensor<4xi32>) {
    %z = tensor.insert %v into %x[%c0] : tensor<4xi32>
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    scf.yield %y, %z : tensor<8xi32>, tensor<4xi32>
  } else {
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    scf.yield %y, %x : tensor<8xi32>, tensor<4xi32>
  }
  return %r#0, %r#1 : tensor<8xi32>, tensor<4xi32>
}

// 03c: which of two tensors is in flight is not known, one of them is written.
//
// IR-LABEL: func.func @one_of_two_sources_written(
// IR-COUNT-1: memref.copy
// IR-NOT: memref.copy
//
// With --arg=1=1:
// V5: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V5-NEXT: rank 0: result 1: tensor<4xi32> = [50, 2, 4, 6]
// V5-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V5-NEXT: rank 1: result 1: tensor<4xi32> = [50, 10, 12, 14]
// V5: "packs": 0,
// V5: "unpacks": 0,
// V5: "sourceCopies": 0,
// V5: "sourceMoves": 0,
// V5: "resultCopies": 0,
// V5: "liveBytes": 0,
// With --arg=1=0:
// V6: rank 0: result 0: tensor<8xi32> = [0, 1, 4, 9, 16, 25, 36, 49]
// V6-NEXT: rank 0: result 1: tensor<4xi32> = [50, 2, 4, 6]
// V6-NEXT: rank 1: result 0: tensor<8xi32> = [0, 1, 4, 9, 16, 25, 36, 49]
// V6-NEXT: rank 1: result 1: tensor<4xi32> = [50, 10, 12, 14]
// V6: "packs": 0,
// V6: "unpacks": 0,
// V6: "sourceCopies": 0,
// V6: "sourceMoves": 0,
// V6: "resultCopies": 0,
// V6: "liveBytes": 0,
func.func @one_of_two_sources_written(%a: tensor<4xi32>, %p: i1) -> (tensor<8xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 50 : i32
  %x1 = arith.addi %a, %a : tensor<4xi32>
  %x2 = arith.muli %a, %a : tensor<4xi32>
  %f = scf.if %p -> (!dist.future<tensor<8xi32>>) {
    %f1 = dist.all_gather %x1 dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    scf.yield %f1 : !dist.future<tensor<8xi32>>
  } else {
    %f2 = dist.all_gather %x2 dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    scf.yield %f2 : !dist.future<tensor<8xi32>>
  }
  %z = tensor.insert %v into %x1[%c0] : tensor<4xi32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y, %z : tensor<8xi32>, tensor<4xi32>
}

// 03a with scf.index_switch, one case starts nothing new.
//
// IR-LABEL: func.func @chosen_by_a_switch(
// IR-NOT: memref.copy
//
// With --arg=1=0:
// V7: rank 0: result 0: tensor<8xi32> = [0, 1, 4, 9, 16, 25, 36, 49]
// V7-NEXT: rank 1: result 0: tensor<8xi32> = [0, 1, 4, 9, 16, 25, 36, 49]
// V7: "packs": 0,
// V7: "unpacks": 0,
// V7: "sourceCopies": 0,
// V7: "sourceMoves": 1,
// V7: "resultCopies": 0,
// V7: "liveBytes": 0,
// With --arg=1=1:
// V8: rank 0: result 0: tensor<8xi32> = [0, -1, -2, -3, -4, -5, -6, -7]
// V8-NEXT: rank 1: result 0: tensor<8xi32> = [0, -1, -2, -3, -4, -5, -6, -7]
// V8: "packs": 0,
// V8: "unpacks": 0,
// V8: "sourceCopies": 0,
// V8: "sourceMoves": 1,
// V8: "resultCopies": 0,
// V8: "liveBytes": 0,
// With --arg=1=7:
// V9: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V9-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V9: "packs": 0,
// V9: "unpacks": 0,
// V9: "sourceCopies": 0,
// V9: "sourceMoves": 0,
// V9: "resultCopies": 0,
// V9: "liveBytes": 0,
func.func @chosen_by_a_switch(%a: tensor<4xi32>, %k: index) -> tensor<8xi32> {
  %x0 = arith.addi %a, %a : tensor<4xi32>
  %f0 = dist.all_gather %x0 dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %f = scf.index_switch %k -> !dist.future<tensor<8xi32>>
  case 0 {
    %x = arith.muli %a, %a : tensor<4xi32>
    %fx = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    scf.yield %fx : !dist.future<tensor<8xi32>>
  }
  case 1 {
    %x = arith.subi %a, %x0 : tensor<4xi32>
    %fx = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    scf.yield %fx : !dist.future<tensor<8xi32>>
  }
  default {
    scf.yield %f0 : !dist.future<tensor<8xi32>>
  }
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y : tensor<8xi32>
}

// A select of two futures: the other one is dropped.
//
// IR-LABEL: func.func @select_of_futures(
// IR-NOT: memref.copy
//
// With --arg=1=1:
// V10: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V10-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V10: "packs": 0,
// V10: "unpacks": 0,
// V10: "sourceCopies": 0,
// V10: "sourceMoves": 0,
// V10: "resultCopies": 0,
// V10: "liveBytes": 0,
// With --arg=1=0:
// V11: rank 0: result 0: tensor<8xi32> = [0, 1, 4, 9, 16, 25, 36, 49]
// V11-NEXT: rank 1: result 0: tensor<8xi32> = [0, 1, 4, 9, 16, 25, 36, 49]
// V11: "packs": 0,
// V11: "unpacks": 0,
// V11: "sourceCopies": 0,
// V11: "sourceMoves": 0,
// V11: "resultCopies": 0,
// V11: "liveBytes": 0,
func.func @select_of_futures(%a: tensor<4xi32>, %p: i1) -> tensor<8xi32> {
  %x1 = arith.addi %a, %a : tensor<4xi32>
  %x2 = arith.muli %a, %a : tensor<4xi32>
  %f1 = dist.all_gather %x1 dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %f2 = dist.all_gather %x2 dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %f = arith.select %p, %f1, %f2 : !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y : tensor<8xi32>
}
