// Cases broadcast_root0, fsdp_broadcast_then_shard.
//
// RUN: %python %S/../run_program.py %s

// CASE: programs broadcast_root0
// ARG: a
// ARG: b
// RESULT: expected[rank]
func.func @value_of_root(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>)
    -> tensor<2x2xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<2x2xf32>
  %wrong = arith.constant dense<888.0> : tensor<2x2xf32>
  %rank = dist.rank : index
  %is_root = arith.cmpi eq, %rank, %c0 : index
  %c = scf.if %is_root -> tensor<2x2xf32> {
    %sum = arith.addf %a, %b : tensor<2x2xf32>
    scf.yield %sum : tensor<2x2xf32>
  } else {
    %product = arith.mulf %a, %b : tensor<2x2xf32>
    %other = arith.addf %product, %wrong : tensor<2x2xf32>
    scf.yield %other : tensor<2x2xf32>
  }
  %f = dist.broadcast %c root 0 on <[[0, 1]]>
      : (tensor<2x2xf32>) -> !dist.future<tensor<2x2xf32>>
  %d = dist.wait %f : !dist.future<tensor<2x2xf32>>
  %e = arith.addf %d, %one : tensor<2x2xf32>
  return %e : tensor<2x2xf32>
}

// -----
// CASE: programs broadcast_root0
// ARG: a
// ARG: b
// RESULT: expected[rank]
func.func @in_place(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>)
    -> tensor<2x2xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<2x2xf32>
  %wrong = arith.constant dense<888.0> : tensor<2x2xf32>
  %rank = dist.rank : index
  %is_root = arith.cmpi eq, %rank, %c0 : index
  %sum = arith.addf %a, %b : tensor<2x2xf32>
  %product = arith.mulf %a, %b : tensor<2x2xf32>
  %other = arith.addf %product, %wrong : tensor<2x2xf32>
  %c = arith.select %is_root, %sum, %other : tensor<2x2xf32>
  %d = dist.broadcast_into %c into %c root 0 on <[[0, 1]]>
      : (tensor<2x2xf32>) into (tensor<2x2xf32>) -> tensor<2x2xf32>
  %e = arith.addf %d, %one : tensor<2x2xf32>
  return %e : tensor<2x2xf32>
}

// -----
// One launch broadcasts the parameter and the buffer; each rank keeps its shard
// of the parameter.
// CASE: programs fsdp_broadcast_then_shard
// ARG: w
// ARG: buf
// RESULT: expected["shards"][rank]
// RESULT: expected["buf"][rank]
func.func @then_shard(%w: tensor<4x3xf32>, %buf: tensor<1xf32>)
    -> (tensor<2x3xf32>, tensor<1xf32>) {
  %c2 = arith.constant 2 : index
  %f:2 = dist.broadcast %w, %buf root 0 on <[[0, 1]]>
      : (tensor<4x3xf32>, tensor<1xf32>)
      -> !dist.future<tensor<4x3xf32>>, !dist.future<tensor<1xf32>>
  %all, %buffer = dist.wait %f#0, %f#1
      : !dist.future<tensor<4x3xf32>>, !dist.future<tensor<1xf32>>
  %rank = dist.rank : index
  %first = arith.muli %rank, %c2 : index
  %shard = tensor.extract_slice %all[%first, 0] [2, 3] [1, 1]
      : tensor<4x3xf32> to tensor<2x3xf32>
  return %shard, %buffer : tensor<2x3xf32>, tensor<1xf32>
}
