// One step of data-parallel training: two linear layers, every rank with samples
// of its own, gradients averaged over all ranks. Written the way a framework's
// hooks would: each gradient's all_reduce starts as soon as it is known and is
// waited for at once; dist-overlap moves the waits behind the backward pass.
//
// RUN: dist-opt %s | FileCheck %s --check-prefix=SOURCE
// RUN: dist-opt %s --dist-overlap | FileCheck %s --check-prefix=SCHEDULED
// RUN: dist-run %s --ranks 4 --group world=world --schedule=false --print | FileCheck %s --check-prefix=VALUES
// RUN: dist-run %s --ranks 4 --group world=world --print | FileCheck %s --check-prefix=VALUES
// RUN: dist-run %s --backend=nccl --fake-device --ranks 4 --group world=world --print | FileCheck %s --check-prefix=VALUES

dist.process_group @world size 4

// SOURCE-LABEL: func.func @step

// Both reductions are in flight before the first wait.
// SCHEDULED: %[[LAST:.*]] = dist.all_reduce avg
// SCHEDULED-NOT: dist.wait
// SCHEDULED: %[[FIRST:.*]] = dist.all_reduce avg
// SCHEDULED: dist.wait
// SCHEDULED: dist.wait

func.func @step(%x: tensor<1x2xf32>, %dy: tensor<1x2xf32>,
                %w0: tensor<2x2xf32> {dist.uniform},
                %w1: tensor<2x2xf32> {dist.uniform})
    -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %rate = arith.constant dense<0.5> : tensor<2x2xf32>
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<1x2xf32>
  %square = tensor.empty() : tensor<2x2xf32>
  %row0 = linalg.fill ins(%zero : f32) outs(%row : tensor<1x2xf32>)
      -> tensor<1x2xf32>
  %square0 = linalg.fill ins(%zero : f32) outs(%square : tensor<2x2xf32>)
      -> tensor<2x2xf32>

  // Forward: only the activation that the backward pass reads.
  %h = linalg.matmul ins(%x, %w0 : tensor<1x2xf32>, tensor<2x2xf32>)
      outs(%row0 : tensor<1x2xf32>) -> tensor<1x2xf32>

  // The last layer's gradient is ready first.
  %ht = tensor.collapse_shape %h [[0, 1]] : tensor<1x2xf32> into tensor<2xf32>
  %hc = tensor.expand_shape %ht [[0, 1]] output_shape [2, 1]
      : tensor<2xf32> into tensor<2x1xf32>
  %g1 = linalg.matmul ins(%hc, %dy : tensor<2x1xf32>, tensor<1x2xf32>)
      outs(%square0 : tensor<2x2xf32>) -> tensor<2x2xf32>
  // SOURCE: dist.all_reduce avg
  %f1 = dist.all_reduce avg %g1 on <@world>
      : (tensor<2x2xf32>) -> !dist.future<tensor<2x2xf32>>
  %mean1 = dist.wait %f1 : !dist.future<tensor<2x2xf32>>

  // dh = dy * w1^T does not need it, and neither does the next gradient.
  %w1t = linalg.transpose ins(%w1 : tensor<2x2xf32>)
      outs(%square : tensor<2x2xf32>) permutation = [1, 0]
  %dh = linalg.matmul ins(%dy, %w1t : tensor<1x2xf32>, tensor<2x2xf32>)
      outs(%row0 : tensor<1x2xf32>) -> tensor<1x2xf32>
  %xt = tensor.collapse_shape %x [[0, 1]] : tensor<1x2xf32> into tensor<2xf32>
  %xc = tensor.expand_shape %xt [[0, 1]] output_shape [2, 1]
      : tensor<2xf32> into tensor<2x1xf32>
  %g0 = linalg.matmul ins(%xc, %dh : tensor<2x1xf32>, tensor<1x2xf32>)
      outs(%square0 : tensor<2x2xf32>) -> tensor<2x2xf32>
  // SOURCE: dist.all_reduce avg
  %f0 = dist.all_reduce avg %g0 on <@world>
      : (tensor<2x2xf32>) -> !dist.future<tensor<2x2xf32>>
  %mean0 = dist.wait %f0 : !dist.future<tensor<2x2xf32>>

  %step0 = arith.mulf %mean0, %rate : tensor<2x2xf32>
  %step1 = arith.mulf %mean1, %rate : tensor<2x2xf32>
  %new0 = arith.subf %w0, %step0 : tensor<2x2xf32>
  %new1 = arith.subf %w1, %step1 : tensor<2x2xf32>
  return %new0, %new1 : tensor<2x2xf32>, tensor<2x2xf32>
}

// VALUES: rank 0: result 0: tensor<2x2xf32> = {{\[\[}}-8.5, -38.5], [-8.5, -45.5]]
// VALUES-NEXT: rank 0: result 1: tensor<2x2xf32> = {{\[\[}}-17, -20], [-30.5, -37]]
// VALUES-NEXT: rank 1: result 0: tensor<2x2xf32> = {{\[\[}}-8.5, -38.5], [-8.5, -45.5]]
// VALUES-NEXT: rank 1: result 1: tensor<2x2xf32> = {{\[\[}}-17, -20], [-30.5, -37]]
// VALUES-NEXT: rank 2: result 0: tensor<2x2xf32> = {{\[\[}}-8.5, -38.5], [-8.5, -45.5]]
// VALUES-NEXT: rank 2: result 1: tensor<2x2xf32> = {{\[\[}}-17, -20], [-30.5, -37]]
// VALUES-NEXT: rank 3: result 0: tensor<2x2xf32> = {{\[\[}}-8.5, -38.5], [-8.5, -45.5]]
// VALUES-NEXT: rank 3: result 1: tensor<2x2xf32> = {{\[\[}}-17, -20], [-30.5, -37]]
