// What stands before an explicit host wait stays before it.
// RUN: dist-opt %s --canonicalize --cse --loop-invariant-code-motion | FileCheck %s

// CHECK-LABEL: func.func @reads_stay_apart(
// CHECK: memref.load
// CHECK: dist.synchronize
// CHECK: memref.load
// CHECK: dist.synchronize
// CHECK: return
func.func @reads_stay_apart(%m: memref<f32>) -> f32 {
  %a = memref.load %m[] : memref<f32>
  dist.synchronize
  %b = memref.load %m[] : memref<f32>
  dist.synchronize
  %c = arith.addf %a, %b : f32
  return %c : f32
}

// CHECK-LABEL: func.func @stays_in_its_loop(
// CHECK: scf.for
// CHECK-NEXT: dist.synchronize
func.func @stays_in_its_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    dist.synchronize
  }
  return
}
