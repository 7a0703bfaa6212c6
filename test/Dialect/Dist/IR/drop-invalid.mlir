// Every constraint of `dist.drop` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// drop C1
func.func @drops_a_tensor(%x: tensor<4xf32>) {
  // expected-error@+1 {{operand #0 must be future of a tensor or memref, but got 'tensor<4xf32>'}}
  "dist.drop"(%x) : (tensor<4xf32>) -> ()
  return
}
