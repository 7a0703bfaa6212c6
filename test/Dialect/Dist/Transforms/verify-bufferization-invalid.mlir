// RUN: dist-opt %s --dist-verify-bufferization --split-input-file --verify-diagnostics

func.func @wait_without_keep(%m: memref<4xf32>) {
  // expected-note @below {{the collective starts here}}
  %f = dist.all_reduce sum %m on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error @below {{'dist.drop' op source 0 of dist.all_reduce may be overwritten or freed in flight: nothing keeps it up to here}}
  dist.drop %f : !dist.future<tensor<4xf32>>
  return
}

// -----

func.func @keep_of_another_buffer(%m: memref<4xf32>, %n: memref<4xf32>) {
  // expected-note @below {{the collective starts here}}
  %f = dist.all_reduce sum %m on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error @below {{source 0 of dist.all_reduce may be overwritten or freed in flight: nothing keeps it up to here}}
  dist.drop %f keeps(%n : memref<4xf32>) : !dist.future<tensor<4xf32>>
  return
}

// -----

func.func @keep_of_one_end_of_a_select(%a: memref<4xf32>, %b: memref<4xf32>,
                                       %p: i1) {
  %x = arith.select %p, %a, %b : memref<4xf32>
  // expected-note @below {{the collective starts here}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error @below {{nothing keeps it up to here}}
  dist.drop %f keeps(%a : memref<4xf32>) : !dist.future<tensor<4xf32>>
  return
}

// -----

func.func private @waiter(%f: !dist.future<tensor<4xf32>>) {
  dist.drop %f : !dist.future<tensor<4xf32>>
  return
}
func.func @call_without_keep(%m: memref<4xf32>) {
  // expected-note @below {{the collective starts here}}
  %f = dist.all_reduce sum %m on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error @below {{'func.call' op source 0 of dist.all_reduce may be overwritten or freed in flight: nothing keeps it beyond this call}}
  call @waiter(%f) : (!dist.future<tensor<4xf32>>) -> ()
  return
}

// -----

func.func @source_of_an_iteration(%m: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = dist.all_reduce sum %m on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%g = %f)
      -> (!dist.future<tensor<4xf32>>) {
    dist.drop %g keeps(%m : memref<4xf32>) : !dist.future<tensor<4xf32>>
    %x = memref.alloc() : memref<4xf32>
    // expected-note @below {{the collective starts here}}
    // expected-error @below {{source 0 of dist.all_reduce may be overwritten or freed in flight: it does not outlive the future}}
    %next = dist.all_reduce sum %x on <[[0, 1]]>
      : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
    scf.yield %next : !dist.future<tensor<4xf32>>
  }
  dist.drop %r keeps(%m : memref<4xf32>) : !dist.future<tensor<4xf32>>
  return
}

// -----

func.func @lost(%m: memref<4xf32>) {
  // expected-note @below {{the future is made here}}
  %f = dist.all_reduce sum %m on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error @below {{'func.return' op is reached with a future in flight that nothing waits for or drops}}
  return
}

// -----

func.func @lost_without_an_else(%m: memref<4xf32>, %p: i1) {
  // expected-note @below {{the future is made here}}
  %f = dist.all_reduce sum %m on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error @below {{'scf.if' op has no else, where a future would stay in flight that nothing waits for or drops}}
  scf.if %p {
    dist.drop %f keeps(%m : memref<4xf32>) : !dist.future<tensor<4xf32>>
  }
  return
}

// -----

func.func @consumed_twice(%m: memref<4xf32>) {
  // expected-note @below {{the future is made here}}
  %f = dist.all_reduce sum %m on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-note @below {{consumed here}}
  dist.drop %f keeps(%m : memref<4xf32>) : !dist.future<tensor<4xf32>>
  // expected-error @below {{'dist.drop' op consumes a future that is consumed before, expected a dist.dup}}
  dist.drop %f keeps(%m : memref<4xf32>) : !dist.future<tensor<4xf32>>
  return
}

// -----

func.func @consumed_in_a_loop(%m: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = dist.all_reduce sum %m on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{'dist.drop' op consumes a future from outside of a region that may run any number of times}}
    dist.drop %f keeps(%m : memref<4xf32>) : !dist.future<tensor<4xf32>>
  }
  return
}

// -----

func.func @another_block(%m: memref<4xf32>) {
  %f = dist.all_reduce sum %m on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  cf.br ^next
^next:
  // expected-error @below {{'dist.drop' op uses a future of another block, expected one block per region}}
  dist.drop %f keeps(%m : memref<4xf32>) : !dist.future<tensor<4xf32>>
  return
}

// -----

func.func @donated_and_used(%v: f32) {
  %m = memref.alloc() : memref<8xf32>
  %x = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  // expected-note @below {{the collective starts here}}
  %f = dist.all_reduce sum %x on <[[0, 1]]> {source_modes = [#dist.source<donate>]}
    : (memref<4xf32, strided<[1]>>) -> !dist.future<tensor<4xf32>>
  %z = memref.subview %m[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  // expected-error @below {{'linalg.fill' op uses a buffer that was given away, source 0 of dist.all_reduce}}
  linalg.fill ins(%v : f32) outs(%z : memref<4xf32, strided<[1], offset: 4>>)
  dist.drop %f : !dist.future<tensor<4xf32>>
  return
}

// -----

func.func @source_written(%m: memref<4xf32>, %v: f32) {
  // expected-note @below {{the collective starts here}}
  %f = dist.all_reduce sum %m on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error @below {{'linalg.fill' op writes source 0 of dist.all_reduce, which is in flight}}
  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
  dist.drop %f keeps(%m : memref<4xf32>) : !dist.future<tensor<4xf32>>
  return
}

// -----

func.func @source_written_in_a_branch(%m: memref<4xf32>, %v: f32, %p: i1,
                                      %i: index) {
  // expected-note @below {{the collective starts here}}
  %f = dist.all_reduce sum %m on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-error @below {{'scf.if' op writes source 0 of dist.all_reduce, which is in flight}}
  scf.if %p {
    memref.store %v, %m[%i] : memref<4xf32>
  }
  dist.drop %f keeps(%m : memref<4xf32>) : !dist.future<tensor<4xf32>>
  return
}

// -----

func.func @base_freed() {
  %m = memref.alloc() : memref<8xf32>
  %x = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  // expected-note @below {{the collective starts here}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
    : (memref<4xf32, strided<[1]>>) -> !dist.future<tensor<4xf32>>
  // expected-error @below {{'memref.dealloc' op frees source 0 of dist.all_reduce, which is in flight}}
  memref.dealloc %m : memref<8xf32>
  dist.drop %f keeps(%m : memref<8xf32>) : !dist.future<tensor<4xf32>>
  return
}

// -----

func.func @destination_read(%m: memref<4xf32>, %out: memref<4xf32>, %i: index)
    -> f32 {
  // expected-note @below {{the collective starts here}}
  %f = dist.all_reduce sum %m into %out on <[[0, 1]]>
    : (memref<4xf32>) into (memref<4xf32>) -> !dist.future<memref<4xf32>>
  // expected-error @below {{'memref.load' op reads destination 0 of dist.all_reduce, which is in flight}}
  %e = memref.load %out[%i] : memref<4xf32>
  %y = dist.wait %f keeps(%m : memref<4xf32>) into(%out : memref<4xf32>)
    : !dist.future<memref<4xf32>>
  return %e : f32
}
