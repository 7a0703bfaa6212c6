// Every constraint of `dist.keep` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// keep C1
func.func @keeps_nothing() {
  // expected-error@+1 {{'dist.keep' op needs at least one tensor or memref}}
  "dist.keep"() : () -> ()
  return
}

// -----

// keep C2
func.func @keeps_a_future(%f: !dist.future<tensor<4xf32>>) {
  // expected-error@+1 {{operand #0 must be variadic of ranked tensor or memref}}
  dist.keep %f : !dist.future<tensor<4xf32>>
  return
}
