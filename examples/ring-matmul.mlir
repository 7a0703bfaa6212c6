// A matrix product whose left operand is split by columns over the ranks, without
// ever gathering it: the blocks travel around a ring, and while one is on its way
// to the next rank, this rank multiplies it with the rows of the right operand
// that belong to it.
//
// RUN: dist-opt %s | FileCheck %s --check-prefix=SOURCE
// RUN: dist-run %s --ranks 4 --schedule=false --print | FileCheck %s --check-prefix=VALUES
// RUN: dist-run %s --ranks 4 --print | FileCheck %s --check-prefix=VALUES
// RUN: dist-run %s --backend=nccl --fake-device --ranks 4 --print | FileCheck %s --check-prefix=VALUES

dist.mesh @world ["ring" = 4]

// SOURCE-LABEL: func.func @product
func.func @product(%columns: tensor<2x1xf32>, %b: tensor<4x2xf32> {dist.uniform})
    -> tensor<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = dist.group_size on <@world["ring"]> : index
  %rank = dist.rank on <@world["ring"]> : index
  %empty = tensor.empty() : tensor<2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x2xf32>)
      -> tensor<2x2xf32>
  %last, %sum = scf.for %step = %c0 to %n step %c1
      iter_args(%block = %columns, %acc = %init)
      -> (tensor<2x1xf32>, tensor<2x2xf32>) {
    // SOURCE: dist.permute
    %sent = dist.permute %block pairs [[0, 1], [1, 2], [2, 3], [3, 0]]
        on <@world["ring"]>
        : (tensor<2x1xf32>) -> !dist.future<tensor<2x1xf32>>
    // The block of `step` came from that many ranks before this one.
    %before = arith.subi %rank, %step : index
    %up = arith.addi %before, %n : index
    %owner = arith.remui %up, %n : index
    %rows = tensor.extract_slice %b[%owner, 0] [1, 2] [1, 1]
        : tensor<4x2xf32> to tensor<1x2xf32>
    %next = linalg.matmul ins(%block, %rows : tensor<2x1xf32>, tensor<1x2xf32>)
        outs(%acc : tensor<2x2xf32>) -> tensor<2x2xf32>
    // SOURCE: linalg.matmul
    // SOURCE-NEXT: dist.wait
    %received = dist.wait %sent : !dist.future<tensor<2x1xf32>>
    scf.yield %received, %next : tensor<2x1xf32>, tensor<2x2xf32>
  }
  return %sum : tensor<2x2xf32>
}

// VALUES: rank 0: result 0: tensor<2x2xf32> = {{\[\[}}56, 68], [68, 84]]
// VALUES-NEXT: rank 1: result 0: tensor<2x2xf32> = {{\[\[}}56, 68], [68, 84]]
// VALUES-NEXT: rank 2: result 0: tensor<2x2xf32> = {{\[\[}}56, 68], [68, 84]]
// VALUES-NEXT: rank 3: result 0: tensor<2x2xf32> = {{\[\[}}56, 68], [68, 84]]
