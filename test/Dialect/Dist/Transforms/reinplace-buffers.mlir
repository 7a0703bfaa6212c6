// RUN: dist-opt %s --dist-reinplace-buffers --verify-diagnostics | FileCheck %s
// RUN: dist-opt %s --dist-reinplace-buffers --dist-reinplace-buffers 2>/dev/null | FileCheck %s

// CHECK-LABEL: func.func @gathers_into_the_target_of_a_copy(
// CHECK-SAME:    %[[SOURCE:.*]]: memref<4xf32>, %[[OUT:.*]]: memref<8xf32>
// CHECK-NEXT:    %[[FUTURE:.*]] = dist.all_gather %[[SOURCE]] into %[[OUT]] dim 0
// CHECK-NEXT:    dist.wait %[[FUTURE]] keeps(%[[SOURCE]] : memref<4xf32>) into(%[[OUT]] : memref<8xf32>)
// CHECK-NEXT:    return
func.func @gathers_into_the_target_of_a_copy(%x: memref<4xf32>,
                                             %out: memref<8xf32>)
    attributes {dist.signature = (tensor<4xf32>, tensor<8xf32>) -> ()} {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<8xf32>>
  %y = dist.wait %f keeps(%x : memref<4xf32>)
    : !dist.future<tensor<8xf32>> -> memref<8xf32>
  memref.copy %y, %out : memref<8xf32> to memref<8xf32>
  return
}

// The view that is copied to is made before the start.
//
// CHECK-LABEL: func.func @gathers_into_a_part(
// CHECK:         %[[PART:.*]] = memref.subview
// CHECK-NEXT:    dist.all_gather %{{.*}} into %[[PART]]
// CHECK-NOT:     memref.copy
func.func @gathers_into_a_part(%x: memref<4xf32>, %i: index) -> memref<64xf32> {
  %out = memref.alloc() : memref<64xf32>
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<8xf32>>
  %y = dist.wait %f keeps(%x : memref<4xf32>)
    : !dist.future<tensor<8xf32>> -> memref<8xf32>
  %part = memref.subview %out[%i] [8] [1]
    : memref<64xf32> to memref<8xf32, strided<[1], offset: ?>>
  memref.copy %y, %part : memref<8xf32> to memref<8xf32, strided<[1], offset: ?>>
  return %out : memref<64xf32>
}

// CHECK-LABEL: func.func @all_results_of_a_launch(
// CHECK:         dist.all_reduce sum %{{.*}}, %{{.*}} into %{{.*}}, %{{.*}} on
// CHECK-NOT:     memref.copy
func.func @all_results_of_a_launch(
    %a: memref<4xf32>, %b: memref<2xf32>, %p: memref<4xf32>, %q: memref<2xf32>)
    attributes {dist.signature = (tensor<4xf32>, tensor<2xf32>, tensor<4xf32>, tensor<2xf32>) -> ()} {
  %f:2 = dist.all_reduce sum %a, %b on <[[0, 1]]>
    : (memref<4xf32>, memref<2xf32>)
    -> !dist.future<tensor<4xf32>>, !dist.future<tensor<2xf32>>
  %y = dist.wait %f#0 keeps(%a : memref<4xf32>)
    : !dist.future<tensor<4xf32>> -> memref<4xf32>
  memref.copy %y, %p : memref<4xf32> to memref<4xf32>
  %z = dist.wait %f#1 keeps(%b : memref<2xf32>)
    : !dist.future<tensor<2xf32>> -> memref<2xf32>
  memref.copy %z, %q : memref<2xf32> to memref<2xf32>
  return
}

// CHECK-LABEL: func.func @not_all_results_of_a_launch(
// CHECK:         memref.copy
func.func @not_all_results_of_a_launch(
    %a: memref<4xf32>, %b: memref<2xf32>, %p: memref<4xf32>) -> memref<2xf32>
    attributes {dist.signature = (tensor<4xf32>, tensor<2xf32>, tensor<4xf32>) -> tensor<2xf32>} {
  // expected-remark @below {{keeps a buffer of its own and a copy: another result of the same launch is not copied}}
  // expected-note @below {{here}}
  %f:2 = dist.all_reduce sum %a, %b on <[[0, 1]]>
    : (memref<4xf32>, memref<2xf32>)
    -> !dist.future<tensor<4xf32>>, !dist.future<tensor<2xf32>>
  %y = dist.wait %f#0 keeps(%a : memref<4xf32>)
    : !dist.future<tensor<4xf32>> -> memref<4xf32>
  memref.copy %y, %p : memref<4xf32> to memref<4xf32>
  %z = dist.wait %f#1 keeps(%b : memref<2xf32>)
    : !dist.future<tensor<2xf32>> -> memref<2xf32>
  return %z : memref<2xf32>
}

// CHECK-LABEL: func.func @target_read_in_flight(
// CHECK:         dist.all_gather %{{.*}} dim 0
// CHECK:         memref.copy
func.func @target_read_in_flight(%x: memref<4xf32>, %out: memref<8xf32>,
                                 %i: index) -> f32
    attributes {dist.signature = (tensor<4xf32>, tensor<8xf32>, index) -> f32} {
  // expected-remark @below {{keeps a buffer of its own and a copy: the destination may be used while the collective is in flight}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<8xf32>>
  // expected-note @below {{here}}
  %e = memref.load %out[%i] : memref<8xf32>
  %y = dist.wait %f keeps(%x : memref<4xf32>)
    : !dist.future<tensor<8xf32>> -> memref<8xf32>
  memref.copy %y, %out : memref<8xf32> to memref<8xf32>
  return %e : f32
}

// CHECK-LABEL: func.func @target_passed_to_a_call(
// CHECK:         memref.copy
func.func private @reader(memref<8xf32>)
func.func @target_passed_to_a_call(%x: memref<4xf32>, %out: memref<8xf32>)
    attributes {dist.signature = (tensor<4xf32>, tensor<8xf32>) -> ()} {
  // expected-remark @below {{the destination may be used while the collective is in flight}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<8xf32>>
  // expected-note @below {{here}}
  call @reader(%out) : (memref<8xf32>) -> ()
  %y = dist.wait %f keeps(%x : memref<4xf32>)
    : !dist.future<tensor<8xf32>> -> memref<8xf32>
  memref.copy %y, %out : memref<8xf32> to memref<8xf32>
  return
}

// Two memrefs that the user passed may be one.
//
// CHECK-LABEL: func.func @target_may_be_the_source(
// CHECK:         memref.copy
func.func @target_may_be_the_source(%x: memref<4xf32>, %out: memref<8xf32>) {
  // expected-remark @below {{the destination may be the source's buffer}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<8xf32>>
  %y = dist.wait %f keeps(%x : memref<4xf32>)
    : !dist.future<tensor<8xf32>> -> memref<8xf32>
  // expected-note @below {{here}}
  memref.copy %y, %out : memref<8xf32> to memref<8xf32>
  return
}

// A collective that keeps the shape may work in the buffer of its own source.
//
// CHECK-LABEL: func.func @target_is_the_source(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>
// CHECK-NEXT:    %[[F:.*]]:2 = dist.all_reduce sum %[[X]], %[[Y]] into %[[X]], %[[Y]]
// CHECK-NEXT:    dist.wait %[[F]]#0 keeps(%[[X]] : memref<4xf32>) into(%[[X]] : memref<4xf32>)
// CHECK-NEXT:    dist.wait %[[F]]#1 keeps(%[[Y]] : memref<4xf32>) into(%[[Y]] : memref<4xf32>)
// CHECK-NEXT:    %[[G:.*]] = dist.permute %[[X]] into %[[X]]
// CHECK-NEXT:    dist.wait %[[G]]
// CHECK-NEXT:    %[[H:.*]] = dist.reduce max %[[X]] into %[[X]]
// CHECK-NEXT:    dist.wait %[[H]]
// CHECK-NEXT:    %[[I:.*]] = dist.broadcast %[[X]] into %[[X]]
// CHECK-NEXT:    dist.wait %[[I]]
// CHECK-NEXT:    return
func.func @target_is_the_source(%x: memref<4xf32>, %y: memref<4xf32>)
    attributes {dist.signature = (tensor<4xf32>, tensor<4xf32>) -> ()} {
  %f:2 = dist.all_reduce sum %x, %y on <[[0, 1]]>
    : (memref<4xf32>, memref<4xf32>)
    -> !dist.future<tensor<4xf32>>, !dist.future<tensor<4xf32>>
  %a = dist.wait %f#0 keeps(%x : memref<4xf32>)
    : !dist.future<tensor<4xf32>> -> memref<4xf32>
  %b = dist.wait %f#1 keeps(%y : memref<4xf32>)
    : !dist.future<tensor<4xf32>> -> memref<4xf32>
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  memref.copy %b, %y : memref<4xf32> to memref<4xf32>
  %g = dist.permute %x pairs [[0, 1]] on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  %c = dist.wait %g keeps(%x : memref<4xf32>)
    : !dist.future<tensor<4xf32>> -> memref<4xf32>
  memref.copy %c, %x : memref<4xf32> to memref<4xf32>
  %h = dist.reduce max %x root 1 on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  %d = dist.wait %h keeps(%x : memref<4xf32>)
    : !dist.future<tensor<4xf32>> -> memref<4xf32>
  memref.copy %d, %x : memref<4xf32> to memref<4xf32>
  %i = dist.broadcast %x root 0 on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  %e = dist.wait %i keeps(%x : memref<4xf32>)
    : !dist.future<tensor<4xf32>> -> memref<4xf32>
  memref.copy %e, %x : memref<4xf32> to memref<4xf32>
  return
}

// Pieces that arrive would overwrite those that are still to be sent.
//
// CHECK-LABEL: func.func @target_is_the_source_of_an_exchange(
// CHECK:         memref.copy
func.func @target_is_the_source_of_an_exchange(%x: memref<4xf32>) {
  // expected-remark @below {{the destination may be the source's buffer}}
  %f = dist.all_to_all %x split_dim 0 concat_dim 0 on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  %y = dist.wait %f keeps(%x : memref<4xf32>)
    : !dist.future<tensor<4xf32>> -> memref<4xf32>
  // expected-note @below {{here}}
  memref.copy %y, %x : memref<4xf32> to memref<4xf32>
  return
}

// The old value is read while the collective is in flight.
//
// CHECK-LABEL: func.func @target_is_the_source_with_a_reader(
// CHECK:         memref.copy
func.func @target_is_the_source_with_a_reader(%x: memref<4xf32>, %i: index)
    -> f32 {
  // expected-remark @below {{the destination may be used while the collective is in flight}}
  %f = dist.permute %x pairs [[0, 1]] on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-note @below {{here}}
  %v = memref.load %x[%i] : memref<4xf32>
  %y = dist.wait %f keeps(%x : memref<4xf32>)
    : !dist.future<tensor<4xf32>> -> memref<4xf32>
  memref.copy %y, %x : memref<4xf32> to memref<4xf32>
  return %v : f32
}

// The source is sent twice: the result of one must not reach the other.
//
// CHECK-LABEL: func.func @target_is_also_another_source(
// CHECK:         memref.copy
// CHECK:         memref.copy
func.func @target_is_also_another_source(%x: memref<4xf32>, %y: memref<4xf32>)
    attributes {dist.signature = (tensor<4xf32>, tensor<4xf32>) -> ()} {
  // expected-remark @below {{the destination may be the source's buffer}}
  %f:2 = dist.all_reduce sum %x, %x on <[[0, 1]]>
    : (memref<4xf32>, memref<4xf32>)
    -> !dist.future<tensor<4xf32>>, !dist.future<tensor<4xf32>>
  %a = dist.wait %f#0 keeps(%x : memref<4xf32>)
    : !dist.future<tensor<4xf32>> -> memref<4xf32>
  %b = dist.wait %f#1 keeps(%x : memref<4xf32>)
    : !dist.future<tensor<4xf32>> -> memref<4xf32>
  // expected-note @below {{here}}
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  memref.copy %b, %y : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: func.func @target_not_known_at_the_start(
// CHECK:         memref.copy
func.func @target_not_known_at_the_start(%x: memref<4xf32>, %i: index) -> memref<?xf32> {
  // expected-remark @below {{the destination is not known before the start}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<8xf32>>
  %n = arith.muli %i, %i : index
  %out = memref.alloc(%n) : memref<?xf32>
  %y = dist.wait %f keeps(%x : memref<4xf32>)
    : !dist.future<tensor<8xf32>> -> memref<8xf32>
  // expected-note @below {{here}}
  memref.copy %y, %out : memref<8xf32> to memref<?xf32>
  return %out : memref<?xf32>
}

// CHECK-LABEL: func.func @target_allocated_after_the_start(
// CHECK:         %[[OUT:.*]] = memref.alloc
// CHECK-NEXT:    dist.all_gather %{{.*}} into %[[OUT]]
// CHECK-NOT:     memref.copy
func.func @target_allocated_after_the_start(%x: memref<4xf32>) -> memref<8xf32> {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<8xf32>>
  %out = memref.alloc() : memref<8xf32>
  %y = dist.wait %f keeps(%x : memref<4xf32>)
    : !dist.future<tensor<8xf32>> -> memref<8xf32>
  memref.copy %y, %out : memref<8xf32> to memref<8xf32>
  return %out : memref<8xf32>
}

// CHECK-LABEL: func.func @value_used_otherwise(
// CHECK:         dist.all_gather %{{.*}} dim 0
// CHECK:         memref.copy
func.func @value_used_otherwise(%x: memref<4xf32>, %out: memref<8xf32>)
    -> memref<8xf32>
    attributes {dist.signature = (tensor<4xf32>, tensor<8xf32>) -> tensor<8xf32>} {
  // expected-remark @below {{keeps a buffer of its own and a copy: its data has other readers}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<8xf32>>
  %y = dist.wait %f keeps(%x : memref<4xf32>)
    : !dist.future<tensor<8xf32>> -> memref<8xf32>
  memref.copy %y, %out : memref<8xf32> to memref<8xf32>
  // expected-note @below {{here}}
  return %y : memref<8xf32>
}

// The source dies: no other buffer.
//
// CHECK-LABEL: func.func @source_dies(
// CHECK:         %[[SOURCE:.*]] = memref.alloc
// CHECK:         dist.all_reduce sum %[[SOURCE]] into %[[SOURCE]]
// CHECK-NEXT:    dist.wait %{{.*}} keeps(%[[SOURCE]] : memref<4xf32>) into(%[[SOURCE]] : memref<4xf32>)
// CHECK:         dist.broadcast %[[SOURCE]] into %[[SOURCE]] root 0
// CHECK:         return %[[SOURCE]]
func.func @source_dies(%v: f32) -> memref<4xf32> {
  %x = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%x : memref<4xf32>)
  %f = dist.all_reduce sum %x on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  %y = dist.wait %f keeps(%x : memref<4xf32>)
    : !dist.future<tensor<4xf32>> -> memref<4xf32>
  %g = dist.broadcast %y root 0 on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  %z = dist.wait %g keeps(%y : memref<4xf32>)
    : !dist.future<tensor<4xf32>> -> memref<4xf32>
  return %z : memref<4xf32>
}

// CHECK-LABEL: func.func @source_is_used_later(
// CHECK:         dist.all_reduce sum %{{[^ ]*}} on
func.func @source_is_used_later(%v: f32) -> (memref<4xf32>, memref<4xf32>) {
  %x = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%x : memref<4xf32>)
  // expected-remark @below {{keeps a buffer of its own: the source is used by others than the start}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  %y = dist.wait %f keeps(%x : memref<4xf32>)
    : !dist.future<tensor<4xf32>> -> memref<4xf32>
  // expected-note @below {{here}}
  return %x, %y : memref<4xf32>, memref<4xf32>
}

// Through a view made before the start it is written after it.
//
// CHECK-LABEL: func.func @source_has_a_view(
// CHECK:         dist.all_reduce sum %{{[^ ]*}} on
func.func @source_has_a_view(%v: f32, %i: index) -> memref<4xf32> {
  %x = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%x : memref<4xf32>)
  // expected-note @below {{here}}
  %part = memref.subview %x[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  // expected-remark @below {{the source is used by others than the start}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  %y = dist.wait %f keeps(%x : memref<4xf32>)
    : !dist.future<tensor<4xf32>> -> memref<4xf32>
  memref.store %v, %part[%i] : memref<2xf32, strided<[1]>>
  return %y : memref<4xf32>
}

// Out of the own slot of the destination.
//
// CHECK-LABEL: func.func @own_slot(
// CHECK:         dist.all_gather %{{.*}} into %{{.*}} dim 0
// CHECK-NOT:     memref.copy
func.func @own_slot(%out: memref<8xf32>) {
  %c4 = arith.constant 4 : index
  %rank = dist.rank : index
  %at = arith.muli %c4, %rank : index
  %slot = memref.subview %out[%at] [4] [1]
    : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  %f = dist.all_gather %slot dim 0 on <[[0, 1]]>
    : (memref<4xf32, strided<[1], offset: ?>>) -> !dist.future<tensor<8xf32>>
  %y = dist.wait %f keeps(%out : memref<8xf32>)
    : !dist.future<tensor<8xf32>> -> memref<8xf32>
  memref.copy %y, %out : memref<8xf32> to memref<8xf32>
  return
}

// A rank's number is not its position in this group.
//
// CHECK-LABEL: func.func @slot_of_another_rank(
// CHECK:         dist.all_gather %{{[^ ]*}} dim 0
// CHECK:         memref.copy
func.func @slot_of_another_rank(%out: memref<8xf32>) {
  %c4 = arith.constant 4 : index
  %rank = dist.rank : index
  %at = arith.muli %c4, %rank : index
  %slot = memref.subview %out[%at] [4] [1]
    : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  // expected-remark @below {{the destination may be the source's buffer}}
  %f = dist.all_gather %slot dim 0 on <[[1, 0]]>
    : (memref<4xf32, strided<[1], offset: ?>>) -> !dist.future<tensor<8xf32>>
  %y = dist.wait %f keeps(%out : memref<8xf32>)
    : !dist.future<tensor<8xf32>> -> memref<8xf32>
  // expected-note @below {{here}}
  memref.copy %y, %out : memref<8xf32> to memref<8xf32>
  return
}

// A copy that bufferization made says why.
//
// CHECK-LABEL: func.func @source_in_flight_is_written(
// CHECK:         memref.copy
func.func @source_in_flight_is_written(%x: memref<4xf32>, %v: f32, %i: index)
    -> (memref<8xf32>, memref<4xf32>) {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<8xf32>>
  %z = memref.alloc() : memref<4xf32>
  // expected-remark @below {{copies a buffer of a collective: a collective in flight reads it until this wait}}
  memref.copy %x, %z : memref<4xf32> to memref<4xf32>
  memref.store %v, %z[%i] : memref<4xf32>
  // expected-note @below {{here}}
  %y = dist.wait %f keeps(%x : memref<4xf32>)
    : !dist.future<tensor<8xf32>> -> memref<8xf32>
  return %y, %z : memref<8xf32>, memref<4xf32>
}
