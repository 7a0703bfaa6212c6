// What the parser and the verifiers refuse.
//
// RUN: dist-opt %s --split-input-file --verify-diagnostics

// A future is not its tensor.
func.func @future_as_operand(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{prior use here}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error @+1 {{use of value '%f' expects different type than prior uses: 'tensor<4xf32>' vs '!dist.future<tensor<4xf32>>'}}
  %y = arith.addf %f, %f : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----
func.func @future_as_result(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{prior use here}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error @+1 {{use of value '%f' expects different type}}
  return %f : tensor<4xf32>
}

// -----
func.func @future_in_a_cast(%x: tensor<4xf32>) {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error @+1 {{'tensor.cast' op operand #0 must be tensor}}
  %y = "tensor.cast"(%f) : (!dist.future<tensor<4xf32>>) -> tensor<4xf32>
  return
}

// -----
func.func @wait_of_another_type(%x: tensor<4xf32>) {
  // expected-note @+1 {{prior use here}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error @+1 {{use of value '%f' expects different type}}
  %y = dist.wait %f : !dist.future<tensor<8xf32>>
  return
}

// -----
func.func @indivisible(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{dim 1}}
  %f = dist.reduce_scatter sum %x dim 1 on <[[0, 1]]>
      : (tensor<2x3xf32>) -> !dist.future<tensor<2x1xf32>>
  return
}

// -----
func.func @band_on_floats(%x: tensor<4xf32>) {
  // expected-error @+1 {{band}}
  %f = dist.all_reduce band %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----
func.func @sum_on_i1(%x: tensor<4xi1>) {
  // expected-error @+1 {{sum}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  return
}

// -----
func.func @gathered_size_disagrees(%x: tensor<4xf32>) {
  // expected-error @+1 {{'dist.all_gather' op}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<12xf32>>
  return
}

// -----
dist.process_group @g size 3
func.func @declared_size_disagrees(%x: tensor<4xf32>) {
  // expected-error @+1 {{'dist.all_gather' op}}
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  return
}

// -----
func.func @unknown_group(%x: tensor<4xf32>) {
  // expected-error @+1 {{nowhere}}
  %f = dist.all_reduce sum %x on <@nowhere>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----
// expected-note @+1 {{declared here}}
dist.mesh @m ["x" = 2]
func.func @unknown_axis(%x: tensor<4xf32>) {
  // expected-error @+1 {{"y"}}
  %f = dist.all_reduce sum %x on <@m["y"]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----
func.func @rank_twice(%x: tensor<4xf32>) {
  // expected-error @+1 {{rank 1}}
  %f = dist.all_reduce sum %x on <[[0, 1], [1, 2]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----
// Element types that no collective moves.
// expected-error @+1 {{future of 'tensor<4xvector<2xf32>>' has an element type that collectives do not move}}
func.func private @vectors(!dist.future<tensor<4xvector<2xf32>>>)

// -----
// expected-error @+1 {{future of 'tensor<4xi129>' has an element type}}
func.func private @wide(!dist.future<tensor<4xi129>>)
