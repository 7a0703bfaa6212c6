// Valid programs: no alarm, no remark, no change.
// RUN: dist-opt %s --dist-verify-schedule --verify-diagnostics -o %t.checked
// RUN: dist-opt %s -o %t.parsed
// RUN: diff %t.parsed %t.checked

dist.process_group @g ranks [[0, 1]]

// Two buffers used in turn: each reduction is waited for before its buffer is
// written again.
func.func @double_buffer(%rank: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %buf0 = memref.alloc() : memref<1xi32>
  %buf1 = memref.alloc() : memref<1xi32>
  memref.store %rank, %buf0[%c0] : memref<1xi32>
  memref.store %rank, %buf1[%c0] : memref<1xi32>
  %f0 = dist.all_reduce sum %buf0 into %buf0 on <@g>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %f1 = dist.all_reduce sum %buf1 into %buf1 on <@g>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %last:4 = scf.for %i = %c0 to %c5 step %c1
      iter_args(%b = %buf0, %next = %buf1, %f = %f0, %g = %f1)
      -> (memref<1xi32>, memref<1xi32>, !dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>) {
    %w = dist.wait %f : !dist.future<memref<1xi32>>
    memref.store %rank, %b[%c0] : memref<1xi32>
    %n = dist.all_reduce sum %b into %b on <@g>
        : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
    scf.yield %next, %b, %g, %n
        : memref<1xi32>, memref<1xi32>, !dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>
  }
  dist.wait %last#2 : !dist.future<memref<1xi32>>
  dist.wait %last#3 : !dist.future<memref<1xi32>>
  %r = memref.load %buf0[%c0] : memref<1xi32>
  memref.dealloc %buf0 : memref<1xi32>
  memref.dealloc %buf1 : memref<1xi32>
  return %r : i32
}

// Futures may leave and come in, and be waited for in both branches or in a loop
// that surely runs.
func.func private @starts(%x: tensor<4xf32>) -> !dist.future<tensor<4xf32>> {
  %f = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return %f : !dist.future<tensor<4xf32>>
}

func.func private @waits(%f: !dist.future<tensor<4xf32>>) -> tensor<4xf32> {
  %w = dist.wait %f : !dist.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

func.func @calls_and_branches(%x: tensor<4xf32>, %c: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %f = call @starts(%x) : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %g = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = scf.if %c -> tensor<4xf32> {
    %w = func.call @waits(%f) : (!dist.future<tensor<4xf32>>) -> tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  } else {
    %w = dist.wait %f : !dist.future<tensor<4xf32>>
    scf.yield %w : tensor<4xf32>
  }
  %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %x) -> tensor<4xf32> {
    %w = dist.wait %g : !dist.future<tensor<4xf32>>
    scf.yield %w : tensor<4xf32>
  }
  return %r, %s : tensor<4xf32>, tensor<4xf32>
}

func.func @several_blocks(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %f = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  cf.cond_br %c, ^then(%f : !dist.future<tensor<4xf32>>), ^else
^then(%g: !dist.future<tensor<4xf32>>):
  %w = dist.wait %g : !dist.future<tensor<4xf32>>
  return %w : tensor<4xf32>
^else:
  %v = dist.wait %f : !dist.future<tensor<4xf32>>
  return %v : tensor<4xf32>
}

// The path without a wait does not start anything either.
func.func @poison_on_the_other_path(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %f = scf.if %c -> !dist.future<tensor<4xf32>> {
    %s = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    scf.yield %s : !dist.future<tensor<4xf32>>
  } else {
    %p = ub.poison : !dist.future<tensor<4xf32>>
    scf.yield %p : !dist.future<tensor<4xf32>>
  }
  %w = dist.wait %f : !dist.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

// Pieces of one buffer that do not overlap; the source of a gather may be read.
func.func @disjoint_pieces(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<8xf32>
  %lo = memref.subview %x[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %hi = memref.subview %x[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  linalg.fill ins(%v : f32) outs(%x : memref<8xf32>)
  %f = dist.all_reduce sum %lo into %lo on <@g>
      : (memref<4xf32, strided<[1]>>) into (memref<4xf32, strided<[1]>>)
      -> !dist.future<memref<4xf32, strided<[1]>>>
  linalg.fill ins(%v : f32) outs(%hi : memref<4xf32, strided<[1], offset: 4>>)
  dist.wait %f : !dist.future<memref<4xf32, strided<[1]>>>
  %g = dist.all_gather %x dim 0 on <@g> : (memref<8xf32>) -> !dist.future<tensor<16xf32>>
  %l = memref.load %x[%c0] : memref<8xf32>
  dist.wait %g keeps(%x : memref<8xf32>) : !dist.future<tensor<16xf32>> -> memref<16xf32>
  memref.store %v, %x[%c0] : memref<8xf32>
  return %l : f32
}

// Two buffers in turn, chosen by the parity of the iteration.
func.func @selected_buffers(%v: i32, %buf0: memref<1xi32>, %buf1: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %f0 = dist.all_reduce sum %buf0 into %buf0 on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %f1 = dist.all_reduce sum %buf1 into %buf1 on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %last:2 = scf.for %i = %c2 to %c5 step %c1 iter_args(%older = %f0, %newer = %f1)
      -> (!dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>) {
    %parity = arith.remui %i, %c2 : index
    %isEven = arith.cmpi eq, %parity, %c0 : index
    %buf = arith.select %isEven, %buf0, %buf1 : memref<1xi32>
    dist.wait %older : !dist.future<memref<1xi32>>
    memref.store %v, %buf[%c0] : memref<1xi32>
    %f = dist.all_reduce sum %buf into %buf on <[[0, 1]]>
        : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
    scf.yield %newer, %f : !dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>
  }
  dist.wait %last#0 : !dist.future<memref<1xi32>>
  dist.wait %last#1 : !dist.future<memref<1xi32>>
  return
}

// More iterations than anybody follows.
func.func @selected_buffers_of_a_long_loop(%v: i32, %buf0: memref<1xi32>, %buf1: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c1000 = arith.constant 1000 : index
  %f0 = dist.all_reduce sum %buf0 into %buf0 on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %f1 = dist.all_reduce sum %buf1 into %buf1 on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %last:2 = scf.for %i = %c2 to %c1000 step %c1 iter_args(%older = %f0, %newer = %f1)
      -> (!dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>) {
    %parity = arith.remui %i, %c2 : index
    %isEven = arith.cmpi eq, %parity, %c0 : index
    %buf = arith.select %isEven, %buf0, %buf1 : memref<1xi32>
    dist.wait %older : !dist.future<memref<1xi32>>
    memref.store %v, %buf[%c0] : memref<1xi32>
    %f = dist.all_reduce sum %buf into %buf on <[[0, 1]]>
        : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
    scf.yield %newer, %f : !dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>
  }
  dist.wait %last#0 : !dist.future<memref<1xi32>>
  dist.wait %last#1 : !dist.future<memref<1xi32>>
  return
}

// The first iteration is known, the last one is not.
func.func @selected_buffers_of_an_unknown_loop(%v: i32, %buf0: memref<1xi32>, %buf1: memref<1xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f0 = dist.all_reduce sum %buf0 into %buf0 on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %f1 = dist.all_reduce sum %buf1 into %buf1 on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %last:2 = scf.for %i = %c2 to %n step %c1 iter_args(%older = %f0, %newer = %f1)
      -> (!dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>) {
    %parity = arith.remui %i, %c2 : index
    %isEven = arith.cmpi eq, %parity, %c0 : index
    %buf = arith.select %isEven, %buf0, %buf1 : memref<1xi32>
    dist.wait %older : !dist.future<memref<1xi32>>
    memref.store %v, %buf[%c0] : memref<1xi32>
    %f = dist.all_reduce sum %buf into %buf on <[[0, 1]]>
        : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
    scf.yield %newer, %f : !dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>
  }
  dist.wait %last#0 : !dist.future<memref<1xi32>>
  dist.wait %last#1 : !dist.future<memref<1xi32>>
  return
}

// Three pieces of one buffer, two of them in flight at any time.
func.func @pieces_in_turn(%v: f32, %x: memref<12xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %f0 = func.call @start_piece(%x, %v, %c1) : (memref<12xf32>, f32, index)
      -> !dist.future<memref<4xf32, strided<[1], offset: ?>>>
  %f1 = func.call @start_piece(%x, %v, %c2) : (memref<12xf32>, f32, index)
      -> !dist.future<memref<4xf32, strided<[1], offset: ?>>>
  %last:2 = scf.for %i = %c3 to %c9 step %c1 iter_args(%older = %f0, %newer = %f1)
      -> (!dist.future<memref<4xf32, strided<[1], offset: ?>>>,
          !dist.future<memref<4xf32, strided<[1], offset: ?>>>) {
    %next = func.call @start_piece(%x, %v, %i) : (memref<12xf32>, f32, index)
        -> !dist.future<memref<4xf32, strided<[1], offset: ?>>>
    dist.wait %older : !dist.future<memref<4xf32, strided<[1], offset: ?>>>
    scf.yield %newer, %next
        : !dist.future<memref<4xf32, strided<[1], offset: ?>>>,
          !dist.future<memref<4xf32, strided<[1], offset: ?>>>
  }
  dist.wait %last#0 : !dist.future<memref<4xf32, strided<[1], offset: ?>>>
  dist.wait %last#1 : !dist.future<memref<4xf32, strided<[1], offset: ?>>>
  linalg.fill ins(%v : f32) outs(%x : memref<12xf32>)
  return
}

func.func private @start_piece(%x: memref<12xf32>, %v: f32, %i: index)
    -> !dist.future<memref<4xf32, strided<[1], offset: ?>>> {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %number = arith.remui %i, %c3 : index
  %offset = arith.muli %number, %c4 : index
  %piece = memref.subview %x[%offset] [4] [1]
      : memref<12xf32> to memref<4xf32, strided<[1], offset: ?>>
  linalg.fill ins(%v : f32) outs(%piece : memref<4xf32, strided<[1], offset: ?>>)
  %f = dist.all_reduce sum %piece into %piece on <@g>
      : (memref<4xf32, strided<[1], offset: ?>>)
      into (memref<4xf32, strided<[1], offset: ?>>)
      -> !dist.future<memref<4xf32, strided<[1], offset: ?>>>
  return %f : !dist.future<memref<4xf32, strided<[1], offset: ?>>>
}

// Some iterations refill the buffer, others leave the future to the next.
func.func @some_iterations(%v: i32, %x: memref<2xi32>, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %piece = memref.subview %x[0] [1] [1] : memref<2xi32> to memref<1xi32, strided<[1]>>
  %f0 = dist.all_reduce sum %piece into %piece on <@g>
      : (memref<1xi32, strided<[1]>>) into (memref<1xi32, strided<[1]>>)
      -> !dist.future<memref<1xi32, strided<[1]>>>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%f = %f0)
      -> !dist.future<memref<1xi32, strided<[1]>>> {
    %g = scf.if %c -> !dist.future<memref<1xi32, strided<[1]>>> {
      dist.wait %f : !dist.future<memref<1xi32, strided<[1]>>>
      memref.store %v, %piece[%c0] : memref<1xi32, strided<[1]>>
      %s = dist.all_reduce sum %piece into %piece on <@g>
          : (memref<1xi32, strided<[1]>>) into (memref<1xi32, strided<[1]>>)
          -> !dist.future<memref<1xi32, strided<[1]>>>
      scf.yield %s : !dist.future<memref<1xi32, strided<[1]>>>
    } else {
      memref.store %v, %x[%c1] : memref<2xi32>
      scf.yield %f : !dist.future<memref<1xi32, strided<[1]>>>
    }
    scf.yield %g : !dist.future<memref<1xi32, strided<[1]>>>
  }
  dist.wait %last : !dist.future<memref<1xi32, strided<[1]>>>
  return
}
