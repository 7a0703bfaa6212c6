// Futures through private functions.
//
// RUN: dist-opt %s --dist-bufferize | FileCheck %s --check-prefix=IR
// RUN: dist-opt %s --dist-to-llvm -o %t
// RUN: dist-run %t --entry=caller_writes_after_start --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V1
// RUN: dist-run %t --entry=callee_waits --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V2
// RUN: dist-run %t --entry=through_a_function --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V3
// RUN: dist-run %t --entry=start_and_wait_in_callees --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=1ms \
// RUN:   | FileCheck %s --check-prefix=V4
// RUN: dist-run %t --entry=source_of_the_callee --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V5
// RUN: dist-run %t --entry=callee_writes_then_waits --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V6
// RUN: dist-run %t --entry=slice_to_the_starter --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V7
// RUN: dist-run %t --entry=strided_slice_to_the_starter --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V8
// RUN: dist-run %t --entry=recursion --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=1ms --arg=1=0 \
// RUN:   | FileCheck %s --check-prefix=V9
// RUN: dist-run %t --entry=recursion --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=1ms --arg=1=1 \
// RUN:   | FileCheck %s --check-prefix=V10
// RUN: dist-run %t --entry=recursion --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=1ms --arg=1=3 \
// RUN:   | FileCheck %s --check-prefix=V11

dist.process_group @g

// 07a: a function starts and returns the future; the caller writes the source.
//
// IR-LABEL: func.func private @starter(
// IR-COUNT-1: memref.copy
// IR-NOT: memref.copy
//
// V1: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V1-NEXT: rank 0: result 1: tensor<4xi32> = [50, 2, 4, 6]
// V1-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V1-NEXT: rank 1: result 1: tensor<4xi32> = [50, 10, 12, 14]
// V1: "packs": 0,
// V1: "unpacks": 0,
// V1: "sourceCopies": 0,
// V1: "sourceMoves": 0,
// V1: "resultCopies": 0,
// V1: "liveBytes": 0,
func.func private @starter(%x: tensor<4xi32>) -> !dist.future<tensor<8xi32>> {
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  return %f : !dist.future<tensor<8xi32>>
}
func.func @caller_writes_after_start(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 50 : i32
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = func.call @starter(%x) : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %z = tensor.insert %v into %x[%c0] : tensor<4xi32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y, %z : tensor<8xi32>, tensor<4xi32>
}

// 07b: the future is an argument.
//
// IR-LABEL: func.func private @waiter(
// IR-NOT: memref.copy
//
// V2: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V2-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V2: "packs": 0,
// V2: "unpacks": 0,
// V2: "sourceCopies": 0,
// V2: "sourceMoves": 0,
// V2: "resultCopies": 0,
// V2: "liveBytes": 0,
func.func private @waiter(%f: !dist.future<tensor<8xi32>>) -> tensor<8xi32> {
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y : tensor<8xi32>
}
func.func @callee_waits(%a: tensor<4xi32>) -> tensor<8xi32> {
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = func.call @waiter(%f) : (!dist.future<tensor<8xi32>>) -> tensor<8xi32>
  return %y : tensor<8xi32>
}

// 07c: the future goes through a function, then the source is written.
//
// IR-LABEL: func.func private @identity(
// IR-NOT: memref.copy
//
// V3: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V3-NEXT: rank 0: result 1: tensor<4xi32> = [50, 2, 4, 6]
// V3-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V3-NEXT: rank 1: result 1: tensor<4xi32> = [50, 10, 12, 14]
// V3: "packs": 0,
// V3: "unpacks": 0,
// V3: "sourceCopies": 1,
// V3: "sourceMoves": 0,
// V3: "resultCopies": 0,
// V3: "liveBytes": 0,
func.func private @identity(%f: !dist.future<tensor<8xi32>>) -> !dist.future<tensor<8xi32>> {
  return %f : !dist.future<tensor<8xi32>>
}
func.func @through_a_function(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 50 : i32
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %g = func.call @identity(%f) : (!dist.future<tensor<8xi32>>) -> !dist.future<tensor<8xi32>>
  %z = tensor.insert %v into %x[%c0] : tensor<4xi32>
  %y = dist.wait %g : !dist.future<tensor<8xi32>>
  return %y, %z : tensor<8xi32>, tensor<4xi32>
}

// 07d: start and wait in functions of their own, called in a loop.
//
// IR-LABEL: func.func private @starter_in_loop(
// IR-NOT: memref.copy
//
// V4: rank 0: result 0: tensor<8xi32> = [1, 4, 7, 10, 13, 16, 19, 22]
// V4-NEXT: rank 0: result 1: tensor<8xi32> = [2, 3, 4, 5, 6, 7, 8, 9]
// V4-NEXT: rank 1: result 0: tensor<8xi32> = [1, 4, 7, 10, 13, 16, 19, 22]
// V4-NEXT: rank 1: result 1: tensor<8xi32> = [2, 3, 4, 5, 6, 7, 8, 9]
// V4: "packs": 0,
// V4: "unpacks": 0,
// V4: "sourceCopies": 4,
// V4: "sourceMoves": 0,
// V4: "resultCopies": 0,
// V4: "liveBytes": 0,
func.func private @starter_in_loop(%x: tensor<4xi32>) -> !dist.future<tensor<8xi32>> {
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  return %f : !dist.future<tensor<8xi32>>
}
func.func private @waiter_in_loop(%f: !dist.future<tensor<8xi32>>) -> tensor<8xi32> {
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y : tensor<8xi32>
}
func.func @start_and_wait_in_callees(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %init = tensor.empty() : tensor<8xi32>
  %sum0 = linalg.fill ins(%zero : i32) outs(%init : tensor<8xi32>) -> tensor<8xi32>

  %f0 = func.call @starter_in_loop(%a) : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r:2 = scf.for %i = %c0 to %c3 step %c1
      iter_args(%f = %f0, %sum = %sum0) -> (!dist.future<tensor<8xi32>>, tensor<8xi32>) {
    %k = arith.index_cast %i : index to i32
    %e = tensor.empty() : tensor<4xi32>
    %w = linalg.fill ins(%k : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
    %x = arith.addi %a, %w : tensor<4xi32>
    %n = func.call @starter_in_loop(%x) : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    %y = func.call @waiter_in_loop(%f) : (!dist.future<tensor<8xi32>>) -> tensor<8xi32>
    %s = linalg.add ins(%sum, %y : tensor<8xi32>, tensor<8xi32>)
    outs(%sum : tensor<8xi32>) -> tensor<8xi32>
    scf.yield %n, %s : !dist.future<tensor<8xi32>>, tensor<8xi32>
  }
  %last = dist.wait %r#0 : !dist.future<tensor<8xi32>>
  return %r#1, %last : tensor<8xi32>, tensor<8xi32>
}

// 07e: the callee returns the future of a tensor of its own.
//
// IR-LABEL: func.func private @start_of_own(
// IR-NOT: memref.copy
//
// V5: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V5-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V5: "packs": 0,
// V5: "unpacks": 0,
// V5: "sourceCopies": 0,
// V5: "sourceMoves": 1,
// V5: "resultCopies": 0,
// V5: "liveBytes": 0,
func.func private @start_of_own(%a: tensor<4xi32>) -> !dist.future<tensor<8xi32>> {
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  return %f : !dist.future<tensor<8xi32>>
}
func.func @source_of_the_callee(%a: tensor<4xi32>) -> tensor<8xi32> {
  %f = func.call @start_of_own(%a) : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y : tensor<8xi32>
}

// 07f: the callee writes the source, then it waits.
//
// IR-LABEL: func.func private @write_then_wait(
// IR-COUNT-1: memref.copy
// IR-NOT: memref.copy
//
// V6: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V6-NEXT: rank 0: result 1: i32 = 52
// V6-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V6-NEXT: rank 1: result 1: i32 = 60
// V6: "packs": 0,
// V6: "unpacks": 0,
// V6: "sourceCopies": 0,
// V6: "sourceMoves": 0,
// V6: "resultCopies": 0,
// V6: "liveBytes": 0,
func.func private @write_then_wait(%x: tensor<4xi32>, %f: !dist.future<tensor<8xi32>>) -> (tensor<8xi32>, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 50 : i32
  %z = tensor.insert %v into %x[%c0] : tensor<4xi32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  %z0 = tensor.extract %z[%c0] : tensor<4xi32>
  %z1 = tensor.extract %z[%c1] : tensor<4xi32>
  %e = arith.addi %z0, %z1 : i32
  return %y, %e : tensor<8xi32>, i32
}
func.func @callee_writes_then_waits(%a: tensor<4xi32>) -> (tensor<8xi32>, i32) {
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r:2 = func.call @write_then_wait(%x, %f) : (tensor<4xi32>, !dist.future<tensor<8xi32>>) -> (tensor<8xi32>, i32)
  return %r#0, %r#1 : tensor<8xi32>, i32
}

// 07g: a slice is passed to the function that starts.
//
// IR-LABEL: func.func private @starter_of_slice(
// IR-NOT: memref.copy
//
// V7: rank 0: result 0: tensor<8xi32> = [8, 9, 10, 11, 24, 25, 26, 27]
// V7-NEXT: rank 1: result 0: tensor<8xi32> = [8, 9, 10, 11, 24, 25, 26, 27]
// V7: "packs": 0,
// V7: "unpacks": 0,
// V7: "sourceCopies": 0,
// V7: "sourceMoves": 0,
// V7: "resultCopies": 0,
// V7: "liveBytes": 0,
func.func private @starter_of_slice(%x: tensor<4xi32>) -> !dist.future<tensor<8xi32>> {
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  return %f : !dist.future<tensor<8xi32>>
}
func.func @slice_to_the_starter(%t: tensor<4x4xi32>) -> tensor<8xi32> {
  %x = tensor.extract_slice %t[2, 0] [1, 4] [1, 1]
    : tensor<4x4xi32> to tensor<4xi32>
  %f = func.call @starter_of_slice(%x) : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y : tensor<8xi32>
}

// 07h: the slice is a column.
//
// IR-LABEL: func.func private @starter_of_column(
// IR-NOT: memref.copy
//
// V8: rank 0: result 0: tensor<8xi32> = [1, 5, 9, 13, 17, 21, 25, 29]
// V8-NEXT: rank 1: result 0: tensor<8xi32> = [1, 5, 9, 13, 17, 21, 25, 29]
// V8: "packs": 1,
// V8: "unpacks": 0,
// V8: "sourceCopies": 0,
// V8: "sourceMoves": 0,
// V8: "resultCopies": 0,
// V8: "liveBytes": 0,
func.func private @starter_of_column(%x: tensor<4xi32>) -> !dist.future<tensor<8xi32>> {
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  return %f : !dist.future<tensor<8xi32>>
}
func.func @strided_slice_to_the_starter(%t: tensor<4x4xi32>) -> tensor<8xi32> {
  %x = tensor.extract_slice %t[0, 1] [4, 1] [1, 1]
    : tensor<4x4xi32> to tensor<4xi32>
  %f = func.call @starter_of_column(%x) : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y : tensor<8xi32>
}

// A function that calls itself hands a future down.
//
// IR-LABEL: func.func private @call_itself(
// IR-COUNT-1: memref.copy
// IR-NOT: memref.copy
//
// With --arg=1=0:
// V9: rank 0: result 0: tensor<4xi32> = [4, 6, 8, 10]
// V9-NEXT: rank 1: result 0: tensor<4xi32> = [4, 6, 8, 10]
// V9: "packs": 0,
// V9: "unpacks": 0,
// V9: "sourceCopies": 0,
// V9: "sourceMoves": 0,
// V9: "resultCopies": 0,
// V9: "liveBytes": 0,
// With --arg=1=1:
// V10: rank 0: result 0: tensor<4xi32> = [2, 6, 8, 10]
// V10-NEXT: rank 1: result 0: tensor<4xi32> = [2, 6, 8, 10]
// V10: "packs": 0,
// V10: "unpacks": 0,
// V10: "sourceCopies": 0,
// V10: "sourceMoves": 0,
// V10: "resultCopies": 0,
// V10: "liveBytes": 0,
// With --arg=1=3:
// V11: rank 0: result 0: tensor<4xi32> = [2, 12, 16, 20]
// V11-NEXT: rank 1: result 0: tensor<4xi32> = [2, 12, 16, 20]
// V11: "packs": 0,
// V11: "unpacks": 0,
// V11: "sourceCopies": 0,
// V11: "sourceMoves": 0,
// V11: "resultCopies": 0,
// V11: "liveBytes": 0,
func.func private @call_itself(%x: tensor<4xi32>, %f: !dist.future<tensor<4xi32>>, %i: index) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %stop = arith.cmpi eq, %i, %c0 : index
  %r = scf.if %stop -> (tensor<4xi32>) {
    %y = dist.wait %f : !dist.future<tensor<4xi32>>
    scf.yield %y : tensor<4xi32>
  } else {
    %z = tensor.insert %one into %x[%c0] : tensor<4xi32>
    %n = dist.all_reduce sum %z on <@g> : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
    %y = dist.wait %f : !dist.future<tensor<4xi32>>
    %less = arith.subi %i, %c1 : index
    %q = func.call @call_itself(%y, %n, %less)
      : (tensor<4xi32>, !dist.future<tensor<4xi32>>, index) -> tensor<4xi32>
    scf.yield %q : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}
func.func @recursion(%x: tensor<4xi32>, %i: index) -> tensor<4xi32> {
  %f = dist.all_reduce sum %x on <@g> : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %r = func.call @call_itself(%x, %f, %i)
    : (tensor<4xi32>, !dist.future<tensor<4xi32>>, index) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
