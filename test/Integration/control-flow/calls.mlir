// Collectives and futures through recursion, pointers to functions and references.
//
// RUN: %python %S/../run_program.py %s

// Direct recursion with futures.
// ARG: [1 + rank, 2]
// ARG: index(3)
// RESULT: [24, 32]
func.func private @rec(%f: !dist.future<tensor<2xf32>>, %n: index) -> !dist.future<tensor<2xf32>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %more = arith.cmpi sgt, %n, %c0 : index
  %r = scf.if %more -> !dist.future<tensor<2xf32>> {
    %y = dist.wait %f : !dist.future<tensor<2xf32>>
    %g = dist.all_reduce sum %y on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %m = arith.subi %n, %c1 : index
    %h = func.call @rec(%g, %m)
        : (!dist.future<tensor<2xf32>>, index) -> !dist.future<tensor<2xf32>>
    scf.yield %h : !dist.future<tensor<2xf32>>
  } else {
    scf.yield %f : !dist.future<tensor<2xf32>>
  }
  return %r : !dist.future<tensor<2xf32>>
}
func.func @main(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %r = func.call @rec(%f, %n)
      : (!dist.future<tensor<2xf32>>, index) -> !dist.future<tensor<2xf32>>
  %y = dist.wait %r : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}

// -----

// Recursion on memrefs.
// ARG: [1 + rank, 2]
// ARG: index(3)
// AFTER 0: [3*4, 4*4]
func.func private @recm(%x: memref<2xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %more = arith.cmpi sgt, %n, %c0 : index
  scf.if %more {
    dist.all_reduce_into sum %x into %x on <[[0, 1]]>
        : (memref<2xf32>) into (memref<2xf32>)
    %m = arith.subi %n, %c1 : index
    func.call @recm(%x, %m) : (memref<2xf32>, index) -> ()
  }
  return
}
func.func @main(%x: memref<2xf32>, %n: index) {
  func.call @recm(%x, %n) : (memref<2xf32>, index) -> ()
  return
}

// -----

// Recursion of tensors, no futures crossing.
// ARG: [1 + rank, 2]
// ARG: index(3)
// RESULT: [12, 16]
func.func private @rect(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %more = arith.cmpi sgt, %n, %c0 : index
  %r = scf.if %more -> tensor<2xf32> {
    %f = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %y = dist.wait %f : !dist.future<tensor<2xf32>>
    %m = arith.subi %n, %c1 : index
    %z = func.call @rect(%y, %m) : (tensor<2xf32>, index) -> tensor<2xf32>
    scf.yield %z : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %r = func.call @rect(%x, %n) : (tensor<2xf32>, index) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// Mutual recursion carrying a future of a memref.
// ARG: [1 + rank, 2]
// ARG: index(3)
// AFTER 0: [3*4, 4*4]
func.func private @a(%f: !dist.future<memref<2xf32>>, %x: memref<2xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = dist.wait %f : !dist.future<memref<2xf32>>
  %more = arith.cmpi sgt, %n, %c0 : index
  scf.if %more {
    %m = arith.subi %n, %c1 : index
    func.call @b(%x, %m) : (memref<2xf32>, index) -> ()
  }
  return
}
func.func private @b(%x: memref<2xf32>, %n: index) {
  %f = dist.all_reduce sum %x into %x on <[[0, 1]]>
      : (memref<2xf32>) into (memref<2xf32>) -> !dist.future<memref<2xf32>>
  func.call @a(%f, %x, %n)
      : (!dist.future<memref<2xf32>>, memref<2xf32>, index) -> ()
  return
}
func.func @mutual(%x: memref<2xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %m = arith.subi %n, %c1 : index
  func.call @b(%x, %m) : (memref<2xf32>, index) -> ()
  return
}

// -----

// call_indirect of a function with collectives on memrefs.
// ARG: [1 + rank, 2]
// AFTER 0: [3, 4]
func.func private @target(%x: memref<2xf32>) {
  dist.all_reduce_into sum %x into %x on <[[0, 1]]>
      : (memref<2xf32>) into (memref<2xf32>)
  return
}
func.func private @other(%x: memref<2xf32>) {
  return
}
func.func @indirect(%x: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %n = dist.group_size : index
  %p = arith.cmpi sgt, %n, %c0 : index
  %a = func.constant @target : (memref<2xf32>) -> ()
  %b = func.constant @other : (memref<2xf32>) -> ()
  %f = arith.select %p, %a, %b : (memref<2xf32>) -> ()
  func.call_indirect %f(%x) : (memref<2xf32>) -> ()
  return
}

// -----

// call_indirect with futures.
// ARG: [1 + rank, 2]
// ERROR: @{call_indirect}
func.func private @target(%f: !dist.future<tensor<2xf32>>) -> tensor<2xf32> {
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}
func.func private @other(%f: !dist.future<tensor<2xf32>>) -> tensor<2xf32> {
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  %z = arith.addf %y, %y : tensor<2xf32>
  return %z : tensor<2xf32>
}
func.func @indirect_future(%x: tensor<2xf32>, %p: i1) -> tensor<2xf32> {
  %a = func.constant @target : (!dist.future<tensor<2xf32>>) -> tensor<2xf32>
  %b = func.constant @other : (!dist.future<tensor<2xf32>>) -> tensor<2xf32>
  %c = arith.select %p, %a, %b : (!dist.future<tensor<2xf32>>) -> tensor<2xf32>
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %r = func.call_indirect %c(%f)
      : (!dist.future<tensor<2xf32>>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// Function called and public, with futures, and another entry.
// FLAGS: --entry returns_of_public
// ARG: [1 + rank, 2]
// RESULT: [6, 8]
func.func @start(%x: tensor<2xf32>) -> !dist.future<tensor<2xf32>> {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  return %f : !dist.future<tensor<2xf32>>
}
func.func @finish(%f: !dist.future<tensor<2xf32>>) -> tensor<2xf32> {
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  %z = arith.addf %y, %y : tensor<2xf32>
  return %z : tensor<2xf32>
}
func.func @returns_of_public(%x: tensor<2xf32>) -> tensor<2xf32> {
  %f = func.call @start(%x) : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %r = func.call @finish(%f) : (!dist.future<tensor<2xf32>>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// One future returned twice, both waited.
// ARG: [1 + rank, 2]
// RESULT: [6, 8]
func.func private @twice(%x: tensor<2xf32>) -> (!dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>) {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  return %f, %f : !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>
}
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %f:2 = func.call @twice(%x)
      : (tensor<2xf32>) -> (!dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>)
  %y = dist.wait %f#0 : !dist.future<tensor<2xf32>>
  %z = dist.wait %f#1 : !dist.future<tensor<2xf32>>
  %r = arith.addf %y, %z : tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// One future handed twice to one call.
// ARG: [1 + rank, 2]
// RESULT: [6, 8]
func.func private @both(%f: !dist.future<tensor<2xf32>>, %g: !dist.future<tensor<2xf32>>) -> tensor<2xf32> {
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  %z = dist.wait %g : !dist.future<tensor<2xf32>>
  %r = arith.addf %y, %z : tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %r = func.call @both(%f, %f)
      : (!dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// Function pointers in a loop whose targets issue different collectives.
// FOR P: 0 1
// ARG: [1 + rank, 2]
// ARG: i1($P)
// AFTER 0: [12, 16] if $P else [2, 2]
func.func private @add(%x: memref<2xf32>) {
  dist.all_reduce_into sum %x into %x on <[[0, 1]]>
      : (memref<2xf32>) into (memref<2xf32>)
  return
}
func.func private @highest(%x: memref<2xf32>) {
  dist.all_reduce_into max %x into %x on <[[0, 1]]>
      : (memref<2xf32>) into (memref<2xf32>)
  return
}
func.func @pointers_in_a_loop(%x: memref<2xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = func.constant @add : (memref<2xf32>) -> ()
  %b = func.constant @highest : (memref<2xf32>) -> ()
  %f = arith.select %p, %a, %b : (memref<2xf32>) -> ()
  scf.for %i = %c0 to %c3 step %c1 {
    func.call_indirect %f(%x) : (memref<2xf32>) -> ()
  }
  return
}
