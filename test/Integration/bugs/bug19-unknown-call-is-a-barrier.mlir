// bug19-unknown-call-is-a-barrier: values with a foreign function around the
// start. The function is a library's; it counts its calls.
//
// RUN: %cc -shared -fPIC -x c %S/Inputs/peer_exchange.c -o %t.so
// RUN: dist-run %s --ranks 2 --schedule=false --print --fill=iota \
// RUN:   --shared-libs=%t.so | FileCheck %s

// Rank r holds [2r, 2r + 1].
// CHECK: rank 0: result 0: tensor<4xf32> = [0, 1, 2, 3]
// CHECK: rank 0: result 1: i32 = 2
// CHECK: rank 1: result 0: tensor<4xf32> = [0, 1, 2, 3]
// CHECK: rank 1: result 1: i32 = 2

func.func private @peer_exchange()
func.func private @peer_exchange_count() -> i32

func.func @main(%x: tensor<2xf32>) -> (tensor<4xf32>, i32) {
  call @peer_exchange() : () -> ()
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
  call @peer_exchange() : () -> ()
  %y = dist.opaque "busy"(%x) calls @busy {nanoseconds = 1000}
      : (tensor<2xf32>) -> tensor<2xf32>
  %w = dist.wait %f : !dist.future<tensor<4xf32>>
  %n = call @peer_exchange_count() : () -> i32
  return %w, %n : tensor<4xf32>, i32
}
func.func private @busy(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = arith.addf %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
