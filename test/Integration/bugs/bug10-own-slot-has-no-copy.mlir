// bug10-in-place-and-overlap: a gather out of the own slot moves no element of
// its own.
//
// RUN: dist-run %s --ranks 2 --schedule=false --counters | FileCheck %s

// CHECK-COUNT-2: "sourceCopies": 0,
// CHECK-NOT: "sourceCopies"
// CHECK: "liveBytes": 0,
// RUN: dist-opt %s --dist-to-llvm | FileCheck %s --check-prefix=LOWERED
// LOWERED-NOT: intr.memcpy
// LOWERED-NOT: memref_to_llvm

func.func @own_slot(%out: memref<4xi32>) {
  %c2 = arith.constant 2 : index
  %rank = dist.rank : index
  %first = arith.muli %rank, %c2 : index
  %slot = memref.subview %out[%first] [2] [1]
      : memref<4xi32> to memref<2xi32, strided<[1], offset: ?>>
  dist.all_gather_into %slot into %out dim 0 on <[[0, 1]]>
      : (memref<2xi32, strided<[1], offset: ?>>) into (memref<4xi32>)
  return
}
