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
