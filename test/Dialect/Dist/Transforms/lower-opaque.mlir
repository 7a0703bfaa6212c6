// RUN: dist-opt %s --dist-lower-opaque --split-input-file --verify-diagnostics | FileCheck %s

func.func private @mm(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>

// CHECK-LABEL: func.func @calls_the_function_behind(
// CHECK-SAME:    %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>
// CHECK:         %[[R:.*]] = call @mm(%[[A]], %[[B]])
// CHECK:         return %[[R]]
func.func @calls_the_function_behind(%a: tensor<4xf32>, %b: tensor<4xf32>)
    -> tensor<4xf32> {
  %c = dist.opaque "mm"(%a, %b) calls @mm {flops = 8 : i64}
    : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}

// -----

func.func @has_no_function(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{"relu" has no callee: it can be scheduled but not executed, expected 'calls @function'}}
  %c = dist.opaque "relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
