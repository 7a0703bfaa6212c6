// Hazard: a collective works in the buffer of a source that is needed later, or
// gathers out of a slot that is not its own.
//
// RUN: dist-test-opt %s --test-dist-to-llvm=verify=true -o %t.right
// RUN: dist-run %t.right --entry=read_later --ranks=2 --group=g=0,1 --checked --print \
// RUN:   | FileCheck %s --check-prefix=RIGHT
// RUN: dist-run %t.right --entry=other_slot --ranks=2 --group=g=0,1 --checked --print \
// RUN:   | FileCheck %s --check-prefix=SLOT
//
// RUN: dist-test-opt %s --test-dist-to-llvm=without=source-dies -o %t.wrong
// RUN: dist-run %t.wrong --entry=read_later --ranks=2 --group=g=0,1 --print \
// RUN:   | FileCheck %s --check-prefix=WRONG
//
// RUN: dist-test-opt %s --test-dist-to-llvm=without=may-touch -o %t.overlap
// RUN: not dist-run %t.overlap --entry=other_slot --ranks=2 --group=g=0,1 --checked --print 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OVERLAP

dist.process_group @g

// RIGHT:      rank 0: result 0: tensor<4xi32> = [8, 12, 16, 20]
// RIGHT-NEXT: rank 0: result 1: tensor<4xi32> = [0, 2, 4, 6]
// The second result is the sum as well.
// WRONG:      rank 0: result 0: tensor<4xi32> = [8, 12, 16, 20]
// WRONG-NEXT: rank 0: result 1: tensor<4xi32> = [8, 12, 16, 20]
func.func @read_later(%a: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %y = dist.wait %f : !dist.future<tensor<4xi32>>
  return %y, %x : tensor<4xi32>, tensor<4xi32>
}

// Each rank's part comes from the half that is the other rank's.
// SLOT: rank 0: result 0: tensor<4xi32> = [4, 6, 8, 10]
// SLOT: rank 1: result 0: tensor<4xi32> = [4, 6, 8, 10]
// OVERLAP: error: rank {{[01]}}: all_gather {{.*}}
func.func @other_slot(%a: tensor<4xi32>) -> tensor<4xi32> {
  %o = arith.addi %a, %a : tensor<4xi32>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rank = dist.rank : index
  %other = arith.subi %c1, %rank : index
  %at = arith.muli %other, %c2 : index
  %slot = tensor.extract_slice %o[%at] [2] [1] : tensor<4xi32> to tensor<2xi32>
  %f = dist.all_gather %slot dim 0 on <@g>
    : (tensor<2xi32>) -> !dist.future<tensor<4xi32>>
  %y = dist.wait %f : !dist.future<tensor<4xi32>>
  %r = bufferization.materialize_in_destination %y in %o
    : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
