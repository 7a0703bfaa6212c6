// Every constraint of `dist.reduce_scatter_into` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// reduce_scatter_into C1
func.func @no_source() {
  // expected-error@+1 {{'dist.reduce_scatter_into' op needs at least one source}}
  "dist.reduce_scatter_into"() <{dim = 0 : i64, group = #dist.group<[[0, 1]]>, operandSegmentSizes = array<i32: 0, 0, 0>, reduction = #dist.reduction<sum>}> : () -> ()
  return
}

// -----

// reduce_scatter_into C1
func.func @no_destination(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op needs one destination for each source}}
  "dist.reduce_scatter_into"(%x) <{dim = 0 : i64, group = #dist.group<[[0, 1]]>, operandSegmentSizes = array<i32: 1, 0, 0>, reduction = #dist.reduction<sum>}> : (tensor<4xf32>) -> ()
  return
}

// -----

// reduce_scatter_into C1
func.func @one_destination_for_two_sources(%x: tensor<4xf32>, %y: tensor<4xf32>, %out: tensor<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op has 2 sources and 1 destinations, expected one for each source}}
  %r = dist.reduce_scatter_into sum %x, %y into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32>, tensor<4xf32>) into (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// reduce_scatter_into C2
func.func @tensor_into_memref(%x: tensor<4xf32>, %out: memref<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op mixes tensors and memrefs, expected only one of them, found 'tensor<4xf32>' and 'memref<2xf32>'}}
  dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (memref<2xf32>)
  return
}

// -----

// reduce_scatter_into C3
func.func @elements_of_type_i129(%x: tensor<4xi129>, %out: tensor<2xi129>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op does not support element type 'i129'}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xi129>) into (tensor<2xi129>) -> tensor<2xi129>
  return
}

// -----

// reduce_scatter_into C3
func.func @elements_of_type_wide_signed(%x: tensor<4xsi200>, %out: tensor<2xsi200>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op does not support element type 'si200'}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xsi200>) into (tensor<2xsi200>) -> tensor<2xsi200>
  return
}

// -----

// reduce_scatter_into C3
func.func @elements_of_type_wide(%x: tensor<4xi256>, %out: tensor<2xi256>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op does not support element type 'i256'}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xi256>) into (tensor<2xi256>) -> tensor<2xi256>
  return
}

// -----

// reduce_scatter_into C3
func.func @elements_of_type_vector(%x: tensor<4xvector<2xf32>>, %out: tensor<2xvector<2xf32>>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op does not support element type 'vector<2xf32>'}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xvector<2xf32>>) into (tensor<2xvector<2xf32>>) -> tensor<2xvector<2xf32>>
  return
}

// -----

// reduce_scatter_into C3
func.func @elements_of_type_wide_complex(%x: tensor<4xcomplex<f80>>, %out: tensor<2xcomplex<f80>>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op does not support element type 'complex<f80>'}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xcomplex<f80>>) into (tensor<2xcomplex<f80>>) -> tensor<2xcomplex<f80>>
  return
}

// -----

// reduce_scatter_into C4
func.func @band_of_f32(%x: tensor<4xf32>, %out: tensor<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op cannot combine elements of type 'f32' by band}}
  %r = dist.reduce_scatter_into band %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// reduce_scatter_into C4
func.func @bor_of_bf16(%x: tensor<4xbf16>, %out: tensor<2xbf16>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op cannot combine elements of type 'bf16' by bor}}
  %r = dist.reduce_scatter_into bor %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xbf16>) into (tensor<2xbf16>) -> tensor<2xbf16>
  return
}

// -----

// reduce_scatter_into C4
func.func @bxor_of_f64(%x: tensor<4xf64>, %out: tensor<2xf64>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op cannot combine elements of type 'f64' by bxor}}
  %r = dist.reduce_scatter_into bxor %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf64>) into (tensor<2xf64>) -> tensor<2xf64>
  return
}

// -----

// reduce_scatter_into C4
func.func @sum_of_i1(%x: tensor<4xi1>, %out: tensor<2xi1>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op cannot combine elements of type 'i1' by sum}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xi1>) into (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// reduce_scatter_into C4
func.func @product_of_i1(%x: tensor<4xi1>, %out: tensor<2xi1>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op cannot combine elements of type 'i1' by product}}
  %r = dist.reduce_scatter_into product %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xi1>) into (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// reduce_scatter_into C4
func.func @min_of_i1(%x: tensor<4xi1>, %out: tensor<2xi1>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op cannot combine elements of type 'i1' by min}}
  %r = dist.reduce_scatter_into min %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xi1>) into (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// reduce_scatter_into C4
func.func @max_of_i1(%x: tensor<4xi1>, %out: tensor<2xi1>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op cannot combine elements of type 'i1' by max}}
  %r = dist.reduce_scatter_into max %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xi1>) into (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// reduce_scatter_into C4
func.func @avg_of_i1(%x: tensor<4xi1>, %out: tensor<2xi1>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op cannot combine elements of type 'i1' by avg}}
  %r = dist.reduce_scatter_into avg %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xi1>) into (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

// reduce_scatter_into C5
// Also the situations "negative gather dim" and "negative scatter dim" (rules
// all_gather C1 and reduce_scatter C2 of StableHLO), and dist.all_gather with
// dim = -1 written directly in IR.
func.func @dim_of_minus_one(%x: tensor<4xf32>, %out: tensor<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op has dim -1, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %r = dist.reduce_scatter_into sum %x into %out dim -1 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// reduce_scatter_into C5
func.func @dim_of_rank(%x: tensor<4xf32>, %out: tensor<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op has dim 1, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %r = dist.reduce_scatter_into sum %x into %out dim 1 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// reduce_scatter_into C5
func.func @dim_of_two_to_the_31(%x: tensor<4xf32>, %out: tensor<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op has dim 2147483648, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %r = dist.reduce_scatter_into sum %x into %out dim 2147483648 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// reduce_scatter_into C5
func.func @dim_of_the_largest_integer(%x: tensor<4xf32>, %out: tensor<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op has dim 9223372036854775807, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %r = dist.reduce_scatter_into sum %x into %out dim 9223372036854775807 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// reduce_scatter_into C5
func.func @dim_of_the_smallest_integer(%x: tensor<4xf32>, %out: tensor<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op has dim -9223372036854775808, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %r = dist.reduce_scatter_into sum %x into %out dim -9223372036854775808 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// reduce_scatter_into C5
func.func @dim_of_a_scalar(%x: tensor<f32>, %out: tensor<f32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op has dim 0 and a source of type 'tensor<f32>', expected a source of rank 1 or more}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1]]>
      : (tensor<f32>) into (tensor<f32>) -> tensor<f32>
  return
}

// -----

// reduce_scatter_into C7
func.func @other_element_type(%x: tensor<4xf32>, %out: tensor<2xf64>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op destination has element type 'f64', expected 'f32' as the source}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<2xf64>) -> tensor<2xf64>
  return
}

// -----

// reduce_scatter_into C7
// Also the situation "operand and result rank differ" (rule reduce_scatter C8 of
// StableHLO).
func.func @other_rank(%x: tensor<4xf32>, %out: tensor<2x1xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op destination has rank 2, expected 1 as the source}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<2x1xf32>) -> tensor<2x1xf32>
  return
}

// -----

// reduce_scatter_into C7
// Also the situation "non-scatter dims differ (4 vs 3)" (rule reduce_scatter C8 of
// StableHLO).
func.func @other_size(%x: tensor<4x4xf32>, %out: tensor<2x3xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op destination has size 3 in dimension 1, expected 4 as the source}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4x4xf32>) into (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// reduce_scatter_into C8
func.func @size_does_not_divide(%x: tensor<6xf32>, %out: tensor<?xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op cannot split dim 0 of size 6 among a group of size 4}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1, 2, 3]]>
      : (tensor<6xf32>) into (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// reduce_scatter_into C8
func.func @scattered_size_disagrees(%x: tensor<8xf32>, %out: tensor<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op destination has size 2 in dim 0, expected 4 for a source of size 8 and a group of size 2}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1]]>
      : (tensor<8xf32>) into (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// reduce_scatter_into C8
dist.process_group @g size 3
func.func @size_does_not_divide_by_declared_size(%x: tensor<8xf32>, %out: tensor<?xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op cannot split dim 0 of size 8 among a group of size 3}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <@g>
      : (tensor<8xf32>) into (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// reduce_scatter_into C8
dist.process_group @g
func.func @scattered_size_is_no_divisor(%x: tensor<8xf32>, %out: tensor<3xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op destination has size 3 in dim 0, expected a divisor of 8 as the size of the source}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <@g>
      : (tensor<8xf32>) into (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// reduce_scatter_into C8
dist.process_group @g
func.func @two_sizes_need_two_groups(%x: tensor<8xf32>, %y: tensor<12xf32>, %out: tensor<4xf32>, %out2: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op destination has size 4 in dim 0, which needs a group of size 3, but another one of size 2}}
  %r:2 = dist.reduce_scatter_into sum %x, %y into %out, %out2 dim 0 on <@g>
      : (tensor<8xf32>, tensor<12xf32>) into (tensor<4xf32>, tensor<4xf32>)
      -> tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// reduce_scatter_into C9
func.func @result_of_a_memref_form(%x: memref<4xf32>, %out: memref<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op has 1 results, expected 0 for memrefs}}
  %r = "dist.reduce_scatter_into"(%x, %out) <{dim = 0 : i64, group = #dist.group<[[0, 1]]>, operandSegmentSizes = array<i32: 1, 1, 0>, reduction = #dist.reduction<sum>}>
      : (memref<4xf32>, memref<2xf32>) -> tensor<2xf32>
  return
}

// -----

// reduce_scatter_into C9
func.func @no_result_of_a_tensor_form(%x: tensor<4xf32>, %out: tensor<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op has 0 results, expected 1 for tensors}}
  dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<2xf32>)
  return
}

// -----

// reduce_scatter_into C9
func.func @result_differs_from_destination(%x: tensor<4xf32>, %out: tensor<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op has result of type 'tensor<?xf32>', expected 'tensor<2xf32>' as its destination}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<2xf32>) -> tensor<?xf32>
  return
}

// -----

// reduce_scatter_into C10
func.func @unknown_group(%x: tensor<4xf32>, %out: tensor<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op group names unknown symbol @nowhere, expected a dist.process_group}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <@nowhere>
      : (tensor<4xf32>) into (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// reduce_scatter_into C10
// Also the situation "mesh symbol not found for mesh-axes groups" (rule mesh).
func.func @unknown_mesh(%x: tensor<4xf32>, %out: tensor<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op group names unknown symbol @nowhere, expected a dist.mesh}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <@nowhere["x"]>
      : (tensor<4xf32>) into (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// reduce_scatter_into C10
// expected-note@+1 {{declared here}}
dist.mesh @m ["x" = 2]
func.func @unknown_axis(%x: tensor<4xf32>, %out: tensor<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op group names unknown axis "z" of mesh @m}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <@m["z"]>
      : (tensor<4xf32>) into (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// reduce_scatter_into C12
func.func @tensor_with_encoding(%x: tensor<4xf32, "e">, %out: tensor<2xf32, "e">) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op has operand of type 'tensor<4xf32, "e">', expected a tensor without encoding}}
  %r = dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32, "e">) into (tensor<2xf32, "e">) -> tensor<2xf32, "e">
  return
}

// -----

// reduce_scatter_into C12
func.func @destination_in_other_memory_space(%x: memref<4xf32>, %out: memref<2xf32, 1>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op has operand of type 'memref<2xf32, 1>', expected all memrefs in one memory space}}
  dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1]]>
      : (memref<4xf32>) into (memref<2xf32, 1>)
  return
}

// -----

// reduce_scatter_into C12
func.func @tiled_memref(%x: memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>, %out: memref<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op has operand of type 'memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>', expected a strided memref}}
  dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1]]>
      : (memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>) into (memref<2xf32>)
  return
}

// -----

// reduce_scatter_into C13
func.func @one_destination_for_two(%x: memref<4xf32>, %y: memref<4xf32>, %out: memref<2xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op has one destination for sources 0 and 1, expected distinct ones}}
  dist.reduce_scatter_into sum %x, %y into %out, %out dim 0 on <[[0, 1]]>
      : (memref<4xf32>, memref<4xf32>) into (memref<2xf32>, memref<2xf32>)
  return
}

// -----

// reduce_scatter_into C13
func.func @source_of_another_is_destination(%x: memref<4xf32>, %y: memref<2xf32>, %out: memref<1xf32>) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op has source 1 as destination of source 0, expected distinct memrefs}}
  dist.reduce_scatter_into sum %x, %y into %y, %out dim 0 on <[[0, 1]]>
      : (memref<4xf32>, memref<2xf32>) into (memref<2xf32>, memref<1xf32>)
  return
}

// -----

// reduce_scatter_into C15
func.func @premul_sum_without_factor(%x0: tensor<4xf32>, %o0: tensor<2xf32>, %s: f64) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op has 0 factors, expected 1, one per source of premul_sum}}
  %r = dist.reduce_scatter_into premul_sum %x0 into %o0 dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// reduce_scatter_into C15
func.func @one_factor_for_two_sources(%x0: tensor<4xf32>, %x1: tensor<4xf32>, %o0: tensor<2xf32>, %o1: tensor<2xf32>, %s: f64) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op has 1 factors, expected 2, one per source of premul_sum}}
  %r:2 = dist.reduce_scatter_into premul_sum %x0, %x1 into %o0, %o1 factors(%s) dim 0 on <[[0, 1]]>
      : (tensor<4xf32>, tensor<4xf32>) into (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>, tensor<2xf32>
  return
}

// -----

// reduce_scatter_into C15
func.func @factor_of_a_sum(%x0: tensor<4xf32>, %o0: tensor<2xf32>, %s: f64) {
  // expected-error@+1 {{'dist.reduce_scatter_into' op has 1 factors, expected 0: only premul_sum has factors}}
  %r = dist.reduce_scatter_into sum %x0 into %o0 factors(%s) dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<2xf32>) -> tensor<2xf32>
  return
}
