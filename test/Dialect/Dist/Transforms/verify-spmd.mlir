// What dist-verify-spmd accepts, and leaves as it is.
//
// RUN: dist-opt %s --dist-verify-spmd -o %t
// RUN: dist-opt %s -o %t.source
// RUN: diff %t.source %t

dist.mesh @m ["dp" = 2, "tp" = 2]
dist.process_group @g size 2

func.func private @sum(%x: tensor<4xf32>) -> tensor<4xf32> {
  %f = dist.all_reduce sum %x on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %y = dist.wait %f : !dist.future<tensor<4xf32>>
  return %y : tensor<4xf32>
}

// Constants, group sizes and uniform arguments decide alike on all ranks.
func.func @uniform_decisions(%x: tensor<4xf32>, %n: index {dist.uniform},
                             %flag: i1 {dist.uniform}) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = dist.group_size on <@g> : index
  %bound = arith.muli %size, %n : index
  %y = scf.for %i = %c0 to %bound step %c1 iter_args(%t = %x)
      -> tensor<4xf32> {
    %is_first = arith.cmpi eq, %i, %c0 : index
    %is_any = arith.andi %is_first, %flag : i1
    %z = scf.if %is_any -> tensor<4xf32> {
      %s = func.call @sum(%t) : (tensor<4xf32>) -> tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    } else {
      scf.yield %t : tensor<4xf32>
    }
    scf.yield %z : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// The members of a tp group have one position in dp.
func.func @decision_within_the_group(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %dp = dist.rank on <@m["dp"]> : index
  %is_first = arith.cmpi eq, %dp, %c0 : index
  %y = scf.if %is_first -> tensor<4xf32> {
    %f = dist.all_reduce sum %x on <@m["tp"]>
        : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    %z = dist.wait %f : !dist.future<tensor<4xf32>>
    scf.yield %z : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// A reduced value decides alike: training until everybody has converged.
func.func @reduced_decision(%x: tensor<f32>) -> tensor<f32> {
  %limit = arith.constant 0.5 : f32
  %y = scf.while (%t = %x) : (tensor<f32>) -> tensor<f32> {
    %f = dist.all_reduce max %t on <@m["dp", "tp"]>
        : (tensor<f32>) -> !dist.future<tensor<f32>>
    %all = dist.wait %f : !dist.future<tensor<f32>>
    %error = tensor.extract %all[] : tensor<f32>
    %goes_on = arith.cmpf ogt, %error, %limit : f32
    scf.condition(%goes_on) %all : tensor<f32>
  } do {
  ^bb0(%t: tensor<f32>):
    %half = arith.mulf %t, %t : tensor<f32>
    scf.yield %half : tensor<f32>
  }
  return %y : tensor<f32>
}

// The same through memory.
func.func @reduced_decision_in_memory(%flags: memref<1xi32> {dist.writable}) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %all = memref.alloc() : memref<1xi32>
  dist.all_reduce_into max %flags into %all on <@g>
      : (memref<1xi32>) into (memref<1xi32>)
  %flag = memref.load %all[%c0] : memref<1xi32>
  %is_set = arith.cmpi ne, %flag, %zero : i32
  scf.if %is_set {
    dist.all_reduce_into sum %flags into %flags on <@g>
        : (memref<1xi32>) into (memref<1xi32>)
  }
  memref.dealloc %all : memref<1xi32>
  return
}

// Ranks part and issue the same.
func.func @same_on_both_ways(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %rank = dist.rank : index
  %is_root = arith.cmpi eq, %rank, %c0 : index
  %y = scf.if %is_root -> tensor<4xf32> {
    %s = func.call @sum(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    %twice = arith.addf %x, %x : tensor<4xf32>
    %f = dist.all_reduce sum %twice on <@g>
        : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    %z = dist.wait %f : !dist.future<tensor<4xf32>>
    scf.yield %z : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// Nobody communicates in a group of one.
func.func @group_of_one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %rank = dist.rank : index
  %is_root = arith.cmpi eq, %rank, %c0 : index
  %y = scf.if %is_root -> tensor<4xf32> {
    %f = dist.all_reduce sum %x on <@m[]>
        : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    %z = dist.wait %f : !dist.future<tensor<4xf32>>
    scf.yield %z : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// Asserted: the ranks 0 and 1 decide alike.
func.func @asserted(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c2 = arith.constant 2 : index
  %rank = dist.rank : index
  %is_low = arith.cmpi ult, %rank, %c2 : index
  %y = scf.if %is_low -> tensor<4xf32> {
    %f = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    %z = dist.wait %f : !dist.future<tensor<4xf32>>
    scf.yield %z : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  } {dist.uniform}
  return %y : tensor<4xf32>
}

// Ranks part where nobody communicates, and meet again before somebody does.
func.func @blocks_that_meet(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %rank = dist.rank : index
  %is_root = arith.cmpi eq, %rank, %c0 : index
  cf.cond_br %is_root, ^root(%x : tensor<4xf32>), ^all(%x : tensor<4xf32>)
^root(%r: tensor<4xf32>):
  %twice = arith.addf %r, %r : tensor<4xf32>
  cf.br ^all(%twice : tensor<4xf32>)
^all(%t: tensor<4xf32>):
  %f = dist.all_reduce sum %t on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %y = dist.wait %f : !dist.future<tensor<4xf32>>
  return %y : tensor<4xf32>
}

// Recursion under a uniform condition.
func.func private @again(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ends = arith.cmpi eq, %n, %c0 : index
  %y = scf.if %ends -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  } else {
    %s = func.call @sum(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %less = arith.subi %n, %c1 : index
    %r = func.call @again(%s, %less)
        : (tensor<4xf32>, index) -> tensor<4xf32>
    scf.yield %r : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
func.func @recursion(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c3 = arith.constant 3 : index
  %y = call @again(%x, %c3) : (tensor<4xf32>, index) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
