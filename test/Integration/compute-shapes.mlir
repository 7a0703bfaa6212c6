// Shapes, slices and layout changes beside collectives.
//
// RUN: %python %S/run_program.py %s

// Sizes that only the run knows, for each collective and both dims.
// FOR S: 1,1 2,3 0,4 4,0 3,2
// FOR N: 1 2 3
// RANKS: $N
// FLAGS: --group g=world
// LET: rows = int("$S".split(",")[0])
// LET: columns = int("$S".split(",")[1])
// LET: x = [np.arange(rows * columns).reshape(rows, columns) + 10 * r for r in range(ranks)]
// LET: wide = [np.arange(ranks * rows * columns).reshape(ranks * rows, columns) * (r + 1) for r in range(ranks)]
// LET: mine = slice(rank * rows, (rank + 1) * rows)
// ARG: x[rank]
// ARG: wide[rank]
// ARG: wide[rank].T
// RESULT: np.concatenate(x, 0)
// RESULT: np.concatenate(x, 1)
// RESULT: sum(wide)[mine]
// RESULT: sum(wide).T[:, mine]
// RESULT: sum(x)
// RESULT: x[0]
dist.process_group @g
func.func @dynamic(%x: tensor<?x?xf32>, %wide: tensor<?x?xf32>,
                   %tall: tensor<?x?xf32>)
    -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>,
        tensor<?x?xf32>, tensor<?x?xf32>) {
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %g = dist.all_gather %x dim 1 on <@g>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %h = dist.reduce_scatter sum %wide dim 0 on <@g>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %i = dist.reduce_scatter sum %tall dim 1 on <@g>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %j = dist.all_reduce sum %x on <@g>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %k = dist.broadcast %x root 0 on <@g>
      : (tensor<?x?xf32>) -> !dist.future<tensor<?x?xf32>>
  %a = dist.wait %f : !dist.future<tensor<?x?xf32>>
  %b = dist.wait %g : !dist.future<tensor<?x?xf32>>
  %c = dist.wait %h : !dist.future<tensor<?x?xf32>>
  %d = dist.wait %i : !dist.future<tensor<?x?xf32>>
  %e = dist.wait %j : !dist.future<tensor<?x?xf32>>
  %l = dist.wait %k : !dist.future<tensor<?x?xf32>>
  return %a, %b, %c, %d, %e, %l
      : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>,
        tensor<?x?xf32>, tensor<?x?xf32>
}

// -----
// Rank 0 tensors: reductions and broadcasts of a scalar.
// ARG: f32(2.5 + rank)
// ARG: i32(7 * rank)
// RESULT: f32(6)
// RESULT: i32(7)
// RESULT: f32(8.5)
func.func @rank_zero(%x: tensor<f32>, %i: tensor<i32>)
    -> (tensor<f32>, tensor<i32>, f32) {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<f32>) -> !dist.future<tensor<f32>>
  %g = dist.broadcast %i root 1 on <[[0, 1]]>
      : (tensor<i32>) -> !dist.future<tensor<i32>>
  %s = dist.wait %f : !dist.future<tensor<f32>>
  %b = dist.wait %g : !dist.future<tensor<i32>>
  %v = tensor.extract %s[] : tensor<f32>
  %c = arith.constant 2.5 : f32
  %w = arith.addf %v, %c : f32
  return %s, %b, %w : tensor<f32>, tensor<i32>, f32
}

// -----
// Padding, slices in and out, and reshapes around a gather.
// LET: x = [np.arange(4).reshape(2, 2) + 10 * r for r in (0, 1)]
// LET: padded = [np.pad(v, ((0, 1), (1, 0)), constant_values=-1) for v in x]
// LET: all = np.concatenate(padded, 0)
// ARG: x[rank]
// RESULT: all
// RESULT: all[1:4, 1:3]
// RESULT: np.where(np.pad(np.full((2, 2), True), ((1, 3), (1, 0))), np.pad(x[rank], ((1, 3), (1, 0))), all)
// RESULT: all.reshape(18)
// RESULT: all.reshape(2, 3, 3)[:, :, 0]
func.func @slices_and_reshapes(%x: tensor<2x2xf32>)
    -> (tensor<6x3xf32>, tensor<3x2xf32>, tensor<6x3xf32>, tensor<18xf32>,
        tensor<2x3xf32>) {
  %minus = arith.constant -1.0 : f32
  %padded = tensor.pad %x low[0, 1] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %minus : f32
  } : tensor<2x2xf32> to tensor<3x3xf32>
  %f = dist.all_gather %padded dim 0 on <[[0, 1]]>
      : (tensor<3x3xf32>) -> !dist.future<tensor<6x3xf32>>
  %all = dist.wait %f : !dist.future<tensor<6x3xf32>>
  %part = tensor.extract_slice %all[1, 1] [3, 2] [1, 1]
      : tensor<6x3xf32> to tensor<3x2xf32>
  %changed = tensor.insert_slice %x into %all[1, 1] [2, 2] [1, 1]
      : tensor<2x2xf32> into tensor<6x3xf32>
  %flat = tensor.collapse_shape %all [[0, 1]]
      : tensor<6x3xf32> into tensor<18xf32>
  %cube = tensor.expand_shape %all [[0, 1], [2]] output_shape [2, 3, 3]
      : tensor<6x3xf32> into tensor<2x3x3xf32>
  %face = tensor.extract_slice %cube[0, 0, 0] [2, 3, 1] [1, 1, 1]
      : tensor<2x3x3xf32> to tensor<2x3xf32>
  return %all, %part, %changed, %flat, %face
      : tensor<6x3xf32>, tensor<3x2xf32>, tensor<6x3xf32>, tensor<18xf32>,
        tensor<2x3xf32>
}

// -----
// Collectives of slices that are views: of an argument and of a gathered value.
// LET: x = [np.arange(12).reshape(3, 4) + 100 * r for r in (0, 1)]
// ARG: x[rank]
// RESULT: np.concatenate([v[:, 1:3] for v in x], 1)
// RESULT: sum(x)[1:3, ::3]
// RESULT: x[rank]
func.func @collectives_of_slices(%x: tensor<3x4xf32>)
    -> (tensor<3x4xf32>, tensor<2x2xf32>, tensor<3x4xf32>) {
  %middle = tensor.extract_slice %x[0, 1] [3, 2] [1, 1]
      : tensor<3x4xf32> to tensor<3x2xf32>
  %f = dist.all_gather %middle dim 1 on <[[0, 1]]>
      : (tensor<3x2xf32>) -> !dist.future<tensor<3x4xf32>>
  %corners = tensor.extract_slice %x[1, 0] [2, 2] [1, 3]
      : tensor<3x4xf32> to tensor<2x2xf32>
  %g = dist.all_reduce sum %corners on <[[0, 1]]>
      : (tensor<2x2xf32>) -> !dist.future<tensor<2x2xf32>>
  %a = dist.wait %f : !dist.future<tensor<3x4xf32>>
  %b = dist.wait %g : !dist.future<tensor<2x2xf32>>
  return %a, %b, %x : tensor<3x4xf32>, tensor<2x2xf32>, tensor<3x4xf32>
}

// -----
// Transposes and reductions over either side of a scatter.
// LET: x = [np.arange(12).reshape(3, 4) * (r + 1) for r in (0, 1)]
// ARG: x[rank]
// RESULT: sum(x).T[2 * rank:2 * rank + 2]
// RESULT: sum(x).T[2 * rank:2 * rank + 2].sum(1)
// RESULT: sum(x).T[2 * rank:2 * rank + 2].max(0)
func.func @transposed_scatter(%x: tensor<3x4xf32>)
    -> (tensor<2x3xf32>, tensor<2xf32>, tensor<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<4x3xf32>
  %xt = linalg.transpose ins(%x : tensor<3x4xf32>)
      outs(%empty : tensor<4x3xf32>) permutation = [1, 0]
  %f = dist.reduce_scatter sum %xt dim 0 on <[[0, 1]]>
      : (tensor<4x3xf32>) -> !dist.future<tensor<2x3xf32>>
  %rows_empty = tensor.empty() : tensor<2xf32>
  %rows_init = linalg.fill ins(%zero : f32) outs(%rows_empty : tensor<2xf32>)
      -> tensor<2xf32>
  %columns_empty = tensor.empty() : tensor<3xf32>
  %columns_init = linalg.fill ins(%low : f32)
      outs(%columns_empty : tensor<3xf32>) -> tensor<3xf32>
  %s = dist.wait %f : !dist.future<tensor<2x3xf32>>
  %rows = linalg.reduce { arith.addf } ins(%s : tensor<2x3xf32>)
      outs(%rows_init : tensor<2xf32>) dimensions = [1]
  %columns = linalg.reduce { arith.maximumf } ins(%s : tensor<2x3xf32>)
      outs(%columns_init : tensor<3xf32>) dimensions = [0]
  return %s, %rows, %columns : tensor<2x3xf32>, tensor<2xf32>, tensor<3xf32>
}

// -----
// concat, generate, splat, from_elements, gather of rows by index.
// LET: x = [np.array([1, 2]) + 10 * r for r in (0, 1)]
// ARG: x[rank]
// RESULT: np.concatenate([x[0], x[1], [5, 5]])
// RESULT: [0, 2, 4]
// RESULT: [x[0][1], 5]
func.func @makers(%x: tensor<2xf32>)
    -> (tensor<6xf32>, tensor<3xf32>, tensor<2xf32>) {
  %c1 = arith.constant 1 : index
  %five = arith.constant 5.0 : f32
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
  %splat = tensor.splat %five : tensor<2xf32>
  %made = tensor.generate {
  ^bb0(%i: index):
    %t = arith.addi %i, %i : index
    %n = arith.index_cast %t : index to i64
    %v = arith.sitofp %n : i64 to f32
    tensor.yield %v : f32
  } : tensor<3xf32>
  %all = dist.wait %f : !dist.future<tensor<4xf32>>
  %joined = tensor.concat dim(0) %all, %splat
      : (tensor<4xf32>, tensor<2xf32>) -> tensor<6xf32>
  %element = tensor.extract %all[%c1] : tensor<4xf32>
  %pair = tensor.from_elements %element, %five : tensor<2xf32>
  return %joined, %made, %pair : tensor<6xf32>, tensor<3xf32>, tensor<2xf32>
}
