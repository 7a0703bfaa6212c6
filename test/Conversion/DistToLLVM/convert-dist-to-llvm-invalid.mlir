// RUN: dist-opt %s --convert-dist-to-llvm --split-input-file --verify-diagnostics

func.func @tensors(%m: memref<4xf32>) {
  %x = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  // expected-error @below {{'dist.all_reduce' op has an operand of type 'tensor<4xf32>', expected a memref; bufferize first}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

// -----

func.func @structured_control_flow(%x: memref<4xf32>, %out: memref<4xf32>,
                                   %p: i1) {
  scf.if %p {
    // expected-error @below {{'dist.all_reduce_into' op stands inside of 'scf.if', expected a block of a function; lower structured control flow first}}
    dist.all_reduce_into sum %x into %out on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32>)
  }
  return
}

// -----

func.func @wait_of_a_tensor(%f: !dist.future<tensor<4xf32>>) {
  // expected-error @below {{'dist.wait' op has a result of type 'tensor<4xf32>', expected a memref; bufferize first}}
  %y = dist.wait %f : !dist.future<tensor<4xf32>>
  return
}
