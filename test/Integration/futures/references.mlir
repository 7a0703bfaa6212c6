// Futures that are waited for more or less than once.
//
// RUN: dist-opt %s --dist-bufferize | FileCheck %s --check-prefix=IR
// RUN: dist-opt %s --dist-to-llvm -o %t
// RUN: dist-run %t --entry=waited_twice --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=V1
// RUN: dist-run %t --entry=waited_in_both_branches --ranks=2 --group=g=0,1 --checked --print --counters --arg=1=1 \
// RUN:   | FileCheck %s --check-prefix=V2
// RUN: dist-run %t --entry=waited_in_both_branches --ranks=2 --group=g=0,1 --checked --print --counters --arg=1=0 \
// RUN:   | FileCheck %s --check-prefix=V3
// RUN: dist-run %t --entry=never_waited --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V4
// RUN: dist-run %t --entry=in_a_branch_and_after_it --ranks=2 --group=g=0,1 --checked --print --counters --arg=1=1 \
// RUN:   | FileCheck %s --check-prefix=V5
// RUN: dist-run %t --entry=in_a_branch_and_after_it --ranks=2 --group=g=0,1 --checked --print --counters --arg=1=0 \
// RUN:   | FileCheck %s --check-prefix=V6
// RUN: dist-run %t --entry=in_one_branch_only --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms --arg=1=1 \
// RUN:   | FileCheck %s --check-prefix=V7
// RUN: dist-run %t --entry=in_one_branch_only --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms --arg=1=0 \
// RUN:   | FileCheck %s --check-prefix=V8
// RUN: dist-run %t --entry=in_a_loop_and_written --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=V9
// RUN: dist-run %t --entry=yielded_twice --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=V10

dist.process_group @g

// 08a: waited twice, the first value is written.
//
// IR-LABEL: func.func @waited_twice(
// IR-COUNT-1: memref.copy
// IR-NOT: memref.copy
//
// V1: rank 0: result 0: tensor<8xi32> = [50, 1, 2, 3, 4, 5, 6, 7]
// V1-NEXT: rank 0: result 1: tensor<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
// V1-NEXT: rank 1: result 0: tensor<8xi32> = [50, 1, 2, 3, 4, 5, 6, 7]
// V1-NEXT: rank 1: result 1: tensor<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
// V1: "packs": 0,
// V1: "unpacks": 0,
// V1: "sourceCopies": 0,
// V1: "sourceMoves": 0,
// V1: "resultCopies": 0,
// V1: "liveBytes": 0,
func.func @waited_twice(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 50 : i32
  %f = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y1 = dist.wait %f : !dist.future<tensor<8xi32>>
  %z = tensor.insert %v into %y1[%c0] : tensor<8xi32>
  %y2 = dist.wait %f : !dist.future<tensor<8xi32>>
  return %z, %y2 : tensor<8xi32>, tensor<8xi32>
}

// 08b: waited in both branches.
//
// IR-LABEL: func.func @waited_in_both_branches(
// IR-NOT: memref.copy
//
// With --arg=1=1:
// V2: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V2-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V2: "packs": 0,
// V2: "unpacks": 0,
// V2: "sourceCopies": 0,
// V2: "sourceMoves": 0,
// V2: "resultCopies": 0,
// V2: "liveBytes": 0,
// With --arg=1=0:
// V3: rank 0: result 0: tensor<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
// V3-NEXT: rank 1: result 0: tensor<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
// V3: "packs": 0,
// V3: "unpacks": 0,
// V3: "sourceCopies": 0,
// V3: "sourceMoves": 0,
// V3: "resultCopies": 0,
// V3: "liveBytes": 0,
func.func @waited_in_both_branches(%a: tensor<4xi32>, %p: i1) -> tensor<8xi32> {
  %f = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r = scf.if %p -> (tensor<8xi32>) {
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    %z = linalg.add ins(%y, %y : tensor<8xi32>, tensor<8xi32>)
    outs(%y : tensor<8xi32>) -> tensor<8xi32>
    scf.yield %z : tensor<8xi32>
  } else {
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    scf.yield %y : tensor<8xi32>
  }
  return %r : tensor<8xi32>
}

// 08c: never waited; it completes before the function returns.
//
// IR-LABEL: func.func @never_waited(
// IR-NOT: memref.copy
//
// V4: rank 0: result 0: tensor<4xi32> = [0, 2, 4, 6]
// V4-NEXT: rank 1: result 0: tensor<4xi32> = [8, 10, 12, 14]
// V4: "packs": 0,
// V4: "unpacks": 0,
// V4: "sourceCopies": 0,
// V4: "sourceMoves": 0,
// V4: "resultCopies": 0,
// V4: "liveBytes": 0,
func.func @never_waited(%a: tensor<4xi32>) -> tensor<4xi32> {
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  return %x : tensor<4xi32>
}

// 08d: in a branch, where the value is written, and after it.
//
// IR-LABEL: func.func @in_a_branch_and_after_it(
// IR-NOT: memref.copy
//
// With --arg=1=1:
// V5: rank 0: result 0: tensor<8xi32> = [50, 1, 2, 3, 4, 5, 6, 7]
// V5-NEXT: rank 0: result 1: tensor<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
// V5-NEXT: rank 1: result 0: tensor<8xi32> = [50, 1, 2, 3, 4, 5, 6, 7]
// V5-NEXT: rank 1: result 1: tensor<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
// V5: "packs": 0,
// V5: "unpacks": 0,
// V5: "sourceCopies": 0,
// V5: "sourceMoves": 0,
// V5: "resultCopies": 1,
// V5: "liveBytes": 0,
// With --arg=1=0:
// V6: rank 0: result 0: tensor<8xi32> = [50, 50, 50, 50, 50, 50, 50, 50]
// V6-NEXT: rank 0: result 1: tensor<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
// V6-NEXT: rank 1: result 0: tensor<8xi32> = [50, 50, 50, 50, 50, 50, 50, 50]
// V6-NEXT: rank 1: result 1: tensor<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
// V6: "packs": 0,
// V6: "unpacks": 0,
// V6: "sourceCopies": 0,
// V6: "sourceMoves": 0,
// V6: "resultCopies": 0,
// V6: "liveBytes": 0,
func.func @in_a_branch_and_after_it(%a: tensor<4xi32>, %p: i1) -> (tensor<8xi32>, tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 50 : i32
  %f = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r = scf.if %p -> (tensor<8xi32>) {
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    %z = tensor.insert %v into %y[%c0] : tensor<8xi32>
    scf.yield %z : tensor<8xi32>
  } else {
    %e = tensor.empty() : tensor<8xi32>
    %z = linalg.fill ins(%v : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
    scf.yield %z : tensor<8xi32>
  }
  %y2 = dist.wait %f : !dist.future<tensor<8xi32>>
  return %r, %y2 : tensor<8xi32>, tensor<8xi32>
}

// 08e: in one branch only.
//
// IR-LABEL: func.func @in_one_branch_only(
// IR-NOT: memref.copy
//
// With --arg=1=1:
// V7: rank 0: result 0: i32 = 10
// V7-NEXT: rank 1: result 0: i32 = 10
// V7: "packs": 0,
// V7: "unpacks": 0,
// V7: "sourceCopies": 0,
// V7: "sourceMoves": 0,
// V7: "resultCopies": 0,
// V7: "liveBytes": 0,
// With --arg=1=0:
// V8: rank 0: result 0: i32 = -1
// V8-NEXT: rank 1: result 0: i32 = -1
// V8: "packs": 0,
// V8: "unpacks": 0,
// V8: "sourceCopies": 0,
// V8: "sourceMoves": 0,
// V8: "resultCopies": 0,
// V8: "liveBytes": 0,
func.func @in_one_branch_only(%a: tensor<4xi32>, %p: i1) -> i32 {
  %c5 = arith.constant 5 : index
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r = scf.if %p -> (i32) {
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    %e = tensor.extract %y[%c5] : tensor<8xi32>
    scf.yield %e : i32
  } else {
    %m = arith.constant -1 : i32
    scf.yield %m : i32
  }
  return %r : i32
}

// 08f: each iteration waits for the same future and writes the value.
//
// IR-LABEL: func.func @in_a_loop_and_written(
// IR-NOT: memref.copy
//
// V9: rank 0: result 0: tensor<8xi32> = [50, 52, 54, 9, 12, 15, 18, 21]
// V9-NEXT: rank 1: result 0: tensor<8xi32> = [50, 52, 54, 9, 12, 15, 18, 21]
// V9: "packs": 0,
// V9: "unpacks": 0,
// V9: "sourceCopies": 0,
// V9: "sourceMoves": 0,
// V9: "resultCopies": 3,
// V9: "liveBytes": 0,
func.func @in_a_loop_and_written(%a: tensor<4xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %init = tensor.empty() : tensor<8xi32>
  %sum0 = linalg.fill ins(%zero : i32) outs(%init : tensor<8xi32>) -> tensor<8xi32>

  %v = arith.constant 50 : i32
  %f = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %sum0) -> (tensor<8xi32>) {
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    %z = tensor.insert %v into %y[%i] : tensor<8xi32>
    %s = linalg.add ins(%sum, %z : tensor<8xi32>, tensor<8xi32>)
    outs(%sum : tensor<8xi32>) -> tensor<8xi32>
    scf.yield %s : tensor<8xi32>
  }
  return %r : tensor<8xi32>
}

// 08g: one future becomes two.
//
// IR-LABEL: func.func @yielded_twice(
// IR-NOT: memref.copy
//
// V10: rank 0: result 0: tensor<8xi32> = [50, 112, 66, 40, 216, 112, 66, 40]
// V10-NEXT: rank 0: result 1: tensor<8xi32> = [216, 112, 66, 40, 216, 112, 66, 40]
// V10-NEXT: rank 1: result 0: tensor<8xi32> = [50, 112, 66, 40, 216, 112, 66, 40]
// V10-NEXT: rank 1: result 1: tensor<8xi32> = [216, 112, 66, 40, 216, 112, 66, 40]
// V10: "packs": 0,
// V10: "unpacks": 0,
// V10: "sourceCopies": 0,
// V10: "sourceMoves": 3,
// V10: "resultCopies": 3,
// V10: "liveBytes": 0,
func.func @yielded_twice(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index

  %v = arith.constant 50 : i32
  %f0 = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %g0 = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r:2 = scf.for %i = %c0 to %c3 step %c1
      iter_args(%f = %f0, %g = %g0) -> (!dist.future<tensor<8xi32>>, !dist.future<tensor<8xi32>>) {
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    %z = dist.wait %g : !dist.future<tensor<8xi32>>
    %w = tensor.insert %v into %y[%i] : tensor<8xi32>
    %x = tensor.extract_slice %w[0] [4] [1] : tensor<8xi32> to tensor<4xi32>
    %x2 = tensor.extract_slice %z[4] [4] [1] : tensor<8xi32> to tensor<4xi32>
    %x3 = arith.addi %x, %x2 : tensor<4xi32>
    %n = dist.all_gather %x3 dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    scf.yield %n, %n : !dist.future<tensor<8xi32>>, !dist.future<tensor<8xi32>>
  }
  %y = dist.wait %r#0 : !dist.future<tensor<8xi32>>
  %z = dist.wait %r#1 : !dist.future<tensor<8xi32>>
  %w = tensor.insert %v into %y[%c0] : tensor<8xi32>
  return %w, %z : tensor<8xi32>, tensor<8xi32>
}
