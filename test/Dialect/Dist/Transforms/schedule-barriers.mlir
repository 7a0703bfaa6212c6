// RUN: dist-opt %s --dist-schedule --verify-diagnostics --split-input-file | FileCheck %s

func.func private @peer_exchange()

// Nobody knows with whom the call communicates.
// CHECK-LABEL: func.func @unknown_call_is_a_barrier
func.func @unknown_call_is_a_barrier(%x: tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
  // CHECK-NEXT: call @peer_exchange
  // CHECK-NEXT: dist.all_gather
  // CHECK-NEXT: call @peer_exchange
  // CHECK-NEXT: dist.opaque
  // CHECK-NEXT: dist.wait
  // expected-note@+1 {{stands here}}
  call @peer_exchange() : () -> ()
  // expected-remark@+1 {{starts no earlier: effects of the call of @peer_exchange are unknown}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]> : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
  call @peer_exchange() : () -> ()
  %y = dist.opaque "compute"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %w = dist.wait %f : !dist.future<tensor<4xf32>>
  return %w, %y : tensor<4xf32>, tensor<2xf32>
}

// The operand comes later than the call: the call stopped nothing.
// CHECK-LABEL: func.func @no_remark_without_loss
func.func @no_remark_without_loss(%x: tensor<2xf32>) -> tensor<4xf32> {
  call @peer_exchange() : () -> ()
  %y = dist.opaque "compute"(%x) {flops = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  %f = dist.all_gather %y dim 0 on <[[0, 1]]> : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
  %w = dist.wait %f : !dist.future<tensor<4xf32>>
  %z = dist.opaque "use"(%y, %w) : (tensor<2xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

func.func private @pure() attributes {dist.no_effects}

// CHECK-LABEL: func.func @call_without_effects
func.func @call_without_effects(%x: tensor<2xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: dist.all_gather
  // CHECK-NEXT: call @pure
  // CHECK-NEXT: call @pure
  // CHECK-NEXT: dist.wait
  call @pure() : () -> ()
  %f = dist.all_gather %x dim 0 on <[[0, 1]]> : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
  %w = dist.wait %f : !dist.future<tensor<4xf32>>
  call @pure() : () -> ()
  return %w : tensor<4xf32>
}

// -----

func.func private @known(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = dist.opaque "inside"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

func.func private @reduces(%x: tensor<2xf32>) -> tensor<2xf32> {
  %f = dist.all_reduce sum %x on <[[0, 1]]> : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %w = dist.wait %f : !dist.future<tensor<2xf32>>
  return %w : tensor<2xf32>
}

// What a function of the module does is known: the first call neither
// communicates nor touches memory, the second one takes its place in the order of
// reductions.
// CHECK-LABEL: func.func @calls_of_known_functions
func.func @calls_of_known_functions(%x: tensor<2xf32>, %z: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  // CHECK-NEXT: %[[R:.*]] = call @reduces
  // CHECK-NEXT: %[[F:.*]] = dist.all_reduce max
  // CHECK-NEXT: call @known
  // CHECK-NEXT: dist.wait %[[F]]
  %y = call @reduces(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %k = call @known(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %f = dist.all_reduce max %z on <[[0, 1]]> : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %w = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y, %k, %w : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

func.func private @forever(%x: tensor<2xf32>) {
  call @forever(%x) : (tensor<2xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @recursion_is_unknown
func.func @recursion_is_unknown(%x: tensor<2xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: call @forever
  // CHECK-NEXT: dist.all_gather
  // expected-note@+1 {{stands here}}
  call @forever(%x) : (tensor<2xf32>) -> ()
  // expected-remark@+1 {{effects of the call of @forever are unknown}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]> : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
  %w = dist.wait %f : !dist.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

// -----

dist.process_group @late
dist.process_group @bound ranks [[0, 1]]

// @late may turn out to be @bound.
// CHECK-LABEL: func.func @unbound_group_is_ordered_against_all
func.func @unbound_group_is_ordered_against_all(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // CHECK-NEXT: dist.opaque
  // CHECK-NEXT: dist.all_reduce {{.*}}@late
  // CHECK-NEXT: dist.all_reduce {{.*}}@bound
  %y = dist.opaque "compute"(%x) {flops = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  // expected-remark@+1 {{starts of this block keep their order: group late is not bound and may be any other one}}
  %f = dist.all_reduce sum %y on <@late> : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %g = dist.all_reduce sum %x on <@bound> : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %r = dist.wait %f : !dist.future<tensor<2xf32>>
  %s = dist.wait %g : !dist.future<tensor<2xf32>>
  return %r, %s : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @bound_groups_are_independent
func.func @bound_groups_are_independent(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // CHECK-NEXT: dist.all_reduce {{.*}}@bound
  // CHECK-NEXT: dist.opaque
  // CHECK-NEXT: dist.all_reduce {{.*}}tag = "other"
  %y = dist.opaque "compute"(%x) {flops = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  %f = dist.all_reduce sum %y on <@bound, tag = "other"> : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %g = dist.all_reduce sum %x on <@bound> : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %r = dist.wait %f : !dist.future<tensor<2xf32>>
  %s = dist.wait %g : !dist.future<tensor<2xf32>>
  return %r, %s : tensor<2xf32>, tensor<2xf32>
}

// -----

// Behind a condition that ranks may answer differently the partner of a gather
// can stand in other code: the order stays.
// CHECK-LABEL: func.func @order_stays_behind_a_rank_dependent_condition
func.func @order_stays_behind_a_rank_dependent_condition(%a: tensor<2xf32>, %b: tensor<2xf32>, %x: tensor<4xf32>)
    -> tensor<4xf32> {
  // CHECK: scf.if
  // CHECK: dist.all_gather {{.*}} {second}
  // CHECK: dist.all_gather {{.*}} {first}
  %rank = dist.rank : index
  %zero = arith.constant 0 : index
  %is = arith.cmpi eq, %rank, %zero : index
  %r = scf.if %is -> tensor<4xf32> {
    %g = dist.all_gather %b dim 0 on <[[0, 1]]> {second} : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
    %f = dist.all_gather %a dim 0 on <[[0, 1]]> {first} : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
    %v = dist.wait %f : !dist.future<tensor<4xf32>>
    %y = dist.opaque "one"(%x, %v) {flops = 1 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %w = dist.wait %g : !dist.future<tensor<4xf32>>
    %z = dist.opaque "two"(%y, %w) {flops = 1 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %z : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// The caller asserts that all ranks agree.
module attributes {dist.spmd} {
  // CHECK-LABEL: func.func @order_is_free_in_spmd_modules
  func.func @order_is_free_in_spmd_modules(%a: tensor<2xf32>, %b: tensor<2xf32>, %x: tensor<4xf32>, %is: i1)
      -> tensor<4xf32> {
    // CHECK: scf.if
    // CHECK: dist.all_gather {{.*}} {first}
    // CHECK: dist.all_gather {{.*}} {second}
    %r = scf.if %is -> tensor<4xf32> {
      %g = dist.all_gather %b dim 0 on <[[0, 1]]> {second} : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
      %f = dist.all_gather %a dim 0 on <[[0, 1]]> {first} : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
      %v = dist.wait %f : !dist.future<tensor<4xf32>>
      %y = dist.opaque "one"(%x, %v) {flops = 1 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %w = dist.wait %g : !dist.future<tensor<4xf32>>
      %z = dist.opaque "two"(%y, %w) {flops = 1 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      scf.yield %z : tensor<4xf32>
    } else {
      scf.yield %x : tensor<4xf32>
    }
    return %r : tensor<4xf32>
  }
}
