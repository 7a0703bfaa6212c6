// One function, one block: the source of a collective in flight is written.
//
// RUN: dist-opt %s --dist-bufferize | FileCheck %s --check-prefix=IR
// RUN: dist-opt %s --dist-to-llvm -o %t
// RUN: dist-run %t --entry=insert_before_wait --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V1
// RUN: dist-run %t --entry=insert_after_wait --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=V2
// RUN: dist-run %t --entry=fill_of_the_same_empty --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V3
// RUN: dist-run %t --entry=compute_in_place_before_wait --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V4
// RUN: dist-run %t --entry=accumulate_in_place_before_wait --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V5
// RUN: dist-run %t --entry=source_dead_after_start --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=V6

dist.process_group @g

// 01a: an element of the source is written before the wait.
//
// IR-LABEL: func.func @insert_before_wait(
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
func.func @insert_before_wait(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 50 : i32
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %z = tensor.insert %v into %x[%c0] : tensor<4xi32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y, %z : tensor<8xi32>, tensor<4xi32>
}

// 01b: the same after the wait costs no copy.
//
// IR-LABEL: func.func @insert_after_wait(
// IR-NOT: memref.copy
//
// V2: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V2-NEXT: rank 0: result 1: tensor<4xi32> = [50, 2, 4, 6]
// V2-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V2-NEXT: rank 1: result 1: tensor<4xi32> = [50, 10, 12, 14]
// V2: "packs": 0,
// V2: "unpacks": 0,
// V2: "sourceCopies": 0,
// V2: "sourceMoves": 0,
// V2: "resultCopies": 0,
// V2: "liveBytes": 0,
func.func @insert_after_wait(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 50 : i32
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  %z = tensor.insert %v into %x[%c0] : tensor<4xi32>
  return %y, %z : tensor<8xi32>, tensor<4xi32>
}

// 01c: two tensors made of one tensor.empty: the second fill reads nothing, so that
// no conflict protects the first.
//
// IR-LABEL: func.func @fill_of_the_same_empty(
// IR-NOT: memref.copy
//
// V3: rank 0: result 0: tensor<8xi32> = [3, 3, 3, 3, 3, 3, 3, 3]
// V3-NEXT: rank 0: result 1: tensor<4xi32> = [5, 5, 5, 5]
// V3-NEXT: rank 1: result 0: tensor<8xi32> = [3, 3, 3, 3, 3, 3, 3, 3]
// V3-NEXT: rank 1: result 1: tensor<4xi32> = [5, 5, 5, 5]
// V3: "packs": 0,
// V3: "unpacks": 0,
// V3: "sourceCopies": 0,
// V3: "sourceMoves": 0,
// V3: "resultCopies": 0,
// V3: "liveBytes": 0,
func.func @fill_of_the_same_empty() -> (tensor<8xi32>, tensor<4xi32>) {
  %three = arith.constant 3 : i32
  %five = arith.constant 5 : i32
  %e = tensor.empty() : tensor<4xi32>
  %x = linalg.fill ins(%three : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %z = linalg.fill ins(%five : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y, %z : tensor<8xi32>, tensor<4xi32>
}

// 01d: a whole computation writes the source before the wait.
//
// IR-LABEL: func.func @compute_in_place_before_wait(
// IR-NOT: memref.copy
//
// V4: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V4-NEXT: rank 0: result 1: tensor<4xi32> = [0, 3, 6, 9]
// V4-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V4-NEXT: rank 1: result 1: tensor<4xi32> = [12, 15, 18, 21]
// V4: "packs": 0,
// V4: "unpacks": 0,
// V4: "sourceCopies": 0,
// V4: "sourceMoves": 0,
// V4: "resultCopies": 0,
// V4: "liveBytes": 0,
func.func @compute_in_place_before_wait(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<4xi32>) {
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %z = linalg.add ins(%x, %a : tensor<4xi32>, tensor<4xi32>)
    outs(%x : tensor<4xi32>) -> tensor<4xi32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y, %z : tensor<8xi32>, tensor<4xi32>
}

// 01d, with a computation that reads what it overwrites.
//
// IR-LABEL: func.func @accumulate_in_place_before_wait(
// IR-COUNT-1: memref.copy
// IR-NOT: memref.copy
//
// V5: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V5-NEXT: rank 0: result 1: tensor<4xi32> = [0, 3, 6, 9]
// V5-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V5-NEXT: rank 1: result 1: tensor<4xi32> = [12, 15, 18, 21]
// V5: "packs": 0,
// V5: "unpacks": 0,
// V5: "sourceCopies": 0,
// V5: "sourceMoves": 0,
// V5: "resultCopies": 0,
// V5: "liveBytes": 0,
func.func @accumulate_in_place_before_wait(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<4xi32>) {
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %z = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%a : tensor<4xi32>) outs(%x : tensor<4xi32>) {
    ^bb0(%in: i32, %out: i32):
      %s = arith.addi %in, %out : i32
      linalg.yield %s : i32
  } -> tensor<4xi32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y, %z : tensor<8xi32>, tensor<4xi32>
}

// 02: nobody needs the source after the start, in a loop.
//
// IR-LABEL: func.func @source_dead_after_start(
// IR-NOT: memref.copy
//
// V6: rank 0: result 0: tensor<8xi32> = [3, 3, 3, 3, 3, 3, 3, 3]
// V6-NEXT: rank 1: result 0: tensor<8xi32> = [3, 3, 3, 3, 3, 3, 3, 3]
// V6: "packs": 0,
// V6: "unpacks": 0,
// V6: "sourceCopies": 0,
// V6: "sourceMoves": 0,
// V6: "resultCopies": 0,
// V6: "liveBytes": 0,
func.func @source_dead_after_start() -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %init = tensor.empty() : tensor<8xi32>
  %sum0 = linalg.fill ins(%zero : i32) outs(%init : tensor<8xi32>) -> tensor<8xi32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %sum0) -> (tensor<8xi32>) {
    %n = arith.index_cast %i : index to i32
    %e = tensor.empty() : tensor<4xi32>
    %x = linalg.fill ins(%n : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
    %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    %next = linalg.add ins(%sum, %y : tensor<8xi32>, tensor<8xi32>)
    outs(%sum : tensor<8xi32>) -> tensor<8xi32>
    scf.yield %next : tensor<8xi32>
  }
  return %r : tensor<8xi32>
}
