// The seed program, stage by stage.
//
// In buffers the gather goes straight into the destination: no copy remains.
// RUN: dist-opt %s --dist-bufferize | FileCheck %s --check-prefix=BUFFERS
// BUFFERS-NOT: memref.copy
// BUFFERS: dist.all_gather_into {{.*}} into %arg2
// BUFFERS-NOT: memref.copy
//
// The same after the waits became visible.
// RUN: dist-opt %s --dist-functionalize --dist-bufferize \
// RUN:   | FileCheck %s --check-prefix=VISIBLE
// VISIBLE-NOT: memref.copy
// VISIBLE: dist.all_gather {{.*}} into %arg2
// VISIBLE: dist.wait
// VISIBLE-NOT: memref.copy
//
// Scheduled, the wait stands directly before the first reader of the gathered data,
// after all that does not need it; still without a copy.
// RUN: dist-opt %s --dist-overlap | FileCheck %s --check-prefix=SCHEDULED
// SCHEDULED: %[[C:.*]] = arith.addf %arg0, %arg1
// SCHEDULED-NEXT: %[[F:.*]] = dist.all_gather %[[C]]
// SCHEDULED-NEXT: %[[E:.*]] = arith.addf %[[C]]
// SCHEDULED-NEXT: arith.mulf %[[E]], %arg1
// SCHEDULED-NEXT: %[[W:.*]] = dist.wait %[[F]]
// SCHEDULED-NEXT: %[[OUT:.*]] = bufferization.materialize_in_destination %[[W]] in %arg2
// SCHEDULED-NEXT: arith.mulf %[[OUT]]
// SCHEDULED-NEXT: return
// RUN: dist-opt %s --dist-overlap --dist-bufferize \
// RUN:   | FileCheck %s --check-prefix=VISIBLE
// RUN: dist-run %s --group g=0,1 --schedule --print | FileCheck %s
// RUN: dist-run %s --group g=0,1 --schedule --counters \
// RUN:   | FileCheck %s --check-prefix=COUNTERS
// COUNTERS-COUNT-2: "resultCopies": 0,
// COUNTERS-NOT: "resultCopies"
//
// Functionalizing and scheduling again change nothing.
// RUN: dist-opt %s --dist-overlap -o %t.once.mlir
// RUN: dist-opt %t.once.mlir --dist-overlap -o %t.twice.mlir
// RUN: cmp %t.once.mlir %t.twice.mlir
//
// A group that is bound at compile time, and one that the run binds.
// RUN: dist-opt %s --dist-bind-process-groups="groups={g=[[0,1]]}" \
// RUN:   | dist-run - --schedule=false --print | FileCheck %s
// RUN: dist-run %s --group g=0,1 --schedule=false --print | FileCheck %s
// RUN: dist-opt %s --dist-to-llvm | dist-run - --ranks 2 --group g=0,1 --print \
// RUN:   | FileCheck %s
//
// Rank r has a = b = [[3r, 3r + 1, 3r + 2]].
// CHECK: rank 0: result 0: tensor<1x3xf32> = {{\[\[}}0, 3, 10]]
// CHECK: rank 0: result 1: tensor<2x3xf32> = {{\[\[}}0, 4, 8], [12, 16, 20]]
// CHECK: rank 1: result 0: tensor<1x3xf32> = {{\[\[}}21, 36, 55]]
// CHECK: rank 1: result 1: tensor<2x3xf32> = {{\[\[}}0, 4, 8], [12, 16, 20]]
//
// Without ranks the group is an error that names it: before the run, and in
// lowered form at the start of the collective.
// RUN: not dist-run %s --ranks 2 --schedule=false 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNBOUND
// UNBOUND: error: process group 'g' is not bound
// RUN: dist-opt %s --dist-to-llvm \
// RUN:   | not dist-run - --ranks 2 2>&1 | FileCheck %s --check-prefix=LOWERED
// LOWERED: rank 0: all_gather at {{.*}}seed-stages.mlir:{{.*}}: group @g is not bound to any ranks
// LOWERED: rank 1: all_gather at {{.*}}group @g is not bound to any ranks
// A binding for a group that is not there:
// RUN: not dist-run %s --ranks 2 --group h=0,1 --schedule=false 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHER
// OTHER: error: --group: the module has no process group 'h'
//
// Bound to a size that the static type disagrees with, at compile time and at run
// time.
// RUN: not dist-opt %s --dist-bind-process-groups="groups={g=[[0,1,2]]}" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TYPE
// TYPE: seed-stages.mlir:[[#@LINE+15]]:{{[0-9]+}}: error: {{.*}}all_gather_into
// RUN: not dist-run %s --ranks 3 --group g=0,1,2 --schedule=false 2>&1 \
// RUN:   | FileCheck %s --check-prefix=AT-LOAD
// AT-LOAD: rank 0: all_gather #0 {{.*}}seed-stages.mlir:[[#@LINE+12]]
// A group outside of the world:
// RUN: not dist-run %s --ranks 2 --group g=1,2 --schedule=false 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: error: {{.*}}rank 2

dist.process_group @g
func.func @main(%a: tensor<1x3xf32>, %b: tensor<1x3xf32>, %out: tensor<2x3xf32>)
    -> (tensor<1x3xf32>, tensor<2x3xf32>) {
  %one = arith.constant dense<1.0> : tensor<1x3xf32>
  %two = arith.constant dense<2.0> : tensor<2x3xf32>
  %c = arith.addf %a, %b : tensor<1x3xf32>
  %gathered = dist.all_gather_into %c into %out dim 0 on <@g>
      : (tensor<1x3xf32>) into (tensor<2x3xf32>) -> tensor<2x3xf32>
  %e = arith.addf %c, %one : tensor<1x3xf32>
  %f = arith.mulf %e, %b : tensor<1x3xf32>
  %doubled = arith.mulf %gathered, %two : tensor<2x3xf32>
  return %f, %doubled : tensor<1x3xf32>, tensor<2x3xf32>
}
