// Collectives and futures in regions that run once, in their place.
//
// RUN: %python %S/../run_program.py %s

// ARG: [1 + rank, 2]
// RESULT: [3, 4]
func.func @execute_region(%x: tensor<2xf32>) -> tensor<2xf32> {
  %f = scf.execute_region -> !dist.future<tensor<2xf32>> {
    %g = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    scf.yield %g : !dist.future<tensor<2xf32>>
  }
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}

// -----

// FOR P: 0 1
// ARG: [1 + rank, 2]
// ARG: i1($P)
// RESULT: [3, 4] if $P else [2, 2]
func.func @execute_region_blocks(%x: tensor<2xf32>, %p: i1) -> tensor<2xf32> {
  %f = scf.execute_region -> !dist.future<tensor<2xf32>> {
    cf.cond_br %p, ^a, ^b
  ^a:
    %g = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    cf.br ^c(%g : !dist.future<tensor<2xf32>>)
  ^b:
    %h = dist.all_reduce max %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    cf.br ^c(%h : !dist.future<tensor<2xf32>>)
  ^c(%i: !dist.future<tensor<2xf32>>):
    scf.yield %i : !dist.future<tensor<2xf32>>
  }
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}

// -----

// FOR P: 0 1
// ARG: [1 + rank, 2]
// ARG: i1($P)
// RESULT: [3, 4] if $P else [2, 2]
func.func @execute_region_no_inline(%x: tensor<2xf32>, %p: i1) -> tensor<2xf32> {
  %f0 = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %f = scf.execute_region -> !dist.future<tensor<2xf32>> no_inline {
    cf.cond_br %p, ^a, ^b
  ^a:
    %z = dist.wait %f0 : !dist.future<tensor<2xf32>>
    %g = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    cf.br ^c(%g : !dist.future<tensor<2xf32>>)
  ^b:
    cf.br ^c(%f0 : !dist.future<tensor<2xf32>>)
  ^c(%i: !dist.future<tensor<2xf32>>):
    scf.yield %i : !dist.future<tensor<2xf32>>
  }
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}

// -----

// An outer future waited for in one branch of a region, in a loop.
// FOR N: 0 3
// ARG: [1 + rank, 2]
// ARG: index($N)
// RESULT: [3 * 2**$N, 4 * 2**$N]
func.func @region_in_loop(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%f = %f0) -> (!dist.future<tensor<2xf32>>) {
    %g = scf.execute_region -> !dist.future<tensor<2xf32>> no_inline {
      %first = arith.cmpi eq, %i, %c0 : index
      cf.cond_br %first, ^a, ^b
    ^a:
      %y = dist.wait %f : !dist.future<tensor<2xf32>>
      %h = dist.all_reduce sum %y on <[[0, 1]]>
          : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
      cf.br ^c(%h : !dist.future<tensor<2xf32>>)
    ^b:
      %z = dist.wait %f : !dist.future<tensor<2xf32>>
      %w = arith.addf %z, %z : tensor<2xf32>
      %k = dist.all_reduce max %w on <[[0, 1]]>
          : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
      cf.br ^c(%k : !dist.future<tensor<2xf32>>)
    ^c(%m: !dist.future<tensor<2xf32>>):
      scf.yield %m : !dist.future<tensor<2xf32>>
    }
    scf.yield %g : !dist.future<tensor<2xf32>>
  }
  %y = dist.wait %r : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}

// -----

// affine.for with a synchronous collective.
// ARG: [1 + rank, 2]
// AFTER 0: [3*4, 4*4]
func.func @into_in_affine_for(%m: memref<2xf32>) {
  affine.for %i = 0 to 3 {
    dist.all_reduce_into sum %m into %m on <[[0, 1]]>
        : (memref<2xf32>) into (memref<2xf32>)
  }
  return
}

// -----

// affine.for with a start and wait.
// ARG: [1 + rank, 2]
// AFTER 0: [3*4, 4*4]
func.func @start_in_affine_for(%m: memref<2xf32>) {
  affine.for %i = 0 to 3 {
    %f = dist.all_reduce sum %m into %m on <[[0, 1]]>
        : (memref<2xf32>) into (memref<2xf32>) -> !dist.future<memref<2xf32>>
    %y = dist.wait %f : !dist.future<memref<2xf32>>
  }
  return
}

// -----

// affine.for carries a future of tensors.
// ARG: [1 + rank, 2]
// RESULT: [3*8, 4*8]
func.func @future_in_affine_for(%x: tensor<2xf32>) -> tensor<2xf32> {
  %f0 = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %r = affine.for %i = 0 to 3 iter_args(%f = %f0) -> (!dist.future<tensor<2xf32>>) {
    %y = dist.wait %f : !dist.future<tensor<2xf32>>
    %g = dist.all_reduce sum %y on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    affine.yield %g : !dist.future<tensor<2xf32>>
  }
  %y = dist.wait %r : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}

// -----

// affine.if yields a future.
// FOR N: 0 4
// ARG: [1 + rank, 2]
// ARG: index($N)
// RESULT: [3, 4] if $N >= 2 else [2, 2]
func.func @future_in_affine_if(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %f = affine.if affine_set<(d0)
      : (d0 - 2 >= 0)>(%n) -> !dist.future<tensor<2xf32>> {
    %g = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    affine.yield %g : !dist.future<tensor<2xf32>>
  } else {
    %g = dist.all_reduce max %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    affine.yield %g : !dist.future<tensor<2xf32>>
  }
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}

// -----

// memref.alloca_scope with a sync collective.
// HOSTS: the stack is host memory
// ARG: [1 + rank, 2]
// AFTER 0: [3, 4]
func.func @into_in_alloca_scope(%m: memref<2xf32>) {
  memref.alloca_scope {
    %a = memref.alloca() : memref<2xf32>
    dist.all_reduce_into sum %m into %a on <[[0, 1]]>
        : (memref<2xf32>) into (memref<2xf32>)
    memref.copy %a, %m : memref<2xf32> to memref<2xf32>
  }
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<2xf32>
  memref.store %v, %m[%c0] : memref<2xf32>
  return
}

// -----

// Start and wait within an alloca_scope.
// HOSTS: the stack is host memory
// ARG: [1 + rank, 2]
// AFTER 0: [3, 4]
func.func @start_in_alloca_scope(%m: memref<2xf32>) {
  memref.alloca_scope {
    %a = memref.alloca() : memref<2xf32>
    %f = dist.all_reduce sum %m into %a on <[[0, 1]]>
        : (memref<2xf32>) into (memref<2xf32>) -> !dist.future<memref<2xf32>>
    %y = dist.wait %f : !dist.future<memref<2xf32>>
    memref.copy %y, %m : memref<2xf32> to memref<2xf32>
  }
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<2xf32>
  memref.store %v, %m[%c0] : memref<2xf32>
  return
}

// -----

// A future from outside, waited for in a scope of the stack.
// HOSTS: the stack is host memory
// ARG: [1 + rank, 2]
// ARG: [0, 0]
// AFTER 1: [4, 4]
func.func @wait_in_alloca_scope(%x: memref<2xf32>, %o: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = dist.all_reduce sum %x into %o on <[[0, 1]]>
      : (memref<2xf32>) into (memref<2xf32>) -> !dist.future<memref<2xf32>>
  memref.alloca_scope {
    %t = memref.alloca() : memref<2xf32>
    %y = dist.wait %f into(%o : memref<2xf32>) : !dist.future<memref<2xf32>>
    memref.copy %y, %t : memref<2xf32> to memref<2xf32>
    %a = memref.load %t[%c1] : memref<2xf32>
    memref.store %a, %o[%c0] : memref<2xf32>
  }
  %v = memref.load %o[%c0] : memref<2xf32>
  memref.store %v, %o[%c0] : memref<2xf32>
  return
}

// -----

// A query inside of a parallel loop is fine.
// ARG: [0, 0]
// AFTER 0: [2, 2]
func.func @query_in_parallel(%m: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %n = dist.group_size : index
    %k = arith.index_cast %n : index to i32
    %v = arith.sitofp %k : i32 to f32
    memref.store %v, %m[%i] : memref<2xf32>
  }
  return
}

// -----

// A waited tensor read in scf.forall, its source overwritten there meanwhile.
// ARG: [1 + rank, 2]
// RESULT: [6, 8]
// RESULT: [2 * (1 + rank), 4]
func.func @forall_around_a_flight(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %one = arith.constant dense<1.0> : tensor<2xf32>
  %x = arith.mulf %a, %one : tensor<2xf32>
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %w = scf.forall (%i) in (2) shared_outs(%o = %x) -> tensor<2xf32> {
    %e = tensor.extract_slice %o[%i] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %s = arith.addf %e, %e : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<2xf32>
    }
  }
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  %e = tensor.empty() : tensor<2xf32>
  %r = scf.forall (%i) in (2) shared_outs(%o = %e) -> tensor<2xf32> {
    %v = tensor.extract_slice %y[%i] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %s = arith.addf %v, %v : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<2xf32>
    }
  }
  return %r, %w : tensor<2xf32>, tensor<2xf32>
}
