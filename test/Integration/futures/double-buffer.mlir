// Two buffers take turns while reductions run in the background: a buffer is
// filled again when the reduction of two iterations before has been waited for.
//
// RUN: dist-opt %s --dist-to-llvm -o %t
// RUN: dist-run %t --entry=refill --ranks=2 --group=g=0,1 --checked --print-args --counters --link-delay=5ms \
// RUN:   | FileCheck %s
// RUN: not dist-run %t --entry=refill_before_wait --ranks=2 --group=g=0,1 --checked --print --link-delay=5ms 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RACE
// RUN: not dist-opt %s --dist-verify-schedule -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATIC

dist.process_group @g

// Iteration i stores 10 * i + rank + 1, so that the sum of both ranks is
// 20 * i + 3.
//
// CHECK: rank 0: argument 0: memref<5xi32> = [3, 23, 43, 63, 83]
// CHECK: rank 1: argument 0: memref<5xi32> = [3, 23, 43, 63, 83]
// CHECK: "collectives": 5,
// CHECK: "packs": 0,
// CHECK: "unpacks": 0,
// CHECK: "sourceCopies": 0,
// CHECK: "resultCopies": 0,
// CHECK: "liveBytes": 0,
func.func @refill(%recorded: memref<5xi32> {dist.writable}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %buf0 = memref.alloc() : memref<1xi32>
  %buf1 = memref.alloc() : memref<1xi32>
  func.call @fill(%buf0, %c0) : (memref<1xi32>, index) -> ()
  %f0 = dist.all_reduce sum %buf0 into %buf0 on <@g>
    : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  func.call @fill(%buf1, %c1) : (memref<1xi32>, index) -> ()
  %f1 = dist.all_reduce sum %buf1 into %buf1 on <@g>
    : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %r:2 = scf.for %i = %c2 to %c5 step %c1 iter_args(%older = %f0, %newer = %f1)
      -> (!dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>) {
    %done = dist.wait %older : !dist.future<memref<1xi32>>
    %v = memref.load %done[%c0] : memref<1xi32>
    %k = arith.subi %i, %c2 : index
    memref.store %v, %recorded[%k] : memref<5xi32>
    %odd = arith.remui %i, %c2 : index
    %is_odd = arith.cmpi eq, %odd, %c1 : index
    %b = arith.select %is_odd, %buf1, %buf0 : memref<1xi32>
    func.call @fill(%b, %i) : (memref<1xi32>, index) -> ()
    %f = dist.all_reduce sum %b into %b on <@g>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
    scf.yield %newer, %f
      : !dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>
  }
  %a = dist.wait %r#0 : !dist.future<memref<1xi32>>
  %va = memref.load %a[%c0] : memref<1xi32>
  memref.store %va, %recorded[%c3] : memref<5xi32>
  %b = dist.wait %r#1 : !dist.future<memref<1xi32>>
  %vb = memref.load %b[%c0] : memref<1xi32>
  memref.store %vb, %recorded[%c4] : memref<5xi32>
  return
}

func.func private @fill(%b: memref<1xi32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %rank = dist.rank : index
  %0 = arith.muli %i, %c10 : index
  %1 = arith.addi %0, %rank : index
  %2 = arith.addi %1, %c1 : index
  %v = arith.index_cast %2 : index to i32
  memref.store %v, %b[%c0] : memref<1xi32>
  return
}

// The same, but the buffer is filled before the wait.
//
// RACE: error: rank {{[01]}}: all_reduce #{{[0-9]+}} on group [0, 1] at {{.*}}: the {{source|destination}} was written
// STATIC: 'memref.store' op writes buffer %alloc while the all_reduce of %alloc (memref<1xi32>) is in flight
// STATIC: note: started here
// STATIC: note: called here
func.func @refill_before_wait() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0 : i32
  %buf0 = memref.alloc() : memref<1xi32>
  %buf1 = memref.alloc() : memref<1xi32>
  func.call @fill(%buf0, %c0) : (memref<1xi32>, index) -> ()
  %f0 = dist.all_reduce sum %buf0 into %buf0 on <@g>
    : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  func.call @fill(%buf1, %c1) : (memref<1xi32>, index) -> ()
  %f1 = dist.all_reduce sum %buf1 into %buf1 on <@g>
    : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
  %r:3 = scf.for %i = %c2 to %c5 step %c1
      iter_args(%older = %f0, %newer = %f1, %sum = %zero)
      -> (!dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>, i32) {
    %odd = arith.remui %i, %c2 : index
    %is_odd = arith.cmpi eq, %odd, %c1 : index
    %b = arith.select %is_odd, %buf1, %buf0 : memref<1xi32>
    func.call @fill(%b, %i) : (memref<1xi32>, index) -> ()
    %done = dist.wait %older : !dist.future<memref<1xi32>>
    %v = memref.load %done[%c0] : memref<1xi32>
    %s = arith.addi %sum, %v : i32
    %f = dist.all_reduce sum %b into %b on <@g>
      : (memref<1xi32>) into (memref<1xi32>) -> !dist.future<memref<1xi32>>
    scf.yield %newer, %f, %s
      : !dist.future<memref<1xi32>>, !dist.future<memref<1xi32>>, i32
  }
  %a = dist.wait %r#0 : !dist.future<memref<1xi32>>
  %b = dist.wait %r#1 : !dist.future<memref<1xi32>>
  return %r#2 : i32
}
