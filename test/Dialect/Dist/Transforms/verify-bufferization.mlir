// RUN: dist-opt %s --dist-verify-bufferization | FileCheck %s

// What a start borrows under a name of its own is kept under another one.
//
// CHECK-LABEL: func.func @views_of_one_buffer(
func.func @views_of_one_buffer(%m: memref<8xf32>) -> memref<4xf32> {
  %x = memref.subview %m[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  %c = memref.cast %x : memref<4xf32, strided<[1], offset: 2>> to memref<4xf32, strided<[1], offset: ?>>
  %f = dist.all_reduce sum %c on <[[0, 1]]>
    : (memref<4xf32, strided<[1], offset: ?>>) -> !dist.future<tensor<4xf32>>
  %y = dist.wait %f keeps(%m : memref<8xf32>)
    : !dist.future<tensor<4xf32>> -> memref<4xf32>
  return %y : memref<4xf32>
}

// Another part of a buffer in flight may be written.
//
// CHECK-LABEL: func.func @disjoint_parts(
func.func @disjoint_parts(%m: memref<8xf32>, %v: f32) {
  %x = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %z = memref.subview %m[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %f = dist.all_reduce sum %x into %x on <[[0, 1]]>
    : (memref<4xf32, strided<[1]>>) into (memref<4xf32, strided<[1]>>)
    -> !dist.future<memref<4xf32, strided<[1]>>>
  linalg.fill ins(%v : f32) outs(%z : memref<4xf32, strided<[1], offset: 4>>)
  %y = dist.wait %f keeps(%m : memref<8xf32>)
    : !dist.future<memref<4xf32, strided<[1]>>>
  return
}

// A call with a cast operand: what the callee starts, the caller keeps.
//
// CHECK-LABEL: func.func private @starter(
func.func private @starter(%x: memref<4xf32, strided<[?], offset: ?>>)
    -> !dist.future<tensor<4xf32>> {
  %f = dist.all_reduce sum %x on <[[0, 1]]>
    : (memref<4xf32, strided<[?], offset: ?>>) -> !dist.future<tensor<4xf32>>
  dist.keep %x : memref<4xf32, strided<[?], offset: ?>>
  return %f : !dist.future<tensor<4xf32>>
}
func.func @caller(%m: memref<4xf32>) -> memref<4xf32> {
  %c = memref.cast %m : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %f = call @starter(%c) : (memref<4xf32, strided<[?], offset: ?>>) -> !dist.future<tensor<4xf32>>
  %y = dist.wait %f keeps(%m : memref<4xf32>)
    : !dist.future<tensor<4xf32>> -> memref<4xf32>
  return %y : memref<4xf32>
}

// CHECK-LABEL: func.func @one_consumer_per_branch(
func.func @one_consumer_per_branch(%m: memref<4xf32>, %p: i1) {
  %f = dist.all_reduce sum %m on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  scf.if %p {
    %y = dist.wait %f keeps(%m : memref<4xf32>)
      : !dist.future<tensor<4xf32>> -> memref<4xf32>
  } else {
    dist.drop %f keeps(%m : memref<4xf32>) : !dist.future<tensor<4xf32>>
  }
  return
}

// A source that is read before it is given away, and a copied one that is written.
//
// CHECK-LABEL: func.func @donated_and_copied(
func.func @donated_and_copied(%v: f32, %c: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
  %e = memref.load %m[%c0] : memref<4xf32>
  %f = dist.all_reduce sum %m on <[[0, 1]]> {source_modes = [#dist.source<donate>]}
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  %g = dist.all_reduce sum %c on <[[0, 1]]> {source_modes = [#dist.source<copy>]}
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  linalg.fill ins(%v : f32) outs(%c : memref<4xf32>)
  dist.drop %f : !dist.future<tensor<4xf32>>
  dist.drop %g : !dist.future<tensor<4xf32>>
  return %e : f32
}

// The buffer is free again where the future ends, in a branch and after it.
//
// CHECK-LABEL: func.func @written_after_the_wait(
func.func @written_after_the_wait(%m: memref<4xf32>, %v: f32, %p: i1) {
  %f = dist.all_reduce sum %m on <[[0, 1]]>
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  scf.if %p {
    dist.drop %f keeps(%m : memref<4xf32>) : !dist.future<tensor<4xf32>>
    linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
  } else {
    dist.drop %f keeps(%m : memref<4xf32>) : !dist.future<tensor<4xf32>>
  }
  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>)
  return
}
