// Every constraint of `dist.all_reduce` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// all_reduce C1
func.func @no_source() {
  // expected-error@+1 {{'dist.all_reduce' op needs at least one source}}
  "dist.all_reduce"() <{group = #dist.group<[[0, 1]]>, operandSegmentSizes = array<i32: 0, 0, 0, 0>, reduction = #dist.reduction<sum>}> : () -> ()
  return
}

// -----

// all_reduce C1
func.func @one_future_for_two_sources(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_reduce' op has 2 sources and 1 results, expected one for each source}}
  %f = dist.all_reduce sum %x, %y on <[[0, 1]]>
      : (tensor<4xf32>, tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// all_reduce C2
func.func @tensor_and_memref_in_one_launch(%x: tensor<4xf32>, %y: memref<4xf32>) {
  // expected-error@+1 {{'dist.all_reduce' op mixes tensors and memrefs, expected only one of them, found 'tensor<4xf32>' and 'memref<4xf32>'}}
  %f:2 = dist.all_reduce sum %x, %y on <[[0, 1]]>
      : (tensor<4xf32>, memref<4xf32>) -> !dist.future<tensor<4xf32>>, !dist.future<tensor<4xf32>>
  return
}

// -----

// all_reduce C2
func.func @tensor_into_memref(%x: tensor<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.all_reduce' op mixes tensors and memrefs, expected only one of them, found 'tensor<4xf32>' and 'memref<4xf32>'}}
  %f = dist.all_reduce sum %x into %out on <[[0, 1]]>
      : (tensor<4xf32>) into (memref<4xf32>) -> !dist.future<memref<4xf32>>
  return
}

// -----

// all_reduce C3
func.func @elements_of_type_i129(%x: tensor<4xi129>) {
  // expected-error@+1 {{'dist.all_reduce' op does not support element type 'i129'}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xi129>) -> !dist.future<tensor<4xi32>>
  return
}

// -----

// all_reduce C3
func.func @elements_of_type_wide_signed(%x: tensor<4xsi200>) {
  // expected-error@+1 {{'dist.all_reduce' op does not support element type 'si200'}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xsi200>) -> !dist.future<tensor<4xi32>>
  return
}

// -----

// all_reduce C3
func.func @elements_of_type_wide(%x: tensor<4xi256>) {
  // expected-error@+1 {{'dist.all_reduce' op does not support element type 'i256'}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xi256>) -> !dist.future<tensor<4xi32>>
  return
}

// -----

// all_reduce C3
func.func @elements_of_type_vector(%x: tensor<4xvector<2xf32>>) {
  // expected-error@+1 {{'dist.all_reduce' op does not support element type 'vector<2xf32>'}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xvector<2xf32>>) -> !dist.future<tensor<4xi32>>
  return
}

// -----

// all_reduce C3
func.func @elements_of_type_wide_complex(%x: tensor<4xcomplex<f80>>) {
  // expected-error@+1 {{'dist.all_reduce' op does not support element type 'complex<f80>'}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xcomplex<f80>>) -> !dist.future<tensor<4xi32>>
  return
}

// -----

// all_reduce C4
func.func @band_of_f32(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_reduce' op cannot combine elements of type 'f32' by band}}
  %f = dist.all_reduce band %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// all_reduce C4
func.func @bor_of_bf16(%x: tensor<4xbf16>) {
  // expected-error@+1 {{'dist.all_reduce' op cannot combine elements of type 'bf16' by bor}}
  %f = dist.all_reduce bor %x on <[[0, 1]]>
      : (tensor<4xbf16>) -> !dist.future<tensor<4xbf16>>
  return
}

// -----

// all_reduce C4
func.func @bxor_of_f64(%x: tensor<4xf64>) {
  // expected-error@+1 {{'dist.all_reduce' op cannot combine elements of type 'f64' by bxor}}
  %f = dist.all_reduce bxor %x on <[[0, 1]]>
      : (tensor<4xf64>) -> !dist.future<tensor<4xf64>>
  return
}

// -----

// all_reduce C4
func.func @sum_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{'dist.all_reduce' op cannot combine elements of type 'i1' by sum}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  return
}

// -----

// all_reduce C4
func.func @product_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{'dist.all_reduce' op cannot combine elements of type 'i1' by product}}
  %f = dist.all_reduce product %x on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  return
}

// -----

// all_reduce C4
func.func @min_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{'dist.all_reduce' op cannot combine elements of type 'i1' by min}}
  %f = dist.all_reduce min %x on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  return
}

// -----

// all_reduce C4
func.func @max_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{'dist.all_reduce' op cannot combine elements of type 'i1' by max}}
  %f = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  return
}

// -----

// all_reduce C4
func.func @avg_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{'dist.all_reduce' op cannot combine elements of type 'i1' by avg}}
  %f = dist.all_reduce avg %x on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  return
}

// -----

// all_reduce C7
func.func @other_element_type(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_reduce' op result has element type 'f64', expected 'f32' as the source}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf64>>
  return
}

// -----

// all_reduce C7
func.func @other_rank(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_reduce' op result has rank 2, expected 1 as the source}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4x1xf32>>
  return
}

// -----

// all_reduce C7
func.func @other_size(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{'dist.all_reduce' op result has size 3 in dimension 1, expected 4 as the source}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4x4xf32>) -> !dist.future<tensor<4x3xf32>>
  return
}

// -----

// all_reduce C9
func.func @future_of_a_memref_without_destination(%x: memref<4xf32>) {
  // expected-error@+1 {{'dist.all_reduce' op has result 0 of type '!dist.future<memref<4xf32>>' without a destination, expected a future of a tensor}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (memref<4xf32>) -> !dist.future<memref<4xf32>>
  return
}

// -----

// all_reduce C9
func.func @future_of_another_memref(%x: memref<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.all_reduce' op has result 0 of type '!dist.future<memref<?xf32>>', expected a future of its destination 'memref<4xf32>'}}
  %f = dist.all_reduce sum %x into %out on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32>) -> !dist.future<memref<?xf32>>
  return
}

// -----

// all_reduce C10
func.func @unknown_group(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_reduce' op group names unknown symbol @nowhere, expected a dist.process_group}}
  %f = dist.all_reduce sum %x on <@nowhere>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// all_reduce C10
// Also the situation "mesh symbol not found for mesh-axes groups" (rule mesh).
func.func @unknown_mesh(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_reduce' op group names unknown symbol @nowhere, expected a dist.mesh}}
  %f = dist.all_reduce sum %x on <@nowhere["x"]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// all_reduce C10
// expected-note@+1 {{declared here}}
dist.mesh @m ["x" = 2]
func.func @unknown_axis(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_reduce' op group names unknown axis "z" of mesh @m}}
  %f = dist.all_reduce sum %x on <@m["z"]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// all_reduce C11
func.func @two_modes_for_one_source(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_reduce' op has 2 source modes, expected 1, one per source}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      {source_modes = [#dist.source<copy>, #dist.source<copy>]}
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// all_reduce C11
func.func @ownership_of_a_source_that_is_not_donated(%x: memref<4xf32>, %o: i1) {
  // expected-error@+1 {{'dist.all_reduce' op has 1 ownership flags, expected 0, one per donated source}}
  %f = dist.all_reduce sum %x owned(%o) on <[[0, 1]]>
      : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// all_reduce C12
func.func @tensor_with_encoding(%x: tensor<4xf32, "e">) {
  // expected-error@+1 {{'dist.all_reduce' op has operand of type 'tensor<4xf32, "e">', expected a tensor without encoding}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xf32, "e">) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// all_reduce C12
func.func @destination_in_other_memory_space(%x: memref<4xf32>, %out: memref<4xf32, 1>) {
  // expected-error@+1 {{'dist.all_reduce' op has operand of type 'memref<4xf32, 1>', expected all memrefs in one memory space}}
  %f = dist.all_reduce sum %x into %out on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32, 1>) -> !dist.future<memref<4xf32, 1>>
  return
}

// -----

// all_reduce C12
func.func @tiled_memref(%x: memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>) {
  // expected-error@+1 {{'dist.all_reduce' op has operand of type 'memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>', expected a strided memref}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// all_reduce C13
func.func @one_destination_for_two(%x: memref<4xf32>, %y: memref<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.all_reduce' op has one destination for sources 0 and 1, expected distinct ones}}
  %f:2 = dist.all_reduce sum %x, %y into %out, %out on <[[0, 1]]>
      : (memref<4xf32>, memref<4xf32>) into (memref<4xf32>, memref<4xf32>)
      -> !dist.future<memref<4xf32>>, !dist.future<memref<4xf32>>
  return
}

// -----

// all_reduce C13
func.func @source_of_another_is_destination(%x: memref<4xf32>, %y: memref<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.all_reduce' op has source 1 as destination of source 0, expected distinct memrefs}}
  %f:2 = dist.all_reduce sum %x, %y into %y, %out on <[[0, 1]]>
      : (memref<4xf32>, memref<4xf32>) into (memref<4xf32>, memref<4xf32>)
      -> !dist.future<memref<4xf32>>, !dist.future<memref<4xf32>>
  return
}

// -----

// all_reduce C15
func.func @premul_sum_without_factor(%x0: tensor<4xf32>, %s: f64) {
  // expected-error@+1 {{'dist.all_reduce' op has 0 factors, expected 1, one per source of premul_sum}}
  %r = dist.all_reduce premul_sum %x0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// all_reduce C15
func.func @one_factor_for_two_sources(%x0: tensor<4xf32>, %x1: tensor<4xf32>, %s: f64) {
  // expected-error@+1 {{'dist.all_reduce' op has 1 factors, expected 2, one per source of premul_sum}}
  %r:2 = dist.all_reduce premul_sum %x0, %x1 factors(%s) on <[[0, 1]]>
      : (tensor<4xf32>, tensor<4xf32>) -> !dist.future<tensor<4xf32>>, !dist.future<tensor<4xf32>>
  return
}

// -----

// all_reduce C15
func.func @factor_of_a_sum(%x0: tensor<4xf32>, %s: f64) {
  // expected-error@+1 {{'dist.all_reduce' op has 1 factors, expected 0: only premul_sum has factors}}
  %r = dist.all_reduce sum %x0 factors(%s) on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// all_reduce C4
func.func @factors_would_not_help(%x: tensor<2xi32>) {
  // expected-error@+1 {{'dist.all_reduce' op cannot combine elements of type 'i32' by premul_sum}}
  %f = dist.all_reduce premul_sum %x on <[[0, 1]]>
      : (tensor<2xi32>) -> !dist.future<tensor<2xi32>>
  return
}
