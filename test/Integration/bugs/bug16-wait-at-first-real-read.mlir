// bug16-wait-at-first-real-read: values of the report's program and of its twin
// along dim 1, and where the wait stands after scheduling.
//
// RUN: %python %S/../run_program.py %s
// RUN: dist-opt %s --split-input-file --dist-overlap | FileCheck %s

// CHECK-LABEL: @change_of_type_reads
// CHECK: dist.all_gather
// CHECK: dist.opaque "busy"
// CHECK: dist.wait
// CHECK: arith.extf
// CHECK-LABEL: @twin_along_columns
// CHECK: dist.all_gather
// CHECK-NOT: dist.wait
// CHECK: dist.opaque "busy"
// CHECK: dist.wait
// CHECK: arith.extf

// CASE: bugs bug16-wait-at-first-real-read
// FLAGS: --link-delay=5ms
// ARG: x
// RESULT: f64(expected["row_sums"][rank])
// RESULT: f32([12])
func.func @change_of_type_reads(%x: tensor<2xf32>)
    -> (tensor<2xf64>, tensor<1xf32>) {
  %zero = arith.constant 0.0 : f64
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
  %busy = dist.opaque "busy"() calls @busy {nanoseconds = 10000000}
      : () -> tensor<1xf32>
  %gathered = dist.wait %f : !dist.future<tensor<4xf32>>
  %view = tensor.expand_shape %gathered [[0, 1]] output_shape [2, 2]
      : tensor<4xf32> into tensor<2x2xf32>
  %wide = arith.extf %view : tensor<2x2xf32> to tensor<2x2xf64>
  %empty = tensor.empty() : tensor<2xf64>
  %init = linalg.fill ins(%zero : f64) outs(%empty : tensor<2xf64>)
      -> tensor<2xf64>
  %sums = linalg.reduce { arith.addf } ins(%wide : tensor<2x2xf64>)
      outs(%init : tensor<2xf64>) dimensions = [1]
  return %sums, %busy : tensor<2xf64>, tensor<1xf32>
}
func.func private @busy() -> tensor<1xf32> {
  %c = arith.constant dense<12.0> : tensor<1xf32>
  return %c : tensor<1xf32>
}

// -----
// CASE: bugs bug16-wait-at-first-real-read
// FLAGS: --link-delay=5ms
// ARG: np.reshape(x, (2, 1))
// RESULT: expected["twin"]["result_2x2"]
// RESULT: f64(expected["twin"]["row_sums"][rank])
// RESULT: f32([12])
func.func @twin_along_columns(%x: tensor<2x1xf32>)
    -> (tensor<2x2xf32>, tensor<2xf64>, tensor<1xf32>) {
  %zero = arith.constant 0.0 : f64
  %f = dist.all_gather %x dim 1 on <[[0, 1]]>
      : (tensor<2x1xf32>) -> !dist.future<tensor<2x2xf32>>
  %busy = dist.opaque "busy"() calls @busy {nanoseconds = 10000000}
      : () -> tensor<1xf32>
  %gathered = dist.wait %f : !dist.future<tensor<2x2xf32>>
  %wide = arith.extf %gathered : tensor<2x2xf32> to tensor<2x2xf64>
  %empty = tensor.empty() : tensor<2xf64>
  %init = linalg.fill ins(%zero : f64) outs(%empty : tensor<2xf64>)
      -> tensor<2xf64>
  %sums = linalg.reduce { arith.addf } ins(%wide : tensor<2x2xf64>)
      outs(%init : tensor<2xf64>) dimensions = [1]
  return %gathered, %sums, %busy
      : tensor<2x2xf32>, tensor<2xf64>, tensor<1xf32>
}
func.func private @busy() -> tensor<1xf32> {
  %c = arith.constant dense<12.0> : tensor<1xf32>
  return %c : tensor<1xf32>
}
