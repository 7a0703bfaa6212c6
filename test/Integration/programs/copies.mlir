// Copies, counted: none where none is needed, else exactly as many as are, with a
// remark that says why.
//
// RUN: %python %S/../run_program.py %s

// A source that dies: all_reduce works in its buffer.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: 2 * (np.arange(4)*2+4)
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %d = arith.addi %x, %x : tensor<4xi32>
  %f = dist.all_reduce sum %d on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %y = dist.wait %f : !dist.future<tensor<4xi32>>
  return %y : tensor<4xi32>
}

// -----
// An argument is read where it is by all_reduce, and left as it was.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: np.arange(4)*2+4
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %f = dist.all_reduce sum %x on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %y = dist.wait %f : !dist.future<tensor<4xi32>>
  return %y : tensor<4xi32>
}

// -----
// all_reduce in place of an argument that the program names.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: np.arange(4)*2+4
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = dist.all_reduce_into sum %x into %x on <[[0, 1]]>
      : (tensor<4xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----
// all_reduce into another argument that the program names.
// ARG: i32(np.arange(4)+4*rank)
// ARG: i32(np.full(4,7))
// RESULT: np.arange(4)*2+4
// RESULT: i32(np.arange(4)+4*rank)
// COPIES: 0
func.func @f(%x: tensor<4xi32>, %o: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %r = dist.all_reduce_into sum %x into %o on <[[0, 1]]>
      : (tensor<4xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  return %r, %x : tensor<4xi32>, tensor<4xi32>
}

// -----
// A source that dies: all_reduce works in its buffer.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: 2 * (np.arange(4)+4)
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %d = arith.addi %x, %x : tensor<4xi32>
  %f = dist.all_reduce max %d on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %y = dist.wait %f : !dist.future<tensor<4xi32>>
  return %y : tensor<4xi32>
}

// -----
// An argument is read where it is by all_reduce, and left as it was.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: np.arange(4)+4
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %f = dist.all_reduce max %x on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %y = dist.wait %f : !dist.future<tensor<4xi32>>
  return %y : tensor<4xi32>
}

// -----
// all_reduce in place of an argument that the program names.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: np.arange(4)+4
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = dist.all_reduce_into max %x into %x on <[[0, 1]]>
      : (tensor<4xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----
// all_reduce into another argument that the program names.
// ARG: i32(np.arange(4)+4*rank)
// ARG: i32(np.full(4,7))
// RESULT: np.arange(4)+4
// RESULT: i32(np.arange(4)+4*rank)
// COPIES: 0
func.func @f(%x: tensor<4xi32>, %o: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %r = dist.all_reduce_into max %x into %o on <[[0, 1]]>
      : (tensor<4xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  return %r, %x : tensor<4xi32>, tensor<4xi32>
}

// -----
// A source that dies: broadcast works in its buffer.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: 2 * (np.arange(4))
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %d = arith.addi %x, %x : tensor<4xi32>
  %f = dist.broadcast %d root 0 on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %y = dist.wait %f : !dist.future<tensor<4xi32>>
  return %y : tensor<4xi32>
}

// -----
// An argument is read where it is by broadcast, and left as it was.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: np.arange(4)
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %f = dist.broadcast %x root 0 on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %y = dist.wait %f : !dist.future<tensor<4xi32>>
  return %y : tensor<4xi32>
}

// -----
// broadcast in place of an argument that the program names.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: np.arange(4)
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = dist.broadcast_into %x into %x root 0 on <[[0, 1]]>
      : (tensor<4xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----
// broadcast into another argument that the program names.
// ARG: i32(np.arange(4)+4*rank)
// ARG: i32(np.full(4,7))
// RESULT: np.arange(4)
// RESULT: i32(np.arange(4)+4*rank)
// COPIES: 0
func.func @f(%x: tensor<4xi32>, %o: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %r = dist.broadcast_into %x into %o root 0 on <[[0, 1]]>
      : (tensor<4xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  return %r, %x : tensor<4xi32>, tensor<4xi32>
}

// -----
// A source that dies: reduce works in its buffer.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: 2 * ((np.arange(4)*2+4) if rank == 1 else np.zeros(4))
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %d = arith.addi %x, %x : tensor<4xi32>
  %f = dist.reduce sum %d root 1 on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %y = dist.wait %f : !dist.future<tensor<4xi32>>
  return %y : tensor<4xi32>
}

// -----
// An argument is read where it is by reduce, and left as it was.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: (np.arange(4)*2+4) if rank == 1 else np.zeros(4)
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %f = dist.reduce sum %x root 1 on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %y = dist.wait %f : !dist.future<tensor<4xi32>>
  return %y : tensor<4xi32>
}

// -----
// reduce in place of an argument that the program names.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: (np.arange(4)*2+4) if rank == 1 else np.zeros(4)
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = dist.reduce_into sum %x into %x root 1 on <[[0, 1]]>
      : (tensor<4xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----
// reduce into another argument that the program names.
// ARG: i32(np.arange(4)+4*rank)
// ARG: i32(np.full(4,7))
// RESULT: (np.arange(4)*2+4) if rank == 1 else np.zeros(4)
// RESULT: i32(np.arange(4)+4*rank)
// COPIES: 0
func.func @f(%x: tensor<4xi32>, %o: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %r = dist.reduce_into sum %x into %o root 1 on <[[0, 1]]>
      : (tensor<4xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  return %r, %x : tensor<4xi32>, tensor<4xi32>
}

// -----
// An argument is read where it is by permute, and left as it was.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: np.arange(4)+4*(1-rank)
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %f = dist.permute %x pairs [[0, 1], [1, 0]] on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %y = dist.wait %f : !dist.future<tensor<4xi32>>
  return %y : tensor<4xi32>
}

// -----
// permute in place of an argument that the program names.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: np.arange(4)+4*(1-rank)
// COPIES: 1
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = dist.permute_into %x into %x pairs [[0, 1], [1, 0]] on <[[0, 1]]>
      : (tensor<4xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----
// permute into another argument that the program names.
// ARG: i32(np.arange(4)+4*rank)
// ARG: i32(np.full(4,7))
// RESULT: np.arange(4)+4*(1-rank)
// RESULT: i32(np.arange(4)+4*rank)
// COPIES: 0
func.func @f(%x: tensor<4xi32>, %o: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %r = dist.permute_into %x into %o pairs [[0, 1], [1, 0]] on <[[0, 1]]>
      : (tensor<4xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  return %r, %x : tensor<4xi32>, tensor<4xi32>
}

// -----
// A chain in place.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: np.arange(4)*4+8
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %a = dist.all_reduce_into sum %x into %x on <[[0, 1]]> : (tensor<4xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  %b = dist.all_reduce_into sum %a into %a on <[[0, 1]]> : (tensor<4xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  return %b : tensor<4xi32>
}

// -----
// A chain of three in one local buffer.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: np.arange(4)*16+32
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %d = arith.addi %x, %x : tensor<4xi32>
  %f = dist.all_reduce sum %d on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %y = dist.wait %f : !dist.future<tensor<4xi32>>
  %g = dist.all_reduce sum %y on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %z = dist.wait %g : !dist.future<tensor<4xi32>>
  %h = dist.all_reduce sum %z on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %w = dist.wait %h : !dist.future<tensor<4xi32>>
  return %w : tensor<4xi32>
}

// -----
// The source is read after the collective, and has its own buffer.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: 2 * (np.arange(4)*2+4)
// RESULT: 2*(np.arange(4)+4*rank)
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %d = arith.addi %x, %x : tensor<4xi32>
  %f = dist.all_reduce sum %d on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %y = dist.wait %f : !dist.future<tensor<4xi32>>
  return %y, %d : tensor<4xi32>, tensor<4xi32>
}

// -----
// In place of a local buffer.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: 2 * (np.arange(4)*2+4)
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %d = arith.addi %x, %x : tensor<4xi32>
  %r = dist.all_reduce_into sum %d into %d on <[[0, 1]]> : (tensor<4xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----
// The old contents of the destination are read later: it gets another buffer.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: np.arange(4)*2+4
// RESULT: np.arange(4)+4*rank
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %r = dist.all_reduce_into sum %x into %x on <[[0, 1]]> : (tensor<4xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  %o = arith.ori %x, %x : tensor<4xi32>
  return %r, %o : tensor<4xi32>, tensor<4xi32>
}

// -----
// A gather out of its own slot of the output.
// ARG: i32([10*rank+i for i in range(8)])
// RESULT: [0,1,2,3,14,15,16,17]
// COPIES: 0
func.func @f(%o: tensor<8xi32>) -> tensor<8xi32> {
  %c4 = arith.constant 4 : index
  %rank = dist.rank : index
  %at = arith.muli %rank, %c4 : index
  %s = tensor.extract_slice %o[%at] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %r = dist.all_gather_into %s into %o dim 0 on <[[0, 1]]> : (tensor<4xi32>) into (tensor<8xi32>) -> tensor<8xi32>
  return %r : tensor<8xi32>
}

// -----
// The same with the wait in the program.
// ARG: i32([10*rank+i for i in range(8)])
// RESULT: [0,1,2,3,14,15,16,17]
// COPIES: 0
func.func @f(%o: tensor<8xi32>) -> tensor<8xi32> {
  %c4 = arith.constant 4 : index
  %rank = dist.rank : index
  %at = arith.muli %rank, %c4 : index
  %s = tensor.extract_slice %o[%at] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %f = dist.all_gather %s dim 0 on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  %r = bufferization.materialize_in_destination %y in %o : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  return %r : tensor<8xi32>
}

// -----
// The own slot by an affine map of the position in the group.
// ARG: i32([10*rank+i for i in range(8)])
// RESULT: [0,1,2,3,14,15,16,17]
// COPIES: 0
func.func @f(%o: tensor<8xi32>) -> tensor<8xi32> {
  %rank = dist.rank on <[[0, 1]]> : index
  %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%rank)
  %s = tensor.extract_slice %o[%at] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %r = dist.all_gather_into %s into %o dim 0 on <[[0, 1]]> : (tensor<4xi32>) into (tensor<8xi32>) -> tensor<8xi32>
  return %r : tensor<8xi32>
}

// -----
// Another slot than the own one: one copy.
// ARG: i32([10*rank+i for i in range(8)])
// RESULT: [4,5,6,7,10,11,12,13]
// COPIES: 1
func.func @f(%o: tensor<8xi32>) -> tensor<8xi32> {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %rank = dist.rank : index
  %other = arith.subi %c1, %rank : index
  %at = arith.muli %other, %c4 : index
  %s = tensor.extract_slice %o[%at] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %r = dist.all_gather_into %s into %o dim 0 on <[[0, 1]]> : (tensor<4xi32>) into (tensor<8xi32>) -> tensor<8xi32>
  return %r : tensor<8xi32>
}

// -----
// The group has another order than the world: not the own slot.
// ARG: i32([10*rank+i for i in range(8)])
// RESULT: [14,15,16,17,0,1,2,3]
// COPIES: 1
func.func @f(%o: tensor<8xi32>) -> tensor<8xi32> {
  %c4 = arith.constant 4 : index
  %rank = dist.rank : index
  %at = arith.muli %rank, %c4 : index
  %s = tensor.extract_slice %o[%at] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %r = dist.all_gather_into %s into %o dim 0 on <[[1, 0]]> : (tensor<4xi32>) into (tensor<8xi32>) -> tensor<8xi32>
  return %r : tensor<8xi32>
}

// -----
// The own slot is filled before.
// ARG: i32([10*rank+i for i in range(8)])
// RESULT: 2*np.array([0,1,2,3,14,15,16,17])
// COPIES: 0
func.func @f(%o: tensor<8xi32> {dist.writable}) -> tensor<8xi32> {
  %c4 = arith.constant 4 : index
  %rank = dist.rank : index
  %at = arith.muli %rank, %c4 : index
  %s = tensor.extract_slice %o[%at] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %d = linalg.add ins(%s, %s : tensor<4xi32>, tensor<4xi32>) outs(%s : tensor<4xi32>) -> tensor<4xi32>
  %p = tensor.insert_slice %d into %o[%at] [4] [1] : tensor<4xi32> into tensor<8xi32>
  %t = tensor.extract_slice %p[%at] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %r = dist.all_gather_into %t into %p dim 0 on <[[0, 1]]> : (tensor<4xi32>) into (tensor<8xi32>) -> tensor<8xi32>
  return %r : tensor<8xi32>
}

// -----
// A scatter into its own slot of the source.
// ARG: i32([10*rank+i for i in range(8)])
// RESULT: [10,12,14,16] if rank == 0 else [18,20,22,24]
// COPIES: 0
func.func @f(%o: tensor<8xi32>) -> tensor<4xi32> {
  %c4 = arith.constant 4 : index
  %rank = dist.rank : index
  %at = arith.muli %rank, %c4 : index
  %s = tensor.extract_slice %o[%at] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %r = dist.reduce_scatter_into sum %o into %s dim 0 on <[[0, 1]]>
      : (tensor<8xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----
// Gather into an output that the program names.
// ARG: i32(np.arange(4)+4*rank)
// ARG: i32(np.full(8,7))
// RESULT: np.arange(8)
// COPIES: 0
func.func @f(%x: tensor<4xi32>, %o: tensor<8xi32>) -> tensor<8xi32> {
  %r = dist.all_gather_into %x into %o dim 0 on <[[0, 1]]> : (tensor<4xi32>) into (tensor<8xi32>) -> tensor<8xi32>
  return %r : tensor<8xi32>
}

// -----
// Start, wait and materialisation.
// ARG: i32(np.arange(4)+4*rank)
// ARG: i32(np.full(8,7))
// RESULT: np.arange(8)
// COPIES: 0
func.func @f(%x: tensor<4xi32>, %o: tensor<8xi32>) -> tensor<8xi32> {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  %r = bufferization.materialize_in_destination %y in %o : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  return %r : tensor<8xi32>
}

// -----
// Gather into a part of a larger output.
// ARG: i32(np.arange(4)+4*rank)
// ARG: i32(np.full(16,7))
// RESULT: [7]*4+list(range(8))+[7]*4
// COPIES: 0
func.func @f(%x: tensor<4xi32>, %o: tensor<16xi32> {dist.writable}) -> tensor<16xi32> {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  %r = tensor.insert_slice %y into %o[4] [8] [1] : tensor<8xi32> into tensor<16xi32>
  return %r : tensor<16xi32>
}

// -----
// The output is no argument that the program names: a copy of it, which is made
// when the gather is under way.
// ARG: i32(np.arange(4)+4*rank)
// ARG: i32(np.full(16,7))
// RESULT: [7]*4+list(range(8))+[7]*4
// COPIES: 2
// REMARK: does not name as a destination
func.func @f(%x: tensor<4xi32>, %o: tensor<16xi32>) -> tensor<16xi32> {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  %r = tensor.insert_slice %y into %o[4] [8] [1] : tensor<8xi32> into tensor<16xi32>
  return %r : tensor<16xi32>
}

// -----
// The output is read while the gather is in flight: one copy.
// ARG: i32(np.arange(4)+4*rank)
// ARG: i32(np.full(8,7))
// RESULT: np.arange(8)
// RESULT: np.array(7)
// COPIES: 1
// REMARK: may be used while the collective is in flight
func.func @f(%x: tensor<4xi32>, %o: tensor<8xi32>) -> (tensor<8xi32>, i32) {
  %c0 = arith.constant 0 : index
  %f = dist.all_gather %x dim 0 on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %e = tensor.extract %o[%c0] : tensor<8xi32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  %r = bufferization.materialize_in_destination %y in %o : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  return %r, %e : tensor<8xi32>, i32
}

// -----
// The gathered value has another reader: one copy.
// ARG: i32(np.arange(4)+4*rank)
// ARG: i32(np.full(8,7))
// RESULT: np.arange(8)
// RESULT: np.arange(8)
// COPIES: 1
func.func @f(%x: tensor<4xi32>, %o: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  %r = bufferization.materialize_in_destination %y in %o : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  return %r, %y : tensor<8xi32>, tensor<8xi32>
}

// -----
// A source in flight is written: one copy.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: 2*(np.arange(8))
// RESULT: [9]+[2*(i+4*rank) for i in (1,2,3)]
// COPIES: 1
// REMARK: a collective in flight reads it
func.func @f(%x: tensor<4xi32>) -> (tensor<8xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %nine = arith.constant 9 : i32
  %d = arith.addi %x, %x : tensor<4xi32>
  %f = dist.all_gather %d dim 0 on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %z = tensor.insert %nine into %d[%c0] : tensor<4xi32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y, %z : tensor<8xi32>, tensor<4xi32>
}

// -----
// The same after the wait: none; scheduling waits after the write.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: 2*(np.arange(8))
// RESULT: [9]+[2*(i+4*rank) for i in (1,2,3)]
// COPIES: 0 1
func.func @f(%x: tensor<4xi32>) -> (tensor<8xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %nine = arith.constant 9 : i32
  %d = arith.addi %x, %x : tensor<4xi32>
  %f = dist.all_gather %d dim 0 on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  %z = tensor.insert %nine into %d[%c0] : tensor<4xi32>
  return %y, %z : tensor<8xi32>, tensor<4xi32>
}

// -----
// In place on a source in flight: it gets another buffer.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: 2*(np.arange(8))
// RESULT: 2*(np.arange(4)*2+4)
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> (tensor<8xi32>, tensor<4xi32>) {
  %d = arith.addi %x, %x : tensor<4xi32>
  %f = dist.all_gather %d dim 0 on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r = dist.all_reduce_into sum %d into %d on <[[0, 1]]> : (tensor<4xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y, %r : tensor<8xi32>, tensor<4xi32>
}

// -----
// Gather, compute in place, scatter.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: 4*(np.arange(4)+4*rank)
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  %z = linalg.add ins(%y, %y : tensor<8xi32>, tensor<8xi32>) outs(%y : tensor<8xi32>) -> tensor<8xi32>
  %g = dist.reduce_scatter sum %z dim 0 on <[[0, 1]]> : (tensor<8xi32>) -> !dist.future<tensor<4xi32>>
  %r = dist.wait %g : !dist.future<tensor<4xi32>>
  return %r : tensor<4xi32>
}

// -----
// Scatter of a source that dies.
// ARG: i32(np.arange(8)+8*rank)
// RESULT: [2*(2*i+8) for i in range(4*rank,4*rank+4)]
// COPIES: 0
func.func @f(%x: tensor<8xi32>) -> tensor<4xi32> {
  %d = arith.addi %x, %x : tensor<8xi32>
  %f = dist.reduce_scatter sum %d dim 0 on <[[0, 1]]> : (tensor<8xi32>) -> !dist.future<tensor<4xi32>>
  %y = dist.wait %f : !dist.future<tensor<4xi32>>
  return %y : tensor<4xi32>
}

// -----
// Scatter into an argument that the program names.
// ARG: i32(np.arange(8)+8*rank)
// ARG: i32(np.zeros(4))
// RESULT: [2*i+8 for i in range(4*rank,4*rank+4)]
// COPIES: 0
func.func @f(%x: tensor<8xi32>, %o: tensor<4xi32>) -> tensor<4xi32> {
  %r = dist.reduce_scatter_into sum %x into %o dim 0 on <[[0, 1]]>
      : (tensor<8xi32>) into (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----
// A contiguous slice as source.
// ARG: i32(np.arange(8)+8*rank)
// RESULT: [2,3,4,5,10,11,12,13]
// COPIES: 0
func.func @f(%x: tensor<8xi32>) -> tensor<8xi32> {
  %s = tensor.extract_slice %x[2] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %f = dist.all_gather %s dim 0 on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y : tensor<8xi32>
}

// -----
// Two launches into two arguments.
// ARG: i32(np.arange(4)+4*rank)
// ARG: i32(np.full(8,7))
// ARG: i32(np.zeros(4))
// RESULT: np.arange(8)
// RESULT: np.arange(4)*2+4
// COPIES: 0
func.func @f(%x: tensor<4xi32>, %o: tensor<8xi32>, %p: tensor<4xi32>) -> (tensor<8xi32>, tensor<4xi32>) {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %g = dist.all_reduce sum %x on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  %z = dist.wait %g : !dist.future<tensor<4xi32>>
  %r = bufferization.materialize_in_destination %y in %o : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  %s = bufferization.materialize_in_destination %z in %p : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r, %s : tensor<8xi32>, tensor<4xi32>
}

// -----
// One future waited for twice.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: np.arange(4)*2+4
// RESULT: np.arange(4)*2+4
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %f = dist.all_reduce sum %x on <[[0, 1]]> : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %y = dist.wait %f : !dist.future<tensor<4xi32>>
  %z = dist.wait %f : !dist.future<tensor<4xi32>>
  return %y, %z : tensor<4xi32>, tensor<4xi32>
}

// -----
// A local slot of a local buffer, gathered in place.
// ARG: i32(np.arange(4)+4*rank)
// RESULT: 2*(np.arange(8))
// COPIES: 0
func.func @f(%x: tensor<4xi32>) -> tensor<8xi32> {
  %c4 = arith.constant 4 : index
  %rank = dist.rank : index
  %at = arith.muli %rank, %c4 : index
  %e = tensor.empty() : tensor<8xi32>
  %s = tensor.extract_slice %e[%at] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %d = linalg.add ins(%x, %x : tensor<4xi32>, tensor<4xi32>) outs(%s : tensor<4xi32>) -> tensor<4xi32>
  %o = tensor.insert_slice %d into %e[%at] [4] [1] : tensor<4xi32> into tensor<8xi32>
  %t = tensor.extract_slice %o[%at] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %r = dist.all_gather_into %t into %o dim 0 on <[[0, 1]]> : (tensor<4xi32>) into (tensor<8xi32>) -> tensor<8xi32>
  return %r : tensor<8xi32>
}
