// A block of two linear layers split over the ranks of a mesh axis: the first by
// columns, so that each rank computes a part of the hidden vector from the whole
// input, the second by rows, so that the partial results add up to the output.
//
// RUN: dist-opt %s | FileCheck %s --check-prefix=SOURCE
// RUN: dist-run %s --ranks 4 --schedule=false --print | FileCheck %s --check-prefix=VALUES
// RUN: dist-run %s --ranks 4 --print | FileCheck %s --check-prefix=VALUES
// RUN: dist-run %s --backend=nccl --fake-device --ranks 4 --print | FileCheck %s --check-prefix=VALUES

// Two replicas of two ranks each.
dist.mesh @world ["dp" = 2, "tp" = 2]

// SOURCE-LABEL: func.func @block
func.func @block(%x: tensor<1x2xf32> {dist.uniform}, %columns: tensor<2x2xf32>,
                 %rows: tensor<2x2xf32>) -> tensor<1x2xf32> {
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<1x2xf32>
  %row0 = linalg.fill ins(%zero : f32) outs(%row : tensor<1x2xf32>)
      -> tensor<1x2xf32>
  %hidden = linalg.matmul ins(%x, %columns : tensor<1x2xf32>, tensor<2x2xf32>)
      outs(%row0 : tensor<1x2xf32>) -> tensor<1x2xf32>
  %clamped = linalg.max ins(%hidden, %row0 : tensor<1x2xf32>, tensor<1x2xf32>)
      outs(%row : tensor<1x2xf32>) -> tensor<1x2xf32>
  %partial = linalg.matmul
      ins(%clamped, %rows : tensor<1x2xf32>, tensor<2x2xf32>)
      outs(%row0 : tensor<1x2xf32>) -> tensor<1x2xf32>
  // SOURCE: dist.all_reduce sum {{.*}} on <@world["tp"]>
  %sum = dist.all_reduce sum %partial on <@world["tp"]>
      : (tensor<1x2xf32>) -> !dist.future<tensor<1x2xf32>>
  %y = dist.wait %sum : !dist.future<tensor<1x2xf32>>
  return %y : tensor<1x2xf32>
}

// VALUES: rank 0: result 0: tensor<1x2xf32> = {{\[\[}}72, 90]]
// VALUES-NEXT: rank 1: result 0: tensor<1x2xf32> = {{\[\[}}72, 90]]
// VALUES-NEXT: rank 2: result 0: tensor<1x2xf32> = {{\[\[}}568, 618]]
// VALUES-NEXT: rank 3: result 0: tensor<1x2xf32> = {{\[\[}}568, 618]]
