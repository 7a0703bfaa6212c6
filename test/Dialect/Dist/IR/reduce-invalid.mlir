// Every constraint of `dist.reduce` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// reduce C1
// Also the situation "no data operand" (rule collective_broadcast C3 of StableHLO).
func.func @no_source() {
  // expected-error@+1 {{'dist.reduce' op needs at least one source}}
  "dist.reduce"() <{group = #dist.group<[[0, 1]]>, operandSegmentSizes = array<i32: 0, 0, 0, 0>, reduction = #dist.reduction<sum>, root = 0 : i64}> : () -> ()
  return
}

// -----

// reduce C1
func.func @one_future_for_two_sources(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce' op has 2 sources and 1 results, expected one for each source}}
  %f = dist.reduce sum %x, %y root 0 on <[[0, 1]]>
      : (tensor<4xf32>, tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// reduce C2
func.func @tensor_and_memref_in_one_launch(%x: tensor<4xf32>, %y: memref<4xf32>) {
  // expected-error@+1 {{'dist.reduce' op mixes tensors and memrefs, expected only one of them, found 'tensor<4xf32>' and 'memref<4xf32>'}}
  %f:2 = dist.reduce sum %x, %y root 0 on <[[0, 1]]>
      : (tensor<4xf32>, memref<4xf32>) -> !dist.future<tensor<4xf32>>, !dist.future<tensor<4xf32>>
  return
}

// -----

// reduce C2
func.func @tensor_into_memref(%x: tensor<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.reduce' op mixes tensors and memrefs, expected only one of them, found 'tensor<4xf32>' and 'memref<4xf32>'}}
  %f = dist.reduce sum %x into %out root 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (memref<4xf32>) -> !dist.future<memref<4xf32>>
  return
}

// -----

// reduce C3
func.func @elements_of_type_i129(%x: tensor<4xi129>) {
  // expected-error@+1 {{'dist.reduce' op does not support element type 'i129'}}
  %f = dist.reduce sum %x root 0 on <[[0, 1]]>
      : (tensor<4xi129>) -> !dist.future<tensor<4xi32>>
  return
}

// -----

// reduce C3
func.func @elements_of_type_wide_signed(%x: tensor<4xsi200>) {
  // expected-error@+1 {{'dist.reduce' op does not support element type 'si200'}}
  %f = dist.reduce sum %x root 0 on <[[0, 1]]>
      : (tensor<4xsi200>) -> !dist.future<tensor<4xi32>>
  return
}

// -----

// reduce C3
func.func @elements_of_type_wide(%x: tensor<4xi256>) {
  // expected-error@+1 {{'dist.reduce' op does not support element type 'i256'}}
  %f = dist.reduce sum %x root 0 on <[[0, 1]]>
      : (tensor<4xi256>) -> !dist.future<tensor<4xi32>>
  return
}

// -----

// reduce C3
func.func @elements_of_type_vector(%x: tensor<4xvector<2xf32>>) {
  // expected-error@+1 {{'dist.reduce' op does not support element type 'vector<2xf32>'}}
  %f = dist.reduce sum %x root 0 on <[[0, 1]]>
      : (tensor<4xvector<2xf32>>) -> !dist.future<tensor<4xi32>>
  return
}

// -----

// reduce C3
func.func @elements_of_type_wide_complex(%x: tensor<4xcomplex<f80>>) {
  // expected-error@+1 {{'dist.reduce' op does not support element type 'complex<f80>'}}
  %f = dist.reduce sum %x root 0 on <[[0, 1]]>
      : (tensor<4xcomplex<f80>>) -> !dist.future<tensor<4xi32>>
  return
}

// -----

// reduce C4
func.func @band_of_f32(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce' op cannot combine elements of type 'f32' by band}}
  %f = dist.reduce band %x root 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// reduce C4
func.func @bor_of_bf16(%x: tensor<4xbf16>) {
  // expected-error@+1 {{'dist.reduce' op cannot combine elements of type 'bf16' by bor}}
  %f = dist.reduce bor %x root 0 on <[[0, 1]]>
      : (tensor<4xbf16>) -> !dist.future<tensor<4xbf16>>
  return
}

// -----

// reduce C4
func.func @bxor_of_f64(%x: tensor<4xf64>) {
  // expected-error@+1 {{'dist.reduce' op cannot combine elements of type 'f64' by bxor}}
  %f = dist.reduce bxor %x root 0 on <[[0, 1]]>
      : (tensor<4xf64>) -> !dist.future<tensor<4xf64>>
  return
}

// -----

// reduce C4
func.func @sum_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{'dist.reduce' op cannot combine elements of type 'i1' by sum}}
  %f = dist.reduce sum %x root 0 on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  return
}

// -----

// reduce C4
func.func @product_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{'dist.reduce' op cannot combine elements of type 'i1' by product}}
  %f = dist.reduce product %x root 0 on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  return
}

// -----

// reduce C4
func.func @min_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{'dist.reduce' op cannot combine elements of type 'i1' by min}}
  %f = dist.reduce min %x root 0 on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  return
}

// -----

// reduce C4
func.func @max_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{'dist.reduce' op cannot combine elements of type 'i1' by max}}
  %f = dist.reduce max %x root 0 on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  return
}

// -----

// reduce C4
func.func @avg_of_i1(%x: tensor<4xi1>) {
  // expected-error@+1 {{'dist.reduce' op cannot combine elements of type 'i1' by avg}}
  %f = dist.reduce avg %x root 0 on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  return
}

// -----

// reduce C6
func.func @negative_root(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce' op has root -1, expected a position in the group, at least 0}}
  %f = dist.reduce sum %x root -1 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// reduce C6
// A root is a position in the group (root_rule): root 2 of a group of two names no member.
func.func @root_is_a_position_not_a_rank(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce' op has root 2, expected a position in a group of size 2}}
  %f = dist.reduce sum %x root 2 on <[[2, 3]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// reduce C6
dist.process_group @g size 4
func.func @root_outside_of_an_unbound_group_of_known_size(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce' op has root 4, expected a position in a group of size 4}}
  %f = dist.reduce sum %x root 4 on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// reduce C7
func.func @other_element_type(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce' op result has element type 'f64', expected 'f32' as the source}}
  %f = dist.reduce sum %x root 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf64>>
  return
}

// -----

// reduce C7
func.func @other_rank(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce' op result has rank 2, expected 1 as the source}}
  %f = dist.reduce sum %x root 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4x1xf32>>
  return
}

// -----

// reduce C7
func.func @other_size(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{'dist.reduce' op result has size 3 in dimension 1, expected 4 as the source}}
  %f = dist.reduce sum %x root 0 on <[[0, 1]]>
      : (tensor<4x4xf32>) -> !dist.future<tensor<4x3xf32>>
  return
}

// -----

// reduce C9
func.func @future_of_a_memref_without_destination(%x: memref<4xf32>) {
  // expected-error@+1 {{'dist.reduce' op has result 0 of type '!dist.future<memref<4xf32>>' without a destination, expected a future of a tensor}}
  %f = dist.reduce sum %x root 0 on <[[0, 1]]>
      : (memref<4xf32>) -> !dist.future<memref<4xf32>>
  return
}

// -----

// reduce C9
func.func @future_of_another_memref(%x: memref<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.reduce' op has result 0 of type '!dist.future<memref<?xf32>>', expected a future of its destination 'memref<4xf32>'}}
  %f = dist.reduce sum %x into %out root 0 on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32>) -> !dist.future<memref<?xf32>>
  return
}

// -----

// reduce C10
func.func @unknown_group(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce' op group names unknown symbol @nowhere, expected a dist.process_group}}
  %f = dist.reduce sum %x root 0 on <@nowhere>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// reduce C10
// Also the situation "mesh symbol not found for mesh-axes groups" (rule mesh).
func.func @unknown_mesh(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce' op group names unknown symbol @nowhere, expected a dist.mesh}}
  %f = dist.reduce sum %x root 0 on <@nowhere["x"]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// reduce C10
// expected-note@+1 {{declared here}}
dist.mesh @m ["x" = 2]
func.func @unknown_axis(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce' op group names unknown axis "z" of mesh @m}}
  %f = dist.reduce sum %x root 0 on <@m["z"]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// reduce C11
func.func @two_modes_for_one_source(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.reduce' op has 2 source modes, expected 1, one per source}}
  %f = dist.reduce sum %x root 0 on <[[0, 1]]>
      {source_modes = [#dist.source<copy>, #dist.source<copy>]}
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// reduce C11
func.func @ownership_of_a_source_that_is_not_donated(%x: memref<4xf32>, %o: i1) {
  // expected-error@+1 {{'dist.reduce' op has 1 ownership flags, expected 0, one per donated source}}
  %f = dist.reduce sum %x owned(%o) root 0 on <[[0, 1]]>
      : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// reduce C12
func.func @tensor_with_encoding(%x: tensor<4xf32, "e">) {
  // expected-error@+1 {{'dist.reduce' op has operand of type 'tensor<4xf32, "e">', expected a tensor without encoding}}
  %f = dist.reduce sum %x root 0 on <[[0, 1]]>
      : (tensor<4xf32, "e">) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// reduce C12
func.func @destination_in_other_memory_space(%x: memref<4xf32>, %out: memref<4xf32, 1>) {
  // expected-error@+1 {{'dist.reduce' op has operand of type 'memref<4xf32, 1>', expected all memrefs in one memory space}}
  %f = dist.reduce sum %x into %out root 0 on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32, 1>) -> !dist.future<memref<4xf32, 1>>
  return
}

// -----

// reduce C12
func.func @tiled_memref(%x: memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>) {
  // expected-error@+1 {{'dist.reduce' op has operand of type 'memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>', expected a strided memref}}
  %f = dist.reduce sum %x root 0 on <[[0, 1]]>
      : (memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// reduce C13
func.func @one_destination_for_two(%x: memref<4xf32>, %y: memref<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.reduce' op has one destination for sources 0 and 1, expected distinct ones}}
  %f:2 = dist.reduce sum %x, %y into %out, %out root 0 on <[[0, 1]]>
      : (memref<4xf32>, memref<4xf32>) into (memref<4xf32>, memref<4xf32>)
      -> !dist.future<memref<4xf32>>, !dist.future<memref<4xf32>>
  return
}

// -----

// reduce C13
func.func @source_of_another_is_destination(%x: memref<4xf32>, %y: memref<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.reduce' op has source 1 as destination of source 0, expected distinct memrefs}}
  %f:2 = dist.reduce sum %x, %y into %y, %out root 0 on <[[0, 1]]>
      : (memref<4xf32>, memref<4xf32>) into (memref<4xf32>, memref<4xf32>)
      -> !dist.future<memref<4xf32>>, !dist.future<memref<4xf32>>
  return
}

// -----

// reduce C15
func.func @premul_sum_without_factor(%x: tensor<4xf32>, %s: f64) {
  // expected-error@+1 {{'dist.reduce' op has 0 factors, expected 1, one per source of premul_sum}}
  %r = dist.reduce premul_sum %x root 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// reduce C15
func.func @factor_of_a_sum(%x: tensor<4xf32>, %s: f64) {
  // expected-error@+1 {{'dist.reduce' op has 1 factors, expected 0: only premul_sum has factors}}
  %r = dist.reduce sum %x factors(%s) root 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}
