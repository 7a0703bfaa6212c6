// Members combine their tensors on one of them.
//
// RUN: %python %S/../run_program.py %s

// The root is a position: position 0 of the group is rank 2. All others, and
// ranks outside, have zeros.
// RANKS: 4
// FLAGS: --checked
// LET: x = lambda r: np.arange(4).reshape(2, 2) + 10 * r
// LET: group = [2, 0, 1]
// LET: on = lambda p, y: y if rank == group[p] else np.zeros((2, 2))
// ARG: f32(x(rank))
// RESULT: on(0, x(2) + x(0) + x(1))
// RESULT: on(1, (x(2) + x(0) + x(1)) / np.float32(3))
// RESULT: on(2, x(2))
func.func @roots(%x: tensor<2x2xf32>)
    -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %f = dist.reduce sum %x root 0 on <[[2, 0, 1]]>
      : (tensor<2x2xf32>) -> !dist.future<tensor<2x2xf32>>
  %g = dist.reduce avg %x root 1 on <[[2, 0, 1]]>
      : (tensor<2x2xf32>) -> !dist.future<tensor<2x2xf32>>
  %h = dist.reduce max %x root 2 on <[[2, 0, 1]]>
      : (tensor<2x2xf32>) -> !dist.future<tensor<2x2xf32>>
  %a, %b = dist.wait %f, %g
      : !dist.future<tensor<2x2xf32>>, !dist.future<tensor<2x2xf32>>
  %c = dist.wait %h : !dist.future<tensor<2x2xf32>>
  return %a, %b, %c : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

// -----
// A scalar, no elements and a size known at run time in one launch on a group
// that is bound late; the value of one future is never looked at.
// FLAGS: --checked --group=g=1,0
// ARG: i64(rank + 3)
// ARG: ui16(np.zeros(0))
// ARG: i32(np.arange(3) + 10 * rank)
// RESULT: i64(12 if rank == 0 else 0)
// RESULT: np.zeros(0)
// RESULT: np.arange(3) * (np.arange(3) + 10) if rank == 0 else np.zeros(3)
// TRACE: ["reduce"]
dist.process_group @g
func.func @coalesced(%x: tensor<i64>, %y: tensor<0xui16>, %z: tensor<?xi32>)
    -> (tensor<i64>, tensor<0xui16>, tensor<?xi32>) {
  %f:4 = dist.reduce product %x, %y, %z, %z root 1 on <@g>
      : (tensor<i64>, tensor<0xui16>, tensor<?xi32>, tensor<?xi32>)
      -> !dist.future<tensor<i64>>, !dist.future<tensor<0xui16>>,
         !dist.future<tensor<?xi32>>, !dist.future<tensor<?xi32>>
  %a, %b, %c = dist.wait %f#0, %f#1, %f#2
      : !dist.future<tensor<i64>>, !dist.future<tensor<0xui16>>,
        !dist.future<tensor<?xi32>>
  %unused = dist.wait %f#3 : !dist.future<tensor<?xi32>>
  return %a, %b, %c : tensor<i64>, tensor<0xui16>, tensor<?xi32>
}

// -----
// A root that the group turns out not to have.
// FLAGS: --group=g=0,1
// ARG: i32([1, 2])
// ERROR: root 2 is out of range for a group of 2 ranks
dist.process_group @g
func.func @no_such_root(%x: tensor<2xi32>) -> tensor<2xi32> {
  %f = dist.reduce sum %x root 2 on <@g>
      : (tensor<2xi32>) -> !dist.future<tensor<2xi32>>
  %y = dist.wait %f : !dist.future<tensor<2xi32>>
  return %y : tensor<2xi32>
}

// -----
// In place, on tensors and on strided memrefs.
// FLAGS: --checked
// LET: xs = [np.arange(6).reshape(3, 2) + 10 * r for r in range(ranks)]
// LET: sum = xs[0] + xs[1]
// LET: column = sum[:, 1] if rank == 1 else np.zeros(3)
// ARG: i8(xs[rank])
// ARG: f64(xs[rank])
// RESULT: sum if rank == 0 else np.zeros((3, 2))
// RESULT: xs[rank]
// AFTER 1: np.stack([xs[rank][:, 0], column], 1)
func.func @in_place(%x: tensor<3x2xi8>, %m: memref<3x2xf64>)
    -> (tensor<3x2xi8>, tensor<3x2xi8>) {
  %s = memref.subview %m[0, 1] [3, 1] [1, 1]
      : memref<3x2xf64> to memref<3xf64, strided<[2], offset: 1>>
  %r = dist.reduce_into sum %x into %x root 0 on <[[0, 1]]>
      : (tensor<3x2xi8>) into (tensor<3x2xi8>) -> tensor<3x2xi8>
  dist.reduce_into sum %s into %s root 1 on <[[0, 1]]>
      : (memref<3xf64, strided<[2], offset: 1>>)
      into (memref<3xf64, strided<[2], offset: 1>>)
  return %r, %x : tensor<3x2xi8>, tensor<3x2xi8>
}

// -----
// Groups of one.
// FLAGS: --checked
// ARG: i1([0, 1])
// RESULT: [0, 1]
// RESULT: [0, 1] if rank == 1 else [0, 0]
func.func @groups_of_one(%x: tensor<2xi1>) -> (tensor<2xi1>, tensor<2xi1>) {
  %f = dist.reduce bor %x root 0 on <[[0], [1]]>
      : (tensor<2xi1>) -> !dist.future<tensor<2xi1>>
  %g = dist.reduce band %x root 0 on <[[1]]>
      : (tensor<2xi1>) -> !dist.future<tensor<2xi1>>
  %a, %b = dist.wait %f, %g
      : !dist.future<tensor<2xi1>>, !dist.future<tensor<2xi1>>
  return %a, %b : tensor<2xi1>, tensor<2xi1>
}

// -----
// Ranks that disagree on the root.
// ARG: f32([1, 2])
// ERROR: rank 0: collective #0 on group [0, 1]
// ERROR: rank 1: collective #0 on group [0, 1]
// ERROR: root
func.func @other_root(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %rank = dist.rank : index
  %first = arith.cmpi eq, %rank, %c0 : index
  %y = scf.if %first -> tensor<2xf32> {
    %f = dist.reduce sum %x root 0 on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %w = dist.wait %f : !dist.future<tensor<2xf32>>
    scf.yield %w : tensor<2xf32>
  } else {
    %f = dist.reduce sum %x root 1 on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %w = dist.wait %f : !dist.future<tensor<2xf32>>
    scf.yield %w : tensor<2xf32>
  }
  return %y : tensor<2xf32>
}

// -----
// An average of bf16: one rounding at the end.
// RANKS: 3
// FLAGS: --checked
// LET: xs = [[1.0, 2.5], [256.0, 0.5], [1.0, 0.25]]
// LET: total = [np.float32(258.0) / np.float32(3), np.float32(3.25) / np.float32(3)]
// ARG: bf16(xs[rank])
// RESULT: bf16(total) if rank == 2 else bf16([0, 0])
func.func @low_precision(%x: tensor<2xbf16>) -> tensor<2xbf16> {
  %f = dist.reduce avg %x root 2 on <[[0, 1, 2]]>
      : (tensor<2xbf16>) -> !dist.future<tensor<2xbf16>>
  %y = dist.wait %f : !dist.future<tensor<2xbf16>>
  return %y : tensor<2xbf16>
}
