// Futures through switches, and through branches on one of which there is none.
//
// RUN: %python %S/../run_program.py %s

// FOR P: 0 1 2 7
// ARG: [1 + rank, 2]
// ARG: index($P)
// RESULT: [[3,4],[2,2],[1,2],[2,4]][{0:0,1:1,2:2,7:3}[$P]]
func.func @index_switch_of_futures(%x: tensor<2xf32>, %i: index) -> tensor<2xf32> {
  %f = scf.index_switch %i -> !dist.future<tensor<2xf32>>
  case 0 {
    %g = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    scf.yield %g : !dist.future<tensor<2xf32>>
  }
  case 1 {
    %g = dist.all_reduce max %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    scf.yield %g : !dist.future<tensor<2xf32>>
  }
  case 2 {
    %g = dist.broadcast %x root 0 on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    scf.yield %g : !dist.future<tensor<2xf32>>
  }
  default {
    %y = arith.mulf %x, %x : tensor<2xf32>
    %z = arith.divf %y, %x : tensor<2xf32>
    %g = dist.all_reduce product %z on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    scf.yield %g : !dist.future<tensor<2xf32>>
  }
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}

// -----

// A switch that yields a future and a tensor.
// FOR P: 0 3 9
// ARG: [1 + rank, 2]
// ARG: index($P)
// RESULT: [3,4] if $P == 0 else [8,8] if $P == 3 else [3, 4]
// RESULT: [1 + rank, 2] if $P == 0 else [2+2*rank, 4] if $P == 3 else [1+rank,2]
func.func @switch_mixed(%x: tensor<2xf32>, %i: index) -> (tensor<2xf32>, tensor<2xf32>) {
  %f0 = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %f, %t = scf.index_switch %i -> !dist.future<tensor<2xf32>>, tensor<2xf32>
  case 0 {
    scf.yield %f0, %x : !dist.future<tensor<2xf32>>, tensor<2xf32>
  }
  case 3 {
    %y = arith.addf %x, %x : tensor<2xf32>
    %g = dist.all_reduce max %y on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %z = dist.wait %g : !dist.future<tensor<2xf32>>
    %h = dist.all_reduce sum %z on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %w0 = dist.wait %f0 : !dist.future<tensor<2xf32>>
    scf.yield %h, %y : !dist.future<tensor<2xf32>>, tensor<2xf32>
  }
  default {
    scf.yield %f0, %x : !dist.future<tensor<2xf32>>, tensor<2xf32>
  }
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y, %t : tensor<2xf32>, tensor<2xf32>
}

// -----

// Poison waited for on the path taken: an error at the wait.
// ARG: [1 + rank, 2]
// ARG: i1(0)
// ERROR: @{dist.wait}
// ERROR: rank 0
// ERROR: rank 1
func.func @poison_waited(%x: tensor<2xf32>, %p: i1) -> tensor<2xf32> {
  %f = scf.if %p -> !dist.future<tensor<2xf32>> {
    %a = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    scf.yield %a : !dist.future<tensor<2xf32>>
  } else {
    %u = ub.poison : !dist.future<tensor<2xf32>>
    scf.yield %u : !dist.future<tensor<2xf32>>
  }
  %r = dist.wait %f : !dist.future<tensor<2xf32>>
  return %r : tensor<2xf32>
}

// -----

// Future of a coalesced launch, one waited in one branch, the other in the other.
// FOR P: 0 1
// ARG: [1 + rank, 2]
// ARG: [rank, 1, 2]
// ARG: i1($P)
// RESULT: 7 if not $P else 4
func.func @coalesced_branches(%x: tensor<2xf32>, %z: tensor<3xf32>, %p: i1) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f:2 = dist.all_reduce sum %x, %z on <[[0, 1]]>
      : (tensor<2xf32>, tensor<3xf32>) -> !dist.future<tensor<2xf32>>, !dist.future<tensor<3xf32>>
  %v = scf.if %p -> f32 {
    %y:2 = dist.wait %f#0, %f#1 : !dist.future<tensor<2xf32>>, !dist.future<tensor<3xf32>>
    %e = tensor.extract %y#0[%c1] : tensor<2xf32>
    scf.yield %e : f32
  } else {
    %y:2 = dist.wait %f#0, %f#1 : !dist.future<tensor<2xf32>>, !dist.future<tensor<3xf32>>
    %a = tensor.extract %y#1[%c2] : tensor<3xf32>
    %b = tensor.extract %y#0[%c0] : tensor<2xf32>
    %s = arith.addf %a, %b : f32
    scf.yield %s : f32
  }
  %t = tensor.from_elements %v : tensor<f32>
  return %t : tensor<f32>
}

// -----

// rank-dependent branch with the same collective in both branches.
// ARG: [1 + rank, 2]
// RESULT: [3, 4]
func.func @both_branches(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %rank = dist.rank : index
  %p = arith.cmpi eq, %rank, %c0 : index
  %f = scf.if %p -> !dist.future<tensor<2xf32>> {
    %g = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    scf.yield %g : !dist.future<tensor<2xf32>>
  } else {
    %g = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    scf.yield %g : !dist.future<tensor<2xf32>>
  }
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}

// -----

// While with futures in both regions, different arity.
// ARG: [1 + rank, 2]
// ARG: index(3)
// RESULT: [24, 32]
// RESULT: [12, 16]
func.func @while_both(%x: tensor<2xf32>, %n: index) -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %r:2 = scf.while (%f = %f0, %i = %c0)
      : (!dist.future<tensor<2xf32>>, index) -> (!dist.future<tensor<2xf32>>, tensor<2xf32>) {
    %y = dist.wait %f : !dist.future<tensor<2xf32>>
    %g = dist.all_reduce sum %y on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %j = arith.addi %i, %c1 : index
    %more = arith.cmpi slt, %j, %n : index
    scf.condition(%more) %g, %y : !dist.future<tensor<2xf32>>, tensor<2xf32>
  } do {
  ^bb0(%h: !dist.future<tensor<2xf32>>, %t: tensor<2xf32>):
    %y = dist.wait %h : !dist.future<tensor<2xf32>>
    %half = arith.constant dense<0.5> : tensor<2xf32>
    %z = arith.mulf %y, %half : tensor<2xf32>
    %g = dist.all_reduce sum %z on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %v = tensor.extract %y[%c0] : tensor<2xf32>
    %three = arith.constant 6.0 : f32
    %big = arith.cmpf ogt, %v, %three : f32
    %k = scf.if %big -> index { scf.yield %n : index } else { scf.yield %c0 : index }
    scf.yield %g, %k : !dist.future<tensor<2xf32>>, index
  }
  %y = dist.wait %r#0 : !dist.future<tensor<2xf32>>
  return %y, %r#1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// Rotate three futures through a loop.
// FOR N: 0 1 2 3 7
// ARG: [1 + rank, 2]
// ARG: index($N)
// LET: A = [3, 4]
// LET: B = [2, 2]
// LET: C = [2, 4]
// RESULT: [[3,4],[2,2],[2,4]][$N % 3]
// RESULT: [[3,4],[2,2],[2,4]][($N + 1) % 3]
// RESULT: [[3,4],[2,2],[2,4]][($N + 2) % 3]
func.func @rotate(%x: tensor<2xf32>, %n: index) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %b = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %c = dist.all_reduce product %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%f = %a, %g = %b, %h = %c) -> (!dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>) {
    scf.yield %g, %h, %f : !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>
  }
  %y:3 = dist.wait %r#0, %r#1, %r#2 : !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>
  return %y#0, %y#1, %y#2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// Which kind it is, a switch decides.
// FOR K: 0 1 2 3
// ARG: [1 + rank, 2]
// ARG: index($K)
// RESULT: [[[1, 2], [2, 2]][rank], [[2, 2], [1, 2]][rank], [[3, 4], [0, 0]][rank], [3, 4]][$K]
func.func @switch_of_kinds(%x: tensor<?xf32>, %k: index) -> tensor<?xf32> {
  %f = scf.index_switch %k -> !dist.future<tensor<?xf32>>
  case 0 {
    %g = dist.all_to_all %x split_dim 0 concat_dim 0 on <[[0, 1]]>
        : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
    scf.yield %g : !dist.future<tensor<?xf32>>
  }
  case 1 {
    %g = dist.permute %x pairs [[0, 1], [1, 0]] on <[[0, 1]]>
        : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
    scf.yield %g : !dist.future<tensor<?xf32>>
  }
  case 2 {
    %g = dist.reduce sum %x root 0 on <[[0, 1]]>
        : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
    scf.yield %g : !dist.future<tensor<?xf32>>
  }
  default {
    %g = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<?xf32>) -> !dist.future<tensor<?xf32>>
    scf.yield %g : !dist.future<tensor<?xf32>>
  }
  %y = dist.wait %f : !dist.future<tensor<?xf32>>
  return %y : tensor<?xf32>
}

// -----

// Futures of three kinds change places in a loop; the last one of each is waited for.
// FOR N: 0 1 3
// ARG: [1 + rank, 2]
// ARG: index($N)
// LET: A = [[1, 2], [2, 2]][rank]
// LET: B = [[2, 2], [1, 2]][rank]
// LET: C = [[3, 4], [0, 0]][rank]
// RESULT: [A, B, C][$N % 3]
// RESULT: [A, B, C][($N + 1) % 3]
// RESULT: [A, B, C][($N + 2) % 3]
func.func @loop_of_kinds(%x: tensor<2xf32>, %n: index) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = dist.all_to_all %x split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %b = dist.permute %x pairs [[0, 1], [1, 0]] on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %c = dist.reduce sum %x root 0 on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%f = %a, %g = %b, %h = %c) -> (!dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>) {
    scf.yield %g, %h, %f : !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>
  }
  %y:3 = dist.wait %r#0, %r#1, %r#2 : !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>
  return %y#0, %y#1, %y#2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----

// A switch of one default.
// ARG: [1 + rank, 2]
// ARG: index(5)
// RESULT: [3, 4]
func.func @switch_without_cases(%x: tensor<2xf32>, %k: index) -> tensor<2xf32> {
  %f = scf.index_switch %k -> !dist.future<tensor<2xf32>>
  default {
    %g = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    scf.yield %g : !dist.future<tensor<2xf32>>
  }
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}

// -----

// While without operands of the condition; the future is consumed before.
// ARG: [1 + rank, 2]
// RESULT: [3, 4]
func.func @while_consumes_before(%x: tensor<2xf32>) -> tensor<2xf32> {
  %false = arith.constant false
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %r = scf.while (%g = %f) : (!dist.future<tensor<2xf32>>) -> tensor<2xf32> {
    %y = dist.wait %g : !dist.future<tensor<2xf32>>
    scf.condition(%false) %y : tensor<2xf32>
  } do {
  ^bb0(%t: tensor<2xf32>):
    %h = dist.all_reduce sum %t on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    scf.yield %h : !dist.future<tensor<2xf32>>
  }
  return %r : tensor<2xf32>
}
