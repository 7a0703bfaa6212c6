// Passes that know nothing of collectives neither remove, merge, duplicate nor
// move them, in several orders, also where the program is made for one rank.
// RUN: dist-opt %s -canonicalize -cse -sccp -remove-dead-values -control-flow-sink -loop-invariant-code-motion -symbol-dce | FileCheck %s
// RUN: dist-opt %s -inline -loop-invariant-code-motion -control-flow-sink -cse -canonicalize -sccp -remove-dead-values -canonicalize | FileCheck %s
// RUN: dist-opt %s -loop-invariant-code-motion -cse | FileCheck %s
// RUN: dist-opt %s -control-flow-sink -remove-dead-values | FileCheck %s
// RUN: dist-opt %s -sccp -symbol-dce -mem2reg -sroa | FileCheck %s
// RUN: dist-opt %s -loop-invariant-subset-hoisting -canonicalize -remove-dead-values | FileCheck %s
// RUN: sed "s/%%rank = dist.rank : index/%%rank = arith.constant 0 : index/" %s | dist-opt -canonicalize -cse -sccp -remove-dead-values -control-flow-sink -loop-invariant-code-motion | FileCheck %s
// RUN: sed "s/%%rank = dist.rank : index/%%rank = arith.constant 1 : index/" %s | dist-opt -sccp -canonicalize -control-flow-sink -cse -remove-dead-values | FileCheck %s

// The first rank alone uses the result: the collective stays, before the branch.
// CHECK-LABEL: func.func @used_on_one_rank_only(
// CHECK:         %[[F:.*]] = dist.all_reduce sum
// CHECK-NEXT:    dist.wait %[[F]]
// CHECK-NOT:     {{ dist\.(all|wait|reduce|broad)}}
// CHECK:         return
func.func @used_on_one_rank_only(%x: tensor<1xi32>) -> tensor<1xi32> {
  %c0 = arith.constant 0 : index
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<1xi32>) -> !dist.future<tensor<1xi32>>
  %s = dist.wait %f : !dist.future<tensor<1xi32>>
  %rank = dist.rank : index
  %first = arith.cmpi eq, %rank, %c0 : index
  %r = scf.if %first -> tensor<1xi32> {
    scf.yield %s : tensor<1xi32>
  } else {
    scf.yield %x : tensor<1xi32>
  }
  return %r : tensor<1xi32>
}

// A loop that may run no iteration: nothing moves out, though nothing varies.
// CHECK-LABEL: func.func @in_a_loop(
// CHECK-NOT:     {{ dist\.(all|wait|reduce|broad)}}
// CHECK:         scf.for
// CHECK:           %[[F:.*]] = dist.all_reduce sum
// CHECK-NEXT:      %[[S:.*]] = dist.wait %[[F]]
// CHECK:           scf.yield
// CHECK-NOT:     {{ dist\.(all|wait|reduce|broad)}}
// CHECK:         return
func.func @in_a_loop(%x: tensor<1xi32>, %n: index) -> tensor<1xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0> : tensor<1xi32>
  %acc = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero)
      -> tensor<1xi32> {
    %f = dist.all_reduce sum %x on <[[0, 1]]>
        : (tensor<1xi32>) -> !dist.future<tensor<1xi32>>
    %s = dist.wait %f : !dist.future<tensor<1xi32>>
    %b = arith.addi %a, %s : tensor<1xi32>
    scf.yield %b : tensor<1xi32>
  }
  return %acc : tensor<1xi32>
}

// Equal collectives are two, and their order is theirs.
// CHECK-LABEL: func.func @equal_collectives(
// CHECK:         dist.all_reduce sum %{{.*}} on <{{.*}}, tag = "a">
// CHECK-NEXT:    dist.wait
// CHECK-NEXT:    dist.all_reduce sum %{{.*}} on <{{.*}}, tag = "b">
// CHECK-NEXT:    dist.wait
// CHECK-NEXT:    dist.all_reduce sum %{{.*}} on <{{.*}}, tag = "a">
// CHECK-NEXT:    dist.wait
// CHECK-NOT:     {{ dist\.(all|wait|reduce|broad)}}
// CHECK:         return
func.func @equal_collectives(%x: tensor<4xf32>) -> tensor<4xf32> {
  %f = dist.all_reduce sum %x on <[[0, 1]], tag = "a">
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %a = dist.wait %f : !dist.future<tensor<4xf32>>
  %g = dist.all_reduce sum %x on <[[0, 1]], tag = "b">
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %b = dist.wait %g : !dist.future<tensor<4xf32>>
  %h = dist.all_reduce sum %x on <[[0, 1]], tag = "a">
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %c = dist.wait %h : !dist.future<tensor<4xf32>>
  %s = arith.addf %a, %c : tensor<4xf32>
  return %s : tensor<4xf32>
}

// Nobody uses what arrives, nobody even waits: the others take part.
// CHECK-LABEL: func.func @unused(
// CHECK:         %[[F:.*]] = dist.all_gather
// CHECK-NEXT:    dist.wait %[[F]]
// CHECK-NEXT:    dist.reduce_scatter
// CHECK-NEXT:    dist.broadcast
// CHECK-NEXT:    dist.all_gather_into
// CHECK-NEXT:    dist.all_reduce_into
// CHECK:         return
func.func @unused(%x: tensor<4xf32>, %out: tensor<8xf32>, %m: memref<4xf32>) {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %y = dist.wait %f : !dist.future<tensor<8xf32>>
  %g = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<2xf32>>
  %h = dist.broadcast %x root 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
  dist.all_reduce_into sum %m into %m on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32>)
  return
}

// One memref reduced twice with a store in between: three different things.
// CHECK-LABEL: func.func @store_between(
// CHECK:         dist.all_reduce_into sum
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    dist.all_reduce_into sum
// CHECK-NEXT:    %[[V:.*]] = memref.load
// CHECK-NEXT:    return %[[V]]
func.func @store_between(%m: memref<4xf32>, %v: f32, %i: index) -> f32 {
  dist.all_reduce_into sum %m into %m on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32>)
  memref.store %v, %m[%i] : memref<4xf32>
  dist.all_reduce_into sum %m into %m on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32>)
  %r = memref.load %m[%i] : memref<4xf32>
  return %r : f32
}

// A load does not move over the wait that brings what it loads.
// CHECK-LABEL: func.func @load_after_wait(
// CHECK:         %[[F:.*]] = dist.all_reduce sum
// CHECK-NEXT:    dist.wait %[[F]]
// CHECK:         memref.load
// CHECK-NEXT:    return
func.func @load_after_wait(%m: memref<4xf32>, %d: memref<4xf32>, %i: index)
    -> f32 {
  %old = memref.load %d[%i] : memref<4xf32>
  %f = dist.all_reduce sum %m into %d on <[[0, 1]]>
      : (memref<4xf32>) into (memref<4xf32>) -> !dist.future<memref<4xf32>>
  %w = dist.wait %f keeps(%m : memref<4xf32>) into(%d : memref<4xf32>)
      : !dist.future<memref<4xf32>>
  %new = memref.load %d[%i] : memref<4xf32>
  return %new : f32
}

// Equal exchanges whose results nobody needs, in and before a loop.
// CHECK-LABEL: func.func @exchanges(
// CHECK:         dist.all_to_all
// CHECK:         dist.permute
// CHECK:         dist.reduce sum
// CHECK:         scf.for
// CHECK-NEXT:      dist.all_to_all
// CHECK-NEXT:      dist.permute
// CHECK-NEXT:      dist.reduce sum
// CHECK-NEXT:      dist.wait
func.func @exchanges(%x: tensor<4xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = dist.all_to_all %x split_dim 0 concat_dim 0 on <[[0, 1]]>
      : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %g = dist.permute %x pairs [] on <[[0, 1]]>
      : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %h = dist.reduce sum %x root 0 on <[[0, 1]]>
      : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %a:3 = dist.wait %f, %g, %h
      : !dist.future<tensor<4xi32>>, !dist.future<tensor<4xi32>>,
        !dist.future<tensor<4xi32>>
  scf.for %i = %c0 to %n step %c1 {
    %k = dist.all_to_all %x split_dim 0 concat_dim 0 on <[[0, 1]]>
        : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
    %l = dist.permute %x pairs [] on <[[0, 1]]>
        : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
    %m = dist.reduce sum %x root 0 on <[[0, 1]]>
        : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
    %b:3 = dist.wait %k, %l, %m
        : !dist.future<tensor<4xi32>>, !dist.future<tensor<4xi32>>,
          !dist.future<tensor<4xi32>>
  }
  return
}
