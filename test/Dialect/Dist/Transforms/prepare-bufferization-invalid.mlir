// RUN: dist-opt %s --dist-prepare-bufferization --split-input-file --verify-diagnostics --allow-unregistered-dialect

dist.process_group @g
func.func @several_blocks(%x: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  // expected-error @below {{'dist.all_reduce' op uses a value of type 'tensor<4xf32>' in a region of several blocks, expected one block; lift-cf-to-scf did not lift it}}
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  cf.cond_br %p, ^left, ^right
^left:
  %y = dist.wait %f : !dist.future<tensor<4xf32>>
  return %y : tensor<4xf32>
^right:
  return %x : tensor<4xf32>
}

// -----

dist.process_group @g
func.func private @unknown(!dist.future<tensor<4xf32>>)
func.func @external_function(%x: tensor<4xf32>) {
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error @below {{'func.call' op takes a value of type '!dist.future<tensor<4xf32>>', but @unknown has no body}}
  func.call @unknown(%f) : (!dist.future<tensor<4xf32>>) -> ()
  return
}

// -----

dist.process_group @g
func.func @unregistered_operation(%x: tensor<4xf32>) {
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error @below {{'foreign.use' op takes a value of type '!dist.future<tensor<4xf32>>'; futures pass through scf.if, scf.for, scf.while, scf.index_switch, calls and returns only}}
  "foreign.use"(%f) : (!dist.future<tensor<4xf32>>) -> ()
  return
}

// -----

dist.process_group @g
func.func @start_in_a_parallel_loop(%x: tensor<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error @below {{'dist.all_reduce' op stands inside of 'scf.parallel'; futures pass through scf.if, scf.for, scf.while, scf.index_switch, calls and returns only}}
    %f = dist.all_reduce sum %x on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    %y = dist.wait %f : !dist.future<tensor<4xf32>>
  }
  return
}

// -----

dist.process_group @g
func.func @wait_in_a_forall(%x: tensor<4xf32>, %n: index) {
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  scf.forall (%i) in (%n) {
    // expected-error @below {{'dist.wait' op stands inside of 'scf.forall'}}
    %y = dist.wait %f : !dist.future<tensor<4xf32>>
  }
  return
}

// -----

dist.process_group @g
func.func @future_out_of_a_region(%x: tensor<4xf32>) -> tensor<4xf32> {
  %f = scf.execute_region -> !dist.future<tensor<4xf32>> {
    // expected-error @below {{'dist.all_reduce' op stands inside of 'scf.execute_region'}}
    %g = dist.all_reduce sum %x on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    scf.yield %g : !dist.future<tensor<4xf32>>
  }
  %y = dist.wait %f : !dist.future<tensor<4xf32>>
  return %y : tensor<4xf32>
}

// -----

func.func @frees_memory_and_computes_with_tensors(
    // expected-note @below {{has a value of type 'tensor<4xf32>'}}
    %x: tensor<4xf32>, %i: index) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  %a = tensor.extract %x[%i] : tensor<4xf32>
  // expected-error @below {{'memref.dealloc' op frees memory in a function that computes with tensors, whose buffers nothing would free}}
  memref.dealloc %m : memref<4xf32>
  return %a : f32
}

// -----

dist.process_group @g
func.func @destination_of_an_iteration(%x: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<4xf32>
  %f = dist.all_reduce sum %x into %first on <@g>
    : (memref<4xf32>) into (memref<4xf32>) -> !dist.future<memref<4xf32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%g = %f)
      -> (!dist.future<memref<4xf32>>) {
    %y = dist.wait %g : !dist.future<memref<4xf32>>
    %out = memref.alloc() : memref<4xf32>
    // expected-error @below {{'dist.all_reduce' op destination 0 may be freed while the collective is in flight: it does not outlive the future}}
    %next = dist.all_reduce sum %x into %out on <@g>
      : (memref<4xf32>) into (memref<4xf32>) -> !dist.future<memref<4xf32>>
    scf.yield %next : !dist.future<memref<4xf32>>
  }
  %y = dist.wait %r : !dist.future<memref<4xf32>>
  return
}
