// An in-place all_gather written by hand, with work after it that does not need
// the gathered data. dist-overlap turns it into a start and a wait and moves the
// wait to the first reader of %out.
//
// RUN: dist-opt %s | FileCheck %s --check-prefix=SOURCE
// RUN: dist-opt %s --dist-overlap | FileCheck %s --check-prefix=SCHEDULED
// RUN: dist-run %s --ranks 4 --group g=world --schedule=false --print | FileCheck %s --check-prefix=VALUES
// RUN: dist-run %s --ranks 4 --group g=world --print | FileCheck %s --check-prefix=VALUES
// RUN: dist-run %s --backend=nccl --fake-device --ranks 4 --group g=world --print | FileCheck %s --check-prefix=VALUES

// SOURCE-LABEL: func.func @main
// SOURCE: dist.all_gather_into

// SCHEDULED: %[[FUTURE:.*]] = dist.all_gather
// SCHEDULED-NEXT: arith.addf
// SCHEDULED-NEXT: arith.mulf
// SCHEDULED-NEXT: %[[GATHERED:.*]] = dist.wait %[[FUTURE]]
// SCHEDULED-NEXT: bufferization.materialize_in_destination %[[GATHERED]]

dist.process_group @g size 4

func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>, %out: tensor<8xf32>)
    -> (tensor<2xf32>, tensor<8xf32>) {
  %one = arith.constant dense<1.0> : tensor<2xf32>
  %two = arith.constant dense<2.0> : tensor<8xf32>
  %c = arith.addf %a, %b : tensor<2xf32>
  %gathered = dist.all_gather_into %c into %out dim 0 on <@g>
      : (tensor<2xf32>) into (tensor<8xf32>) -> tensor<8xf32>
  %e = arith.addf %c, %one : tensor<2xf32>
  %f = arith.mulf %e, %b : tensor<2xf32>
  %doubled = arith.mulf %gathered, %two : tensor<8xf32>
  return %f, %doubled : tensor<2xf32>, tensor<8xf32>
}

// VALUES: rank 0: result 0: tensor<2xf32> = [0, 3]
// VALUES-NEXT: rank 0: result 1: tensor<8xf32> = [0, 4, 8, 12, 16, 20, 24, 28]
// VALUES-NEXT: rank 1: result 0: tensor<2xf32> = [10, 21]
// VALUES-NEXT: rank 1: result 1: tensor<8xf32> = [0, 4, 8, 12, 16, 20, 24, 28]
// VALUES-NEXT: rank 2: result 0: tensor<2xf32> = [36, 55]
// VALUES-NEXT: rank 2: result 1: tensor<8xf32> = [0, 4, 8, 12, 16, 20, 24, 28]
// VALUES-NEXT: rank 3: result 0: tensor<2xf32> = [78, 105]
// VALUES-NEXT: rank 3: result 1: tensor<8xf32> = [0, 4, 8, 12, 16, 20, 24, 28]
