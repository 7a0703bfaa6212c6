// bug23-order-inside-a-group: a root is a position in the group.
//
// RUN: dist-opt %s --verify-diagnostics

func.func @root_2_of_a_group_of_two(%x: tensor<1xi32>) {
  // expected-error @+1 {{has root 2, expected a position in a group of size 2}}
  %f = dist.broadcast %x root 2 on <[[0, 1], [2, 3]]>
      : (tensor<1xi32>) -> !dist.future<tensor<1xi32>>
  return
}
