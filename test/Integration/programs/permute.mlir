// Tensors move from member to member.
//
// RUN: %python %S/../run_program.py %s

// A ring; pairs are positions: position i of the group is rank [2, 0, 1][i].
// Position 0 of the second is nobody's target.
// RANKS: 3
// FLAGS: --checked
// LET: group = [2, 0, 1]
// LET: me = group.index(rank)
// LET: xs = [np.arange(6).reshape(2, 3) + 10 * r for r in range(ranks)]
// ARG: bf16(xs[rank])
// RESULT: bf16(xs[group[(me + 2) % 3]])
// RESULT: bf16(xs[group[me - 1]] if me > 0 else np.zeros((2, 3)))
// RESULT: bf16(np.zeros((2, 3)))
// RESULT: bf16(xs[rank])
func.func @ring(%x: tensor<2x3xbf16>)
    -> (tensor<2x3xbf16>, tensor<2x3xbf16>, tensor<2x3xbf16>,
        tensor<2x3xbf16>) {
  %f = dist.permute %x pairs [[2, 0], [0, 1], [1, 2]] on <[[2, 0, 1]]>
      : (tensor<2x3xbf16>) -> !dist.future<tensor<2x3xbf16>>
  %g = dist.permute %x pairs [[0, 1], [1, 2]] on <[[2, 0, 1]]>
      : (tensor<2x3xbf16>) -> !dist.future<tensor<2x3xbf16>>
  %h = dist.permute %x pairs [] on <[[2, 0, 1]]>
      : (tensor<2x3xbf16>) -> !dist.future<tensor<2x3xbf16>>
  %i = dist.permute %x pairs [[0, 0], [1, 1], [2, 2]] on <[[2, 0, 1]]>
      : (tensor<2x3xbf16>) -> !dist.future<tensor<2x3xbf16>>
  %a, %b, %c, %d = dist.wait %f, %g, %h, %i
      : !dist.future<tensor<2x3xbf16>>, !dist.future<tensor<2x3xbf16>>,
        !dist.future<tensor<2x3xbf16>>, !dist.future<tensor<2x3xbf16>>
  return %a, %b, %c, %d
      : tensor<2x3xbf16>, tensor<2x3xbf16>, tensor<2x3xbf16>, tensor<2x3xbf16>
}

// -----
// A scalar, a tensor without elements and sizes known at run time, in one launch
// on a group that is bound late, and a future whose value nobody looks at.
// FLAGS: --checked --group=g=1,0
// LET: other = 1 - rank
// ARG: f64(rank + 0.5)
// ARG: i1(np.zeros((3, 0)))
// ARG: i32(np.arange(5) + 10 * rank)
// RESULT: other + 0.5
// RESULT: np.zeros((3, 0))
// RESULT: np.arange(5) + 10 * other
// RESULT: index(5)
// TRACE: ["permute"]
dist.process_group @g
func.func @coalesced(%x: tensor<f64>, %y: tensor<3x0xi1>, %z: tensor<?xi32>)
    -> (tensor<f64>, tensor<3x0xi1>, tensor<?xi32>, index) {
  %c0 = arith.constant 0 : index
  %f:4 = dist.permute %x, %y, %z, %x pairs [[0, 1], [1, 0]] on <@g>
      : (tensor<f64>, tensor<3x0xi1>, tensor<?xi32>, tensor<f64>)
      -> !dist.future<tensor<f64>>, !dist.future<tensor<3x0xi1>>,
         !dist.future<tensor<?xi32>>, !dist.future<tensor<f64>>
  %a:3 = dist.wait %f#0, %f#1, %f#2
      : !dist.future<tensor<f64>>, !dist.future<tensor<3x0xi1>>,
        !dist.future<tensor<?xi32>>
  %unused = dist.wait %f#3 : !dist.future<tensor<f64>>
  %size = tensor.dim %a#2, %c0 : tensor<?xi32>
  return %a#0, %a#1, %a#2, %size
      : tensor<f64>, tensor<3x0xi1>, tensor<?xi32>, index
}

// -----
// A position that the group turns out not to have.
// FLAGS: --group=g=0,1
// ARG: i32([1, 2])
// ERROR: permute
// ERROR: 2
dist.process_group @g
func.func @no_such_position(%x: tensor<2xi32>) -> tensor<2xi32> {
  %f = dist.permute %x pairs [[0, 2]] on <@g>
      : (tensor<2xi32>) -> !dist.future<tensor<2xi32>>
  %y = dist.wait %f : !dist.future<tensor<2xi32>>
  return %y : tensor<2xi32>
}

// -----
// In place: tensors and memrefs, and an argument whose old value is read again.
// RANKS: 3
// FLAGS: --checked
// LET: before = (rank - 1) % 3
// LET: two_before = (rank - 2) % 3
// ARG: i32([1, 2] + np.full(2, 10 * rank))
// ARG: f32([1, 2] + np.full(2, 10 * rank))
// RESULT: [1, 2] + np.full(2, 10 * two_before)
// RESULT: [1, 2] + np.full(2, 10 * rank)
// AFTER 1: f32([1, 2] + np.full(2, 10 * two_before))
func.func @in_place(%x: tensor<2xi32>, %m: memref<2xf32>)
    -> (tensor<2xi32>, tensor<2xi32>) {
  %a = dist.permute_into %x into %x pairs [[0, 1], [1, 2], [2, 0]]
      on <[[0, 1, 2]]> : (tensor<2xi32>) into (tensor<2xi32>) -> tensor<2xi32>
  %b = dist.permute_into %a into %a pairs [[0, 1], [1, 2], [2, 0]]
      on <[[0, 1, 2]]> : (tensor<2xi32>) into (tensor<2xi32>) -> tensor<2xi32>
  dist.permute_into %m into %m pairs [[0, 1], [1, 2], [2, 0]] on <[[0, 1, 2]]>
      : (memref<2xf32>) into (memref<2xf32>)
  %f = dist.permute %m into %m pairs [[0, 1], [1, 2], [2, 0]] on <[[0, 1, 2]]>
      : (memref<2xf32>) into (memref<2xf32>) -> !dist.future<memref<2xf32>>
  %w = dist.wait %f keeps(%m : memref<2xf32>) into(%m : memref<2xf32>)
      : !dist.future<memref<2xf32>>
  return %b, %x : tensor<2xi32>, tensor<2xi32>
}

// -----
// The computation between start and wait does not touch the permuted tensor, which
// works in its own buffer.
// FLAGS: --checked --link-delay=1ms
// ARG: i32([1, 2] + np.full(2, 10 * rank))
// ARG: i32([3, 4])
// RESULT: [1, 2] + np.full(2, 10 * (1 - rank))
// RESULT: [6, 8]
// AFTER 0: i32([1, 2] + np.full(2, 10 * (1 - rank)))
func.func @in_place_with_overlap(%x: tensor<2xi32> {dist.writable},
                                 %y: tensor<2xi32>)
    -> (tensor<2xi32>, tensor<2xi32>) {
  %a = dist.permute_into %x into %x pairs [[0, 1], [1, 0]] on <[[0, 1]]>
      : (tensor<2xi32>) into (tensor<2xi32>) -> tensor<2xi32>
  %z = arith.addi %y, %y : tensor<2xi32>
  return %a, %z : tensor<2xi32>, tensor<2xi32>
}

// -----
// Strided memrefs: a column of one matrix becomes a row of another.
// FLAGS: --checked
// LET: xs = [np.arange(6).reshape(3, 2) + 10 * r for r in range(ranks)]
// LET: received = xs[0][:, 1] if rank == 1 else np.zeros(3)
// ARG: f32(xs[rank])
// ARG: f32(np.full((2, 3), 7))
// AFTER 0: xs[rank]
// AFTER 1: np.stack([np.full(3, 7), received])
func.func @strided(%x: memref<3x2xf32>, %y: memref<2x3xf32>) {
  %s = memref.subview %x[0, 1] [3, 1] [1, 1]
      : memref<3x2xf32> to memref<3xf32, strided<[2], offset: 1>>
  %d = memref.subview %y[1, 0] [1, 3] [1, 1]
      : memref<2x3xf32> to memref<3xf32, strided<[1], offset: 3>>
  dist.permute_into %s into %d pairs [[0, 1]] on <[[0, 1]]>
      : (memref<3xf32, strided<[2], offset: 1>>)
      into (memref<3xf32, strided<[1], offset: 3>>)
  return
}

// -----
// Rank 2 is outside and has zeros; groups of one.
// RANKS: 3
// FLAGS: --checked
// LET: x = lambda r: np.arange(3) + 10 * r
// ARG: ui8(x(rank))
// RESULT: x(1 - rank) if rank < 2 else np.zeros(3)
// RESULT: x(1 - rank) if rank < 2 else np.zeros(3)
// RESULT: x(rank)
// RESULT: np.zeros(3)
// RESULT: x(rank) if rank == 1 else np.zeros(3)
func.func @outside(%x: tensor<3xui8>)
    -> (tensor<3xui8>, tensor<3xui8>, tensor<3xui8>, tensor<3xui8>,
        tensor<3xui8>) {
  %f = dist.permute %x pairs [[0, 1], [1, 0]] on <[[0, 1]]>
      : (tensor<3xui8>) -> !dist.future<tensor<3xui8>>
  %out = tensor.empty() : tensor<3xui8>
  %r = dist.permute_into %x into %out pairs [[0, 1], [1, 0]] on <[[0, 1]]>
      : (tensor<3xui8>) into (tensor<3xui8>) -> tensor<3xui8>
  %g = dist.permute %x pairs [[0, 0]] on <[[0], [1], [2]]>
      : (tensor<3xui8>) -> !dist.future<tensor<3xui8>>
  %h = dist.permute %x pairs [] on <[[0], [1], [2]]>
      : (tensor<3xui8>) -> !dist.future<tensor<3xui8>>
  %i = dist.permute %x pairs [[0, 0]] on <[[1]]>
      : (tensor<3xui8>) -> !dist.future<tensor<3xui8>>
  %a, %b, %c, %d = dist.wait %f, %g, %h, %i
      : !dist.future<tensor<3xui8>>, !dist.future<tensor<3xui8>>,
        !dist.future<tensor<3xui8>>, !dist.future<tensor<3xui8>>
  return %a, %r, %b, %c, %d
      : tensor<3xui8>, tensor<3xui8>, tensor<3xui8>, tensor<3xui8>,
        tensor<3xui8>
}

// -----
// Both sub-axes of a mesh whose devices are permuted.
// RANKS: 4
// FLAGS: --checked
// LET: ids = [3, 1, 0, 2]
// LET: at = ids.index(rank)
// LET: x = lambda r: np.arange(2) + 10 * r
// ARG: i64(x(rank))
// RESULT: x(ids[at - 2]) if at >= 2 else np.zeros(2)
// RESULT: x(ids[at ^ 1])
dist.mesh @m ["x" = 4] device_ids [3, 1, 0, 2]
func.func @sub_axes(%x: tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>) {
  %f = dist.permute %x pairs [[0, 1]] on <@m["x":(1)2]>
      : (tensor<2xi64>) -> !dist.future<tensor<2xi64>>
  %g = dist.permute %x pairs [[0, 1], [1, 0]] on <@m["x":(2)2]>
      : (tensor<2xi64>) -> !dist.future<tensor<2xi64>>
  %a = dist.wait %f : !dist.future<tensor<2xi64>>
  %b = dist.wait %g : !dist.future<tensor<2xi64>>
  return %a, %b : tensor<2xi64>, tensor<2xi64>
}

// -----
// Ranks that disagree on the pairs; their order has no meaning.
// ARG: f32([rank])
// RESULT: [1 - rank]
func.func @same_pairs_in_another_order(%x: tensor<1xf32>) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %rank = dist.rank : index
  %first = arith.cmpi eq, %rank, %c0 : index
  %y = scf.if %first -> tensor<1xf32> {
    %f = dist.permute %x pairs [[0, 1], [1, 0]] on <[[0, 1]]>
        : (tensor<1xf32>) -> !dist.future<tensor<1xf32>>
    %w = dist.wait %f : !dist.future<tensor<1xf32>>
    scf.yield %w : tensor<1xf32>
  } else {
    %f = dist.permute %x pairs [[1, 0], [0, 1]] on <[[0, 1]]>
        : (tensor<1xf32>) -> !dist.future<tensor<1xf32>>
    %w = dist.wait %f : !dist.future<tensor<1xf32>>
    scf.yield %w : tensor<1xf32>
  }
  return %y : tensor<1xf32>
}

// -----
// ARG: f32([1, 2])
// ERROR: rank 0: collective #0 on group [0, 1]
// ERROR: rank 1: collective #0 on group [0, 1]
// ERROR: pairs
func.func @other_pairs(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %rank = dist.rank : index
  %first = arith.cmpi eq, %rank, %c0 : index
  %y = scf.if %first -> tensor<2xf32> {
    %f = dist.permute %x pairs [[0, 1]] on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %w = dist.wait %f : !dist.future<tensor<2xf32>>
    scf.yield %w : tensor<2xf32>
  } else {
    %f = dist.permute %x pairs [[1, 0]] on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %w = dist.wait %f : !dist.future<tensor<2xf32>>
    scf.yield %w : tensor<2xf32>
  }
  return %y : tensor<2xf32>
}

// -----
// The source is written while its permute is in flight: it gets a copy.
// FLAGS: --checked --link-delay=2ms
// ARG: i32([1, 2] + np.full(2, 10 * rank))
// RESULT: [1, 2] + np.full(2, 10 * (1 - rank))
// RESULT: [99, 2 + 10 * rank]
func.func @source_written_in_flight(%x: tensor<2xi32>)
    -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %c99 = arith.constant 99 : i32
  %z = arith.constant dense<0> : tensor<2xi32>
  %y = arith.addi %x, %z : tensor<2xi32>
  %f = dist.permute %y pairs [[0, 1], [1, 0]] on <[[0, 1]]>
      : (tensor<2xi32>) -> !dist.future<tensor<2xi32>>
  %w = tensor.insert %c99 into %y[%c0] : tensor<2xi32>
  %a = dist.wait %f : !dist.future<tensor<2xi32>>
  return %a, %w : tensor<2xi32>, tensor<2xi32>
}
