// Cases inplace_all_gather_then_mul, war_out_read_before_copy.
//
// RUN: %python %S/../run_program.py %s

// CASE: programs inplace_all_gather_then_mul
// ARG: a
// ARG: b
// ARG: out
// RESULT: expected["f"][rank]
// RESULT: expected["out"][rank]
func.func @tensors(%a: tensor<4x2xf32>, %b: tensor<4x2xf32>,
                   %out: tensor<8x2xf32>)
    -> (tensor<4x2xf32>, tensor<8x2xf32>) {
  %one = arith.constant dense<1.0> : tensor<4x2xf32>
  %two = arith.constant dense<2.0> : tensor<8x2xf32>
  %c = arith.addf %a, %b : tensor<4x2xf32>
  %d = dist.all_gather_into %c into %out dim 0 on <[[0, 1]]>
      : (tensor<4x2xf32>) into (tensor<8x2xf32>) -> tensor<8x2xf32>
  %e = arith.addf %c, %one : tensor<4x2xf32>
  %f = arith.mulf %e, %b : tensor<4x2xf32>
  %doubled = arith.mulf %d, %two : tensor<8x2xf32>
  return %f, %doubled : tensor<4x2xf32>, tensor<8x2xf32>
}

// -----
// Buffers and an asynchronous start: the wait stands where the case has it.
// CASE: programs inplace_all_gather_then_mul
// ARG: a
// ARG: b
// ARG: np.full_like(out, 77)
// ARG: np.zeros((4, 2))
// AFTER 0: a
// AFTER 2: expected["out"][rank]
// AFTER 3: expected["f"][rank]
func.func @buffers(%a: memref<4x2xf32>, %b: memref<4x2xf32>,
                   %out: memref<8x2xf32>, %f: memref<4x2xf32>) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %c = memref.alloc() : memref<4x2xf32>
  linalg.add ins(%a, %b : memref<4x2xf32>, memref<4x2xf32>)
      outs(%c : memref<4x2xf32>)
  %h = dist.all_gather %c into %out dim 0 on <[[0, 1]]>
      : (memref<4x2xf32>) into (memref<8x2xf32>)
      -> !dist.future<memref<8x2xf32>>
  linalg.fill ins(%one : f32) outs(%f : memref<4x2xf32>)
  linalg.add ins(%c, %f : memref<4x2xf32>, memref<4x2xf32>)
      outs(%f : memref<4x2xf32>)
  %done = dist.wait %h keeps(%c : memref<4x2xf32>) into(%out : memref<8x2xf32>)
      : !dist.future<memref<8x2xf32>>
  linalg.mul ins(%f, %b : memref<4x2xf32>, memref<4x2xf32>)
      outs(%f : memref<4x2xf32>)
  %twos = memref.alloc() : memref<8x2xf32>
  linalg.fill ins(%two : f32) outs(%twos : memref<8x2xf32>)
  linalg.mul ins(%done, %twos : memref<8x2xf32>, memref<8x2xf32>)
      outs(%out : memref<8x2xf32>)
  return
}

// -----
// The same in buffers, with the wait as early as it can be.
// CASE: programs war_out_read_before_copy
// ARG: a
// ARG: b
// ARG: out
// ARG: [0, 0]
// AFTER 2: expected["out"][rank]
// AFTER 3: expected["z"][rank]
func.func @buffers_read_before_overwritten(
    %a: memref<1xf32>, %b: memref<2xf32>, %out: memref<2xf32>,
    %z: memref<2xf32>) {
  %f = dist.all_gather %a dim 0 on <[[0, 1]]>
      : (memref<1xf32>) -> !dist.future<tensor<2xf32>>
  %u = dist.wait %f keeps(%a : memref<1xf32>) : !dist.future<tensor<2xf32>>
  %gathered = bufferization.to_buffer %u : tensor<2xf32> to memref<2xf32>
  linalg.add ins(%out, %gathered : memref<2xf32>, memref<2xf32>)
      outs(%z : memref<2xf32>)
  linalg.add ins(%b, %b : memref<2xf32>, memref<2xf32>)
      outs(%out : memref<2xf32>)
  return
}
