// What becomes of results, and synchronous in-place forms.
//
// RUN: dist-opt %s --dist-bufferize | FileCheck %s --check-prefix=IR
// RUN: dist-opt %s --dist-to-llvm -o %t
// RUN: dist-run %t --entry=result_used_in_place --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=V1
// RUN: dist-run %t --entry=two_gathers_one_written --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=V2
// RUN: dist-run %t --entry=result_is_the_next_source --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V3
// RUN: dist-run %t --entry=dynamic_chain_in_a_loop --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=1ms --shape=0=6 \
// RUN:   | FileCheck %s --check-prefix=V4
// RUN: dist-run %t --entry=synchronous_in_place --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=V5
// RUN: dist-run %t --entry=original_read_later --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=V6
// RUN: dist-run %t --entry=in_place_on_a_source_in_flight --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V7

dist.process_group @g

// 10a: the result is written in place, it is nobody else's.
//
// IR-LABEL: func.func @result_used_in_place(
// IR-NOT: memref.copy
//
// V1: rank 0: result 0: tensor<8xi32> = [50, 1, 2, 3, 4, 5, 6, 7]
// V1-NEXT: rank 1: result 0: tensor<8xi32> = [50, 1, 2, 3, 4, 5, 6, 7]
// V1: "packs": 0,
// V1: "unpacks": 0,
// V1: "sourceCopies": 0,
// V1: "sourceMoves": 0,
// V1: "resultCopies": 0,
// V1: "liveBytes": 0,
func.func @result_used_in_place(%a: tensor<4xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %v = arith.constant 50 : i32
  %f = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  %z = tensor.insert %v into %y[%c0] : tensor<8xi32>
  return %z : tensor<8xi32>
}

// 10b: two gathers of one source, one result is written.
//
// IR-LABEL: func.func @two_gathers_one_written(
// IR-NOT: memref.copy
//
// V2: rank 0: result 0: tensor<8xi32> = [50, 1, 2, 3, 4, 5, 6, 7]
// V2-NEXT: rank 0: result 1: tensor<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
// V2-NEXT: rank 1: result 0: tensor<8xi32> = [50, 1, 2, 3, 4, 5, 6, 7]
// V2-NEXT: rank 1: result 1: tensor<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
// V2: "packs": 0,
// V2: "unpacks": 0,
// V2: "sourceCopies": 0,
// V2: "sourceMoves": 0,
// V2: "resultCopies": 0,
// V2: "liveBytes": 0,
func.func @two_gathers_one_written(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 50 : i32
  %f = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %g = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y1 = dist.wait %f : !dist.future<tensor<8xi32>>
  %y2 = dist.wait %g : !dist.future<tensor<8xi32>>
  %z = tensor.insert %v into %y1[%c0] : tensor<8xi32>
  return %z, %y2 : tensor<8xi32>, tensor<8xi32>
}

// 10c: the result feeds the next start and is written in flight.
//
// IR-LABEL: func.func @result_is_the_next_source(
// IR-COUNT-1: memref.copy
// IR-NOT: memref.copy
//
// V3: rank 0: result 0: tensor<16xi32> = [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]
// V3-NEXT: rank 0: result 1: tensor<8xi32> = [50, 1, 2, 3, 4, 5, 6, 7]
// V3-NEXT: rank 1: result 0: tensor<16xi32> = [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]
// V3-NEXT: rank 1: result 1: tensor<8xi32> = [50, 1, 2, 3, 4, 5, 6, 7]
// V3: "packs": 0,
// V3: "unpacks": 0,
// V3: "sourceCopies": 0,
// V3: "sourceMoves": 0,
// V3: "resultCopies": 0,
// V3: "liveBytes": 0,
func.func @result_is_the_next_source(%a: tensor<4xi32>) -> (tensor<16xi32>, tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 50 : i32
  %f = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  %g = dist.all_gather %y dim 0 on <@g>
    : (tensor<8xi32>) -> !dist.future<tensor<16xi32>>
  %z = tensor.insert %v into %y[%c0] : tensor<8xi32>
  %r = dist.wait %g : !dist.future<tensor<16xi32>>
  return %r, %z : tensor<16xi32>, tensor<8xi32>
}

// 11: dynamic shapes, gather then reduce in a loop.
//
// IR-LABEL: func.func @dynamic_chain_in_a_loop(
// IR-NOT: memref.copy
//
// With --shape=0=6:
// V4: rank 0: result 0: tensor<12xi32> = [6, 70, 134, 198, 262, 326, 390, 454, 518, 582, 646, 710]
// V4-NEXT: rank 1: result 0: tensor<12xi32> = [6, 70, 134, 198, 262, 326, 390, 454, 518, 582, 646, 710]
// V4: "packs": 0,
// V4: "unpacks": 0,
// V4: "sourceCopies": 0,
// V4: "sourceMoves": 3,
// V4: "resultCopies": 0,
// V4: "liveBytes": 0,
func.func @dynamic_chain_in_a_loop(%a: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index

  %n = tensor.dim %a, %c0 : tensor<?xi32>
  %f0 = dist.all_gather %a dim 0 on <@g>
    : (tensor<?xi32>) -> !dist.future<tensor<?xi32>>
  %r = scf.for %i = %c0 to %c3 step %c1
      iter_args(%f = %f0) -> (!dist.future<tensor<?xi32>>) {
    %k = arith.index_cast %i : index to i32
    %y = dist.wait %f : !dist.future<tensor<?xi32>>
    %m = tensor.dim %y, %c0 : tensor<?xi32>
    %e = tensor.empty(%m) : tensor<?xi32>
    %z = linalg.add ins(%y, %y : tensor<?xi32>, tensor<?xi32>)
      outs(%e : tensor<?xi32>) -> tensor<?xi32>
    %s = dist.reduce_scatter sum %z dim 0 on <@g>
      : (tensor<?xi32>) -> !dist.future<tensor<?xi32>>
    %mine = dist.wait %s : !dist.future<tensor<?xi32>>
    %e2 = tensor.empty(%n) : tensor<?xi32>
    %w = linalg.fill ins(%k : i32) outs(%e2 : tensor<?xi32>) -> tensor<?xi32>
    %x = linalg.add ins(%mine, %w : tensor<?xi32>, tensor<?xi32>)
      outs(%e2 : tensor<?xi32>) -> tensor<?xi32>
    %next = dist.all_gather %x dim 0 on <@g>
      : (tensor<?xi32>) -> !dist.future<tensor<?xi32>>
    scf.yield %next : !dist.future<tensor<?xi32>>
  }
  %last = dist.wait %r : !dist.future<tensor<?xi32>>
  return %last : tensor<?xi32>
}

// 12a: the synchronous form writes its destination, a tensor of the function.
//
// IR-LABEL: func.func @synchronous_in_place(
// IR-NOT: memref.copy
//
// V5: rank 0: result 0: tensor<4xi32> = [8, 12, 16, 20]
// V5-NEXT: rank 1: result 0: tensor<4xi32> = [8, 12, 16, 20]
// V5: "packs": 0,
// V5: "unpacks": 0,
// V5: "sourceCopies": 0,
// V5: "sourceMoves": 0,
// V5: "resultCopies": 0,
// V5: "liveBytes": 0,
func.func @synchronous_in_place(%a: tensor<4xi32>) -> tensor<4xi32> {
  %x = arith.addi %a, %a : tensor<4xi32>
  %r = dist.all_reduce_into sum %x into %x on <@g> : (tensor<4xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// 12b: the original is read later.
//
// IR-LABEL: func.func @original_read_later(
// IR-NOT: memref.copy
//
// V6: rank 0: result 0: tensor<4xi32> = [8, 12, 16, 20]
// V6-NEXT: rank 0: result 1: tensor<4xi32> = [0, 2, 4, 6]
// V6-NEXT: rank 1: result 0: tensor<4xi32> = [8, 12, 16, 20]
// V6-NEXT: rank 1: result 1: tensor<4xi32> = [8, 10, 12, 14]
// V6: "packs": 0,
// V6: "unpacks": 0,
// V6: "sourceCopies": 0,
// V6: "sourceMoves": 0,
// V6: "resultCopies": 0,
// V6: "liveBytes": 0,
func.func @original_read_later(%a: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %x = arith.addi %a, %a : tensor<4xi32>
  %r = dist.all_reduce_into sum %x into %x on <@g> : (tensor<4xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  return %r, %x : tensor<4xi32>, tensor<4xi32>
}

// 12c: the destination is the source of another collective in flight.
//
// IR-LABEL: func.func @in_place_on_a_source_in_flight(
// IR-NOT: memref.copy
//
// V7: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V7-NEXT: rank 0: result 1: tensor<4xi32> = [8, 12, 16, 20]
// V7-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V7-NEXT: rank 1: result 1: tensor<4xi32> = [8, 12, 16, 20]
// V7: "packs": 0,
// V7: "unpacks": 0,
// V7: "sourceCopies": 0,
// V7: "sourceMoves": 0,
// V7: "resultCopies": 0,
// V7: "liveBytes": 0,
func.func @in_place_on_a_source_in_flight(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<4xi32>) {
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r = dist.all_reduce_into sum %x into %x on <@g> : (tensor<4xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y, %r : tensor<8xi32>, tensor<4xi32>
}
