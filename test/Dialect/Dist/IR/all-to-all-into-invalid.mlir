// Every constraint of `dist.all_to_all_into` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// all_to_all_into C1
func.func @no_source() {
  // expected-error@+1 {{'dist.all_to_all_into' op needs at least one source}}
  "dist.all_to_all_into"() <{group = #dist.group<[[0, 1]]>, operandSegmentSizes = array<i32: 0, 0>, split_dim = 0 : i64, concat_dim = 0 : i64}> : () -> ()
  return
}

// -----

// all_to_all_into C1
func.func @no_destination(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op needs one destination for each source}}
  "dist.all_to_all_into"(%x) <{group = #dist.group<[[0, 1]]>, operandSegmentSizes = array<i32: 1, 0>, split_dim = 0 : i64, concat_dim = 0 : i64}> : (tensor<4xf32>) -> ()
  return
}

// -----

// all_to_all_into C1
func.func @one_destination_for_two_sources(%x: tensor<4xf32>, %y: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op has 2 sources and 1 destinations, expected one for each source}}
  %r = dist.all_to_all_into %x, %y into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<4xf32>, tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// all_to_all_into C2
func.func @tensor_into_memref(%x: tensor<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op mixes tensors and memrefs, expected only one of them, found 'tensor<4xf32>' and 'memref<4xf32>'}}
  dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (memref<4xf32>)
  return
}

// -----

// all_to_all_into C3
func.func @elements_of_type_i129(%x: tensor<4xi129>, %out: tensor<4xi129>) {
  // expected-error@+1 {{'dist.all_to_all_into' op does not support element type 'i129'}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<4xi129>) into (tensor<4xi129>) -> tensor<4xi129>
  return
}

// -----

// all_to_all_into C3
func.func @elements_of_type_wide_signed(%x: tensor<4xsi200>, %out: tensor<4xsi200>) {
  // expected-error@+1 {{'dist.all_to_all_into' op does not support element type 'si200'}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<4xsi200>) into (tensor<4xsi200>) -> tensor<4xsi200>
  return
}

// -----

// all_to_all_into C3
func.func @elements_of_type_wide(%x: tensor<4xi256>, %out: tensor<4xi256>) {
  // expected-error@+1 {{'dist.all_to_all_into' op does not support element type 'i256'}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<4xi256>) into (tensor<4xi256>) -> tensor<4xi256>
  return
}

// -----

// all_to_all_into C3
func.func @elements_of_type_vector(%x: tensor<4xvector<2xf32>>, %out: tensor<4xvector<2xf32>>) {
  // expected-error@+1 {{'dist.all_to_all_into' op does not support element type 'vector<2xf32>'}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<4xvector<2xf32>>) into (tensor<4xvector<2xf32>>) -> tensor<4xvector<2xf32>>
  return
}

// -----

// all_to_all_into C3
func.func @elements_of_type_wide_complex(%x: tensor<4xcomplex<f80>>, %out: tensor<4xcomplex<f80>>) {
  // expected-error@+1 {{'dist.all_to_all_into' op does not support element type 'complex<f80>'}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<4xcomplex<f80>>) into (tensor<4xcomplex<f80>>) -> tensor<4xcomplex<f80>>
  return
}

// -----

// all_to_all_into C5
func.func @split_dim_of_minus_one(%x: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op has split_dim -1, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %r = dist.all_to_all_into %x into %out split_dim -1 concat_dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// all_to_all_into C5
func.func @split_dim_of_rank(%x: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op has split_dim 1, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %r = dist.all_to_all_into %x into %out split_dim 1 concat_dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// all_to_all_into C5
func.func @concat_dim_of_minus_one(%x: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op has concat_dim -1, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim -1 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// all_to_all_into C5
func.func @concat_dim_of_rank(%x: tensor<2x4xf32>, %out: tensor<4x2xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op has concat_dim 2, expected a dimension of 'tensor<2x4xf32>', at least 0 and less than 2}}
  %r = dist.all_to_all_into %x into %out split_dim 1 concat_dim 2 on <[[0, 1]]>
      : (tensor<2x4xf32>) into (tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

// all_to_all_into C5
func.func @concat_dim_of_the_smallest_integer(%x: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op has concat_dim -9223372036854775808, expected a dimension of 'tensor<4xf32>', at least 0 and less than 1}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim -9223372036854775808 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// all_to_all_into C5
func.func @dims_of_a_scalar(%x: tensor<f32>, %out: tensor<f32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op has split_dim 0 and a source of type 'tensor<f32>', expected a source of rank 1 or more}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<f32>) into (tensor<f32>) -> tensor<f32>
  return
}

// -----

// all_to_all_into C7
func.func @other_element_type(%x: tensor<4xf32>, %out: tensor<4xf64>) {
  // expected-error@+1 {{'dist.all_to_all_into' op destination has element type 'f64', expected 'f32' as the source}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<4xf64>) -> tensor<4xf64>
  return
}

// -----

// all_to_all_into C7
func.func @other_rank(%x: tensor<4xf32>, %out: tensor<4x1xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op destination has rank 2, expected 1 as the source}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<4x1xf32>) -> tensor<4x1xf32>
  return
}

// -----

// all_to_all_into C7
func.func @other_size(%x: tensor<4x4xf32>, %out: tensor<4x3xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op destination has size 3 in dimension 1, expected 4 as the source}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<4x4xf32>) into (tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// all_to_all_into C7
func.func @recut_size_differs(%x: tensor<4xf32>, %out: tensor<2xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op destination has size 2 in dimension 0, expected 4 as the source}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// all_to_all_into C8
func.func @split_size_does_not_divide(%x: tensor<2x5xf32>, %out: tensor<4x2xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op cannot split dim 1 of size 5 among a group of size 2}}
  %r = dist.all_to_all_into %x into %out split_dim 1 concat_dim 0 on <[[0, 1]]>
      : (tensor<2x5xf32>) into (tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

// all_to_all_into C8
func.func @recut_size_does_not_divide(%x: tensor<5xf32>, %out: tensor<5xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op cannot split dim 0 of size 5 among a group of size 2}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<5xf32>) into (tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

// all_to_all_into C8
func.func @split_size_disagrees(%x: tensor<2x4xf32>, %out: tensor<4x4xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op destination has size 4 in dim 1, expected 2 for a source of size 4 and a group of size 2}}
  %r = dist.all_to_all_into %x into %out split_dim 1 concat_dim 0 on <[[0, 1]]>
      : (tensor<2x4xf32>) into (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

// all_to_all_into C8
func.func @concatenated_size_disagrees(%x: tensor<2x4xf32>, %out: tensor<2x2xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op destination has size 2 in dim 0, expected 4 for a source of size 2 and a group of size 2}}
  %r = dist.all_to_all_into %x into %out split_dim 1 concat_dim 0 on <[[0, 1]]>
      : (tensor<2x4xf32>) into (tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

// all_to_all_into C8
func.func @concatenated_size_overflows(%x: tensor<4611686018427387904x2xf32>, %out: tensor<?x1xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op cannot gather dim 0 of size 4611686018427387904 from a group of size 2, the size overflows}}
  %r = dist.all_to_all_into %x into %out split_dim 1 concat_dim 0 on <[[0, 1]]>
      : (tensor<4611686018427387904x2xf32>) into (tensor<?x1xf32>) -> tensor<?x1xf32>
  return
}

// -----

// all_to_all_into C8
func.func @recut_size_is_no_multiple_of_the_group(%x: tensor<?xf32>, %out: tensor<5xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op destination has size 5 in dim 0, expected a multiple of the group size 2}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<?xf32>) into (tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

// all_to_all_into C8
func.func @concatenated_size_is_no_multiple_of_the_group(%x: tensor<?x4xf32>, %out: tensor<5x2xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op destination has size 5 in dim 0, expected a multiple of the group size 2}}
  %r = dist.all_to_all_into %x into %out split_dim 1 concat_dim 0 on <[[0, 1]]>
      : (tensor<?x4xf32>) into (tensor<5x2xf32>) -> tensor<5x2xf32>
  return
}

// -----

// all_to_all_into C8
dist.process_group @g
func.func @concatenated_size_is_no_multiple(%x: tensor<2x4xf32>, %out: tensor<5x2xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op destination has size 5 in dim 0, expected a multiple of 2 as the size of the source}}
  %r = dist.all_to_all_into %x into %out split_dim 1 concat_dim 0 on <@g>
      : (tensor<2x4xf32>) into (tensor<5x2xf32>) -> tensor<5x2xf32>
  return
}

// -----

// all_to_all_into C8
dist.process_group @g
func.func @split_size_is_no_divisor(%x: tensor<2x4xf32>, %out: tensor<4x3xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op destination has size 3 in dim 1, expected a divisor of 4 as the size of the source}}
  %r = dist.all_to_all_into %x into %out split_dim 1 concat_dim 0 on <@g>
      : (tensor<2x4xf32>) into (tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// all_to_all_into C8
dist.process_group @g
func.func @two_dimensions_need_two_groups(%x: tensor<2x6xf32>, %out: tensor<4x2xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op destination has size 2 in dim 1, which needs a group of size 3, but another one of size 2}}
  %r = dist.all_to_all_into %x into %out split_dim 1 concat_dim 0 on <@g>
      : (tensor<2x6xf32>) into (tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

// all_to_all_into C8
dist.process_group @g size 4
func.func @sizes_disagree_with_declared_size(%x: tensor<2x4xf32>, %out: tensor<4x2xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op destination has size 4 in dim 0, expected 8 for a source of size 2 and a group of size 4}}
  %r = dist.all_to_all_into %x into %out split_dim 1 concat_dim 0 on <@g>
      : (tensor<2x4xf32>) into (tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

// all_to_all_into C9
func.func @result_of_a_memref_form(%x: memref<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op has 1 results, expected 0 for memrefs}}
  %r = "dist.all_to_all_into"(%x, %out) <{group = #dist.group<[[0, 1]]>, operandSegmentSizes = array<i32: 1, 1>, split_dim = 0 : i64, concat_dim = 0 : i64}>
      : (memref<4xf32>, memref<4xf32>) -> tensor<4xf32>
  return
}

// -----

// all_to_all_into C9
func.func @no_result_of_a_tensor_form(%x: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op has 0 results, expected 1 for tensors}}
  dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<4xf32>)
  return
}

// -----

// all_to_all_into C9
func.func @result_differs_from_destination(%x: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op has result of type 'tensor<?xf32>', expected 'tensor<4xf32>' as its destination}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

// all_to_all_into C10
func.func @unknown_group(%x: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op group names unknown symbol @nowhere, expected a dist.process_group}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <@nowhere>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// all_to_all_into C10
// Also the situation "mesh symbol not found for mesh-axes groups" (rule mesh).
func.func @unknown_mesh(%x: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op group names unknown symbol @nowhere, expected a dist.mesh}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <@nowhere["x"]>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// all_to_all_into C10
// expected-note@+1 {{declared here}}
dist.mesh @m ["x" = 2]
func.func @unknown_axis(%x: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op group names unknown axis "z" of mesh @m}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <@m["z"]>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// all_to_all_into C12
func.func @tensor_with_encoding(%x: tensor<4xf32, "e">, %out: tensor<4xf32, "e">) {
  // expected-error@+1 {{'dist.all_to_all_into' op has operand of type 'tensor<4xf32, "e">', expected a tensor without encoding}}
  %r = dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<4xf32, "e">) into (tensor<4xf32, "e">) -> tensor<4xf32, "e">
  return
}

// -----

// all_to_all_into C12
func.func @destination_in_other_memory_space(%x: memref<4xf32>, %out: memref<4xf32, 1>) {
  // expected-error@+1 {{'dist.all_to_all_into' op has operand of type 'memref<4xf32, 1>', expected all memrefs in one memory space}}
  dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32, 1>)
  return
}

// -----

// all_to_all_into C12
func.func @tiled_memref(%x: memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op has operand of type 'memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>', expected a strided memref}}
  dist.all_to_all_into %x into %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>) into (memref<4xf32>)
  return
}

// -----

// all_to_all_into C13
func.func @one_destination_for_two(%x: memref<4xf32>, %y: memref<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op has one destination for sources 0 and 1, expected distinct ones}}
  dist.all_to_all_into %x, %y into %out, %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (memref<4xf32>, memref<4xf32>) into (memref<4xf32>, memref<4xf32>)
  return
}

// -----

// all_to_all_into C13
func.func @source_of_another_is_destination(%x: memref<4xf32>, %y: memref<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op has source 1 as destination of source 0, expected distinct memrefs}}
  dist.all_to_all_into %x, %y into %y, %out split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (memref<4xf32>, memref<4xf32>) into (memref<4xf32>, memref<4xf32>)
  return
}

// -----

// all_to_all_into C13
func.func @own_source_as_destination(%x: memref<4xf32>) {
  // expected-error@+1 {{'dist.all_to_all_into' op has source 0 as its own destination, expected distinct memrefs}}
  dist.all_to_all_into %x into %x split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32>)
  return
}
