// Sizes that turn out wrong at run time: every rank says so and none hangs.
//
// RUN: %python %S/../run_program.py %s

// Static promise, wrong group size at run time.
// RANKS: 3
// FLAGS: --group g=0,1,2
// ARG: [1 + rank, 2]
// ERROR: rank 0: all_gather #0 on group [0, 1, 2]
// ERROR: rank 1: all_gather #0
// ERROR: rank 2: all_gather #0
// ERROR: @{dist.all_gather}
dist.process_group @g
func.func @promise_broken(%x: tensor<2xf32>) -> tensor<4xf32> {
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
  %y = dist.wait %f : !dist.future<tensor<4xf32>>
  return %y : tensor<4xf32>
}

// -----

// A cast of the waited tensor promises a size, and is found out at the start.
// ARG: [1 + rank, 2, 3]
// ERROR: rank 0: all_gather #0
// ERROR: rank 1: all_gather #0
// ERROR: @{dist.all_gather}
func.func @cast_wrong(%x: tensor<?xf32>) -> tensor<4xf32> {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?xf32>>
  %z = tensor.cast %y : tensor<?xf32> to tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// Static result of a dynamic source: same shape, wrong.
// ARG: [1 + rank, 2]
// ERROR: rank 0: all_reduce #0
// ERROR: rank 1: all_reduce #0
// ERROR: @{dist.all_reduce}
func.func @same_shape_broken(%x: tensor<?xf32>) -> tensor<3xf32> {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<3xf32>>
  %y = dist.wait %f : !dist.future<tensor<3xf32>>
  return %y : tensor<3xf32>
}

// -----

// Divisibility.
// RANKS: 3
// ARG: np.zeros((4, 5))
// ERROR: rank 0: reduce_scatter #0
// ERROR: size 5 of dim 1 is not divisible by the group size 3
// ERROR: @{dist.reduce_scatter}
func.func @indivisible(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %f = dist.reduce_scatter sum %x dim 1 on <[[0, 1, 2]]>
      : (tensor<4x?xf32>) -> !dist.future<tensor<4x?xf32>>
  %y = dist.wait %f : !dist.future<tensor<4x?xf32>>
  return %y : tensor<4x?xf32>
}

// -----

// Wrong destination shape (memref).
// ARG: [1 + rank, 2]
// ARG: [0, 0, 0]
// ERROR: rank 0: all_gather #0
// ERROR: rank 1: all_gather #0
// ERROR: @{dist.all_gather_into}
func.func @wrong_destination(%x: memref<?xf32>, %o: memref<?xf32>) {
  dist.all_gather_into %x into %o dim 0 on <[[0, 1]]>
      : (memref<?xf32>) into (memref<?xf32>)
  return
}

// -----

// Wrong destination shape (tensor).
// ARG: [1 + rank, 2]
// ARG: [0, 0, 0]
// ERROR: rank 0: all_gather #0
// ERROR: rank 1: all_gather #0
// ERROR: @{dist.all_gather_into}
func.func @wrong_destination_tensor(%x: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %r = dist.all_gather_into %x into %o dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) into (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Sizes differ on ranks, in a loop, second iteration.
// RANKS: 3
// ARG: np.ones(6)
// ERROR: rank 0: collective #1
// ERROR: rank 1: collective #1
// ERROR: rank 2: collective #1
// ERROR: @{dist.all_reduce}
func.func @later_mismatch(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %rank = dist.rank : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %x) -> tensor<?xf32> {
    %f = dist.all_reduce sum %t on <[[0, 1, 2]]>
        : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
    %y = dist.wait %f : !dist.future<tensor<?xf32>>
    %m = arith.subi %n, %rank : index
    %s = tensor.extract_slice %y[0] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// coalesced, one operand's promise is broken: the operand is named.
// ARG: np.arange(6).reshape(2,3) + 10*rank
// ARG: np.arange(4) + 10*rank
// ERROR: operand 1
// ERROR: rank 0
// ERROR: rank 1
// ERROR: @{dist.all_gather}
func.func @coalesced_broken(%x: tensor<?x3xf32>, %y: tensor<?xf32>) -> (tensor<?x3xf32>, tensor<6xf32>) {
  %f:2 = dist.all_gather %x, %y dim 0 on <[[0, 1]]>
      : (tensor<?x3xf32>, tensor<?xf32>) -> !dist.future<tensor<?x3xf32>>, !dist.future<tensor<6xf32>>
  %a:2 = dist.wait %f#0, %f#1 : !dist.future<tensor<?x3xf32>>, !dist.future<tensor<6xf32>>
  return %a#0, %a#1 : tensor<?x3xf32>, tensor<6xf32>
}

// -----

// Cut and put together along one dimension, it must still divide.
// ARG: [1, 2, 3]
// ERROR: rank 0: all_to_all #0
// ERROR: rank 1: all_to_all #0
// ERROR: size 3 of dim 0 is not divisible by the group size 2
// ERROR: @{dist.all_to_all}
func.func @exchange_indivisible(%x: tensor<?xf32>) -> tensor<?xf32> {
  %f = dist.all_to_all %x split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?xf32>>
  return %y : tensor<?xf32>
}

// -----

// What keeps the shape is promised another one.
// ARG: [1, 2]
// ERROR: rank 0: permute #0
// ERROR: rank 1: permute #0
// ERROR: expects a result of 3xf32, but it has 2xf32
// ERROR: @{dist.permute}
func.func @permute_broken(%x: tensor<?xf32>) -> tensor<3xf32> {
  %f = dist.permute %x pairs [[0, 1]] on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<3xf32>>
  %y = dist.wait %f : !dist.future<tensor<3xf32>>
  return %y : tensor<3xf32>
}

// -----

// ARG: [1, 2]
// ARG: [0, 0, 0]
// ERROR: rank 0: reduce #0
// ERROR: rank 1: reduce #0
// ERROR: the destination must have 2xf32, but it has 3xf32
// ERROR: @{dist.reduce_into}
func.func @reduce_broken(%x: memref<?xf32>, %o: memref<?xf32>) {
  dist.reduce_into sum %x into %o root 1 on <[[0, 1]]>
      : (memref<?xf32>) into (memref<?xf32>)
  return
}
