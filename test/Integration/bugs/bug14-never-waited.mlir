// bug14-coalesced-futures: one of two futures of a launch is never waited for.
//
// RUN: dist-opt %s --dist-verify-schedule --verify-diagnostics

func.func @waits_for_the_first_only(%a: tensor<2xi32>, %b: tensor<3xi32>)
    -> tensor<2xi32> {
  // expected-error @+1 {{'dist.all_reduce' op result 1 of type '!dist.future<tensor<3xi32>>' is not waited for}}
  %f:2 = dist.all_reduce sum %a, %b on <[[0, 1]]>
      : (tensor<2xi32>, tensor<3xi32>)
      -> !dist.future<tensor<2xi32>>, !dist.future<tensor<3xi32>>
  %x = dist.wait %f#0 : !dist.future<tensor<2xi32>>
  return %x : tensor<2xi32>
}
