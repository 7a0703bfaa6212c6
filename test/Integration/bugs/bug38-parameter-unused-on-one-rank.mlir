// bug38-parameter-unused-on-one-rank: one rank has no gradient for a parameter.
// The reduction stands outside of the branch and divides by the world.
//
// RUN: %python %S/../run_program.py %s

// CASE: bugs bug38-parameter-unused-on-one-rank
// ARG: inputs["g1"][rank]
// ARG: inputs["g2"][0]
// RESULT: expected["p1"][rank]
// RESULT: expected["p2"][rank]
func.func @zeros_stand_for_it(%g1: tensor<2xf32>, %g: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : tensor<2xf32>
  %rank = dist.rank : index
  %used = arith.cmpi eq, %rank, %c0 : index
  %g2 = scf.if %used -> tensor<2xf32> {
    scf.yield %g : tensor<2xf32>
  } else {
    scf.yield %zeros : tensor<2xf32>
  }
  %f:2 = dist.all_reduce avg %g1, %g2 on <[[0, 1]]>
      : (tensor<2xf32>, tensor<2xf32>)
      -> !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>
  %p1, %p2 = dist.wait %f#0, %f#1
      : !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>
  return %p1, %p2 : tensor<2xf32>, tensor<2xf32>
}

// -----
// One flat bucket over both.
// CASE: bugs bug38-parameter-unused-on-one-rank
// ARG: inputs["g1"][rank]
// ARG: inputs["g2"][0]
// RESULT: expected["p1"][rank]
// RESULT: expected["p2"][rank]
func.func @flat_bucket(%g1: tensor<2xf32>, %g: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : tensor<2xf32>
  %rank = dist.rank : index
  %used = arith.cmpi eq, %rank, %c0 : index
  %g2 = scf.if %used -> tensor<2xf32> {
    scf.yield %g : tensor<2xf32>
  } else {
    scf.yield %zeros : tensor<2xf32>
  }
  %flat = tensor.concat dim(0) %g1, %g2
      : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %f = dist.all_reduce avg %flat on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %mean = dist.wait %f : !dist.future<tensor<4xf32>>
  %p1 = tensor.extract_slice %mean[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %p2 = tensor.extract_slice %mean[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %p1, %p2 : tensor<2xf32>, tensor<2xf32>
}
