// bug08-low-precision-sum: sums of bf16 and f16 are rounded once.
//
// RUN: %python %S/../run_program.py %s

// CASE: bugs bug08-low-precision-sum
// RANKS: 4
// ARG: bf16(inputs["x"][rank])
// ARG: f16(inputs["y"][rank])
// RESULT: bf16(expected["a"][rank])
// RESULT: f16(expected["b"][rank])
func.func @all_reduce(%x: tensor<1xbf16>, %y: tensor<1xf16>)
    -> (tensor<1xbf16>, tensor<1xf16>) {
  %f = dist.all_reduce sum %x on <[[0, 1, 2, 3]]>
      : (tensor<1xbf16>) -> !dist.future<tensor<1xbf16>>
  %g = dist.all_reduce sum %y on <[[0, 1, 2, 3]]>
      : (tensor<1xf16>) -> !dist.future<tensor<1xf16>>
  %a = dist.wait %f : !dist.future<tensor<1xbf16>>
  %b = dist.wait %g : !dist.future<tensor<1xf16>>
  return %a, %b : tensor<1xbf16>, tensor<1xf16>
}

// -----
// The value repeated, so that each rank gets one.
// CASE: bugs bug08-low-precision-sum
// RANKS: 4
// ARG: bf16(np.repeat(inputs["x"][rank], 4))
// ARG: f16(np.repeat(inputs["y"][rank], 4))
// RESULT: bf16(expected["a"][rank])
// RESULT: f16(expected["b"][rank])
func.func @reduce_scatter(%x: tensor<4xbf16>, %y: tensor<4xf16>)
    -> (tensor<1xbf16>, tensor<1xf16>) {
  %f = dist.reduce_scatter sum %x dim 0 on <[[0, 1, 2, 3]]>
      : (tensor<4xbf16>) -> !dist.future<tensor<1xbf16>>
  %g = dist.reduce_scatter sum %y dim 0 on <[[0, 1, 2, 3]]>
      : (tensor<4xf16>) -> !dist.future<tensor<1xf16>>
  %a = dist.wait %f : !dist.future<tensor<1xbf16>>
  %b = dist.wait %g : !dist.future<tensor<1xf16>>
  return %a, %b : tensor<1xbf16>, tensor<1xf16>
}

// -----
// Repeated in memory too: in place, in a strided view.
// CASE: bugs bug08-low-precision-sum
// RANKS: 4
// ARG: bf16([[v, 7] for v in np.repeat(inputs["x"][rank], 3)])
// AFTER: bf16([[v, 7] for v in np.repeat(expected["a"][rank], 3)])
func.func @in_place_column(%x: memref<3x2xbf16>) {
  %column = memref.subview %x[0, 0] [3, 1] [1, 1]
      : memref<3x2xbf16> to memref<3xbf16, strided<[2]>>
  dist.all_reduce_into sum %column into %column on <[[0, 1, 2, 3]]>
      : (memref<3xbf16, strided<[2]>>) into (memref<3xbf16, strided<[2]>>)
  return
}

// -----
// A product rounds once as well: (1 + 2^-7)^2 (1 - 2^-7)^2 (bf16 has 8 bits).
// RANKS: 4
// ARG: bf16([1 + 2.0**-7 if rank < 2 else 1 - 2.0**-7])
// RESULT: bf16([np.float32((1 + 2.0**-7)**2 * (1 - 2.0**-7)**2)])
func.func @product(%x: tensor<1xbf16>) -> tensor<1xbf16> {
  %f = dist.all_reduce product %x on <[[0, 1, 2, 3]]>
      : (tensor<1xbf16>) -> !dist.future<tensor<1xbf16>>
  %y = dist.wait %f : !dist.future<tensor<1xbf16>>
  return %y : tensor<1xbf16>
}

// -----
// An average divides before it rounds: (256 + 1 + 1 + 2) / 4 = 65.
// CASE: bugs bug08-low-precision-sum
// RANKS: 4
// ARG: bf16(inputs["x"][rank])
// ARG: f16(inputs["y"][rank])
// RESULT: bf16(np.array(expected["a"][rank]) / 4)
// RESULT: f16(np.array(expected["b"][rank]) / 4)
func.func @average(%x: tensor<1xbf16>, %y: tensor<1xf16>)
    -> (tensor<1xbf16>, tensor<1xf16>) {
  %f = dist.all_reduce avg %x on <[[0, 1, 2, 3]]>
      : (tensor<1xbf16>) -> !dist.future<tensor<1xbf16>>
  %g = dist.all_reduce avg %y on <[[0, 1, 2, 3]]>
      : (tensor<1xf16>) -> !dist.future<tensor<1xf16>>
  %a = dist.wait %f : !dist.future<tensor<1xbf16>>
  %b = dist.wait %g : !dist.future<tensor<1xf16>>
  return %a, %b : tensor<1xbf16>, tensor<1xf16>
}
