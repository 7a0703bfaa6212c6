// RUN: dist-opt %s --dist-to-llvm | FileCheck %s

// A loop without an exit is lifted, and lowered, like any other.
// CHECK-LABEL: llvm.func @loop_without_exit(
// CHECK:         llvm.br ^[[LOOP:.*]]
// CHECK:       ^[[LOOP]]:
// CHECK:         llvm.call @distrtAllReduce
// CHECK:         llvm.call @distrtFutureWait
// CHECK:         llvm.br ^[[LOOP]]
func.func @loop_without_exit(%x: tensor<2xf32>) {
  cf.br ^loop
^loop:
  %f = dist.all_reduce sum %x on <[[0, 1]]>
    : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
  %y = dist.wait %f : !dist.future<tensor<2xf32>>
  cf.br ^loop
}
