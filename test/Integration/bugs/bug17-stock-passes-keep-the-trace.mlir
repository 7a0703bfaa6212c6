// bug17-stock-passes-keep-the-trace: MLIR's own passes neither remove, duplicate
// nor move a collective, on any rank, also when the rank is a constant.
//
// RUN: %python %S/../run_program.py %s

// CASE: bugs bug17-stock-passes-keep-the-trace
// SPECIALIZE: dist.rank
// PASSES: --canonicalize --cse --sccp --remove-dead-values --control-flow-sink --loop-invariant-code-motion --inline --symbol-dce
// PASSES: --inline --control-flow-sink --canonicalize
// PASSES: --sccp --canonicalize --remove-dead-values --cse --symbol-dce
// PASSES: --loop-invariant-code-motion --cse --control-flow-sink --sccp --canonicalize
// ARG: i32(x)
// RESULT: expected["a"][rank]
// TRACE: ["all_reduce"]
func.func @result_unused_on_a_rank(%x: tensor<1xi32>) -> tensor<1xi32> {
  %c0 = arith.constant 0 : index
  %rank = dist.rank : index
  %is_first = arith.cmpi eq, %rank, %c0 : index
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<1xi32>) -> !dist.future<tensor<1xi32>>
  %s = dist.wait %f : !dist.future<tensor<1xi32>>
  %r = scf.if %is_first -> tensor<1xi32> {
    scf.yield %s : tensor<1xi32>
  } else {
    scf.yield %x : tensor<1xi32>
  }
  return %r : tensor<1xi32>
}

// -----
// FOR N: 0 3
// CASE: bugs bug17-stock-passes-keep-the-trace
// SPECIALIZE: dist.rank
// PASSES: --canonicalize --cse --sccp --remove-dead-values --control-flow-sink --loop-invariant-code-motion --inline --symbol-dce
// PASSES: --loop-invariant-code-motion --canonicalize
// PASSES: --inline --cse --loop-invariant-code-motion --sccp
// ARG: i32(inputs["x"][rank])
// ARG: index($N)
// RESULT: expected["b_n$N"]["acc"][rank]
// TRACE: ["all_reduce"] * $N
func.func @loop(%x: tensor<1xi32>, %n: index) -> tensor<1xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0> : tensor<1xi32>
  %acc = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero)
      -> tensor<1xi32> {
    %f = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<1xi32>) -> !dist.future<tensor<1xi32>>
    %s = dist.wait %f : !dist.future<tensor<1xi32>>
    %next = arith.addi %sum, %s : tensor<1xi32>
    scf.yield %next : tensor<1xi32>
  }
  return %acc : tensor<1xi32>
}

// -----
// FOR N: 0 3
// The bound is a constant: a loop that never runs may go, with what is in it.
// CASE: bugs bug17-stock-passes-keep-the-trace
// PASSES: --loop-invariant-code-motion --canonicalize --cse
// PASSES: --sccp --loop-invariant-code-motion
// ARG: i32(inputs["x"][rank])
// RESULT: expected["b_n$N"]["acc"][rank]
// TRACE: ["all_reduce"] * $N
func.func @constant_loop(%x: tensor<1xi32>) -> tensor<1xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant $N : index
  %zero = arith.constant dense<0> : tensor<1xi32>
  %acc = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero)
      -> tensor<1xi32> {
    %f = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<1xi32>) -> !dist.future<tensor<1xi32>>
    %s = dist.wait %f : !dist.future<tensor<1xi32>>
    %next = arith.addi %sum, %s : tensor<1xi32>
    scf.yield %next : tensor<1xi32>
  }
  return %acc : tensor<1xi32>
}

// -----
// Two equal collectives stay two; one whose result nobody uses stays, and so do
// those of a function that is inlined.
// SPECIALIZE: dist.rank
// PASSES: --cse --canonicalize
// PASSES: --inline --cse --canonicalize --remove-dead-values --symbol-dce
// PASSES: --remove-dead-values --sccp --inline
// ARG: i32([rank + 2])
// RESULT: [10]
// TRACE: ["all_reduce"] * 3 + ["all_gather", "broadcast", "reduce_scatter"]
func.func @equal_and_unused(%x: tensor<1xi32>) -> tensor<1xi32> {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<1xi32>) -> !dist.future<tensor<1xi32>>
  %s = dist.wait %f : !dist.future<tensor<1xi32>>
  %g = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<1xi32>) -> !dist.future<tensor<1xi32>>
  %t = dist.wait %g : !dist.future<tensor<1xi32>>
  %h = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<1xi32>) -> !dist.future<tensor<1xi32>>
  %unused = dist.wait %h : !dist.future<tensor<1xi32>>
  %sum = arith.addi %s, %t : tensor<1xi32>
  %r = call @callee(%sum) : (tensor<1xi32>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}
func.func private @callee(%x: tensor<1xi32>) -> tensor<1xi32> {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<1xi32>) -> !dist.future<tensor<2xi32>>
  %g = dist.wait %f : !dist.future<tensor<2xi32>>
  %h = dist.broadcast %x root 0 on <[[0, 1]]>
      : (tensor<1xi32>) -> !dist.future<tensor<1xi32>>
  %b = dist.wait %h : !dist.future<tensor<1xi32>>
  %i = dist.reduce_scatter max %g dim 0 on <[[0, 1]]>
      : (tensor<2xi32>) -> !dist.future<tensor<1xi32>>
  %s = dist.wait %i : !dist.future<tensor<1xi32>>
  return %s : tensor<1xi32>
}

// -----
// In-place forms on buffers: the store between two reductions of one buffer
// matters.
// PASSES: --cse --canonicalize
// PASSES: --control-flow-sink --loop-invariant-code-motion --cse --sccp
// ARG: i32([rank + 2])
// AFTER: [5 * 3 + 5 + 1]
// TRACE: ["all_reduce"] * 2
func.func @store_between(%m: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : i32
  dist.all_reduce_into sum %m into %m on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>)
  %v = memref.load %m[%c0] : memref<1xi32>
  %w = arith.muli %v, %c3 : i32
  memref.store %w, %m[%c0] : memref<1xi32>
  dist.all_reduce_into max %m into %m on <[[0, 1]]>
      : (memref<1xi32>) into (memref<1xi32>)
  %y = memref.load %m[%c0] : memref<1xi32>
  %z = arith.divsi %y, %c3 : i32
  %u = arith.addi %z, %y : i32
  %one = arith.constant 1 : i32
  %t = arith.addi %u, %one : i32
  memref.store %t, %m[%c0] : memref<1xi32>
  return
}
