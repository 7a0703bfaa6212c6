// Sizes that are known at run time only, of tensors and of groups.
//
// RUN: %python %S/../run_program.py %s

// Late bound group without size; gathered dim dynamic.
// PASSES: --generate-runtime-verification
// RANKS: 4
// FLAGS: --group g=[[0,1],[2,3]]
// ARG: np.arange(6).reshape(3,2) + 10*rank
// RESULT: np.concatenate([np.arange(6).reshape(3,2) + 10*r for r in ([0,1] if rank < 2 else [2,3])], axis=1)
// RESULT: 4
dist.process_group @g
func.func @late(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, index) {
  %c1 = arith.constant 1 : index
  %f = dist.all_gather %x dim 1 on <@g>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?x?xf32>>
  %d = tensor.dim %y, %c1 : tensor<?x?xf32>
  return %y, %d : tensor<?x?xf32>, index
}

// -----

// Static promise with unbound group, right.
// PASSES: --generate-runtime-verification
// RANKS: 2
// FLAGS: --group g=0,1
// ARG: [1 + rank, 2]
// RESULT: [1,2,2,2]
dist.process_group @g
func.func @promise(%x: tensor<2xf32>) -> tensor<4xf32> {
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
  %y = dist.wait %f : !dist.future<tensor<4xf32>>
  return %y : tensor<4xf32>
}

// -----

// Zero sizes at run time, all kinds.
// ARG: np.zeros((0, 4))
// RESULT: np.zeros((0, 4))
// RESULT: np.zeros((0, 8))
// RESULT: np.zeros((0, 2))
// RESULT: np.zeros((0, 4))
// RESULT: np.zeros((0, 4))
func.func @zero(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %a = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %b = dist.all_gather %x dim 1 on <[[0, 1]]>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %c = dist.reduce_scatter sum %x dim 1 on <[[0, 1]]>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %d = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %e = dist.broadcast %x root 1 on <[[0, 1]]>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %y:5 = dist.wait %a, %b, %c, %d, %e : !dist.future<tensor<?x?xf32>>, !dist.future<tensor<?x?xf32>>, !dist.future<tensor<?x?xf32>>, !dist.future<tensor<?x?xf32>>, !dist.future<tensor<?x?xf32>>
  return %y#0, %y#1, %y#2, %y#3, %y#4 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}

// -----

// Coalesced with different dims per operand, mixed static/dynamic.
// PASSES: --generate-runtime-verification
// ARG: np.arange(6).reshape(2,3) + 10*rank
// ARG: np.arange(4) + 10*rank
// ARG: i32([[1 + rank]])
// RESULT: np.concatenate([np.arange(6).reshape(2,3), np.arange(6).reshape(2,3) + 10])
// RESULT: np.concatenate([np.arange(4), np.arange(4) + 10])
// RESULT: [[1],[2]]
func.func @coalesced(%x: tensor<?x3xf32>, %y: tensor<4xf32>, %z: tensor<?x?xi32>) -> (tensor<?x3xf32>, tensor<?xf32>, tensor<?x1xi32>) {
  %f:3 = dist.all_gather %x, %y, %z dim 0 on <[[0, 1]]>
      : (tensor<?x3xf32>, tensor<4xf32>, tensor<?x?xi32>) -> !dist.future<tensor<?x3xf32>>, !dist.future<tensor<?xf32>>, !dist.future<tensor<?x1xi32>>
  %a = dist.wait %f#0 : !dist.future<tensor<?x3xf32>>
  %b:2 = dist.wait %f#1, %f#2 : !dist.future<tensor<?xf32>>, !dist.future<tensor<?x1xi32>>
  return %a, %b#0, %b#1 : tensor<?x3xf32>, tensor<?xf32>, tensor<?x1xi32>
}

// -----

// Casts around: source cast to dynamic, result cast to static.
// PASSES: --generate-runtime-verification
// ARG: [1 + rank, 2]
// RESULT: [1, 2, 2, 2]
func.func @casts(%x: tensor<2xf32>) -> tensor<4xf32> {
  %d = tensor.cast %x : tensor<2xf32> to tensor<?xf32>
  %f = dist.all_gather %d dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?xf32>>
  %z = tensor.cast %y : tensor<?xf32> to tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// Memref casts, strided views with dynamic sizes.
// PASSES: --generate-runtime-verification
// ARG: np.arange(12).reshape(3,4) + 100*rank
// ARG: np.zeros((4, 4))
// ARG: index(2)
// AFTER 1: np.concatenate([np.arange(12).reshape(3,4)[1:3] , np.arange(12).reshape(3,4)[1:3] + 100])
func.func @memref_casts(%x: memref<3x4xf32>, %o: memref<4x4xf32>, %n: index) {
  %s = memref.subview %x[1, 0] [%n, 4] [1, 1] : memref<3x4xf32> to memref<?x4xf32, strided<[4, 1], offset: 4>>
  %d = memref.cast %o : memref<4x4xf32> to memref<?x?xf32>
  %t = memref.cast %s : memref<?x4xf32, strided<[4, 1], offset: 4>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %f = dist.all_gather %t into %d dim 0 on <[[0, 1]]>
      : (memref<?x?xf32, strided<[?, ?], offset: ?>>) into (memref<?x?xf32>) -> !dist.future<memref<?x?xf32>>
  %y = dist.wait %f : !dist.future<memref<?x?xf32>>
  return
}

// -----

// Gathered size used for an allocation and a loop bound.
// PASSES: --generate-runtime-verification
// RANKS: 3
// FLAGS: --group g=world
// ARG: np.arange(2 * 2).reshape(2, 2) + 10 * rank
// RESULT: sum(np.arange(4).reshape(2,2).sum() + 40 * r for r in range(3))
dist.process_group @g
func.func @bounds(%x: tensor<?x?xf32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?x?xf32>>
  %n = tensor.dim %y, %c0 : tensor<?x?xf32>
  %m = tensor.dim %y, %c1 : tensor<?x?xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> f32 {
    %t = scf.for %j = %c0 to %m step %c1 iter_args(%b = %a) -> f32 {
      %e = tensor.extract %y[%i, %j] : tensor<?x?xf32>
      %u = arith.addf %b, %e : f32
      scf.yield %u : f32
    }
    scf.yield %t : f32
  }
  %r = tensor.from_elements %s : tensor<f32>
  return %r : tensor<f32>
}

// -----

// Futures of different static-ness through a branch.
// FOR P: 0 1
// ARG: [1 + rank, 2]
// ARG: i1($P)
// RESULT: [1, 2, 2, 2] if $P else [3, 4]
func.func @dynamic_branch(%x: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  %f = scf.if %p -> !dist.future<tensor<?xf32>> {
    %g = dist.all_gather %x dim 0 on <[[0, 1]]>
        : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
    scf.yield %g : !dist.future<tensor<?xf32>>
  } else {
    %g = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
    scf.yield %g : !dist.future<tensor<?xf32>>
  }
  %y = dist.wait %f : !dist.future<tensor<?xf32>>
  return %y : tensor<?xf32>
}

// -----

// A loop whose future doubles each iteration.
// ARG: [1 + rank]
// ARG: index(3)
// RESULT: [1, 2] * 8
func.func @doubling(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%g = %f) -> (!dist.future<tensor<?xf32>>) {
    %y = dist.wait %g : !dist.future<tensor<?xf32>>
    %h = dist.all_gather %y dim 0 on <[[0, 1]]>
        : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
    scf.yield %h : !dist.future<tensor<?xf32>>
  }
  %y = dist.wait %r : !dist.future<tensor<?xf32>>
  return %y : tensor<?xf32>
}

// -----

// Memref future with a dynamic type waited with static promise; result type of memref future = destination's type.
// ARG: [1 + rank, 2]
// AFTER 0: [3, 4]
func.func @memref_dyn(%x: memref<2xf32>) {
  %d = memref.cast %x : memref<2xf32> to memref<?xf32>
  dist.all_reduce_into sum %d into %d on <[[0, 1]]>
      : (memref<?xf32>) into (memref<?xf32>)
  return
}

// -----

// Both dimensions of an exchange depend on the size of the group.
// PASSES: --generate-runtime-verification
// FLAGS: --group g=world
// ARG: np.arange(8).reshape(4, 2) + 10 * rank
// RESULT: np.concatenate([np.arange(8).reshape(4, 2)[2*rank:2*rank+2] + 10 * r for r in range(2)], axis=1)
// RESULT: 2
// RESULT: 4
dist.process_group @g
func.func @exchange(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = dist.all_to_all %x split_dim 0 concat_dim 1 on <@g>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?x?xf32>>
  %m = tensor.dim %y, %c0 : tensor<?x?xf32>
  %n = tensor.dim %y, %c1 : tensor<?x?xf32>
  return %y, %m, %n : tensor<?x?xf32>, index, index
}

// -----

// A rank outside of the group receives zeros of the size that there would be.
// RANKS: 3
// FLAGS: --group g=[[2,0]]
// ARG: np.ones((2, 3)) * (1 + rank)
// RESULT: np.concatenate([np.ones((2,3)) * 3, np.ones((2,3))], axis=1) if rank != 1 else np.zeros((2, 6))
// RESULT: 2
dist.process_group @g
func.func @outside_of_the_group(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, index) {
  %f = dist.all_gather %x dim 1 on <@g>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %n = dist.group_size on <@g> : index
  %y = dist.wait %f : !dist.future<tensor<?x?xf32>>
  return %y, %n : tensor<?x?xf32>, index
}

// -----

// A destination made to measure for a group of unknown size.
// PASSES: --generate-runtime-verification
// RANKS: 3
// FLAGS: --group g=0,1,2
// ARG: [1 + rank, 2]
// RESULT: [1, 2, 2, 2, 3, 2]
dist.process_group @g
func.func @destination_to_measure(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = dist.group_size on <@g> : index
  %m = tensor.dim %x, %c0 : tensor<?xf32>
  %s = arith.muli %m, %n : index
  %e = tensor.empty(%s) : tensor<?xf32>
  %r = dist.all_gather_into %x into %e dim 0 on <@g>
      : (tensor<?xf32>) into (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// The slot of this rank, its offset and size computed from rank and group.
// RANKS: 3
// FLAGS: --group g=0,1,2
// ARG: np.arange(6) * 10
// RESULT: np.arange(6)[2*rank:2*rank+2] * 30
dist.process_group @g
func.func @own_slot(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = dist.group_size on <@g> : index
  %r = dist.rank on <@g> : index
  %f = dist.all_reduce sum %x on <@g>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?xf32>>
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %s = arith.divui %m, %n : index
  %o = arith.muli %s, %r : index
  %z = tensor.extract_slice %y[%o] [%s] [1] : tensor<?xf32> to tensor<?xf32>
  return %z : tensor<?xf32>
}

// -----

// A source whose size is asked for after the start can still be given away.
// ARG: [1 + rank, 2]
// RESULT: [1, 2, 2, 2, 1, 2, 2, 2]
// RESULT: 4
func.func @size_asked_late(%x: tensor<?xf32>) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?xf32>>
  %g = dist.all_gather %y dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %n = tensor.dim %y, %c0 : tensor<?xf32>
  %z = dist.wait %g : !dist.future<tensor<?xf32>>
  return %z, %n : tensor<?xf32>, index
}

// -----

// A loop with as many iterations as the waited tensor has elements.
// RANKS: 2
// ARG: [1, 2]
// RESULT: [16, 32]
func.func @trip_count_of_a_gather(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
  %y = dist.wait %f : !dist.future<tensor<?xf32>>
  %n = tensor.dim %y, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<?xf32> {
    %g = dist.all_reduce sum %t on <[[0, 1]]>
        : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
    %z = dist.wait %g : !dist.future<tensor<?xf32>>
    scf.yield %z : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
