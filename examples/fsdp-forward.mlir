// Forward pass over weights that are sharded row by row (FSDP, ZeRO-3). The loop
// gathers the weights of layer i + 1 while layer i computes: the future of the
// next layer's weights is a loop-carried value.
//
// RUN: dist-opt %s | FileCheck %s --check-prefix=SOURCE
// RUN: dist-run %s --ranks 2 --group fsdp=world --schedule=false --print | FileCheck %s --check-prefix=VALUES
// RUN: dist-run %s --ranks 2 --group fsdp=world --print | FileCheck %s --check-prefix=VALUES
// RUN: dist-run %s --backend=nccl --fake-device --ranks 2 --group fsdp=world --print | FileCheck %s --check-prefix=VALUES

dist.process_group @fsdp size 2

// SOURCE-LABEL: func.func @forward
func.func @forward(%x: tensor<1x2xf32>, %shards: tensor<3x2xf32>)
    -> tensor<1x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<1x2xf32>
  %row0 = linalg.fill ins(%zero : f32) outs(%row : tensor<1x2xf32>)
      -> tensor<1x2xf32>

  %shard = tensor.extract_slice %shards[0, 0] [1, 2] [1, 1]
      : tensor<3x2xf32> to tensor<1x2xf32>
  %first = dist.all_gather %shard dim 0 on <@fsdp>
      : (tensor<1x2xf32>) -> !dist.future<tensor<2x2xf32>>

  // SOURCE: scf.for {{.*}} -> (tensor<1x2xf32>, !dist.future<tensor<2x2xf32>>)
  %activation, %pending = scf.for %layer = %c0 to %last step %c1
      iter_args(%in = %x, %ready = %first)
      -> (tensor<1x2xf32>, !dist.future<tensor<2x2xf32>>) {
    %next = arith.addi %layer, %c1 : index
    %nextShard = tensor.extract_slice %shards[%next, 0] [1, 2] [1, 1]
        : tensor<3x2xf32> to tensor<1x2xf32>
    %prefetch = dist.all_gather %nextShard dim 0 on <@fsdp>
        : (tensor<1x2xf32>) -> !dist.future<tensor<2x2xf32>>
    %w = dist.wait %ready : !dist.future<tensor<2x2xf32>>
    %out = linalg.matmul ins(%in, %w : tensor<1x2xf32>, tensor<2x2xf32>)
        outs(%row0 : tensor<1x2xf32>) -> tensor<1x2xf32>
    scf.yield %out, %prefetch : tensor<1x2xf32>, !dist.future<tensor<2x2xf32>>
  }

  %w = dist.wait %pending : !dist.future<tensor<2x2xf32>>
  %y = linalg.matmul ins(%activation, %w : tensor<1x2xf32>, tensor<2x2xf32>)
      outs(%row0 : tensor<1x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}

// VALUES: rank 0: result 0: tensor<1x2xf32> = {{\[\[}}1082, 1231]]
// VALUES-NEXT: rank 1: result 0: tensor<1x2xf32> = {{\[\[}}3490, 3971]]
