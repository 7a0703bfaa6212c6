// Futures through scf.while.
//
// RUN: dist-opt %s --dist-bufferize | FileCheck %s --check-prefix=IR
// RUN: dist-opt %s --dist-to-llvm -o %t
// RUN: dist-run %t --entry=while_with_fresh_sources --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=1ms \
// RUN:   | FileCheck %s --check-prefix=V1
// RUN: dist-run %t --entry=while_with_the_source_outside --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=1ms \
// RUN:   | FileCheck %s --check-prefix=V2
// RUN: dist-run %t --entry=waited_in_the_condition --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=V3

dist.process_group @g

// 05: the source is born in the body of a while loop.
//
// IR-LABEL: func.func @while_with_fresh_sources(
// IR-NOT: memref.copy
//
// V1: rank 0: result 0: tensor<8xi32> = [6, 10, 10, 10, 10, 14, 14, 14]
// V1-NEXT: rank 1: result 0: tensor<8xi32> = [6, 10, 10, 10, 10, 14, 14, 14]
// V1: "packs": 0,
// V1: "unpacks": 0,
// V1: "sourceCopies": 0,
// V1: "sourceMoves": 3,
// V1: "resultCopies": 0,
// V1: "liveBytes": 0,
func.func @while_with_fresh_sources(%a: tensor<4xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index

  %f0 = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r:2 = scf.while (%f = %f0, %i = %c0) : (!dist.future<tensor<8xi32>>, index) -> (!dist.future<tensor<8xi32>>, index) {
    %more = arith.cmpi slt, %i, %c3 : index
    scf.condition(%more) %f, %i : !dist.future<tensor<8xi32>>, index
  } do {
  ^bb0(%f: !dist.future<tensor<8xi32>>, %i: index):
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    %lo = tensor.extract_slice %y[1] [4] [1] : tensor<8xi32> to tensor<4xi32>
    %x = arith.addi %lo, %a : tensor<4xi32>
    %n = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    %next = arith.addi %i, %c1 : index
    scf.yield %n, %next : !dist.future<tensor<8xi32>>, index
  }
  %last = dist.wait %r#0 : !dist.future<tensor<8xi32>>
  return %last : tensor<8xi32>
}

// 05b: the source stands outside of the while loop.
//
// IR-LABEL: func.func @while_with_the_source_outside(
// IR-NOT: memref.copy
//
// V2: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V2-NEXT: rank 0: result 1: index = 3
// V2-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V2-NEXT: rank 1: result 1: index = 3
// V2: "packs": 0,
// V2: "unpacks": 0,
// V2: "sourceCopies": 0,
// V2: "sourceMoves": 0,
// V2: "resultCopies": 0,
// V2: "liveBytes": 0,
func.func @while_with_the_source_outside(%a: tensor<4xi32>) -> (tensor<8xi32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index

  %x = arith.addi %a, %a : tensor<4xi32>
  %f0 = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r:2 = scf.while (%f = %f0, %i = %c0) : (!dist.future<tensor<8xi32>>, index) -> (!dist.future<tensor<8xi32>>, index) {
    %more = arith.cmpi slt, %i, %c3 : index
    scf.condition(%more) %f, %i : !dist.future<tensor<8xi32>>, index
  } do {
  ^bb0(%f: !dist.future<tensor<8xi32>>, %i: index):
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    %n = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    %next = arith.addi %i, %c1 : index
    scf.yield %n, %next : !dist.future<tensor<8xi32>>, index
  }
  %last = dist.wait %r#0 : !dist.future<tensor<8xi32>>
  return %last, %r#1 : tensor<8xi32>, index
}

// The condition of the loop waits and the body does not. The loop carries a tensor
// out of its condition, which One-Shot copies with futures or without.
//
// IR-LABEL: func.func @waited_in_the_condition(
// IR-COUNT-1: memref.copy
// IR-NOT: memref.copy
//
// V3: rank 0: result 0: tensor<8xi32> = [8, 11, 14, 17, 12, 15, 18, 21]
// V3-NEXT: rank 0: result 1: i32 = 21
// V3-NEXT: rank 1: result 0: tensor<8xi32> = [8, 11, 14, 17, 12, 15, 18, 21]
// V3-NEXT: rank 1: result 1: i32 = 21
// V3: "packs": 0,
// V3: "unpacks": 0,
// V3: "sourceCopies": 0,
// V3: "sourceMoves": 2,
// V3: "resultCopies": 0,
// V3: "liveBytes": 0,
func.func @waited_in_the_condition(%a: tensor<4xi32>) -> (tensor<8xi32>, i32) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %limit = arith.constant 20 : i32
  %f0 = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r:2 = scf.while (%f = %f0) : (!dist.future<tensor<8xi32>>) -> (tensor<8xi32>, i32) {
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    %e = tensor.extract %y[%c7] : tensor<8xi32>
    %more = arith.cmpi slt, %e, %limit : i32
    scf.condition(%more) %y, %e : tensor<8xi32>, i32
  } do {
  ^bb0(%y: tensor<8xi32>, %e: i32):
    %x = tensor.extract_slice %y[4] [4] [1] : tensor<8xi32> to tensor<4xi32>
    %z = arith.addi %x, %a : tensor<4xi32>
    %n = dist.all_gather %z dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    scf.yield %n : !dist.future<tensor<8xi32>>
  }
  return %r#0, %r#1 : tensor<8xi32>, i32
}
