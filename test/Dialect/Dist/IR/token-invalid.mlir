// Every constraint of `dist.token` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// token C1
func.func @of_nothing() -> !gpu.async.token {
  // expected-error@+1 {{'dist.token' op needs at least one tensor or memref}}
  %t = "dist.token"() : () -> !gpu.async.token
  return %t : !gpu.async.token
}

// -----

// token C2
func.func @of_a_future(%f: !dist.future<tensor<4xf32>>) -> !gpu.async.token {
  // expected-error@+1 {{operand #0 must be variadic of ranked tensor or memref}}
  %t = dist.token %f : !dist.future<tensor<4xf32>>
  return %t : !gpu.async.token
}
