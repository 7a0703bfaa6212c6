// Case war_out_read_before_copy: the destination is an argument that is read
// before it is overwritten.
//
// RUN: %python %S/../run_program.py %s

// CASE: programs war_out_read_before_copy
// ARG: a
// ARG: b
// ARG: out
// RESULT: expected["z"][rank]
// RESULT: expected["out"][rank]
func.func @destination_is_an_argument(%a: tensor<1xf32>, %b: tensor<2xf32>,
                                      %out: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>) {
  %two = arith.constant dense<2.0> : tensor<2xf32>
  %f = dist.all_gather %a dim 0 on <[[0, 1]]>
      : (tensor<1xf32>) -> !dist.future<tensor<2xf32>>
  %u = dist.wait %f : !dist.future<tensor<2xf32>>
  %z = arith.addf %out, %u : tensor<2xf32>
  %new = arith.mulf %b, %two : tensor<2xf32>
  %written = bufferization.materialize_in_destination %new in %out
      : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %z, %written : tensor<2xf32>, tensor<2xf32>
}
