// Every constraint of futures as values in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// A future is not its tensor: nothing computes with it.
func.func @adds_a_future(%x: tensor<4xf32>) -> tensor<4xf32> {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error@+1 {{'arith.addf' op operand #0 must be floating-point-like, but got '!dist.future<tensor<4xf32>>'}}
  %y = arith.addf %f, %f : !dist.future<tensor<4xf32>>
  return %x : tensor<4xf32>
}

// -----

func.func @gathers_a_future(%x: tensor<4xf32>) {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  // expected-error@+1 {{'dist.all_gather' op operand #0 must be variadic of ranked tensor or memref, but got '!dist.future<tensor<8xf32>>'}}
  %g = dist.all_gather %f dim 0 on <[[0, 1]]>
      : (!dist.future<tensor<8xf32>>) -> !dist.future<tensor<16xf32>>
  return
}

// -----

func.func @result_is_not_a_future(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_reduce' op result #0 must be variadic of future of a tensor or memref, but got 'tensor<4xf32>'}}
  %y = dist.all_reduce sum %x on <[[0, 1]]> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @uses_a_future_as_its_tensor(%x: tensor<4xf32>) -> tensor<8xf32> {
  // expected-note@+1 {{prior use here}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  // expected-error@+1 {{use of value '%f' expects different type than prior uses: 'tensor<8xf32>' vs '!dist.future<tensor<8xf32>>'}}
  return %f : tensor<8xf32>
}

// -----

func.func @unknown_reduction(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected a reduction (sum, product, min, max, avg, band, bor, bxor, premul_sum, umin or umax), found mean}}
  %f = dist.all_reduce mean %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

func.func @dim_that_no_integer_holds(%x: tensor<4xf32>) {
  // expected-error@+1 {{integer constant out of range for attribute}}
  %f = dist.all_gather %x dim 99999999999999999999 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  return
}
