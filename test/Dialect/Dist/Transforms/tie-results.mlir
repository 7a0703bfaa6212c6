// RUN: dist-opt %s --dist-tie-results | FileCheck %s
// RUN: dist-opt %s --dist-tie-results --dist-tie-results | FileCheck %s

// CHECK-LABEL: func.func @returns_an_argument(
// CHECK-SAME:    %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>, %{{.*}}: index) -> f32
// CHECK-SAME:    dist.tied_results = array<i64: 1, -1>
// CHECK:         return %{{.*}} : f32
func.func @returns_an_argument(%a: memref<4xf32>, %b: memref<4xf32>, %i: index)
    -> (memref<4xf32>, f32)
    attributes {dist.signature = (tensor<4xf32>, tensor<4xf32>, index) -> (tensor<4xf32>, f32)} {
  %e = memref.load %a[%i] : memref<4xf32>
  return %b, %e : memref<4xf32>, f32
}

// CHECK-LABEL: func.func @sees_through_a_cast(
// CHECK-SAME:    dist.tied_results = array<i64: 0>
// CHECK:         return{{$}}
func.func @sees_through_a_cast(%a: memref<4xf32>) -> memref<?xf32>
    attributes {dist.signature = (tensor<4xf32>) -> tensor<?xf32>} {
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  return %c : memref<?xf32>
}

// A part of an argument is not the argument.
//
// CHECK-LABEL: func.func @leaves_a_view(
// CHECK-SAME:    dist.tied_results = array<i64: -1>
// CHECK:         return %{{.*}} : memref<2xf32, strided<[1]>>
func.func @leaves_a_view(%a: memref<4xf32>) -> memref<2xf32, strided<[1]>>
    attributes {dist.signature = (tensor<4xf32>) -> tensor<2xf32>} {
  %s = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  return %s : memref<2xf32, strided<[1]>>
}

// CHECK-LABEL: func.func @leaves_what_the_module_calls(
// CHECK-SAME:    -> memref<4xf32>
// CHECK-SAME:    dist.tied_results = array<i64: -1>
func.func @leaves_what_the_module_calls(%a: memref<4xf32>) -> memref<4xf32>
    attributes {dist.signature = (tensor<4xf32>) -> tensor<4xf32>} {
  return %a : memref<4xf32>
}
func.func private @caller(%a: memref<4xf32>) -> memref<4xf32> {
  %r = call @leaves_what_the_module_calls(%a) : (memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
}

// CHECK-LABEL: func.func private @leaves_a_private_function(
// CHECK-NOT:     dist.tied_results
func.func private @leaves_a_private_function(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}
