// RUN: dist-opt %s -resolve-ranked-shaped-type-result-dims -canonicalize -cse | FileCheck %s

dist.process_group @g

// CHECK-LABEL: func.func @gathered_dim_is_source_times_group(
// CHECK-SAME:    %[[X:.*]]: tensor<?x?xf32>
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK:         dist.all_gather
// CHECK:         dist.wait
// CHECK-DAG:     %[[PART:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG:     %[[SIZE:.*]] = dist.group_size on <@g>
// CHECK-DAG:     %[[D0:.*]] = arith.muli %[[PART]], %[[SIZE]]
// CHECK-DAG:     %[[D1:.*]] = tensor.dim %[[X]], %[[C1]]
// CHECK:         return %[[D0]], %[[D1]]
func.func @gathered_dim_is_source_times_group(%x: tensor<?x?xf32>)
    -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?x?xf32>>
  %d0 = tensor.dim %y, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %y, %c1 : tensor<?x?xf32>
  return %d0, %d1 : index, index
}

// CHECK-LABEL: func.func @gathered_static_size_of_an_unbound_group(
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[SIZE:.*]] = dist.group_size on <@g>
// CHECK:         %[[D:.*]] = arith.muli %[[SIZE]], %[[C4]]
// CHECK:         return %[[D]]
func.func @gathered_static_size_of_an_unbound_group(%x: tensor<4xf32>)
    -> index {
  %c0 = arith.constant 0 : index
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?xf32>>
  %d0 = tensor.dim %y, %c0 : tensor<?xf32>
  return %d0 : index
}

// The second future of a launch has the second source.
// CHECK-LABEL: func.func @scattered_dim_is_source_over_group(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<?xf32>
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[WHOLE:.*]] = tensor.dim %[[Y]], %[[C0]]
// CHECK:         %[[D:.*]] = arith.divui %[[WHOLE]], %[[C2]]
// CHECK:         return %[[D]]
func.func @scattered_dim_is_source_over_group(%x: tensor<8xf32>,
                                              %y: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %f:2 = dist.reduce_scatter sum %x, %y dim 0 on <[[0, 1]]>
      : (tensor<8xf32>, tensor<?xf32>)
      -> !dist.future<tensor<4xf32>>, !dist.future<tensor<?xf32>>
  %r:2 = dist.wait %f#0, %f#1
      : !dist.future<tensor<4xf32>>, !dist.future<tensor<?xf32>>
  %d0 = tensor.dim %r#1, %c0 : tensor<?xf32>
  return %d0 : index
}

// CHECK-LABEL: func.func @in_place_result_has_the_destination_sizes(
// CHECK-SAME:    %{{.*}}: tensor<?xf32>, %[[OUT:.*]]: tensor<?xf32>
// CHECK:         %[[D:.*]] = tensor.dim %[[OUT]]
// CHECK:         return %[[D]]
func.func @in_place_result_has_the_destination_sizes(%x: tensor<?xf32>,
                                                     %out: tensor<?xf32>)
    -> index {
  %c0 = arith.constant 0 : index
  %r = dist.all_gather_into %x into %out dim 0 on <@g>
      : (tensor<?xf32>) into (tensor<?xf32>) -> tensor<?xf32>
  %d0 = tensor.dim %r, %c0 : tensor<?xf32>
  return %d0 : index
}

// A future that comes from elsewhere does not say its size.
// CHECK-LABEL: func.func @future_of_unknown_origin(
// CHECK:         %[[Y:.*]] = dist.wait
// CHECK:         tensor.dim %[[Y]]
func.func @future_of_unknown_origin(%f: !dist.future<tensor<?xf32>>) -> index {
  %c0 = arith.constant 0 : index
  %y = dist.wait %f : !dist.future<tensor<?xf32>>
  %d0 = tensor.dim %y, %c0 : tensor<?xf32>
  return %d0 : index
}

// CHECK-LABEL: func.func @exchanged_sizes(
// CHECK-SAME:    %[[X:.*]]: tensor<?x?x?xf32>
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[S0:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG:     %[[S1:.*]] = tensor.dim %[[X]], %[[C1]]
// CHECK-DAG:     %[[S2:.*]] = tensor.dim %[[X]], %[[C2]]
// CHECK-DAG:     %[[SIZE:.*]] = dist.group_size on <@g>
// CHECK-DAG:     %[[D0:.*]] = arith.muli %[[S0]], %[[SIZE]]
// CHECK-DAG:     %[[D1:.*]] = arith.divui %[[S1]], %[[SIZE]]
// CHECK:         return %[[D0]], %[[D1]], %[[S2]]
func.func @exchanged_sizes(%x: tensor<?x?x?xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f = dist.all_to_all %x split_dim 1 concat_dim 0 on <@g>
      : (tensor<?x?x?xf32>) -> !dist.future<tensor<?x?x?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?x?x?xf32>>
  %d0 = tensor.dim %y, %c0 : tensor<?x?x?xf32>
  %d1 = tensor.dim %y, %c1 : tensor<?x?x?xf32>
  %d2 = tensor.dim %y, %c2 : tensor<?x?x?xf32>
  return %d0, %d1, %d2 : index, index, index
}

// Cut and put together along one dimension: no size changes.
// CHECK-LABEL: func.func @recut_permuted_and_reduced_sizes(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>
// CHECK-NOT:     dist.group_size
// CHECK:         %[[D:.*]] = tensor.dim %[[X]]
// CHECK:         return %[[D]], %[[D]], %[[D]]
func.func @recut_permuted_and_reduced_sizes(%x: tensor<?xf32>)
    -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %f = dist.all_to_all %x split_dim 0 concat_dim 0 on <@g>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %g = dist.permute %x pairs [[0, 1]] on <@g>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %h = dist.reduce sum %x root 0 on <@g>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %a = dist.wait %f : !dist.future<tensor<?xf32>>
  %b = dist.wait %g : !dist.future<tensor<?xf32>>
  %c = dist.wait %h : !dist.future<tensor<?xf32>>
  %d0 = tensor.dim %a, %c0 : tensor<?xf32>
  %d1 = tensor.dim %b, %c0 : tensor<?xf32>
  %d2 = tensor.dim %c, %c0 : tensor<?xf32>
  return %d0, %d1, %d2 : index, index, index
}
