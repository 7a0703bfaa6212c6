// RUN: dist-opt %s --dist-verify-schedule --verify-diagnostics --split-input-file -o /dev/null

// Two names of one buffer.

memref.global @buffer : memref<4xi32>
memref.global @other : memref<4xi32>

func.func @two_names_of_a_global(%v: i32, %i: index) {
  %a = memref.get_global @buffer : memref<4xi32>
  // expected-note@+1 {{started here}}
  %f = dist.all_reduce sum %a into %a on <[[0, 1]]>
      : (memref<4xi32>) into (memref<4xi32>) -> !dist.future<memref<4xi32>>
  %c = memref.get_global @other : memref<4xi32>
  memref.store %v, %c[%i] : memref<4xi32>
  %b = memref.get_global @buffer : memref<4xi32>
  // expected-error@+1 {{writes buffer @buffer while the all_reduce}}
  memref.store %v, %b[%i] : memref<4xi32>
  %w = dist.wait %f : !dist.future<memref<4xi32>>
  return
}

// -----

memref.global @buffer : memref<4xi32>

func.func @global_over_the_back_edge(%v: i32, %c0: index, %c1: index, %n: index) {
  %a = memref.get_global @buffer : memref<4xi32>
  // expected-note@+1 {{started here}}
  %f0 = dist.all_reduce sum %a into %a on <[[0, 1]]>
      : (memref<4xi32>) into (memref<4xi32>) -> !dist.future<memref<4xi32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%f = %f0) -> !dist.future<memref<4xi32>> {
    %b = memref.get_global @buffer : memref<4xi32>
    // expected-error@+1 {{writes buffer @buffer while the all_reduce}}
    memref.store %v, %b[%c0] : memref<4xi32>
    %w = dist.wait %f : !dist.future<memref<4xi32>>
    %g = dist.all_reduce sum %b into %b on <[[0, 1]]>
        : (memref<4xi32>) into (memref<4xi32>) -> !dist.future<memref<4xi32>>
    scf.yield %g : !dist.future<memref<4xi32>>
  }
  %w = dist.wait %r : !dist.future<memref<4xi32>>
  return
}

// -----

// Whichever of the two it is.
func.func @the_selected_one(%a: memref<4xi32>, %b: memref<4xi32>, %c: i1, %v: i32, %i: index) {
  %s = arith.select %c, %a, %b : memref<4xi32>
  // expected-note@+1 {{started here}}
  %f = dist.all_reduce sum %s into %s on <[[0, 1]]>
      : (memref<4xi32>) into (memref<4xi32>) -> !dist.future<memref<4xi32>>
  // expected-error@+1 {{writes buffer %arg0 while the all_reduce}}
  memref.store %v, %s[%i] : memref<4xi32>
  %w = dist.wait %f : !dist.future<memref<4xi32>>
  return
}

// -----

func.func @both_in_flight(%a: memref<4xi32>, %b: memref<4xi32>, %c: i1, %v: i32, %i: index) {
  // expected-note@+1 {{started here}}
  %f = dist.all_reduce sum %a into %a on <[[0, 1]]>
      : (memref<4xi32>) into (memref<4xi32>) -> !dist.future<memref<4xi32>>
  // expected-note@+1 {{started here}}
  %g = dist.all_reduce sum %b into %b on <[[0, 1]]>
      : (memref<4xi32>) into (memref<4xi32>) -> !dist.future<memref<4xi32>>
  %s = arith.select %c, %a, %b : memref<4xi32>
  // expected-remark@+2 {{may race: writes buffer %arg0}}
  // expected-error@+1 {{writes buffer %arg1 while the all_reduce}}
  memref.store %v, %s[%i] : memref<4xi32>
  %w = dist.wait %f : !dist.future<memref<4xi32>>
  %x = dist.wait %g : !dist.future<memref<4xi32>>
  return
}

// -----

func.func @one_of_two_in_flight(%a: memref<4xi32>, %b: memref<4xi32>, %c: i1, %v: i32, %i: index) {
  // expected-note@+1 {{started here}}
  %f = dist.all_reduce sum %a into %a on <[[0, 1]]>
      : (memref<4xi32>) into (memref<4xi32>) -> !dist.future<memref<4xi32>>
  %s = arith.select %c, %a, %b : memref<4xi32>
  // expected-remark@+1 {{may race: writes buffer %arg0 while the all_reduce}}
  memref.store %v, %s[%i] : memref<4xi32>
  %w = dist.wait %f : !dist.future<memref<4xi32>>
  memref.store %v, %s[%i] : memref<4xi32>
  return
}

// -----

// A tensor that shows a buffer is stored to as a buffer again.
func.func @through_a_tensor(%a: memref<4xi32>, %v: i32, %c0: index, %c1: index, %n: index) {
  %t = bufferization.to_tensor %a restrict writable : memref<4xi32> to tensor<4xi32>
  %m = bufferization.to_buffer %t : tensor<4xi32> to memref<4xi32>
  // expected-note@+1 {{started here}}
  %f0 = dist.all_reduce sum %a into %a on <[[0, 1]]>
      : (memref<4xi32>) into (memref<4xi32>) -> !dist.future<memref<4xi32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%f = %f0) -> !dist.future<memref<4xi32>> {
    // expected-error@+1 {{writes buffer %arg0 while the all_reduce}}
    memref.store %v, %m[%c0] : memref<4xi32>
    %w = dist.wait %f : !dist.future<memref<4xi32>>
    %g = dist.all_reduce sum %a into %a on <[[0, 1]]>
        : (memref<4xi32>) into (memref<4xi32>) -> !dist.future<memref<4xi32>>
    scf.yield %g : !dist.future<memref<4xi32>>
  }
  %w = dist.wait %r : !dist.future<memref<4xi32>>
  return
}

// -----

// The same with buffers in turn, of which the wrong one is written.
func.func @in_turn_through_a_tensor(%a: memref<4xi32>, %b: memref<4xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-note@+1 {{started here}}
  %f0 = dist.all_reduce sum %a into %a on <[[0, 1]]>
      : (memref<4xi32>) into (memref<4xi32>) -> !dist.future<memref<4xi32>>
  %r:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%this = %a, %next = %b, %f = %f0)
      -> (memref<4xi32>, memref<4xi32>, !dist.future<memref<4xi32>>) {
    %t = bufferization.to_tensor %this restrict writable : memref<4xi32> to tensor<4xi32>
    %m = bufferization.to_buffer %t : tensor<4xi32> to memref<4xi32>
    // expected-error@+1 {{writes buffer %arg0 while the all_reduce}}
    memref.store %v, %m[%c0] : memref<4xi32>
    %g = dist.all_reduce sum %next into %next on <[[0, 1]]>
        : (memref<4xi32>) into (memref<4xi32>) -> !dist.future<memref<4xi32>>
    %w = dist.wait %f : !dist.future<memref<4xi32>>
    scf.yield %next, %this, %g : memref<4xi32>, memref<4xi32>, !dist.future<memref<4xi32>>
  }
  %w = dist.wait %r#2 : !dist.future<memref<4xi32>>
  return
}

// -----

// A source of the iteration before.
func.func @source_over_the_back_edge(%a: memref<4xi32>, %v: i32, %c0: index, %c1: index, %n: index) {
  // expected-note@+1 {{started here}}
  %f0 = dist.all_gather %a dim 0 on <[[0, 1]]>
      : (memref<4xi32>) -> !dist.future<tensor<8xi32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%f = %f0) -> !dist.future<tensor<8xi32>> {
    // expected-error@+1 {{writes buffer %arg0 while the all_gather of %arg0 (memref<4xi32>) is in flight, whose source it is}}
    memref.store %v, %a[%c0] : memref<4xi32>
    %w = dist.wait %f : !dist.future<tensor<8xi32>>
    %g = dist.all_gather %a dim 0 on <[[0, 1]]>
        : (memref<4xi32>) -> !dist.future<tensor<8xi32>>
    scf.yield %g : !dist.future<tensor<8xi32>>
  }
  %w = dist.wait %r : !dist.future<tensor<8xi32>>
  return
}

// -----

// Sources in turn: no alarm.
func.func @sources_in_turn(%a: memref<4xi32>, %b: memref<4xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %f0 = dist.all_gather %a dim 0 on <[[0, 1]]>
      : (memref<4xi32>) -> !dist.future<tensor<8xi32>>
  %r:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%this = %a, %next = %b, %f = %f0)
      -> (memref<4xi32>, memref<4xi32>, !dist.future<tensor<8xi32>>) {
    memref.store %v, %next[%c0] : memref<4xi32>
    %g = dist.all_gather %next dim 0 on <[[0, 1]]>
        : (memref<4xi32>) -> !dist.future<tensor<8xi32>>
    %w = dist.wait %f : !dist.future<tensor<8xi32>>
    scf.yield %next, %this, %g : memref<4xi32>, memref<4xi32>, !dist.future<tensor<8xi32>>
  }
  %w = dist.wait %r#2 : !dist.future<tensor<8xi32>>
  return
}
