// Every constraint of `dist.device_read` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// device_read C1
func.func @one_index_of_two(%m: memref<4x4xf32>, %i: index) -> f32 {
  // expected-error@+1 {{'dist.device_read' op has 1 indices, expected 2, one for each dimension of the buffer}}
  %x = dist.device_read %m[%i] : memref<4x4xf32>
  return %x : f32
}

// -----

// device_read C2
func.func @other_element_type(%m: memref<4xf32>, %i: index) -> f64 {
  // expected-error@+1 {{value type matches the element type of the buffer}}
  %x = "dist.device_read"(%m, %i) : (memref<4xf32>, index) -> f64
  return %x : f64
}
