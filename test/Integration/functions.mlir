// Arguments and results: scalars, tied and fresh results, the same value twice,
// constants, slices, helper functions, a caller of the entry.
//
// RUN: %python %S/run_program.py %s

// Each kind of scalar in and out, beside a tensor.
// ARG: i32(5)
// ARG: f64(1.5)
// ARG: i1(True)
// ARG: index(7)
// ARG: bf16(2.5)
// ARG: i8(-3)
// ARG: [1, 2]
// RESULT: f64(4.5)
// RESULT: i32(10)
// RESULT: i1(False)
// RESULT: [2, 4]
// RESULT: index(7 + rank)
// RESULT: bf16(5)
// RESULT: i8(-6)
func.func @scalars(%i: i32, %d: f64, %b: i1, %n: index, %h: bf16, %c: i8,
                   %x: tensor<2xf32>)
    -> (f64, i32, i1, tensor<2xf32>, index, bf16, i8) {
  %three = arith.constant 3.0 : f64
  %true = arith.constant true
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %rank = dist.rank : index
  %e = arith.mulf %d, %three : f64
  %j = arith.addi %i, %i : i32
  %a = arith.xori %b, %true : i1
  %m = arith.addi %n, %rank : index
  %g = arith.addf %h, %h : bf16
  %k = arith.addi %c, %c : i8
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %e, %j, %a, %y, %m, %g, %k
      : f64, i32, i1, tensor<2xf32>, index, bf16, i8
}

// -----
// One scalar and nothing else.
// FOR T: i1 i8 i16 i32 i64 f16 bf16 f32 f64 index
// ARG: $T(1)
// RESULT: $T(1)
func.func @one_scalar(%x: $T) -> $T {
  return %x : $T
}

// -----
// Results that are nobody's: no collective, no result, no argument.
// RESULT: index(rank)
// RESULT: index(2)
func.func @no_arguments() -> (index, index) {
  %rank = dist.rank : index
  %n = dist.group_size : index
  return %rank, %n : index, index
}

// -----
// A returned argument is tied; a slice of it and a constant are not.
// LET: x = [np.arange(6).reshape(3, 2) + 10 * r for r in (0, 1)]
// ARG: x[rank]
// RESULT: x[rank]
// RESULT: x[rank][1:]
// RESULT: [7, 8]
// RESULT: x[rank][:, 1]
// RESULT: x[0] + x[1]
func.func @argument_slice_constant(%x: tensor<3x2xf32>)
    -> (tensor<3x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<3xf32>,
        tensor<3x2xf32>) {
  %constant = arith.constant dense<[7.0, 8.0]> : tensor<2xf32>
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<3x2xf32>) -> !dist.future<tensor<3x2xf32>>
  %rows = tensor.extract_slice %x[1, 0] [2, 2] [1, 1]
      : tensor<3x2xf32> to tensor<2x2xf32>
  %column = tensor.extract_slice %x[0, 1] [3, 1] [1, 1]
      : tensor<3x2xf32> to tensor<3xf32>
  %y = dist.wait %f : !dist.future<tensor<3x2xf32>>
  return %x, %rows, %constant, %column, %y
      : tensor<3x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<3xf32>,
        tensor<3x2xf32>
}

// -----
// The same value twice: fresh, an argument, a constant.
// ARG: [1 + rank, 2]
// RESULT: [3, 4]
// RESULT: [1 + rank, 2]
// RESULT: [3, 4]
// RESULT: [1 + rank, 2]
// RESULT: [5]
// RESULT: [5]
func.func @twice(%x: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
        tensor<1xf32>, tensor<1xf32>) {
  %c = arith.constant dense<5.0> : tensor<1xf32>
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y, %x, %y, %x, %c, %c
      : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>,
        tensor<1xf32>, tensor<1xf32>
}

// -----
// A view of a fresh value beside the value, and an updated copy of an argument
// beside the argument.
// ARG: [1 + rank, 2]
// RESULT: [3, 4]
// RESULT: [[3, 4]]
// RESULT: [1 + rank, 2]
// RESULT: [9, 2]
func.func @views_and_copies(%x: tensor<2xf32>)
    -> (tensor<2xf32>, tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %nine = arith.constant 9.0 : f32
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  %view = tensor.expand_shape %y [[0, 1]] output_shape [1, 2]
      : tensor<2xf32> into tensor<1x2xf32>
  %changed = tensor.insert %nine into %x[%c0] : tensor<2xf32>
  return %y, %view, %x, %changed
      : tensor<2xf32>, tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----
// An argument that the user lets the program write: in place or not, the result
// is the new value and the collective saw the old one.
// ARG: [1 + rank, 2]
// RESULT: [9, 2]
// RESULT: [3, 4]
func.func @writable(%x: tensor<2xf32> {dist.writable})
    -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %nine = arith.constant 9.0 : f32
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  %changed = tensor.insert %nine into %x[%c0] : tensor<2xf32>
  return %changed, %y : tensor<2xf32>, tensor<2xf32>
}

// -----
// Helpers: one that takes and returns tensors, one that starts and one that waits.
// ARG: [1 + rank, 2]
// RESULT: [2 * 3 + 1, 2 * 4 + 1]
// RESULT: [1 + rank, 2]
func.func @entry(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %f = call @begin(%x) : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %y = call @finish(%f) : (!dist.future<tensor<2xf32>>) -> tensor<2xf32>
  %z = call @increment(%y) : (tensor<2xf32>) -> tensor<2xf32>
  %same = call @identity(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %z, %same : tensor<2xf32>, tensor<2xf32>
}
func.func private @begin(%x: tensor<2xf32>) -> !dist.future<tensor<2xf32>> {
  %twice = arith.addf %x, %x : tensor<2xf32>
  %f = dist.all_reduce sum %twice on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  return %f : !dist.future<tensor<2xf32>>
}
func.func private @finish(%f: !dist.future<tensor<2xf32>>) -> tensor<2xf32> {
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}
func.func private @increment(%x: tensor<2xf32>) -> tensor<2xf32> {
  %one = arith.constant dense<1.0> : tensor<2xf32>
  %y = arith.addf %x, %one : tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func private @identity(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// -----
// The entry is called by another public function, which calls it twice.
// FLAGS: --entry caller
// ARG: [1 + rank, 2]
// RESULT: [6, 8]
// RESULT: [1 + rank, 2]
func.func @callee(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y, %x : tensor<2xf32>, tensor<2xf32>
}
func.func @caller(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a, %b = call @callee(%x)
      : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %c, %d = call @callee(%b)
      : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %s = arith.addf %a, %c : tensor<2xf32>
  return %s, %d : tensor<2xf32>, tensor<2xf32>
}

// -----
// The callee is an entry as well.
// FLAGS: --entry callee
// ARG: [1 + rank, 2]
// RESULT: [3, 4]
// RESULT: [1 + rank, 2]
func.func @callee(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y, %x : tensor<2xf32>, tensor<2xf32>
}
func.func @caller(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a, %b = call @callee(%x)
      : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %a, %b : tensor<2xf32>, tensor<2xf32>
}

// -----
// Branches and loops around collectives; futures through both.
// FOR P: 0 1
// ARG: [1 + rank, 2]
// ARG: i1($P)
// ARG: index(4)
// RESULT: [3, 4] if $P else [2, 2]
// RESULT: [(1 + rank) * 16, 32]
// RESULT: [[3 * 2**i for i in range(5)][4], 4 * 2**4]
func.func @control_flow(%x: tensor<2xf32>, %p: i1, %n: index)
    -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = scf.if %p -> !dist.future<tensor<2xf32>> {
    %g = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    scf.yield %g : !dist.future<tensor<2xf32>>
  } else {
    %g = dist.all_reduce max %x on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    scf.yield %g : !dist.future<tensor<2xf32>>
  }
  %twice = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x)
      -> tensor<2xf32> {
    %next = arith.addf %acc, %acc : tensor<2xf32>
    scf.yield %next : tensor<2xf32>
  }
  %first = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %last:2 = scf.while (%i = %c0, %h = %first)
      : (index, !dist.future<tensor<2xf32>>)
      -> (index, !dist.future<tensor<2xf32>>) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %h : index, !dist.future<tensor<2xf32>>
  } do {
  ^bb0(%i: index, %h: !dist.future<tensor<2xf32>>):
    %y = dist.wait %h : !dist.future<tensor<2xf32>>
    %next = dist.all_reduce sum %y on <[[0, 1]]>
        : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %next : index, !dist.future<tensor<2xf32>>
  }
  %a = dist.wait %f : !dist.future<tensor<2xf32>>
  %c = dist.wait %last#1 : !dist.future<tensor<2xf32>>
  return %a, %twice, %c : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// -----
// Blocks and branches instead of regions.
// FOR P: 0 1
// ARG: [1 + rank, 2]
// ARG: i1($P)
// RESULT: [3, 4] if $P else [2, 2]
func.func @blocks(%x: tensor<2xf32>, %p: i1) -> tensor<2xf32> {
  cf.cond_br %p, ^sum, ^max
^sum:
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  cf.br ^join(%f : !dist.future<tensor<2xf32>>)
^max:
  %g = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  cf.br ^join(%g : !dist.future<tensor<2xf32>>)
^join(%h: !dist.future<tensor<2xf32>>):
  %y = dist.wait %h : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}
