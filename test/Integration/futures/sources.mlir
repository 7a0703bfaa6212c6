// What a source can be.
//
// RUN: dist-opt %s --dist-bufferize | FileCheck %s --check-prefix=IR
// RUN: dist-opt %s --dist-to-llvm -o %t
// RUN: dist-run %t --entry=argument_written --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V1
// RUN: dist-run %t --entry=writable_argument_written --ranks=2 --group=g=0,1 --checked --print --counters --fill=iota --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V2
// RUN: dist-run %t --entry=source_returned --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V3
// RUN: dist-run %t --entry=base_of_a_slice_written --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V4
// RUN: dist-run %t --entry=constant_written --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V5
// RUN: dist-run %t --entry=column --ranks=2 --group=g=0,1 --checked --print --counters --link-delay=5ms \
// RUN:   | FileCheck %s --check-prefix=V6

dist.process_group @g

// 09a: the source is an argument of the function and is written.
//
// IR-LABEL: func.func @argument_written(
// IR-COUNT-1: memref.copy
// IR-NOT: memref.copy
//
// V1: rank 0: result 0: tensor<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
// V1-NEXT: rank 0: result 1: tensor<4xi32> = [50, 1, 2, 3]
// V1-NEXT: rank 1: result 0: tensor<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
// V1-NEXT: rank 1: result 1: tensor<4xi32> = [50, 5, 6, 7]
// V1: "packs": 0,
// V1: "unpacks": 0,
// V1: "sourceCopies": 0,
// V1: "sourceMoves": 0,
// V1: "resultCopies": 0,
// V1: "liveBytes": 0,
func.func @argument_written(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 50 : i32
  %f = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %z = tensor.insert %v into %a[%c0] : tensor<4xi32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y, %z : tensor<8xi32>, tensor<4xi32>
}

// 09a with an argument that the function may write.
//
// IR-LABEL: func.func @writable_argument_written(
// IR-COUNT-1: memref.copy
// IR-NOT: memref.copy
//
// V2: rank 0: result 0: tensor<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
// V2-NEXT: rank 0: result 1: tensor<4xi32> = [50, 1, 2, 3]
// V2-NEXT: rank 1: result 0: tensor<8xi32> = [0, 1, 2, 3, 4, 5, 6, 7]
// V2-NEXT: rank 1: result 1: tensor<4xi32> = [50, 5, 6, 7]
// V2: "packs": 0,
// V2: "unpacks": 0,
// V2: "sourceCopies": 0,
// V2: "sourceMoves": 0,
// V2: "resultCopies": 0,
// V2: "liveBytes": 0,
func.func @writable_argument_written(%a: tensor<4xi32> {dist.writable}) -> (tensor<8xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 50 : i32
  %f = dist.all_gather %a dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %z = tensor.insert %v into %a[%c0] : tensor<4xi32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y, %z : tensor<8xi32>, tensor<4xi32>
}

// 09b: the source is returned.
//
// IR-LABEL: func.func @source_returned(
// IR-NOT: memref.copy
//
// V3: rank 0: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V3-NEXT: rank 0: result 1: tensor<4xi32> = [0, 2, 4, 6]
// V3-NEXT: rank 1: result 0: tensor<8xi32> = [0, 2, 4, 6, 8, 10, 12, 14]
// V3-NEXT: rank 1: result 1: tensor<4xi32> = [8, 10, 12, 14]
// V3: "packs": 0,
// V3: "unpacks": 0,
// V3: "sourceCopies": 0,
// V3: "sourceMoves": 0,
// V3: "resultCopies": 0,
// V3: "liveBytes": 0,
func.func @source_returned(%a: tensor<4xi32>) -> (tensor<8xi32>, tensor<4xi32>) {
  %x = arith.addi %a, %a : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y, %x : tensor<8xi32>, tensor<4xi32>
}

// 09c: the source is a slice and its base is written.
//
// IR-LABEL: func.func @base_of_a_slice_written(
// IR-COUNT-1: memref.copy
// IR-NOT: memref.copy
//
// V4: rank 0: result 0: tensor<8xi32> = [6, 8, 10, 12, 22, 24, 26, 28]
// V4-NEXT: rank 0: result 1: tensor<8xi32> = [0, 2, 4, 6, 8, 50, 12, 14]
// V4-NEXT: rank 1: result 0: tensor<8xi32> = [6, 8, 10, 12, 22, 24, 26, 28]
// V4-NEXT: rank 1: result 1: tensor<8xi32> = [16, 18, 20, 22, 24, 50, 28, 30]
// V4: "packs": 0,
// V4: "unpacks": 0,
// V4: "sourceCopies": 0,
// V4: "sourceMoves": 0,
// V4: "resultCopies": 0,
// V4: "liveBytes": 0,
func.func @base_of_a_slice_written(%b: tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>) {
  %c5 = arith.constant 5 : index
  %v = arith.constant 50 : i32
  %t = arith.addi %b, %b : tensor<8xi32>
  %x = tensor.extract_slice %t[3] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %z = tensor.insert %v into %t[%c5] : tensor<8xi32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y, %z : tensor<8xi32>, tensor<8xi32>
}

// 09d: the source is a constant; what is written is a copy of it.
//
// IR-LABEL: func.func @constant_written(
// IR-COUNT-1: memref.copy
// IR-NOT: memref.copy
//
// V5: rank 0: result 0: tensor<8xi32> = [1, 2, 3, 4, 1, 2, 3, 4]
// V5-NEXT: rank 0: result 1: tensor<4xi32> = [50, 2, 3, 4]
// V5-NEXT: rank 1: result 0: tensor<8xi32> = [1, 2, 3, 4, 1, 2, 3, 4]
// V5-NEXT: rank 1: result 1: tensor<4xi32> = [50, 2, 3, 4]
// V5: "packs": 0,
// V5: "unpacks": 0,
// V5: "sourceCopies": 0,
// V5: "sourceMoves": 0,
// V5: "resultCopies": 0,
// V5: "liveBytes": 0,
func.func @constant_written() -> (tensor<8xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 50 : i32
  %x = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %z = tensor.insert %v into %x[%c0] : tensor<4xi32>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y, %z : tensor<8xi32>, tensor<4xi32>
}

// 09e: the source is a column; the runtime packs it.
//
// IR-LABEL: func.func @column(
// IR-NOT: memref.copy
//
// V6: rank 0: result 0: tensor<8xi32> = [2, 6, 10, 14, 18, 22, 26, 30]
// V6-NEXT: rank 1: result 0: tensor<8xi32> = [2, 6, 10, 14, 18, 22, 26, 30]
// V6: "packs": 1,
// V6: "unpacks": 0,
// V6: "sourceCopies": 0,
// V6: "sourceMoves": 0,
// V6: "resultCopies": 0,
// V6: "liveBytes": 0,
func.func @column(%t: tensor<4x4xi32>) -> tensor<8xi32> {
  %x = tensor.extract_slice %t[0, 2] [4, 1] [1, 1]
    : tensor<4x4xi32> to tensor<4xi32>
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xi32>) -> !dist.future<tensor<8xi32>>
  %y = dist.wait %f : !dist.future<tensor<8xi32>>
  return %y : tensor<8xi32>
}
