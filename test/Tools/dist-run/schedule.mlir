// The program goes through dist-overlap first, with the user's bounds.

// RUN: dist-run %s --print-scheduled --print | FileCheck %s --check-prefixes=FREE,VALUES
// FREE:      dist.all_gather
// FREE:      dist.all_gather
// FREE:      dist.wait

// RUN: dist-run %s --print-scheduled --print --max-in-flight=1 | FileCheck %s --check-prefixes=BOUND,VALUES
// RUN: dist-run %s --print-scheduled --print --overlap-options=max-in-flight=1 | FileCheck %s --check-prefixes=BOUND,VALUES
// RUN: dist-run %s --print-scheduled --print --max-in-flight-bytes=16 | FileCheck %s --check-prefixes=BOUND,VALUES
// BOUND:     dist.all_gather
// BOUND:     dist.wait
// BOUND:     dist.all_gather
// BOUND:     dist.wait

// RUN: dist-run %s --print --schedule=false | FileCheck %s --check-prefix=VALUES
// VALUES: rank 0: result 0: tensor<4xf32> = [0, 2, 4, 6]
// VALUES: rank 0: result 1: tensor<4xf32> = [0, 1, 4, 9]
// VALUES: rank 1: result 0: tensor<4xf32> = [0, 2, 4, 6]
// VALUES: rank 1: result 1: tensor<4xf32> = [0, 1, 4, 9]

// RUN: not dist-run %s --overlap-options=nonsense=1 2>&1 | FileCheck %s --check-prefix=NONSENSE
// NONSENSE: error: pipeline 'dist-overlap{nonsense=1}': {{.*}}
// NONSENSE: dist-run: error: cannot lower '{{.*}}schedule.mlir'
// RUN: not dist-run %s --max-in-flight=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: dist-run: error: --max-in-flight: expected at least 0, found -1

func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %f = dist.all_gather %a dim 0 on <[[0, 1]]> : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
  %x = dist.wait %f : !dist.future<tensor<4xf32>>
  %y = arith.addf %x, %x : tensor<4xf32>
  %g = dist.all_gather %b dim 0 on <[[0, 1]]> : (tensor<2xf32>) -> !dist.future<tensor<4xf32>>
  %z = dist.wait %g : !dist.future<tensor<4xf32>>
  %w = arith.mulf %z, %z : tensor<4xf32>
  return %y, %w : tensor<4xf32>, tensor<4xf32>
}
