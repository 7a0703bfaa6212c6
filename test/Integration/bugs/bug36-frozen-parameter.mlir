// bug36-frozen-parameter: sharded weights, one of them frozen: as the program that a
// fully sharded transform would make. Two gathers forward, one reduction, of the
// trained weight's gradient only.
//
// RUN: %python %S/../run_program.py %s

// CASE: bugs bug36-frozen-parameter
// RANKS: 2
// ARG: inputs["x"][rank]
// ARG: inputs["W1"][rank : rank + 1]
// ARG: [[1.5, -2], [0.5, 3]][rank : rank + 1]
// RESULT: expected["dW2_shards"][rank]
// TRACE: 2 * ["all_gather"] + expected["reduce_scatter_count"] * ["reduce_scatter"]
func.func @frozen(%x: tensor<1x2xf32>, %W1: tensor<1x2xf32>, %W2: tensor<1x2xf32>)
    -> tensor<1x2xf32> {
  %zero = arith.constant 0.0 : f32
  %ones = arith.constant dense<1.0> : tensor<1x2xf32>
  %f1 = dist.all_gather %W1 dim 0 on <[[0, 1]]>
      : (tensor<1x2xf32>) -> !dist.future<tensor<2x2xf32>>
  %w1 = dist.wait %f1 : !dist.future<tensor<2x2xf32>>
  %empty = tensor.empty() : tensor<1x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x2xf32>)
      -> tensor<1x2xf32>
  %h = linalg.matmul ins(%x, %w1 : tensor<1x2xf32>, tensor<2x2xf32>)
      outs(%init : tensor<1x2xf32>) -> tensor<1x2xf32>
  %f2 = dist.all_gather %W2 dim 0 on <[[0, 1]]>
      : (tensor<1x2xf32>) -> !dist.future<tensor<2x2xf32>>
  %w2 = dist.wait %f2 : !dist.future<tensor<2x2xf32>>
  %y = linalg.matmul ins(%h, %w2 : tensor<1x2xf32>, tensor<2x2xf32>)
      outs(%init : tensor<1x2xf32>) -> tensor<1x2xf32>

  // dW2 = transpose(h) times the gradient of y, which is all ones. Nothing of W1
  // is needed any more.
  %square = tensor.empty() : tensor<2x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%square : tensor<2x2xf32>)
      -> tensor<2x2xf32>
  %flat = tensor.collapse_shape %h [[0, 1]] : tensor<1x2xf32> into tensor<2xf32>
  %column = tensor.expand_shape %flat [[0, 1]] output_shape [2, 1]
      : tensor<2xf32> into tensor<2x1xf32>
  %dW2 = linalg.matmul ins(%column, %ones : tensor<2x1xf32>, tensor<1x2xf32>)
      outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
  %f3 = dist.reduce_scatter avg %dW2 dim 0 on <[[0, 1]]>
      : (tensor<2x2xf32>) -> !dist.future<tensor<1x2xf32>>
  %shard = dist.wait %f3 : !dist.future<tensor<1x2xf32>>
  return %shard : tensor<1x2xf32>
}
