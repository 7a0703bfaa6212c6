func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %f = dist.all_reduce sum %x on <[[0, 1, 2, 3]]>
      : (tensor<8xf32>) -> !dist.future<tensor<8xf32>>
  %y = dist.wait %f : !dist.future<tensor<8xf32>>
  return %y : tensor<8xf32>
}
