// Cases reduce_scatter_sum_dim0, vjp_all_gather_sum.
//
// RUN: %python %S/../run_program.py %s

// CASE: programs reduce_scatter_sum_dim0
// ARG: a
// RESULT: expected[rank]
func.func @rows(%a: tensor<4x2xf32>) -> tensor<2x2xf32> {
  %one = arith.constant dense<1.0> : tensor<2x2xf32>
  %f = dist.reduce_scatter sum %a dim 0 on <[[0, 1]]>
      : (tensor<4x2xf32>) -> !dist.future<tensor<2x2xf32>>
  %d = dist.wait %f : !dist.future<tensor<2x2xf32>>
  %e = arith.addf %d, %one : tensor<2x2xf32>
  return %e : tensor<2x2xf32>
}

// -----
// The transpose scatters columns to the same effect.
// CASE: programs reduce_scatter_sum_dim0
// ARG: np.transpose(a)
// RESULT: np.transpose(expected[rank])
func.func @columns(%a: tensor<2x4xf32>) -> tensor<2x2xf32> {
  %one = arith.constant dense<1.0> : tensor<2x2xf32>
  %f = dist.reduce_scatter sum %a dim 1 on <[[0, 1]]>
      : (tensor<2x4xf32>) -> !dist.future<tensor<2x2xf32>>
  %d = dist.wait %f : !dist.future<tensor<2x2xf32>>
  %e = arith.addf %d, %one : tensor<2x2xf32>
  return %e : tensor<2x2xf32>
}

// -----
// CASE: programs reduce_scatter_sum_dim0
// ARG: a
// RESULT: expected[rank]
func.func @rows_into(%a: tensor<4x2xf32>) -> tensor<2x2xf32> {
  %one = arith.constant dense<1.0> : tensor<2x2xf32>
  %empty = tensor.empty() : tensor<2x2xf32>
  %d = dist.reduce_scatter_into sum %a into %empty dim 0 on <[[0, 1]]>
      : (tensor<4x2xf32>) into (tensor<2x2xf32>) -> tensor<2x2xf32>
  %e = arith.addf %d, %one : tensor<2x2xf32>
  return %e : tensor<2x2xf32>
}

// -----
// CASE: programs vjp_all_gather_sum
// ARG: ct
// RESULT: expected["grad"][rank]
func.func @gradient_of_all_gather(%ct: tensor<2x1xf32>) -> tensor<1x1xf32> {
  %f = dist.reduce_scatter sum %ct dim 0 on <[[0, 1]]>
      : (tensor<2x1xf32>) -> !dist.future<tensor<1x1xf32>>
  %grad = dist.wait %f : !dist.future<tensor<1x1xf32>>
  return %grad : tensor<1x1xf32>
}
