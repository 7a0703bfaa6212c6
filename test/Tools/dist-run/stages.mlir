// The IR after each pass, in files.

// RUN: rm -rf %t && dist-run %s --dump-stages=%t --print | FileCheck %s
// CHECK: rank 1: result 0: tensor<4xi32> = [0, 1, 2, 3]

// RUN: ls %t | FileCheck %s --check-prefix=FILES
// FILES:     000-input.mlir
// FILES:     {{[0-9]+}}-one-shot-bufferize.mlir
// FILES:     {{[0-9]+}}-finalize-memref-to-llvm.mlir
// FILES-NOT: failed

// RUN: FileCheck %s --check-prefix=INPUT --input-file=%t/000-input.mlir
// INPUT: dist.all_gather %{{.*}} : (tensor<2xi32>)
// RUN: cat %t/*-one-shot-bufferize.mlir | FileCheck %s --check-prefix=BUFFERS
// BUFFERS: dist.all_gather %{{.*}} : (memref<2xi32

// Each of them is IR that can be read again, and the last one runs.
// RUN: cat %t/*-dist-finalize-lowering.mlir | dist-run - --ranks=2 --print | FileCheck %s

// RUN: not dist-run %s --dump-stages=%s 2>&1 | FileCheck %s --check-prefix=NO-FOLDER
// NO-FOLDER: error: cannot write '{{.*}}stages.mlir

func.func @main(%x: tensor<2xi32>) -> tensor<4xi32> {
  %f = dist.all_gather %x dim 0 on <[[0, 1]]> : (tensor<2xi32>) -> !dist.future<tensor<4xi32>>
  %y = dist.wait %f : !dist.future<tensor<4xi32>>
  return %y : tensor<4xi32>
}
