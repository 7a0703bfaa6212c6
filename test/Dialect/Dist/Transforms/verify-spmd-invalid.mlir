// RUN: dist-opt %s --dist-verify-spmd --split-input-file --verify-diagnostics

func.func @only_on_the_root(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{the value comes from here}}
  %rank = dist.rank : index
  %is_root = arith.cmpi eq, %rank, %c0 : index
  // expected-note@+1 {{'scf.if' goes on by a value on which members of the group may disagree}}
  %y = scf.if %is_root -> tensor<4xf32> {
    // expected-error@+1 {{'dist.all_reduce' op may be executed by some members of its group only}}
    %f = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    %z = dist.wait %f : !dist.future<tensor<4xf32>>
    scf.yield %z : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// The position in a group is what its members differ in.
func.func @members_only(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{the value comes from here}}
  %position = dist.rank on <[[0, 1]]> : index
  %is_member = arith.cmpi sge, %position, %c0 : index
  // expected-note@+1 {{'scf.if' goes on by}}
  scf.if %is_member {
    // expected-error@+1 {{'dist.all_reduce_into' op may be executed by some members of its group only}}
    dist.all_reduce_into sum %x into %x on <[[0, 1]]>
        : (memref<4xf32>) into (memref<4xf32>)
  }
  return
}

// -----

dist.mesh @m ["dp" = 2, "tp" = 2]

// The members of a tp group agree on dp, those of a dp group do not.
func.func @agreement_of_another_group(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{the value comes from here}}
  %dp = dist.rank on <@m["dp"]> : index
  %is_first = arith.cmpi eq, %dp, %c0 : index
  // expected-note@+1 {{'scf.if' goes on by}}
  scf.if %is_first {
    dist.all_reduce_into sum %x into %x on <@m["tp"]>
        : (memref<4xf32>) into (memref<4xf32>)
    // expected-error@+1 {{may be executed by some members of its group only}}
    dist.all_reduce_into sum %x into %x on <@m["dp"]>
        : (memref<4xf32>) into (memref<4xf32>)
  }
  return
}

// -----

dist.process_group @g size 2
dist.process_group @h size 2

// The deadlock of two groups: one rank waits in @g, the other one in @h.
func.func @orders(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{the value comes from here}}
  %rank = dist.rank : index
  %is_root = arith.cmpi eq, %rank, %c0 : index
  // expected-note@+1 {{'scf.if' goes on by}}
  scf.if %is_root {
    // expected-error@+1 {{'dist.all_reduce_into' op is not what all members of its group execute as number 1 behind 'scf.if'}}
    dist.all_reduce_into sum %x into %x on <@g>
        : (memref<4xf32>) into (memref<4xf32>)
    dist.all_reduce_into sum %x into %x on <@h>
        : (memref<4xf32>) into (memref<4xf32>)
  } else {
    // expected-note@+1 {{others execute this first: they wait for each other}}
    dist.all_reduce_into sum %x into %x on <@h>
        : (memref<4xf32>) into (memref<4xf32>)
    dist.all_reduce_into sum %x into %x on <@g>
        : (memref<4xf32>) into (memref<4xf32>)
  }
  return
}

// -----

func.func @other_reduction(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{the value comes from here}}
  %rank = dist.rank : index
  %is_root = arith.cmpi eq, %rank, %c0 : index
  // expected-note@+1 {{'scf.if' goes on by}}
  scf.if %is_root {
    // expected-error@+1 {{is not what all members of its group execute as number 1}}
    dist.all_reduce_into sum %x into %x on <[[0, 1]]>
        : (memref<4xf32>) into (memref<4xf32>)
  } else {
    // expected-note@+1 {{others execute this first}}
    dist.all_reduce_into max %x into %x on <[[0, 1]]>
        : (memref<4xf32>) into (memref<4xf32>)
  }
  return
}

// -----

// expected-note@+1 {{argument 1 may differ between ranks: it is not 'dist.uniform'}}
func.func @trip_count(%x: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note@+1 {{'scf.for' goes on by}}
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{may be executed more often by some members of its group than by others}}
    dist.all_reduce_into sum %x into %x on <[[0, 1]]>
        : (memref<4xf32>) into (memref<4xf32>)
  }
  return
}

// -----

// Each rank ends when it has converged itself.
func.func @own_convergence(%x: tensor<f32>) -> tensor<f32> {
  %limit = arith.constant 0.5 : f32
  // expected-note@+2 {{'scf.while' goes on by}}
  // expected-note@+1 {{the value comes from here}}
  %y = scf.while (%t = %x) : (tensor<f32>) -> tensor<f32> {
    %error = tensor.extract %t[] : tensor<f32>
    %goes_on = arith.cmpf ogt, %error, %limit : f32
    scf.condition(%goes_on) %t : tensor<f32>
  } do {
  ^bb0(%t: tensor<f32>):
    // expected-error@+1 {{may be executed more often by some members}}
    %f = dist.all_reduce sum %t on <[[0, 1]]>
        : (tensor<f32>) -> !dist.future<tensor<f32>>
    %all = dist.wait %f : !dist.future<tensor<f32>>
    scf.yield %all : tensor<f32>
  }
  return %y : tensor<f32>
}

// -----

func.func private @sum(%x: memref<4xf32>) {
  // expected-error@+1 {{may be executed by some members of its group only}}
  dist.all_reduce_into sum %x into %x on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32>)
  return
}
func.func @behind_a_call(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{the value comes from here}}
  %rank = dist.rank : index
  %is_root = arith.cmpi eq, %rank, %c0 : index
  // expected-note@+1 {{'scf.if' goes on by}}
  scf.if %is_root {
    func.call @sum(%x) : (memref<4xf32>) -> ()
  }
  return
}

// -----

// A function that is called with different values.
// expected-note@+1 {{argument 1 may differ between ranks}}
func.func private @maybe(%x: memref<4xf32>, %flag: i1) {
  // expected-note@+1 {{'scf.if' goes on by}}
  scf.if %flag {
    // expected-error@+1 {{may be executed by some members of its group only}}
    dist.all_reduce_into sum %x into %x on <[[0, 1]]>
        : (memref<4xf32>) into (memref<4xf32>)
  }
  return
}
func.func @by_its_argument(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %rank = dist.rank : index
  %is_root = arith.cmpi eq, %rank, %c0 : index
  call @maybe(%x, %is_root) : (memref<4xf32>, i1) -> ()
  return
}

// -----

func.func @blocks(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{the value comes from here}}
  %rank = dist.rank : index
  %is_root = arith.cmpi eq, %rank, %c0 : index
  // expected-note@+1 {{'cf.cond_br' goes on by}}
  cf.cond_br %is_root, ^root, ^all
^root:
  // expected-error@+1 {{may be executed by some members of its group only}}
  dist.all_reduce_into sum %x into %x on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32>)
  cf.br ^all
^all:
  return
}

// -----

// Memory that ranks fill differently.
func.func @through_memory(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2 : i64
  // expected-note@+1 {{the value comes from here}}
  %cell = memref.alloc() : memref<1xi64>
  %rank = dist.rank : index
  %rank64 = arith.index_cast %rank : index to i64
  memref.store %rank64, %cell[%c0] : memref<1xi64>
  %value = memref.load %cell[%c0] : memref<1xi64>
  %is_low = arith.cmpi ult, %value, %two : i64
  // expected-note@+1 {{'scf.if' goes on by}}
  scf.if %is_low {
    // expected-error@+1 {{may be executed by some members of its group only}}
    dist.all_reduce_into sum %x into %x on <[[0, 1]]>
        : (memref<4xf32>) into (memref<4xf32>)
  }
  memref.dealloc %cell : memref<1xi64>
  return
}

// -----

// A reduce delivers to its root, the others receive zeros.
func.func @rooted(%x: memref<4xf32>, %t: tensor<f32>) {
  %zero = arith.constant 0.0 : f32
  // expected-note@+1 {{the value comes from here}}
  %f = dist.reduce sum %t root 0 on <[[0, 1]]>
      : (tensor<f32>) -> !dist.future<tensor<f32>>
  %sum = dist.wait %f : !dist.future<tensor<f32>>
  %value = tensor.extract %sum[] : tensor<f32>
  %is_positive = arith.cmpf ogt, %value, %zero : f32
  // expected-note@+1 {{'scf.if' goes on by}}
  scf.if %is_positive {
    // expected-error@+1 {{may be executed by some members of its group only}}
    dist.all_reduce_into sum %x into %x on <[[0, 1]]>
        : (memref<4xf32>) into (memref<4xf32>)
  }
  return
}

// -----

// What dist-verify-schedule finds is an error here, too.
func.func @lost(%x: tensor<4xf32>) {
  // expected-error@+1 {{is not waited for}}
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}
