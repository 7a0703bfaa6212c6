// Every constraint of `dist.all_gather_into` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// all_gather_into C1
func.func @no_source() {
  // expected-error@+1 {{'dist.all_gather_into' op needs at least one source}}
  "dist.all_gather_into"() <{dim = 0 : i64, group = #dist.group<[[0, 1]]>, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  return
}

// -----

// all_gather_into C1
func.func @no_destination(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op needs one destination for each source}}
  "dist.all_gather_into"(%x) <{dim = 0 : i64, group = #dist.group<[[0, 1]]>, operandSegmentSizes = array<i32: 1, 0>}> : (tensor<4xf32>) -> ()
  return
}

// -----

// all_gather_into C1
func.func @one_destination_for_two_sources(%x: tensor<4xf32>, %y: tensor<4xf32>, %out: tensor<8xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op has 2 sources and 1 destinations, expected one for each source}}
  %r = dist.all_gather_into %x, %y into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32>, tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// all_gather_into C2
func.func @tensor_into_memref(%x: tensor<4xf32>, %out: memref<8xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op mixes tensors and memrefs, expected only one of them, found 'tensor<4xf32>' and 'memref<8xf32>'}}
  dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (memref<8xf32>)
  return
}

// -----

// all_gather_into C3
func.func @elements_of_type_i129(%x: tensor<4xi129>, %out: tensor<8xi129>) {
  // expected-error@+1 {{'dist.all_gather_into' op does not support element type 'i129'}}
  %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xi129>) into (tensor<8xi129>) -> tensor<8xi129>
  return
}

// -----

// all_gather_into C3
func.func @elements_of_type_wide_signed(%x: tensor<4xsi200>, %out: tensor<8xsi200>) {
  // expected-error@+1 {{'dist.all_gather_into' op does not support element type 'si200'}}
  %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xsi200>) into (tensor<8xsi200>) -> tensor<8xsi200>
  return
}

// -----

// all_gather_into C3
func.func @elements_of_type_wide(%x: tensor<4xi256>, %out: tensor<8xi256>) {
  // expected-error@+1 {{'dist.all_gather_into' op does not support element type 'i256'}}
  %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xi256>) into (tensor<8xi256>) -> tensor<8xi256>
  return
}

// -----

// all_gather_into C3
func.func @elements_of_type_vector(%x: tensor<4xvector<2xf32>>, %out: tensor<8xvector<2xf32>>) {
  // expected-error@+1 {{'dist.all_gather_into' op does not support element type 'vector<2xf32>'}}
  %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xvector<2xf32>>) into (tensor<8xvector<2xf32>>) -> tensor<8xvector<2xf32>>
  return
}

// -----

// all_gather_into C3
func.func @elements_of_type_wide_complex(%x: tensor<4xcomplex<f80>>, %out: tensor<8xcomplex<f80>>) {
  // expected-error@+1 {{'dist.all_gather_into' op does not support element type 'complex<f80>'}}
  %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xcomplex<f80>>) into (tensor<8xcomplex<f80>>) -> tensor<8xcomplex<f80>>
  return
}

// -----

// all_gather_into C5
// Also the situations "negative gather dim" and "negative scatter dim" (rules
// all_gather C1 and reduce_scatter C2 of StableHLO), and dist.all_gather with
// dim = -1 written directly in IR (ir_dim_-1).
func.func @dim_of_minus_one(%x: tensor<4xf32>, %out: tensor<8xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op has dim -1, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %r = dist.all_gather_into %x into %out dim -1 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// all_gather_into C5
func.func @dim_of_rank(%x: tensor<4xf32>, %out: tensor<8xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op has dim 1, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %r = dist.all_gather_into %x into %out dim 1 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// all_gather_into C5
func.func @dim_of_two_to_the_31(%x: tensor<4xf32>, %out: tensor<8xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op has dim 2147483648, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %r = dist.all_gather_into %x into %out dim 2147483648 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// all_gather_into C5
func.func @dim_of_the_largest_integer(%x: tensor<4xf32>, %out: tensor<8xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op has dim 9223372036854775807, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %r = dist.all_gather_into %x into %out dim 9223372036854775807 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// all_gather_into C5
func.func @dim_of_the_smallest_integer(%x: tensor<4xf32>, %out: tensor<8xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op has dim -9223372036854775808, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %r = dist.all_gather_into %x into %out dim -9223372036854775808 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// all_gather_into C5
func.func @dim_of_a_scalar(%x: tensor<f32>, %out: tensor<f32>) {
  // expected-error@+1 {{'dist.all_gather_into' op has dim 0 and a source of type 'tensor<f32>', expected a source of rank 1 or more}}
  %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (tensor<f32>) into (tensor<f32>) -> tensor<f32>
  return
}

// -----

// all_gather_into C7
func.func @other_element_type(%x: tensor<4xf32>, %out: tensor<8xf64>) {
  // expected-error@+1 {{'dist.all_gather_into' op destination has element type 'f64', expected 'f32' as the source}}
  %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<8xf64>) -> tensor<8xf64>
  return
}

// -----

// all_gather_into C7
// Also the situation "rank differs" (rule all_gather C6 of StableHLO).
func.func @other_rank(%x: tensor<4xf32>, %out: tensor<8x1xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op destination has rank 2, expected 1 as the source}}
  %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<8x1xf32>) -> tensor<8x1xf32>
  return
}

// -----

// all_gather_into C7
func.func @other_size(%x: tensor<4x4xf32>, %out: tensor<8x3xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op destination has size 3 in dimension 1, expected 4 as the source}}
  %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4x4xf32>) into (tensor<8x3xf32>) -> tensor<8x3xf32>
  return
}

// -----

// all_gather_into C8
func.func @gathered_size_disagrees(%x: tensor<4xf32>, %out: tensor<12xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op destination has size 12 in dim 0, expected 8 for a source of size 4 and a group of size 2}}
  %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<12xf32>) -> tensor<12xf32>
  return
}

// -----

// all_gather_into C8
dist.mesh @m ["x" = 2, "y" = 2]
func.func @gathered_size_disagrees_with_mesh(%x: tensor<4xf32>, %out: tensor<8xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op destination has size 8 in dim 0, expected 16 for a source of size 4 and a group of size 4}}
  %r = dist.all_gather_into %x into %out dim 0 on <@m["x", "y"]>
      : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// all_gather_into C8
dist.process_group @g size 3
func.func @gathered_size_disagrees_with_declared_size(%x: tensor<4xf32>, %out: tensor<8xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op destination has size 8 in dim 0, expected 12 for a source of size 4 and a group of size 3}}
  %r = dist.all_gather_into %x into %out dim 0 on <@g>
      : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// all_gather_into C8
// Also the situation "result gather size not a multiple of operand gather size
// (100 vs 32)" (rule all_gather C6 of StableHLO).
dist.process_group @g
func.func @gathered_size_is_no_multiple(%x: tensor<32xf32>, %out: tensor<100xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op destination has size 100 in dim 0, expected a multiple of 32 as the size of the source}}
  %r = dist.all_gather_into %x into %out dim 0 on <@g>
      : (tensor<32xf32>) into (tensor<100xf32>) -> tensor<100xf32>
  return
}

// -----

// all_gather_into C8
func.func @gathered_size_is_no_multiple_of_the_group(%x: tensor<?xf32>, %out: tensor<7xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op destination has size 7 in dim 0, expected a multiple of the group size 2}}
  %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) into (tensor<7xf32>) -> tensor<7xf32>
  return
}

// -----

// all_gather_into C8
dist.process_group @g
func.func @something_gathered_from_nothing(%x: tensor<0xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op destination has size 4 in dim 0, expected a multiple of 0 as the size of the source}}
  %r = dist.all_gather_into %x into %out dim 0 on <@g>
      : (tensor<0xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// all_gather_into C8
func.func @gathered_size_overflows(%x: tensor<4611686018427387904xi8>, %out: tensor<?xi8>) {
  // expected-error@+1 {{'dist.all_gather_into' op cannot gather dim 0 of size 4611686018427387904 from a group of size 2, the size overflows}}
  %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4611686018427387904xi8>) into (tensor<?xi8>) -> tensor<?xi8>
  return
}

// -----

// all_gather_into C8
dist.process_group @g
func.func @two_sizes_need_two_groups(%x: tensor<4xf32>, %y: tensor<4xf32>, %out: tensor<8xf32>, %out2: tensor<12xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op destination has size 12 in dim 0, which needs a group of size 3, but another one of size 2}}
  %r:2 = dist.all_gather_into %x, %y into %out, %out2 dim 0 on <@g>
      : (tensor<4xf32>, tensor<4xf32>) into (tensor<8xf32>, tensor<12xf32>)
      -> tensor<8xf32>, tensor<12xf32>
  return
}

// -----

// all_gather_into C9
func.func @result_of_a_memref_form(%x: memref<4xf32>, %out: memref<8xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op has 1 results, expected 0 for memrefs}}
  %r = "dist.all_gather_into"(%x, %out) <{dim = 0 : i64, group = #dist.group<[[0, 1]]>, operandSegmentSizes = array<i32: 1, 1>}>
      : (memref<4xf32>, memref<8xf32>) -> tensor<8xf32>
  return
}

// -----

// all_gather_into C9
func.func @no_result_of_a_tensor_form(%x: tensor<4xf32>, %out: tensor<8xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op has 0 results, expected 1 for tensors}}
  dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<8xf32>)
  return
}

// -----

// all_gather_into C9
func.func @result_differs_from_destination(%x: tensor<4xf32>, %out: tensor<8xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op has result of type 'tensor<?xf32>', expected 'tensor<8xf32>' as its destination}}
  %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<?xf32>
  return
}

// -----

// all_gather_into C10
func.func @unknown_group(%x: tensor<4xf32>, %out: tensor<8xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op group names unknown symbol @nowhere, expected a dist.process_group}}
  %r = dist.all_gather_into %x into %out dim 0 on <@nowhere>
      : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// all_gather_into C10
// Also the situation "mesh symbol not found for mesh-axes groups" (rule mesh).
func.func @unknown_mesh(%x: tensor<4xf32>, %out: tensor<8xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op group names unknown symbol @nowhere, expected a dist.mesh}}
  %r = dist.all_gather_into %x into %out dim 0 on <@nowhere["x"]>
      : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// all_gather_into C10
// expected-note@+1 {{declared here}}
dist.mesh @m ["x" = 2]
func.func @unknown_axis(%x: tensor<4xf32>, %out: tensor<8xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op group names unknown axis "z" of mesh @m}}
  %r = dist.all_gather_into %x into %out dim 0 on <@m["z"]>
      : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// all_gather_into C12
func.func @tensor_with_encoding(%x: tensor<4xf32, "e">, %out: tensor<8xf32, "e">) {
  // expected-error@+1 {{'dist.all_gather_into' op has operand of type 'tensor<4xf32, "e">', expected a tensor without encoding}}
  %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32, "e">) into (tensor<8xf32, "e">) -> tensor<8xf32, "e">
  return
}

// -----

// all_gather_into C12
func.func @destination_in_other_memory_space(%x: memref<4xf32>, %out: memref<8xf32, 1>) {
  // expected-error@+1 {{'dist.all_gather_into' op has operand of type 'memref<8xf32, 1>', expected all memrefs in one memory space}}
  dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (memref<4xf32>) into (memref<8xf32, 1>)
  return
}

// -----

// all_gather_into C12
func.func @tiled_memref(%x: memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>, %out: memref<8xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op has operand of type 'memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>', expected a strided memref}}
  dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>) into (memref<8xf32>)
  return
}

// -----

// all_gather_into C13
func.func @one_destination_for_two(%x: memref<4xf32>, %y: memref<4xf32>, %out: memref<8xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op has one destination for sources 0 and 1, expected distinct ones}}
  dist.all_gather_into %x, %y into %out, %out dim 0 on <[[0, 1]]>
      : (memref<4xf32>, memref<4xf32>) into (memref<8xf32>, memref<8xf32>)
  return
}

// -----

// all_gather_into C13
func.func @source_of_another_is_destination(%x: memref<4xf32>, %y: memref<8xf32>, %out: memref<16xf32>) {
  // expected-error@+1 {{'dist.all_gather_into' op has source 1 as destination of source 0, expected distinct memrefs}}
  dist.all_gather_into %x, %y into %y, %out dim 0 on <[[0, 1]]>
      : (memref<4xf32>, memref<8xf32>) into (memref<8xf32>, memref<16xf32>)
  return
}
