// Every reduction of every element type that docs/spec.md allows (C4).
// RUN: dist-opt %s | FileCheck %s

// CHECK-COUNT-87: dist.all_reduce
// CHECK-NOT: dist.all_reduce

func.func @of_i8(%x: tensor<4xi8>) {
  %sum = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xi8>) -> !dist.future<tensor<4xi8>>
  %product = dist.all_reduce product %x on <[[0, 1]]>
      : (tensor<4xi8>) -> !dist.future<tensor<4xi8>>
  %min = dist.all_reduce min %x on <[[0, 1]]>
      : (tensor<4xi8>) -> !dist.future<tensor<4xi8>>
  %max = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<4xi8>) -> !dist.future<tensor<4xi8>>
  %avg = dist.all_reduce avg %x on <[[0, 1]]>
      : (tensor<4xi8>) -> !dist.future<tensor<4xi8>>
  %band = dist.all_reduce band %x on <[[0, 1]]>
      : (tensor<4xi8>) -> !dist.future<tensor<4xi8>>
  %bor = dist.all_reduce bor %x on <[[0, 1]]>
      : (tensor<4xi8>) -> !dist.future<tensor<4xi8>>
  %bxor = dist.all_reduce bxor %x on <[[0, 1]]>
      : (tensor<4xi8>) -> !dist.future<tensor<4xi8>>
  return
}

func.func @of_i16(%x: tensor<4xi16>) {
  %sum = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xi16>) -> !dist.future<tensor<4xi16>>
  %product = dist.all_reduce product %x on <[[0, 1]]>
      : (tensor<4xi16>) -> !dist.future<tensor<4xi16>>
  %min = dist.all_reduce min %x on <[[0, 1]]>
      : (tensor<4xi16>) -> !dist.future<tensor<4xi16>>
  %max = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<4xi16>) -> !dist.future<tensor<4xi16>>
  %avg = dist.all_reduce avg %x on <[[0, 1]]>
      : (tensor<4xi16>) -> !dist.future<tensor<4xi16>>
  %band = dist.all_reduce band %x on <[[0, 1]]>
      : (tensor<4xi16>) -> !dist.future<tensor<4xi16>>
  %bor = dist.all_reduce bor %x on <[[0, 1]]>
      : (tensor<4xi16>) -> !dist.future<tensor<4xi16>>
  %bxor = dist.all_reduce bxor %x on <[[0, 1]]>
      : (tensor<4xi16>) -> !dist.future<tensor<4xi16>>
  return
}

func.func @of_i32(%x: tensor<4xi32>) {
  %sum = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %product = dist.all_reduce product %x on <[[0, 1]]>
      : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %min = dist.all_reduce min %x on <[[0, 1]]>
      : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %max = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %avg = dist.all_reduce avg %x on <[[0, 1]]>
      : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %band = dist.all_reduce band %x on <[[0, 1]]>
      : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %bor = dist.all_reduce bor %x on <[[0, 1]]>
      : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %bxor = dist.all_reduce bxor %x on <[[0, 1]]>
      : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  return
}

func.func @of_i64(%x: tensor<4xi64>) {
  %sum = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xi64>) -> !dist.future<tensor<4xi64>>
  %product = dist.all_reduce product %x on <[[0, 1]]>
      : (tensor<4xi64>) -> !dist.future<tensor<4xi64>>
  %min = dist.all_reduce min %x on <[[0, 1]]>
      : (tensor<4xi64>) -> !dist.future<tensor<4xi64>>
  %max = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<4xi64>) -> !dist.future<tensor<4xi64>>
  %avg = dist.all_reduce avg %x on <[[0, 1]]>
      : (tensor<4xi64>) -> !dist.future<tensor<4xi64>>
  %band = dist.all_reduce band %x on <[[0, 1]]>
      : (tensor<4xi64>) -> !dist.future<tensor<4xi64>>
  %bor = dist.all_reduce bor %x on <[[0, 1]]>
      : (tensor<4xi64>) -> !dist.future<tensor<4xi64>>
  %bxor = dist.all_reduce bxor %x on <[[0, 1]]>
      : (tensor<4xi64>) -> !dist.future<tensor<4xi64>>
  return
}

func.func @of_ui8(%x: tensor<4xui8>) {
  %sum = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xui8>) -> !dist.future<tensor<4xui8>>
  %product = dist.all_reduce product %x on <[[0, 1]]>
      : (tensor<4xui8>) -> !dist.future<tensor<4xui8>>
  %min = dist.all_reduce min %x on <[[0, 1]]>
      : (tensor<4xui8>) -> !dist.future<tensor<4xui8>>
  %max = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<4xui8>) -> !dist.future<tensor<4xui8>>
  %avg = dist.all_reduce avg %x on <[[0, 1]]>
      : (tensor<4xui8>) -> !dist.future<tensor<4xui8>>
  %band = dist.all_reduce band %x on <[[0, 1]]>
      : (tensor<4xui8>) -> !dist.future<tensor<4xui8>>
  %bor = dist.all_reduce bor %x on <[[0, 1]]>
      : (tensor<4xui8>) -> !dist.future<tensor<4xui8>>
  %bxor = dist.all_reduce bxor %x on <[[0, 1]]>
      : (tensor<4xui8>) -> !dist.future<tensor<4xui8>>
  return
}

func.func @of_ui16(%x: tensor<4xui16>) {
  %sum = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xui16>) -> !dist.future<tensor<4xui16>>
  %product = dist.all_reduce product %x on <[[0, 1]]>
      : (tensor<4xui16>) -> !dist.future<tensor<4xui16>>
  %min = dist.all_reduce min %x on <[[0, 1]]>
      : (tensor<4xui16>) -> !dist.future<tensor<4xui16>>
  %max = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<4xui16>) -> !dist.future<tensor<4xui16>>
  %avg = dist.all_reduce avg %x on <[[0, 1]]>
      : (tensor<4xui16>) -> !dist.future<tensor<4xui16>>
  %band = dist.all_reduce band %x on <[[0, 1]]>
      : (tensor<4xui16>) -> !dist.future<tensor<4xui16>>
  %bor = dist.all_reduce bor %x on <[[0, 1]]>
      : (tensor<4xui16>) -> !dist.future<tensor<4xui16>>
  %bxor = dist.all_reduce bxor %x on <[[0, 1]]>
      : (tensor<4xui16>) -> !dist.future<tensor<4xui16>>
  return
}

func.func @of_ui32(%x: tensor<4xui32>) {
  %sum = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xui32>) -> !dist.future<tensor<4xui32>>
  %product = dist.all_reduce product %x on <[[0, 1]]>
      : (tensor<4xui32>) -> !dist.future<tensor<4xui32>>
  %min = dist.all_reduce min %x on <[[0, 1]]>
      : (tensor<4xui32>) -> !dist.future<tensor<4xui32>>
  %max = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<4xui32>) -> !dist.future<tensor<4xui32>>
  %avg = dist.all_reduce avg %x on <[[0, 1]]>
      : (tensor<4xui32>) -> !dist.future<tensor<4xui32>>
  %band = dist.all_reduce band %x on <[[0, 1]]>
      : (tensor<4xui32>) -> !dist.future<tensor<4xui32>>
  %bor = dist.all_reduce bor %x on <[[0, 1]]>
      : (tensor<4xui32>) -> !dist.future<tensor<4xui32>>
  %bxor = dist.all_reduce bxor %x on <[[0, 1]]>
      : (tensor<4xui32>) -> !dist.future<tensor<4xui32>>
  return
}

func.func @of_ui64(%x: tensor<4xui64>) {
  %sum = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xui64>) -> !dist.future<tensor<4xui64>>
  %product = dist.all_reduce product %x on <[[0, 1]]>
      : (tensor<4xui64>) -> !dist.future<tensor<4xui64>>
  %min = dist.all_reduce min %x on <[[0, 1]]>
      : (tensor<4xui64>) -> !dist.future<tensor<4xui64>>
  %max = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<4xui64>) -> !dist.future<tensor<4xui64>>
  %avg = dist.all_reduce avg %x on <[[0, 1]]>
      : (tensor<4xui64>) -> !dist.future<tensor<4xui64>>
  %band = dist.all_reduce band %x on <[[0, 1]]>
      : (tensor<4xui64>) -> !dist.future<tensor<4xui64>>
  %bor = dist.all_reduce bor %x on <[[0, 1]]>
      : (tensor<4xui64>) -> !dist.future<tensor<4xui64>>
  %bxor = dist.all_reduce bxor %x on <[[0, 1]]>
      : (tensor<4xui64>) -> !dist.future<tensor<4xui64>>
  return
}

func.func @of_f16(%x: tensor<4xf16>) {
  %sum = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xf16>) -> !dist.future<tensor<4xf16>>
  %product = dist.all_reduce product %x on <[[0, 1]]>
      : (tensor<4xf16>) -> !dist.future<tensor<4xf16>>
  %min = dist.all_reduce min %x on <[[0, 1]]>
      : (tensor<4xf16>) -> !dist.future<tensor<4xf16>>
  %max = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<4xf16>) -> !dist.future<tensor<4xf16>>
  %avg = dist.all_reduce avg %x on <[[0, 1]]>
      : (tensor<4xf16>) -> !dist.future<tensor<4xf16>>
  return
}

func.func @of_bf16(%x: tensor<4xbf16>) {
  %sum = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xbf16>) -> !dist.future<tensor<4xbf16>>
  %product = dist.all_reduce product %x on <[[0, 1]]>
      : (tensor<4xbf16>) -> !dist.future<tensor<4xbf16>>
  %min = dist.all_reduce min %x on <[[0, 1]]>
      : (tensor<4xbf16>) -> !dist.future<tensor<4xbf16>>
  %max = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<4xbf16>) -> !dist.future<tensor<4xbf16>>
  %avg = dist.all_reduce avg %x on <[[0, 1]]>
      : (tensor<4xbf16>) -> !dist.future<tensor<4xbf16>>
  return
}

func.func @of_f32(%x: tensor<4xf32>) {
  %sum = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %product = dist.all_reduce product %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %min = dist.all_reduce min %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %max = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %avg = dist.all_reduce avg %x on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return
}

func.func @of_f64(%x: tensor<4xf64>) {
  %sum = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4xf64>) -> !dist.future<tensor<4xf64>>
  %product = dist.all_reduce product %x on <[[0, 1]]>
      : (tensor<4xf64>) -> !dist.future<tensor<4xf64>>
  %min = dist.all_reduce min %x on <[[0, 1]]>
      : (tensor<4xf64>) -> !dist.future<tensor<4xf64>>
  %max = dist.all_reduce max %x on <[[0, 1]]>
      : (tensor<4xf64>) -> !dist.future<tensor<4xf64>>
  %avg = dist.all_reduce avg %x on <[[0, 1]]>
      : (tensor<4xf64>) -> !dist.future<tensor<4xf64>>
  return
}

func.func @of_i1(%x: tensor<4xi1>) {
  %band = dist.all_reduce band %x on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  %bor = dist.all_reduce bor %x on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  %bxor = dist.all_reduce bxor %x on <[[0, 1]]>
      : (tensor<4xi1>) -> !dist.future<tensor<4xi1>>
  return
}
