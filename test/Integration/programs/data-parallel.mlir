// What data-parallel transforms produce, written as ordinary programs. Cases
// ddp_linear_grad_mean, ddp_shared_weight, fsdp_shard_unshard,
// fsdp_zero2_zero3_grad, no_sync_accumulation, fsdp_pack_scatter_interleave.
//
// RUN: %python %S/../run_program.py %s

// CASE: programs ddp_linear_grad_mean
// ARG: x
// ARG: W
// RESULT: expected["y"][rank]
// RESULT: expected["dW"][rank]
func.func @ddp_mean(%x: tensor<1x2xf32>, %w: tensor<3x2xf32>)
    -> (tensor<1x3xf32>, tensor<3x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %ones = arith.constant dense<1.0> : tensor<1x3xf32>
  %wt_init = tensor.empty() : tensor<2x3xf32>
  %wt = linalg.transpose ins(%w : tensor<3x2xf32>)
      outs(%wt_init : tensor<2x3xf32>) permutation = [1, 0]
  %y_empty = tensor.empty() : tensor<1x3xf32>
  %y_init = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<1x3xf32>)
      -> tensor<1x3xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<1x2xf32>, tensor<2x3xf32>)
      outs(%y_init : tensor<1x3xf32>) -> tensor<1x3xf32>
  %dy_empty = tensor.empty() : tensor<3x1xf32>
  %dyt = linalg.transpose ins(%ones : tensor<1x3xf32>)
      outs(%dy_empty : tensor<3x1xf32>) permutation = [1, 0]
  %dw_empty = tensor.empty() : tensor<3x2xf32>
  %dw_init = linalg.fill ins(%zero : f32) outs(%dw_empty : tensor<3x2xf32>)
      -> tensor<3x2xf32>
  %local = linalg.matmul ins(%dyt, %x : tensor<3x1xf32>, tensor<1x2xf32>)
      outs(%dw_init : tensor<3x2xf32>) -> tensor<3x2xf32>
  %f = dist.all_reduce avg %local on <[[0, 1]]>
      : (tensor<3x2xf32>) -> !dist.future<tensor<3x2xf32>>
  %dw = dist.wait %f : !dist.future<tensor<3x2xf32>>
  return %y, %dw : tensor<1x3xf32>, tensor<3x2xf32>
}

// -----
// Both uses of the weight add up before one reduction.
// CASE: programs ddp_shared_weight
// ARG: x
// RESULT: expected["dW"]
func.func @shared_weight(%x: tensor<4x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %dy = arith.constant dense<1.0> : tensor<16x4xf32>
  %empty = tensor.empty() : tensor<16x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x16xf32>)
      -> tensor<16x16xf32>
  %once = linalg.matmul ins(%dy, %x : tensor<16x4xf32>, tensor<4x16xf32>)
      outs(%init : tensor<16x16xf32>) -> tensor<16x16xf32>
  %twice = linalg.matmul ins(%dy, %x : tensor<16x4xf32>, tensor<4x16xf32>)
      outs(%once : tensor<16x16xf32>) -> tensor<16x16xf32>
  %f = dist.all_reduce avg %twice on <[[0, 1]]>
      : (tensor<16x16xf32>) -> !dist.future<tensor<16x16xf32>>
  %dw = dist.wait %f : !dist.future<tensor<16x16xf32>>
  return %dw : tensor<16x16xf32>
}

// -----
// CASE: programs fsdp_shard_unshard
// ARG: w
// RESULT: expected["shards"][rank]
// RESULT: expected["full"]
func.func @shard_unshard(%w: tensor<4x3xf32>)
    -> (tensor<2x3xf32>, tensor<4x3xf32>) {
  %c2 = arith.constant 2 : index
  %rank = dist.rank : index
  %first = arith.muli %rank, %c2 : index
  %shard = tensor.extract_slice %w[%first, 0] [2, 3] [1, 1]
      : tensor<4x3xf32> to tensor<2x3xf32>
  %f = dist.all_gather %shard dim 0 on <[[0, 1]]>
      : (tensor<2x3xf32>) -> !dist.future<tensor<4x3xf32>>
  %full = dist.wait %f : !dist.future<tensor<4x3xf32>>
  return %shard, %full : tensor<2x3xf32>, tensor<4x3xf32>
}

// -----
// ZeRO-3: the weight is gathered again for the backward pass, which here needs
// it for the gradient of x.
// CASE: programs fsdp_zero2_zero3_grad
// ARG: x
// ARG: W_shards
// ARG: dy
// RESULT: expected["y"][rank]
// RESULT: expected["dW_shards"][rank]
// RESULT: np.matmul(dy, np.concatenate(inputs["W_shards"]))
func.func @zero3(%x: tensor<1x2xf32>, %w: tensor<2x2xf32>, %dy: tensor<1x4xf32>)
    -> (tensor<1x4xf32>, tensor<2x2xf32>, tensor<1x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %gather = dist.all_gather %w dim 0 on <[[0, 1]]>
      : (tensor<2x2xf32>) -> !dist.future<tensor<4x2xf32>>
  %full = dist.wait %gather : !dist.future<tensor<4x2xf32>>
  %wt_init = tensor.empty() : tensor<2x4xf32>
  %wt = linalg.transpose ins(%full : tensor<4x2xf32>)
      outs(%wt_init : tensor<2x4xf32>) permutation = [1, 0]
  %y_empty = tensor.empty() : tensor<1x4xf32>
  %y_init = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<1x4xf32>)
      -> tensor<1x4xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<1x2xf32>, tensor<2x4xf32>)
      outs(%y_init : tensor<1x4xf32>) -> tensor<1x4xf32>
  %again = dist.all_gather %w dim 0 on <[[0, 1]]>
      : (tensor<2x2xf32>) -> !dist.future<tensor<4x2xf32>>
  %full_again = dist.wait %again : !dist.future<tensor<4x2xf32>>
  %dx_empty = tensor.empty() : tensor<1x2xf32>
  %dx_init = linalg.fill ins(%zero : f32) outs(%dx_empty : tensor<1x2xf32>)
      -> tensor<1x2xf32>
  %dx = linalg.matmul ins(%dy, %full_again : tensor<1x4xf32>, tensor<4x2xf32>)
      outs(%dx_init : tensor<1x2xf32>) -> tensor<1x2xf32>
  %dyt_init = tensor.empty() : tensor<4x1xf32>
  %dyt = linalg.transpose ins(%dy : tensor<1x4xf32>)
      outs(%dyt_init : tensor<4x1xf32>) permutation = [1, 0]
  %dw_empty = tensor.empty() : tensor<4x2xf32>
  %dw_init = linalg.fill ins(%zero : f32) outs(%dw_empty : tensor<4x2xf32>)
      -> tensor<4x2xf32>
  %local = linalg.matmul ins(%dyt, %x : tensor<4x1xf32>, tensor<1x2xf32>)
      outs(%dw_init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %f = dist.reduce_scatter avg %local dim 0 on <[[0, 1]]>
      : (tensor<4x2xf32>) -> !dist.future<tensor<2x2xf32>>
  %dw = dist.wait %f : !dist.future<tensor<2x2xf32>>
  return %y, %dw, %dx : tensor<1x4xf32>, tensor<2x2xf32>, tensor<1x2xf32>
}

// -----
// ZeRO-2: the gathered weight stays.
// CASE: programs fsdp_zero2_zero3_grad
// ARG: x
// ARG: W_shards
// ARG: dy
// RESULT: expected["y"][rank]
// RESULT: expected["dW_shards"][rank]
func.func @zero2(%x: tensor<1x2xf32>, %w: tensor<2x2xf32>, %dy: tensor<1x4xf32>)
    -> (tensor<1x4xf32>, tensor<2x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %gather = dist.all_gather %w dim 0 on <[[0, 1]]>
      : (tensor<2x2xf32>) -> !dist.future<tensor<4x2xf32>>
  %full = dist.wait %gather : !dist.future<tensor<4x2xf32>>
  %y_empty = tensor.empty() : tensor<1x4xf32>
  %y_init = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<1x4xf32>)
      -> tensor<1x4xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                       affine_map<(i, j, k) -> (j, k)>,
                       affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %full : tensor<1x2xf32>, tensor<4x2xf32>)
      outs(%y_init : tensor<1x4xf32>) {
  ^bb0(%lhs: f32, %rhs: f32, %sum: f32):
    %product = arith.mulf %lhs, %rhs : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<1x4xf32>
  %dw_empty = tensor.empty() : tensor<4x2xf32>
  %local = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (0, i)>,
                       affine_map<(i, j) -> (0, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%dy, %x : tensor<1x4xf32>, tensor<1x2xf32>)
      outs(%dw_empty : tensor<4x2xf32>) {
  ^bb0(%lhs: f32, %rhs: f32, %unused: f32):
    %product = arith.mulf %lhs, %rhs : f32
    linalg.yield %product : f32
  } -> tensor<4x2xf32>
  %f = dist.reduce_scatter avg %local dim 0 on <[[0, 1]]>
      : (tensor<4x2xf32>) -> !dist.future<tensor<2x2xf32>>
  %dw = dist.wait %f : !dist.future<tensor<2x2xf32>>
  return %y, %dw : tensor<1x4xf32>, tensor<2x2xf32>
}

// -----
// Three micro-batches add up locally; the last one is followed by the reduction.
// CASE: programs no_sync_accumulation
// ARG: local_grads
// RESULT: expected["grad"][rank]
func.func @accumulates_without_communication(%grads: tensor<3x1xf32>)
    -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zeros = arith.constant dense<0.0> : tensor<1xf32>
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %zeros)
      -> tensor<1xf32> {
    %grad = tensor.extract_slice %grads[%i, 0] [1, 1] [1, 1]
        : tensor<3x1xf32> to tensor<1xf32>
    %next = arith.addf %acc, %grad : tensor<1xf32>
    scf.yield %next : tensor<1xf32>
  }
  %f = dist.all_reduce avg %sum on <[[0, 1]]>
      : (tensor<1xf32>) -> !dist.future<tensor<1xf32>>
  %mean = dist.wait %f : !dist.future<tensor<1xf32>>
  return %mean : tensor<1xf32>
}

// -----
// The same with a collective per group of micro-batches, two in all.
// CASE: programs no_sync_accumulation
// ARG: local_grads
// RESULT: expected["grad"][rank]
func.func @accumulates_and_reduces_twice(%grads: tensor<3x1xf32>)
    -> tensor<1xf32> {
  %g0 = tensor.extract_slice %grads[0, 0] [1, 1] [1, 1]
      : tensor<3x1xf32> to tensor<1xf32>
  %g1 = tensor.extract_slice %grads[1, 0] [1, 1] [1, 1]
      : tensor<3x1xf32> to tensor<1xf32>
  %g2 = tensor.extract_slice %grads[2, 0] [1, 1] [1, 1]
      : tensor<3x1xf32> to tensor<1xf32>
  %unsynced = arith.addf %g0, %g1 : tensor<1xf32>
  %first = dist.all_reduce avg %unsynced on <[[0, 1]]>
      : (tensor<1xf32>) -> !dist.future<tensor<1xf32>>
  %second = dist.all_reduce avg %g2 on <[[0, 1]]>
      : (tensor<1xf32>) -> !dist.future<tensor<1xf32>>
  %x = dist.wait %first : !dist.future<tensor<1xf32>>
  %y = dist.wait %second : !dist.future<tensor<1xf32>>
  %mean = arith.addf %x, %y : tensor<1xf32>
  return %mean : tensor<1xf32>
}

// -----
// Two gradients packed chunk by chunk, so that one scatter serves both. All ranks
// hold the same gradients: their average is what each holds.
// CASE: programs fsdp_pack_scatter_interleave
// ARG: A
// ARG: B
// RESULT: expected["packed"]
// RESULT: expected["rank_chunks"][rank]
func.func @packs_two_gradients(%a: tensor<4x2xf32>, %b: tensor<4xf32>)
    -> (tensor<12xf32>, tensor<3xf32>) {
  %empty = tensor.empty() : tensor<4x3xf32>
  %with_a = tensor.insert_slice %a into %empty[0, 0] [4, 2] [1, 1]
      : tensor<4x2xf32> into tensor<4x3xf32>
  %chunks = tensor.insert_slice %b into %with_a[0, 2] [4, 1] [1, 1]
      : tensor<4xf32> into tensor<4x3xf32>
  %packed = tensor.collapse_shape %chunks [[0, 1]]
      : tensor<4x3xf32> into tensor<12xf32>
  %f = dist.reduce_scatter avg %packed dim 0 on <[[0, 1, 2, 3]]>
      : (tensor<12xf32>) -> !dist.future<tensor<3xf32>>
  %mine = dist.wait %f : !dist.future<tensor<3xf32>>
  return %packed, %mine : tensor<12xf32>, tensor<3xf32>
}
