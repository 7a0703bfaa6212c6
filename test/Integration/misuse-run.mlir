// What fails at run time, on every rank that takes part.
//
// RUN: %python %S/run_program.py %s

// Ranks that part ways: another collective, another reduction, another root,
// another element type, another size, another dim.
// RANKS: 2
// ARG: [1, 2]
// ERROR: rank 0: collective #0 on group [0, 1]
// ERROR: rank 1: collective #0 on group [0, 1]
// ERROR: rank 0 has all_reduce sum f32 [2 elements] at
// ERROR: rank 1 has all_gather f32 [2 elements] at
// ERROR: @{dist.all_reduce}
// ERROR: @{dist.all_gather}
func.func @other_collective(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %rank = dist.rank : index
  %first = arith.cmpi eq, %rank, %c0 : index
  %r = scf.if %first -> tensor<2xf32> {
    %f = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %y = dist.wait %f : !dist.future<tensor<2xf32>>
    scf.yield %y : tensor<2xf32>
  } else {
    %f = dist.all_gather %x dim 0 on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
    %y = dist.wait %f : !dist.future<tensor<4xf32>>
    %z = tensor.extract_slice %y[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
    scf.yield %z : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----
// FOR A: sum
// FOR B: max product avg
// ARG: [1, 2]
// ERROR: rank 0: collective #0 on group [0, 1]
// ERROR: rank 1: collective #0 on group [0, 1]
// ERROR: $B
// ERROR: sum
func.func @other_reduction(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %rank = dist.rank : index
  %first = arith.cmpi eq, %rank, %c0 : index
  %r = scf.if %first -> tensor<2xf32> {
    %f = dist.all_reduce $A %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %y = dist.wait %f : !dist.future<tensor<2xf32>>
    scf.yield %y : tensor<2xf32>
  } else {
    %f = dist.all_reduce $B %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %y = dist.wait %f : !dist.future<tensor<2xf32>>
    scf.yield %y : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----
// RANKS: 3
// ARG: [1, 2]
// ERROR: rank 0: collective #0 on group [0, 1, 2]
// ERROR: rank 1: collective #0 on group [0, 1, 2]
// ERROR: rank 2: collective #0 on group [0, 1, 2]
// ERROR: root
func.func @other_root(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %rank = dist.rank : index
  %first = arith.cmpi eq, %rank, %c0 : index
  %r = scf.if %first -> tensor<2xf32> {
    %f = dist.broadcast %x root 0 on <[[0, 1, 2]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %y = dist.wait %f : !dist.future<tensor<2xf32>>
    scf.yield %y : tensor<2xf32>
  } else {
    %f = dist.broadcast %x root 1 on <[[0, 1, 2]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %y = dist.wait %f : !dist.future<tensor<2xf32>>
    scf.yield %y : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----
// ARG: [1, 2]
// ERROR: rank 0: collective #0 on group [0, 1]
// ERROR: rank 1: collective #0 on group [0, 1]
// ERROR: f64
// ERROR: f32
func.func @other_element_type(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %rank = dist.rank : index
  %first = arith.cmpi eq, %rank, %c0 : index
  %r = scf.if %first -> tensor<2xf32> {
    %f = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %y = dist.wait %f : !dist.future<tensor<2xf32>>
    scf.yield %y : tensor<2xf32>
  } else {
    %w = arith.extf %x : tensor<2xf32> to tensor<2xf64>
    %f = dist.all_reduce sum %w on <[[0, 1]]>
        : (tensor<2xf64>) -> !dist.future<tensor<2xf64>>
    %y = dist.wait %f : !dist.future<tensor<2xf64>>
    %z = arith.truncf %y : tensor<2xf64> to tensor<2xf32>
    scf.yield %z : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----
// One rank leaves a loop early: the other waits for a collective that never comes.
// FLAGS: --deadline 1s
// ARG: index(3 - rank)
// ERROR: rank 0: all_reduce #2 on group [0, 1]
// ERROR: @{dist.all_reduce}
// ERROR: missing rank 1
func.func @another_trip_count(%n: index) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant dense<1.0> : tensor<1xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %one)
      -> tensor<1xf32> {
    %f = dist.all_reduce sum %acc on <[[0, 1]]>
        : (tensor<1xf32>) -> !dist.future<tensor<1xf32>>
    %y = dist.wait %f : !dist.future<tensor<1xf32>>
    scf.yield %y : tensor<1xf32>
  }
  return %r : tensor<1xf32>
}

// -----
// A rank that fails takes the others along at once, whatever the deadline.
// RANKS: 3
// FLAGS: --deadline 100s
// ARG: np.zeros(3)
// ERROR: rank 2: reduce_scatter #0 on group [2, 1]
// ERROR: rank 0: aborted
func.func @failure_reaches_all(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %rank = dist.rank : index
  %last = arith.cmpi eq, %rank, %c2 : index
  %r = scf.if %last -> tensor<?xf32> {
    %f = dist.reduce_scatter sum %x dim 0 on <[[2, 1]]>
        : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
    %y = dist.wait %f : !dist.future<tensor<?xf32>>
    scf.yield %y : tensor<?xf32>
  } else {
    %f = dist.all_reduce sum %x on <[[0, 1, 2]]>
        : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
    %y = dist.wait %f : !dist.future<tensor<?xf32>>
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----
// A runner has no use for a future: the entry must wait.
// ARG: [1, 2]
// ERROR: @{@future_returned}
// ERROR: result 0 of entry 'future_returned' has type '!dist.future<tensor<2xf32>>', a future, which dist-run neither makes nor waits for
func.func @future_returned(%x: tensor<2xf32>)
    -> !dist.future<tensor<2xf32>> {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  return %f : !dist.future<tensor<2xf32>>
}

// -----
// ERROR: @{@future_as_argument}
// ERROR: argument 0 of entry 'future_as_argument' has type '!dist.future<tensor<2xf32>>', a future, which dist-run neither makes nor waits for
func.func @future_as_argument(%f: !dist.future<tensor<2xf32>>)
    -> tensor<2xf32> {
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}

// -----
// A future that never was.
// ERROR: @{dist.wait}
func.func @wait_of_poison() -> tensor<2xf32> {
  %f = ub.poison : !dist.future<tensor<2xf32>>
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}
