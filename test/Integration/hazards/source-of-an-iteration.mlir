// Hazard: the source is born in a loop body and freed at its end, or carried and
// overwritten by the next iteration, while the loop carries the future on. What
// protects it is that such a source is copied, or moves into the future.
//
// RUN: dist-test-opt %s --test-dist-to-llvm=verify=true -o %t.right
// RUN: dist-run %t.right --ranks=2 --group=g=0,1 --checked --print --link-delay=5ms \
// RUN:   | FileCheck %s
//
// RUN: dist-test-opt %s --test-dist-to-llvm=without=copies -o %t.wrong
// RUN: not dist-run %t.wrong --ranks=2 --group=g=0,1 --checked --print --link-delay=5ms 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RACE
//
// RUN: not dist-test-opt %s --test-dist-bufferize="without=copies verify=true" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VERIFY

dist.process_group @g

// Rank r contributes [4r, ..., 4r + 3] with element i replaced by i - 100 in
// iteration i. What remains in flight last is that of iteration 2.
//
// CHECK:      rank 0: result 0: tensor<8xi32> = [-100, -99, -98, 3, -100, -99, -98, 7]
// CHECK-NEXT: rank 1: result 0: tensor<8xi32> = [-100, -99, -98, 3, -100, -99, -98, 7]
//
// RACE: error: rank {{[01]}}: all_gather {{.*}}: the source was {{written|freed}} in flight
//
// VERIFY: error: 'dist.wait' op source 0 of dist.all_gather may be overwritten or freed in flight: nothing keeps it up to here
func.func @main(%a: tensor<4xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c100 = arith.constant 100 : i32
  %f0 = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%f = %f0, %x = %a)
      -> (!dist.future<tensor<8xi32>>, tensor<4xi32>) {
    %k = arith.index_cast %i : index to i32
    %v = arith.subi %k, %c100 : i32
    %z = tensor.insert %v into %x[%i] : tensor<4xi32>
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    %n = dist.all_gather %z dim 0 on <@g>
      : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
    scf.yield %n, %z : !dist.future<tensor<8xi32>>, tensor<4xi32>
  }
  %last = dist.wait %r#0 : !dist.future<tensor<8xi32>>
  return %last : tensor<8xi32>
}
