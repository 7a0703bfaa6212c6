// Every constraint of `dist.reduce_scatter` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// reduce_scatter C1
func.func @no_source() {
  // expected-error@+1 {{'dist.reduce_scatter' op needs at least one source}}
  "dist.reduce_scatter"() <{dim = 0 : i64, group = #dist.group<[[0, 1]]>, operandSegmentSizes = array<i32: 0, 0, 0, 0>, reduction = #dist.reduction<sum>}> : () -> ()
  return
}

// -----

// reduce_scatter C1
func.func @one_future_for_two_sources(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op has 2 sources and 1 results, expected one for each source}}
  %f = dist.reduce_scatter sum %x, %y dim 0 on <[[0, 1]]>
      : (tensor<4xf32>, tensor<4xf32>) -> !dist.future<tensor<2xf32>>
  return
}

// -----

// reduce_scatter C2
func.func @tensor_and_memref_in_one_launch(%x: tensor<4xf32>, %y: memref<4xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op mixes tensors and memrefs, expected only one of them, found 'tensor<4xf32>' and 'memref<4xf32>'}}
  %f:2 = dist.reduce_scatter sum %x, %y dim 0 on <[[0, 1]]>
      : (tensor<4xf32>, memref<4xf32>) -> !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>
  return
}

// -----

// reduce_scatter C2
func.func @tensor_into_memref(%x: tensor<4xf32>, %out: memref<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op mixes tensors and memrefs, expected only one of them, found 'tensor<4xf32>' and 'memref<2xf32>'}}
  %f = dist.reduce_scatter sum %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (memref<2xf32>) -> !dist.future<memref<2xf32>>
  return
}

// -----

// reduce_scatter C3
func.func @elements_of_type_i129(%x: tensor<4xi129>) {
  // expected-error@+1 {{'dist.reduce_scatter' op does not support element type 'i129'}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (tensor<4xi129>) -> !dist.future<tensor<2xi32>>
  return
}

// -----

// reduce_scatter C3
func.func @elements_of_type_wide_signed(%x: tensor<4xsi200>) {
  // expected-error@+1 {{'dist.reduce_scatter' op does not support element type 'si200'}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (tensor<4xsi200>) -> !dist.future<tensor<2xi32>>
  return
}

// -----

// reduce_scatter C3
func.func @elements_of_type_wide(%x: tensor<4xi256>) {
  // expected-error@+1 {{'dist.reduce_scatter' op does not support element type 'i256'}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (tensor<4xi256>) -> !dist.future<tensor<2xi32>>
  return
}

// -----

// reduce_scatter C3
func.func @elements_of_type_vector(%x: tensor<4xvector<2xf32>>) {
  // expected-error@+1 {{'dist.reduce_scatter' op does not support element type 'vector<2xf32>'}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (tensor<4xvector<2xf32>>) -> !dist.future<tensor<2xi32>>
  return
}

// -----

// reduce_scatter C3
func.func @elements_of_type_wide_complex(%x: tensor<4xcomplex<f80>>) {
  // expected-error@+1 {{'dist.reduce_scatter' op does not support element type 'complex<f80>'}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (tensor<4xcomplex<f80>>) -> !dist.future<tensor<2xi32>>
  return
}

// -----

// reduce_scatter C4
func.func @band_of_f32(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op cannot combine elements of type 'f32' by band}}
  %f = dist.reduce_scatter band %x dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<2xf32>>
  return
}

// -----

// reduce_scatter C4
func.func @bor_of_bf16(%x: tensor<4xbf16>) {
  // expected-error@+1 {{'dist.reduce_scatter' op cannot combine elements of type 'bf16' by bor}}
  %f = dist.reduce_scatter bor %x dim 0 on <[[0, 1]]>
      : (tensor<4xbf16>) -> !dist.future<tensor<2xbf16>>
  return
}

// -----

// reduce_scatter C4
func.func @bxor_of_f64(%x: tensor<4xf64>) {
  // expected-error@+1 {{'dist.reduce_scatter' op cannot combine elements of type 'f64' by bxor}}
  %f = dist.reduce_scatter bxor %x dim 0 on <[[0, 1]]>
      : (tensor<4xf64>) -> !dist.future<tensor<2xf64>>
  return
}

// -----

// reduce_scatter C4
func.func @sum_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{'dist.reduce_scatter' op cannot combine elements of type 'i1' by sum}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<2xi1>>
  return
}

// -----

// reduce_scatter C4
func.func @product_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{'dist.reduce_scatter' op cannot combine elements of type 'i1' by product}}
  %f = dist.reduce_scatter product %x dim 0 on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<2xi1>>
  return
}

// -----

// reduce_scatter C4
func.func @min_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{'dist.reduce_scatter' op cannot combine elements of type 'i1' by min}}
  %f = dist.reduce_scatter min %x dim 0 on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<2xi1>>
  return
}

// -----

// reduce_scatter C4
func.func @max_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{'dist.reduce_scatter' op cannot combine elements of type 'i1' by max}}
  %f = dist.reduce_scatter max %x dim 0 on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<2xi1>>
  return
}

// -----

// reduce_scatter C4
func.func @avg_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{'dist.reduce_scatter' op cannot combine elements of type 'i1' by avg}}
  %f = dist.reduce_scatter avg %x dim 0 on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<2xi1>>
  return
}

// -----

// reduce_scatter C5
// Also the situations "negative gather dim" and "negative scatter dim" (rules
// all_gather C1 and reduce_scatter C2 of StableHLO), and dist.all_gather with
// dim = -1 written directly in IR.
func.func @dim_of_minus_one(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op has dim -1, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %f = dist.reduce_scatter sum %x dim -1 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<2xf32>>
  return
}

// -----

// reduce_scatter C5
func.func @dim_of_rank(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op has dim 1, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %f = dist.reduce_scatter sum %x dim 1 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<2xf32>>
  return
}

// -----

// reduce_scatter C5
func.func @dim_of_two_to_the_31(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op has dim 2147483648, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %f = dist.reduce_scatter sum %x dim 2147483648 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<2xf32>>
  return
}

// -----

// reduce_scatter C5
func.func @dim_of_the_largest_integer(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op has dim 9223372036854775807, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %f = dist.reduce_scatter sum %x dim 9223372036854775807 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<2xf32>>
  return
}

// -----

// reduce_scatter C5
func.func @dim_of_the_smallest_integer(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op has dim -9223372036854775808, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %f = dist.reduce_scatter sum %x dim -9223372036854775808 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<2xf32>>
  return
}

// -----

// reduce_scatter C5
func.func @dim_of_a_scalar(%x: tensor<f32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op has dim 0 and a source of type 'tensor<f32>', expected a source of rank 1 or more}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (tensor<f32>) -> !dist.future<tensor<f32>>
  return
}

// -----

// reduce_scatter C7
func.func @other_element_type(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op result has element type 'f64', expected 'f32' as the source}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<2xf64>>
  return
}

// -----

// reduce_scatter C7
// Also the situation "operand and result rank differ" (rule reduce_scatter C8 of
// StableHLO).
func.func @other_rank(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op result has rank 2, expected 1 as the source}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<2x1xf32>>
  return
}

// -----

// reduce_scatter C7
// Also the situation "non-scatter dims differ (4 vs 3)" (rule reduce_scatter C8 of
// StableHLO).
func.func @other_size(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op result has size 3 in dimension 1, expected 4 as the source}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (tensor<4x4xf32>) -> !dist.future<tensor<2x3xf32>>
  return
}

// -----

// reduce_scatter C8
func.func @size_does_not_divide(%x: tensor<6xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op cannot split dim 0 of size 6 among a group of size 4}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1, 2, 3]]>
      : (tensor<6xf32>) -> !dist.future<tensor<?xf32>>
  return
}

// -----

// reduce_scatter C8
func.func @scattered_size_disagrees(%x: tensor<8xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op result has size 2 in dim 0, expected 4 for a source of size 8 and a group of size 2}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (tensor<8xf32>) -> !dist.future<tensor<2xf32>>
  return
}

// -----

// reduce_scatter C8
dist.process_group @g size 3
func.func @size_does_not_divide_by_declared_size(%x: tensor<8xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op cannot split dim 0 of size 8 among a group of size 3}}
  %f = dist.reduce_scatter sum %x dim 0 on <@g>
      : (tensor<8xf32>) -> !dist.future<tensor<?xf32>>
  return
}

// -----

// reduce_scatter C8
dist.process_group @g
func.func @scattered_size_is_no_divisor(%x: tensor<8xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op result has size 3 in dim 0, expected a divisor of 8 as the size of the source}}
  %f = dist.reduce_scatter sum %x dim 0 on <@g>
      : (tensor<8xf32>) -> !dist.future<tensor<3xf32>>
  return
}

// -----

// reduce_scatter C8
dist.process_group @g
func.func @two_sizes_need_two_groups(%x: tensor<8xf32>, %y: tensor<12xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op result has size 4 in dim 0, which needs a group of size 3, but another one of size 2}}
  %f:2 = dist.reduce_scatter sum %x, %y dim 0 on <@g>
      : (tensor<8xf32>, tensor<12xf32>)
      -> !dist.future<tensor<4xf32>>, !dist.future<tensor<4xf32>>
  return
}

// -----

// reduce_scatter C9
func.func @future_of_a_memref_without_destination(%x: memref<4xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op has result 0 of type '!dist.future<memref<2xf32>>' without a destination, expected a future of a tensor}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (memref<4xf32>) -> !dist.future<memref<2xf32>>
  return
}

// -----

// reduce_scatter C9
func.func @future_of_another_memref(%x: memref<4xf32>, %out: memref<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op has result 0 of type '!dist.future<memref<?xf32>>', expected a future of its destination 'memref<2xf32>'}}
  %f = dist.reduce_scatter sum %x into %out dim 0 on <[[0, 1]]>
      : (memref<4xf32>) into (memref<2xf32>) -> !dist.future<memref<?xf32>>
  return
}

// -----

// reduce_scatter C10
func.func @unknown_group(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op group names unknown symbol @nowhere, expected a dist.process_group}}
  %f = dist.reduce_scatter sum %x dim 0 on <@nowhere>
      : (tensor<4xf32>) -> !dist.future<tensor<2xf32>>
  return
}

// -----

// reduce_scatter C10
// Also the situation "mesh symbol not found for mesh-axes groups" (rule mesh).
func.func @unknown_mesh(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op group names unknown symbol @nowhere, expected a dist.mesh}}
  %f = dist.reduce_scatter sum %x dim 0 on <@nowhere["x"]>
      : (tensor<4xf32>) -> !dist.future<tensor<2xf32>>
  return
}

// -----

// reduce_scatter C10
// expected-note@+1 {{declared here}}
dist.mesh @m ["x" = 2]
func.func @unknown_axis(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op group names unknown axis "z" of mesh @m}}
  %f = dist.reduce_scatter sum %x dim 0 on <@m["z"]>
      : (tensor<4xf32>) -> !dist.future<tensor<2xf32>>
  return
}

// -----

// reduce_scatter C11
func.func @two_modes_for_one_source(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op has 2 source modes, expected 1, one per source}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      {source_modes = [#dist.source<copy>, #dist.source<copy>]}
      : (tensor<4xf32>) -> !dist.future<tensor<2xf32>>
  return
}

// -----

// reduce_scatter C11
func.func @ownership_of_a_source_that_is_not_donated(%x: memref<4xf32>, %o: i1) {
  // expected-error@+1 {{'dist.reduce_scatter' op has 1 ownership flags, expected 0, one per donated source}}
  %f = dist.reduce_scatter sum %x owned(%o) dim 0 on <[[0, 1]]>
      : (memref<4xf32>) -> !dist.future<tensor<2xf32>>
  return
}

// -----

// reduce_scatter C12
func.func @tensor_with_encoding(%x: tensor<4xf32, "e">) {
  // expected-error@+1 {{'dist.reduce_scatter' op has operand of type 'tensor<4xf32, "e">', expected a tensor without encoding}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (tensor<4xf32, "e">) -> !dist.future<tensor<2xf32>>
  return
}

// -----

// reduce_scatter C12
func.func @destination_in_other_memory_space(%x: memref<4xf32>, %out: memref<2xf32, 1>) {
  // expected-error@+1 {{'dist.reduce_scatter' op has operand of type 'memref<2xf32, 1>', expected all memrefs in one memory space}}
  %f = dist.reduce_scatter sum %x into %out dim 0 on <[[0, 1]]>
      : (memref<4xf32>) into (memref<2xf32, 1>) -> !dist.future<memref<2xf32, 1>>
  return
}

// -----

// reduce_scatter C12
func.func @tiled_memref(%x: memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>) {
  // expected-error@+1 {{'dist.reduce_scatter' op has operand of type 'memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>', expected a strided memref}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>) -> !dist.future<tensor<2xf32>>
  return
}

// -----

// reduce_scatter C13
func.func @one_destination_for_two(%x: memref<4xf32>, %y: memref<4xf32>, %out: memref<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op has one destination for sources 0 and 1, expected distinct ones}}
  %f:2 = dist.reduce_scatter sum %x, %y into %out, %out dim 0 on <[[0, 1]]>
      : (memref<4xf32>, memref<4xf32>) into (memref<2xf32>, memref<2xf32>)
      -> !dist.future<memref<2xf32>>, !dist.future<memref<2xf32>>
  return
}

// -----

// reduce_scatter C13
func.func @source_of_another_is_destination(%x: memref<4xf32>, %y: memref<2xf32>, %out: memref<1xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter' op has source 1 as destination of source 0, expected distinct memrefs}}
  %f:2 = dist.reduce_scatter sum %x, %y into %y, %out dim 0 on <[[0, 1]]>
      : (memref<4xf32>, memref<2xf32>) into (memref<2xf32>, memref<1xf32>)
      -> !dist.future<memref<2xf32>>, !dist.future<memref<1xf32>>
  return
}

// -----

// reduce_scatter C15
func.func @premul_sum_without_factor(%x0: tensor<4xf32>, %s: f64) {
  // expected-error@+1 {{'dist.reduce_scatter' op has 0 factors, expected 1, one per source of premul_sum}}
  %r = dist.reduce_scatter premul_sum %x0 dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<2xf32>>
  return
}

// -----

// reduce_scatter C15
func.func @one_factor_for_two_sources(%x0: tensor<4xf32>, %x1: tensor<4xf32>, %s: f64) {
  // expected-error@+1 {{'dist.reduce_scatter' op has 1 factors, expected 2, one per source of premul_sum}}
  %r:2 = dist.reduce_scatter premul_sum %x0, %x1 factors(%s) dim 0 on <[[0, 1]]>
      : (tensor<4xf32>, tensor<4xf32>) -> !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>
  return
}

// -----

// reduce_scatter C15
func.func @factor_of_a_sum(%x0: tensor<4xf32>, %s: f64) {
  // expected-error@+1 {{'dist.reduce_scatter' op has 1 factors, expected 0: only premul_sum has factors}}
  %r = dist.reduce_scatter sum %x0 factors(%s) dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<2xf32>>
  return
}
