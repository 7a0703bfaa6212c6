// A layer with one expert per rank. Each rank has sorted its tokens by the expert
// that they go to, as many for each expert. One all_to_all brings the tokens to
// their experts, another one brings the results back to where they came from.
//
// RUN: dist-opt %s | FileCheck %s --check-prefix=SOURCE
// RUN: dist-run %s --ranks 2 --schedule=false --print | FileCheck %s --check-prefix=VALUES
// RUN: dist-run %s --ranks 2 --print | FileCheck %s --check-prefix=VALUES
// RUN: dist-run %s --backend=nccl --fake-device --ranks 2 --print | FileCheck %s --check-prefix=VALUES

dist.mesh @world ["expert" = 2]

// The tokens are [expert, token, feature], the weights those of this rank's
// expert.
// SOURCE-LABEL: func.func @layer
func.func @layer(%tokens: tensor<2x2x2xf32>, %weights: tensor<2x2xf32>)
    -> tensor<2x2x2xf32> {
  // From [expert, token] to [1, tokens of all ranks].
  // SOURCE: dist.all_to_all {{.*}} split_dim 0 concat_dim 1 on <@world["expert"]>
  %dispatch = dist.all_to_all %tokens split_dim 0 concat_dim 1
      on <@world["expert"]>
      : (tensor<2x2x2xf32>) -> !dist.future<tensor<1x4x2xf32>>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2xf32>)
      -> tensor<4x2xf32>
  %mine = dist.wait %dispatch : !dist.future<tensor<1x4x2xf32>>
  %rows = tensor.collapse_shape %mine [[0, 1], [2]]
      : tensor<1x4x2xf32> into tensor<4x2xf32>
  %done = linalg.matmul ins(%rows, %weights : tensor<4x2xf32>, tensor<2x2xf32>)
      outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %results = tensor.expand_shape %done [[0, 1], [2]] output_shape [1, 4, 2]
      : tensor<4x2xf32> into tensor<1x4x2xf32>
  // And back.
  // SOURCE: dist.all_to_all {{.*}} split_dim 1 concat_dim 0 on <@world["expert"]>
  %combine = dist.all_to_all %results split_dim 1 concat_dim 0
      on <@world["expert"]>
      : (tensor<1x4x2xf32>) -> !dist.future<tensor<2x2x2xf32>>
  %y = dist.wait %combine : !dist.future<tensor<2x2x2xf32>>
  return %y : tensor<2x2x2xf32>
}

// VALUES: rank 0: result 0: tensor<2x2x2xf32> = {{\[\[\[}}2, 3], [6, 11]], {{\[\[}}46, 55], [66, 79]]]
// VALUES-NEXT: rank 1: result 0: tensor<2x2x2xf32> = {{\[\[\[}}18, 35], [22, 43]], {{\[\[}}126, 151], [146, 175]]]
