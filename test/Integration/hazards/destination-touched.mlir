// Hazard: the destination of a collective in flight is touched. A functional
// collective's destination is nobody else's; what protects one that replaces a
// copy is the search for what may touch it in between.
//
// RUN: dist-test-opt %s --test-dist-to-llvm=verify=true -o %t.right
// RUN: dist-run %t.right --entry=read --ranks=2 --group=g=0,1 --checked --print --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=READ
// RUN: dist-run %t.right --entry=written --ranks=2 --group=g=0,1 --checked --print-args --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=WRITTEN
//
// RUN: dist-test-opt %s --test-dist-to-llvm=without=may-touch -o %t.wrong
// RUN: dist-run %t.wrong --entry=read --ranks=2 --group=g=0,1 --checked --print --link-delay=200ms \
// RUN:   | FileCheck %s --check-prefix=GARBAGE
// RUN: not dist-run %t.wrong --entry=written --ranks=2 --group=g=0,1 --checked --print --link-delay=5ms 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RACE
//
// RUN: not dist-test-opt %s --test-dist-bufferize="without=may-touch verify=true" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VERIFY

dist.process_group @g

// The sum of the old destination, 0 + 1 + ... + 7 on rank 0.
//
// READ:      rank 0: result 0: i32 = 28
// READ-NEXT: rank 0: result 1: tensor<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
// READ:      rank 1: result 0: i32 = 92
// READ-NEXT: rank 1: result 1: tensor<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
//
// GARBAGE-NOT: result 0: i32 = 28
// GARBAGE-NOT: result 0: i32 = 92
//
// VERIFY: error: 'linalg.generic' op reads destination 0 of dist.all_gather, which is in flight
// VERIFY: note: the collective starts here
func.func @read(%a: tensor<4xi32>, %out: tensor<8xi32>) -> (i32, tensor<8xi32>) {
  %zero = arith.constant 0 : i32
  %f = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %e = tensor.from_elements %zero : tensor<i32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
      iterator_types = ["reduction"]}
      ins(%out : tensor<8xi32>) outs(%e : tensor<i32>) {
    ^bb0(%in: i32, %sum: i32):
      %next = arith.addi %in, %sum : i32
      linalg.yield %next : i32
  } -> tensor<i32>
  %r = tensor.extract %s[] : tensor<i32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  %m = bufferization.materialize_in_destination %y in %out
    : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  return %r, %m : i32, tensor<8xi32>
}

// WRITTEN: rank 0: argument 1: memref<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
// WRITTEN: rank 1: argument 1: memref<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
//
// RACE: error: rank {{[01]}}: all_gather {{.*}}: the destination was written
func.func @written(%a: memref<4xi32>, %out: memref<8xi32>) {
  %five = arith.constant 5 : i32
  %t = bufferization.to_tensor %a restrict : memref<4xi32> to tensor<4xi32>
  %f = dist.all_gather %t dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  linalg.fill ins(%five : i32) outs(%out : memref<8xi32>)
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  bufferization.materialize_in_destination %y in writable %out
    : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}
