// Several futures of one launch, and several futures in one wait.
//
// RUN: %python %S/../run_program.py %s

// One wait completes futures of a tensor and of a memref, of different kinds, and
// one of them twice.
// FLAGS: --checked --link-delay=1ms
// LET: other = 1 - rank
// ARG: i32([1, 2] + np.full(2, 10 * rank))
// ARG: f32([rank, 5])
// ARG: f32([0, 0])
// RESULT: [1, 2] + np.full(2, 10 * other)
// RESULT: [1, 2] + np.full(2, 10 * other)
// RESULT: [99, 12 + 10 * rank]
// RESULT: [21, 22] if rank == 0 else [0, 0]
// AFTER 1: [rank, 5]
// AFTER 2: [1, 10]
// TRACE: ["permute", "all_reduce", "reduce"]
func.func @mixed(%x: tensor<2xi32>, %m: memref<2xf32>, %n: memref<2xf32>)
    -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %c99 = arith.constant 99 : i32
  %ten = arith.constant dense<10> : tensor<2xi32>
  %y = arith.addi %x, %ten : tensor<2xi32>
  %f = dist.permute %x pairs [[0, 1], [1, 0]] on <[[0, 1]]>
      : (tensor<2xi32>) -> !dist.future<tensor<2xi32>>
  %g = dist.all_reduce sum %m into %n on <[[0, 1]]>
      : (memref<2xf32>) into (memref<2xf32>) -> !dist.future<memref<2xf32>>
  %h = dist.reduce max %y root 0 on <[[0, 1]]>
      : (tensor<2xi32>) -> !dist.future<tensor<2xi32>>
  // The source of the reduction changes while it is in flight.
  %z = tensor.insert %c99 into %y[%c0] : tensor<2xi32>
  %a:4 = dist.wait %f, %g, %h, %f keeps(%m : memref<2xf32>)
      into(%n : memref<2xf32>)
      : !dist.future<tensor<2xi32>>, !dist.future<memref<2xf32>>,
        !dist.future<tensor<2xi32>>, !dist.future<tensor<2xi32>>
  return %a#0, %a#3, %z, %a#2
      : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}

// -----
// The futures of one launch part: one goes around a loop, one through a branch,
// one through a call; element types, ranks and sizes differ, one has none.
// FLAGS: --checked --link-delay=1ms
// ARG: f64([[rank, 1.5]])
// ARG: i8([7, rank])
// ARG: bf16(np.zeros((2, 0)))
// ARG: i64(4 + rank)
// ARG: i1(1)
// RESULT: [[8, 24]]
// RESULT: [14, 1]
// RESULT: bf16(np.zeros((2, 0)))
// RESULT: i64(9)
// TRACE: ["all_reduce", "all_reduce", "all_reduce"]
func.func private @finish(%f: !dist.future<tensor<i64>>) -> tensor<i64> {
  %x = dist.wait %f : !dist.future<tensor<i64>>
  return %x : tensor<i64>
}
func.func @parted(%a: tensor<1x2xf64>, %b: tensor<2xi8>, %c: tensor<2x0xbf16>,
                  %d: tensor<i64>, %p: i1)
    -> (tensor<1x2xf64>, tensor<2xi8>, tensor<2x0xbf16>, tensor<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %two = arith.constant dense<2.0> : tensor<1x2xf64>
  %f:4 = dist.all_reduce sum %a, %b, %c, %d on <[[0, 1]]>
      : (tensor<1x2xf64>, tensor<2xi8>, tensor<2x0xbf16>, tensor<i64>)
      -> !dist.future<tensor<1x2xf64>>, !dist.future<tensor<2xi8>>,
         !dist.future<tensor<2x0xbf16>>, !dist.future<tensor<i64>>
  %loop = scf.for %i = %c0 to %c2 step %c1 iter_args(%g = %f#0)
      -> !dist.future<tensor<1x2xf64>> {
    %x = dist.wait %g : !dist.future<tensor<1x2xf64>>
    %y = arith.mulf %x, %two : tensor<1x2xf64>
    %h = dist.all_reduce avg %y on <[[0, 1]]>
        : (tensor<1x2xf64>) -> !dist.future<tensor<1x2xf64>>
    scf.yield %h : !dist.future<tensor<1x2xf64>>
  }
  %bytes = scf.if %p -> tensor<2xi8> {
    %x = dist.wait %f#1 : !dist.future<tensor<2xi8>>
    scf.yield %x : tensor<2xi8>
  } else {
    %x:2 = dist.wait %f#1, %f#2
        : !dist.future<tensor<2xi8>>, !dist.future<tensor<2x0xbf16>>
    scf.yield %x#0 : tensor<2xi8>
  }
  %word = func.call @finish(%f#3) : (!dist.future<tensor<i64>>) -> tensor<i64>
  %last:2 = dist.wait %loop, %f#2
      : !dist.future<tensor<1x2xf64>>, !dist.future<tensor<2x0xbf16>>
  %r = arith.mulf %last#0, %two : tensor<1x2xf64>
  return %r, %bytes, %last#1, %word
      : tensor<1x2xf64>, tensor<2xi8>, tensor<2x0xbf16>, tensor<i64>
}

// -----
// One launch has one fingerprint: ranks that differ in the second operand alone.
// FOR OTHER: 3xf32 2xi32
// ARG: f32([1, 2])
// ARG: f32([1, 2])
// LET: size = [int(n) for n in "$OTHER".split("x")[:-1]]
// ARG: (i32 if "i32" in "$OTHER" else f32)(np.ones(size))
// ERROR: rank 0: collective #0 on group [0, 1]
// ERROR: rank 1: collective #0 on group [0, 1]
// ERROR: of 2 operands: f32 [2 elements], f32 [2 elements] at
// ERROR: @{%f:2 = dist.all_reduce sum %x, %y}
func.func @other_operand(%x: tensor<2xf32>, %y: tensor<2xf32>,
                         %z: tensor<$OTHER>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %rank = dist.rank : index
  %first = arith.cmpi eq, %rank, %c0 : index
  %r = scf.if %first -> tensor<2xf32> {
    %f:2 = dist.all_reduce sum %x, %y on <[[0, 1]]>
        : (tensor<2xf32>, tensor<2xf32>)
        -> !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>
    %w:2 = dist.wait %f#0, %f#1
        : !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>
    scf.yield %w#0 : tensor<2xf32>
  } else {
    %f:2 = dist.all_reduce sum %x, %z on <[[0, 1]]>
        : (tensor<2xf32>, tensor<$OTHER>)
        -> !dist.future<tensor<2xf32>>, !dist.future<tensor<$OTHER>>
    %w:2 = dist.wait %f#0, %f#1
        : !dist.future<tensor<2xf32>>, !dist.future<tensor<$OTHER>>
    scf.yield %w#0 : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----
// Or in how many there are.
// ARG: f32([1, 2])
// ERROR: rank 0: collective #0 on group [0, 1]
// ERROR: rank 1: collective #0 on group [0, 1]
// ERROR: rank 0 has all_reduce sum of 2 operands: f32 [2 elements], f32 [2 elements]
// ERROR: rank 1 has all_reduce sum f32 [2 elements]
func.func @other_number_of_operands(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %rank = dist.rank : index
  %first = arith.cmpi eq, %rank, %c0 : index
  %r = scf.if %first -> tensor<2xf32> {
    %f:2 = dist.all_reduce sum %x, %x on <[[0, 1]]>
        : (tensor<2xf32>, tensor<2xf32>)
        -> !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>
    %w:2 = dist.wait %f#0, %f#1
        : !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>
    scf.yield %w#0 : tensor<2xf32>
  } else {
    %f = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %w = dist.wait %f : !dist.future<tensor<2xf32>>
    scf.yield %w : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----
// Buffers, some of them strided, in one launch; one wait gives them back.
// FLAGS: --checked
// LET: xs = [np.arange(6).reshape(2, 3) + 10 * r for r in range(ranks)]
// LET: sum = xs[0] + xs[1]
// ARG: f32(xs[rank])
// ARG: i16(xs[rank])
// ARG: f32(np.full((3, 2), 7))
// AFTER 0: xs[rank]
// AFTER 1: sum
// AFTER 2: np.stack([np.full(3, 7), sum[1]], 1)
func.func @buffers(%x: memref<2x3xf32>, %y: memref<2x3xi16>,
                   %z: memref<3x2xf32>) {
  %s = memref.subview %x[1, 0] [1, 3] [1, 1]
      : memref<2x3xf32> to memref<3xf32, strided<[1], offset: 3>>
  %d = memref.subview %z[0, 1] [3, 1] [1, 1]
      : memref<3x2xf32> to memref<3xf32, strided<[2], offset: 1>>
  %f:2 = dist.all_reduce sum %s, %y into %d, %y on <[[0, 1]]>
      : (memref<3xf32, strided<[1], offset: 3>>, memref<2x3xi16>)
      into (memref<3xf32, strided<[2], offset: 1>>, memref<2x3xi16>)
      -> !dist.future<memref<3xf32, strided<[2], offset: 1>>>,
         !dist.future<memref<2x3xi16>>
  %w:2 = dist.wait %f#0, %f#1
      keeps(%s, %y : memref<3xf32, strided<[1], offset: 3>>, memref<2x3xi16>)
      into(%d, %y : memref<3xf32, strided<[2], offset: 1>>, memref<2x3xi16>)
      : !dist.future<memref<3xf32, strided<[2], offset: 1>>>,
        !dist.future<memref<2x3xi16>>
  return
}
