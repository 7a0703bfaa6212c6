// What tensor-parallel transforms produce, written as ordinary programs. Cases
// tp_column_linear, tp_row_linear_bias_once, tp_dim_embedding.
//
// RUN: %python %S/../run_program.py %s

// Weight rows and bias are sharded; the outputs are gathered on the last dim.
// CASE: programs tp_column_linear
// ARG: x
// ARG: W[2 * rank:2 * rank + 2]
// ARG: b[2 * rank:2 * rank + 2]
// RESULT: expected["local"][rank]
// RESULT: expected["y"]
dist.mesh @m ["tp" = 2]
func.func @column_linear(%x: tensor<2x2xf32>, %w: tensor<2x2xf32>,
                         %b: tensor<2xf32>)
    -> (tensor<2x2xf32>, tensor<2x4xf32>) {
  %empty = tensor.empty() : tensor<2x2xf32>
  %bias = linalg.broadcast ins(%b : tensor<2xf32>)
      outs(%empty : tensor<2x2xf32>) dimensions = [0]
  %wt_init = tensor.empty() : tensor<2x2xf32>
  %wt = linalg.transpose ins(%w : tensor<2x2xf32>)
      outs(%wt_init : tensor<2x2xf32>) permutation = [1, 0]
  %local = linalg.matmul ins(%x, %wt : tensor<2x2xf32>, tensor<2x2xf32>)
      outs(%bias : tensor<2x2xf32>) -> tensor<2x2xf32>
  %f = dist.all_gather %local dim 1 on <@m["tp"]>
      : (tensor<2x2xf32>) -> !dist.future<tensor<2x4xf32>>
  %y = dist.wait %f : !dist.future<tensor<2x4xf32>>
  return %local, %y : tensor<2x2xf32>, tensor<2x4xf32>
}

// -----
// Inputs and weight columns are sharded; the bias is added once, after the sum.
// CASE: programs tp_row_linear_bias_once
// ARG: x
// ARG: W
// ARG: b
// RESULT: expected["partials"][rank]
// RESULT: expected["y"]
dist.mesh @m ["tp" = 2]
func.func @row_linear(%x: tensor<2x4xf32>, %w: tensor<2x4xf32>,
                      %b: tensor<2xf32>)
    -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %tp = dist.rank on <@m["tp"]> : index
  %first = arith.muli %tp, %c2 : index
  %my_x = tensor.extract_slice %x[0, %first] [2, 2] [1, 1]
      : tensor<2x4xf32> to tensor<2x2xf32>
  %my_w = tensor.extract_slice %w[0, %first] [2, 2] [1, 1]
      : tensor<2x4xf32> to tensor<2x2xf32>
  %empty = tensor.empty() : tensor<2x2xf32>
  %wt = linalg.transpose ins(%my_w : tensor<2x2xf32>)
      outs(%empty : tensor<2x2xf32>) permutation = [1, 0]
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x2xf32>)
      -> tensor<2x2xf32>
  %partial = linalg.matmul ins(%my_x, %wt : tensor<2x2xf32>, tensor<2x2xf32>)
      outs(%init : tensor<2x2xf32>) -> tensor<2x2xf32>
  %f = dist.all_reduce sum %partial on <@m["tp"]>
      : (tensor<2x2xf32>) -> !dist.future<tensor<2x2xf32>>
  %sum = dist.wait %f : !dist.future<tensor<2x2xf32>>
  %bias = linalg.broadcast ins(%b : tensor<2xf32>)
      outs(%empty : tensor<2x2xf32>) dimensions = [0]
  %y = arith.addf %sum, %bias : tensor<2x2xf32>
  return %partial, %y : tensor<2x2xf32>, tensor<2x2xf32>
}

// -----
// Columns of the table are sharded.
// CASE: programs tp_dim_embedding
// ARG: np.array(table)[:, rank:rank + 1].astype(np.float32)
// ARG: i64(idx)
// RESULT: expected["local"][rank]
// RESULT: expected["y"]
dist.mesh @m ["tp" = 2]
func.func @embedding(%table: tensor<4x1xf32>, %idx: tensor<4xi64>)
    -> (tensor<4x1xf32>, tensor<4x2xf32>) {
  %empty = tensor.empty() : tensor<4x1xf32>
  %local = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%idx : tensor<4xi64>) outs(%empty : tensor<4x1xf32>) {
  ^bb0(%row: i64, %unused: f32):
    %r = arith.index_cast %row : i64 to index
    %j = linalg.index 1 : index
    %value = tensor.extract %table[%r, %j] : tensor<4x1xf32>
    linalg.yield %value : f32
  } -> tensor<4x1xf32>
  %f = dist.all_gather %local dim 1 on <@m["tp"]>
      : (tensor<4x1xf32>) -> !dist.future<tensor<4x2xf32>>
  %y = dist.wait %f : !dist.future<tensor<4x2xf32>>
  return %local, %y : tensor<4x1xf32>, tensor<4x2xf32>
}
