// Every constraint of `dist.all_gather` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// all_gather C1
func.func @no_source() {
  // expected-error@+1 {{'dist.all_gather' op needs at least one source}}
  "dist.all_gather"() <{dim = 0 : i64, group = #dist.group<[[0, 1]]>, operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> ()
  return
}

// -----

// all_gather C1
func.func @one_future_for_two_sources(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op has 2 sources and 1 results, expected one for each source}}
  %f = dist.all_gather %x, %y dim 0 on <[[0, 1]]>
      : (tensor<4xf32>, tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  return
}

// -----

// all_gather C2
func.func @tensor_and_memref_in_one_launch(%x: tensor<4xf32>, %y: memref<4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op mixes tensors and memrefs, expected only one of them, found 'tensor<4xf32>' and 'memref<4xf32>'}}
  %f:2 = dist.all_gather %x, %y dim 0 on <[[0, 1]]>
      : (tensor<4xf32>, memref<4xf32>) -> !dist.future<tensor<8xf32>>, !dist.future<tensor<8xf32>>
  return
}

// -----

// all_gather C2
func.func @tensor_into_memref(%x: tensor<4xf32>, %out: memref<8xf32>) {
  // expected-error@+1 {{'dist.all_gather' op mixes tensors and memrefs, expected only one of them, found 'tensor<4xf32>' and 'memref<8xf32>'}}
  %f = dist.all_gather %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (memref<8xf32>) -> !dist.future<memref<8xf32>>
  return
}

// -----

// all_gather C3
func.func @elements_that_llvm_lacks(%x: tensor<4xtf32>) {
  // expected-error@+1 {{'dist.all_gather' op does not support element type 'tf32', expected integers, index, floats (but tf32) or complex numbers of at most 16 bytes}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4xtf32>) -> !dist.future<tensor<8xi32>>
  return
}

// -----

// all_gather C3
func.func @elements_of_type_i129(%x: tensor<4xi129>) {
  // expected-error@+1 {{'dist.all_gather' op does not support element type 'i129'}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4xi129>) -> !dist.future<tensor<8xi32>>
  return
}

// -----

// all_gather C3
func.func @elements_of_type_wide_signed(%x: tensor<4xsi200>) {
  // expected-error@+1 {{'dist.all_gather' op does not support element type 'si200'}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4xsi200>) -> !dist.future<tensor<8xi32>>
  return
}

// -----

// all_gather C3
func.func @elements_of_type_wide(%x: tensor<4xi256>) {
  // expected-error@+1 {{'dist.all_gather' op does not support element type 'i256'}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4xi256>) -> !dist.future<tensor<8xi32>>
  return
}

// -----

// all_gather C3
func.func @elements_of_type_vector(%x: tensor<4xvector<2xf32>>) {
  // expected-error@+1 {{'dist.all_gather' op does not support element type 'vector<2xf32>'}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4xvector<2xf32>>) -> !dist.future<tensor<8xi32>>
  return
}

// -----

// all_gather C3
func.func @elements_of_type_wide_complex(%x: tensor<4xcomplex<f80>>) {
  // expected-error@+1 {{'dist.all_gather' op does not support element type 'complex<f80>'}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4xcomplex<f80>>) -> !dist.future<tensor<8xi32>>
  return
}

// -----

// all_gather C5
// Also the situations "negative gather dim" and "negative scatter dim" (rules
// all_gather C1 and reduce_scatter C2 of StableHLO), and dist.all_gather with
// dim = -1 written directly in IR (ir_dim_-1).
func.func @dim_of_minus_one(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op has dim -1, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %f = dist.all_gather %x dim -1 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  return
}

// -----

// all_gather C5
func.func @dim_of_rank(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op has dim 1, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %f = dist.all_gather %x dim 1 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  return
}

// -----

// all_gather C5
func.func @dim_of_two_to_the_31(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op has dim 2147483648, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %f = dist.all_gather %x dim 2147483648 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  return
}

// -----

// all_gather C5
func.func @dim_of_the_largest_integer(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op has dim 9223372036854775807, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %f = dist.all_gather %x dim 9223372036854775807 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  return
}

// -----

// all_gather C5
func.func @dim_of_the_smallest_integer(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op has dim -9223372036854775808, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %f = dist.all_gather %x dim -9223372036854775808 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  return
}

// -----

// all_gather C5
func.func @dim_of_a_scalar(%x: tensor<f32>) {
  // expected-error@+1 {{'dist.all_gather' op has dim 0 and a source of type 'tensor<f32>', expected a source of rank 1 or more}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<f32>) -> !dist.future<tensor<f32>>
  return
}

// -----

// all_gather C7
func.func @other_element_type(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op result has element type 'f64', expected 'f32' as the source}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf64>>
  return
}

// -----

// all_gather C7
// Also the situation "rank differs" (rule all_gather C6 of StableHLO).
func.func @other_rank(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op result has rank 2, expected 1 as the source}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<8x1xf32>>
  return
}

// -----

// all_gather C7
func.func @other_size(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op result has size 3 in dimension 1, expected 4 as the source}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4x4xf32>) -> !dist.future<tensor<8x3xf32>>
  return
}

// -----

// all_gather C8
func.func @gathered_size_disagrees(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op result has size 12 in dim 0, expected 8 for a source of size 4 and a group of size 2}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<12xf32>>
  return
}

// -----

// all_gather C8
dist.mesh @m ["x" = 2, "y" = 2]
func.func @gathered_size_disagrees_with_mesh(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op result has size 8 in dim 0, expected 16 for a source of size 4 and a group of size 4}}
  %f = dist.all_gather %x dim 0 on <@m["x", "y"]>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  return
}

// -----

// all_gather C8
dist.process_group @g size 3
func.func @gathered_size_disagrees_with_declared_size(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op result has size 8 in dim 0, expected 12 for a source of size 4 and a group of size 3}}
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  return
}

// -----

// all_gather C8
// Also the situation "result gather size not a multiple of operand gather size
// (100 vs 32)" (rule all_gather C6 of StableHLO).
dist.process_group @g
func.func @gathered_size_is_no_multiple(%x: tensor<32xf32>) {
  // expected-error@+1 {{'dist.all_gather' op result has size 100 in dim 0, expected a multiple of 32 as the size of the source}}
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<32xf32>) -> !dist.future<tensor<100xf32>>
  return
}

// -----

// all_gather C8
func.func @gathered_size_is_no_multiple_of_the_group(%x: tensor<?xf32>) {
  // expected-error@+1 {{'dist.all_gather' op result has size 7 in dim 0, expected a multiple of the group size 2}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) -> !dist.future<tensor<7xf32>>
  return
}

// -----

// all_gather C8
dist.process_group @g
func.func @something_gathered_from_nothing(%x: tensor<0xf32>) {
  // expected-error@+1 {{'dist.all_gather' op result has size 4 in dim 0, expected a multiple of 0 as the size of the source}}
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<0xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// all_gather C8
func.func @gathered_size_overflows(%x: tensor<4611686018427387904xi8>) {
  // expected-error@+1 {{'dist.all_gather' op cannot gather dim 0 of size 4611686018427387904 from a group of size 2, the size overflows}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4611686018427387904xi8>) -> !dist.future<tensor<?xi8>>
  return
}

// -----

// all_gather C8
dist.process_group @g
func.func @two_sizes_need_two_groups(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op result has size 12 in dim 0, which needs a group of size 3, but another one of size 2}}
  %f:2 = dist.all_gather %x, %y dim 0 on <@g>
      : (tensor<4xf32>, tensor<4xf32>)
      -> !dist.future<tensor<8xf32>>, !dist.future<tensor<12xf32>>
  return
}

// -----

// all_gather C9
func.func @future_of_a_memref_without_destination(%x: memref<4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op has result 0 of type '!dist.future<memref<8xf32>>' without a destination, expected a future of a tensor}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (memref<4xf32>) -> !dist.future<memref<8xf32>>
  return
}

// -----

// all_gather C9
func.func @future_of_another_memref(%x: memref<4xf32>, %out: memref<8xf32>) {
  // expected-error@+1 {{'dist.all_gather' op has result 0 of type '!dist.future<memref<?xf32>>', expected a future of its destination 'memref<8xf32>'}}
  %f = dist.all_gather %x into %out dim 0 on <[[0, 1]]>
      : (memref<4xf32>) into (memref<8xf32>) -> !dist.future<memref<?xf32>>
  return
}

// -----

// all_gather C10
func.func @unknown_group(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op group names unknown symbol @nowhere, expected a dist.process_group}}
  %f = dist.all_gather %x dim 0 on <@nowhere>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  return
}

// -----

// all_gather C10
// Also the situation "mesh symbol not found for mesh-axes groups" (rule mesh).
func.func @unknown_mesh(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op group names unknown symbol @nowhere, expected a dist.mesh}}
  %f = dist.all_gather %x dim 0 on <@nowhere["x"]>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  return
}

// -----

// all_gather C10
// expected-note@+1 {{declared here}}
dist.mesh @m ["x" = 2]
func.func @unknown_axis(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op group names unknown axis "z" of mesh @m}}
  %f = dist.all_gather %x dim 0 on <@m["z"]>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  return
}

// -----

// all_gather C11
func.func @two_modes_for_one_source(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_gather' op has 2 source modes, expected 1, one per source}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      {source_modes = [#dist.source<copy>, #dist.source<copy>]}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  return
}

// -----

// all_gather C11
func.func @ownership_of_a_source_that_is_not_donated(%x: memref<4xf32>, %o: i1) {
  // expected-error@+1 {{'dist.all_gather' op has 1 ownership flags, expected 0, one per donated source}}
  %f = dist.all_gather %x owned(%o) dim 0 on <[[0, 1]]>
      : (memref<4xf32>) -> !dist.future<tensor<8xf32>>
  return
}

// -----

// all_gather C12
func.func @tensor_with_encoding(%x: tensor<4xf32, "e">) {
  // expected-error@+1 {{'dist.all_gather' op has operand of type 'tensor<4xf32, "e">', expected a tensor without encoding}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4xf32, "e">) -> !dist.future<tensor<8xf32>>
  return
}

// -----

// all_gather C12
func.func @destination_in_other_memory_space(%x: memref<4xf32>, %out: memref<8xf32, 1>) {
  // expected-error@+1 {{'dist.all_gather' op has operand of type 'memref<8xf32, 1>', expected all memrefs in one memory space}}
  %f = dist.all_gather %x into %out dim 0 on <[[0, 1]]>
      : (memref<4xf32>) into (memref<8xf32, 1>) -> !dist.future<memref<8xf32, 1>>
  return
}

// -----

// all_gather C12
func.func @tiled_memref(%x: memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>) {
  // expected-error@+1 {{'dist.all_gather' op has operand of type 'memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>', expected a strided memref}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>) -> !dist.future<tensor<8xf32>>
  return
}

// -----

// all_gather C13
func.func @one_destination_for_two(%x: memref<4xf32>, %y: memref<4xf32>, %out: memref<8xf32>) {
  // expected-error@+1 {{'dist.all_gather' op has one destination for sources 0 and 1, expected distinct ones}}
  %f:2 = dist.all_gather %x, %y into %out, %out dim 0 on <[[0, 1]]>
      : (memref<4xf32>, memref<4xf32>) into (memref<8xf32>, memref<8xf32>)
      -> !dist.future<memref<8xf32>>, !dist.future<memref<8xf32>>
  return
}

// -----

// all_gather C13
func.func @source_of_another_is_destination(%x: memref<4xf32>, %y: memref<8xf32>, %out: memref<16xf32>) {
  // expected-error@+1 {{'dist.all_gather' op has source 1 as destination of source 0, expected distinct memrefs}}
  %f:2 = dist.all_gather %x, %y into %y, %out dim 0 on <[[0, 1]]>
      : (memref<4xf32>, memref<8xf32>) into (memref<8xf32>, memref<16xf32>)
      -> !dist.future<memref<8xf32>>, !dist.future<memref<16xf32>>
  return
}
