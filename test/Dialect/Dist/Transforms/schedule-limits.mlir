// RUN: dist-opt %s --dist-schedule="max-in-flight-bytes=3145728 limits=two:count=2,bytes=0" --verify-diagnostics --split-input-file | FileCheck %s

// Less is allowed than one gather needs: nothing is prefetched, and one warning
// says by how much the bound is exceeded.
dist.process_group @g size 4

// CHECK-LABEL: func.func @bound_below_one_gather
func.func @bound_below_one_gather(%x: tensor<8xf32>, %w0: tensor<262144xf32>, %w1: tensor<262144xf32>)
    -> tensor<8xf32> {
  // CHECK-NEXT: %[[A0:.*]] = dist.all_gather
  // CHECK-NEXT: dist.wait %[[A0]]
  // CHECK-NEXT: dist.opaque "mm0"
  // CHECK-NEXT: %[[A1:.*]] = dist.all_gather
  // CHECK-NEXT: dist.wait %[[A1]]
  // CHECK-NEXT: dist.opaque "mm1"
  // expected-warning@+1 {{bound on group g cannot be kept: with the all_gather of %arg1 (tensor<262144xf32>) to tensor<1048576xf32>, 4194304 bytes are in flight, 1048576 more than 3145728}}
  %a0 = dist.all_gather %w0 dim 0 on <@g> : (tensor<262144xf32>) -> !dist.future<tensor<1048576xf32>>
  %a1 = dist.all_gather %w1 dim 0 on <@g> : (tensor<262144xf32>) -> !dist.future<tensor<1048576xf32>>
  %g0 = dist.wait %a0 : !dist.future<tensor<1048576xf32>>
  %y0 = dist.opaque "mm0"(%x, %g0) {flops = 8 : i64} : (tensor<8xf32>, tensor<1048576xf32>) -> tensor<8xf32>
  %g1 = dist.wait %a1 : !dist.future<tensor<1048576xf32>>
  %y1 = dist.opaque "mm1"(%y0, %g1) {flops = 8 : i64} : (tensor<8xf32>, tensor<1048576xf32>) -> tensor<8xf32>
  return %y1 : tensor<8xf32>
}

dist.process_group @two

// -----

dist.process_group @two ranks [[0, 1]]

// Three gathered values are read by one operation: no order has two of them.
// CHECK-LABEL: func.func @three_at_once
func.func @three_at_once(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<8xf32> {
  // expected-note@+1 {{in flight: all_gather of %arg0 (tensor<4xf32>) to tensor<8xf32>}}
  %a = dist.all_gather %x dim 0 on <@two> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  // expected-note@+1 {{in flight: all_gather of %arg1}}
  %b = dist.all_gather %y dim 0 on <@two> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  // expected-warning@+1 {{with the all_gather of %arg2 (tensor<4xf32>) to tensor<8xf32>, 3 collectives are in flight, 1 more than 2}}
  %c = dist.all_gather %z dim 0 on <@two> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %u = dist.wait %a : !dist.future<tensor<8xf32>>
  %v = dist.wait %b : !dist.future<tensor<8xf32>>
  %w = dist.wait %c : !dist.future<tensor<8xf32>>
  %r = dist.opaque "add"(%u, %v, %w) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

dist.process_group @two ranks [[0, 1]]

// Reductions give way: the oldest is waited for early to make room for the next,
// which still starts at its producer.
// CHECK-LABEL: func.func @reductions_yield
func.func @reductions_yield(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: dist.opaque "one"
  // CHECK-NEXT: %[[F:.*]] = dist.all_reduce
  // CHECK-NEXT: dist.opaque "two"
  // CHECK-NEXT: %[[G:.*]] = dist.all_reduce
  // CHECK-NEXT: dist.opaque "three"
  // CHECK-NEXT: dist.wait %[[F]]
  // CHECK-NEXT: %[[H:.*]] = dist.all_reduce
  // CHECK-NEXT: dist.opaque "four"
  // CHECK-NEXT: dist.wait %[[G]]
  // CHECK-NEXT: dist.wait %[[H]]
  %one = dist.opaque "one"(%x) {flops = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %f = dist.all_reduce sum %one on <@two> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %two = dist.opaque "two"(%one) {flops = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %g = dist.all_reduce sum %two on <@two> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %three = dist.opaque "three"(%two) {flops = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %h = dist.all_reduce sum %three on <@two> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %four = dist.opaque "four"(%three) {flops = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %u = dist.wait %f : !dist.future<tensor<4xf32>>
  %v = dist.wait %g : !dist.future<tensor<4xf32>>
  %w = dist.wait %h : !dist.future<tensor<4xf32>>
  return %u, %v, %w : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

dist.process_group @two ranks [[0, 1]]

// A parameter could be gathered early, but two activations need the room before
// it is read.
// CHECK-LABEL: func.func @prefetch_leaves_room
func.func @prefetch_leaves_room(%x: tensor<4xf32>, %p: tensor<4xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: dist.opaque "one"
  // CHECK-NEXT: dist.all_gather {{.*}} {first}
  // CHECK-NEXT: dist.opaque "two"
  // CHECK-NEXT: dist.all_gather {{.*}} {second}
  // CHECK-NEXT: dist.wait
  // CHECK-NEXT: dist.wait
  // CHECK-NEXT: dist.opaque "both"
  // CHECK-NEXT: dist.all_gather {{.*}} {parameter}
  %one = dist.opaque "one"(%x) {flops = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %a = dist.all_gather %one dim 0 on <@two> {first} : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %two = dist.opaque "two"(%one) {flops = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %b = dist.all_gather %two dim 0 on <@two> {second} : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %u = dist.wait %a : !dist.future<tensor<8xf32>>
  %v = dist.wait %b : !dist.future<tensor<8xf32>>
  %both = dist.opaque "both"(%u, %v) {flops = 1 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %c = dist.all_gather %p dim 0 on <@two> {parameter} : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %w = dist.wait %c : !dist.future<tensor<8xf32>>
  %r = dist.opaque "mm"(%both, %w) {flops = 1 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

dist.process_group @two ranks [[0, 1]]

// One gathered value is in flight around the loop, which leaves room for one
// more inside.
// CHECK-LABEL: func.func @room_inside_a_loop
func.func @room_inside_a_loop(%x: tensor<4xf32>, %p: tensor<4xf32>, %q: tensor<4xf32>) -> tensor<8xf32> {
  // CHECK: scf.for
  // CHECK-NEXT: %[[A:.*]] = dist.all_gather
  // CHECK-NEXT: dist.wait %[[A]]
  // CHECK-NEXT: dist.opaque "mm0"
  // CHECK-NEXT: %[[B:.*]] = dist.all_gather
  // CHECK-NEXT: dist.wait %[[B]]
  // CHECK-NEXT: dist.opaque "mm1"
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %ten = arith.constant 10 : index
  %f = dist.all_gather %x dim 0 on <@two> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %w = dist.wait %f : !dist.future<tensor<8xf32>>
  %r = scf.for %i = %zero to %ten step %one iter_args(%t = %w) -> tensor<8xf32> {
    %a = dist.all_gather %p dim 0 on <@two> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
    %b = dist.all_gather %q dim 0 on <@two> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
    %u = dist.wait %a : !dist.future<tensor<8xf32>>
    %s = dist.opaque "mm0"(%t, %u) {flops = 1 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %v = dist.wait %b : !dist.future<tensor<8xf32>>
    %z = dist.opaque "mm1"(%s, %v) {flops = 1 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    scf.yield %z : tensor<8xf32>
  }
  %z = dist.opaque "after"(%r, %w) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %z : tensor<8xf32>
}
