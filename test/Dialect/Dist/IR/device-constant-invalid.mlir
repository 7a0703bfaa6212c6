// Every constraint of `dist.device_constant` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// device_constant C1
func.func @dynamic(%m: memref<?xf32>) {
  // expected-error@+1 {{'dist.device_constant' op has a constant of type 'memref<?xf32>', expected a static shape and no layout}}
  %d = dist.device_constant %m : memref<?xf32>
  return
}

// -----

// device_constant C1
func.func @strided(%m: memref<4xf32, strided<[2]>>) {
  // expected-error@+1 {{expected a static shape and no layout}}
  %d = dist.device_constant %m : memref<4xf32, strided<[2]>>
  return
}

// -----

// device_constant C2
func.func @other_type(%m: memref<4xf32>) {
  // expected-error@+1 {{failed to verify that all of {constant, result} have same type}}
  %d = "dist.device_constant"(%m) : (memref<4xf32>) -> memref<2xf32>
  return
}
