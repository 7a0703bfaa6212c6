// RUN: dist-opt %s --dist-schedule=max-in-flight=1 --verify-diagnostics --split-input-file | FileCheck %s
// RUN: dist-opt %s --dist-schedule=max-in-flight=1 --dist-schedule=max-in-flight=1 --split-input-file 2>/dev/null | FileCheck %s

// Bounds through loops, branches and calls.

dist.process_group @g ranks [[0, 1]]

// The future of the iteration before makes room for the next start.
// CHECK-LABEL: func.func @back_edge
func.func @back_edge(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  // CHECK: scf.for {{.*}} iter_args(%[[F:.*]] =
  // CHECK-NEXT: dist.opaque
  // CHECK-NEXT: dist.wait %[[F]]
  // CHECK-NEXT: dist.all_reduce
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%f = %a) -> !dist.future<tensor<4xf32>> {
    %b = dist.all_reduce max %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    %c = dist.opaque "compute"(%x) {flops = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    %u = dist.wait %f : !dist.future<tensor<4xf32>>
    scf.yield %b : !dist.future<tensor<4xf32>>
  }
  %w = dist.wait %r : !dist.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

// The next gather starts when the gathered value of the iteration before has
// been read.
// CHECK-LABEL: func.func @gather_over_the_back_edge
func.func @gather_over_the_back_edge(%x: tensor<4xf32>, %n: index) -> tensor<8xf32> {
  // CHECK: scf.for
  // CHECK-NEXT: dist.wait
  // CHECK-NEXT: dist.opaque "read"
  // CHECK-NEXT: dist.all_gather
  // CHECK-NEXT: dist.opaque "rest"
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = dist.all_gather %x dim 0 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%f = %a, %t = %x)
      -> (!dist.future<tensor<8xf32>>, tensor<4xf32>) {
    %b = dist.all_gather %x dim 0 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
    %u = dist.wait %f : !dist.future<tensor<8xf32>>
    %v = dist.opaque "read"(%u, %t) {flops = 1 : i64} : (tensor<8xf32>, tensor<4xf32>) -> tensor<4xf32>
    %s = dist.opaque "rest"(%v) {flops = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b, %s : !dist.future<tensor<8xf32>>, tensor<4xf32>
  }
  %w = dist.wait %r#0 : !dist.future<tensor<8xf32>>
  return %w : tensor<8xf32>
}

// -----

dist.process_group @g ranks [[0, 1]]

// After the loop its future is waited for before the next start.
// CHECK-LABEL: func.func @handed_out_by_a_loop
func.func @handed_out_by_a_loop(%x: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[R:.*]] = scf.for
  // CHECK: }
  // CHECK-NEXT: dist.wait %[[R]]
  // CHECK-NEXT: dist.all_reduce
  // CHECK-NEXT: dist.opaque "after"
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%f = %a) -> !dist.future<tensor<4xf32>> {
    %u = dist.wait %f : !dist.future<tensor<4xf32>>
    %b = dist.all_reduce max %u on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    scf.yield %b : !dist.future<tensor<4xf32>>
  }
  %d = dist.all_reduce max %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %c = dist.opaque "after"(%x) {flops = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %v = dist.wait %d : !dist.future<tensor<4xf32>>
  %w = dist.wait %r : !dist.future<tensor<4xf32>>
  return %v, %w : tensor<4xf32>, tensor<4xf32>
}

// -----

dist.process_group @g ranks [[0, 1]]

func.func private @reduces(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %u = dist.wait %a : !dist.future<tensor<4xf32>>
  return %u : tensor<4xf32>
}

func.func private @computes(%x: tensor<4xf32>) -> tensor<4xf32> {
  %u = arith.addf %x, %x : tensor<4xf32>
  return %u : tensor<4xf32>
}

// A collective makes room for what a callee has in flight, and not for a callee
// without any.
// CHECK-LABEL: func.func @room_for_a_call
func.func @room_for_a_call(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[A:.*]] = dist.all_reduce
  // CHECK-NEXT: call @computes
  // CHECK-NEXT: dist.wait %[[A]]
  // CHECK-NEXT: call @reduces
  // CHECK-NEXT: return
  %a = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %u = call @computes(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %v = call @reduces(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %w = dist.wait %a : !dist.future<tensor<4xf32>>
  return %u, %v, %w : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A parameter is gathered after the call, which needs the room.
// CHECK-LABEL: func.func @prefetch_leaves_room_for_a_call
func.func @prefetch_leaves_room_for_a_call(%x: tensor<4xf32>, %p: tensor<4xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: call @reduces
  // CHECK-NEXT: dist.all_gather
  %v = call @reduces(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %f = dist.all_gather %p dim 0 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %c = dist.opaque "compute"(%v) {flops = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %w = dist.wait %f : !dist.future<tensor<8xf32>>
  %r = dist.opaque "mm"(%c, %w) {flops = 1 : i64} : (tensor<4xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

dist.process_group @g ranks [[0, 1]]

func.func private @gathers(%x: tensor<4xf32>) -> tensor<8xf32> {
  %a = dist.all_gather %x dim 0 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %u = dist.wait %a : !dist.future<tensor<8xf32>>
  return %u : tensor<8xf32>
}

// A gathered value that is read after the call cannot make room.
// CHECK-LABEL: func.func @no_room_for_a_call
func.func @no_room_for_a_call(%x: tensor<4xf32>) -> tensor<8xf32> {
  // expected-note@+1 {{in flight: all_gather of %arg0}}
  %a = dist.all_gather %x dim 0 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %u = dist.wait %a : !dist.future<tensor<8xf32>>
  %c = dist.opaque "read"(%u) {flops = 1 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  // expected-warning@+1 {{bound on group g cannot be kept: with the call of @gathers, 2 collectives are in flight, 1 more than 1}}
  %v = call @gathers(%x) : (tensor<4xf32>) -> tensor<8xf32>
  %r = dist.opaque "both"(%u, %v, %c) {flops = 1 : i64} : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

dist.process_group @g ranks [[0, 1]]

// A future that is waited for and returned: the next reduction has its place.
// CHECK-LABEL: func.func @waited_for_and_returned
func.func @waited_for_and_returned(%x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, !dist.future<tensor<4xf32>>) {
  // CHECK-NEXT: dist.all_reduce sum
  // CHECK-NEXT: dist.opaque "one"
  // CHECK-NEXT: dist.wait
  // CHECK-NEXT: dist.all_reduce max
  // CHECK-NEXT: dist.opaque "two"
  %a = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %one = dist.opaque "one"(%x) {flops = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %b = dist.all_reduce max %one on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %two = dist.opaque "two"(%one) {flops = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %u = dist.wait %a : !dist.future<tensor<4xf32>>
  %v = dist.wait %b : !dist.future<tensor<4xf32>>
  %s = arith.addf %u, %two : tensor<4xf32>
  return %s, %v, %a : tensor<4xf32>, tensor<4xf32>, !dist.future<tensor<4xf32>>
}
