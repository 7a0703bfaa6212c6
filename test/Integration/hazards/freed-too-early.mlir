// Hazard: the source is freed before its collective is complete. What protects
// it is that the wait names it: deallocation does not free what is used later.
//
// RUN: dist-test-opt %s --test-dist-to-llvm=verify=true \
// RUN:   | dist-run - --ranks=2 --group=g=0,1 --checked --print --link-delay=5ms \
// RUN:   | FileCheck %s
//
// RUN: dist-test-opt %s --test-dist-to-llvm=without=late-free -o %t.wrong
// RUN: not dist-run %t.wrong --ranks=2 --group=g=0,1 --checked --print --link-delay=5ms 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RACE
//
// RUN: not dist-test-opt %s --test-dist-bufferize="without=late-free verify=true" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VERIFY

dist.process_group @g

// CHECK:      rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// CHECK-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
//
// RACE: error: rank {{[01]}}: all_gather {{.*}}: the source was freed in flight, bytes [0, 16)
//
// VERIFY: error: 'memref.dealloc' op frees source 0 of dist.all_gather, which is in flight
func.func @main(%a: tensor<4xi32>) -> tensor<8xi32> {
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y : tensor<8xi32>
}
