// Futures that some path does not wait for: the collective takes place, completes
// there, and the values are right. Scheduling refuses them; misuse-unwaited.mlir has
// the messages.
//
// RUN: %python %S/../run_program.py %s --modes plain

// Select of futures, one waited elsewhere too.
// FOR P: 0 1
// ARG: [1 + rank, 2]
// ARG: i1($P)
// RESULT: [3, 4] if $P else [2, 2]
// RESULT: [2, 2]
func.func @select(%x: tensor<2xf32>, %p: i1) -> (tensor<2xf32>, tensor<2xf32>) {
  %a = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %b = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %s = arith.select %p, %a, %b : !dist.future<tensor<2xf32>>
  %y = dist.wait %s : !dist.future<tensor<2xf32>>
  %z = dist.wait %b : !dist.future<tensor<2xf32>>
  return %y, %z : tensor<2xf32>, tensor<2xf32>
}

// -----

// Select of select of futures with source overwritten afterwards.
// FOR P: 0 1
// FOR Q: 0 1
// ARG: [1 + rank, 2]
// ARG: i1($P)
// ARG: i1($Q)
// RESULT: [2, 2] if $Q else ([3, 4] if $P else [2, 2])
// RESULT: [9, 2]
func.func @select2(%x0: tensor<2xf32>, %p: i1, %q: i1) -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %nine = arith.constant 9.0 : f32
  %one = arith.constant dense<1.0> : tensor<2xf32>
  %x = arith.mulf %x0, %one : tensor<2xf32>
  %a = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %b = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %s = arith.select %p, %a, %b : !dist.future<tensor<2xf32>>
  %t = arith.select %q, %b, %s : !dist.future<tensor<2xf32>>
  %w = tensor.insert %nine into %x[%c0] : tensor<2xf32>
  %y = dist.wait %t : !dist.future<tensor<2xf32>>
  return %y, %w : tensor<2xf32>, tensor<2xf32>
}

// -----

// Poison on one path, path with it does not wait.
// FOR P: 0 1
// ARG: [1 + rank, 2]
// ARG: i1($P)
// RESULT: [3, 4] if $P else [1 + rank, 2]
func.func @poison_path(%x: tensor<2xf32>, %p: i1) -> tensor<2xf32> {
  %f = scf.if %p -> !dist.future<tensor<2xf32>> {
    %a = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    scf.yield %a : !dist.future<tensor<2xf32>>
  } else {
    %u = ub.poison : !dist.future<tensor<2xf32>>
    scf.yield %u : !dist.future<tensor<2xf32>>
  }
  %r = scf.if %p -> tensor<2xf32> {
    %y = dist.wait %f : !dist.future<tensor<2xf32>>
    scf.yield %y : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----

// cf.switch handing over futures as operands.
// FOR P: 0 1 5
// ARG: [1 + rank, 2]
// ARG: i32($P)
// RESULT: [[3,4],[2,2],[2,2]][{0:0,1:1,5:2}[$P]]
func.func @cf_switch_args(%x: tensor<2xf32>, %i: i32) -> tensor<2xf32> {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %g = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  cf.switch %i : i32, [
    default: ^join(%g : !dist.future<tensor<2xf32>>),
    0: ^join(%f : !dist.future<tensor<2xf32>>),
    1: ^join(%g : !dist.future<tensor<2xf32>>)
  ]
^join(%k: !dist.future<tensor<2xf32>>):
  %y = dist.wait %k : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}

// -----

// Critical edge, one future passed twice.
// FOR P: 0 1
// ARG: [1 + rank, 2]
// ARG: i1($P)
// RESULT: [6, 8] if $P else [5, 6]
func.func @critical(%x: tensor<2xf32>, %p: i1) -> tensor<2xf32> {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %g = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  cf.cond_br %p, ^j(%f, %f : !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>), ^j(%f, %g : !dist.future<tensor<2xf32>>, !dist.future<tensor<2xf32>>)
^j(%a: !dist.future<tensor<2xf32>>, %b: !dist.future<tensor<2xf32>>):
  %y = dist.wait %a : !dist.future<tensor<2xf32>>
  %z = dist.wait %b : !dist.future<tensor<2xf32>>
  %s = arith.addf %y, %z : tensor<2xf32>
  return %s : tensor<2xf32>
}
