// Hazard: a source moves into the future, which frees it, although it is needed
// later. What protects it is the search for the last use.
//
// RUN: dist-test-opt %s --test-dist-to-llvm=verify=true -o %t.right
// RUN: dist-run %t.right --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s
//
// RUN: dist-test-opt %s --test-dist-to-llvm=without=last-use -o %t.wrong
// RUN: not dist-run %t.wrong --ranks=2 --group=g=0,1 --checked --print --link-delay=5ms 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RACE
//
// RUN: not dist-test-opt %s --test-dist-bufferize="without=last-use verify=true" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VERIFY

dist.process_group @g

// The second fill of one tensor.empty reads nothing: without the search One-Shot
// has no reason to give it another buffer than the first.
//
// CHECK:      rank 0: result 0: tensor<8xi32> = [3, 3, 3, 3, 3, 3, 3, 3]
// CHECK-NEXT: rank 0: result 1: tensor<4xi32> = [5, 5, 5, 5]
// CHECK-NEXT: rank 1: result 0: tensor<8xi32> = [3, 3, 3, 3, 3, 3, 3, 3]
// CHECK-NEXT: rank 1: result 1: tensor<4xi32> = [5, 5, 5, 5]
// CHECK: "sourceMoves": 0,
//
// RACE: error: rank {{[01]}}: all_gather {{.*}}: the source was written in flight
//
// VERIFY: error: 'linalg.fill' op uses a buffer that was given away, source 0 of dist.all_gather
// VERIFY: note: the collective starts here
func.func @main() -> (tensor<8xi32>, tensor<4xi32>) {
  %three = arith.constant 3 : i32
  %five = arith.constant 5 : i32
  %e = tensor.empty() : tensor<4xi32>
  %x = linalg.fill ins(%three : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %z = linalg.fill ins(%five : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y, %z : tensor<8xi32>, tensor<4xi32>
}
