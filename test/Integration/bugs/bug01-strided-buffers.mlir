// bug01-strided-buffers: collectives on views with gaps touch what the view shows
// and nothing else.
//
// RUN: %python %S/../run_program.py %s

// CASE: bugs bug01-strided-buffers
// ARG: i32(m)
// AFTER: expected["A_m"][rank]
func.func @column_broadcast(%m: memref<3x2xi32>) {
  %column = memref.subview %m[0, 0] [3, 1] [1, 1]
      : memref<3x2xi32> to memref<3xi32, strided<[2]>>
  dist.broadcast_into %column into %column root 0 on <[[0, 1]]>
      : (memref<3xi32, strided<[2]>>) into (memref<3xi32, strided<[2]>>)
  return
}

// -----
// CASE: bugs bug01-strided-buffers
// ARG: i32(m)
// AFTER: expected["B_m"][rank]
func.func @column_all_reduce(%m: memref<3x2xi32>) {
  %column = memref.subview %m[0, 1] [3, 1] [1, 1]
      : memref<3x2xi32> to memref<3xi32, strided<[2], offset: 1>>
  dist.all_reduce_into sum %column into %column on <[[0, 1]]>
      : (memref<3xi32, strided<[2], offset: 1>>)
      into (memref<3xi32, strided<[2], offset: 1>>)
  return
}

// -----
// CASE: bugs bug01-strided-buffers
// ARG: i32(x)
// ARG: i32(np.zeros((6, 2)))
// AFTER 0: x
// AFTER 1: expected["C_r"][rank]
func.func @transposed_gather(%x: memref<2x3xi32>, %r: memref<6x2xi32>) {
  %xt = memref.transpose %x (i, j) -> (j, i)
      : memref<2x3xi32> to memref<3x2xi32, strided<[1, 3]>>
  dist.all_gather_into %xt into %r dim 0 on <[[0, 1]]>
      : (memref<3x2xi32, strided<[1, 3]>>) into (memref<6x2xi32>)
  return
}

// -----
// The same gather, but asynchronous and with a fresh result.
// CASE: bugs bug01-strided-buffers
// ARG: i32(x)
// RESULT: expected["C_r"][rank]
func.func @transposed_gather_of_tensor(%x: memref<2x3xi32>)
    -> tensor<6x2xi32> {
  %xt = memref.transpose %x (i, j) -> (j, i)
      : memref<2x3xi32> to memref<3x2xi32, strided<[1, 3]>>
  %f = dist.all_gather %xt dim 0 on <[[0, 1]]>
      : (memref<3x2xi32, strided<[1, 3]>>) -> !dist.future<tensor<6x2xi32>>
  %r = dist.wait %f keeps(%xt : memref<3x2xi32, strided<[1, 3]>>)
      : !dist.future<tensor<6x2xi32>>
  return %r : tensor<6x2xi32>
}

// -----
// The column comes from bufferization.
// CASE: bugs bug01-strided-buffers
// ARG: i32(m)
// RESULT: expected["B_m"][rank]
func.func @column_of_tensor(%m: tensor<3x2xi32>) -> tensor<3x2xi32> {
  %column = tensor.extract_slice %m[0, 1] [3, 1] [1, 1]
      : tensor<3x2xi32> to tensor<3xi32>
  %sum = dist.all_reduce_into sum %column into %column on <[[0, 1]]>
      : (tensor<3xi32>) into (tensor<3xi32>) -> tensor<3xi32>
  %r = tensor.insert_slice %sum into %m[0, 1] [3, 1] [1, 1]
      : tensor<3xi32> into tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// -----
// Gather from and into columns, each with an offset.
// LET: m = np.arange(8).reshape(4, 2)
// ARG: i32(m + 100 * rank)
// ARG: i32(np.full((8, 3), -1))
// AFTER 0: m + 100 * rank
// AFTER 1: [[-1, -1, v + 100 * r] for r in range(2) for v in [1, 3, 5, 7]]
func.func @column_gather(%m: memref<4x2xi32>, %out: memref<8x3xi32>) {
  %src = memref.subview %m[0, 1] [4, 1] [1, 1]
      : memref<4x2xi32> to memref<4xi32, strided<[2], offset: 1>>
  %dst = memref.subview %out[0, 2] [8, 1] [1, 1]
      : memref<8x3xi32> to memref<8xi32, strided<[3], offset: 2>>
  %f = dist.all_gather %src into %dst dim 0 on <[[0, 1]]>
      : (memref<4xi32, strided<[2], offset: 1>>)
      into (memref<8xi32, strided<[3], offset: 2>>)
      -> !dist.future<memref<8xi32, strided<[3], offset: 2>>>
  %done = dist.wait %f keeps(%src : memref<4xi32, strided<[2], offset: 1>>)
      into(%dst : memref<8xi32, strided<[3], offset: 2>>)
      : !dist.future<memref<8xi32, strided<[3], offset: 2>>>
  return
}

// -----
// Rows have no gaps, but an offset.
// LET: m = np.arange(6).reshape(3, 2)
// ARG: i32(m + 10 * rank)
// AFTER: [m[0] + 10 * rank, 2 * m[1] + 10, m[2] + 10 * rank]
func.func @row_all_reduce(%m: memref<3x2xi32>) {
  %row = memref.subview %m[1, 0] [1, 2] [1, 1]
      : memref<3x2xi32> to memref<2xi32, strided<[1], offset: 2>>
  dist.all_reduce_into sum %row into %row on <[[0, 1]]>
      : (memref<2xi32, strided<[1], offset: 2>>)
      into (memref<2xi32, strided<[1], offset: 2>>)
  return
}

// -----
// Which row, the rank decides at run time.
// LET: m = np.arange(6).reshape(3, 2)
// ARG: i32(m + 10 * rank)
// AFTER: [m[i] + 10 * rank if i != rank else m[0] + m[1] + 10 for i in range(3)]
func.func @row_at_dynamic_offset(%m: memref<3x2xi32>) {
  %rank = dist.rank : index
  %row = memref.subview %m[%rank, 0] [1, 2] [1, 1]
      : memref<3x2xi32> to memref<2xi32, strided<[1], offset: ?>>
  %f = dist.all_reduce sum %row into %row on <[[0, 1]]>
      : (memref<2xi32, strided<[1], offset: ?>>)
      into (memref<2xi32, strided<[1], offset: ?>>)
      -> !dist.future<memref<2xi32, strided<[1], offset: ?>>>
  %done = dist.wait %f keeps(%row : memref<2xi32, strided<[1], offset: ?>>)
      into(%row : memref<2xi32, strided<[1], offset: ?>>)
      : !dist.future<memref<2xi32, strided<[1], offset: ?>>>
  return
}

// -----
// A reversed view: the strides are negative.
// ARG: i32([1 + 10 * rank, 2 + 10 * rank, 3 + 10 * rank])
// ARG: i32(np.zeros(6))
// AFTER 0: [1 + 10 * rank, 2 + 10 * rank, 3 + 10 * rank]
// AFTER 1: [3, 2, 1, 13, 12, 11]
func.func @reversed_gather(%m: memref<3xi32>, %out: memref<6xi32>) {
  %reversed = memref.reinterpret_cast %m to offset: [2], sizes: [3],
      strides: [-1] : memref<3xi32> to memref<3xi32, strided<[-1], offset: 2>>
  dist.all_gather_into %reversed into %out dim 0 on <[[0, 1]]>
      : (memref<3xi32, strided<[-1], offset: 2>>) into (memref<6xi32>)
  return
}

// -----
// ARG: i32([1 + 10 * rank, 2 + 10 * rank, 3 + 10 * rank])
// AFTER: [12, 14, 16]
func.func @reversed_all_reduce(%m: memref<3xi32>) {
  %reversed = memref.reinterpret_cast %m to offset: [2], sizes: [3],
      strides: [-1] : memref<3xi32> to memref<3xi32, strided<[-1], offset: 2>>
  dist.all_reduce_into sum %reversed into %reversed on <[[0, 1]]>
      : (memref<3xi32, strided<[-1], offset: 2>>)
      into (memref<3xi32, strided<[-1], offset: 2>>)
  return
}

// -----
// Columns of a scatter along the inner dimension, into every other element.
// LET: m = np.arange(8).reshape(2, 4)
// ARG: i32(m * (rank + 1))
// ARG: i32(np.full((2, 4), -1))
// AFTER 0: m * (rank + 1)
// AFTER 1: [[3 * m[i][2 * rank], -1, 3 * m[i][2 * rank + 1], -1] for i in (0, 1)]
func.func @scatter_into_gaps(%m: memref<2x4xi32>, %out: memref<2x4xi32>) {
  %dst = memref.subview %out[0, 0] [2, 2] [1, 2]
      : memref<2x4xi32> to memref<2x2xi32, strided<[4, 2]>>
  %f = dist.reduce_scatter sum %m into %dst dim 1 on <[[0, 1]]>
      : (memref<2x4xi32>) into (memref<2x2xi32, strided<[4, 2]>>)
      -> !dist.future<memref<2x2xi32, strided<[4, 2]>>>
  %done = dist.wait %f keeps(%m : memref<2x4xi32>)
      into(%dst : memref<2x2xi32, strided<[4, 2]>>)
      : !dist.future<memref<2x2xi32, strided<[4, 2]>>>
  return
}

// -----
// A transposed source scattered along its rows.
// LET: m = np.arange(8).reshape(2, 4)
// ARG: i32(m * (rank + 1))
// ARG: i32(np.zeros((2, 2)))
// AFTER 0: m * (rank + 1)
// AFTER 1: 3 * np.transpose(m)[2 * rank:2 * rank + 2]
func.func @transposed_scatter(%m: memref<2x4xi32>, %out: memref<2x2xi32>) {
  %mt = memref.transpose %m (i, j) -> (j, i)
      : memref<2x4xi32> to memref<4x2xi32, strided<[1, 4]>>
  dist.reduce_scatter_into sum %mt into %out dim 0 on <[[0, 1]]>
      : (memref<4x2xi32, strided<[1, 4]>>) into (memref<2x2xi32>)
  return
}

// -----
// Source and destination have different layouts.
// LET: m = np.arange(4).reshape(2, 2)
// ARG: i32(m + 10 * rank)
// ARG: i32(np.full((2, 4), -1))
// AFTER 0: m + 10 * rank
// AFTER 1: [[-1, 10, 12, -1], [-1, 11, 13, -1]]
func.func @broadcast_of_transposed_into_columns(
    %m: memref<2x2xi32>, %out: memref<2x4xi32>) {
  %mt = memref.transpose %m (i, j) -> (j, i)
      : memref<2x2xi32> to memref<2x2xi32, strided<[1, 2]>>
  %dst = memref.subview %out[0, 1] [2, 2] [1, 1]
      : memref<2x4xi32> to memref<2x2xi32, strided<[4, 1], offset: 1>>
  %f = dist.broadcast %mt into %dst root 1 on <[[0, 1]]>
      : (memref<2x2xi32, strided<[1, 2]>>)
      into (memref<2x2xi32, strided<[4, 1], offset: 1>>)
      -> !dist.future<memref<2x2xi32, strided<[4, 1], offset: 1>>>
  %done = dist.wait %f keeps(%mt : memref<2x2xi32, strided<[1, 2]>>)
      into(%dst : memref<2x2xi32, strided<[4, 1], offset: 1>>)
      : !dist.future<memref<2x2xi32, strided<[4, 1], offset: 1>>>
  return
}

// -----
// Strides that only the run knows, and an element of one byte.
// LET: m = np.arange(12).reshape(3, 4)
// ARG: i8(m + 10 * rank)
// ARG: [2]
// RESULT: [0 + 10 * r + v for r in (0, 1) for v in (0, 2)]
func.func @dynamic_stride(%m: memref<3x4xi8>, %steps: memref<1xf32>)
    -> tensor<4xi8> {
  %c0 = arith.constant 0 : index
  %value = memref.load %steps[%c0] : memref<1xf32>
  %integer = arith.fptosi %value : f32 to i64
  %step = arith.index_cast %integer : i64 to index
  %view = memref.subview %m[0, 0] [1, 2] [1, %step]
      : memref<3x4xi8> to memref<2xi8, strided<[?]>>
  %f = dist.all_gather %view dim 0 on <[[0, 1]]>
      : (memref<2xi8, strided<[?]>>) -> !dist.future<tensor<4xi8>>
  %r = dist.wait %f keeps(%view : memref<2xi8, strided<[?]>>)
      : !dist.future<tensor<4xi8>>
  return %r : tensor<4xi8>
}

// -----
// A middle slice of three dimensions, gathered along the middle one.
// LET: m = np.arange(24).reshape(2, 3, 4)
// ARG: f64(m + 100 * rank)
// RESULT: np.concatenate([(m + 100 * r)[:, 1:3, 1:3] for r in (0, 1)], 1)
func.func @slice_of_three_dims(%m: memref<2x3x4xf64>) -> tensor<2x4x2xf64> {
  %slice = memref.subview %m[0, 1, 1] [2, 2, 2] [1, 1, 1]
      : memref<2x3x4xf64> to memref<2x2x2xf64, strided<[12, 4, 1], offset: 5>>
  %f = dist.all_gather %slice dim 1 on <[[0, 1]]>
      : (memref<2x2x2xf64, strided<[12, 4, 1], offset: 5>>)
      -> !dist.future<tensor<2x4x2xf64>>
  %r = dist.wait %f
      keeps(%slice : memref<2x2x2xf64, strided<[12, 4, 1], offset: 5>>)
      : !dist.future<tensor<2x4x2xf64>>
  return %r : tensor<2x4x2xf64>
}
