// RUN: dist-opt %s --dist-verify-schedule="max-in-flight=1 limits=pair:count=2" --verify-diagnostics --split-input-file

dist.process_group @g ranks [[0, 1]]

// A gather counts until its last reader, whatever it is looked at through.
func.func @gather_counts_until_its_last_reader(%x: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = dist.all_gather %x dim 0 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %u = dist.wait %a : !dist.future<tensor<8xf32>>
  %v = tensor.expand_shape %u [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  // expected-error@+1 {{'dist.all_gather' op is number 2 in flight on group g, expected at most 1}}
  %b = dist.all_gather %x dim 0 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %r = dist.opaque "read"(%v) : (tensor<2x4xf32>) -> tensor<8xf32>
  %w = dist.wait %b : !dist.future<tensor<8xf32>>
  return %r, %w : tensor<8xf32>, tensor<8xf32>
}

// A reduction only until its wait.
func.func @reduction_counts_until_its_wait(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %u = dist.wait %a : !dist.future<tensor<4xf32>>
  %b = dist.all_reduce max %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %w = dist.wait %b : !dist.future<tensor<4xf32>>
  return %u, %w : tensor<4xf32>, tensor<4xf32>
}

dist.process_group @pair

// -----

dist.process_group @pair ranks [[0, 1]]

func.func @around_a_loop(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = dist.all_reduce sum %x on <@pair> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> tensor<4xf32> {
    %b = dist.all_reduce sum %t on <@pair> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    // expected-error@+1 {{is number 3 in flight on group pair, expected at most 2}}
    %c = dist.all_reduce max %t on <@pair> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    %u = dist.wait %b : !dist.future<tensor<4xf32>>
    %v = dist.wait %c : !dist.future<tensor<4xf32>>
    %s = arith.addf %u, %v : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  %w = dist.wait %a : !dist.future<tensor<4xf32>>
  %s = arith.addf %r, %w : tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

dist.process_group @pair ranks [[0, 1]]

// A future of the caller is in flight at entry.
func.func @future_of_the_caller(%f: !dist.future<tensor<4xf32>>, %x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = dist.all_reduce sum %x on <@pair> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error@+1 {{is number 3 in flight on group pair, expected at most 2}}
  %b = dist.all_reduce max %x on <@pair> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %u = dist.wait %f : !dist.future<tensor<4xf32>>
  %v = dist.wait %a : !dist.future<tensor<4xf32>>
  %w = dist.wait %b : !dist.future<tensor<4xf32>>
  return %u, %v, %w : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
