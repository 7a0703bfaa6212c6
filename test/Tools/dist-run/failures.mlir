// Ranks that fail: each says so with its number, in order, and the exit code is
// not zero.

// RUN: split-file %s %t
// RUN: not dist-run %t/two.mlir --print --deadline=200ms --fault 1:1:drop 2>&1 | FileCheck %s --check-prefix=DROP
// DROP-NOT: result
// DROP:     dist-run: error: rank 0: all_gather #1 on group [0, 1] at {{.*}}two.mlir:4:8: {{.*}}missing rank 1
// DROP:     dist-run: error: rank 1: all_gather #1 on group [0, 1] at {{.*}}two.mlir:4:8: {{.*}}missing rank 1

// Late is not lost.
// RUN: dist-run %t/two.mlir --print --fault 1:1:delay:50ms --checked --seed=7 --workers=3 | FileCheck %s --check-prefix=LATE
// LATE: rank 0: result 0: tensor<4xf32> = [2, 4, 2, 4]
// LATE: rank 1: result 0: tensor<4xf32> = [2, 4, 2, 4]

// One rank runs another program: the ranks disagree.
// RUN: not dist-run %t/two.mlir --rank-module 1=%t/other.mlir 2>&1 | FileCheck %s --check-prefix=DIVERGE
// DIVERGE: dist-run: error: rank 0: collective #0 on group [0, 1]: ranks disagree: rank 0 has all_reduce sum {{.*}}, rank 1 has all_reduce max
// DIVERGE: dist-run: error: rank 1: collective #0 on group [0, 1]: ranks disagree: rank 0 has all_reduce sum {{.*}}, rank 1 has all_reduce max

// Another program that agrees.
// RUN: dist-run %t/two.mlir --print --rank-module 1=%t/same.mlir | FileCheck %s --check-prefix=AGREE
// AGREE: rank 0: result 0: tensor<4xf32> = [6, 8, 6, 8]
// AGREE: rank 1: result 0: tensor<4xf32> = [6, 8, 6, 8]
// AGREE: rank 1: result 1: i32 = 7

// RUN: not dist-run %t/two.mlir --rank-module 2=%t/same.mlir 2>&1 | FileCheck %s --check-prefix=NO-RANK
// NO-RANK: dist-run: error: --rank-module: there is no rank 2 among 2
// RUN: not dist-run %t/two.mlir --rank-module 1=%t/absent.mlir 2>&1 | FileCheck %s --check-prefix=NO-FILE
// NO-FILE: dist-run: error: --rank-module 1: cannot open input file
// RUN: not dist-run %t/two.mlir --fault 2:0:drop 2>&1 | FileCheck %s --check-prefix=NO-FAULT
// NO-FAULT: dist-run: error: --fault: there is no rank 2 among 2

// A fault that does not happen.
// RUN: not dist-run %t/two.mlir --fault 1:0:delay:1ms --fault 1:9:delay:1ms 2>&1 | FileCheck %s --check-prefix=NO-HIT
// NO-HIT: dist-run: error: --fault: fault 1 did not happen: its rank started no collective of that sequence number

// A link that no deadline can wait for.
// RUN: not dist-run %t/two.mlir --link-bandwidth 1e-300 --deadline=100ms 2>&1 | FileCheck %s --check-prefix=SLOW
// SLOW: dist-run: error: rank 0: all_reduce #0 {{.*}} did not complete within 100 ms: all ranks joined, the link has a delay of 0 ns and takes 1e-300 bytes per nanosecond

// An assertion fails its rank, the others are told.
// RUN: not dist-run %t/assert.mlir --ranks=3 --group world=world 2>&1 | FileCheck %s --check-prefix=ASSERT
// ASSERT: dist-run: error: rank 0: {{.*}}
// ASSERT: dist-run: error: rank 1: {{.*}}assert.mlir:6:3: assertion failed: rank is not one
// ASSERT: dist-run: error: rank 2: {{.*}}
// RUN: dist-run %t/assert.mlir --ranks=1 --group world=world --print | FileCheck %s --check-prefix=HOLDS
// HOLDS: rank 0: result 0: tensor<2xf32> = [0, 1]

// Arguments that must agree.
// RUN: dist-run %t/uniform.mlir --ranks=3 --print | FileCheck %s --check-prefix=UNIFORM
// UNIFORM: rank 2: result 0: tensor<2xi32> = [0, 1]
// RUN: %python -c "import numpy as np; [np.save(r'%t/arg0.rank%d.npy' % r, np.full(2, r // 2, np.int32)) for r in range(3)]"
// RUN: not dist-run %t/uniform.mlir --ranks=3 --input-dir=%t 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: dist-run: error: argument 0 is dist.uniform but differs between rank 0 and rank 2

// What the lowering refuses is a located error and one line.
// RUN: not dist-run %t/no-lowering.mlir --ranks=1 2>&1 | FileCheck %s --check-prefix=NO-LOWERING
// NO-LOWERING: no-lowering.mlir:{{[0-9]+}}:{{[0-9]+}}: error:
// NO-LOWERING: dist-run: error: cannot lower '{{.*}}no-lowering.mlir'

// RUN: not dist-run %t/missing-symbol.mlir --ranks=1 2>&1 | FileCheck %s --check-prefix=SYMBOL
// SYMBOL: dist-run: error: cannot compile '{{.*}}missing-symbol.mlir': {{.*}}: nothing defines 'nowhere_to_be_found'; name its library with --shared-libs

//--- two.mlir
func.func @main(%x: tensor<2xf32>) -> tensor<4xf32> {
  %f = dist.all_reduce sum %x on <[[0, 1]]> : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  %g = dist.all_gather %y dim 0 on <[[0, 1]]> : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
  %z = dist.wait %g : !dist.future<tensor<4xf32>>
  %two = arith.addf %z, %z : tensor<4xf32>
  %half = arith.constant dense<0.5> : tensor<4xf32>
  %same = arith.mulf %two, %half : tensor<4xf32>
  return %same : tensor<4xf32>
}

//--- assert.mlir
dist.process_group @world
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %rank = dist.rank : index
  %one = arith.constant 1 : index
  %fine = arith.cmpi ne, %rank, %one : index
  cf.assert %fine, "rank is not one"
  %f = dist.all_reduce max %x on <@world> : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}

//--- other.mlir
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %f = dist.all_reduce max %x on <[[0, 1]]> : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}

//--- same.mlir
func.func @main(%x: tensor<2xf32>) -> (tensor<4xf32>, i32) {
  %c4 = arith.constant dense<4.0> : tensor<2xf32>
  %x4 = arith.addf %x, %c4 : tensor<2xf32>
  %f = dist.all_reduce sum %x4 on <[[0, 1]]> : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  %g = dist.all_gather %y dim 0 on <[[0, 1]]> : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
  %z = dist.wait %g : !dist.future<tensor<4xf32>>
  %c7 = arith.constant 7 : i32
  return %z, %c7 : tensor<4xf32>, i32
}

//--- uniform.mlir
func.func @main(%x: tensor<2xi32> {dist.uniform}) -> tensor<2xi32> {
  return %x : tensor<2xi32>
}

//--- no-lowering.mlir
func.func @main() {
  gpu.barrier
  return
}

//--- missing-symbol.mlir
func.func private @nowhere_to_be_found()
func.func @main() {
  func.call @nowhere_to_be_found() : () -> ()
  return
}
