// bug06-average-of-integers: the divisor is the size of the group, the quotient
// of integers is truncated toward zero.
//
// RUN: %python %S/../run_program.py %s

// CASE: bugs bug06-average-of-integers
// RANKS: 4
// ARG: i32(inputs["a_x"][rank])
// RESULT: expected["a"][rank]
func.func @all_reduce(%x: tensor<3xi32>) -> tensor<3xi32> {
  %f = dist.all_reduce avg %x on <[[0, 1, 2, 3]]>
      : (tensor<3xi32>) -> !dist.future<tensor<3xi32>>
  %y = dist.wait %f : !dist.future<tensor<3xi32>>
  return %y : tensor<3xi32>
}

// -----
// CASE: bugs bug06-average-of-integers
// RANKS: 4
// ARG: inputs["b_x"][rank]
// RESULT: expected["b"][rank]
func.func @divides_by_the_group(%x: tensor<3xf32>) -> tensor<3xf32> {
  %f = dist.all_reduce avg %x on <[[0, 1], [2, 3]]>
      : (tensor<3xf32>) -> !dist.future<tensor<3xf32>>
  %y = dist.wait %f : !dist.future<tensor<3xf32>>
  return %y : tensor<3xf32>
}

// -----
// CASE: bugs bug06-average-of-integers
// RANKS: 2
// ARG: i32(inputs["c_x"][rank])
// RESULT: expected["c"][rank]
func.func @reduce_scatter(%x: tensor<4xi32>) -> tensor<2xi32> {
  %f = dist.reduce_scatter avg %x dim 0 on <[[0, 1]]>
      : (tensor<4xi32>) -> !dist.future<tensor<2xi32>>
  %y = dist.wait %f : !dist.future<tensor<2xi32>>
  return %y : tensor<2xi32>
}

// -----
// FOR T: i8 i16 i32 i64
// CASE: bugs bug06-average-of-integers
// RANKS: 4
// ARG: $T(inputs["a_x"][rank])
// RESULT: $T(expected["a"][rank])
func.func @each_signed_width(%x: tensor<3x$T>) -> tensor<3x$T> {
  %f = dist.all_reduce avg %x on <[[0, 1, 2, 3]]>
      : (tensor<3x$T>) -> !dist.future<tensor<3x$T>>
  %y = dist.wait %f : !dist.future<tensor<3x$T>>
  return %y : tensor<3x$T>
}

// -----
// FOR T: ui8 ui16 ui32 ui64
// RANKS: 3
// LET: x = [[1, 10, 80], [1, 11, 90], [0, 12, 85]]
// ARG: $T(x[rank])
// RESULT: $T([0, 11, 85])
func.func @each_unsigned_width(%x: tensor<3x$T>) -> tensor<3x$T> {
  %f = dist.all_reduce avg %x on <[[0, 1, 2]]>
      : (tensor<3x$T>) -> !dist.future<tensor<3x$T>>
  %y = dist.wait %f : !dist.future<tensor<3x$T>>
  return %y : tensor<3x$T>
}

// -----
// The upper half of an unsigned type is not negative.
// ARG: ui32([0x7ffffff0 + 2 * rank])
// RESULT: ui32([0x7ffffff1])
func.func @large_unsigned(%x: tensor<1xui32>) -> tensor<1xui32> {
  %f = dist.all_reduce avg %x on <[[0, 1]]>
      : (tensor<1xui32>) -> !dist.future<tensor<1xui32>>
  %y = dist.wait %f : !dist.future<tensor<1xui32>>
  return %y : tensor<1xui32>
}

// -----
// The sum wraps in its own width before the division: 100 + 100 is -56.
// ARG: i8([100, -100])
// RESULT: i8([-28, 28])
func.func @wraps_before_it_divides(%x: tensor<2xi8>) -> tensor<2xi8> {
  %f = dist.all_reduce avg %x on <[[0, 1]]>
      : (tensor<2xi8>) -> !dist.future<tensor<2xi8>>
  %y = dist.wait %f : !dist.future<tensor<2xi8>>
  return %y : tensor<2xi8>
}

// -----
// FOR T: i8 i16 i32 i64 f16 bf16 f32 f64
// FOR G: [[0,1],[2,3]] [[0,2],[3,1]] [[3,2],[1,0]]
// RANKS: 4
// LET: groups = $G
// LET: group = [g for g in groups if rank in g][0]
// LET: x = [np.array([[3, -7], [5, 11], [-9, 2], [4, 8]]) - 2 * r for r in range(4)]
// LET: sums = x[group[0]] + x[group[1]]
// LET: is_float = "$T" in ("f16", "bf16", "f32", "f64")
// LET: mean = sums / 2 if is_float else np.trunc(sums / 2)
// LET: place = group.index(rank)
// ARG: $T(x[rank])
// RESULT: $T(mean[2 * place:2 * place + 2])
// RESULT: $T(mean[:, place:place + 1])
func.func @scatters_each_type_and_group(%x: tensor<4x2x$T>)
    -> (tensor<2x2x$T>, tensor<4x1x$T>) {
  %f = dist.reduce_scatter avg %x dim 0 on <$G>
      : (tensor<4x2x$T>) -> !dist.future<tensor<2x2x$T>>
  %g = dist.reduce_scatter avg %x dim 1 on <$G>
      : (tensor<4x2x$T>) -> !dist.future<tensor<4x1x$T>>
  %rows = dist.wait %f : !dist.future<tensor<2x2x$T>>
  %columns = dist.wait %g : !dist.future<tensor<4x1x$T>>
  return %rows, %columns : tensor<2x2x$T>, tensor<4x1x$T>
}
