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

func.func @collective_in_a_parallel_loop(%x: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error @below {{'dist.all_reduce_into' op stands inside of 'scf.parallel'}}
    dist.all_reduce_into sum %x into %x on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32>)
  }
  return
}

// -----

// Around the branch, not directly around the collective.
func.func @collective_in_a_branch_of_a_parallel_loop(%x: memref<4xf32>,
                                                     %n: index, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.if %p {
      // expected-error @below {{'dist.all_reduce_into' op stands inside of 'scf.parallel'}}
      dist.all_reduce_into sum %x into %x on <[[0, 1]]>
        : (memref<4xf32>) into (memref<4xf32>)
    }
  }
  return
}

// -----

func.func private @communicates(%x: memref<4xf32>) {
  dist.all_reduce_into sum %x into %x on <[[0, 1]]>
    : (memref<4xf32>) into (memref<4xf32>)
  return
}
func.func private @calls(%x: memref<4xf32>) {
  func.call @communicates(%x) : (memref<4xf32>) -> ()
  return
}
func.func @call_in_a_parallel_loop(%x: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error @below {{'func.call' op communicates and stands inside of 'scf.parallel'}}
    func.call @calls(%x) : (memref<4xf32>) -> ()
  }
  return
}

// -----

func.func private @unknown(!dist.future<memref<4xf32>>)
func.func @destination_goes_to_an_external_function(%x: memref<4xf32>) {
  // expected-error @below {{'dist.all_reduce' op destination 0 may be freed while the collective is in flight: a function takes the future and may hand it on}}
  // expected-remark @below {{copies source 0 at the start: a function takes the future and may hand it on}}
  %f = dist.all_reduce sum %x into %x on <[[0, 1]]>
    : (memref<4xf32>) into (memref<4xf32>) -> !dist.future<memref<4xf32>>
  func.call @unknown(%f) : (!dist.future<memref<4xf32>>) -> ()
  return
}

// -----

func.func @destination_leaves_a_public_function(%x: memref<4xf32>)
    -> !dist.future<memref<4xf32>> {
  // expected-error @below {{'dist.all_reduce' op destination 0 may be freed while the collective is in flight: a function that may be called from elsewhere returns the future}}
  // expected-remark @below {{copies source 0 at the start: a function that may be called from elsewhere returns the future}}
  %f = dist.all_reduce sum %x into %x on <[[0, 1]]>
    : (memref<4xf32>) into (memref<4xf32>) -> !dist.future<memref<4xf32>>
  return %f : !dist.future<memref<4xf32>>
}

// -----

dist.process_group @g
func.func @unregistered_operation(%x: tensor<4xf32>) {
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error @below {{'foreign.use' op takes a value of type '!dist.future<tensor<4xf32>>'; futures pass through scf.if, scf.for, scf.while, scf.index_switch, scf.execute_region, calls and returns only}}
  "foreign.use"(%f) : (!dist.future<tensor<4xf32>>) -> ()
  return
}

// -----

dist.process_group @g
func.func @start_in_a_parallel_loop(%x: tensor<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error @below {{'dist.all_reduce' op stands inside of 'scf.parallel', expected functions, scf.if, scf.for, scf.while, scf.index_switch, scf.execute_region and memref.alloca_scope only, which run in one order}}
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

func.func @future_out_of_a_scope(%x: memref<4xf32>, %out: memref<4xf32>) {
  %f = memref.alloca_scope -> (!dist.future<memref<4xf32>>) {
    %g = dist.all_reduce sum %x into %out on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32>) -> !dist.future<memref<4xf32>>
    // expected-error @below {{'memref.alloca_scope.return' op takes a value of type '!dist.future<memref<4xf32>>'; futures pass through}}
    memref.alloca_scope.return %g : !dist.future<memref<4xf32>>
  }
  %y = dist.wait %f : !dist.future<memref<4xf32>>
  return
}

// -----

module {
  module {
    func.func @nested(%x: memref<4xf32>) {
      // expected-error @below {{'dist.all_reduce_into' op stands inside of 'builtin.module', expected a function of the module that is lowered}}
      dist.all_reduce_into sum %x into %x on <[[0, 1]]>
        : (memref<4xf32>) into (memref<4xf32>)
      return
    }
  }
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
