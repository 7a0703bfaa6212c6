// Every reduction of every element type that docs/spec.md refuses.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// all_reduce C4
func.func @band_of_f16(%x: tensor<4xf16>) {
  // expected-error@+1 {{cannot combine elements of type 'f16' by band}}
  %band = dist.all_reduce band %x on <[[0, 1]]>
      : (tensor<4xf16>) -> !dist.future<tensor<4xf16>>
  return
}

// -----

// all_reduce C4
func.func @bor_of_f16(%x: tensor<4xf16>) {
  // expected-error@+1 {{cannot combine elements of type 'f16' by bor}}
  %bor = dist.all_reduce bor %x on <[[0, 1]]>
      : (tensor<4xf16>) -> !dist.future<tensor<4xf16>>
  return
}

// -----

// all_reduce C4
func.func @bxor_of_f16(%x: tensor<4xf16>) {
  // expected-error@+1 {{cannot combine elements of type 'f16' by bxor}}
  %bxor = dist.all_reduce bxor %x on <[[0, 1]]>
      : (tensor<4xf16>) -> !dist.future<tensor<4xf16>>
  return
}

// -----

// all_reduce C4
func.func @band_of_bf16(%x: tensor<4xbf16>) {
  // expected-error@+1 {{cannot combine elements of type 'bf16' by band}}
  %band = dist.all_reduce band %x on <[[0, 1]]>
      : (tensor<4xbf16>) -> !dist.future<tensor<4xbf16>>
  return
}

// -----

// all_reduce C4
func.func @bor_of_bf16(%x: tensor<4xbf16>) {
  // expected-error@+1 {{cannot combine elements of type 'bf16' by bor}}
  %bor = dist.all_reduce bor %x on <[[0, 1]]>
      : (tensor<4xbf16>) -> !dist.future<tensor<4xbf16>>
  return
}

// -----

// all_reduce C4
func.func @bxor_of_bf16(%x: tensor<4xbf16>) {
  // expected-error@+1 {{cannot combine elements of type 'bf16' by bxor}}
  %bxor = dist.all_reduce bxor %x on <[[0, 1]]>
      : (tensor<4xbf16>) -> !dist.future<tensor<4xbf16>>
  return
}

// -----

// all_reduce C4
func.func @band_of_f32(%x: tensor<4xf32>) {
  // expected-error@+1 {{cannot combine elements of type 'f32' by band}}
  %band = dist.all_reduce band %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// all_reduce C4
func.func @bor_of_f32(%x: tensor<4xf32>) {
  // expected-error@+1 {{cannot combine elements of type 'f32' by bor}}
  %bor = dist.all_reduce bor %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// all_reduce C4
func.func @bxor_of_f32(%x: tensor<4xf32>) {
  // expected-error@+1 {{cannot combine elements of type 'f32' by bxor}}
  %bxor = dist.all_reduce bxor %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// all_reduce C4
func.func @band_of_f64(%x: tensor<4xf64>) {
  // expected-error@+1 {{cannot combine elements of type 'f64' by band}}
  %band = dist.all_reduce band %x on <[[0, 1]]>
      : (tensor<4xf64>) -> !dist.future<tensor<4xf64>>
  return
}

// -----

// all_reduce C4
func.func @bor_of_f64(%x: tensor<4xf64>) {
  // expected-error@+1 {{cannot combine elements of type 'f64' by bor}}
  %bor = dist.all_reduce bor %x on <[[0, 1]]>
      : (tensor<4xf64>) -> !dist.future<tensor<4xf64>>
  return
}

// -----

// all_reduce C4
func.func @bxor_of_f64(%x: tensor<4xf64>) {
  // expected-error@+1 {{cannot combine elements of type 'f64' by bxor}}
  %bxor = dist.all_reduce bxor %x on <[[0, 1]]>
      : (tensor<4xf64>) -> !dist.future<tensor<4xf64>>
  return
}

// -----

// all_reduce C4
func.func @sum_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{cannot combine elements of type 'i1' by sum}}
  %sum = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  return
}

// -----

// all_reduce C4
func.func @product_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{cannot combine elements of type 'i1' by product}}
  %product = dist.all_reduce product %x on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  return
}

// -----

// all_reduce C4
func.func @min_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{cannot combine elements of type 'i1' by min}}
  %min = dist.all_reduce min %x on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  return
}

// -----

// all_reduce C4
func.func @max_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{cannot combine elements of type 'i1' by max}}
  %max = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  return
}

// -----

// all_reduce C4
func.func @avg_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{cannot combine elements of type 'i1' by avg}}
  %avg = dist.all_reduce avg %x on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  return
}
