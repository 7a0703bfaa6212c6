// bug03-negative-dim: dims of dist do not count from the end.
//
// RUN: dist-opt %s --split-input-file --verify-diagnostics

func.func @all_gather(%x: tensor<2x2xf32>) {
  // expected-error @+1 {{'dist.all_gather' op has dim -1, expected a dimension of}}
  %f = dist.all_gather %x dim -1 on <[[0, 1]]>
      : (tensor<2x2xf32>) -> !dist.future<tensor<2x4xf32>>
  return
}

// -----
func.func @reduce_scatter(%x: tensor<2x2xf32>) {
  // expected-error @+1 {{'dist.reduce_scatter' op has dim -2, expected a dimension of}}
  %f = dist.reduce_scatter sum %x dim -2 on <[[0, 1]]>
      : (tensor<2x2xf32>) -> !dist.future<tensor<1x2xf32>>
  return
}

// -----
func.func @all_gather_into(%x: memref<2x2xf32>, %y: memref<2x4xf32>) {
  // expected-error @+1 {{'dist.all_gather_into' op has dim -1, expected a dimension of}}
  dist.all_gather_into %x into %y dim -1 on <[[0, 1]]>
      : (memref<2x2xf32>) into (memref<2x4xf32>)
  return
}

// -----
func.func @past_the_end(%x: tensor<2x2xf32>) {
  // expected-error @+1 {{'dist.all_gather' op has dim 2, expected a dimension of}}
  %f = dist.all_gather %x dim 2 on <[[0, 1]]>
      : (tensor<2x2xf32>) -> !dist.future<tensor<2x2xf32>>
  return
}
