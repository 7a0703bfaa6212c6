// bug23-order-inside-a-group: the order of a group decides which piece goes where
// and what a root means.
//
// RUN: %python %S/../run_program.py %s

// The table, and a mesh whose device permutation says the same.
// FOR G: <[[2,0,3,1]]> <@m["x"]>
// CASE: bugs bug23-order-inside-a-group
// RANKS: 4
// ARG: i32([rank])
// ARG: i32([10 * rank + i for i in range(4)])
// RESULT: expected["a"][rank]
// RESULT: expected["b"][rank]
// RESULT: expected["c"][rank]
dist.mesh @m ["x" = 4] device_ids [2, 0, 3, 1]
func.func @one_group(%x: tensor<1xi32>, %y: tensor<4xi32>)
    -> (tensor<4xi32>, tensor<1xi32>, tensor<1xi32>) {
  %f = dist.all_gather %x dim 0 on $G
      : (tensor<1xi32>) -> !dist.future<tensor<4xi32>>
  %g = dist.reduce_scatter sum %y dim 0 on $G
      : (tensor<4xi32>) -> !dist.future<tensor<1xi32>>
  %h = dist.broadcast %x root 0 on $G
      : (tensor<1xi32>) -> !dist.future<tensor<1xi32>>
  %a = dist.wait %f : !dist.future<tensor<4xi32>>
  %b = dist.wait %g : !dist.future<tensor<1xi32>>
  %c = dist.wait %h : !dist.future<tensor<1xi32>>
  return %a, %b, %c : tensor<4xi32>, tensor<1xi32>, tensor<1xi32>
}

// -----
// CASE: bugs bug23-order-inside-a-group
// RANKS: 4
// ARG: i32([rank])
// RESULT: expected["d"][rank]
func.func @root_of_two_groups(%x: tensor<1xi32>) -> tensor<1xi32> {
  %f = dist.broadcast %x root 1 on <[[0, 1], [2, 3]]>
      : (tensor<1xi32>) -> !dist.future<tensor<1xi32>>
  %d = dist.wait %f : !dist.future<tensor<1xi32>>
  return %d : tensor<1xi32>
}

// -----
// Late-bound: the order comes with the option.
// CASE: bugs bug23-order-inside-a-group
// RANKS: 4
// FLAGS: --group g=2,0,3,1
// ARG: i32([rank])
// ARG: i32([10 * rank + i for i in range(4)])
// RESULT: expected["a"][rank]
// RESULT: expected["b"][rank]
// RESULT: expected["c"][rank]
dist.process_group @g size 4
func.func @late_bound(%x: tensor<1xi32>, %y: tensor<4xi32>)
    -> (tensor<4xi32>, tensor<1xi32>, tensor<1xi32>) {
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<1xi32>) -> !dist.future<tensor<4xi32>>
  %g = dist.reduce_scatter sum %y dim 0 on <@g>
      : (tensor<4xi32>) -> !dist.future<tensor<1xi32>>
  %h = dist.broadcast %x root 0 on <@g>
      : (tensor<1xi32>) -> !dist.future<tensor<1xi32>>
  %a = dist.wait %f : !dist.future<tensor<4xi32>>
  %b = dist.wait %g : !dist.future<tensor<1xi32>>
  %c = dist.wait %h : !dist.future<tensor<1xi32>>
  return %a, %b, %c : tensor<4xi32>, tensor<1xi32>, tensor<1xi32>
}

// -----
// Two groups of two in several orders, along both dims, for all four collectives.
// dist.rank gives the position in the group.
// FOR G: [[0,1],[2,3]] [[1,0],[2,3]] [[3,0],[1,2]] [[2,1],[0,3]]
// RANKS: 4
// LET: group = [g for g in $G if rank in g][0]
// LET: place = group.index(rank)
// LET: x = [np.array([[r, r + 10], [r + 20, r + 30]]) for r in group]
// ARG: i32(x[place])
// RESULT: np.concatenate(x, 0)
// RESULT: np.concatenate(x, 1)
// RESULT: (x[0] + x[1])[place:place + 1]
// RESULT: (x[0] + x[1])[:, place:place + 1]
// RESULT: x[0]
// RESULT: x[1]
// RESULT: np.minimum(x[0], x[1])
// RESULT: place
func.func @two_groups(%x: tensor<2x2xi32>)
    -> (tensor<4x2xi32>, tensor<2x4xi32>, tensor<1x2xi32>, tensor<2x1xi32>,
        tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>, index) {
  %f = dist.all_gather %x dim 0 on <$G>
      : (tensor<2x2xi32>) -> !dist.future<tensor<4x2xi32>>
  %g = dist.all_gather %x dim 1 on <$G>
      : (tensor<2x2xi32>) -> !dist.future<tensor<2x4xi32>>
  %h = dist.reduce_scatter sum %x dim 0 on <$G>
      : (tensor<2x2xi32>) -> !dist.future<tensor<1x2xi32>>
  %i = dist.reduce_scatter sum %x dim 1 on <$G>
      : (tensor<2x2xi32>) -> !dist.future<tensor<2x1xi32>>
  %j = dist.broadcast %x root 0 on <$G>
      : (tensor<2x2xi32>) -> !dist.future<tensor<2x2xi32>>
  %k = dist.broadcast %x root 1 on <$G>
      : (tensor<2x2xi32>) -> !dist.future<tensor<2x2xi32>>
  %l = dist.all_reduce min %x on <$G>
      : (tensor<2x2xi32>) -> !dist.future<tensor<2x2xi32>>
  %a = dist.wait %f : !dist.future<tensor<4x2xi32>>
  %b = dist.wait %g : !dist.future<tensor<2x4xi32>>
  %c = dist.wait %h : !dist.future<tensor<1x2xi32>>
  %d = dist.wait %i : !dist.future<tensor<2x1xi32>>
  %e = dist.wait %j : !dist.future<tensor<2x2xi32>>
  %m = dist.wait %k : !dist.future<tensor<2x2xi32>>
  %n = dist.wait %l : !dist.future<tensor<2x2xi32>>
  %place = dist.rank on <$G> : index
  return %a, %b, %c, %d, %e, %m, %n, %place
      : tensor<4x2xi32>, tensor<2x4xi32>, tensor<1x2xi32>, tensor<2x1xi32>,
        tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>, index
}

// -----
// Axes of a mesh with a device permutation: rank ids stand row-major as
// [[3, 1], [0, 2]]. Axes in reverse order make another order.
// FOR A: "x" "y" "x","y" "y","x"
// RANKS: 4
// LET: m = np.array([[3, 1], [0, 2]])
// LET: rows = {'"x"': m.T, '"y"': m, '"x","y"': m.reshape(1, 4), '"y","x"': m.T.reshape(1, 4)}['$A']
// LET: group = [list(g) for g in rows if rank in g][0]
// LET: size = len(group)
// ARG: i32([rank])
// ARG: i32([10 * rank + i for i in range(4)])
// RESULT: group
// RESULT: [sum(10 * r + i for r in group) for i in range(4)]
// RESULT: [group[size - 1]] if size == 2 else [group[1]]
// RESULT: group.index(rank)
dist.mesh @m ["x" = 2, "y" = 2] device_ids [3, 1, 0, 2]
func.func @axes_of_permuted_mesh(%x: tensor<1xi32>, %y: tensor<4xi32>)
    -> (tensor<?xi32>, tensor<4xi32>, tensor<1xi32>, index) {
  %f = dist.all_gather %x dim 0 on <@m[$A]>
      : (tensor<1xi32>) -> !dist.future<tensor<?xi32>>
  %g = dist.all_reduce sum %y on <@m[$A]>
      : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %h = dist.broadcast %x root 1 on <@m[$A]>
      : (tensor<1xi32>) -> !dist.future<tensor<1xi32>>
  %a = dist.wait %f : !dist.future<tensor<?xi32>>
  %b = dist.wait %g : !dist.future<tensor<4xi32>>
  %c = dist.wait %h : !dist.future<tensor<1xi32>>
  %place = dist.rank on <@m[$A]> : index
  return %a, %b, %c, %place
      : tensor<?xi32>, tensor<4xi32>, tensor<1xi32>, index
}

// -----
// Ranks outside of the group: a functional result is zeros, a destination is
// zeroed, the position is -1.
// RANKS: 4
// LET: inside = rank in (1, 3)
// ARG: i32([rank + 1, rank + 2])
// ARG: i32([7, 7])
// RESULT: [4, 5, 2, 3] if inside else [0, 0, 0, 0]
// RESULT: [6, 8] if inside else [0, 0]
// RESULT: {3: 0, 1: 1}.get(rank, -1)
// AFTER 1: [6, 8] if inside else [0, 0]
func.func @part_of_the_world(%x: tensor<2xi32>, %m: memref<2xi32>)
    -> (tensor<4xi32>, tensor<2xi32>, index) {
  %f = dist.all_gather %x dim 0 on <[[3, 1]]>
      : (tensor<2xi32>) -> !dist.future<tensor<4xi32>>
  %a = dist.wait %f : !dist.future<tensor<4xi32>>
  %empty = tensor.empty() : tensor<2xi32>
  %b = dist.all_reduce_into sum %x into %empty on <[[3, 1]]>
      : (tensor<2xi32>) into (tensor<2xi32>) -> tensor<2xi32>
  %source = bufferization.to_buffer %x : tensor<2xi32> to memref<2xi32, strided<[?], offset: ?>>
  dist.all_reduce_into sum %source into %m on <[[3, 1]]>
      : (memref<2xi32, strided<[?], offset: ?>>) into (memref<2xi32>)
  %place = dist.rank on <[[3, 1]]> : index
  return %a, %b, %place : tensor<4xi32>, tensor<2xi32>, index
}
