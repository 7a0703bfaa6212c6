// The cases of reject.json that are about operations of dist, named by operation,
// rule and situation.
//
// RUN: dist-opt %s --split-input-file --verify-diagnostics

// reduce_scatter C2: negative scatter dim
func.func @negative_scatter_dim(%x: tensor<4xf32>) {
  // expected-error @+1 {{has dim -1, expected a dimension}}
  %f = dist.reduce_scatter sum %x dim -1 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<2xf32>>
  return
}

// -----
// reduce_scatter C3: id occurs twice
func.func @scatter_id_twice(%x: tensor<4xf32>) {
  // expected-error @+1 {{rank 0}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 0]]>
      : (tensor<4xf32>) -> !dist.future<tensor<2xf32>>
  return
}

// -----
// reduce_scatter C8: operand and result rank differ
func.func @scatter_rank_differs(%x: tensor<4xf32>) {
  // expected-error @+1 {{'dist.reduce_scatter' op}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<2x1xf32>>
  return
}

// -----
// reduce_scatter C8: non-scatter dims differ (4 vs 3)
func.func @other_dims_differ(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{'dist.reduce_scatter' op}}
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (tensor<4x4xf32>) -> !dist.future<tensor<2x3xf32>>
  return
}

// -----
// all_gather C1: negative gather dim
func.func @negative_gather_dim(%x: tensor<4xf32>) {
  // expected-error @+1 {{has dim -1, expected a dimension}}
  %f = dist.all_gather %x dim -1 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  return
}

// -----
// all_gather C2: id occurs twice
func.func @gather_id_twice(%x: tensor<4xf32>) {
  // expected-error @+1 {{rank 1}}
  %f = dist.all_gather %x dim 0 on <[[0, 1], [2, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  return
}

// -----
// all_gather C6: rank differs
func.func @gather_rank_differs(%x: tensor<4xf32>) {
  // expected-error @+1 {{'dist.all_gather' op}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<8x1xf32>>
  return
}

// -----
// all_gather C6: result gather size not a multiple of operand gather size (100 vs 32)
func.func @not_a_multiple(%x: tensor<32xf32>) {
  // expected-error @+1 {{'dist.all_gather' op}}
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<32xf32>) -> !dist.future<tensor<100xf32>>
  return
}

// -----
// A late-bound group has no size yet: no size fits.
dist.process_group @g
func.func @not_a_multiple_of_any(%x: tensor<32xf32>) {
  // expected-error @+1 {{'dist.all_gather' op}}
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<32xf32>) -> !dist.future<tensor<100xf32>>
  return
}

// -----
// collective_broadcast C1: id occurs twice
func.func @broadcast_id_twice(%x: tensor<4xf32>) {
  // expected-error @+1 {{rank 0}}
  %f = dist.broadcast %x root 0 on <[[1, 0, 0]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----
// collective_broadcast C3: no data operand
func.func @nothing_to_broadcast() {
  // expected-error @+1 {{'dist.broadcast' op}}
  "dist.broadcast"() <{group = #dist.group<[[0, 1]]>, root = 0 : i64, operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> ()
  return
}

// -----
// any mesh: mesh symbol not found for mesh-axes groups
func.func @no_such_mesh(%x: tensor<4xf32>) {
  // expected-error @+1 {{@m}}
  %f = dist.all_reduce sum %x on <@m["x"]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----
// all_to_all C1: negative split dim
func.func @negative_split_dim(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{has split_dim -1, expected a dimension}}
  %f = dist.all_to_all %x split_dim -1 concat_dim 0 on <[[0, 1]]>
      : (tensor<4x16xf32>) -> !dist.future<tensor<8x8xf32>>
  return
}

// -----
// all_to_all C2: split size not divisible by split count (16/5)
func.func @split_size_not_divisible(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{cannot split dim 1 of size 16 among a group of size 5}}
  %f = dist.all_to_all %x split_dim 1 concat_dim 0 on <[[0, 1, 2, 3, 4]]>
      : (tensor<4x16xf32>) -> !dist.future<tensor<20x?xf32>>
  return
}

// -----
// all_to_all C3: concat dim == rank
func.func @concat_dim_of_rank(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{has concat_dim 2, expected a dimension}}
  %f = dist.all_to_all %x split_dim 1 concat_dim 2 on <[[0, 1]]>
      : (tensor<4x16xf32>) -> !dist.future<tensor<8x8xf32>>
  return
}

// -----
// all_to_all C5: id occurs twice
func.func @exchange_id_twice(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{rank 0}}
  %f = dist.all_to_all %x split_dim 1 concat_dim 0 on <[[0, 1], [0, 2]]>
      : (tensor<4x16xf32>) -> !dist.future<tensor<8x8xf32>>
  return
}

// -----
// The split count of dist is the size of the group: types made for another one.
// all_to_all C8: group size differs from split count
func.func @types_of_another_split_count(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{result has size 16 in dim 0, expected 8 for a source of size 4 and a group of size 2}}
  %f = dist.all_to_all %x split_dim 1 concat_dim 0 on <[[0, 1]]>
      : (tensor<4x16xf32>) -> !dist.future<tensor<16x4xf32>>
  return
}

// -----
// all_to_all C9: element type differs
func.func @exchanged_element_type_differs(%x: tensor<4x16xf32>) {
  // expected-error @+1 {{result has element type 'f64', expected 'f32' as the source}}
  %f = dist.all_to_all %x split_dim 1 concat_dim 0 on <[[0, 1]]>
      : (tensor<4x16xf32>) -> !dist.future<tensor<8x8xf64>>
  return
}

// -----
// collective_permute C3: duplicate target
func.func @duplicate_target(%x: tensor<4xf32>) {
  // expected-error @+1 {{has position 1 twice as a target of its pairs}}
  %f = dist.permute %x pairs [[0, 1], [1, 1]] on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}
