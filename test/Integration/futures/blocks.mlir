// Futures through blocks and branches.
//
// RUN: dist-opt %s --dist-bufferize | FileCheck %s --check-prefix=IR
// RUN: dist-opt %s --dist-to-llvm -o %t
// RUN: dist-run %t --entry=block_argument --ranks=2 --group=g=0,1 --checked --print --counters --arg=1=1 \
// RUN:   | FileCheck %s --check-prefix=V1
// RUN: dist-run %t --entry=block_argument --ranks=2 --group=g=0,1 --checked --print --counters --arg=1=0 \
// RUN:   | FileCheck %s --check-prefix=V2
// RUN: dist-run %t --entry=one_path_waits --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms --arg=1=1 \
// RUN:   | FileCheck %s --check-prefix=V3
// RUN: dist-run %t --entry=one_path_waits --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms --arg=1=0 \
// RUN:   | FileCheck %s --check-prefix=V4
// RUN: dist-run %t --entry=one_path_waits_and_computes --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms --arg=1=1 \
// RUN:   | FileCheck %s --check-prefix=V5
// RUN: dist-run %t --entry=one_path_waits_and_computes --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms --arg=1=0 \
// RUN:   | FileCheck %s --check-prefix=V6
// RUN: dist-run %t --entry=loop_of_blocks --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=1ms \
// RUN:   | FileCheck %s --check-prefix=V7

dist.process_group @g

// 06a: the future is a block argument.
//
// IR-LABEL: func.func @block_argument(
// IR-NOT: memref.copy
//
// With --arg=1=1:
// V1: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V1-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V1: "packs": 0,
// V1: "unpacks": 0,
// V1: "sourceCopies": 0,
// V1: "sourceMoves": 0,
// V1: "resultCopies": 0,
// V1: "liveBytes": 0,
// With --arg=1=0:
// V2: rank 0: result 0: tensor<8xi32> = [0, 1, 4, 9, 16, 25, 36, 49]
// V2-NEXT: rank 1: result 0: tensor<8xi32> = [0, 1, 4, 9, 16, 25, 36, 49]
// V2: "packs": 0,
// V2: "unpacks": 0,
// V2: "sourceCopies": 0,
// V2: "sourceMoves": 0,
// V2: "resultCopies": 0,
// V2: "liveBytes": 0,
func.func @block_argument(%a: tensor<4xi32>, %p: i1) -> tensor<8xi32> {
  %x1 = arith.addi %a, %a : tensor<4xi32>
  %x2 = arith.muli %a, %a : tensor<4xi32>
  cf.cond_br %p, ^left, ^right
^left:
  %f1 = dist.all_gather %x1 dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  cf.br ^join(%f1 : !dist.future<tensor<8xi32>>)
^right:
  %f2 = dist.all_gather %x2 dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  cf.br ^join(%f2 : !dist.future<tensor<8xi32>>)
^join(%f: !dist.future<tensor<8xi32>>):
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y : tensor<8xi32>
}

// 06b: one path waits, the other gives the future up.
//
// IR-LABEL: func.func @one_path_waits(
// IR-NOT: memref.copy
//
// With --arg=1=1:
// V3: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V3-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V3: "packs": 0,
// V3: "unpacks": 0,
// V3: "sourceCopies": 0,
// V3: "sourceMoves": 0,
// V3: "resultCopies": 0,
// V3: "liveBytes": 0,
// With --arg=1=0:
// V4: rank 0: result 0: tensor<8xi32> = [1, 1, 1, 1, 1, 1, 1, 1]
// V4-NEXT: rank 1: result 0: tensor<8xi32> = [1, 1, 1, 1, 1, 1, 1, 1]
// V4: "packs": 0,
// V4: "unpacks": 0,
// V4: "sourceCopies": 0,
// V4: "sourceMoves": 0,
// V4: "resultCopies": 0,
// V4: "liveBytes": 0,
func.func @one_path_waits(%a: tensor<4xi32>, %p: i1) -> tensor<8xi32> {
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  cf.cond_br %p, ^left, ^right
^left:
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  cf.br ^join(%y : tensor<8xi32>)
^right:
  %e = tensor.empty() : tensor<8xi32>
  %one = arith.constant 1 : i32
  %z = linalg.fill ins(%one : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  cf.br ^join(%z : tensor<8xi32>)
^join(%r: tensor<8xi32>):
  return %r : tensor<8xi32>
}

// 06b2: the same with a computation after the wait.
//
// IR-LABEL: func.func @one_path_waits_and_computes(
// IR-NOT: memref.copy
//
// With --arg=1=1:
// V5: rank 0: result 0: tensor<8xi32> = [0, 4, 8, 12, 16, 20, 24, 28]
// V5-NEXT: rank 1: result 0: tensor<8xi32> = [0, 4, 8, 12, 16, 20, 24, 28]
// V5: "packs": 0,
// V5: "unpacks": 0,
// V5: "sourceCopies": 0,
// V5: "sourceMoves": 0,
// V5: "resultCopies": 0,
// V5: "liveBytes": 0,
// With --arg=1=0:
// V6: rank 0: result 0: tensor<8xi32> = [1, 1, 1, 1, 1, 1, 1, 1]
// V6-NEXT: rank 1: result 0: tensor<8xi32> = [1, 1, 1, 1, 1, 1, 1, 1]
// V6: "packs": 0,
// V6: "unpacks": 0,
// V6: "sourceCopies": 0,
// V6: "sourceMoves": 0,
// V6: "resultCopies": 0,
// V6: "liveBytes": 0,
func.func @one_path_waits_and_computes(%a: tensor<4xi32>, %p: i1) -> tensor<8xi32> {
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  cf.cond_br %p, ^left, ^right
^left:
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  %w = linalg.add ins(%y, %y : tensor<8xi32>, tensor<8xi32>)
    outs(%y : tensor<8xi32>) -> tensor<8xi32>
  cf.br ^join(%w : tensor<8xi32>)
^right:
  %e = tensor.empty() : tensor<8xi32>
  %one = arith.constant 1 : i32
  %z = linalg.fill ins(%one : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  cf.br ^join(%z : tensor<8xi32>)
^join(%r: tensor<8xi32>):
  return %r : tensor<8xi32>
}

// 06c: a loop of blocks carries the future.
//
// IR-LABEL: func.func @loop_of_blocks(
// IR-NOT: memref.copy
//
// V7: rank 0: result 0: tensor<8xi32> = [6, 10, 10, 10, 10, 14, 14, 14]
// V7-NEXT: rank 1: result 0: tensor<8xi32> = [6, 10, 10, 10, 10, 14, 14, 14]
// V7: "packs": 0,
// V7: "unpacks": 0,
// V7: "sourceCopies": 0,
// V7: "sourceMoves": 3,
// V7: "resultCopies": 0,
// V7: "liveBytes": 0,
func.func @loop_of_blocks(%a: tensor<4xi32>) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index

  %f0 = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  cf.br ^head(%f0, %c0 : !dist.future<tensor<8xi32>>, index)
^head(%f: !dist.future<tensor<8xi32>>, %i: index):
  %more = arith.cmpi slt, %i, %c3 : index
  cf.cond_br %more, ^body, ^exit
^body:
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  %lo = tensor.extract_slice %y[1] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %x = arith.addi %lo, %a : tensor<4xi32>
  %n = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%n, %next : !dist.future<tensor<8xi32>>, index)
^exit:
  %last = dist.wait %f : !dist.future<tensor<8xi32>>
  return %last : tensor<8xi32>
}
