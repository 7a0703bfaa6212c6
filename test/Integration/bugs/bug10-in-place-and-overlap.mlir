// bug10-in-place-and-overlap: source and destination that share memory.
//
// RUN: %python %S/../run_program.py %s

// Each rank gathers out of its own slot.
// CASE: bugs bug10-in-place-and-overlap
// ARG: i32(inputs["a_out"][rank])
// AFTER: expected["a"][rank]
func.func @own_slot(%out: memref<4xi32>) {
  %c2 = arith.constant 2 : index
  %rank = dist.rank : index
  %first = arith.muli %rank, %c2 : index
  %slot = memref.subview %out[%first] [2] [1]
      : memref<4xi32> to memref<2xi32, strided<[1], offset: ?>>
  dist.all_gather_into %slot into %out dim 0 on <[[0, 1]]>
      : (memref<2xi32, strided<[1], offset: ?>>) into (memref<4xi32>)
  return
}

// -----
// CASE: bugs bug10-in-place-and-overlap
// ARG: i32(inputs["c_m"][rank])
// AFTER: expected["c"][rank]
func.func @source_is_destination(%m: memref<2xi32>) {
  dist.all_reduce_into max %m into %m on <[[0, 1]]>
      : (memref<2xi32>) into (memref<2xi32>)
  return
}

// -----
// CASE: bugs bug10-in-place-and-overlap
// ARG: i32(inputs["c_m"][rank])
// AFTER: expected["c"][rank]
func.func @source_is_destination_async(%m: memref<2xi32>) {
  %f = dist.all_reduce max %m into %m on <[[0, 1]]>
      : (memref<2xi32>) into (memref<2xi32>) -> !dist.future<memref<2xi32>>
  %done = dist.wait %f into(%m : memref<2xi32>) : !dist.future<memref<2xi32>>
  return
}

// -----
// The own slot along the inner dimension has gaps.
// LET: piece = [[1 + 10 * rank, 2 + 10 * rank], [3 + 10 * rank, 4 + 10 * rank]]
// LET: hole = np.full((2, 2), -1)
// ARG: i32(np.concatenate([piece, hole] if rank == 0 else [hole, piece], 1))
// AFTER: [[1, 2, 11, 12], [3, 4, 13, 14]]
func.func @own_slot_of_columns(%out: memref<2x4xi32>) {
  %c2 = arith.constant 2 : index
  %rank = dist.rank : index
  %first = arith.muli %rank, %c2 : index
  %slot = memref.subview %out[0, %first] [2, 2] [1, 1]
      : memref<2x4xi32> to memref<2x2xi32, strided<[4, 1], offset: ?>>
  dist.all_gather_into %slot into %out dim 1 on <[[0, 1]]>
      : (memref<2x2xi32, strided<[4, 1], offset: ?>>) into (memref<2x4xi32>)
  return
}

// -----
// A scatter into a slot of its source.
// LET: own = np.arange(4) + 10 * rank
// LET: total = 2 * np.arange(4) + 10
// ARG: i32(own)
// AFTER: np.concatenate([total[0:2], own[2:]] if rank == 0 else [own[:2], total[2:]])
func.func @scatters_into_own_slot(%m: memref<4xi32>) {
  %c2 = arith.constant 2 : index
  %rank = dist.rank : index
  %first = arith.muli %rank, %c2 : index
  %slot = memref.subview %m[%first] [2] [1]
      : memref<4xi32> to memref<2xi32, strided<[1], offset: ?>>
  dist.reduce_scatter_into sum %m into %slot dim 0 on <[[0, 1]]>
      : (memref<4xi32>) into (memref<2xi32, strided<[1], offset: ?>>)
  return
}

// -----
// The tensor form of the own slot: the source is a slice of the destination.
// CASE: bugs bug10-in-place-and-overlap
// ARG: i32(inputs["a_out"][rank])
// RESULT: expected["a"][rank]
func.func @own_slot_of_tensor(%out: tensor<4xi32>) -> tensor<4xi32> {
  %c2 = arith.constant 2 : index
  %rank = dist.rank : index
  %first = arith.muli %rank, %c2 : index
  %slot = tensor.extract_slice %out[%first] [2] [1]
      : tensor<4xi32> to tensor<2xi32>
  %r = dist.all_gather_into %slot into %out dim 0 on <[[0, 1]]>
      : (tensor<2xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
