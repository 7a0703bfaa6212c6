// Hazard: a future is lost: its collective stays in flight when the program
// ends, or its memory leaks, or it is consumed more often than it has references. What
// protects it are drops, dups, and the write effect of a wait, which keeps an
// unused one from being taken for an unused allocation.
//
// RUN: dist-test-opt %s --test-dist-to-llvm=verify=true -o %t.right
// RUN: dist-run %t.right --entry=unused --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=UNUSED
// RUN: dist-run %t.right --entry=one_path --arg=1=0 --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=PATH
// RUN: dist-run %t.right --entry=several --ranks=2 --group=g=0,1 --checked --print --counters \
// RUN:   | FileCheck %s --check-prefix=SEVERAL
//
// RUN: dist-test-opt %s --test-dist-to-llvm=without=drops -o %t.drops
// RUN: not dist-run %t.drops --entry=one_path --arg=1=0 --ranks=2 --group=g=0,1 --checked 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LEAK
// RUN: dist-test-opt %s --test-dist-to-llvm=without=wait-effect -o %t.waits
// RUN: not dist-run %t.waits --entry=unused --ranks=2 --group=g=0,1 --checked 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LEAK
// RUN: dist-test-opt %s --test-dist-to-llvm=without=dups -o %t.dups
// RUN: not dist-run %t.dups --entry=several --ranks=2 --group=g=0,1 --checked 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TWICE
//
// RUN: not dist-test-opt %s --test-dist-bufferize="without=drops verify=true" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VERIFY-DROPS
// RUN: not dist-test-opt %s --test-dist-bufferize="without=wait-effect verify=true" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VERIFY-WAITS
// RUN: not dist-test-opt %s --test-dist-bufferize="without=dups verify=true" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VERIFY-DUPS

dist.process_group @g

// LEAK: error: rank {{[01]}}: all_gather {{.*}}: the future was never consumed
// TWICE: the future was consumed before

// UNUSED: rank 0: result 0: i32 = 7
// UNUSED: rank 1: result 0: i32 = 7
// UNUSED: "liveFutures": 0,
// UNUSED: "liveBytes": 0,
//
// VERIFY-WAITS: error: 'func.return' op is reached with a future in flight that nothing waits for or drops
func.func @unused(%a: tensor<4xi32>) -> i32 {
  %f = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  %seven = arith.constant 7 : i32
  return %seven : i32
}

// PATH: rank 0: result 0: i32 = 1
// PATH: rank 1: result 0: i32 = 1
// PATH: "liveFutures": 0,
// PATH: "liveBytes": 0,
//
// VERIFY-DROPS: error: 'scf.yield' op is reached with a future in flight that nothing waits for or drops
func.func @one_path(%a: tensor<4xi32>, %p: i1) -> i32 {
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %f = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r = scf.if %p -> (i32) {
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    %e = tensor.extract %y[%c3] : tensor<8xi32>
    scf.yield %e : i32
  } else {
    scf.yield %one : i32
  }
  return %r : i32
}

// SEVERAL: rank 0: result 0: i32 = 9
// SEVERAL: rank 1: result 0: i32 = 9
// SEVERAL: "liveFutures": 0,
// SEVERAL: "liveBytes": 0,
//
// VERIFY-DUPS: error: 'dist.drop' op consumes a future that is consumed before, expected a dist.dup
func.func @several(%a: tensor<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %f = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %zero) -> (i32) {
    %y = dist.wait %f : !dist.future<tensor<8xi32>>
    %e = tensor.extract %y[%c3] : tensor<8xi32>
    %s = arith.addi %sum, %e : i32
    scf.yield %s : i32
  }
  return %r : i32
}
