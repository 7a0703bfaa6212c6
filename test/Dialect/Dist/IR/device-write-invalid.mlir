// Every constraint of `dist.device_write` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// device_write C1
func.func @index_of_a_scalar(%m: memref<f32>, %i: index, %x: f32) {
  // expected-error@+1 {{'dist.device_write' op has 1 indices, expected 0, one for each dimension of the buffer}}
  dist.device_write %x, %m[%i] : memref<f32>
  return
}

// -----

// device_write C2
func.func @other_element_type(%m: memref<f32>, %x: f64) {
  // expected-error@+1 {{value type matches the element type of the buffer}}
  "dist.device_write"(%x, %m) : (f64, memref<f32>) -> ()
  return
}
