// What generate-runtime-verification checks of collectives: sizes that the types
// leave open, and nothing else.
//
// RUN: dist-opt %s --generate-runtime-verification --cse --canonicalize | FileCheck %s

dist.process_group @g

// CHECK-LABEL: func.func @scattered_size_must_divide(
// CHECK-SAME:    %[[X:.*]]: tensor<?x?xf32>
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK:         %[[SIZE:.*]] = tensor.dim %[[X]], %[[C1]]
// CHECK:         %[[REST:.*]] = arith.remui %[[SIZE]], %[[C3]]
// CHECK:         %[[OK:.*]] = arith.cmpi eq, %[[REST]], %[[C0]]
// CHECK:         cf.assert %[[OK]], "{{.*}}size of dim 1 of source 0 is not divisible by the size 3 of group {{\[\[}}0,1,2]]{{.*}}runtime-op-verification.mlir
// CHECK-NOT:     cf.assert
// CHECK:         dist.reduce_scatter
func.func @scattered_size_must_divide(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %f = dist.reduce_scatter sum %x dim 1 on <[[0, 1, 2]]>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?x?xf32>>
  return %y : tensor<?x?xf32>
}

// The size of the group is what is unknown.
// CHECK-LABEL: func.func @static_size_of_an_unbound_group(
// CHECK-DAG:     %[[C6:.*]] = arith.constant 6 : index
// CHECK:         %[[SIZE:.*]] = dist.group_size on <@g>
// CHECK:         arith.remui %[[C6]], %[[SIZE]]
// CHECK:         cf.assert %{{.*}}, "{{.*}}size 6 of dim 0 of source 0 is not divisible by the size of group g
// CHECK:         %[[PART:.*]] = arith.divui %[[C6]], %[[SIZE]]
// CHECK:         %[[OK:.*]] = arith.cmpi eq, %[[PART]], %{{.*}}
// CHECK:         cf.assert %[[OK]], "{{.*}}size 3 of dim 0 of result 0 is not the size 6 of dim 0 of source 0 over the size of group g
// CHECK-NOT:     cf.assert
// CHECK:         dist.reduce_scatter
func.func @static_size_of_an_unbound_group(%x: tensor<6xf32>) -> tensor<3xf32> {
  %f = dist.reduce_scatter sum %x dim 0 on <@g>
      : (tensor<6xf32>) -> !dist.future<tensor<3xf32>>
  %y = dist.wait %f : !dist.future<tensor<3xf32>>
  return %y : tensor<3xf32>
}

// A promise of the second of two results.
// CHECK-LABEL: func.func @promised_size(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<?xf32>
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK:         %[[PART:.*]] = tensor.dim %[[Y]], %[[C0]]
// CHECK:         %[[WHOLE:.*]] = arith.muli %[[PART]], %[[C2]]
// CHECK:         %[[OK:.*]] = arith.cmpi eq, %[[WHOLE]], %[[C8]]
// CHECK:         cf.assert %[[OK]], "{{.*}}size 8 of dim 0 of result 1 is not the size of dim 0 of source 1 times the size 2 of group
// CHECK-NOT:     cf.assert
// CHECK:         dist.all_gather
func.func @promised_size(%x: tensor<?xf32>, %y: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<8xf32>) {
  %f:2 = dist.all_gather %x, %y dim 0 on <[[0, 1]]>
      : (tensor<?xf32>, tensor<?xf32>)
      -> !dist.future<tensor<?xf32>>, !dist.future<tensor<8xf32>>
  %r:2 = dist.wait %f#0, %f#1
      : !dist.future<tensor<?xf32>>, !dist.future<tensor<8xf32>>
  return %r#0, %r#1 : tensor<?xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @shape_that_is_kept(
// CHECK:         cf.assert %{{.*}}, "{{.*}}size 4 of dim 1 of result 0 is not the size of dim 1 of source 0{{[^ ]}}
// CHECK-NOT:     cf.assert
// CHECK:         dist.broadcast
func.func @shape_that_is_kept(%x: tensor<2x?xf32>) -> tensor<2x4xf32> {
  %f = dist.broadcast %x root 0 on <@g>
      : (tensor<2x?xf32>) -> !dist.future<tensor<2x4xf32>>
  %y = dist.wait %f : !dist.future<tensor<2x4xf32>>
  return %y : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @destination_of_a_buffer(
// CHECK-SAME:    %[[X:.*]]: memref<?x3xf32>, %[[OUT:.*]]: memref<?x?xf32>
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     memref.dim %[[OUT]], %[[C0]]
// CHECK-DAG:     memref.dim %[[X]], %[[C0]]
// CHECK:         cf.assert %{{.*}}, "{{.*}}size of dim 0 of destination 0 is not the size of dim 0 of source 0 times the size 2 of group
// CHECK:         memref.dim %[[OUT]], %[[C1]]
// CHECK:         cf.assert %{{.*}}, "{{.*}}size of dim 1 of destination 0 is not the size 3 of dim 1 of source 0
// CHECK:         dist.all_gather_into
func.func @destination_of_a_buffer(%x: memref<?x3xf32>, %out: memref<?x?xf32>) {
  dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (memref<?x3xf32>) into (memref<?x?xf32>)
  return
}

// CHECK-LABEL: func.func @destination_of_a_tensor(
// CHECK:         cf.assert %{{.*}}, "{{.*}}size of dim 0 of destination 0 is not the size of dim 0 of source 0
// CHECK-NOT:     cf.assert
// CHECK:         dist.all_reduce_into
func.func @destination_of_a_tensor(%x: tensor<?xf32>, %out: tensor<?xf32>)
    -> tensor<?xf32> {
  %r = dist.all_reduce_into sum %x into %out on <@g>
      : (tensor<?xf32>) into (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// A fresh result has the size that it gets.
// CHECK-LABEL: func.func @nothing_is_promised(
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @nothing_is_promised(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<?x4xf32>) -> !dist.future<tensor<?x4xf32>>
  %y = dist.wait %f : !dist.future<tensor<?x4xf32>>
  return %y : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @everything_is_static(
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @everything_is_static(%x: tensor<4xf32>, %m: memref<4xf32>,
                                %n: memref<2xf32>) -> tensor<8xf32> {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %y = dist.wait %f : !dist.future<tensor<8xf32>>
  dist.reduce_scatter_into sum %m into %n dim 0 on <[[0, 1]]>
      : (memref<4xf32>) into (memref<2xf32>)
  return %y : tensor<8xf32>
}

// Two dimensions of one source.
// CHECK-LABEL: func.func @exchanged_sizes(
// CHECK:         cf.assert %{{.*}}, "{{.*}}size of dim 0 of source 0 is not divisible by the size 2 of group
// CHECK:         cf.assert %{{.*}}, "{{.*}}size 3 of dim 0 of result 0 is not the size of dim 0 of source 0 over the size 2 of group
// CHECK:         cf.assert %{{.*}}, "{{.*}}size 8 of dim 1 of result 0 is not the size of dim 1 of source 0 times the size 2 of group
// CHECK-NOT:     cf.assert
// CHECK:         dist.all_to_all
func.func @exchanged_sizes(%x: tensor<?x?xf32>) -> tensor<3x8xf32> {
  %f = dist.all_to_all %x split_dim 0 concat_dim 1 on <[[0, 1]]>
      : (tensor<?x?xf32>) -> !dist.future<tensor<3x8xf32>>
  %y = dist.wait %f : !dist.future<tensor<3x8xf32>>
  return %y : tensor<3x8xf32>
}

// CHECK-LABEL: func.func @size_that_is_cut_and_kept(
// CHECK:         cf.assert %{{.*}}, "{{.*}}size of dim 0 of source 0 is not divisible by the size 2 of group
// CHECK-NOT:     cf.assert
// CHECK:         dist.all_to_all
func.func @size_that_is_cut_and_kept(%x: tensor<?xf32>) -> tensor<?xf32> {
  %f = dist.all_to_all %x split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?xf32>>
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func.func @shapes_that_permute_and_reduce_keep(
// CHECK:         cf.assert %{{.*}}, "{{.*}}size of dim 0 of destination 0 is not the size of dim 0 of source 0
// CHECK:         dist.permute_into
// CHECK:         cf.assert %{{.*}}, "{{.*}}size of dim 0 of destination 0 is not the size of dim 0 of source 0
// CHECK:         dist.reduce_into
func.func @shapes_that_permute_and_reduce_keep(%x: memref<?xf32>,
                                               %out: memref<?xf32>) {
  dist.permute_into %x into %out pairs [[0, 1]] on <[[0, 1]]>
      : (memref<?xf32>) into (memref<?xf32>)
  dist.reduce_into sum %x into %out root 0 on <[[0, 1]]>
      : (memref<?xf32>) into (memref<?xf32>)
  return
}
