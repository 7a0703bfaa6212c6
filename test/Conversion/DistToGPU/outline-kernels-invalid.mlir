// RUN: dist-opt %s --dist-outline-kernels -split-input-file -verify-diagnostics

func.func private @f(f32) -> f32
func.func @calls(%m: memref<4xf32>, %v: f32) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error@+1 {{'func.call' op stands in a kernel, which cannot call functions; inline it first}}
    %w = func.call @f(%v) : (f32) -> f32
    memref.store %w, %m[%c1] : memref<4xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @token(%t: !gpu.async.token) {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'gpu.launch' op has tokens; run dist-order-tokens first}}
  %s = gpu.launch async [%t] blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    gpu.terminator
  }
  return
}
