// Every constraint of `dist.after` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// after C1
func.func @no_token(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'dist.after' op needs at least one token}}
  %y = "dist.after"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// after C2
func.func @other_type(%t: !gpu.async.token, %x: tensor<4xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{failed to verify that all of {value, result} have same type}}
  %y = "dist.after"(%t, %x) : (!gpu.async.token, tensor<4xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
