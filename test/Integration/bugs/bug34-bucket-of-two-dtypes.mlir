// bug34-bucket-of-two-dtypes: gathers of two element types, one behind a cast,
// beside a scatter and a reduction of the same data, all in flight at once.
//
// RUN: %python %S/../run_program.py %s

// CASE: bugs bug34-bucket-of-two-dtypes
// ARG: x
// ARG: z
// RESULT: np.concatenate(inputs["x"])
// RESULT: bf16(expected["gather_y"][rank])
// RESULT: f32(expected["rs"][rank])
// RESULT: f32(expected["ar"][rank])
func.func @four_in_flight(%x: tensor<2xf32>, %z: tensor<2xf32>)
    -> (tensor<4xf32>, tensor<4xbf16>, tensor<1xf32>, tensor<2xf32>) {
  %y = arith.truncf %z : tensor<2xf32> to tensor<2xbf16>
  %fx = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
  %fy = dist.all_gather %y dim 0 on <[[0, 1]]>
      : (tensor<2xbf16>) -> !dist.future<tensor<4xbf16>>
  %frs = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<1xf32>>
  %far = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %gx = dist.wait %fx : !dist.future<tensor<4xf32>>
  %gy = dist.wait %fy : !dist.future<tensor<4xbf16>>
  %rs = dist.wait %frs : !dist.future<tensor<1xf32>>
  %ar = dist.wait %far : !dist.future<tensor<2xf32>>
  return %gx, %gy, %rs, %ar
      : tensor<4xf32>, tensor<4xbf16>, tensor<1xf32>, tensor<2xf32>
}

// -----
// Two element types in one launch.
// CASE: bugs bug34-bucket-of-two-dtypes
// ARG: x
// ARG: z
// RESULT: np.concatenate(inputs["x"])
// RESULT: bf16(expected["gather_y"][rank])
func.func @coalesced(%x: tensor<2xf32>, %z: tensor<2xf32>)
    -> (tensor<4xf32>, tensor<4xbf16>) {
  %y = arith.truncf %z : tensor<2xf32> to tensor<2xbf16>
  %f:2 = dist.all_gather %x, %y dim 0 on <[[0, 1]]>
      : (tensor<2xf32>, tensor<2xbf16>)
      -> !dist.future<tensor<4xf32>>, !dist.future<tensor<4xbf16>>
  %gx, %gy = dist.wait %f#0, %f#1
      : !dist.future<tensor<4xf32>>, !dist.future<tensor<4xbf16>>
  return %gx, %gy : tensor<4xf32>, tensor<4xbf16>
}
