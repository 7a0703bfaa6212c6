// RUN: dist-opt %s --dist-functionalize | FileCheck %s
// RUN: dist-opt %s --dist-functionalize --dist-functionalize | FileCheck %s

dist.process_group @g size 2

// CHECK-LABEL: func.func @gathers_into_the_named_destination
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[OUT:.*]]: tensor<8xf32>)
func.func @gathers_into_the_named_destination(%x: tensor<4xf32>, %out: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[FUTURE:.*]] = dist.all_gather %[[X]] dim 0 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  // CHECK-NEXT: %[[WAITED:.*]] = dist.wait %[[FUTURE]] : !dist.future<tensor<8xf32>>
  // CHECK-NEXT: %[[RESULT:.*]] = bufferization.materialize_in_destination %[[WAITED]] in %[[OUT]]
  // CHECK-NEXT: return %[[RESULT]]
  %r = dist.all_gather_into %x into %out dim 0 on <@g>
      : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @source_is_the_destination
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
func.func @source_is_the_destination(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: dist.all_reduce max %[[X]]
  // CHECK: bufferization.materialize_in_destination %{{.*}} in %[[X]]
  %r = dist.all_reduce_into max %x into %x on <@g>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: dist.broadcast %{{.*}} root 1
  // CHECK: bufferization.materialize_in_destination
  %s = dist.broadcast_into %r into %r root 1 on <@g>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return %r, %s : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @several_operands_are_one_launch
func.func @several_operands_are_one_launch(%x: tensor<4xf32>, %y: tensor<6xi32>,
    %a: tensor<2xf32>, %b: tensor<3xi32>) -> (tensor<2xf32>, tensor<3xi32>) {
  // CHECK-NEXT: %[[F:.*]]:2 = dist.reduce_scatter sum %{{.*}}, %{{.*}} dim 0 on <@g> {mark}
  // CHECK-NEXT: %[[W0:.*]] = dist.wait %[[F]]#0
  // CHECK-NEXT: bufferization.materialize_in_destination %[[W0]] in %{{.*}} : (tensor<2xf32>
  // CHECK-NEXT: %[[W1:.*]] = dist.wait %[[F]]#1
  // CHECK-NEXT: bufferization.materialize_in_destination %[[W1]] in %{{.*}} : (tensor<3xi32>
  %r:2 = dist.reduce_scatter_into sum %x, %y into %a, %b dim 0 on <@g> {mark}
      : (tensor<4xf32>, tensor<6xi32>) into (tensor<2xf32>, tensor<3xi32>)
      -> tensor<2xf32>, tensor<3xi32>
  return %r#0, %r#1 : tensor<2xf32>, tensor<3xi32>
}

// CHECK-LABEL: func.func @sizes_known_on_one_side_only
func.func @sizes_known_on_one_side_only(%x: tensor<?xf32>, %out: tensor<4xf32>,
    %y: tensor<?x2xf32>, %all: tensor<?x2xf32>) -> (tensor<4xf32>, tensor<?x2xf32>) {
  // CHECK: %[[W:.*]] = dist.wait %{{.*}} : !dist.future<tensor<?xf32>>
  // CHECK: %[[CAST:.*]] = tensor.cast %[[W]] : tensor<?xf32> to tensor<4xf32>
  // CHECK: materialize_in_destination %[[CAST]] in
  %r = dist.all_reduce_into sum %x into %out on <@g>
      : (tensor<?xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: dist.all_gather %{{.*}} dim 0 on <@g> : (tensor<?x2xf32>) -> !dist.future<tensor<?x2xf32>>
  %s = dist.all_gather_into %y into %all dim 0 on <@g>
      : (tensor<?x2xf32>) into (tensor<?x2xf32>) -> tensor<?x2xf32>
  return %r, %s : tensor<4xf32>, tensor<?x2xf32>
}

// CHECK-LABEL: func.func @memrefs_name_their_buffers
// CHECK-SAME: (%[[X:.*]]: memref<4xf32>, %[[OUT:.*]]: memref<8xf32>)
func.func @memrefs_name_their_buffers(%x: memref<4xf32>, %out: memref<8xf32>) {
  // CHECK-NEXT: %[[F:.*]] = dist.all_gather %[[X]] into %[[OUT]] dim 0 on <@g> : (memref<4xf32>) into (memref<8xf32>) -> !dist.future<memref<8xf32>>
  // CHECK-NEXT: dist.wait %[[F]] keeps(%[[X]] : memref<4xf32>) into(%[[OUT]] : memref<8xf32>)
  dist.all_gather_into %x into %out dim 0 on <@g>
      : (memref<4xf32>) into (memref<8xf32>)
  // CHECK-NEXT: %[[B:.*]] = dist.broadcast %[[X]] into %[[X]] root 0
  // CHECK-NEXT: dist.wait %[[B]] keeps(%[[X]] : memref<4xf32>) into(%[[X]] : memref<4xf32>)
  dist.broadcast_into %x into %x root 0 on <@g>
      : (memref<4xf32>) into (memref<4xf32>)
  return
}

// CHECK-LABEL: func.func @async_in_place_keeps_its_future
func.func @async_in_place_keeps_its_future(%x: memref<4xf32>, %out: memref<8xf32>)
    -> !dist.future<memref<8xf32>> {
  // CHECK-NEXT: %[[F:.*]] = dist.all_gather
  // CHECK-NEXT: return %[[F]]
  %f = dist.all_gather %x into %out dim 0 on <@g>
      : (memref<4xf32>) into (memref<8xf32>) -> !dist.future<memref<8xf32>>
  return %f : !dist.future<memref<8xf32>>
}

// CHECK-LABEL: func.func @exchanges
// CHECK-SAME: (%[[X:.*]]: tensor<?x4xf32>, %[[OUT:.*]]: tensor<8x2xf32>, %[[M:.*]]: memref<4xf32>)
func.func @exchanges(%x: tensor<?x4xf32>, %out: tensor<8x2xf32>,
                     %m: memref<4xf32>)
    -> (tensor<8x2xf32>, tensor<8x2xf32>, tensor<8x2xf32>) {
  // CHECK-NEXT: %[[F:.*]] = dist.all_to_all %[[X]] split_dim 1 concat_dim 0 on <@g> {mark} : (tensor<?x4xf32>) -> !dist.future<tensor<8x2xf32>>
  // CHECK-NEXT: %[[W:.*]] = dist.wait %[[F]] : !dist.future<tensor<8x2xf32>>
  // CHECK-NEXT: %[[A:.*]] = bufferization.materialize_in_destination %[[W]] in %[[OUT]]
  %a = dist.all_to_all_into %x into %out split_dim 1 concat_dim 0 on <@g> {mark}
      : (tensor<?x4xf32>) into (tensor<8x2xf32>) -> tensor<8x2xf32>
  // CHECK-NEXT: dist.permute %[[A]] pairs {{\[\[}}0, 1]] on <@g> : (tensor<8x2xf32>)
  // CHECK: bufferization.materialize_in_destination %{{.*}} in %[[A]]
  %b = dist.permute_into %a into %a pairs [[0, 1]] on <@g>
      : (tensor<8x2xf32>) into (tensor<8x2xf32>) -> tensor<8x2xf32>
  // CHECK: dist.reduce min %{{.*}} root 1 on <@g> : (tensor<8x2xf32>)
  // CHECK: bufferization.materialize_in_destination
  %c = dist.reduce_into min %b into %b root 1 on <@g>
      : (tensor<8x2xf32>) into (tensor<8x2xf32>) -> tensor<8x2xf32>
  // CHECK: %[[P:.*]] = dist.permute %[[M]] into %[[M]] pairs {{\[\[}}1, 0]] on <@g>
  // CHECK-NEXT: dist.wait %[[P]] keeps(%[[M]] : memref<4xf32>) into(%[[M]] : memref<4xf32>)
  dist.permute_into %m into %m pairs [[1, 0]] on <@g>
      : (memref<4xf32>) into (memref<4xf32>)
  return %a, %b, %c : tensor<8x2xf32>, tensor<8x2xf32>, tensor<8x2xf32>
}
