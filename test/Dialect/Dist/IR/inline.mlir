// RUN: dist-opt %s -inline | FileCheck %s

// Collectives keep their order and their future when a call is inlined, into a
// loop as well.

func.func private @start(%x: tensor<4xf32>) -> !dist.future<tensor<8xf32>> {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  return %f : !dist.future<tensor<8xf32>>
}
func.func private @finish(%f: !dist.future<tensor<8xf32>>) -> tensor<8xf32> {
  %y = dist.wait %f : !dist.future<tensor<8xf32>>
  return %y : tensor<8xf32>
}

// CHECK-LABEL: func.func @caller(
// CHECK:         scf.for
// CHECK-NEXT:      %[[F:.*]] = dist.all_gather
// CHECK-NEXT:      %[[A:.*]] = dist.all_reduce
// CHECK-NEXT:      dist.wait %[[A]]
// CHECK-NEXT:      %[[Y:.*]] = dist.wait %[[F]]
// CHECK-NEXT:      %[[N:.*]] = dist.opaque "use"(%[[Y]])
// CHECK-NEXT:      scf.yield %[[N]]
func.func @caller(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4xf32> {
    %f = func.call @start(%a)
        : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
    %g = dist.all_reduce sum %a on <[[0, 1]]>
        : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    %s = dist.wait %g : !dist.future<tensor<4xf32>>
    %y = func.call @finish(%f)
        : (!dist.future<tensor<8xf32>>) -> tensor<8xf32>
    %next = dist.opaque "use"(%y) : (tensor<8xf32>) -> tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
