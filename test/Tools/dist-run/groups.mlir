// Process groups that are bound on the command line, and how many ranks run
// when nobody says so.

// RUN: split-file %s %t
// RUN: dist-run %t/late.mlir --ranks=4 --print --group tp=[[0,2],[3,1]] --group=dp=world | FileCheck %s --check-prefix=TABLE
// TABLE:      rank 0: result 0: tensor<{{[0-9]}}xi64> = [0, 2]
// TABLE-NEXT: rank 0: result 1: tensor<{{[0-9]}}xi64> = [0, 1, 2, 3]
// TABLE-NEXT: rank 1: result 0: tensor<{{[0-9]}}xi64> = [3, 1]
// TABLE-NEXT: rank 1: result 1: tensor<{{[0-9]}}xi64> = [0, 1, 2, 3]
// TABLE-NEXT: rank 2: result 0: tensor<{{[0-9]}}xi64> = [0, 2]
// TABLE:      rank 3: result 0: tensor<{{[0-9]}}xi64> = [3, 1]

// A list alone; the largest rank of a binding says how many ranks there are.
// RUN: dist-run %t/late.mlir --print --group tp=1,0 --group=@dp=2,0 | FileCheck %s --check-prefix=LIST
// LIST:      rank 0: result 0: tensor<{{[0-9]}}xi64> = [1, 0]
// LIST-NEXT: rank 0: result 1: tensor<{{[0-9]}}xi64> = [2, 0]
// LIST:      rank 2: result 1: tensor<{{[0-9]}}xi64> = [2, 0]
// LIST-NOT:  rank 3

// RUN: not dist-run %t/late.mlir --ranks=2 2>&1 | FileCheck %s --check-prefix=UNBOUND
// UNBOUND: dist-run: error: process groups 'tp', 'dp' are not bound; bind with --group NAME=RANKS
// RUN: not dist-run %t/late.mlir --ranks=2 --group=tp=world 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: dist-run: error: process group 'dp' is not bound; bind with --group NAME=RANKS

// Lowered programs find it out at run time.
// RUN: dist-opt %t/late.mlir --dist-to-llvm -o %t/lowered.mlir
// RUN: not dist-run %t/lowered.mlir --ranks=2 --group=tp=world 2>&1 | FileCheck %s --check-prefix=LOWERED
// LOWERED: dist-run: error: rank 0: {{.*}}dp
// LOWERED: dist-run: error: rank 1: {{.*}}dp
// RUN: dist-run %t/lowered.mlir --ranks=2 --print --group=tp=world --group=dp=1,0 | FileCheck %s --check-prefix=LOWERED-BOUND
// LOWERED-BOUND: rank 1: result 1: tensor<2xi64> = [1, 0]

// RUN: not dist-run %t/late.mlir --ranks=2 --group=tp=world --group=dp=world --group=pp=world 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: dist-run: error: --group: the module has no process group 'pp'
// RUN: not dist-run %t/table.mlir --group=g=world 2>&1 | FileCheck %s --check-prefix=ALREADY
// ALREADY: dist-run: error: --group: process group 'g' has its ranks in the module already
// RUN: not dist-run %t/late.mlir --ranks=2 --group=tp=world --group=tp=0 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: dist-run: error: --group: 'tp' is given twice
// RUN: not dist-run %t/late.mlir --ranks=2 --group=tp=0,5 --group=dp=world 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: dist-run: error: --group: 'tp': {{.*}}5
// RUN: not dist-run %t/late.mlir --ranks=2 --group=tp=[[0,1],[2]] 2>&1 | FileCheck %s --check-prefix=UNEQUAL
// UNEQUAL: dist-run: error: --group: expected NAME=world, NAME=0,1 or NAME={{\[\[}}0,1],[2,3]] with lists of equal size, found 'tp={{\[\[}}0,1],[2]]'
// RUN: not dist-run %t/late.mlir --ranks=2 --group=tp 2>&1 | FileCheck %s --check-prefix=NO-RANKS
// NO-RANKS: dist-run: error: --group: expected NAME=world

// The world of a table and of a mesh.
// RUN: dist-run %t/table.mlir --print | FileCheck %s --check-prefix=WORLD-TABLE
// WORLD-TABLE:     rank 3: result 0: index = 1
// WORLD-TABLE-NOT: rank 4
// RUN: dist-run %t/mesh.mlir --print | FileCheck %s --check-prefix=WORLD-MESH
// WORLD-MESH:     rank 5: result 0: index = 2
// WORLD-MESH-NOT: rank 6
// RUN: not dist-run %t/mesh.mlir --print --ranks=4 2>&1 | FileCheck %s --check-prefix=MESH-DISAGREES
// MESH-DISAGREES: dist-run: error: mesh 'm' spans 6 ranks, but 4 run

//--- late.mlir
dist.process_group @tp
dist.process_group @dp
dist.process_group @unused
func.func @main() -> (tensor<?xi64>, tensor<?xi64>) {
  %rank = dist.rank : index
  %word = arith.index_cast %rank : index to i64
  %x = tensor.from_elements %word : tensor<1xi64>
  %f = dist.all_gather %x dim 0 on <@tp> : (tensor<1xi64>) -> !dist.future<tensor<?xi64>>
  %a = dist.wait %f : !dist.future<tensor<?xi64>>
  %b = func.call @more(%x) : (tensor<1xi64>) -> tensor<?xi64>
  return %a, %b : tensor<?xi64>, tensor<?xi64>
}
func.func private @more(%x: tensor<1xi64>) -> tensor<?xi64> {
  %f = dist.all_gather %x dim 0 on <@dp> : (tensor<1xi64>) -> !dist.future<tensor<?xi64>>
  %a = dist.wait %f : !dist.future<tensor<?xi64>>
  return %a : tensor<?xi64>
}

//--- table.mlir
dist.process_group @g ranks [[0, 1], [2, 3]]
func.func @main() -> index {
  %rank = dist.rank on <@g> : index
  return %rank : index
}

//--- mesh.mlir
dist.mesh @m ["a" = 2, "b" = 3]
func.func @main() -> index {
  %rank = dist.rank on <@m["b"]> : index
  return %rank : index
}
