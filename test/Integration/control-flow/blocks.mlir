// Futures through functions of several blocks, all of which are lifted.
//
// RUN: %python %S/../run_program.py %s

// cf.switch with futures as block arguments.
// FOR P: 0 1 5
// ARG: [1 + rank, 2]
// ARG: i32($P)
// RESULT: [[3,4],[2,2],[1,2]][{0:0,1:1,5:2}[$P]]
func.func @cf_switch(%x: tensor<2xf32>, %i: i32) -> tensor<2xf32> {
  cf.switch %i : i32, [
    default: ^d,
    0: ^a,
    1: ^b
  ]
^a:
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  cf.br ^join(%f : !dist.future<tensor<2xf32>>)
^b:
  %g = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  cf.br ^join(%g : !dist.future<tensor<2xf32>>)
^d:
  %h = dist.broadcast %x root 0 on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  cf.br ^join(%h : !dist.future<tensor<2xf32>>)
^join(%k: !dist.future<tensor<2xf32>>):
  %y = dist.wait %k : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}

// -----

// Several returns.
// FOR P: 0 1
// ARG: [1 + rank, 2]
// ARG: i1($P)
// RESULT: [3, 4] if $P else [2, 2]
func.func @several_returns(%x: tensor<2xf32>, %p: i1) -> tensor<2xf32> {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  cf.cond_br %p, ^a, ^b
^a:
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
^b:
  %u = dist.wait %f : !dist.future<tensor<2xf32>>
  %g = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %z = dist.wait %g : !dist.future<tensor<2xf32>>
  return %z : tensor<2xf32>
}

// -----

// Unreachable block with a collective.
// ARG: [1 + rank, 2]
// RESULT: [3, 4]
func.func @unreachable_block(%x: tensor<2xf32>) -> tensor<2xf32> {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
^dead(%h: !dist.future<tensor<2xf32>>):
  %g = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %z = dist.wait %g : !dist.future<tensor<2xf32>>
  %z2 = dist.wait %h : !dist.future<tensor<2xf32>>
  cf.br ^dead(%g : !dist.future<tensor<2xf32>>)
}

// -----

// irreducible: two entries into a cycle, with futures as block arguments.
// FOR P: 0 1
// FOR N: 0 1 4
// ARG: [1 + rank, 2]
// ARG: i1($P)
// ARG: index($N)
// LET: S = lambda v: [2*v[0], 2*v[1]]
// RESULT: (lambda k: [3*2**k, 4*2**k])((0 if $P else 1) + 2 * max(0, $N))
func.func @irreducible(%x: tensor<2xf32>, %p: i1, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  cf.cond_br %p, ^a(%f, %c0 : !dist.future<tensor<2xf32>>, index), ^b(%f, %c0 : !dist.future<tensor<2xf32>>, index)
^a(%g: !dist.future<tensor<2xf32>>, %i: index):
  %y = dist.wait %g : !dist.future<tensor<2xf32>>
  %more = arith.cmpi slt, %i, %n : index
  %j = arith.addi %i, %c1 : index
  cf.cond_br %more, ^again, ^exit
^again:
  %k = dist.all_reduce sum %y on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  cf.br ^b(%k, %j : !dist.future<tensor<2xf32>>, index)
^b(%h: !dist.future<tensor<2xf32>>, %ii: index):
  %z = dist.wait %h : !dist.future<tensor<2xf32>>
  %m = dist.all_reduce sum %z on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  cf.br ^a(%m, %ii : !dist.future<tensor<2xf32>>, index)
^exit:
  return %y : tensor<2xf32>
}

// -----

// do-while on blocks, future carried, exits from the middle.
// FOR N: 1 2 5
// ARG: [1 + rank, 2]
// ARG: index($N)
// RESULT: [3 * 2**($N), 4 * 2**($N)]
func.func @middle_exit(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  cf.br ^loop(%f, %c0 : !dist.future<tensor<2xf32>>, index)
^loop(%g: !dist.future<tensor<2xf32>>, %i: index):
  %y = dist.wait %g : !dist.future<tensor<2xf32>>
  %h = dist.all_reduce sum %y on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %j, %n : index
  cf.cond_br %more, ^latch, ^exit(%h : !dist.future<tensor<2xf32>>)
^latch:
  cf.br ^loop(%h, %j : !dist.future<tensor<2xf32>>, index)
^exit(%e: !dist.future<tensor<2xf32>>):
  %z = dist.wait %e : !dist.future<tensor<2xf32>>
  return %z : tensor<2xf32>
}

// -----

// Nested loops of blocks with a break out of both.
// FOR N: 1 3
// ARG: [1 + rank, 2]
// ARG: index($N)
// RESULT: [3 * 2**($N), 4 * 2**($N)]
func.func @break_out(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  cf.br ^outer(%f, %c0 : !dist.future<tensor<2xf32>>, index)
^outer(%g: !dist.future<tensor<2xf32>>, %i: index):
  cf.br ^inner(%g, %c0, %i : !dist.future<tensor<2xf32>>, index, index)
^inner(%h: !dist.future<tensor<2xf32>>, %k: index, %t: index):
  %done = arith.cmpi sge, %t, %n : index
  cf.cond_br %done, ^exit, ^go
^go:
  %y = dist.wait %h : !dist.future<tensor<2xf32>>
  %m = dist.all_reduce sum %y on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %t1 = arith.addi %t, %c1 : index
  %k1 = arith.addi %k, %c1 : index
  %again = arith.cmpi slt, %k1, %c2 : index
  cf.cond_br %again, ^inner(%m, %k1, %t1 : !dist.future<tensor<2xf32>>, index, index), ^outer(%m, %t1 : !dist.future<tensor<2xf32>>, index)
^exit:
  %z = dist.wait %h : !dist.future<tensor<2xf32>>
  return %z : tensor<2xf32>
}

// -----

// An irreducible loop that overwrites the source of what it carries.
// FOR P: 0 1
// FOR N: 0 2
// ARG: [1 + rank, 2]
// ARG: i1($P)
// ARG: index($N)
// RESULT: (lambda v, k: [v[0] * 2**k + 2 * (2**k - 1), v[1] * 2**k + 2 * (2**k - 1)])([3, 4], $N + $P)
func.func @irreducible_overwrites(%x: tensor<2xf32>, %p: i1, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z0 = arith.constant 0.0 : f32
  %one = arith.constant dense<1.0> : tensor<2xf32>
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  cf.cond_br %p, ^b(%f, %c0 : !dist.future<tensor<2xf32>>, index), ^a(%f, %c0 : !dist.future<tensor<2xf32>>, index)
^a(%g: !dist.future<tensor<2xf32>>, %i: index):
  %more = arith.cmpi slt, %i, %n : index
  %j = arith.addi %i, %c1 : index
  cf.cond_br %more, ^b(%g, %j : !dist.future<tensor<2xf32>>, index), ^exit
^b(%h: !dist.future<tensor<2xf32>>, %ii: index):
  %z = dist.wait %h : !dist.future<tensor<2xf32>>
  %s = linalg.add ins(%z, %one : tensor<2xf32>, tensor<2xf32>) outs(%z : tensor<2xf32>) -> tensor<2xf32>
  %m = dist.all_reduce sum %s on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %t = linalg.fill ins(%z0 : f32) outs(%s : tensor<2xf32>) -> tensor<2xf32>
  %e = tensor.extract %t[%c0] : tensor<2xf32>
  %k = arith.fptosi %e : f32 to i32
  %kk = arith.index_cast %k : i32 to index
  %next = arith.addi %ii, %kk : index
  cf.br ^a(%m, %next : !dist.future<tensor<2xf32>>, index)
^exit:
  %y = dist.wait %g : !dist.future<tensor<2xf32>>
  return %y : tensor<2xf32>
}
