// bug26-replica-groups-meaning: the groups that the three modes stand for, as dist
// names them, and what a sum gives on each.
//
// RUN: %python %S/../run_program.py %s

// CASE: bugs bug26-replica-groups-meaning
// RANKS: 2
// ARG: i32(inputs["x"][rank])
// RESULT: expected["a"][rank]
// RESULT: expected["b"][rank]
// RESULT: expected["c"][rank]
// RESULT: [len(expected["a_group"][0]), len(expected["b_group"][0]), len(expected["c_group"][0])]
func.func @groups(%x: tensor<2xi32>)
    -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<3xindex>) {
  %a = dist.all_reduce sum %x on <[[0, 1]], tag = "37">
      : (tensor<2xi32>) -> !dist.future<tensor<2xi32>>
  %b = dist.all_reduce sum %x on <[[0], [1]]>
      : (tensor<2xi32>) -> !dist.future<tensor<2xi32>>
  %c = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xi32>) -> !dist.future<tensor<2xi32>>
  %sum_a = dist.wait %a : !dist.future<tensor<2xi32>>
  %sum_b = dist.wait %b : !dist.future<tensor<2xi32>>
  %sum_c = dist.wait %c : !dist.future<tensor<2xi32>>
  %size_a = dist.group_size on <[[0, 1]], tag = "37"> : index
  %size_b = dist.group_size on <[[0], [1]]> : index
  %size_c = dist.group_size on <[[0, 1]]> : index
  %sizes = tensor.from_elements %size_a, %size_b, %size_c : tensor<3xindex>
  return %sum_a, %sum_b, %sum_c, %sizes
      : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<3xindex>
}
