// Hazard: a loop carries a buffer that is in flight, and bufferization copies it
// at the yield, before there is anything in it. What protects it is that a
// future does not show its destination.
//
// RUN: dist-test-opt %s --test-dist-to-llvm=verify=true \
// RUN:   | dist-run - --ranks=2 --group=g=0,1 --checked --print --link-delay=200ms \
// RUN:   | FileCheck %s
//
// RUN: dist-test-opt %s --test-dist-to-llvm=without=opaque-destination \
// RUN:   | dist-run - --ranks=2 --group=g=0,1 --checked --print --link-delay=200ms \
// RUN:   | FileCheck %s --check-prefix=GARBAGE
//
// RUN: not dist-test-opt %s --test-dist-bufferize="without=opaque-destination verify=true" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VERIFY

dist.process_group @g

// CHECK:      rank 0: result 0: tensor<8xi32> = [12, 13, 14, 15, 28, 29, 30, 31]
// CHECK-NEXT: rank 1: result 0: tensor<8xi32> = [12, 13, 14, 15, 28, 29, 30, 31]
//
// GARBAGE-NOT: [12, 13, 14, 15, 28, 29, 30, 31]
//
// VERIFY: error: 'memref.copy' op reads destination 0 of dist.all_gather, which is in flight
func.func @main(%t: tensor<4x4xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %x0 = tensor.extract_slice %t[0, 0] [1, 4] [1, 1]
    : tensor<4x4xi32> to tensor<4xi32>
  %f0 = dist.all_gather %x0 dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%f = %f0)
      -> (!dist.future<tensor<8xi32>>) {
    %k = arith.addi %i, %c1 : index
    %x = tensor.extract_slice %t[%k, 0] [1, 4] [1, 1]
      : tensor<4x4xi32> to tensor<4xi32>
    %n = dist.all_gather %x dim 0 on <@g>
      : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    scf.yield %n : !dist.future<tensor<8xi32>>
  }
  %last = dist.wait %r : !dist.future<tensor<8xi32>>
  return %last : tensor<8xi32>
}
