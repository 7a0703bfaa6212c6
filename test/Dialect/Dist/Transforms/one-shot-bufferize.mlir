// RUN: dist-opt %s --one-shot-bufferize="bufferize-function-boundaries=1 allow-return-allocs-from-loops=1 function-boundary-type-conversion=identity-layout-map" --split-input-file | FileCheck %s

// What is kept is read: a writer in between gets a copy.
//
// CHECK-LABEL: func.func @copies_for_a_writer_before_the_wait(
// CHECK-SAME:    %[[SOURCE:.*]]: memref<4xf32>
// CHECK:         %[[FUTURE:.*]] = dist.all_reduce sum %[[SOURCE]] on
// CHECK-SAME:      (memref<4xf32>) -> !dist.future<tensor<4xf32>>
// CHECK:         %[[COPY:.*]] = memref.alloc
// CHECK:         memref.copy %[[SOURCE]], %[[COPY]]
// CHECK:         memref.store %{{.*}}, %[[COPY]]
// CHECK:         %[[VALUE:.*]] = dist.wait %[[FUTURE]] keeps(%[[SOURCE]] : memref<4xf32>)
// CHECK-SAME:      -> memref<4xf32>
// CHECK:         return %[[VALUE]], %[[COPY]]
func.func @copies_for_a_writer_before_the_wait(
    %x: tensor<4xf32>, %v: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %z = tensor.insert %v into %x[%i] : tensor<4xf32>
  %y = dist.wait %f keeps(%x : tensor<4xf32>) : !dist.future<tensor<4xf32>>
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @copies_for_a_writer_before_a_keep_and_a_drop(
// CHECK-COUNT-2: memref.copy
// CHECK-NOT:     memref.copy
func.func @copies_for_a_writer_before_a_keep_and_a_drop(
    %x: tensor<4xf32>, %w: tensor<4xf32>, %v: f32, %i: index)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %z = tensor.insert %v into %x[%i] : tensor<4xf32>
  dist.drop %f keeps(%x : tensor<4xf32>) : !dist.future<tensor<4xf32>>
  %t = tensor.insert %v into %w[%i] : tensor<4xf32>
  dist.keep %w : tensor<4xf32>
  return %z, %t : tensor<4xf32>, tensor<4xf32>
}

// -----

// What a wait returns is new memory: nobody reads the old value later.
//
// CHECK-LABEL: func.func @writes_the_result_in_place(
// CHECK:         %[[VALUE:.*]] = dist.wait
// CHECK-NEXT:    memref.store %{{.*}}, %[[VALUE]]
// CHECK-NEXT:    return %[[VALUE]]
func.func @writes_the_result_in_place(%x: tensor<4xf32>, %v: f32, %i: index)
    -> tensor<4xf32> {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %y = dist.wait %f keeps(%x : tensor<4xf32>) : !dist.future<tensor<4xf32>>
  %z = tensor.insert %v into %y[%i] : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// A donated source counts as written: a later reader has a copy.
//
// CHECK-LABEL: func.func @a_reader_after_a_donation_has_a_copy(
// CHECK:         memref.copy
// CHECK:         dist.all_reduce
func.func @a_reader_after_a_donation_has_a_copy(%v: f32, %i: index) -> f32 {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %f = dist.all_reduce sum %x on <[[0, 1]]> {source_modes = [#dist.source<donate>]}
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = tensor.extract %x[%i] : tensor<4xf32>
  dist.drop %f : !dist.future<tensor<4xf32>>
  return %r : f32
}

// -----

// CHECK-LABEL: func.func @in_place_into_its_destination(
// CHECK-SAME:    %[[SOURCE:.*]]: memref<4xf32>, %[[OUT:.*]]: memref<8xf32>
// CHECK-NEXT:    dist.all_gather_into %[[SOURCE]] into %[[OUT]] dim 0
// CHECK-NEXT:    return %[[OUT]]
func.func @in_place_into_its_destination(%x: tensor<4xf32>, %out: tensor<8xf32>)
    -> tensor<8xf32> {
  %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
    : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// A reduction may work in the buffer of its source.
//
// CHECK-LABEL: func.func @reduces_a_tensor_into_itself(
// CHECK-NEXT:    dist.all_reduce_into sum %[[X:.*]] into %[[X]] on
// CHECK-NEXT:    return
func.func @reduces_a_tensor_into_itself(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = dist.all_reduce_into sum %x into %x on <[[0, 1]]>
    : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// So may a permute and a rooted reduction.
//
// CHECK-LABEL: func.func @permutes_and_reduces_a_tensor_into_itself(
// CHECK-NEXT:    dist.permute_into %[[X:.*]] into %[[X]] pairs
// CHECK-NEXT:    dist.reduce_into sum %[[X]] into %[[X]] root
// CHECK-NEXT:    return
func.func @permutes_and_reduces_a_tensor_into_itself(%x: tensor<4xf32>)
    -> tensor<4xf32> {
  %r = dist.permute_into %x into %x pairs [[0, 1]] on <[[0, 1]]>
    : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  %s = dist.reduce_into sum %r into %r root 0 on <[[0, 1]]>
    : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

// Pieces that arrive must not overwrite those that are still to be sent.
//
// CHECK-LABEL: func.func @exchanges_a_tensor_with_a_copy_of_itself(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>
// CHECK:         %[[NEW:.*]] = memref.alloc
// CHECK:         dist.all_to_all_into %[[X]] into %[[NEW]]
func.func @exchanges_a_tensor_with_a_copy_of_itself(%x: tensor<4xf32>)
    -> tensor<4xf32> {
  %r = dist.all_to_all_into %x into %x split_dim 0 concat_dim 0 on <[[0, 1]]>
    : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// The old value of the destination is read later: the collective writes
// elsewhere, and copies nothing, for it overwrites all.
//
// CHECK-LABEL: func.func @in_place_with_a_later_reader(
// CHECK-SAME:    %[[SOURCE:.*]]: memref<4xf32>, %[[OUT:.*]]: memref<8xf32>
// CHECK:         %[[NEW:.*]] = memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         dist.all_gather_into %[[SOURCE]] into %[[NEW]]
// CHECK:         return %[[NEW]], %[[OUT]]
func.func @in_place_with_a_later_reader(%x: tensor<4xf32>, %out: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
    : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
  return %r, %out : tensor<8xf32>, tensor<8xf32>
}

// -----

// Futures in loops are no tensors: the loop carries them as they are.
//
// CHECK-LABEL: func.func @carries_futures_as_they_are(
// CHECK:         scf.for {{.*}} -> (!dist.future<tensor<4xf32>>)
// CHECK-NOT:     memref.copy
func.func @carries_futures_as_they_are(%x: tensor<4xf32>, %n: index)
    -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = dist.all_reduce sum %x on <[[0, 1]]>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%g = %f)
      -> (!dist.future<tensor<4xf32>>) {
    dist.drop %g keeps(%x : tensor<4xf32>) : !dist.future<tensor<4xf32>>
    %next = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    scf.yield %next : !dist.future<tensor<4xf32>>
  }
  %y = dist.wait %r keeps(%x : tensor<4xf32>) : !dist.future<tensor<4xf32>>
  return %y : tensor<4xf32>
}
