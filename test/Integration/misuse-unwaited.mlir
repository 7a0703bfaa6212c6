// Futures that nobody waits for, and futures that only some paths wait for: the
// collective takes place and completes, and the values are right. Scheduling
// refuses them.
//
// RUN: %python %S/run_program.py %s --modes plain
// RUN: not dist-opt %s --split-input-file --dist-overlap -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REFUSED
// RUN: dist-opt %s --split-input-file --dist-to-llvm -o /dev/null 2>&1 \
// RUN:   | FileCheck %s

// REFUSED: misuse-unwaited.mlir:[[#@LINE+10]]:{{[0-9]+}}: error: 'dist.all_reduce' op result 0 {{.*}}is not waited for
// REFUSED: error: 'dist.all_reduce' op result 0 of type '!dist.future<memref<2xf32>>' is not waited for
// CHECK: misuse-unwaited.mlir:[[#@LINE+8]]:{{[0-9]+}}: warning: {{.*}}never waited
// ARG: [1 + rank, 2]
// ARG: [5, 5]
// RESULT: [2 * (1 + rank), 4]
// TRACE: ["all_reduce", "all_reduce"]
// AFTER 1: [3, 4]
func.func @never_waited(%x: tensor<2xf32>, %out: memref<2xf32>)
    -> tensor<2xf32> {
  %f = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %source = bufferization.to_buffer %x
      : tensor<2xf32> to memref<2xf32, strided<[?], offset: ?>>
  %g = dist.all_reduce sum %source into %out on <[[0, 1]]>
      : (memref<2xf32, strided<[?], offset: ?>>) into (memref<2xf32>)
      -> !dist.future<memref<2xf32>>
  %y = arith.addf %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----
// CHECK: misuse-unwaited.mlir:[[#@LINE+8]]:{{[0-9]+}}: warning: {{.*}}result 0 is not waited for on every path; where it is not, the collective completes before the path ends
// CHECK: misuse-unwaited.mlir:[[#@LINE+13]]:{{[0-9]+}}: note: a path without a wait ends here
// FOR P: 0 1
// ARG: [1 + rank, 2]
// ARG: i1($P)
// RESULT: [3, 4] if $P else [1 + rank, 2]
// TRACE: ["all_reduce"]
func.func @waited_on_one_path(%x: tensor<2xf32>, %p: i1) -> tensor<2xf32> {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %r = scf.if %p -> tensor<2xf32> {
    %y = dist.wait %f : !dist.future<tensor<2xf32>>
    scf.yield %y : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----
// Which rank waits may differ: completion needs no wait.
// ARG: [1 + rank, 2]
// RESULT: [3, 4] if rank == 0 else [2, 2]
// TRACE: ["all_reduce"]
func.func @waited_on_one_rank(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %rank = dist.rank : index
  %first = arith.cmpi eq, %rank, %c0 : index
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %r = scf.if %first -> tensor<2xf32> {
    %y = dist.wait %f : !dist.future<tensor<2xf32>>
    scf.yield %y : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----
// Started in a loop, only the last one is waited for.
// ARG: [1 + rank]
// RESULT: [9]
// TRACE: ["all_reduce"] * 4
func.func @last_of_loop_waited(%x: tensor<1xf32>) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %init = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<1xf32>) -> !dist.future<tensor<1xf32>>
  %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%f = %init)
      -> !dist.future<tensor<1xf32>> {
    %n = arith.addi %i, %c1 : index
    %k = arith.index_cast %n : index to i64
    %s = arith.sitofp %k : i64 to f32
    %factor = tensor.from_elements %s : tensor<1xf32>
    %y = arith.mulf %x, %factor : tensor<1xf32>
    %g = dist.all_reduce sum %y on <[[0, 1]]>
        : (tensor<1xf32>) -> !dist.future<tensor<1xf32>>
    scf.yield %g : !dist.future<tensor<1xf32>>
  }
  %r = dist.wait %last : !dist.future<tensor<1xf32>>
  return %r : tensor<1xf32>
}

// -----
// One of the futures of a launch is waited for, the others complete with it.
// ARG: [1 + rank, 2]
// ARG: i32([rank])
// RESULT: i32([1 - rank])
// TRACE: ["permute"]
func.func @one_of_a_launch(%x: tensor<2xf32>, %y: tensor<1xi32>)
    -> tensor<1xi32> {
  %f:3 = dist.permute %x, %y, %x pairs [[0, 1], [1, 0]] on <[[0, 1]]>
      : (tensor<2xf32>, tensor<1xi32>, tensor<2xf32>)
      -> !dist.future<tensor<2xf32>>, !dist.future<tensor<1xi32>>,
         !dist.future<tensor<2xf32>>
  %r = dist.wait %f#1 : !dist.future<tensor<1xi32>>
  return %r : tensor<1xi32>
}
