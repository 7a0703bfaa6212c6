// RUN: dist-opt %s -canonicalize -split-input-file | FileCheck %s
// RUN: dist-opt %s -canonicalize -split-input-file -o %t.once
// RUN: dist-opt %t.once -canonicalize -split-input-file -o %t.twice
// RUN: diff %t.once %t.twice

// Groups of one.

dist.mesh @m ["one" = 1, "two" = 2]

// CHECK-LABEL: func.func @group_of_one_gives_its_source(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<2xf32>
// CHECK-NEXT:    return %[[X]], %[[X]], %[[Y]], %[[X]], %[[X]]
func.func @group_of_one_gives_its_source(%x: tensor<4xf32>, %y: tensor<2xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<4xf32>,
        tensor<4xf32>) {
  %f = dist.all_gather %x dim 0 on <@m["one"]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %g:2 = dist.all_reduce avg %x, %y on <@m[]>
      : (tensor<4xf32>, tensor<2xf32>)
      -> !dist.future<tensor<4xf32>>, !dist.future<tensor<2xf32>>
  %h = dist.reduce_scatter sum %x dim 0 on <@m["one"]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %i = dist.broadcast %x root 0 on <@m["two":(1)1]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %a = dist.wait %f keeps(%x : tensor<4xf32>) : !dist.future<tensor<4xf32>>
  %b:2 = dist.wait %g#0, %g#1
      : !dist.future<tensor<4xf32>>, !dist.future<tensor<2xf32>>
  %c = dist.wait %h : !dist.future<tensor<4xf32>>
  %d = dist.wait %i : !dist.future<tensor<4xf32>>
  return %a, %b#0, %b#1, %c, %d
      : tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<4xf32>,
        tensor<4xf32>
}

// CHECK-LABEL: func.func @group_of_one_multiplies_with_its_factor(
// CHECK:         dist.all_reduce premul_sum
func.func @group_of_one_multiplies_with_its_factor(%x: tensor<4xf32>, %s: f64)
    -> tensor<4xf32> {
  %f = dist.all_reduce premul_sum %x factors(%s) on <@m[]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %y = dist.wait %f : !dist.future<tensor<4xf32>>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @group_of_one_exchanges_with_itself(
// CHECK-SAME:    %[[X:.*]]: tensor<4x2xf32>
// CHECK-NEXT:    return %[[X]], %[[X]], %[[X]]
func.func @group_of_one_exchanges_with_itself(%x: tensor<4x2xf32>)
    -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
  %f = dist.all_to_all %x split_dim 0 concat_dim 1 on <@m["one"]>
      : (tensor<4x2xf32>) -> !dist.future<tensor<4x2xf32>>
  %g = dist.permute %x pairs [[0, 0]] on <@m["one"]>
      : (tensor<4x2xf32>) -> !dist.future<tensor<4x2xf32>>
  %h = dist.reduce avg %x root 0 on <@m["one"]>
      : (tensor<4x2xf32>) -> !dist.future<tensor<4x2xf32>>
  %a:3 = dist.wait %f, %g, %h
      : !dist.future<tensor<4x2xf32>>, !dist.future<tensor<4x2xf32>>,
        !dist.future<tensor<4x2xf32>>
  return %a#0, %a#1, %a#2
      : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>
}

// Nobody sends, so that the only member receives zeros.
// CHECK-LABEL: func.func @group_of_one_without_pairs(
// CHECK:         %[[F:.*]] = dist.permute
// CHECK:         dist.wait %[[F]]
func.func @group_of_one_without_pairs(%x: tensor<4xf32>) -> tensor<4xf32> {
  %f = dist.permute %x pairs [] on <@m["one"]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %a = dist.wait %f : !dist.future<tensor<4xf32>>
  return %a : tensor<4xf32>
}

// An identity, but a collective of two members.
// CHECK-LABEL: func.func @permute_from_each_to_itself(
// CHECK:         %[[F:.*]] = dist.permute
// CHECK:         dist.wait %[[F]]
func.func @permute_from_each_to_itself(%x: tensor<4xf32>) -> tensor<4xf32> {
  %f = dist.permute %x pairs [[0, 0], [1, 1]] on <@m["two"]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %a = dist.wait %f : !dist.future<tensor<4xf32>>
  return %a : tensor<4xf32>
}

// CHECK-LABEL: func.func @cast_before_an_exchange(
// CHECK-SAME:    %[[X:.*]]: tensor<4x2xf32>
// CHECK:         %[[F:.*]] = dist.all_to_all %[[X]] split_dim 0 concat_dim 1 on <@m["two"]> : (tensor<4x2xf32>) -> !dist.future<tensor<2x4xf32>>
// CHECK:         %[[A:.*]] = dist.wait %[[F]] : !dist.future<tensor<2x4xf32>>
// CHECK:         %[[CAST:.*]] = tensor.cast %[[A]] : tensor<2x4xf32> to tensor<?x?xf32>
// CHECK:         return %[[CAST]]
func.func @cast_before_an_exchange(%x: tensor<4x2xf32>) -> tensor<?x?xf32> {
  %y = tensor.cast %x : tensor<4x2xf32> to tensor<?x?xf32>
  %f = dist.all_to_all %y split_dim 0 concat_dim 1 on <@m["two"]>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %a = dist.wait %f : !dist.future<tensor<?x?xf32>>
  return %a : tensor<?x?xf32>
}

// That 5 rows do not split is for the run time to say.
// CHECK-LABEL: func.func @cast_that_shows_a_mistake(
// CHECK:         tensor.cast %{{.*}} : tensor<5xf32> to tensor<?xf32>
// CHECK:         dist.all_to_all %{{.*}} : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
func.func @cast_that_shows_a_mistake(%x: tensor<5xf32>) -> tensor<?xf32> {
  %y = tensor.cast %x : tensor<5xf32> to tensor<?xf32>
  %f = dist.all_to_all %y split_dim 0 concat_dim 0 on <@m["two"]>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %a = dist.wait %f : !dist.future<tensor<?xf32>>
  return %a : tensor<?xf32>
}

// All uses are waits, one of them in a branch and with a future of two members,
// which stays.
// CHECK-LABEL: func.func @group_of_one_with_many_waits(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[C:.*]]: i1
// CHECK-NEXT:    %[[F:.*]] = dist.all_reduce sum %[[X]] on <@m["two"]>
// CHECK-NOT:     dist.all_gather
// CHECK:         scf.if
// CHECK:           %[[W:.*]] = dist.wait %[[F]] keeps(%[[X]] : tensor<4xf32>) : !dist.future<tensor<4xf32>>
// CHECK:           arith.addf %[[X]], %[[W]]
// CHECK:           dist.wait %[[F]] : !dist.future<tensor<4xf32>>
func.func @group_of_one_with_many_waits(%x: tensor<4xf32>, %c: i1)
    -> tensor<4xf32> {
  %f = dist.all_gather %x dim 0 on <@m["one"]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %g = dist.all_reduce sum %x on <@m["two"]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = scf.if %c -> tensor<4xf32> {
    %a:2 = dist.wait %f, %g keeps(%x : tensor<4xf32>)
        : !dist.future<tensor<4xf32>>, !dist.future<tensor<4xf32>>
    %s = arith.addf %a#0, %a#1 : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    %b:2 = dist.wait %g, %f
        : !dist.future<tensor<4xf32>>, !dist.future<tensor<4xf32>>
    %s = arith.mulf %b#0, %b#1 : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @group_of_one_forgets_sizes(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT:    %[[CAST:.*]] = tensor.cast %[[X]] : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT:    return %[[CAST]]
func.func @group_of_one_forgets_sizes(%x: tensor<4xf32>) -> tensor<?xf32> {
  %f = dist.all_gather %x dim 0 on <@m["one"]>
      : (tensor<4xf32>) -> !dist.future<tensor<?xf32>>
  %a = dist.wait %f : !dist.future<tensor<?xf32>>
  return %a : tensor<?xf32>
}

// A future that leaves the function is still a future.
// CHECK-LABEL: func.func @group_of_one_whose_future_is_returned(
// CHECK:         dist.all_gather
// CHECK:         dist.wait
func.func @group_of_one_whose_future_is_returned(%x: tensor<4xf32>)
    -> (tensor<4xf32>, !dist.future<tensor<4xf32>>) {
  %f = dist.all_gather %x dim 0 on <@m["one"]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %a = dist.wait %f : !dist.future<tensor<4xf32>>
  return %a, %f : tensor<4xf32>, !dist.future<tensor<4xf32>>
}

// A future that nobody waits for is a mistake, which a checker reports.
// CHECK-LABEL: func.func @group_of_one_that_is_never_waited(
// CHECK:         dist.all_gather
func.func @group_of_one_that_is_never_waited(%x: tensor<4xf32>) {
  %f = dist.all_gather %x dim 0 on <@m["one"]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// A destination has to be written, and who has prepared a start counts on it.
// CHECK-LABEL: func.func @group_of_one_with_buffers(
// CHECK:         dist.all_gather
// CHECK:         dist.wait
// CHECK:         dist.all_reduce_into
// CHECK:         dist.all_reduce
// CHECK:         dist.wait
func.func @group_of_one_with_buffers(%x: memref<4xf32>, %d: memref<4xf32>,
                                     %t: tensor<4xf32>, %u: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %f = dist.all_gather %x into %d dim 0 on <@m["one"]>
      : (memref<4xf32>) into (memref<4xf32>) -> !dist.future<memref<4xf32>>
  %a = dist.wait %f : !dist.future<memref<4xf32>>
  %r = dist.all_reduce_into sum %t into %u on <@m["one"]>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  %g = dist.all_reduce sum %t on <@m["one"]>
      {source_modes = [#dist.source<copy>]}
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %b = dist.wait %g : !dist.future<tensor<4xf32>>
  return %r, %b : tensor<4xf32>, tensor<4xf32>
}

// On the other rank of the mesh the result is zeros.
// CHECK-LABEL: func.func @table_of_one_in_a_world_of_two(
// CHECK:         dist.all_gather
// CHECK:         dist.wait
func.func @table_of_one_in_a_world_of_two(%x: tensor<4xf32>) -> tensor<4xf32> {
  %f = dist.all_gather %x dim 0 on <[[0]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %a = dist.wait %f : !dist.future<tensor<4xf32>>
  return %a : tensor<4xf32>
}

// CHECK-LABEL: func.func @tables_of_one_for_all_of_the_world(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT:    return %[[X]]
func.func @tables_of_one_for_all_of_the_world(%x: tensor<4xf32>)
    -> tensor<4xf32> {
  %f = dist.all_gather %x dim 0 on <[[1], [0]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %a = dist.wait %f : !dist.future<tensor<4xf32>>
  return %a : tensor<4xf32>
}

// -----

// Without a mesh nothing says how large the world is.
// CHECK-LABEL: func.func @table_of_one_in_an_unknown_world(
// CHECK:         dist.all_gather
func.func @table_of_one_in_an_unknown_world(%x: tensor<4xf32>)
    -> tensor<4xf32> {
  %f = dist.all_gather %x dim 0 on <[[0]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %a = dist.wait %f : !dist.future<tensor<4xf32>>
  return %a : tensor<4xf32>
}

// -----

// CHECK: module attributes {dist.keep_groups_of_one}
module attributes {dist.keep_groups_of_one} {
  dist.mesh @m ["one" = 1]
  // CHECK-LABEL: func.func @kept_for_a_benchmark(
  // CHECK:         dist.all_gather
  // CHECK:         dist.wait
  func.func @kept_for_a_benchmark(%x: tensor<4xf32>) -> tensor<4xf32> {
    %f = dist.all_gather %x dim 0 on <@m["one"]>
        : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    %a = dist.wait %f : !dist.future<tensor<4xf32>>
    return %a : tensor<4xf32>
  }
}

// -----

// Waits.

// CHECK-LABEL: func.func @second_wait_in_a_block_reuses_the_tensor(
// CHECK-SAME:    %[[F:.*]]: !dist.future<tensor<4xf32>>
// CHECK-NEXT:    %[[A:.*]] = dist.wait %[[F]]
// CHECK-NEXT:    return %[[A]], %[[A]]
func.func @second_wait_in_a_block_reuses_the_tensor(
    %f: !dist.future<tensor<4xf32>>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = dist.wait %f : !dist.future<tensor<4xf32>>
  %b = dist.wait %f : !dist.future<tensor<4xf32>>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @one_wait_names_a_future_twice(
// CHECK-SAME:    %[[F:.*]]: !dist.future<tensor<4xf32>>, %[[G:.*]]: !dist.future<tensor<4xf32>>
// CHECK-NEXT:    %[[A:.*]]:2 = dist.wait %[[F]], %[[G]]
// CHECK-NEXT:    return %[[A]]#0, %[[A]]#0, %[[A]]#1, %[[A]]#0
func.func @one_wait_names_a_future_twice(
    %f: !dist.future<tensor<4xf32>>, %g: !dist.future<tensor<4xf32>>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a:4 = dist.wait %f, %f, %g, %f
      : !dist.future<tensor<4xf32>>, !dist.future<tensor<4xf32>>,
        !dist.future<tensor<4xf32>>, !dist.future<tensor<4xf32>>
  return %a#0, %a#1, %a#2, %a#3
      : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Only what both wait for goes; the second still waits for the other future.
// CHECK-LABEL: func.func @second_wait_keeps_what_is_its_own(
// CHECK-SAME:    %[[F:.*]]: !dist.future<tensor<4xf32>>, %[[G:.*]]: !dist.future<tensor<4xf32>>, %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT:    %[[A:.*]] = dist.wait %[[F]]
// CHECK-NEXT:    %[[B:.*]] = dist.wait %[[G]] keeps(%[[X]] : tensor<4xf32>)
// CHECK-NEXT:    return %[[A]], %[[A]], %[[B]]
func.func @second_wait_keeps_what_is_its_own(
    %f: !dist.future<tensor<4xf32>>, %g: !dist.future<tensor<4xf32>>,
    %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = dist.wait %f : !dist.future<tensor<4xf32>>
  %b:2 = dist.wait %f, %g keeps(%x : tensor<4xf32>)
      : !dist.future<tensor<4xf32>>, !dist.future<tensor<4xf32>>
  return %a, %b#0, %b#1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A buffer is fresh each time, and another block may not be reached.
// CHECK-LABEL: func.func @waits_that_stay(
// CHECK-COUNT-2: -> memref<4xf32>
// CHECK:         scf.if
// CHECK:           dist.wait
// CHECK:         dist.wait
func.func @waits_that_stay(%f: !dist.future<tensor<4xf32>>,
    %g: !dist.future<tensor<4xf32>>, %c: i1)
    -> (memref<4xf32>, memref<4xf32>, tensor<4xf32>) {
  %a = dist.wait %f : !dist.future<tensor<4xf32>> -> memref<4xf32>
  %b = dist.wait %f : !dist.future<tensor<4xf32>> -> memref<4xf32>
  scf.if %c {
    %d = dist.wait %g : !dist.future<tensor<4xf32>>
    %e = tensor.extract_slice %d[0][2][1] : tensor<4xf32> to tensor<2xf32>
  }
  %e = dist.wait %g : !dist.future<tensor<4xf32>>
  return %a, %b, %e : memref<4xf32>, memref<4xf32>, tensor<4xf32>
}

// -----

// Casts.

// CHECK-LABEL: func.func @cast_folds_into_a_gather(
// CHECK-SAME:    %[[X:.*]]: tensor<4x3xf32>
// CHECK-NEXT:    %[[F:.*]] = dist.all_gather %[[X]] dim 0 on <{{.*}}> : (tensor<4x3xf32>) -> !dist.future<tensor<8x3xf32>>
// CHECK-NEXT:    %[[Y:.*]] = dist.wait %[[F]] : !dist.future<tensor<8x3xf32>>
// CHECK-NEXT:    %[[R:.*]] = tensor.cast %[[Y]] : tensor<8x3xf32> to tensor<?x?xf32>
// CHECK-NEXT:    return %[[R]], %[[R]]
func.func @cast_folds_into_a_gather(%x: tensor<4x3xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c = tensor.cast %x : tensor<4x3xf32> to tensor<?x?xf32>
  %f = dist.all_gather %c dim 0 on <[[0, 1]]>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?x?xf32>>
  return %y, %y : tensor<?x?xf32>, tensor<?x?xf32>
}

// The type of a future that leaves is seen elsewhere.
// CHECK-LABEL: func.func @cast_folds_but_the_returned_future_stays(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT:    %[[F:.*]] = dist.all_reduce sum %[[X]] on <{{.*}}> : (tensor<4xf32>) -> !dist.future<tensor<?xf32>>
// CHECK-NEXT:    return %[[F]]
func.func @cast_folds_but_the_returned_future_stays(%x: tensor<4xf32>)
    -> !dist.future<tensor<?xf32>> {
  %c = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  %f = dist.all_reduce sum %c on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  return %f : !dist.future<tensor<?xf32>>
}

// 3 does not divide by 2, and 4 times 2 is not 10: the run time says so.
// CHECK-LABEL: func.func @cast_contradicts_the_group(
// CHECK:         tensor.cast
// CHECK:         tensor.cast
// CHECK:         dist.reduce_scatter sum %{{.*}} : (tensor<?xf32>)
// CHECK:         dist.all_gather %{{.*}} : (tensor<?xf32>)
func.func @cast_contradicts_the_group(%x: tensor<3xf32>, %y: tensor<4xf32>)
    -> (tensor<?xf32>, tensor<10xf32>) {
  %c = tensor.cast %x : tensor<3xf32> to tensor<?xf32>
  %d = tensor.cast %y : tensor<4xf32> to tensor<?xf32>
  %f = dist.reduce_scatter sum %c dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %g = dist.all_gather %d dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<10xf32>>
  %a = dist.wait %f : !dist.future<tensor<?xf32>>
  %b = dist.wait %g : !dist.future<tensor<10xf32>>
  return %a, %b : tensor<?xf32>, tensor<10xf32>
}

// What MLIR does for every destination-passing operation.
// CHECK-LABEL: func.func @cast_folds_into_an_in_place_form(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[OUT:.*]]: tensor<8xf32>
// CHECK-NEXT:    %[[R:.*]] = dist.all_gather_into %[[X]] into %[[OUT]] dim 0 on <{{.*}}> : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %[[CAST:.*]] = tensor.cast %[[R]]
// CHECK-NEXT:    return %[[CAST]]
func.func @cast_folds_into_an_in_place_form(%x: tensor<4xf32>,
                                            %out: tensor<8xf32>)
    -> tensor<?xf32> {
  %c = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  %d = tensor.cast %out : tensor<8xf32> to tensor<?xf32>
  %r = dist.all_gather_into %c into %d dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) into (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// A cast that knows more than its source has to stay.
// CHECK-LABEL: func.func @cast_that_asserts_a_size(
// CHECK:         tensor.cast
// CHECK:         dist.all_reduce sum %{{.*}} : (tensor<4xf32>)
func.func @cast_that_asserts_a_size(%x: tensor<?xf32>) -> tensor<4xf32> {
  %c = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
  %f = dist.all_reduce sum %c on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %a = dist.wait %f : !dist.future<tensor<4xf32>>
  return %a : tensor<4xf32>
}

// -----

// Queries.

dist.mesh @m ["x" = 2, "y" = 4]
dist.process_group @unbound
dist.process_group @sized size 3

// CHECK-LABEL: func.func @size_folds_when_it_is_known(
// CHECK-DAG:     %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[W:.*]] = dist.group_size : index
// CHECK-DAG:     %[[U:.*]] = dist.group_size on <@unbound> : index
// CHECK:         return %[[C4]], %[[C3]], %[[U]], %[[W]]
func.func @size_folds_when_it_is_known() -> (index, index, index, index) {
  %a = dist.group_size on <@m["y"]> : index
  %b = dist.group_size on <@sized> : index
  %c = dist.group_size on <@unbound> : index
  %d = dist.group_size : index
  return %a, %b, %c, %d : index, index, index, index
}

// CHECK-LABEL: func.func @rank_never_folds(
// CHECK-DAG:     %[[A:.*]] = dist.rank : index
// CHECK-DAG:     %[[B:.*]] = dist.rank on <@m[]> : index
// CHECK:         return %[[A]], %[[B]]
func.func @rank_never_folds() -> (index, index) {
  %a = dist.rank : index
  %b = dist.rank on <@m[]> : index
  return %a, %b : index, index
}

// The size of a waited tensor is that of the source, before the start: nothing
// waits for it, and the source may still be given away.
// CHECK-LABEL: func.func @size_of_a_waited_tensor(
// CHECK-SAME:    %[[X:.*]]: tensor<?x?xf32>
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[D1:.*]] = tensor.dim %[[X]], %[[C1]]
// CHECK-DAG:     %[[PART:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG:     %[[D0:.*]] = arith.muli %[[PART]], %[[C2]]
// CHECK:         dist.all_gather
// CHECK-NOT:     tensor.dim
// CHECK:         return %{{.*}}, %[[D0]], %[[D1]]
func.func @size_of_a_waited_tensor(%x: tensor<?x?xf32>)
    -> (tensor<?x?xf32>, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?x?xf32>>
  %d0 = tensor.dim %y, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %y, %c1 : tensor<?x?xf32>
  return %y, %d0, %d1 : tensor<?x?xf32>, index, index
}

// A future from elsewhere does not say its size.
// CHECK-LABEL: func.func @size_of_a_future_argument(
// CHECK:         %[[Y:.*]] = dist.wait
// CHECK:         tensor.dim %[[Y]]
func.func @size_of_a_future_argument(%f: !dist.future<tensor<?xf32>>) -> index {
  %c0 = arith.constant 0 : index
  %y = dist.wait %f : !dist.future<tensor<?xf32>>
  %d = tensor.dim %y, %c0 : tensor<?xf32>
  return %d : index
}

// A size that there is not: for whoever asks.
// CHECK-LABEL: func.func @size_out_of_range(
// CHECK:         %[[Y:.*]] = dist.wait
// CHECK:         tensor.dim %[[Y]]
func.func @size_out_of_range(%x: tensor<?xf32>) -> index {
  %c1 = arith.constant 1 : index
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?xf32>>
  %d = tensor.dim %y, %c1 : tensor<?xf32>
  return %d : index
}

// What a cast promises of the result is promised by the future, where the run
// time compares it.
// CHECK-LABEL: func.func @cast_of_a_waited_tensor(
// CHECK:         %[[F:.*]] = dist.all_gather {{.*}} : (tensor<?xf32>) -> !dist.future<tensor<4xf32>>
// CHECK:         %[[Y:.*]] = dist.wait %[[F]] : !dist.future<tensor<4xf32>>
// CHECK:         return %[[Y]]
func.func @cast_of_a_waited_tensor(%x: tensor<?xf32>) -> tensor<4xf32> {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?xf32>>
  %z = tensor.cast %y : tensor<?xf32> to tensor<4xf32>
  return %z : tensor<4xf32>
}

// A cast that may not run promises nothing.
// CHECK-LABEL: func.func @cast_under_a_condition(
// CHECK:         dist.all_gather {{.*}} -> !dist.future<tensor<?xf32>>
// CHECK:         scf.if
// CHECK:         tensor.cast
func.func @cast_under_a_condition(%x: tensor<?xf32>, %p: i1, %z: tensor<4xf32>)
    -> tensor<4xf32> {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?xf32>>
  %r = scf.if %p -> tensor<4xf32> {
    %c = tensor.cast %y : tensor<?xf32> to tensor<4xf32>
    scf.yield %c : tensor<4xf32>
  } else {
    scf.yield %z : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// No size of the source gives this one.
// CHECK-LABEL: func.func @cast_that_contradicts_the_group(
// CHECK:         dist.all_gather {{.*}} -> !dist.future<tensor<?xf32>>
// CHECK:         tensor.cast
func.func @cast_that_contradicts_the_group(%x: tensor<?xf32>) -> tensor<5xf32> {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?xf32>>
  %z = tensor.cast %y : tensor<?xf32> to tensor<5xf32>
  return %z : tensor<5xf32>
}

// Casts that need two sizes of the one group: nothing is promised.
// CHECK-LABEL: func.func @casts_of_an_unbound_group(
// CHECK:         dist.all_gather {{.*}} -> !dist.future<tensor<?xf32>>, !dist.future<tensor<?xf32>>
func.func @casts_of_an_unbound_group(%x: tensor<2xf32>, %y: tensor<3xf32>)
    -> (tensor<4xf32>, tensor<9xf32>) {
  %f:2 = dist.all_gather %x, %y dim 0 on <@unbound>
      : (tensor<2xf32>, tensor<3xf32>)
      -> !dist.future<tensor<?xf32>>, !dist.future<tensor<?xf32>>
  %r:2 = dist.wait %f#0, %f#1
      : !dist.future<tensor<?xf32>>, !dist.future<tensor<?xf32>>
  %a = tensor.cast %r#0 : tensor<?xf32> to tensor<4xf32>
  %b = tensor.cast %r#1 : tensor<?xf32> to tensor<9xf32>
  return %a, %b : tensor<4xf32>, tensor<9xf32>
}
