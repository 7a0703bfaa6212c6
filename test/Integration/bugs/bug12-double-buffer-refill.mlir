// bug12-double-buffer-refill: two buffers take turns, each refilled only after the
// reduction of two iterations before has been waited for.
//
// RUN: %python %S/../run_program.py %s

// CASE: bugs bug12-double-buffer-refill
// FLAGS: --link-delay=5ms
// ARG: i32([[-1], [-1]])
// ARG: i32(np.zeros(5))
// AFTER 1: expected["recorded"][rank]
// TRACE: ["all_reduce"] * 5
func.func @two_buffers(%buffers: memref<2x1xi32>, %record: memref<5xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %f0 = call @refill(%buffers, %c0) : (memref<2x1xi32>, index)
      -> !dist.future<memref<1xi32, strided<[1], offset: ?>>>
  %f1 = call @refill(%buffers, %c1) : (memref<2x1xi32>, index)
      -> !dist.future<memref<1xi32, strided<[1], offset: ?>>>
  %last:2 = scf.for %i = %c2 to %c5 step %c1
      iter_args(%older = %f0, %newer = %f1)
      -> (!dist.future<memref<1xi32, strided<[1], offset: ?>>>,
          !dist.future<memref<1xi32, strided<[1], offset: ?>>>) {
    %done = dist.wait %older
        : !dist.future<memref<1xi32, strided<[1], offset: ?>>>
    %v = memref.load %done[%c0] : memref<1xi32, strided<[1], offset: ?>>
    %at = arith.subi %i, %c2 : index
    memref.store %v, %record[%at] : memref<5xi32>
    %next = func.call @refill(%buffers, %i) : (memref<2x1xi32>, index)
        -> !dist.future<memref<1xi32, strided<[1], offset: ?>>>
    scf.yield %newer, %next
        : !dist.future<memref<1xi32, strided<[1], offset: ?>>>,
          !dist.future<memref<1xi32, strided<[1], offset: ?>>>
  }
  %done3, %done4 = dist.wait %last#0, %last#1
      : !dist.future<memref<1xi32, strided<[1], offset: ?>>>,
        !dist.future<memref<1xi32, strided<[1], offset: ?>>>
  %v3 = memref.load %done3[%c0] : memref<1xi32, strided<[1], offset: ?>>
  %v4 = memref.load %done4[%c0] : memref<1xi32, strided<[1], offset: ?>>
  memref.store %v3, %record[%c3] : memref<5xi32>
  memref.store %v4, %record[%c4] : memref<5xi32>
  return
}
// Stores 10 * i + rank + 1 into buffer i mod 2 and starts its reduction.
func.func private @refill(%buffers: memref<2x1xi32>, %i: index)
    -> !dist.future<memref<1xi32, strided<[1], offset: ?>>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %rank = dist.rank : index
  %which = arith.remui %i, %c2 : index
  %tens = arith.muli %i, %c10 : index
  %sum = arith.addi %tens, %rank : index
  %value = arith.addi %sum, %c1 : index
  %word = arith.index_cast %value : index to i32
  %buffer = memref.subview %buffers[%which, 0] [1, 1] [1, 1]
      : memref<2x1xi32> to memref<1xi32, strided<[1], offset: ?>>
  memref.store %word, %buffer[%c0] : memref<1xi32, strided<[1], offset: ?>>
  %f = dist.all_reduce sum %buffer into %buffer on <[[0, 1]]>
      : (memref<1xi32, strided<[1], offset: ?>>)
      into (memref<1xi32, strided<[1], offset: ?>>)
      -> !dist.future<memref<1xi32, strided<[1], offset: ?>>>
  return %f : !dist.future<memref<1xi32, strided<[1], offset: ?>>>
}
