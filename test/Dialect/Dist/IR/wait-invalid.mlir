// Every constraint of `dist.wait` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// wait C1
func.func @no_future() {
  // expected-error@+1 {{'dist.wait' op needs at least one future}}
  "dist.wait"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> ()
  return
}

// -----

// wait C2
func.func @other_shape(%f: !dist.future<tensor<4xf32>>) {
  // expected-error@+1 {{'dist.wait' op has result 0 of type 'tensor<8xf32>', expected 'tensor<4xf32>' as the payload of its future}}
  %y = dist.wait %f : !dist.future<tensor<4xf32>> -> tensor<8xf32>
  return
}

// -----

// wait C2
func.func @two_results(%f: !dist.future<tensor<4xf32>>) {
  // expected-error@+1 {{'dist.wait' op has 1 futures and 2 results, expected one for each future}}
  %y:2 = dist.wait %f : !dist.future<tensor<4xf32>> -> tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// wait C2
// A fresh buffer has no strides of its own.
func.func @strided_result(%f: !dist.future<tensor<4xf32>>) {
  // expected-error@+1 {{has result 0 of type 'memref<4xf32, strided<[2]>>', expected 'tensor<4xf32>' as the payload of its future}}
  %y = dist.wait %f : !dist.future<tensor<4xf32>> -> memref<4xf32, strided<[2]>>
  return
}

// -----

// wait C2
func.func @tensor_of_a_memref_future(%f: !dist.future<memref<4xf32>>) {
  // expected-error@+1 {{has result 0 of type 'tensor<4xf32>', expected 'memref<4xf32>' as the payload of its future}}
  %y = dist.wait %f : !dist.future<memref<4xf32>> -> tensor<4xf32>
  return
}

// -----

// wait C3
func.func @destination_of_a_tensor_future(%f: !dist.future<tensor<4xf32>>, %d: memref<4xf32>) {
  // expected-error@+1 {{'dist.wait' op has a destination, expected none for futures of tensors}}
  %y = dist.wait %f into(%d : memref<4xf32>) : !dist.future<tensor<4xf32>>
  return
}

// -----

// wait C3
func.func @one_destination_for_two(%f: !dist.future<memref<4xf32>>, %d: memref<4xf32>) {
  // expected-error@+1 {{'dist.wait' op has 1 destinations, expected 2, one for each future of a memref}}
  %y:2 = dist.wait %f, %f into(%d : memref<4xf32>)
      : !dist.future<memref<4xf32>>, !dist.future<memref<4xf32>>
  return
}

// -----

// wait C3
func.func @destination_of_another_type(%f: !dist.future<memref<4xf32>>, %d: memref<8xf32>) {
  // expected-error@+1 {{'dist.wait' op has destination 0 of type 'memref<8xf32>', expected 'memref<4xf32>' as the payload of its future}}
  %y = dist.wait %f into(%d : memref<8xf32>) : !dist.future<memref<4xf32>>
  return
}

// -----

// wait C4
func.func @waits_for_a_tensor(%x: tensor<4xf32>) {
  // expected-error@+1 {{waits for a value of type 'tensor<4xf32>', expected a future}}
  %y = dist.wait %x : tensor<4xf32>
  return
}

// -----

// wait C4
func.func @waits_for_a_tensor_in_generic_form(%x: tensor<4xf32>) {
  // expected-error@+1 {{operand #0 must be variadic of future of a tensor or memref, but got 'tensor<4xf32>'}}
  %y = "dist.wait"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}
