// Every member sends a piece to every member.
//
// RUN: %python %S/../run_program.py %s

// Every pair of dimensions; the members in another order than the ranks.
// RANKS: 3
// FLAGS: --checked
// LET: group = [2, 0, 1]
// LET: me = group.index(rank)
// LET: xs = [np.arange(54).reshape(6, 9) + 100 * r for r in range(ranks)]
// LET: exchange = lambda s, c: np.concatenate([np.split(xs[r], 3, s)[me] for r in group], c)
// ARG: i32(xs[rank])
// RESULT: exchange(0, 0)
// RESULT: exchange(0, 1)
// RESULT: exchange(1, 0)
// RESULT: exchange(1, 1)
func.func @static(%x: tensor<6x9xi32>)
    -> (tensor<6x9xi32>, tensor<2x27xi32>, tensor<18x3xi32>, tensor<6x9xi32>) {
  %f = dist.all_to_all %x split_dim 0 concat_dim 0 on <[[2, 0, 1]]>
      : (tensor<6x9xi32>) -> !dist.future<tensor<6x9xi32>>
  %g = dist.all_to_all %x split_dim 0 concat_dim 1 on <[[2, 0, 1]]>
      : (tensor<6x9xi32>) -> !dist.future<tensor<2x27xi32>>
  %h = dist.all_to_all %x split_dim 1 concat_dim 0 on <[[2, 0, 1]]>
      : (tensor<6x9xi32>) -> !dist.future<tensor<18x3xi32>>
  %i = dist.all_to_all %x split_dim 1 concat_dim 1 on <[[2, 0, 1]]>
      : (tensor<6x9xi32>) -> !dist.future<tensor<6x9xi32>>
  %a, %b = dist.wait %f, %g
      : !dist.future<tensor<6x9xi32>>, !dist.future<tensor<2x27xi32>>
  %c, %d = dist.wait %h, %i
      : !dist.future<tensor<18x3xi32>>, !dist.future<tensor<6x9xi32>>
  return %a, %b, %c, %d
      : tensor<6x9xi32>, tensor<2x27xi32>, tensor<18x3xi32>, tensor<6x9xi32>
}

// -----
// Sizes and group are known when the program runs; so are the sizes that the
// result is computed with.
// RANKS: 3
// FLAGS: --checked --group=g=2,0,1
// LET: group = [2, 0, 1]
// LET: me = group.index(rank)
// LET: xs = [np.arange(54).reshape(6, 9) + 100 * r for r in range(ranks)]
// LET: exchange = lambda s, c: np.concatenate([np.split(xs[r], 3, s)[me] for r in group], c)
// ARG: f32(xs[rank])
// RESULT: exchange(0, 1) * 2
// RESULT: exchange(1, 1)
// RESULT: index(2)
// RESULT: index(27)
// RESULT: index(9)
dist.process_group @g
func.func @dynamic(%x: tensor<?x?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = dist.all_to_all %x split_dim 0 concat_dim 1 on <@g>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %g = dist.all_to_all %x split_dim 1 concat_dim 1 on <@g>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %a = dist.wait %f : !dist.future<tensor<?x?xf32>>
  %b = dist.wait %g : !dist.future<tensor<?x?xf32>>
  %rows = tensor.dim %a, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %a, %c1 : tensor<?x?xf32>
  %recut = tensor.dim %b, %c1 : tensor<?x?xf32>
  %twice = arith.addf %a, %a : tensor<?x?xf32>
  return %twice, %b, %rows, %columns, %recut
      : tensor<?x?xf32>, tensor<?x?xf32>, index, index, index
}

// -----
// A size that does not divide is found when the program runs.
// FLAGS: --group=g=0,1
// ARG: i32(np.zeros(5))
// ERROR: size 5 of dim 0 is not divisible by the group size 2
dist.process_group @g
func.func @does_not_divide(%x: tensor<?xi32>) -> tensor<?xi32> {
  %f = dist.all_to_all %x split_dim 0 concat_dim 0 on <@g>
      : (tensor<?xi32>) -> !dist.future<tensor<?xi32>>
  %y = dist.wait %f : !dist.future<tensor<?xi32>>
  return %y : tensor<?xi32>
}

// -----
// Into destinations that the program names; into its own source, which has to be
// a copy.
// FLAGS: --checked
// LET: xs = [np.arange(8).reshape(2, 4) + 100 * r for r in range(ranks)]
// LET: exchange = lambda s, c: np.concatenate([np.split(x, 2, s)[rank] for x in xs], c)
// ARG: i16(xs[rank])
// ARG: i16(np.full((4, 2), 7))
// RESULT: exchange(1, 0)
// RESULT: exchange(1, 1)
// RESULT: xs[rank]
// AFTER 1: exchange(1, 0)
func.func @tensors_into(%x: tensor<2x4xi16>,
                        %out: tensor<4x2xi16> {dist.writable})
    -> (tensor<4x2xi16>, tensor<2x4xi16>, tensor<2x4xi16>) {
  %r = dist.all_to_all_into %x into %out split_dim 1 concat_dim 0 on <[[0, 1]]>
      : (tensor<2x4xi16>) into (tensor<4x2xi16>) -> tensor<4x2xi16>
  %s = dist.all_to_all_into %x into %x split_dim 1 concat_dim 1 on <[[0, 1]]>
      : (tensor<2x4xi16>) into (tensor<2x4xi16>) -> tensor<2x4xi16>
  return %r, %s, %x : tensor<4x2xi16>, tensor<2x4xi16>, tensor<2x4xi16>
}

// -----
// Strided memrefs, synchronous and asynchronous.
// FLAGS: --checked
// LET: xs = [np.arange(32).reshape(4, 8) + 100 * r for r in range(ranks)]
// LET: cut = lambda x: x[1:3, 0:8:2]
// LET: out = np.full((4, 6), 7)
// LET: exchange = lambda s, c: np.concatenate([np.split(cut(x), 2, s)[rank] for x in xs], c)
// LET: put = lambda y: np.concatenate([out[:, :2], y, out[:, 4:]], 1)
// ARG: f64(xs[rank])
// ARG: f64(out)
// ARG: f64(out)
// AFTER 0: xs[rank]
// AFTER 1: put(exchange(1, 0))
// AFTER 2: put(exchange(1, 0))
func.func @strided(%x: memref<4x8xf64>, %y: memref<4x6xf64>,
                   %z: memref<4x6xf64>) {
  %s = memref.subview %x[1, 0] [2, 4] [1, 2]
      : memref<4x8xf64> to memref<2x4xf64, strided<[8, 2], offset: 8>>
  %d = memref.subview %y[0, 2] [4, 2] [1, 1]
      : memref<4x6xf64> to memref<4x2xf64, strided<[6, 1], offset: 2>>
  %e = memref.subview %z[0, 2] [4, 2] [1, 1]
      : memref<4x6xf64> to memref<4x2xf64, strided<[6, 1], offset: 2>>
  dist.all_to_all_into %s into %d split_dim 1 concat_dim 0 on <[[0, 1]]>
      : (memref<2x4xf64, strided<[8, 2], offset: 8>>)
      into (memref<4x2xf64, strided<[6, 1], offset: 2>>)
  %f = dist.all_to_all %s into %e split_dim 1 concat_dim 0 on <[[0, 1]]>
      : (memref<2x4xf64, strided<[8, 2], offset: 8>>)
      into (memref<4x2xf64, strided<[6, 1], offset: 2>>)
      -> !dist.future<memref<4x2xf64, strided<[6, 1], offset: 2>>>
  %w = dist.wait %f keeps(%s : memref<2x4xf64, strided<[8, 2], offset: 8>>)
      into(%e : memref<4x2xf64, strided<[6, 1], offset: 2>>)
      : !dist.future<memref<4x2xf64, strided<[6, 1], offset: 2>>>
  return
}

// -----
// Overlapping views of one buffer are the user's word; the runtime refuses.
// ARG: f32(np.zeros(8))
// ERROR: source and destination of an all_to_all overlap
func.func @views_that_overlap(%x: memref<8xf32>) {
  %s = memref.subview %x[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %d = memref.subview %x[2] [4] [1]
      : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  dist.all_to_all_into %s into %d split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (memref<4xf32, strided<[1]>>)
      into (memref<4xf32, strided<[1], offset: 2>>)
  return
}

// -----
// A sub-axis of a mesh whose devices are permuted: position 2 * i + j of the
// mesh is rank [3, 1, 0, 2][2 * i + j].
// RANKS: 4
// FLAGS: --checked
// LET: groups = [[3, 1], [0, 2]]
// LET: group = [g for g in groups if rank in g][0]
// LET: me = group.index(rank)
// LET: xs = [np.arange(4) + 10 * r for r in range(ranks)]
// ARG: i64(xs[rank])
// RESULT: np.concatenate([np.split(xs[r], 2)[me] for r in group])
dist.mesh @m ["x" = 4] device_ids [3, 1, 0, 2]
func.func @sub_axis(%x: tensor<4xi64>) -> tensor<4xi64> {
  %f = dist.all_to_all %x split_dim 0 concat_dim 0 on <@m["x":(2)2]>
      : (tensor<4xi64>) -> !dist.future<tensor<4xi64>>
  %y = dist.wait %f : !dist.future<tensor<4xi64>>
  return %y : tensor<4xi64>
}

// -----
// Rank 2 is outside and has zeros; groups of one have their own.
// RANKS: 3
// FLAGS: --checked
// LET: xs = [np.arange(4).reshape(2, 2) + 10 * r for r in range(ranks)]
// LET: mine = np.concatenate([np.split(x, 2, 1)[rank] for x in xs[:2]], 0) if rank < 2 else np.zeros((4, 1))
// ARG: i8(xs[rank])
// RESULT: mine
// RESULT: mine
// RESULT: xs[rank]
// RESULT: xs[rank] if rank == 1 else np.zeros((2, 2))
func.func @outside(%x: tensor<2x2xi8>)
    -> (tensor<4x1xi8>, tensor<4x1xi8>, tensor<2x2xi8>, tensor<2x2xi8>) {
  %f = dist.all_to_all %x split_dim 1 concat_dim 0 on <[[0, 1]]>
      : (tensor<2x2xi8>) -> !dist.future<tensor<4x1xi8>>
  %out = tensor.empty() : tensor<4x1xi8>
  %r = dist.all_to_all_into %x into %out split_dim 1 concat_dim 0 on <[[0, 1]]>
      : (tensor<2x2xi8>) into (tensor<4x1xi8>) -> tensor<4x1xi8>
  %g = dist.all_to_all %x split_dim 1 concat_dim 0 on <[[0], [1], [2]]>
      : (tensor<2x2xi8>) -> !dist.future<tensor<2x2xi8>>
  %h = dist.all_to_all %x split_dim 0 concat_dim 0 on <[[1]]>
      : (tensor<2x2xi8>) -> !dist.future<tensor<2x2xi8>>
  %a, %b, %c = dist.wait %f, %g, %h
      : !dist.future<tensor<4x1xi8>>, !dist.future<tensor<2x2xi8>>,
        !dist.future<tensor<2x2xi8>>
  return %a, %r, %b, %c
      : tensor<4x1xi8>, tensor<4x1xi8>, tensor<2x2xi8>, tensor<2x2xi8>
}

// -----
// One launch of several element types, one source without elements, awaited in
// another order by one wait.
// FLAGS: --checked
// LET: xs = [np.arange(4) + 10 * r for r in range(ranks)]
// LET: y = np.concatenate([np.split(x, 2)[rank] for x in xs])
// ARG: f64(xs[rank])
// ARG: i8(xs[rank])
// ARG: f16(np.zeros((0, 4)))
// RESULT: y
// RESULT: np.zeros((0, 4))
// RESULT: y
// TRACE: ["all_to_all"]
func.func @coalesced(%x: tensor<4xf64>, %y: tensor<4xi8>, %z: tensor<0x4xf16>)
    -> (tensor<4xf64>, tensor<0x4xf16>, tensor<4xi8>) {
  %f:3 = dist.all_to_all %x, %y, %z split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<4xf64>, tensor<4xi8>, tensor<0x4xf16>)
      -> !dist.future<tensor<4xf64>>, !dist.future<tensor<4xi8>>,
         !dist.future<tensor<0x4xf16>>
  %c, %b, %a = dist.wait %f#2, %f#1, %f#0
      : !dist.future<tensor<0x4xf16>>, !dist.future<tensor<4xi8>>,
        !dist.future<tensor<4xf64>>
  return %a, %c, %b : tensor<4xf64>, tensor<0x4xf16>, tensor<4xi8>
}

// -----
// Ranks that disagree on a dimension.
// ARG: f32(np.zeros((2, 2)))
// ERROR: all_to_all
// ERROR: concat dim
func.func @other_dimensions(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %c0 = arith.constant 0 : index
  %rank = dist.rank : index
  %first = arith.cmpi eq, %rank, %c0 : index
  %y = scf.if %first -> tensor<2x2xf32> {
    %f = dist.all_to_all %x split_dim 0 concat_dim 0 on <[[0, 1]]>
        : (tensor<2x2xf32>) -> !dist.future<tensor<2x2xf32>>
    %w = dist.wait %f : !dist.future<tensor<2x2xf32>>
    scf.yield %w : tensor<2x2xf32>
  } else {
    %f = dist.all_to_all %x split_dim 1 concat_dim 1 on <[[0, 1]]>
        : (tensor<2x2xf32>) -> !dist.future<tensor<2x2xf32>>
    %w = dist.wait %f : !dist.future<tensor<2x2xf32>>
    scf.yield %w : tensor<2x2xf32>
  }
  return %y : tensor<2x2xf32>
}

// -----
// In a loop that carries the future: each iteration sends on what the one before
// received, and the source of the exchange is overwritten after its wait only.
// RANKS: 2
// FLAGS: --checked --link-delay=1ms
// LET: xs = [np.arange(4) + 10 * r for r in range(ranks)]
// LET: once = lambda xs: [np.concatenate([np.split(x, 2)[r] for x in xs]) for r in range(2)]
// LET: step = lambda xs: [x + 1 for x in once(xs)]
// ARG: i32(xs[rank])
// RESULT: once(step(step(step(xs))))[rank]
func.func @loop(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant dense<1> : tensor<4xi32>
  %f0 = dist.all_to_all %x split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %f = scf.for %i = %c0 to %c3 step %c1 iter_args(%f = %f0)
      -> !dist.future<tensor<4xi32>> {
    %y = dist.wait %f : !dist.future<tensor<4xi32>>
    %z = arith.addi %y, %one : tensor<4xi32>
    %g = dist.all_to_all %z split_dim 0 concat_dim 0 on <[[0, 1]]>
        : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
    scf.yield %g : !dist.future<tensor<4xi32>>
  }
  %r = dist.wait %f : !dist.future<tensor<4xi32>>
  return %r : tensor<4xi32>
}
