// Sizes that disagree: of a mesh with the world, of a process group with what it
// declares.
//
// RUN: %python %S/run_program.py %s

// RANKS: 3
// ARG: [1.0]
// ERROR: mesh 'm' spans 2 ranks, but 3 run
dist.mesh @m ["x" = 2]
func.func @mesh_smaller_than_world(%x: tensor<1xf32>) -> tensor<1xf32> {
  %f = dist.all_reduce sum %x on <@m["x"]>
      : (tensor<1xf32>) -> !dist.future<tensor<1xf32>>
  %y = dist.wait %f : !dist.future<tensor<1xf32>>
  return %y : tensor<1xf32>
}

// -----
// RANKS: 2
// ARG: [1.0]
// ERROR: mesh 'm' spans 6 ranks, but 2 run
dist.mesh @m ["x" = 2, "y" = 3]
func.func @mesh_larger_than_world(%x: tensor<1xf32>) -> tensor<1xf32> {
  %f = dist.all_reduce sum %x on <@m["y"]>
      : (tensor<1xf32>) -> !dist.future<tensor<1xf32>>
  %y = dist.wait %f : !dist.future<tensor<1xf32>>
  return %y : tensor<1xf32>
}

// -----
// RANKS: 2
// FLAGS: --group g=0,1
// ARG: [1.0]
// ERROR: group @g is
// ERROR: 4
// ERROR: 2
dist.process_group @g size 4
func.func @group_smaller_than_declared(%x: tensor<1xf32>) -> tensor<1xf32> {
  %f = dist.all_reduce sum %x on <@g>
      : (tensor<1xf32>) -> !dist.future<tensor<1xf32>>
  %y = dist.wait %f : !dist.future<tensor<1xf32>>
  return %y : tensor<1xf32>
}

// -----
// The table of the module names a rank that the world does not have.
// RANKS: 2
// ARG: [1.0]
// ERROR: rank 3
// ERROR: @{dist.all_reduce}
func.func @table_outside_of_world(%x: tensor<1xf32>) -> tensor<1xf32> {
  %f = dist.all_reduce sum %x on <[[0, 3]]>
      : (tensor<1xf32>) -> !dist.future<tensor<1xf32>>
  %y = dist.wait %f : !dist.future<tensor<1xf32>>
  return %y : tensor<1xf32>
}

// -----
// A dynamic dim that does not divide: dim, size and group are named.
// RANKS: 3
// ARG: np.zeros((3, 4))
// ERROR: rank 0: reduce_scatter #0 on group [0, 1, 2]
// ERROR: dim 1
// ERROR: 4
// ERROR: group size 3
// ERROR: @{dist.reduce_scatter}
func.func @indivisible_at_run_time(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %f = dist.reduce_scatter sum %x dim 1 on <[[0, 1, 2]]>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?x?xf32>>
  return %y : tensor<?x?xf32>
}

// -----
// Ranks that bring different sizes.
// RANKS: 2
// ARG: np.zeros(2 + rank)
// ERROR: rank 0: collective #0 on group [0, 1]
// ERROR: rank 1: collective #0 on group [0, 1]
// ERROR: @{dist.all_gather}
func.func @sizes_differ(%x: tensor<?xf32>) -> tensor<?xf32> {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?xf32>>
  return %y : tensor<?xf32>
}
