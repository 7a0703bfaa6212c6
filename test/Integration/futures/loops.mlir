// Futures through scf.for.
//
// RUN: dist-opt %s --dist-bufferize | FileCheck %s --check-prefix=IR
// RUN: dist-opt %s --dist-to-llvm -o %t
// RUN: dist-run %t --entry=prefetch_of_a_slice --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=1ms \
// RUN:   | FileCheck %s --check-prefix=V1
// RUN: dist-run %t --entry=source_computed_in_the_body --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=1ms \
// RUN:   | FileCheck %s --check-prefix=V2
// RUN: dist-run %t --entry=carried_source_written_before_wait --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=1ms \
// RUN:   | FileCheck %s --check-prefix=V3
// RUN: dist-run %t --entry=one_empty_outside_of_the_loop --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=1ms \
// RUN:   | FileCheck %s --check-prefix=V4
// RUN: dist-run %t --entry=wait_start_then_overwrite --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=1ms \
// RUN:   | FileCheck %s --check-prefix=V5
// RUN: dist-run %t --entry=result_carried_too --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=1ms \
// RUN:   | FileCheck %s --check-prefix=V6
// RUN: dist-run %t --entry=loop_that_does_not_run --ranks=2 --group=g=0,1 --checked --print --counters --arg=1=0 \
// RUN:   | FileCheck %s --check-prefix=V7
// RUN: dist-run %t --entry=loop_that_does_not_run --ranks=2 --group=g=0,1 --checked --print --counters --arg=1=2 \
// RUN:   | FileCheck %s --check-prefix=V8

dist.process_group @g

// 04a: the loop prefetches the next row of a tensor from outside: no copy.
//
// IR-LABEL: func.func @prefetch_of_a_slice(
// IR-NOT: memref.copy
//
// V1: rank 0: result 0: tensor<8xi32> = [12, 15, 18, 21, 60, 63, 66, 69]
// V1-NEXT: rank 0: result 1: tensor<8xi32> = [12, 13, 14, 15, 28, 29, 30, 31]
// V1-NEXT: rank 1: result 0: tensor<8xi32> = [12, 15, 18, 21, 60, 63, 66, 69]
// V1-NEXT: rank 1: result 1: tensor<8xi32> = [12, 13, 14, 15, 28, 29, 30, 31]
// V1: "packs": 0,
// V1: "unpacks": 0,
// V1: "sourceCopies": 0,
// V1: "sourceMoves": 0,
// V1: "resultCopies": 0,
// V1: "liveBytes": 0,
func.func @prefetch_of_a_slice(%t: tensor<4x4xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %init = tensor.empty() : tensor<8xi32>
  %sum0 = linalg.fill ins(%zero : i32) outs(%init : tensor<8xi32>) -> tensor<8xi32>

  %x0 = tensor.extract_slice %t[0, 0] [1, 4] [1, 1]
    : tensor<4x4xi32> to tensor<4xi32>
  %f0 = dist.all_gather %x0 dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r:2 = scf.for %i = %c0 to %c3 step %c1
      iter_args(%f = %f0, %sum = %sum0) -> (!dist.future<tensor<8xi32>>, tensor<8xi32>) {
    %next = arith.addi %i, %c1 : index
    %x = tensor.extract_slice %t[%next, 0] [1, 4] [1, 1]
      : tensor<4x4xi32> to tensor<4xi32>
    %n = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    %s = linalg.add ins(%sum, %y : tensor<8xi32>, tensor<8xi32>)
    outs(%sum : tensor<8xi32>) -> tensor<8xi32>
    scf.yield %n, %s : !dist.future<tensor<8xi32>>, tensor<8xi32>
  }
  %last = dist.wait %r#0 : !dist.future<tensor<8xi32>>
  return %r#1, %last : tensor<8xi32>, tensor<8xi32>
}

// 04b: the source is born in the body, it moves into the future.
//
// IR-LABEL: func.func @source_computed_in_the_body(
// IR-NOT: memref.copy
//
// V2: rank 0: result 0: tensor<8xi32> = [1, 4, 7, 10, 13, 16, 19, 22]
// V2-NEXT: rank 0: result 1: tensor<8xi32> = [2, 3, 4, 5, 6, 7, 8, 9]
// V2-NEXT: rank 1: result 0: tensor<8xi32> = [1, 4, 7, 10, 13, 16, 19, 22]
// V2-NEXT: rank 1: result 1: tensor<8xi32> = [2, 3, 4, 5, 6, 7, 8, 9]
// V2: "packs": 0,
// V2: "unpacks": 0,
// V2: "sourceCopies": 0,
// V2: "sourceMoves": 3,
// V2: "resultCopies": 0,
// V2: "liveBytes": 0,
func.func @source_computed_in_the_body(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %init = tensor.empty() : tensor<8xi32>
  %sum0 = linalg.fill ins(%zero : i32) outs(%init : tensor<8xi32>) -> tensor<8xi32>

  %f0 = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r:2 = scf.for %i = %c0 to %c3 step %c1
      iter_args(%f = %f0, %sum = %sum0) -> (!dist.future<tensor<8xi32>>, tensor<8xi32>) {
    %k = arith.index_cast %i : index to i32
    %e = tensor.empty() : tensor<4xi32>
    %w = linalg.fill ins(%k : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
    %x = arith.addi %a, %w : tensor<4xi32>
    %n = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    %s = linalg.add ins(%sum, %y : tensor<8xi32>, tensor<8xi32>)
    outs(%sum : tensor<8xi32>) -> tensor<8xi32>
    scf.yield %n, %s : !dist.future<tensor<8xi32>>, tensor<8xi32>
  }
  %last = dist.wait %r#0 : !dist.future<tensor<8xi32>>
  return %r#1, %last : tensor<8xi32>, tensor<8xi32>
}

// 04c: the carried source is written while the collective of the iteration before
// may still read it.
//
// IR-LABEL: func.func @carried_source_written_before_wait(
// IR-COUNT-1: memref.copy
// IR-NOT: memref.copy
//
// V3: rank 0: result 0: tensor<8xi32> = [-200, -95, 12, 18, -192, -79, 36, 42]
// V3-NEXT: rank 0: result 1: tensor<8xi32> = [-100, -99, -98, 6, -100, -99, -98, 14]
// V3-NEXT: rank 0: result 2: tensor<4xi32> = [-100, -99, -98, 6]
// V3-NEXT: rank 1: result 0: tensor<8xi32> = [-200, -95, 12, 18, -192, -79, 36, 42]
// V3-NEXT: rank 1: result 1: tensor<8xi32> = [-100, -99, -98, 6, -100, -99, -98, 14]
// V3-NEXT: rank 1: result 2: tensor<4xi32> = [-100, -99, -98, 14]
// V3: "packs": 0,
// V3: "unpacks": 0,
// V3: "sourceCopies": 3,
// V3: "sourceMoves": 0,
// V3: "resultCopies": 0,
// V3: "liveBytes": 0,
func.func @carried_source_written_before_wait(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<8xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %init = tensor.empty() : tensor<8xi32>
  %sum0 = linalg.fill ins(%zero : i32) outs(%init : tensor<8xi32>) -> tensor<8xi32>

  %c100 = arith.constant 100 : i32
  %x0 = arith.addi %a, %a : tensor<4xi32>
  %f0 = dist.all_gather %x0 dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r:3 = scf.for %i = %c0 to %c3 step %c1
      iter_args(%f = %f0, %x = %x0, %sum = %sum0) -> (!dist.future<tensor<8xi32>>, tensor<4xi32>, tensor<8xi32>) {
    %k = arith.index_cast %i : index to i32
    %v = arith.subi %k, %c100 : i32
    %z = tensor.insert %v into %x[%i] : tensor<4xi32>
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    %n = dist.all_gather %z dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    %s = linalg.add ins(%sum, %y : tensor<8xi32>, tensor<8xi32>)
    outs(%sum : tensor<8xi32>) -> tensor<8xi32>
    scf.yield %n, %z, %s : !dist.future<tensor<8xi32>>, tensor<4xi32>, tensor<8xi32>
  }
  %last = dist.wait %r#0 : !dist.future<tensor<8xi32>>
  return %r#2, %last, %r#1 : tensor<8xi32>, tensor<8xi32>, tensor<4xi32>
}

// 04d: all sources are made of one tensor.empty outside of the loop.
//
// IR-LABEL: func.func @one_empty_outside_of_the_loop(
// IR-NOT: memref.copy
//
// V4: rank 0: result 0: tensor<8xi32> = [1, 2, 3, 4, 5, 6, 7, 8]
// V4-NEXT: rank 0: result 1: tensor<8xi32> = [2, 2, 2, 2, 2, 2, 2, 2]
// V4-NEXT: rank 1: result 0: tensor<8xi32> = [1, 2, 3, 4, 5, 6, 7, 8]
// V4-NEXT: rank 1: result 1: tensor<8xi32> = [2, 2, 2, 2, 2, 2, 2, 2]
// V4: "packs": 0,
// V4: "unpacks": 0,
// V4: "sourceCopies": 0,
// V4: "sourceMoves": 3,
// V4: "resultCopies": 0,
// V4: "liveBytes": 0,
func.func @one_empty_outside_of_the_loop(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %init = tensor.empty() : tensor<8xi32>
  %sum0 = linalg.fill ins(%zero : i32) outs(%init : tensor<8xi32>) -> tensor<8xi32>

  %e = tensor.empty() : tensor<4xi32>
  %f0 = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r:2 = scf.for %i = %c0 to %c3 step %c1
      iter_args(%f = %f0, %sum = %sum0) -> (!dist.future<tensor<8xi32>>, tensor<8xi32>) {
    %k = arith.index_cast %i : index to i32
    %x = linalg.fill ins(%k : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
    %n = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    %s = linalg.add ins(%sum, %y : tensor<8xi32>, tensor<8xi32>)
    outs(%sum : tensor<8xi32>) -> tensor<8xi32>
    scf.yield %n, %s : !dist.future<tensor<8xi32>>, tensor<8xi32>
  }
  %last = dist.wait %r#0 : !dist.future<tensor<8xi32>>
  return %r#1, %last : tensor<8xi32>, tensor<8xi32>
}

// 04e: wait, start from the carried tensor, then overwrite it.
//
// IR-LABEL: func.func @wait_start_then_overwrite(
// IR-COUNT-1: memref.copy
// IR-NOT: memref.copy
//
// V5: rank 0: result 0: tensor<8xi32> = [-100, 6, 12, 18, -84, 30, 36, 42]
// V5-NEXT: rank 0: result 1: tensor<8xi32> = [-100, -99, 4, 6, -100, -99, 12, 14]
// V5-NEXT: rank 0: result 2: tensor<4xi32> = [-100, -99, -98, 6]
// V5-NEXT: rank 1: result 0: tensor<8xi32> = [-100, 6, 12, 18, -84, 30, 36, 42]
// V5-NEXT: rank 1: result 1: tensor<8xi32> = [-100, -99, 4, 6, -100, -99, 12, 14]
// V5-NEXT: rank 1: result 2: tensor<4xi32> = [-100, -99, -98, 14]
// V5: "packs": 0,
// V5: "unpacks": 0,
// V5: "sourceCopies": 3,
// V5: "sourceMoves": 0,
// V5: "resultCopies": 0,
// V5: "liveBytes": 0,
func.func @wait_start_then_overwrite(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<8xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %init = tensor.empty() : tensor<8xi32>
  %sum0 = linalg.fill ins(%zero : i32) outs(%init : tensor<8xi32>) -> tensor<8xi32>

  %c100 = arith.constant 100 : i32
  %x0 = arith.addi %a, %a : tensor<4xi32>
  %f0 = dist.all_gather %x0 dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r:3 = scf.for %i = %c0 to %c3 step %c1
      iter_args(%f = %f0, %x = %x0, %sum = %sum0) -> (!dist.future<tensor<8xi32>>, tensor<4xi32>, tensor<8xi32>) {
    %k = arith.index_cast %i : index to i32
    %v = arith.subi %k, %c100 : i32
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    %n = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    %z = tensor.insert %v into %x[%i] : tensor<4xi32>
    %s = linalg.add ins(%sum, %y : tensor<8xi32>, tensor<8xi32>)
    outs(%sum : tensor<8xi32>) -> tensor<8xi32>
    scf.yield %n, %z, %s : !dist.future<tensor<8xi32>>, tensor<4xi32>, tensor<8xi32>
  }
  %last = dist.wait %r#0 : !dist.future<tensor<8xi32>>
  return %r#2, %last, %r#1 : tensor<8xi32>, tensor<8xi32>, tensor<4xi32>
}

// 04f: the loop carries the gathered tensor beside the future.
//
// IR-LABEL: func.func @result_carried_too(
// IR-COUNT-1: memref.copy
// IR-NOT: memref.copy
//
// V6: rank 0: result 0: tensor<8xi32> = [5, 6, 7, 8, 5, 6, 7, 8]
// V6-NEXT: rank 0: result 1: tensor<8xi32> = [2, 2, 2, 2, 2, 2, 2, 2]
// V6-NEXT: rank 1: result 0: tensor<8xi32> = [5, 6, 7, 8, 5, 6, 7, 8]
// V6-NEXT: rank 1: result 1: tensor<8xi32> = [2, 2, 2, 2, 2, 2, 2, 2]
// V6: "packs": 0,
// V6: "unpacks": 0,
// V6: "sourceCopies": 0,
// V6: "sourceMoves": 3,
// V6: "resultCopies": 0,
// V6: "liveBytes": 0,
func.func @result_carried_too(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %init = tensor.empty() : tensor<8xi32>
  %sum0 = linalg.fill ins(%zero : i32) outs(%init : tensor<8xi32>) -> tensor<8xi32>

  %f0 = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r:2 = scf.for %i = %c0 to %c3 step %c1
      iter_args(%f = %f0, %before = %sum0) -> (!dist.future<tensor<8xi32>>, tensor<8xi32>) {
    %k = arith.index_cast %i : index to i32
    %e = tensor.empty() : tensor<4xi32>
    %w = linalg.fill ins(%k : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
    %part = tensor.extract_slice %before[4] [4] [1] : tensor<8xi32> to tensor<4xi32>
    %x = arith.addi %part, %w : tensor<4xi32>
    %n = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    scf.yield %n, %y : !dist.future<tensor<8xi32>>, tensor<8xi32>
  }
  %last = dist.wait %r#0 : !dist.future<tensor<8xi32>>
  return %r#1, %last : tensor<8xi32>, tensor<8xi32>
}

// The loop runs not once: its future is the one from before it.
//
// IR-LABEL: func.func @loop_that_does_not_run(
// IR-NOT: memref.copy
//
// With --arg=1=0:
// V7: rank 0: result 0: tensor<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
// V7-NEXT: rank 1: result 0: tensor<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
// V7: "packs": 0,
// V7: "unpacks": 0,
// V7: "sourceCopies": 0,
// V7: "sourceMoves": 0,
// V7: "resultCopies": 0,
// V7: "liveBytes": 0,
// With --arg=1=2:
// V8: rank 0: result 0: tensor<8xi32> = [4, 5, 2, 3, 4, 5, 2, 3]
// V8-NEXT: rank 1: result 0: tensor<8xi32> = [4, 5, 2, 3, 4, 5, 2, 3]
// V8: "packs": 0,
// V8: "unpacks": 0,
// V8: "sourceCopies": 2,
// V8: "sourceMoves": 0,
// V8: "resultCopies": 0,
// V8: "liveBytes": 0,
func.func @loop_that_does_not_run(%a: tensor<4xi32>, %n: index) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%f = %f0) -> (!dist.future<tensor<8xi32>>) {
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    %x = tensor.extract_slice %y[2] [4] [1] : tensor<8xi32> to tensor<4xi32>
    %next = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    scf.yield %next : !dist.future<tensor<8xi32>>
  }
  %last = dist.wait %r : !dist.future<tensor<8xi32>>
  return %last : tensor<8xi32>
}
