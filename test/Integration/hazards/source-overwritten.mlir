// Hazard: the source of a collective in flight is overwritten. What protects it
// are the keeps: One-Shot sees a reader after the writer and copies.
//
// RUN: dist-test-opt %s --test-dist-to-llvm=verify=true -o %t.right
// RUN: dist-run %t.right --entry=in_one_block --ranks=2 --group=g=0,1 --checked --print --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=BLOCK
// RUN: dist-run %t.right --entry=in_a_callee --ranks=2 --group=g=0,1 --checked --print --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=CALLEE
//
// RUN: dist-test-opt %s --test-dist-to-llvm=without=keeps -o %t.wrong
// RUN: not dist-run %t.wrong --entry=in_one_block --ranks=2 --group=g=0,1 --checked --print --link-delay=5ms 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RACE
// RUN: not dist-run %t.wrong --entry=in_a_callee --ranks=2 --group=g=0,1 --checked --print --link-delay=5ms 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RACE
//
// RUN: not dist-test-opt %s --test-dist-bufferize="without=keeps verify=true" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VERIFY

dist.process_group @g

// BLOCK:      rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// BLOCK-NEXT: rank 0: result 1: tensor<4xi32> = [0, 50, 4, 6]
// BLOCK-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// BLOCK-NEXT: rank 1: result 1: tensor<4xi32> = [8, 50, 12, 14]
//
// RACE: error: rank {{[01]}}: all_gather {{.*}}: the source was written in flight, bytes [4, 8)
//
// VERIFY: error: 'dist.wait' op source 0 of dist.all_gather may be overwritten or freed in flight: nothing keeps it up to here
// VERIFY: note: the collective starts here
func.func @in_one_block(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<4xi32>) {
  %c1 = arith.constant 1 : index
  %v = arith.constant 50 : i32
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %z = tensor.insert %v into %x[%c1] : tensor<4xi32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y, %z : tensor<8xi32>, tensor<4xi32>
}

// CALLEE:      rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// CALLEE-NEXT: rank 0: result 1: tensor<4xi32> = [0, 50, 4, 6]
// CALLEE-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// CALLEE-NEXT: rank 1: result 1: tensor<4xi32> = [8, 50, 12, 14]
func.func private @write_then_wait(
    %x: tensor<4xi32>, %f: !dist.future<tensor<8xi32>>)
    -> (tensor<8xi32>, tensor<4xi32>) {
  %c1 = arith.constant 1 : index
  %v = arith.constant 50 : i32
  %z = tensor.insert %v into %x[%c1] : tensor<4xi32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y, %z : tensor<8xi32>, tensor<4xi32>
}
func.func @in_a_callee(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<4xi32>) {
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r:2 = func.call @write_then_wait(%x, %f)
    : (tensor<4xi32>, !dist.future<tensor<8xi32>>)
    -> (tensor<8xi32>, tensor<4xi32>)
  return %r#0, %r#1 : tensor<8xi32>, tensor<4xi32>
}
