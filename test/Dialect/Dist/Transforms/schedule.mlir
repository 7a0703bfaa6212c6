// RUN: dist-opt %s --dist-schedule --split-input-file | FileCheck %s
// RUN: dist-opt %s --dist-schedule --dist-schedule --split-input-file | FileCheck %s

dist.process_group @g ranks [[0, 1]]

// The wait stands directly before its first reader, below all other compute.
// CHECK-LABEL: func.func @waits_at_the_first_reader
func.func @waits_at_the_first_reader(%a: tensor<4xf32>, %b: tensor<4xf32>, %out: tensor<8xf32>)
    -> (tensor<4xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[C:.*]] = dist.opaque "add"
  // CHECK-NEXT: %[[F:.*]] = dist.all_gather %[[C]]
  // CHECK-NEXT: dist.opaque "inc"
  // CHECK-NEXT: dist.opaque "mul"
  // CHECK-NEXT: %[[W:.*]] = dist.wait %[[F]]
  // CHECK-NEXT: %[[M:.*]] = bufferization.materialize_in_destination %[[W]]
  // CHECK-NEXT: dist.opaque "twice"(%[[M]])
  // CHECK-NEXT: return
  %c = dist.opaque "add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %future = dist.all_gather %c dim 0 on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %w = dist.wait %future : !dist.future<tensor<8xf32>>
  %m = bufferization.materialize_in_destination %w in %out
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %e = dist.opaque "inc"(%c) : (tensor<4xf32>) -> tensor<4xf32>
  %f = dist.opaque "mul"(%e, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %o = dist.opaque "twice"(%m) : (tensor<8xf32>) -> tensor<8xf32>
  return %f, %o : tensor<4xf32>, tensor<8xf32>
}

// -----

dist.process_group @g ranks [[0, 1]]

// Another shape is a view and waits with the data; another element type reads.
// CHECK-LABEL: func.func @views_sink_with_their_wait
func.func @views_sink_with_their_wait(%x: tensor<2xf32>, %y: tensor<8xf32>)
    -> (tensor<2x2xf64>, tensor<8xf32>) {
  // CHECK-NEXT: %[[F:.*]] = dist.all_gather
  // CHECK-NEXT: dist.opaque "independent"
  // CHECK-NEXT: dist.wait %[[F]]
  // CHECK-NEXT: tensor.expand_shape
  // CHECK-NEXT: dist.opaque "permute"
  // CHECK-NEXT: arith.extf
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
  %w = dist.wait %f : !dist.future<tensor<4xf32>>
  %v = tensor.expand_shape %w [[0, 1]] output_shape [2, 2]
      : tensor<4xf32> into tensor<2x2xf32>
  %p = dist.opaque "permute"(%v) {view} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %z = dist.opaque "independent"(%y) {nanoseconds = 10000000 : i64}
      : (tensor<8xf32>) -> tensor<8xf32>
  %c = arith.extf %p : tensor<2x2xf32> to tensor<2x2xf64>
  return %c, %z : tensor<2x2xf64>, tensor<8xf32>
}

// The gathered dimension is not the outermost: layout work comes after the wait,
// which is late all the same.
// CHECK-LABEL: func.func @gather_along_a_later_dim
func.func @gather_along_a_later_dim(%x: tensor<2x1xf32>, %y: tensor<8xf32>)
    -> (tensor<2x2xf64>, tensor<8xf32>) {
  // CHECK-NEXT: %[[F:.*]] = dist.all_gather %{{.*}} dim 1
  // CHECK-NEXT: dist.opaque "independent"
  // CHECK-NEXT: dist.wait %[[F]]
  // CHECK-NEXT: arith.extf
  %f = dist.all_gather %x dim 1 on <@g>
      : (tensor<2x1xf32>) -> !dist.future<tensor<2x2xf32>>
  %w = dist.wait %f : !dist.future<tensor<2x2xf32>>
  %z = dist.opaque "independent"(%y) {nanoseconds = 10000000 : i64}
      : (tensor<8xf32>) -> tensor<8xf32>
  %c = arith.extf %w : tensor<2x2xf32> to tensor<2x2xf64>
  return %c, %z : tensor<2x2xf64>, tensor<8xf32>
}

// -----

dist.process_group @g ranks [[0, 1]]

// Data parallel backward: each reduction starts at its producer, the waits are
// where the results are needed.
// CHECK-LABEL: func.func @reductions_start_at_their_producers
func.func @reductions_start_at_their_producers(%d3: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK-NEXT: %[[DW2:.*]] = dist.opaque "dW2"
  // CHECK-NEXT: %[[DIV2:.*]] = dist.opaque "div2"(%[[DW2]])
  // CHECK-NEXT: %[[AR2:.*]] = dist.all_reduce sum %[[DIV2]]
  // CHECK-NEXT: dist.opaque "dX2"
  // CHECK-NEXT: %[[DW1:.*]] = dist.opaque "dW1"
  // CHECK-NEXT: %[[DIV1:.*]] = dist.opaque "div1"(%[[DW1]])
  // CHECK-NEXT: %[[AR1:.*]] = dist.all_reduce sum %[[DIV1]]
  // CHECK-NEXT: dist.opaque "dX1"
  // CHECK-NEXT: %[[DW0:.*]] = dist.opaque "dW0"
  // CHECK-NEXT: %[[DIV0:.*]] = dist.opaque "div0"(%[[DW0]])
  // CHECK-NEXT: %[[AR0:.*]] = dist.all_reduce sum %[[DIV0]]
  // CHECK-NEXT: dist.wait %[[AR2]]
  // CHECK-NEXT: dist.wait %[[AR1]]
  // CHECK-NEXT: dist.wait %[[AR0]]
  // CHECK-NEXT: return
  %w2 = dist.opaque "dW2"(%d3) {flops = 8 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %v2 = dist.opaque "div2"(%w2) : (tensor<4xf32>) -> tensor<4xf32>
  %d2 = dist.opaque "dX2"(%d3) {flops = 8 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %w1 = dist.opaque "dW1"(%d2) {flops = 8 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %v1 = dist.opaque "div1"(%w1) : (tensor<4xf32>) -> tensor<4xf32>
  %d1 = dist.opaque "dX1"(%d2) {flops = 8 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %w0 = dist.opaque "dW0"(%d1) {flops = 8 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %v0 = dist.opaque "div0"(%w0) : (tensor<4xf32>) -> tensor<4xf32>
  %f2 = dist.all_reduce sum %v2 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r2 = dist.wait %f2 : !dist.future<tensor<4xf32>>
  %f1 = dist.all_reduce sum %v1 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r1 = dist.wait %f1 : !dist.future<tensor<4xf32>>
  %f0 = dist.all_reduce sum %v0 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r0 = dist.wait %f0 : !dist.future<tensor<4xf32>>
  return %r0, %r1, %r2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

dist.process_group @g ranks [[0, 1]]

// What is gathered from an activation cannot start before the activation is
// there; the cast that only the gather reads moves up with it.
// CHECK-LABEL: func.func @keeps_gather_of_activation_below_its_producer
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[W0:.*]]: tensor<4xf32>, %[[W1:.*]]: tensor<4xf32>
func.func @keeps_gather_of_activation_below_its_producer(
    %x: tensor<4xf32>, %w0: tensor<4xf32>, %w1: tensor<4xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[A0:.*]] = dist.all_gather %[[W0]]
  // CHECK-NEXT: %[[C1:.*]] = dist.opaque "cast"(%[[W1]])
  // CHECK-NEXT: %[[A1:.*]] = dist.all_gather %[[C1]]
  // CHECK-NEXT: %[[G0:.*]] = dist.wait %[[A0]]
  // CHECK-NEXT: %[[H:.*]] = dist.opaque "mm0"(%{{.*}}, %[[G0]])
  // CHECK-NEXT: %[[AH:.*]] = dist.all_gather %[[H]]
  // CHECK-NEXT: dist.opaque "other"
  // CHECK-NEXT: %[[GH:.*]] = dist.wait %[[AH]]
  // CHECK-NEXT: %[[G1:.*]] = dist.wait %[[A1]]
  // CHECK-NEXT: dist.opaque "mm1"(%[[GH]], %[[G1]], 
  %a0 = dist.all_gather %w0 dim 0 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %g0 = dist.wait %a0 : !dist.future<tensor<8xf32>>
  %h = dist.opaque "mm0"(%x, %g0) {flops = 8 : i64} : (tensor<4xf32>, tensor<8xf32>) -> tensor<4xf32>
  %o = dist.opaque "other"(%x) {flops = 8 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %ah = dist.all_gather %h dim 0 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %gh = dist.wait %ah : !dist.future<tensor<8xf32>>
  %c1 = dist.opaque "cast"(%w1) : (tensor<4xf32>) -> tensor<4xf32>
  %a1 = dist.all_gather %c1 dim 0 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %g1 = dist.wait %a1 : !dist.future<tensor<8xf32>>
  %y = dist.opaque "mm1"(%gh, %g1, %o) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

dist.process_group @g ranks [[0, 1]]

// Growing weights: consumer order, not size.
// CHECK-LABEL: func.func @gathers_follow_readers_not_size
func.func @gathers_follow_readers_not_size(%x: tensor<8xf32>, %w0: tensor<4xf32>,
    %w1: tensor<8xf32>, %w2: tensor<16xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[A0:.*]] = dist.all_gather {{.*}} -> !dist.future<tensor<8xf32>>
  // CHECK-NEXT: %[[A1:.*]] = dist.all_gather {{.*}} -> !dist.future<tensor<16xf32>>
  // CHECK-NEXT: %[[A2:.*]] = dist.all_gather {{.*}} -> !dist.future<tensor<32xf32>>
  // CHECK-NEXT: dist.wait %[[A0]]
  // CHECK-NEXT: dist.opaque "mm0"
  // CHECK-NEXT: dist.wait %[[A1]]
  // CHECK-NEXT: dist.opaque "mm1"
  // CHECK-NEXT: dist.wait %[[A2]]
  // CHECK-NEXT: dist.opaque "mm2"
  %a2 = dist.all_gather %w2 dim 0 on <@g> : (tensor<16xf32>) -> !dist.future<tensor<32xf32>>
  %a1 = dist.all_gather %w1 dim 0 on <@g> : (tensor<8xf32>) -> !dist.future<tensor<16xf32>>
  %a0 = dist.all_gather %w0 dim 0 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %g2 = dist.wait %a2 : !dist.future<tensor<32xf32>>
  %g1 = dist.wait %a1 : !dist.future<tensor<16xf32>>
  %g0 = dist.wait %a0 : !dist.future<tensor<8xf32>>
  %h0 = dist.opaque "mm0"(%x, %g0) {flops = 8 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %h1 = dist.opaque "mm1"(%h0, %g1) {flops = 8 : i64} : (tensor<8xf32>, tensor<16xf32>) -> tensor<8xf32>
  %h2 = dist.opaque "mm2"(%h1, %g2) {flops = 8 : i64} : (tensor<8xf32>, tensor<32xf32>) -> tensor<8xf32>
  return %h2 : tensor<8xf32>
}

// Reductions keep their order on a communicator even where the later one is
// ready first.
// CHECK-LABEL: func.func @other_collectives_keep_their_order
func.func @other_collectives_keep_their_order(%x: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[Y:.*]] = dist.opaque "slow"
  // CHECK-NEXT: dist.all_reduce sum %[[Y]]
  // CHECK-NEXT: dist.all_reduce max
  %y = dist.opaque "slow"(%x) {flops = 8 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  %f = dist.all_reduce sum %y on <@g> : (tensor<8xf32>) -> !dist.future<tensor<8xf32>>
  %g = dist.all_reduce max %x on <@g> : (tensor<8xf32>) -> !dist.future<tensor<8xf32>>
  %r = dist.wait %f : !dist.future<tensor<8xf32>>
  %s = dist.wait %g : !dist.future<tensor<8xf32>>
  return %r, %s : tensor<8xf32>, tensor<8xf32>
}

// Reduce-scatter, then all-reduce of the shard: the second start waits for the
// first, where the program does.
// CHECK-LABEL: func.func @start_of_waited_data_stays_in_its_place
func.func @start_of_waited_data_stays_in_its_place(%x: tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %[[RS:.*]] = dist.reduce_scatter
  // CHECK-NEXT: dist.opaque "one"
  // CHECK-NEXT: %[[SHARD:.*]] = dist.wait %[[RS]]
  // CHECK-NEXT: %[[AR:.*]] = dist.all_reduce sum %[[SHARD]]
  // CHECK-NEXT: dist.opaque "two"
  // CHECK-NEXT: dist.wait %[[AR]]
  %f = dist.reduce_scatter sum %x dim 0 on <@g> : (tensor<8xf32>) -> !dist.future<tensor<4xf32>>
  %s = dist.wait %f : !dist.future<tensor<4xf32>>
  %one = dist.opaque "one"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %g = dist.all_reduce sum %s on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = dist.wait %g : !dist.future<tensor<4xf32>>
  %two = dist.opaque "two"(%one) : (tensor<8xf32>) -> tensor<8xf32>
  return %r, %two : tensor<4xf32>, tensor<8xf32>
}

// Coalesced: one launch, each future waited for where it is read.
// CHECK-LABEL: func.func @one_launch_two_waits
func.func @one_launch_two_waits(%a: tensor<2xi32>, %b: tensor<3xi32>) -> (tensor<2xi32>, tensor<3xi32>) {
  // CHECK-NEXT: %[[F:.*]]:2 = dist.all_reduce
  // CHECK-NEXT: dist.wait %[[F]]#0
  // CHECK-NEXT: dist.opaque "use"
  // CHECK-NEXT: dist.wait %[[F]]#1
  // CHECK-NEXT: return
  %f:2 = dist.all_reduce sum %a, %b on <@g>
      : (tensor<2xi32>, tensor<3xi32>) -> !dist.future<tensor<2xi32>>, !dist.future<tensor<3xi32>>
  %x = dist.wait %f#0 : !dist.future<tensor<2xi32>>
  %y = dist.wait %f#1 : !dist.future<tensor<3xi32>>
  %u = dist.opaque "use"(%x) : (tensor<2xi32>) -> tensor<2xi32>
  return %u, %y : tensor<2xi32>, tensor<3xi32>
}

// One wait for futures that are read in different places is one for each.
// CHECK-LABEL: func.func @one_wait_two_readers
func.func @one_wait_two_readers(%a: tensor<2xi32>, %b: tensor<2xi32>,
                                %m: memref<2xi32>, %n: memref<2xi32>, %v: i32)
    -> (tensor<2xi32>, tensor<2xi32>) {
  // CHECK: %[[F:.*]]:2 = dist.all_reduce
  // CHECK: %[[G:.*]]:2 = dist.permute
  // CHECK: dist.wait %[[F]]#0 {mark}
  // CHECK-NEXT: dist.opaque "use"
  // CHECK-NEXT: dist.wait %[[G]]#0 keeps(%{{.*}}, %{{.*}} : memref<2xi32>, memref<2xi32>) into(%[[M:.*]] : memref<2xi32>)
  // CHECK-NEXT: linalg.fill {{.*}} outs(%[[M]]
  // CHECK-NEXT: dist.wait %[[G]]#1 keeps(%{{.*}}, %{{.*}} : memref<2xi32>, memref<2xi32>) into(%[[N:.*]] : memref<2xi32>)
  // CHECK-NEXT: linalg.fill {{.*}} outs(%[[N]]
  // CHECK-NEXT: dist.wait %[[F]]#1 {mark}
  // CHECK-NEXT: return
  %f:2 = dist.all_reduce sum %a, %b on <@g>
      : (tensor<2xi32>, tensor<2xi32>) -> !dist.future<tensor<2xi32>>, !dist.future<tensor<2xi32>>
  %o = memref.alloc() : memref<2xi32>
  %p = memref.alloc() : memref<2xi32>
  %g:2 = dist.permute %m, %n into %o, %p pairs [[0, 1]] on <@g>
      : (memref<2xi32>, memref<2xi32>) into (memref<2xi32>, memref<2xi32>)
      -> !dist.future<memref<2xi32>>, !dist.future<memref<2xi32>>
  %x:2 = dist.wait %f#0, %f#1 {mark} : !dist.future<tensor<2xi32>>, !dist.future<tensor<2xi32>>
  %w:2 = dist.wait %g#0, %g#1 keeps(%m, %n : memref<2xi32>, memref<2xi32>)
      into(%o, %p : memref<2xi32>, memref<2xi32>)
      : !dist.future<memref<2xi32>>, !dist.future<memref<2xi32>>
  %u = dist.opaque "use"(%x#0) : (tensor<2xi32>) -> tensor<2xi32>
  linalg.fill ins(%v : i32) outs(%o : memref<2xi32>)
  linalg.fill ins(%v : i32) outs(%p : memref<2xi32>)
  return %u, %x#1 : tensor<2xi32>, tensor<2xi32>
}

// What one operation reads is waited for at once.
// CHECK-LABEL: func.func @one_wait_one_reader
func.func @one_wait_one_reader(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi32> {
  // CHECK-NEXT: %[[F:.*]]:2 = dist.all_reduce
  // CHECK-NEXT: dist.opaque "compute"
  // CHECK-NEXT: %[[X:.*]]:2 = dist.wait %[[F]]#0, %[[F]]#1
  // CHECK-NEXT: dist.opaque "use"(%[[X]]#0, %[[X]]#1)
  %f:2 = dist.all_reduce sum %a, %b on <@g>
      : (tensor<2xi32>, tensor<2xi32>) -> !dist.future<tensor<2xi32>>, !dist.future<tensor<2xi32>>
  %x:2 = dist.wait %f#0, %f#1 : !dist.future<tensor<2xi32>>, !dist.future<tensor<2xi32>>
  %c = dist.opaque "compute"(%a) {flops = 9} : (tensor<2xi32>) -> tensor<2xi32>
  %u = dist.opaque "use"(%x#0, %x#1) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %u : tensor<2xi32>
}

// Futures of callers and of earlier iterations are waited for late, too.
// CHECK-LABEL: func.func @futures_that_came_in
func.func @futures_that_came_in(%f: !dist.future<tensor<4xf32>>, %x: tensor<4xf32>, %n: index)
    -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: scf.for
  // CHECK-NEXT: %[[NEXT:.*]] = dist.all_reduce
  // CHECK-NEXT: dist.opaque "body"
  // CHECK-NEXT: dist.wait
  // CHECK-NEXT: dist.opaque "read"
  // CHECK-NEXT: scf.yield %[[NEXT]]
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last:2 = scf.for %i = %zero to %n step %one iter_args(%g = %f, %s = %x)
      -> (!dist.future<tensor<4xf32>>, tensor<4xf32>) {
    %w = dist.wait %g : !dist.future<tensor<4xf32>>
    %b = dist.opaque "body"(%s) : (tensor<4xf32>) -> tensor<4xf32>
    %r = dist.opaque "read"(%b, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %next = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    scf.yield %next, %r : !dist.future<tensor<4xf32>>, tensor<4xf32>
  }
  %w = dist.wait %last#0 : !dist.future<tensor<4xf32>>
  return %w, %last#1 : tensor<4xf32>, tensor<4xf32>
}
