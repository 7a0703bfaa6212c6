// RUN: dist-opt %s --dist-verify-schedule="max-in-flight=1 limits=pair:count=2;size:bytes=48,count=0" --verify-diagnostics --split-input-file

// What is in flight through loops, branches and calls.

dist.process_group @g ranks [[0, 1]]

// A reduction holds its place until its first wait, whoever has the future then.
func.func @waited_for_and_returned(%x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, !dist.future<tensor<4xf32>>) {
  %a = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %u = dist.wait %a : !dist.future<tensor<4xf32>>
  %b = dist.all_reduce max %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %v = dist.wait %b : !dist.future<tensor<4xf32>>
  return %u, %v, %a : tensor<4xf32>, tensor<4xf32>, !dist.future<tensor<4xf32>>
}

func.func @second_wait_does_not_count(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %u = dist.wait %a : !dist.future<tensor<4xf32>>
  %b = dist.all_reduce max %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %v = dist.wait %b : !dist.future<tensor<4xf32>>
  %w = dist.wait %a : !dist.future<tensor<4xf32>>
  return %u, %v, %w : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A gathered value that is returned as a future is memory until the end.
func.func @gather_waited_for_and_returned(%x: tensor<4xf32>)
    -> (tensor<8xf32>, tensor<4xf32>, !dist.future<tensor<8xf32>>) {
  %a = dist.all_gather %x dim 0 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %u = dist.wait %a : !dist.future<tensor<8xf32>>
  // expected-error@+1 {{is number 2 in flight on group g, expected at most 1}}
  %b = dist.all_reduce max %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %v = dist.wait %b : !dist.future<tensor<4xf32>>
  return %u, %v, %a : tensor<8xf32>, tensor<4xf32>, !dist.future<tensor<8xf32>>
}

dist.process_group @pair

dist.process_group @size

// -----

dist.process_group @g ranks [[0, 1]]

// The future of the iteration before is in flight until it is waited for.
func.func @back_edge(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%f = %a) -> !dist.future<tensor<4xf32>> {
    // expected-error@+1 {{is number 2 in flight on group g, expected at most 1}}
    %b = dist.all_reduce max %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    %u = dist.wait %f : !dist.future<tensor<4xf32>>
    scf.yield %b : !dist.future<tensor<4xf32>>
  }
  %w = dist.wait %r : !dist.future<tensor<4xf32>>
  return %w : tensor<4xf32>
}

func.func @back_edge_waited_for_first(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%f = %a) -> !dist.future<tensor<4xf32>> {
    %u = dist.wait %f : !dist.future<tensor<4xf32>>
    %b = dist.all_reduce max %u on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    scf.yield %b : !dist.future<tensor<4xf32>>
  }
  // expected-error@+1 {{is number 2 in flight on group g, expected at most 1}}
  %d = dist.all_reduce max %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %w = dist.wait %r : !dist.future<tensor<4xf32>>
  %v = dist.wait %d : !dist.future<tensor<4xf32>>
  %s = arith.addf %v, %w : tensor<4xf32>
  return %s : tensor<4xf32>
}

// The gathered value of the iteration before is read after the next start.
func.func @gather_over_the_back_edge(%x: tensor<4xf32>, %go: i1) -> tensor<8xf32> {
  %a = dist.all_gather %x dim 0 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %r = scf.while (%f = %a) : (!dist.future<tensor<8xf32>>) -> !dist.future<tensor<8xf32>> {
    scf.condition(%go) %f : !dist.future<tensor<8xf32>>
  } do {
  ^bb0(%f: !dist.future<tensor<8xf32>>):
    %u = dist.wait %f : !dist.future<tensor<8xf32>>
    // expected-error@+1 {{is number 2 in flight on group g, expected at most 1}}
    %b = dist.all_gather %x dim 0 on <@g> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
    %v = dist.opaque "read"(%u) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %b : !dist.future<tensor<8xf32>>
  }
  %w = dist.wait %r : !dist.future<tensor<8xf32>>
  return %w : tensor<8xf32>
}

dist.process_group @pair

dist.process_group @size

// -----

dist.process_group @g ranks [[0, 1]]

func.func @handed_out_by_a_branch(%x: tensor<4xf32>, %c: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %f = scf.if %c -> !dist.future<tensor<4xf32>> {
    %a = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    scf.yield %a : !dist.future<tensor<4xf32>>
  } else {
    %a = dist.all_reduce max %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    scf.yield %a : !dist.future<tensor<4xf32>>
  }
  // expected-error@+1 {{is number 2 in flight on group g, expected at most 1}}
  %b = dist.all_reduce max %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %u = dist.wait %f : !dist.future<tensor<4xf32>>
  %v = dist.wait %b : !dist.future<tensor<4xf32>>
  return %u, %v : tensor<4xf32>, tensor<4xf32>
}

// A branch that waits has room afterwards.
func.func @waited_for_in_a_branch(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %f = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = scf.if %c -> tensor<4xf32> {
    %u = dist.wait %f : !dist.future<tensor<4xf32>>
    %a = dist.all_reduce sum %u on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    %v = dist.wait %a : !dist.future<tensor<4xf32>>
    scf.yield %v : tensor<4xf32>
  } else {
    // expected-error@+1 {{is number 2 in flight on group g, expected at most 1}}
    %a = dist.all_reduce max %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    %u = dist.wait %f : !dist.future<tensor<4xf32>>
    %v = dist.wait %a : !dist.future<tensor<4xf32>>
    scf.yield %v : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

dist.process_group @pair

dist.process_group @size

// -----

dist.process_group @g ranks [[0, 1]]
dist.process_group @pair ranks [[0, 1], [2, 3]]

func.func private @reduces(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %u = dist.wait %a : !dist.future<tensor<4xf32>>
  return %u : tensor<4xf32>
}

func.func private @calls(%x: tensor<4xf32>) -> tensor<4xf32> {
  %u = call @reduces(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %u : tensor<4xf32>
}

// What a callee has in flight counts at the call, on its group only.
func.func @around_a_call(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %p = dist.all_reduce sum %x on <@pair> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %u = call @calls(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %a = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error@+1 {{'func.call' op brings the collectives to 2 in flight on group g, expected at most 1}}
  %v = call @calls(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %w = dist.wait %a : !dist.future<tensor<4xf32>>
  %s = dist.wait %p : !dist.future<tensor<4xf32>>
  return %u, %v, %w : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

func.func private @starts(%x: tensor<4xf32>) -> !dist.future<tensor<4xf32>> {
  %a = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return %a : !dist.future<tensor<4xf32>>
}

func.func private @hands_on(%f: !dist.future<tensor<4xf32>>) -> !dist.future<tensor<4xf32>> {
  return %f : !dist.future<tensor<4xf32>>
}

// A future that a call hands out is in flight until it is waited for.
func.func @handed_out_by_a_call(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = call @starts(%x) : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %f = call @hands_on(%a) : (!dist.future<tensor<4xf32>>) -> !dist.future<tensor<4xf32>>
  %p = dist.all_reduce sum %x on <@pair> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error@+1 {{is number 2 in flight on group g, expected at most 1}}
  %b = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %u = dist.wait %f : !dist.future<tensor<4xf32>>
  %v = dist.wait %b : !dist.future<tensor<4xf32>>
  %w = dist.wait %p : !dist.future<tensor<4xf32>>
  return %u, %v : tensor<4xf32>, tensor<4xf32>
}

// The callers are known: what comes in is on @pair and leaves @g alone.
func.func private @takes(%f: !dist.future<tensor<4xf32>>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %a = dist.all_reduce sum %x on <@g> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %v = dist.wait %a : !dist.future<tensor<4xf32>>
  %p = dist.all_reduce sum %v on <@pair> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error@+1 {{is number 3 in flight on group pair, expected at most 2}}
  %q = dist.all_reduce max %v on <@pair> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %u = dist.wait %f : !dist.future<tensor<4xf32>>
  %w = dist.wait %p : !dist.future<tensor<4xf32>>
  %z = dist.wait %q : !dist.future<tensor<4xf32>>
  %s = arith.addf %u, %w : tensor<4xf32>
  return %s : tensor<4xf32>
}

func.func @gives(%x: tensor<4xf32>) -> tensor<4xf32> {
  %p = dist.all_reduce sum %x on <@pair> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = call @takes(%p, %x) : (!dist.future<tensor<4xf32>>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

dist.process_group @size

// -----

dist.process_group @size ranks [[0, 1]]

// Bytes, over the back edge too: 32 for the gathered value, 16 for the other.
func.func @bytes(%x: tensor<4xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = dist.all_gather %x dim 0 on <@size> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%f = %a) -> !dist.future<tensor<8xf32>> {
    %s = dist.all_reduce sum %x on <@size> : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    %y = dist.wait %s : !dist.future<tensor<4xf32>>
    // expected-error@+1 {{brings the bytes to 64 in flight on group size, expected at most 48}}
    %b = dist.all_gather %y dim 0 on <@size> : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
    %u = dist.wait %f : !dist.future<tensor<8xf32>>
    scf.yield %b : !dist.future<tensor<8xf32>>
  }
  %w = dist.wait %r : !dist.future<tensor<8xf32>>
  return %w : tensor<8xf32>
}

dist.process_group @pair
