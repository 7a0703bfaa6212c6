// Taking apart and putting together gives the program back.
// RUN: split-file %s %t
// RUN: dist-opt %t/round-trip.mlir -o %t/before
// RUN: dist-opt %t/round-trip.mlir --dist-functionalize --dist-reinplace -o %t/after
// RUN: diff %t/before %t/after
// RUN: dist-opt %t/declines.mlir --dist-reinplace --verify-diagnostics | FileCheck %t/declines.mlir

//--- round-trip.mlir
dist.process_group @g size 2

func.func @one_of_each(%x: tensor<4xf32>, %out: tensor<8xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) {
  %a = dist.all_gather_into %x into %out dim 0 on <@g> {mark}
      : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
  %b = dist.reduce_scatter_into avg %a into %x dim 0 on <@g>
      : (tensor<8xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  %c = dist.all_reduce_into max %b into %b on <@g>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  %d = dist.broadcast_into %c into %c root 1 on <@g>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return %b, %c, %d, %a : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8xf32>
}

func.func @exchanges(%x: tensor<2x4xf32>, %out: tensor<4x2xf32>)
    -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
  %a = dist.all_to_all_into %x into %out split_dim 1 concat_dim 0 on <@g> {mark}
      : (tensor<2x4xf32>) into (tensor<4x2xf32>) -> tensor<4x2xf32>
  %b = dist.permute_into %a into %a pairs [[0, 1], [1, 0]] on <@g>
      : (tensor<4x2xf32>) into (tensor<4x2xf32>) -> tensor<4x2xf32>
  %c = dist.reduce_into sum %b into %b root 1 on <@g>
      : (tensor<4x2xf32>) into (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %a, %b, %c : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>
}

func.func @factors(%x: tensor<4xf32>, %y: tensor<4xf16>, %out: tensor<2xf32>,
                   %s: f64, %t: f64)
    -> (tensor<4xf32>, tensor<4xf16>, tensor<2xf32>, tensor<4xf32>) {
  %a:2 = dist.all_reduce_into premul_sum %x, %y into %x, %y factors(%s, %t) on <@g>
      : (tensor<4xf32>, tensor<4xf16>) into (tensor<4xf32>, tensor<4xf16>)
      -> tensor<4xf32>, tensor<4xf16>
  %b = dist.reduce_scatter_into premul_sum %a#0 into %out factors(%t) dim 0 on <@g>
      : (tensor<4xf32>) into (tensor<2xf32>) -> tensor<2xf32>
  %c = dist.reduce_into premul_sum %a#0 into %a#0 factors(%s) root 1 on <@g>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return %a#0, %a#1, %b, %c : tensor<4xf32>, tensor<4xf16>, tensor<2xf32>, tensor<4xf32>
}

func.func @several_operands(%x: tensor<4xf32>, %y: tensor<6xi32>,
    %a: tensor<2xf32>, %b: tensor<3xi32>) -> (tensor<2xf32>, tensor<3xi32>) {
  %r:2 = dist.reduce_scatter_into sum %x, %y into %a, %b dim 0 on <@g>
      : (tensor<4xf32>, tensor<6xi32>) into (tensor<2xf32>, tensor<3xi32>)
      -> tensor<2xf32>, tensor<3xi32>
  return %r#0, %r#1 : tensor<2xf32>, tensor<3xi32>
}

func.func @in_a_loop_with_dynamic_sizes(%x: tensor<?xf32>, %out: tensor<4xf32>, %n: index)
    -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %out) -> tensor<4xf32> {
    %s = dist.all_reduce_into sum %x into %t on <@g>
        : (tensor<?xf32>) into (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

//--- declines.mlir
dist.process_group @g size 2

// CHECK-LABEL: func.func @views_do_not_overlap
func.func @views_do_not_overlap(%x: tensor<4xf32>, %out: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<2x2xf32>) {
  // CHECK: dist.all_gather_into %{{.*}} into %{{.*}} dim 0
  // CHECK-NOT: dist.wait
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %v = tensor.expand_shape %x [[0, 1]] output_shape [2, 2]
      : tensor<4xf32> into tensor<2x2xf32>
  %w = dist.wait %f : !dist.future<tensor<8xf32>>
  %r = bufferization.materialize_in_destination %w in %out
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %r, %v : tensor<8xf32>, tensor<2x2xf32>
}

// CHECK-LABEL: func.func @compute_in_flight
func.func @compute_in_flight(%x: tensor<4xf32>, %out: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<4xf32>) {
  // CHECK: dist.all_gather %
  // expected-remark@+1 {{not made in place: 'dist.opaque' runs while the collective is in flight}}
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %c = dist.opaque "mm"(%x) {flops = 8 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %w = dist.wait %f : !dist.future<tensor<8xf32>>
  %r = bufferization.materialize_in_destination %w in %out
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %r, %c : tensor<8xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @another_reader
func.func @another_reader(%x: tensor<4xf32>, %out: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: dist.all_gather %
  // expected-remark@+1 {{not made in place: its result has other readers than the destination}}
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %w = dist.wait %f : !dist.future<tensor<8xf32>>
  %r = bufferization.materialize_in_destination %w in %out
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %r, %w : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @waited_for_twice
func.func @waited_for_twice(%x: tensor<4xf32>, %out: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: dist.all_gather %
  // expected-remark@+1 {{not made in place: its future has several uses}}
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %w = dist.wait %f : !dist.future<tensor<8xf32>>
  %r = bufferization.materialize_in_destination %w in %out
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %again = dist.wait %f : !dist.future<tensor<8xf32>>
  return %r, %again : tensor<8xf32>, tensor<8xf32>
}

// A collective without a destination is no missed opportunity: no remark.
// CHECK-LABEL: func.func @without_destination
func.func @without_destination(%x: tensor<4xf32>) -> tensor<8xf32> {
  // CHECK: dist.all_gather %
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %w = dist.wait %f : !dist.future<tensor<8xf32>>
  return %w : tensor<8xf32>
}
