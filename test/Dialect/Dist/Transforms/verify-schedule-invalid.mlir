// RUN: dist-opt %s --dist-verify-schedule --verify-diagnostics --split-input-file

func.func @one_of_two_futures(%a: tensor<2xi32>, %b: tensor<3xi32>) -> tensor<2xi32> {
  // expected-error@+1 {{'dist.all_reduce' op result 1 of type '!dist.future<tensor<3xi32>>' is not waited for}}
  %f:2 = dist.all_reduce sum %a, %b on <[[0, 1]]>
      : (tensor<2xi32>, tensor<3xi32>) -> !dist.future<tensor<2xi32>>, !dist.future<tensor<3xi32>>
  %x = dist.wait %f#0 : !dist.future<tensor<2xi32>>
  return %x : tensor<2xi32>
}

// -----

func.func @one_branch_only(%a: tensor<2xi32>, %c: i1) -> tensor<2xi32> {
  // expected-error@+1 {{result 0 of type '!dist.future<tensor<2xi32>>' is not waited for on every path}}
  %f = dist.all_reduce sum %a on <[[0, 1]]> : (tensor<2xi32>) -> !dist.future<tensor<2xi32>>
  %r = scf.if %c -> tensor<2xi32> {
    %w = dist.wait %f : !dist.future<tensor<2xi32>>
    scf.yield %w : tensor<2xi32>
  } else {
    // expected-note@+1 {{a path without a wait ends here}}
    scf.yield %a : tensor<2xi32>
  }
  return %r : tensor<2xi32>
}

// -----

func.func @one_block_only(%a: tensor<2xi32>, %c: i1) -> tensor<2xi32> {
  // expected-error@+1 {{is not waited for on every path}}
  %f = dist.all_reduce sum %a on <[[0, 1]]> : (tensor<2xi32>) -> !dist.future<tensor<2xi32>>
  cf.cond_br %c, ^wait, ^leave
^wait:
  %w = dist.wait %f : !dist.future<tensor<2xi32>>
  return %w : tensor<2xi32>
^leave:
  // expected-note@+1 {{a path without a wait ends here}}
  return %a : tensor<2xi32>
}

// -----

func.func @loop_that_may_not_run(%a: tensor<2xi32>, %n: index) -> tensor<2xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{is not waited for on every path}}
  %f = dist.all_reduce sum %a on <[[0, 1]]> : (tensor<2xi32>) -> !dist.future<tensor<2xi32>>
  // expected-note@+1 {{a path without a wait ends here}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<2xi32> {
    %w = dist.wait %f : !dist.future<tensor<2xi32>>
    scf.yield %w : tensor<2xi32>
  }
  return %r : tensor<2xi32>
}

// -----

// expected-error@+1 {{'func.func' op argument 0 of type '!dist.future<tensor<2xi32>>' is not waited for}}
func.func @argument(%f: !dist.future<tensor<2xi32>>) {
  return
}

// -----

func.func @null_future() -> tensor<2xi32> {
  %f = ub.poison : !dist.future<tensor<2xi32>>
  // expected-error@+1 {{waits for operand 0, which is a null future (ub.poison): no collective was started}}
  %w = dist.wait %f : !dist.future<tensor<2xi32>>
  return %w : tensor<2xi32>
}

// -----

// Two buffers used in turn, without the wait in the loop.
func.func @double_buffer_without_wait(%v: i32, %buf0: memref<1xi32>, %buf1: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  // expected-note@+1 {{started here}}
  %f0 = dist.all_reduce sum %buf0 into %buf0 on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %f1 = dist.all_reduce sum %buf1 into %buf1 on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %last:4 = scf.for %i = %c0 to %c5 step %c1
      iter_args(%b = %buf0, %next = %buf1, %f = %f0, %g = %f1)
      -> (memref<1xi32>, memref<1xi32>, !dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>) {
    // expected-error@+1 {{'memref.store' op touches buffer %arg1 while the all_reduce of %arg1 (memref<1xi32>) is in flight: its future is not waited for before}}
    memref.store %v, %b[%c0] : memref<1xi32>
    %n = dist.all_reduce sum %b into %b on <[[0, 1]]>
        : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
    scf.yield %next, %b, %g, %n
        : memref<1xi32>, memref<1xi32>, !dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>
  }
  dist.wait %last#2 : !dist.future<memref<1xi32>>
  dist.wait %last#3 : !dist.future<memref<1xi32>>
  return
}

// -----

func.func @source_written_in_flight(%x: memref<1xf32>, %y: memref<1xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{started here}}
  %f = dist.all_reduce sum %x into %y on <[[0, 1]]>
      : (memref<1xf32>) into (memref<1xf32>) -> !dist.future<memref<1xf32>>
  // expected-error@+1 {{'memref.store' op writes buffer %arg0 while the all_reduce of %arg0 (memref<1xf32>) is in flight, whose source it is}}
  memref.store %v, %x[%c0] : memref<1xf32>
  dist.wait %f keeps(%x : memref<1xf32>) into(%y : memref<1xf32>) : !dist.future<memref<1xf32>>
  return
}

// -----

func.func @destination_read_in_flight(%x: memref<1x1xf32>, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %v = memref.collapse_shape %x [[0, 1]] : memref<1x1xf32> into memref<1xf32>
  // expected-note@+1 {{started here}}
  %f = dist.all_reduce sum %x into %x on <[[0, 1]]>
      : (memref<1x1xf32>) into (memref<1x1xf32>) -> !dist.future<memref<1x1xf32>>
  %r = scf.if %c -> f32 {
    dist.wait %f : !dist.future<memref<1x1xf32>>
    %l = memref.load %v[%c0] : memref<1xf32>
    scf.yield %l : f32
  } else {
    // expected-error@+1 {{reads buffer %arg0 while the all_reduce of %arg0 (memref<1x1xf32>) is in flight, whose destination it is}}
    %l = memref.load %v[%c0] : memref<1xf32>
    dist.wait %f : !dist.future<memref<1x1xf32>>
    scf.yield %l : f32
  }
  return %r : f32
}

// -----

// One iteration later the buffer is still in flight.
func.func @carried_into_the_next_iteration(%x: memref<1xf32>, %v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note@+1 {{started here}}
  %f0 = dist.all_reduce sum %x into %x on <[[0, 1]]>
      : (memref<1xf32>) into (memref<1xf32>) -> !dist.future<memref<1xf32>>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%f = %f0) -> !dist.future<memref<1xf32>> {
    // expected-error@+1 {{writes buffer %arg0 while the all_reduce of %arg0 (memref<1xf32>) is in flight, whose destination it is}}
    memref.store %v, %x[%c0] : memref<1xf32>
    dist.wait %f : !dist.future<memref<1xf32>>
    %next = dist.all_reduce sum %x into %x on <[[0, 1]]>
        : (memref<1xf32>) into (memref<1xf32>) -> !dist.future<memref<1xf32>>
    scf.yield %next : !dist.future<memref<1xf32>>
  }
  dist.wait %last : !dist.future<memref<1xf32>>
  return
}

// -----

// One element of the buffer, which is not one of the piece; nobody looks.
func.func @element_beside_the_piece(%x: memref<8xf32>, %v: f32) {
  %c5 = arith.constant 5 : index
  %lo = memref.subview %x[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  // expected-note@+1 {{started here}}
  %f = dist.all_reduce sum %lo into %lo on <[[0, 1]]>
      : (memref<4xf32, strided<[1]>>) into (memref<4xf32, strided<[1]>>)
      -> !dist.future<memref<4xf32, strided<[1]>>>
  // expected-remark@+1 {{may race: writes buffer %arg0}}
  memref.store %v, %x[%c5] : memref<8xf32>
  dist.wait %f : !dist.future<memref<4xf32, strided<[1]>>>
  return
}

// -----

func.func @pieces_that_may_overlap(%x: memref<8xf32>, %v: f32, %i: index) {
  %lo = memref.subview %x[%i] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  %hi = memref.subview %x[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  // expected-note@+1 {{started here}}
  %f = dist.all_reduce sum %lo into %lo on <[[0, 1]]>
      : (memref<4xf32, strided<[1], offset: ?>>) into (memref<4xf32, strided<[1], offset: ?>>)
      -> !dist.future<memref<4xf32, strided<[1], offset: ?>>>
  // expected-remark@+1 {{may race: writes buffer %arg0}}
  linalg.fill ins(%v : f32) outs(%hi : memref<4xf32, strided<[1], offset: 4>>)
  dist.wait %f : !dist.future<memref<4xf32, strided<[1], offset: ?>>>
  return
}

// -----

// A future carried around a loop may still write the one buffer: the wait comes
// after the store.
func.func @piece_refilled_before_the_wait(%buffers: memref<2x1xi32>, %word: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %buf0 = memref.subview %buffers[0, 0] [1, 1] [1, 1]
      : memref<2x1xi32> to memref<1xi32, strided<[1]>>
  // expected-note@+1 {{started here}}
  %f0 = dist.all_reduce sum %buf0 into %buf0 on <[[0, 1]]>
      : (memref<1xi32, strided<[1]>>) into (memref<1xi32, strided<[1]>>)
      -> !dist.future<memref<1xi32, strided<[1]>>>
  %last = scf.for %i = %c1 to %c5 step %c1 iter_args(%older = %f0)
      -> !dist.future<memref<1xi32, strided<[1]>>> {
    // expected-error@+1 {{'memref.store' op writes buffer %arg0 while the all_reduce of %subview (memref<1xi32, strided<[1]>>) is in flight, whose destination it is}}
    memref.store %word, %buf0[%c0] : memref<1xi32, strided<[1]>>
    dist.wait %older into(%buf0 : memref<1xi32, strided<[1]>>) : !dist.future<memref<1xi32, strided<[1]>>>
    %f = dist.all_reduce sum %buf0 into %buf0 on <[[0, 1]]>
        : (memref<1xi32, strided<[1]>>) into (memref<1xi32, strided<[1]>>)
        -> !dist.future<memref<1xi32, strided<[1]>>>
    scf.yield %f : !dist.future<memref<1xi32, strided<[1]>>>
  }
  dist.wait %last : !dist.future<memref<1xi32, strided<[1]>>>
  return
}

// -----

// Two buffers in turn, chosen by the parity of the iteration.
func.func @selected_buffer_refilled_before_the_wait(%v: i32, %buf0: memref<1xi32>, %buf1: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  // expected-note@+1 {{started here}}
  %f0 = dist.all_reduce sum %buf0 into %buf0 on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %f1 = dist.all_reduce sum %buf1 into %buf1 on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %last:2 = scf.for %i = %c2 to %c5 step %c1 iter_args(%older = %f0, %newer = %f1)
      -> (!dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>) {
    %parity = arith.remui %i, %c2 : index
    %isEven = arith.cmpi eq, %parity, %c0 : index
    %buf = arith.select %isEven, %buf0, %buf1 : memref<1xi32>
    // expected-error@+1 {{'memref.store' op writes buffer %arg1 while the all_reduce of %arg1 (memref<1xi32>) is in flight, whose destination it is}}
    memref.store %v, %buf[%c0] : memref<1xi32>
    dist.wait %older : !dist.future<memref<1xi32>>
    %f = dist.all_reduce sum %buf into %buf on <[[0, 1]]>
        : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
    scf.yield %newer, %f : !dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>
  }
  dist.wait %last#0 : !dist.future<memref<1xi32>>
  dist.wait %last#1 : !dist.future<memref<1xi32>>
  return
}

// -----

// The same with a read.
func.func @selected_buffer_read_before_the_wait(%v: i32, %buf0: memref<1xi32>, %buf1: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  // expected-note@+1 {{started here}}
  %f0 = dist.all_reduce sum %buf0 into %buf0 on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %f1 = dist.all_reduce sum %buf1 into %buf1 on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %last:2 = scf.for %i = %c2 to %c5 step %c1 iter_args(%older = %f0, %newer = %f1)
      -> (!dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>) {
    %parity = arith.remui %i, %c2 : index
    %isEven = arith.cmpi eq, %parity, %c0 : index
    %buf = arith.select %isEven, %buf0, %buf1 : memref<1xi32>
    // expected-error@+1 {{'memref.load' op reads buffer %arg1 while the all_reduce of %arg1}}
    %l = memref.load %buf[%c0] : memref<1xi32>
    dist.wait %older : !dist.future<memref<1xi32>>
    %f = dist.all_reduce sum %buf into %buf on <[[0, 1]]>
        : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
    scf.yield %newer, %f : !dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>
  }
  dist.wait %last#0 : !dist.future<memref<1xi32>>
  dist.wait %last#1 : !dist.future<memref<1xi32>>
  return
}

// -----

// And with a copy, in a loop of any length.
func.func @selected_buffer_copied_over_before_the_wait(%v: i32, %buf0: memref<1xi32>, %buf1: memref<1xi32>, %source: memref<1xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  // expected-note@+1 {{started here}}
  %f0 = dist.all_reduce sum %buf0 into %buf0 on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %f1 = dist.all_reduce sum %buf1 into %buf1 on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %last:2 = scf.for %i = %c2 to %n step %c1 iter_args(%older = %f0, %newer = %f1)
      -> (!dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>) {
    %parity = arith.remui %i, %c2 : index
    %isEven = arith.cmpi eq, %parity, %c0 : index
    %buf = arith.select %isEven, %buf0, %buf1 : memref<1xi32>
    // expected-error@+1 {{'memref.copy' op writes buffer %arg1 while the all_reduce of %arg1}}
    memref.copy %source, %buf : memref<1xi32> to memref<1xi32>
    dist.wait %older : !dist.future<memref<1xi32>>
    %f = dist.all_reduce sum %buf into %buf on <[[0, 1]]>
        : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
    scf.yield %newer, %f : !dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>
  }
  dist.wait %last#0 : !dist.future<memref<1xi32>>
  dist.wait %last#1 : !dist.future<memref<1xi32>>
  return
}

// -----

// The wait is for the one, the store into the other.
func.func @other_buffer_refilled(%v: i32, %buf0: memref<1xi32>, %buf1: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %f0 = dist.all_reduce sum %buf0 into %buf0 on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  // expected-note@+1 {{started here}}
  %f1 = dist.all_reduce sum %buf1 into %buf1 on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %last:2 = scf.for %i = %c2 to %c5 step %c1 iter_args(%older = %f0, %newer = %f1)
      -> (!dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>) {
    %parity = arith.remui %i, %c2 : index
    %isEven = arith.cmpi eq, %parity, %c0 : index
    %buf = arith.select %isEven, %buf0, %buf1 : memref<1xi32>
    dist.wait %older : !dist.future<memref<1xi32>>
    %other = arith.select %isEven, %buf1, %buf0 : memref<1xi32>
    // expected-error@+1 {{writes buffer %arg2 while the all_reduce of %arg2 (memref<1xi32>) is in flight}}
    memref.store %v, %other[%c0] : memref<1xi32>
    %f = dist.all_reduce sum %buf into %buf on <[[0, 1]]>
        : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
    scf.yield %newer, %f : !dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>
  }
  dist.wait %last#0 : !dist.future<memref<1xi32>>
  dist.wait %last#1 : !dist.future<memref<1xi32>>
  return
}

// -----

// A buffer of the collective is freed while the future goes around.
func.func @freed_in_flight(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<1xi32>
  %f0 = dist.all_reduce sum %first into %first on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%f = %f0, %old = %first)
      -> (!dist.future<memref<1xi32>>, memref<1xi32>) {
    dist.wait %f : !dist.future<memref<1xi32>>
    %new = memref.alloc() : memref<1xi32>
    // expected-note@+1 {{started here}}
    %next = dist.all_reduce sum %old into %new on <[[0, 1]]>
        : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
    // expected-error@+1 {{'memref.dealloc' op writes buffer}}
    memref.dealloc %old : memref<1xi32>
    scf.yield %next, %new : !dist.future<memref<1xi32>>, memref<1xi32>
  }
  dist.wait %last#0 : !dist.future<memref<1xi32>>
  return
}

// -----

// The buffer is chosen, filled and given away in a function of its own.
func.func @refilled_in_a_callee(%buffers: memref<2x1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %f0 = call @refill(%buffers, %c0) : (memref<2x1xi32>, index)
      -> !dist.future<memref<1xi32, strided<[1], offset: ?>>>
  %f1 = call @refill(%buffers, %c1) : (memref<2x1xi32>, index)
      -> !dist.future<memref<1xi32, strided<[1], offset: ?>>>
  %last:2 = scf.for %i = %c2 to %c5 step %c1 iter_args(%older = %f0, %newer = %f1)
      -> (!dist.future<memref<1xi32, strided<[1], offset: ?>>>,
          !dist.future<memref<1xi32, strided<[1], offset: ?>>>) {
    // expected-note@+1 {{called here}}
    %next = func.call @refill(%buffers, %i) : (memref<2x1xi32>, index)
        -> !dist.future<memref<1xi32, strided<[1], offset: ?>>>
    dist.wait %older : !dist.future<memref<1xi32, strided<[1], offset: ?>>>
    scf.yield %newer, %next
        : !dist.future<memref<1xi32, strided<[1], offset: ?>>>,
          !dist.future<memref<1xi32, strided<[1], offset: ?>>>
  }
  dist.wait %last#0 : !dist.future<memref<1xi32, strided<[1], offset: ?>>>
  dist.wait %last#1 : !dist.future<memref<1xi32, strided<[1], offset: ?>>>
  return
}
func.func private @refill(%buffers: memref<2x1xi32>, %i: index)
    -> !dist.future<memref<1xi32, strided<[1], offset: ?>>> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %which = arith.remui %i, %c2 : index
  %word = arith.index_cast %i : index to i32
  %buffer = memref.subview %buffers[%which, 0] [1, 1] [1, 1]
      : memref<2x1xi32> to memref<1xi32, strided<[1], offset: ?>>
  // expected-error@+1 {{'memref.store' op writes buffer %arg0 while the all_reduce of}}
  memref.store %word, %buffer[%c0] : memref<1xi32, strided<[1], offset: ?>>
  // expected-note@+1 {{started here}}
  %f = dist.all_reduce sum %buffer into %buffer on <[[0, 1]]>
      : (memref<1xi32, strided<[1], offset: ?>>)
      into (memref<1xi32, strided<[1], offset: ?>>)
      -> !dist.future<memref<1xi32, strided<[1], offset: ?>>>
  return %f : !dist.future<memref<1xi32, strided<[1], offset: ?>>>
}

// -----

// While loops carry futures too.
func.func @refilled_in_a_while_loop(%buf: memref<1xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %piece = memref.subview %buf[0] [1] [1] : memref<1xi32> to memref<1xi32, strided<[1]>>
  %f0 = dist.all_reduce sum %piece into %piece on <[[0, 1]]>
      : (memref<1xi32, strided<[1]>>) into (memref<1xi32, strided<[1]>>)
      -> !dist.future<memref<1xi32, strided<[1]>>>
  %r = scf.while (%f = %f0) : (!dist.future<memref<1xi32, strided<[1]>>>)
      -> !dist.future<memref<1xi32, strided<[1]>>> {
    dist.wait %f : !dist.future<memref<1xi32, strided<[1]>>>
    %l = memref.load %buf[%c0] : memref<1xi32>
    %goesOn = arith.cmpi ne, %l, %zero : i32
    // expected-note@+1 {{started here}}
    %g = dist.all_reduce sum %piece into %piece on <[[0, 1]]>
        : (memref<1xi32, strided<[1]>>) into (memref<1xi32, strided<[1]>>)
        -> !dist.future<memref<1xi32, strided<[1]>>>
    scf.condition(%goesOn) %g : !dist.future<memref<1xi32, strided<[1]>>>
  } do {
  ^bb0(%g: !dist.future<memref<1xi32, strided<[1]>>>):
    // expected-error@+1 {{'memref.store' op writes buffer %arg0 while the all_reduce}}
    memref.store %v, %buf[%c0] : memref<1xi32>
    scf.yield %g : !dist.future<memref<1xi32, strided<[1]>>>
  }
  dist.wait %r : !dist.future<memref<1xi32, strided<[1]>>>
  return
}

// -----

// Nobody knows which of the two it is: the program is taken, with a remark.
func.func @buffer_chosen_by_a_value(%buf0: memref<1xi32>, %buf1: memref<1xi32>, %c: i1, %v: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note@+1 {{started here}}
  %f0 = dist.all_reduce sum %buf0 into %buf0 on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%f = %f0) -> !dist.future<memref<1xi32>> {
    %buf = arith.select %c, %buf0, %buf1 : memref<1xi32>
    // expected-remark@+1 {{cannot be proved safe: writes buffer %arg0 while the all_reduce of %arg0 (memref<1xi32>) may be in flight, whose destination it is}}
    memref.store %v, %buf[%c0] : memref<1xi32>
    dist.wait %f : !dist.future<memref<1xi32>>
    %g = dist.all_reduce sum %buf1 into %buf1 on <[[0, 1]]>
        : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
    scf.yield %g : !dist.future<memref<1xi32>>
  }
  dist.wait %last : !dist.future<memref<1xi32>>
  return
}

// -----

// The future that a select does not choose stays where it is.
func.func @select_of_two(%a: tensor<2xi32>, %c: i1) -> tensor<2xi32> {
  // expected-error@+1 {{result 0 of type '!dist.future<tensor<2xi32>>' is not waited for on every path}}
  %f = dist.all_reduce sum %a on <[[0, 1]]> : (tensor<2xi32>) -> !dist.future<tensor<2xi32>>
  %g = dist.all_reduce max %a on <[[0, 1]]> : (tensor<2xi32>) -> !dist.future<tensor<2xi32>>
  %h = arith.select %c, %f, %g : !dist.future<tensor<2xi32>>
  %w = dist.wait %h : !dist.future<tensor<2xi32>>
  %v = dist.wait %g : !dist.future<tensor<2xi32>>
  // expected-note@+1 {{a path without a wait ends here}}
  return %w : tensor<2xi32>
}

// -----

func.func @branch_of_a_region(%a: tensor<2xi32>, %c: i1) -> tensor<2xi32> {
  // expected-error@+1 {{is not waited for on every path}}
  %f = dist.all_reduce sum %a on <[[0, 1]]> : (tensor<2xi32>) -> !dist.future<tensor<2xi32>>
  memref.alloca_scope {
    // expected-note@+1 {{a path without a wait ends here}}
    scf.if %c {
      %w = dist.wait %f : !dist.future<tensor<2xi32>>
    }
  }
  return %a : tensor<2xi32>
}
