// What the lowering refuses, each where it stands.
//
// RUN: dist-opt %s --split-input-file --allow-unregistered-dialect \
// RUN:   --dist-to-llvm --verify-diagnostics -o /dev/null

func.func @opaque_without_callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'dist.opaque' op}}
  %y = dist.opaque "mm"(%x) {flops = 8} : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----
func.func @foreign_operation(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{op was not bufferized}}
  %y = "other.kernel"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----
func.func @foreign_operation_on_scalars(%x: f32) -> f32 {
  // expected-error @+1 {{ops with unknown memory side effects are not supported}}
  %y = "other.kernel"(%x) : (f32) -> f32
  return %y : f32
}

// -----
// Arithmetic that no processor here has.
// expected-error @+1 {{nothing converts 'i8' to 'f8E4M3FN'}}
func.func @fp8(%x: f8E4M3FN, %y: f8E4M3FN) -> f8E4M3FN {
  // expected-error @+1 {{'arith.addf' op is left after lowering to the LLVM dialect}}
  %z = arith.addf %x, %y : f8E4M3FN
  // expected-error @+1 {{nothing converts 'f8E4M3FN' to 'i8'}}
  return %z : f8E4M3FN
}
