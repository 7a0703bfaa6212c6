// c = a + b; d = all_gather(c); e = d + 1. Cases all_gather_dim0,
// all_gather_dim1.
//
// RUN: %python %S/../run_program.py %s

// CASE: programs all_gather_dim0
// ARG: a
// ARG: b
// RESULT: expected[rank]
func.func @rows(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<4x2xf32> {
  %one = arith.constant dense<1.0> : tensor<4x2xf32>
  %c = arith.addf %a, %b : tensor<2x2xf32>
  %f = dist.all_gather %c dim 0 on <[[0, 1]]>
      : (tensor<2x2xf32>) -> !dist.future<tensor<4x2xf32>>
  %d = dist.wait %f : !dist.future<tensor<4x2xf32>>
  %e = arith.addf %d, %one : tensor<4x2xf32>
  return %e : tensor<4x2xf32>
}

// -----
// CASE: programs all_gather_dim1
// ARG: a
// ARG: b
// RESULT: expected[rank]
func.func @columns(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>)
    -> tensor<2x4xf32> {
  %one = arith.constant dense<1.0> : tensor<2x4xf32>
  %c = arith.addf %a, %b : tensor<2x2xf32>
  %f = dist.all_gather %c dim 1 on <[[0, 1]]>
      : (tensor<2x2xf32>) -> !dist.future<tensor<2x4xf32>>
  %d = dist.wait %f : !dist.future<tensor<2x4xf32>>
  %e = arith.addf %d, %one : tensor<2x4xf32>
  return %e : tensor<2x4xf32>
}

// -----
// The synchronous form with a fresh destination.
// CASE: programs all_gather_dim1
// ARG: a
// ARG: b
// RESULT: expected[rank]
func.func @columns_into(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>)
    -> tensor<2x4xf32> {
  %one = arith.constant dense<1.0> : tensor<2x4xf32>
  %c = arith.addf %a, %b : tensor<2x2xf32>
  %empty = tensor.empty() : tensor<2x4xf32>
  %d = dist.all_gather_into %c into %empty dim 1 on <[[0, 1]]>
      : (tensor<2x2xf32>) into (tensor<2x4xf32>) -> tensor<2x4xf32>
  %e = arith.addf %d, %one : tensor<2x4xf32>
  return %e : tensor<2x4xf32>
}

// -----
// Sizes that only the arguments know.
// CASE: programs all_gather_dim1
// ARG: a
// ARG: b
// RESULT: expected[rank]
func.func @dynamic_columns(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %one = arith.constant 1.0 : f32
  %c = arith.addf %a, %b : tensor<?x?xf32>
  %f = dist.all_gather %c dim 1 on <[[0, 1]]>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %d = dist.wait %f : !dist.future<tensor<?x?xf32>>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %d, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %d, %c1 : tensor<?x?xf32>
  %ones = tensor.splat %one[%rows, %columns] : tensor<?x?xf32>
  %e = arith.addf %d, %ones : tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}
