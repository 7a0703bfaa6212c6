// c = a + b; d = all_reduce(c); e = d + 1. Cases all_reduce_sum, all_reduce_max,
// all_reduce_min, world1_collectives_fold, double_wait_same_future,
// vjp_all_reduce_sum.
//
// RUN: %python %S/../run_program.py %s

// CASE: programs all_reduce_sum
// ARG: a
// ARG: b
// RESULT: expected[rank]
func.func @sum(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %one = arith.constant dense<1.0> : tensor<2x2xf32>
  %c = arith.addf %a, %b : tensor<2x2xf32>
  %f = dist.all_reduce sum %c on <[[0, 1]]>
      : (tensor<2x2xf32>) -> !dist.future<tensor<2x2xf32>>
  %d = dist.wait %f : !dist.future<tensor<2x2xf32>>
  %e = arith.addf %d, %one : tensor<2x2xf32>
  return %e : tensor<2x2xf32>
}

// -----
// CASE: programs all_reduce_max
// ARG: a
// ARG: b
// RESULT: expected[rank]
dist.mesh @m ["x" = 2]
func.func @max(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %one = arith.constant dense<1.0> : tensor<2x2xf32>
  %c = arith.addf %a, %b : tensor<2x2xf32>
  %f = dist.all_reduce max %c on <@m["x"]>
      : (tensor<2x2xf32>) -> !dist.future<tensor<2x2xf32>>
  %d = dist.wait %f : !dist.future<tensor<2x2xf32>>
  %e = arith.addf %d, %one : tensor<2x2xf32>
  return %e : tensor<2x2xf32>
}

// -----
// CASE: programs all_reduce_min
// FLAGS: --group g=0,1
// ARG: a
// ARG: b
// RESULT: expected[rank]
dist.process_group @g
func.func @min(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %one = arith.constant dense<1.0> : tensor<2x2xf32>
  %c = arith.addf %a, %b : tensor<2x2xf32>
  %f = dist.all_reduce min %c on <@g>
      : (tensor<2x2xf32>) -> !dist.future<tensor<2x2xf32>>
  %d = dist.wait %f : !dist.future<tensor<2x2xf32>>
  %e = arith.addf %d, %one : tensor<2x2xf32>
  return %e : tensor<2x2xf32>
}

// -----
// The synchronous form, with the same value as source and destination.
// CASE: programs all_reduce_sum
// ARG: a
// ARG: b
// RESULT: expected[rank]
func.func @sum_in_place(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>)
    -> tensor<2x2xf32> {
  %one = arith.constant dense<1.0> : tensor<2x2xf32>
  %c = arith.addf %a, %b : tensor<2x2xf32>
  %d = dist.all_reduce_into sum %c into %c on <[[0, 1]]>
      : (tensor<2x2xf32>) into (tensor<2x2xf32>) -> tensor<2x2xf32>
  %e = arith.addf %d, %one : tensor<2x2xf32>
  return %e : tensor<2x2xf32>
}

// -----
// CASE: programs world1_collectives_fold
// ARG: a
// RESULT: expected[rank]
// RESULT: expected[rank]
// RESULT: expected[rank]
// RESULT: expected[rank]
func.func @group_of_one(%a: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %f = dist.all_reduce sum %a on <[[0]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %g = dist.all_gather %a dim 0 on <[[0]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %h = dist.reduce_scatter avg %a dim 0 on <[[0]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %i = dist.broadcast %a root 0 on <[[0]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %x = dist.wait %f : !dist.future<tensor<2xf32>>
  %y = dist.wait %g : !dist.future<tensor<2xf32>>
  %z = dist.wait %h : !dist.future<tensor<2xf32>>
  %w = dist.wait %i : !dist.future<tensor<2xf32>>
  return %x, %y, %z, %w
      : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----
// CASE: programs double_wait_same_future
// ARG: a
// RESULT: expected[rank]
func.func @waits_twice(%a: tensor<1xf32>) -> tensor<1xf32> {
  %f = dist.all_reduce sum %a on <[[0, 1]]>
      : (tensor<1xf32>) -> !dist.future<tensor<1xf32>>
  %x = dist.wait %f : !dist.future<tensor<1xf32>>
  %y = dist.wait %f : !dist.future<tensor<1xf32>>
  %z = arith.addf %x, %y : tensor<1xf32>
  return %z : tensor<1xf32>
}

// -----
// A second wait gets data of its own: the first result is overwritten before.
// CASE: programs double_wait_same_future
// ARG: a
// RESULT: expected[rank]
// RESULT: [-1.0]
func.func @waits_twice_and_writes(%a: tensor<1xf32>)
    -> (tensor<1xf32>, tensor<1xf32>) {
  %c0 = arith.constant 0 : index
  %minus = arith.constant -1.0 : f32
  %f = dist.all_reduce sum %a on <[[0, 1]]>
      : (tensor<1xf32>) -> !dist.future<tensor<1xf32>>
  %x = dist.wait %f : !dist.future<tensor<1xf32>>
  %kept = arith.addf %x, %x : tensor<1xf32>
  %written = tensor.insert %minus into %x[%c0] : tensor<1xf32>
  %y = dist.wait %f : !dist.future<tensor<1xf32>>
  %sum = arith.addf %y, %kept : tensor<1xf32>
  %z = arith.subf %sum, %y : tensor<1xf32>
  return %z, %written : tensor<1xf32>, tensor<1xf32>
}

// -----
// CASE: programs vjp_all_reduce_sum
// ARG: ct
// RESULT: expected["grad"][rank]
func.func @gradient_of_all_reduce(%ct: tensor<1xf32>) -> tensor<1xf32> {
  %f = dist.all_reduce sum %ct on <[[0, 1]]>
      : (tensor<1xf32>) -> !dist.future<tensor<1xf32>>
  %grad = dist.wait %f : !dist.future<tensor<1xf32>>
  return %grad : tensor<1xf32>
}
