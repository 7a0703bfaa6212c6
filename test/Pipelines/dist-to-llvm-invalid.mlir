// RUN: dist-opt %s --dist-to-llvm --split-input-file --verify-diagnostics --allow-unregistered-dialect

func.func @no_callee(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{"relu" has no callee}}
  %c = dist.opaque "relu"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}

// -----

func.func @foreign(%x: tensor<4xf32>) {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error @below {{'foreign.use' op takes a value of type '!dist.future<tensor<4xf32>>'}}
  "foreign.use"(%f) : (!dist.future<tensor<4xf32>>) -> ()
  return
}
