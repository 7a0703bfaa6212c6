// RUN: dist-opt %s --dist-lower-clones | FileCheck %s

// A clone that may be contiguous is left to convert-bufferization-to-memref.
//
// CHECK-LABEL: func.func @contiguous(
// CHECK:         bufferization.clone
func.func @contiguous(%m: memref<4xf32>) -> memref<4xf32> {
  %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  return %c : memref<4xf32>
}

// CHECK-LABEL: func.func @any_strides(
// CHECK:         bufferization.clone
func.func @any_strides(%m: memref<4xf32, strided<[?], offset: ?>>)
    -> memref<4xf32, strided<[?], offset: ?>> {
  %c = bufferization.clone %m : memref<4xf32, strided<[?], offset: ?>>
    to memref<4xf32, strided<[?], offset: ?>>
  return %c : memref<4xf32, strided<[?], offset: ?>>
}

// Six elements, two apart, the first one the fourth of its buffer: 3 + 5 * 2 + 1.
//
// CHECK-LABEL: func.func @static_gaps(
// CHECK-SAME:    %[[SOURCE:.*]]: memref<6xf32,
// CHECK:         %[[BUFFER:.*]] = memref.alloc() : memref<14xf32>
// CHECK:         %[[VIEW:.*]] = memref.reinterpret_cast %[[BUFFER]] to offset: [3], sizes: [6], strides: [2]
// CHECK:         memref.copy %[[SOURCE]], %[[VIEW]]
// CHECK:         return %[[VIEW]]
func.func @static_gaps(%m: memref<6xf32, strided<[2], offset: 3>>)
    -> memref<6xf32, strided<[2], offset: 3>> {
  %c = bufferization.clone %m : memref<6xf32, strided<[2], offset: 3>>
    to memref<6xf32, strided<[2], offset: 3>>
  return %c : memref<6xf32, strided<[2], offset: 3>>
}

// An offset that the type does not promise is not kept.
//
// CHECK-LABEL: func.func @dynamic_sizes(
// CHECK:         %{{.*}}, %{{.*}}, %[[SIZES:.*]]:2, %{{.*}}:2 = memref.extract_strided_metadata
// CHECK:         %[[EXTENT:.*]] = affine.max
// CHECK:         %[[BUFFER:.*]] = memref.alloc(%[[EXTENT]]) : memref<?xf32>
// CHECK:         memref.reinterpret_cast %[[BUFFER]] to offset: [0], sizes: [%[[SIZES]]#0, 4], strides: [8, 1]
// CHECK:         memref.copy
func.func @dynamic_sizes(%m: memref<?x4xf32, strided<[8, 1], offset: ?>>)
    -> memref<?x4xf32, strided<[8, 1], offset: ?>> {
  %c = bufferization.clone %m : memref<?x4xf32, strided<[8, 1], offset: ?>>
    to memref<?x4xf32, strided<[8, 1], offset: ?>>
  return %c : memref<?x4xf32, strided<[8, 1], offset: ?>>
}
