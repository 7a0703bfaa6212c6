// bug14-coalesced-futures: one launch with several futures behaves as several
// futures.
//
// RUN: %python %S/../run_program.py %s

// CASE: bugs bug14-coalesced-futures
// FLAGS: --link-delay=5ms
// ARG: i32(a)
// ARG: i32(b)
// RESULT: expected["a"]["a"][rank]
// RESULT: expected["a"]["b"][rank]
func.func @waits_for_both(%a: tensor<2xi32>, %b: tensor<3xi32>)
    -> (tensor<2xi32>, tensor<3xi32>) {
  %f:2 = dist.all_reduce sum %a, %b on <[[0, 1]]>
      : (tensor<2xi32>, tensor<3xi32>)
      -> !dist.future<tensor<2xi32>>, !dist.future<tensor<3xi32>>
  %x, %y = dist.wait %f#0, %f#1
      : !dist.future<tensor<2xi32>>, !dist.future<tensor<3xi32>>
  return %x, %y : tensor<2xi32>, tensor<3xi32>
}

// -----
// CASE: bugs bug14-coalesced-futures
// FLAGS: --link-delay=5ms
// ARG: i32(a)
// ARG: i32(b)
// RESULT: expected["a"]["a"][rank]
// RESULT: expected["a"]["b"][rank]
// RESULT: np.multiply(expected["a"]["a"][rank], 2)
func.func @waits_for_one_then_the_other(%a: tensor<2xi32>, %b: tensor<3xi32>)
    -> (tensor<2xi32>, tensor<3xi32>, tensor<2xi32>) {
  %f:2 = dist.all_reduce sum %a, %b on <[[0, 1]]>
      : (tensor<2xi32>, tensor<3xi32>)
      -> !dist.future<tensor<2xi32>>, !dist.future<tensor<3xi32>>
  %x = dist.wait %f#0 : !dist.future<tensor<2xi32>>
  %twice = arith.addi %x, %x : tensor<2xi32>
  %y = dist.wait %f#1 : !dist.future<tensor<3xi32>>
  return %x, %y, %twice : tensor<2xi32>, tensor<3xi32>, tensor<2xi32>
}

// -----
// The second future is waited for first.
// CASE: bugs bug14-coalesced-futures
// FLAGS: --link-delay=5ms
// ARG: i32(a)
// ARG: i32(b)
// RESULT: expected["a"]["a"][rank]
// RESULT: expected["a"]["b"][rank]
func.func @waits_in_reverse(%a: tensor<2xi32>, %b: tensor<3xi32>)
    -> (tensor<2xi32>, tensor<3xi32>) {
  %f:2 = dist.all_reduce sum %a, %b on <[[0, 1]]>
      : (tensor<2xi32>, tensor<3xi32>)
      -> !dist.future<tensor<2xi32>>, !dist.future<tensor<3xi32>>
  %y = dist.wait %f#1 : !dist.future<tensor<3xi32>>
  %x = dist.wait %f#0 : !dist.future<tensor<2xi32>>
  return %x, %y : tensor<2xi32>, tensor<3xi32>
}

// -----
// Three operands of different shapes, gathered along the inner dimension in one
// launch; two of them are the same value.
// LET: a = np.arange(4).reshape(2, 2)
// LET: b = np.arange(6).reshape(2, 3)
// ARG: i32(a + 10 * rank)
// ARG: i32(b + 100 * rank)
// RESULT: np.concatenate([a, a + 10], 1)
// RESULT: np.concatenate([b, b + 100], 1)
// RESULT: np.concatenate([a, a + 10], 1)
func.func @gathers_three(%a: tensor<2x2xi32>, %b: tensor<2x3xi32>)
    -> (tensor<2x4xi32>, tensor<2x6xi32>, tensor<2x4xi32>) {
  %f:3 = dist.all_gather %a, %b, %a dim 1 on <[[0, 1]]>
      : (tensor<2x2xi32>, tensor<2x3xi32>, tensor<2x2xi32>)
      -> !dist.future<tensor<2x4xi32>>, !dist.future<tensor<2x6xi32>>,
         !dist.future<tensor<2x4xi32>>
  %z = dist.wait %f#2 : !dist.future<tensor<2x4xi32>>
  %x, %y = dist.wait %f#0, %f#1
      : !dist.future<tensor<2x4xi32>>, !dist.future<tensor<2x6xi32>>
  return %x, %y, %z : tensor<2x4xi32>, tensor<2x6xi32>, tensor<2x4xi32>
}

// -----
// Two scatters in one launch, of which one has a group of names.
// FOR G: <[[0,1]]> <@m["x"]>
// LET: a = np.arange(4)
// LET: b = np.arange(8).reshape(4, 2)
// ARG: a * (rank + 1)
// ARG: b * (rank + 1)
// RESULT: 3 * a[2 * rank:2 * rank + 2]
// RESULT: 3 * b[2 * rank:2 * rank + 2]
dist.mesh @m ["x" = 2]
func.func @scatters_two(%a: tensor<4xf32>, %b: tensor<4x2xf32>)
    -> (tensor<2xf32>, tensor<2x2xf32>) {
  %f:2 = dist.reduce_scatter sum %a, %b dim 0 on $G
      : (tensor<4xf32>, tensor<4x2xf32>)
      -> !dist.future<tensor<2xf32>>, !dist.future<tensor<2x2xf32>>
  %x = dist.wait %f#0 : !dist.future<tensor<2xf32>>
  %y = dist.wait %f#1 : !dist.future<tensor<2x2xf32>>
  return %x, %y : tensor<2xf32>, tensor<2x2xf32>
}
