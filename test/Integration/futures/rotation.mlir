// RUN: dist-run %s --entry=rotates --ranks=2 --arg=3=3 --checked --link-delay=2ms --print-args | FileCheck %s --check-prefix=ROTATES
// RUN: dist-run %s --entry=waits_in_the_loop --ranks=2 --checked --link-delay=2ms --print-args | FileCheck %s --check-prefix=LOOP
// RUN: dist-run %s --entry=rotates --ranks=2 --arg=3=3 --checked --schedule=false --print-args | FileCheck %s --check-prefix=ROTATES
// RUN: dist-run %s --entry=sources_take_turns --ranks=2 --arg=0=3 --checked --link-delay=2ms --print --counters | FileCheck %s --check-prefix=SOURCES

// Buffers that a loop hands on together with the futures that write them.

// Two destinations take turns; neither is free while its gather is in flight.
// ROTATES: rank 0: argument 1: memref<4xi32> = [0, 1, 2, 3]
// ROTATES: rank 0: argument 2: memref<4xi32> = [0, 1, 2, 3]
// ROTATES: rank 1: argument 1: memref<4xi32> = [0, 1, 2, 3]
// ROTATES: rank 1: argument 2: memref<4xi32> = [0, 1, 2, 3]
func.func @rotates(%x: memref<2xi32>,
                   %first: memref<4xi32> {dist.writable},
                   %second: memref<4xi32> {dist.writable},
                   %n: index {dist.uniform}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = dist.all_gather %x into %first dim 0 on <[[0, 1]]>
      : (memref<2xi32>) into (memref<4xi32>) -> !dist.future<memref<4xi32>>
  %r:3 = scf.for %i = %c0 to %n step %c1
      iter_args(%a = %first, %b = %second, %f = %f0)
      -> (memref<4xi32>, memref<4xi32>, !dist.future<memref<4xi32>>) {
    %g = dist.all_gather %x into %b dim 0 on <[[0, 1]]>
        : (memref<2xi32>) into (memref<4xi32>) -> !dist.future<memref<4xi32>>
    %w = dist.wait %f : !dist.future<memref<4xi32>>
    scf.yield %b, %a, %g
        : memref<4xi32>, memref<4xi32>, !dist.future<memref<4xi32>>
  }
  %w = dist.wait %r#2 : !dist.future<memref<4xi32>>
  return
}

// The loop waits before it writes the destination again.
// LOOP: rank 0: argument 1: memref<4xi32> = [0, 1, 2, 3]
// LOOP: rank 1: argument 1: memref<4xi32> = [0, 1, 2, 3]
func.func @waits_in_the_loop(%x: memref<2xi32>,
                             %out: memref<4xi32> {dist.writable}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %f0 = dist.all_gather %x into %out dim 0 on <[[0, 1]]>
      : (memref<2xi32>) into (memref<4xi32>) -> !dist.future<memref<4xi32>>
  %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%f = %f0)
      -> (!dist.future<memref<4xi32>>) {
    %w = dist.wait %f : !dist.future<memref<4xi32>>
    %g = dist.all_gather %x into %out dim 0 on <[[0, 1]]>
        : (memref<2xi32>) into (memref<4xi32>) -> !dist.future<memref<4xi32>>
    scf.yield %g : !dist.future<memref<4xi32>>
  }
  %w = dist.wait %last : !dist.future<memref<4xi32>>
  return
}

// Two sources take turns: each is refilled while the other one is in flight, and
// none is copied.
// SOURCES: rank 0: result 0: tensor<4xi32> = [3, 3, 3, 3]
// SOURCES: rank 1: result 0: tensor<4xi32> = [3, 3, 3, 3]
// SOURCES: "sourceCopies": 0,
func.func @sources_take_turns(%n: index {dist.uniform}) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %first = memref.alloc() : memref<2xi32>
  %second = memref.alloc() : memref<2xi32>
  linalg.fill ins(%zero : i32) outs(%first : memref<2xi32>)
  %f0 = dist.all_gather %first dim 0 on <[[0, 1]]>
      : (memref<2xi32>) -> !dist.future<tensor<4xi32>>
  %r:3 = scf.for %i = %c0 to %n step %c1
      iter_args(%a = %first, %b = %second, %f = %f0)
      -> (memref<2xi32>, memref<2xi32>, !dist.future<tensor<4xi32>>) {
    %next = arith.addi %i, %c1 : index
    %v = arith.index_cast %next : index to i32
    linalg.fill ins(%v : i32) outs(%b : memref<2xi32>)
    %g = dist.all_gather %b dim 0 on <[[0, 1]]>
        : (memref<2xi32>) -> !dist.future<tensor<4xi32>>
    %w = dist.wait %f : !dist.future<tensor<4xi32>>
    scf.yield %b, %a, %g
        : memref<2xi32>, memref<2xi32>, !dist.future<tensor<4xi32>>
  }
  %w = dist.wait %r#2 : !dist.future<tensor<4xi32>>
  return %w : tensor<4xi32>
}
