// Every constraint of `dist.opaque` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// opaque C1
func.func @nameless(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.opaque' op needs a name that is not empty}}
  %y = dist.opaque ""(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// opaque C2
func.func @negative_flops(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.opaque' op has -1 flops, expected at least 0}}
  %y = dist.opaque "k"(%x) {flops = -1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// opaque C2
func.func @negative_bytes(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.opaque' op has -9223372036854775808 bytes, expected at least 0}}
  %y = dist.opaque "k"(%x) {bytes = -9223372036854775808 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// opaque C2
func.func @negative_time(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.opaque' op has -5 nanoseconds, expected at least 0}}
  %y = dist.opaque "k"(%x) {nanoseconds = -5 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// opaque C3
func.func @computes_with_data_in_flight(%f: !dist.future<tensor<4xf32>>) {
  // expected-error@+1 {{'dist.opaque' op takes or returns '!dist.future<tensor<4xf32>>', expected neither futures nor memrefs}}
  %y = dist.opaque "k"(%f) : (!dist.future<tensor<4xf32>>) -> tensor<4xf32>
  return
}

// -----

// opaque C3
func.func @returns_a_memref(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.opaque' op takes or returns 'memref<4xf32>', expected neither futures nor memrefs}}
  %y = dist.opaque "k"(%x) : (tensor<4xf32>) -> memref<4xf32>
  return
}

// -----

// opaque C4
func.func @view_of_nothing() {
  // expected-error@+1 {{'dist.opaque' op is a view, expected a tensor as first operand and exactly one result, a tensor}}
  %y = dist.opaque "v"() {view} : () -> tensor<4xf32>
  return
}

// -----

// opaque C4
func.func @view_of_a_number(%x: f32) {
  // expected-error@+1 {{'dist.opaque' op is a view, expected a tensor as first operand and exactly one result, a tensor}}
  %y = dist.opaque "v"(%x) {view} : (f32) -> tensor<f32>
  return
}

// -----

// opaque C5
func.func @unknown_callee(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.opaque' op calls @k, expected the symbol of a function}}
  %y = dist.opaque "k"(%x) calls @k : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// opaque C5
// expected-note@+1 {{declared here}}
func.func private @k(tensor<8xf32>) -> tensor<4xf32>
func.func @callee_of_another_type(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.opaque' op calls @k of type '(tensor<8xf32>) -> tensor<4xf32>', expected the operands' and results' types}}
  %y = dist.opaque "k"(%x) calls @k : (tensor<4xf32>) -> tensor<4xf32>
  return
}
