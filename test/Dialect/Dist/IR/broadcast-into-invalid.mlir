// Every constraint of `dist.broadcast_into` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// broadcast_into C1
// Also the situation "no data operand" (rule collective_broadcast C3 of StableHLO).
func.func @no_source() {
  // expected-error@+1 {{'dist.broadcast_into' op needs at least one source}}
  "dist.broadcast_into"() <{group = #dist.group<[[0, 1]]>, operandSegmentSizes = array<i32: 0, 0>, root = 0 : i64}> : () -> ()
  return
}

// -----

// broadcast_into C1
func.func @no_destination(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast_into' op needs one destination for each source}}
  "dist.broadcast_into"(%x) <{group = #dist.group<[[0, 1]]>, operandSegmentSizes = array<i32: 1, 0>, root = 0 : i64}> : (tensor<4xf32>) -> ()
  return
}

// -----

// broadcast_into C1
func.func @one_destination_for_two_sources(%x: tensor<4xf32>, %y: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast_into' op has 2 sources and 1 destinations, expected one for each source}}
  %r = dist.broadcast_into %x, %y into %out root 0 on <[[0, 1]]>
      : (tensor<4xf32>, tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// broadcast_into C2
func.func @tensor_into_memref(%x: tensor<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.broadcast_into' op mixes tensors and memrefs, expected only one of them, found 'tensor<4xf32>' and 'memref<4xf32>'}}
  dist.broadcast_into %x into %out root 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (memref<4xf32>)
  return
}

// -----

// broadcast_into C3
func.func @elements_of_type_i129(%x: tensor<4xi129>, %out: tensor<4xi129>) {
  // expected-error@+1 {{'dist.broadcast_into' op does not support element type 'i129'}}
  %r = dist.broadcast_into %x into %out root 0 on <[[0, 1]]>
      : (tensor<4xi129>) into (tensor<4xi129>) -> tensor<4xi129>
  return
}

// -----

// broadcast_into C3
func.func @elements_of_type_wide_signed(%x: tensor<4xsi200>, %out: tensor<4xsi200>) {
  // expected-error@+1 {{'dist.broadcast_into' op does not support element type 'si200'}}
  %r = dist.broadcast_into %x into %out root 0 on <[[0, 1]]>
      : (tensor<4xsi200>) into (tensor<4xsi200>) -> tensor<4xsi200>
  return
}

// -----

// broadcast_into C3
func.func @elements_of_type_wide(%x: tensor<4xi256>, %out: tensor<4xi256>) {
  // expected-error@+1 {{'dist.broadcast_into' op does not support element type 'i256'}}
  %r = dist.broadcast_into %x into %out root 0 on <[[0, 1]]>
      : (tensor<4xi256>) into (tensor<4xi256>) -> tensor<4xi256>
  return
}

// -----

// broadcast_into C3
func.func @elements_of_type_vector(%x: tensor<4xvector<2xf32>>, %out: tensor<4xvector<2xf32>>) {
  // expected-error@+1 {{'dist.broadcast_into' op does not support element type 'vector<2xf32>'}}
  %r = dist.broadcast_into %x into %out root 0 on <[[0, 1]]>
      : (tensor<4xvector<2xf32>>) into (tensor<4xvector<2xf32>>) -> tensor<4xvector<2xf32>>
  return
}

// -----

// broadcast_into C3
func.func @elements_of_type_wide_complex(%x: tensor<4xcomplex<f80>>, %out: tensor<4xcomplex<f80>>) {
  // expected-error@+1 {{'dist.broadcast_into' op does not support element type 'complex<f80>'}}
  %r = dist.broadcast_into %x into %out root 0 on <[[0, 1]]>
      : (tensor<4xcomplex<f80>>) into (tensor<4xcomplex<f80>>) -> tensor<4xcomplex<f80>>
  return
}

// -----

// broadcast_into C6
func.func @negative_root(%x: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast_into' op has root -1, expected a position in the group, at least 0}}
  %r = dist.broadcast_into %x into %out root -1 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// broadcast_into C6
// A root is a position in the group (root_rule): root 2 of a group of two names no member.
func.func @root_is_a_position_not_a_rank(%x: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast_into' op has root 2, expected a position in a group of size 2}}
  %r = dist.broadcast_into %x into %out root 2 on <[[2, 3]]>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// broadcast_into C6
dist.process_group @g size 4
func.func @root_outside_of_an_unbound_group_of_known_size(%x: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast_into' op has root 4, expected a position in a group of size 4}}
  %r = dist.broadcast_into %x into %out root 4 on <@g>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// broadcast_into C7
func.func @other_element_type(%x: tensor<4xf32>, %out: tensor<4xf64>) {
  // expected-error@+1 {{'dist.broadcast_into' op destination has element type 'f64', expected 'f32' as the source}}
  %r = dist.broadcast_into %x into %out root 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<4xf64>) -> tensor<4xf64>
  return
}

// -----

// broadcast_into C7
func.func @other_rank(%x: tensor<4xf32>, %out: tensor<4x1xf32>) {
  // expected-error@+1 {{'dist.broadcast_into' op destination has rank 2, expected 1 as the source}}
  %r = dist.broadcast_into %x into %out root 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<4x1xf32>) -> tensor<4x1xf32>
  return
}

// -----

// broadcast_into C7
func.func @other_size(%x: tensor<4x4xf32>, %out: tensor<4x3xf32>) {
  // expected-error@+1 {{'dist.broadcast_into' op destination has size 3 in dimension 1, expected 4 as the source}}
  %r = dist.broadcast_into %x into %out root 0 on <[[0, 1]]>
      : (tensor<4x4xf32>) into (tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// broadcast_into C9
func.func @result_of_a_memref_form(%x: memref<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.broadcast_into' op has 1 results, expected 0 for memrefs}}
  %r = "dist.broadcast_into"(%x, %out) <{group = #dist.group<[[0, 1]]>, operandSegmentSizes = array<i32: 1, 1>, root = 0 : i64}>
      : (memref<4xf32>, memref<4xf32>) -> tensor<4xf32>
  return
}

// -----

// broadcast_into C9
func.func @no_result_of_a_tensor_form(%x: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast_into' op has 0 results, expected 1 for tensors}}
  dist.broadcast_into %x into %out root 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<4xf32>)
  return
}

// -----

// broadcast_into C9
func.func @result_differs_from_destination(%x: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast_into' op has result of type 'tensor<?xf32>', expected 'tensor<4xf32>' as its destination}}
  %r = dist.broadcast_into %x into %out root 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

// broadcast_into C10
func.func @unknown_group(%x: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast_into' op group names unknown symbol @nowhere, expected a dist.process_group}}
  %r = dist.broadcast_into %x into %out root 0 on <@nowhere>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// broadcast_into C10
// Also the situation "mesh symbol not found for mesh-axes groups" (rule mesh).
func.func @unknown_mesh(%x: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast_into' op group names unknown symbol @nowhere, expected a dist.mesh}}
  %r = dist.broadcast_into %x into %out root 0 on <@nowhere["x"]>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// broadcast_into C10
// expected-note@+1 {{declared here}}
dist.mesh @m ["x" = 2]
func.func @unknown_axis(%x: tensor<4xf32>, %out: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast_into' op group names unknown axis "z" of mesh @m}}
  %r = dist.broadcast_into %x into %out root 0 on <@m["z"]>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// broadcast_into C12
func.func @tensor_with_encoding(%x: tensor<4xf32, "e">, %out: tensor<4xf32, "e">) {
  // expected-error@+1 {{'dist.broadcast_into' op has operand of type 'tensor<4xf32, "e">', expected a tensor without encoding}}
  %r = dist.broadcast_into %x into %out root 0 on <[[0, 1]]>
      : (tensor<4xf32, "e">) into (tensor<4xf32, "e">) -> tensor<4xf32, "e">
  return
}

// -----

// broadcast_into C12
func.func @destination_in_other_memory_space(%x: memref<4xf32>, %out: memref<4xf32, 1>) {
  // expected-error@+1 {{'dist.broadcast_into' op has operand of type 'memref<4xf32, 1>', expected all memrefs in one memory space}}
  dist.broadcast_into %x into %out root 0 on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32, 1>)
  return
}

// -----

// broadcast_into C12
func.func @tiled_memref(%x: memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.broadcast_into' op has operand of type 'memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>', expected a strided memref}}
  dist.broadcast_into %x into %out root 0 on <[[0, 1]]>
      : (memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>) into (memref<4xf32>)
  return
}

// -----

// broadcast_into C13
func.func @one_destination_for_two(%x: memref<4xf32>, %y: memref<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.broadcast_into' op has one destination for sources 0 and 1, expected distinct ones}}
  dist.broadcast_into %x, %y into %out, %out root 0 on <[[0, 1]]>
      : (memref<4xf32>, memref<4xf32>) into (memref<4xf32>, memref<4xf32>)
  return
}

// -----

// broadcast_into C13
func.func @source_of_another_is_destination(%x: memref<4xf32>, %y: memref<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.broadcast_into' op has source 1 as destination of source 0, expected distinct memrefs}}
  dist.broadcast_into %x, %y into %y, %out root 0 on <[[0, 1]]>
      : (memref<4xf32>, memref<4xf32>) into (memref<4xf32>, memref<4xf32>)
  return
}
