// Every constraint of `dist.broadcast` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// broadcast C1
// Also the situation "no data operand" (rule collective_broadcast C3 of StableHLO).
func.func @no_source() {
  // expected-error@+1 {{'dist.broadcast' op needs at least one source}}
  "dist.broadcast"() <{group = #dist.group<[[0, 1]]>, operandSegmentSizes = array<i32: 0, 0, 0>, root = 0 : i64}> : () -> ()
  return
}

// -----

// broadcast C1
func.func @one_future_for_two_sources(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast' op has 2 sources and 1 results, expected one for each source}}
  %f = dist.broadcast %x, %y root 0 on <[[0, 1]]>
      : (tensor<4xf32>, tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// broadcast C2
func.func @tensor_and_memref_in_one_launch(%x: tensor<4xf32>, %y: memref<4xf32>) {
  // expected-error@+1 {{'dist.broadcast' op mixes tensors and memrefs, expected only one of them, found 'tensor<4xf32>' and 'memref<4xf32>'}}
  %f:2 = dist.broadcast %x, %y root 0 on <[[0, 1]]>
      : (tensor<4xf32>, memref<4xf32>) -> !dist.future<tensor<4xf32>>, !dist.future<tensor<4xf32>>
  return
}

// -----

// broadcast C2
func.func @tensor_into_memref(%x: tensor<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.broadcast' op mixes tensors and memrefs, expected only one of them, found 'tensor<4xf32>' and 'memref<4xf32>'}}
  %f = dist.broadcast %x into %out root 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (memref<4xf32>) -> !dist.future<memref<4xf32>>
  return
}

// -----

// broadcast C3
func.func @elements_of_type_i129(%x: tensor<4xi129>) {
  // expected-error@+1 {{'dist.broadcast' op does not support element type 'i129'}}
  %f = dist.broadcast %x root 0 on <[[0, 1]]>
      : (tensor<4xi129>) -> !dist.future<tensor<4xi32>>
  return
}

// -----

// broadcast C3
func.func @elements_of_type_wide_signed(%x: tensor<4xsi200>) {
  // expected-error@+1 {{'dist.broadcast' op does not support element type 'si200'}}
  %f = dist.broadcast %x root 0 on <[[0, 1]]>
      : (tensor<4xsi200>) -> !dist.future<tensor<4xi32>>
  return
}

// -----

// broadcast C3
func.func @elements_of_type_wide(%x: tensor<4xi256>) {
  // expected-error@+1 {{'dist.broadcast' op does not support element type 'i256'}}
  %f = dist.broadcast %x root 0 on <[[0, 1]]>
      : (tensor<4xi256>) -> !dist.future<tensor<4xi32>>
  return
}

// -----

// broadcast C3
func.func @elements_of_type_vector(%x: tensor<4xvector<2xf32>>) {
  // expected-error@+1 {{'dist.broadcast' op does not support element type 'vector<2xf32>'}}
  %f = dist.broadcast %x root 0 on <[[0, 1]]>
      : (tensor<4xvector<2xf32>>) -> !dist.future<tensor<4xi32>>
  return
}

// -----

// broadcast C3
func.func @elements_of_type_wide_complex(%x: tensor<4xcomplex<f80>>) {
  // expected-error@+1 {{'dist.broadcast' op does not support element type 'complex<f80>'}}
  %f = dist.broadcast %x root 0 on <[[0, 1]]>
      : (tensor<4xcomplex<f80>>) -> !dist.future<tensor<4xi32>>
  return
}

// -----

// broadcast C6
func.func @negative_root(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast' op has root -1, expected a position in the group, at least 0}}
  %f = dist.broadcast %x root -1 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// broadcast C6
// A root is a position in the group (root_rule): root 2 of a group of two names no member.
func.func @root_is_a_position_not_a_rank(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast' op has root 2, expected a position in a group of size 2}}
  %f = dist.broadcast %x root 2 on <[[2, 3]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// broadcast C6
dist.process_group @g size 4
func.func @root_outside_of_an_unbound_group_of_known_size(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast' op has root 4, expected a position in a group of size 4}}
  %f = dist.broadcast %x root 4 on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// broadcast C6
dist.process_group @g
func.func @root_that_no_group_has(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast' op has root 4294967296, expected a position in the group, at least 0 and less than 4194304}}
  %f = dist.broadcast %x root 4294967296 on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// broadcast C7
func.func @other_element_type(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast' op result has element type 'f64', expected 'f32' as the source}}
  %f = dist.broadcast %x root 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf64>>
  return
}

// -----

// broadcast C7
func.func @other_rank(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast' op result has rank 2, expected 1 as the source}}
  %f = dist.broadcast %x root 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4x1xf32>>
  return
}

// -----

// broadcast C7
func.func @other_size(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{'dist.broadcast' op result has size 3 in dimension 1, expected 4 as the source}}
  %f = dist.broadcast %x root 0 on <[[0, 1]]>
      : (tensor<4x4xf32>) -> !dist.future<tensor<4x3xf32>>
  return
}

// -----

// broadcast C9
func.func @future_of_a_memref_without_destination(%x: memref<4xf32>) {
  // expected-error@+1 {{'dist.broadcast' op has result 0 of type '!dist.future<memref<4xf32>>' without a destination, expected a future of a tensor}}
  %f = dist.broadcast %x root 0 on <[[0, 1]]>
      : (memref<4xf32>) -> !dist.future<memref<4xf32>>
  return
}

// -----

// broadcast C9
func.func @future_of_another_memref(%x: memref<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.broadcast' op has result 0 of type '!dist.future<memref<?xf32>>', expected a future of its destination 'memref<4xf32>'}}
  %f = dist.broadcast %x into %out root 0 on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32>) -> !dist.future<memref<?xf32>>
  return
}

// -----

// broadcast C10
func.func @unknown_group(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast' op group names unknown symbol @nowhere, expected a dist.process_group}}
  %f = dist.broadcast %x root 0 on <@nowhere>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// broadcast C10
// Also the situation "mesh symbol not found for mesh-axes groups" (rule mesh).
func.func @unknown_mesh(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast' op group names unknown symbol @nowhere, expected a dist.mesh}}
  %f = dist.broadcast %x root 0 on <@nowhere["x"]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// broadcast C10
// expected-note@+1 {{declared here}}
dist.mesh @m ["x" = 2]
func.func @unknown_axis(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast' op group names unknown axis "z" of mesh @m}}
  %f = dist.broadcast %x root 0 on <@m["z"]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// broadcast C11
func.func @two_modes_for_one_source(%x: tensor<4xf32>) {
  // expected-error@+1 {{'dist.broadcast' op has 2 source modes, expected 1, one per source}}
  %f = dist.broadcast %x root 0 on <[[0, 1]]>
      {source_modes = [#dist.source<copy>, #dist.source<copy>]}
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// broadcast C11
func.func @ownership_of_a_source_that_is_not_donated(%x: memref<4xf32>, %o: i1) {
  // expected-error@+1 {{'dist.broadcast' op has 1 ownership flags, expected 0, one per donated source}}
  %f = dist.broadcast %x owned(%o) root 0 on <[[0, 1]]>
      : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// broadcast C12
func.func @tensor_with_encoding(%x: tensor<4xf32, "e">) {
  // expected-error@+1 {{'dist.broadcast' op has operand of type 'tensor<4xf32, "e">', expected a tensor without encoding}}
  %f = dist.broadcast %x root 0 on <[[0, 1]]>
      : (tensor<4xf32, "e">) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// broadcast C12
func.func @destination_in_other_memory_space(%x: memref<4xf32>, %out: memref<4xf32, 1>) {
  // expected-error@+1 {{'dist.broadcast' op has operand of type 'memref<4xf32, 1>', expected all memrefs in one memory space}}
  %f = dist.broadcast %x into %out root 0 on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32, 1>) -> !dist.future<memref<4xf32, 1>>
  return
}

// -----

// broadcast C12
func.func @tiled_memref(%x: memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>) {
  // expected-error@+1 {{'dist.broadcast' op has operand of type 'memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>', expected a strided memref}}
  %f = dist.broadcast %x root 0 on <[[0, 1]]>
      : (memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

// broadcast C13
func.func @one_destination_for_two(%x: memref<4xf32>, %y: memref<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.broadcast' op has one destination for sources 0 and 1, expected distinct ones}}
  %f:2 = dist.broadcast %x, %y into %out, %out root 0 on <[[0, 1]]>
      : (memref<4xf32>, memref<4xf32>) into (memref<4xf32>, memref<4xf32>)
      -> !dist.future<memref<4xf32>>, !dist.future<memref<4xf32>>
  return
}

// -----

// broadcast C13
func.func @source_of_another_is_destination(%x: memref<4xf32>, %y: memref<4xf32>, %out: memref<4xf32>) {
  // expected-error@+1 {{'dist.broadcast' op has source 1 as destination of source 0, expected distinct memrefs}}
  %f:2 = dist.broadcast %x, %y into %y, %out root 0 on <[[0, 1]]>
      : (memref<4xf32>, memref<4xf32>) into (memref<4xf32>, memref<4xf32>)
      -> !dist.future<memref<4xf32>>, !dist.future<memref<4xf32>>
  return
}
