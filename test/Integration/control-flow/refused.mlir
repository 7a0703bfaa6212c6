// Regions that promise no order, and regions that futures do not leave.
//
// RUN: %python %S/../run_program.py %s

// Synchronous collective on memrefs in scf.parallel.
// ARG: [1 + rank, 2]
// ERROR: @{dist.all_reduce_into}
// ERROR: scf.parallel
func.func @into_in_parallel(%x: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.parallel (%i) = (%c0) to (%c3) step (%c1) {
    dist.all_reduce_into sum %x into %x on <[[0, 1]]>
        : (memref<2xf32>) into (memref<2xf32>)
  }
  return
}

// -----

// ERROR: @{dist.all_reduce sum}
// ERROR: 'dist.all_reduce' op stands inside of 'scf.parallel'
// ARG: [1 + rank, 2]
func.func @start_in_parallel(%x: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.parallel (%i) = (%c0) to (%c3) step (%c1) {
    %f = dist.all_reduce sum %x into %x on <[[0, 1]]>
        : (memref<2xf32>) into (memref<2xf32>) -> !dist.future<memref<2xf32>>
    %y = dist.wait %f : !dist.future<memref<2xf32>>
  }
  return
}

// -----

// Synchronous collective on tensors in scf.forall.
// ARG: [1 + rank, 2]
// ERROR: @{dist.all_reduce_into}
// ERROR: scf.forall
func.func @into_in_forall(%x: tensor<2xf32>) -> tensor<6xf32> {
  %e = tensor.empty() : tensor<6xf32>
  %r = scf.forall (%i) in (3) shared_outs(%o = %e) -> tensor<6xf32> {
    %t = tensor.empty() : tensor<2xf32>
    %y = dist.all_reduce_into sum %x into %t on <[[0, 1]]>
        : (tensor<2xf32>) into (tensor<2xf32>) -> tensor<2xf32>
    %j = arith.muli %i, %i : index
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%j] [2] [1] : tensor<2xf32> into tensor<6xf32>
    }
  }
  return %r : tensor<6xf32>
}

// -----

// A call in scf.parallel of a function with collectives.
// ARG: [1 + rank, 2]
// ERROR: scf.parallel
// ERROR: @{func.call @comm}
func.func private @comm(%x: memref<2xf32>) {
  dist.all_reduce_into sum %x into %x on <[[0, 1]]>
      : (memref<2xf32>) into (memref<2xf32>)
  return
}
func.func @call_in_parallel(%x: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.parallel (%i) = (%c0) to (%c3) step (%c1) {
    func.call @comm(%x) : (memref<2xf32>) -> ()
  }
  return
}

// -----

// A wait on a memref future in scf.parallel.
// ARG: [1 + rank, 2]
// ERROR: @{dist.wait}
func.func @wait_in_parallel(%x: memref<2xf32> {dist.writable}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %f = dist.all_reduce sum %x into %x on <[[0, 1]]>
      : (memref<2xf32>) into (memref<2xf32>) -> !dist.future<memref<2xf32>>
  scf.parallel (%i) = (%c0) to (%c3) step (%c1) {
    %y = dist.wait %f : !dist.future<memref<2xf32>>
  }
  return
}

// -----

// scf.reduce region.
// ARG: [1 + rank, 2]
// ERROR: @{dist.all_reduce_into}
func.func @in_reduce(%x: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0.0 : f32
  %r = scf.parallel (%i) = (%c0) to (%c3) step (%c1) init(%z) -> f32 {
    scf.reduce(%z : f32) {
    ^bb0(%a: f32, %b: f32):
      dist.all_reduce_into sum %x into %x on <[[0, 1]]>
          : (memref<2xf32>) into (memref<2xf32>)
      scf.reduce.return %a : f32
    }
  }
  return
}

// -----

// tensor.generate with a collective.
// ARG: [1 + rank, 2]
// ERROR: @{dist.all_reduce sum}
func.func @in_generate(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = tensor.generate {
  ^bb0(%i: index):
    %f = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %y = dist.wait %f : !dist.future<tensor<2xf32>>
    %e = tensor.extract %y[%i] : tensor<2xf32>
    tensor.yield %e : f32
  } : tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// tensor.generate with a synchronous collective.
// ARG: [1 + rank, 2]
// ERROR: @{dist.all_reduce_into}
func.func @into_in_generate(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = tensor.generate {
  ^bb0(%i: index):
    %t = tensor.empty() : tensor<2xf32>
    %y = dist.all_reduce_into sum %x into %t on <[[0, 1]]>
        : (tensor<2xf32>) into (tensor<2xf32>) -> tensor<2xf32>
    %e = tensor.extract %y[%i] : tensor<2xf32>
    tensor.yield %e : f32
  } : tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// linalg.generic body on tensors with a synchronous collective on a memref.
// ARG: [1 + rank, 2]
// ARG: [1 + rank, 2]
// ERROR: @{dist.all_reduce_into}
func.func @in_generic(%x: tensor<2xf32>, %m: memref<2xf32>) -> tensor<2xf32> {
  %e = tensor.empty() : tensor<2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    dist.all_reduce_into sum %m into %m on <[[0, 1]]>
        : (memref<2xf32>) into (memref<2xf32>)
    linalg.yield %a : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// linalg.generic on memrefs.
// ARG: [1 + rank, 2]
// ERROR: @{dist.all_reduce_into}
func.func @in_generic_memref(%m: memref<2xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%m : memref<2xf32>) {
  ^bb0(%b: f32):
    dist.all_reduce_into sum %m into %m on <[[0, 1]]>
        : (memref<2xf32>) into (memref<2xf32>)
    linalg.yield %b : f32
  }
  return
}

// -----

// affine.parallel.
// ARG: [1 + rank, 2]
// ERROR: @{dist.all_reduce_into}
func.func @in_affine_parallel(%m: memref<2xf32>) {
  affine.parallel (%i) = (0) to (3) {
    dist.all_reduce_into sum %m into %m on <[[0, 1]]>
        : (memref<2xf32>) into (memref<2xf32>)
  }
  return
}

// -----

// memref.alloca_scope returns a future whose destination dies with it.
// ARG: [1 + rank, 2]
// ERROR: error
func.func @future_from_alloca_scope(%m: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %f = memref.alloca_scope -> (!dist.future<memref<2xf32>>) {
    %a = memref.alloca() : memref<2xf32>
    %f = dist.all_reduce sum %m into %a on <[[0, 1]]>
        : (memref<2xf32>) into (memref<2xf32>) -> !dist.future<memref<2xf32>>
    memref.alloca_scope.return %f : !dist.future<memref<2xf32>>
  }
  %w = dist.wait %f : !dist.future<memref<2xf32>>
  %v = memref.load %w[%c0] : memref<2xf32>
  return %v : f32
}

// -----

// async.execute.
// ARG: [1 + rank, 2]
// ERROR: @{dist.all_reduce_into}
func.func @in_async(%m: memref<2xf32>) {
  %t = async.execute {
    dist.all_reduce_into sum %m into %m on <[[0, 1]]>
        : (memref<2xf32>) into (memref<2xf32>)
    async.yield
  }
  async.await %t : !async.token
  return
}

// -----

// gpu.launch.
// ARG: [1 + rank, 2]
// ERROR: @{dist.all_reduce_into}
func.func @in_launch(%m: memref<2xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1) threads(%g, %h, %i) in (%j = %c1, %k = %c1, %l = %c1) {
    dist.all_reduce_into sum %m into %m on <[[0, 1]]>
        : (memref<2xf32>) into (memref<2xf32>)
    gpu.terminator
  }
  return
}

// -----

// omp.parallel.
// ARG: [1 + rank, 2]
// ERROR: @{dist.all_reduce_into}
func.func @in_omp(%m: memref<2xf32>) {
  omp.parallel {
    dist.all_reduce_into sum %m into %m on <[[0, 1]]>
        : (memref<2xf32>) into (memref<2xf32>)
    omp.terminator
  }
  return
}

// -----

// Atomic region.
// ARG: [1 + rank, 2]
// ERROR: @{dist.all_reduce_into}
func.func @in_atomic(%m: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %r = memref.generic_atomic_rmw %m[%c0] : memref<2xf32> {
  ^bb0(%v: f32):
    dist.all_reduce_into sum %m into %m on <[[0, 1]]>
        : (memref<2xf32>) into (memref<2xf32>)
    memref.atomic_yield %v : f32
  }
  return
}

// -----

// A block that ends in neither a branch nor a return.
// ARG: [1 + rank, 2]
// ARG: i1(1)
// ERROR: @{dist.all_reduce sum}
// ERROR: expected one block
// ERROR: @{llvm.unreachable}
// ERROR: a block ends with 'llvm.unreachable', expected a branch or a return
func.func @unliftable(%x: tensor<2xf32>, %p: i1) -> tensor<2xf32> {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  cf.cond_br %p, ^a, ^b
^a:
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
^b:
  %z = dist.wait %f : !dist.future<tensor<2xf32>>
  llvm.unreachable
}

// -----

// ARG: [1 + rank, 2]
// ERROR: @{dist.all_reduce sum}
// ERROR: expected a function of the module that is lowered
module {
  module @inner {
    func.func private @unused(%x: tensor<2xf32>) -> tensor<2xf32> {
      %f = dist.all_reduce sum %x on <[[0, 1]]>
          : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
      %y = dist.wait %f : !dist.future<tensor<2xf32>>
      return %y : tensor<2xf32>
    }
  }
  func.func @nested_module(%x: tensor<2xf32>) -> tensor<2xf32> {
    return %x : tensor<2xf32>
  }
}

// -----

// A parallel loop that writes a buffer in flight.
// ARG: [1 + rank, 2]
// ERROR: in flight
func.func @parallel_writes_in_flight(%x: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = arith.constant 1.0 : f32
  %out = memref.alloc() : memref<2xf32>
  %f = dist.all_reduce sum %x into %out on <[[0, 1]]>
      : (memref<2xf32>) into (memref<2xf32>) -> !dist.future<memref<2xf32>>
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    memref.store %v, %x[%i] : memref<2xf32>
  }
  %y = dist.wait %f : !dist.future<memref<2xf32>>
  return
}
