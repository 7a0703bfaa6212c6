// A function that frees its buffers itself beside functions whose buffers are
// freed for them.
//
// RUN: dist-opt %s --dist-to-llvm 2>/dev/null -o %t
// RUN: dist-run %t --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s

dist.process_group @g

func.func private @by_hand(%i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %v = arith.index_cast %i : index to i32
  %m = memref.alloc() : memref<2xi32>
  %out = memref.alloc() : memref<4xi32>
  linalg.fill ins(%v : i32) outs(%m : memref<2xi32>)
  %f = dist.all_gather %m into %out dim 0 on <@g>
    : (memref<2xi32>) into (memref<4xi32>) -> !dist.future<memref<4xi32>>
  %y = dist.wait %f : !dist.future<memref<4xi32>>
  memref.dealloc %m : memref<2xi32>
  %c3 = arith.constant 3 : index
  %a = memref.load %y[%c0] : memref<4xi32>
  %b = memref.load %y[%c3] : memref<4xi32>
  memref.dealloc %out : memref<4xi32>
  %s = arith.addi %a, %b : i32
  return %s : i32
}

// Ranks 0 and 1 contribute 7 and 8.
//
// CHECK: rank 0: result 0: i32 = 15
// CHECK: rank 0: result 1: tensor<4xi32> = [4, 6, 8, 10]
// CHECK: rank 1: result 0: i32 = 15
// CHECK: rank 1: result 1: tensor<4xi32> = [4, 6, 8, 10]
// CHECK: "liveBytes": 0,
func.func @main(%x: tensor<4xi32>) -> (i32, tensor<4xi32>) {
  %c7 = arith.constant 7 : index
  %rank = dist.rank : index
  %k = arith.addi %rank, %c7 : index
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %s = func.call @by_hand(%k) : (index) -> i32
  %y = dist.wait %f : !dist.future<tensor<4xi32>>
  return %s, %y : i32, tensor<4xi32>
}
