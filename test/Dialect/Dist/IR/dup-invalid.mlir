// Every constraint of `dist.dup` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// dup C1
func.func @other_future(%f: !dist.future<tensor<4xf32>>) {
  // expected-error@+1 {{requires the same type for all operands and results}}
  %g = "dist.dup"(%f) : (!dist.future<tensor<4xf32>>) -> !dist.future<tensor<8xf32>>
  return
}
