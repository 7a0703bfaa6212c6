// Elements of every kind as arguments and results, in print and in files.

// RUN: split-file %s %t
// RUN: dist-run %t/generated.mlir --ranks=2 --print | FileCheck %s --check-prefix=PRINT
// PRINT: rank 0: result 0: tensor<4xf8E4M3FN> = [0, 1, 0, 1]
// PRINT: rank 0: result 1: tensor<2xf8E5M2> = [1, 2]
// PRINT: rank 0: result 2: tensor<2xcomplex<f32>> = [(2, 0), (4, 0)]
// PRINT: rank 0: result 3: tensor<4xi4> = [0, 1, 2, 3]
// PRINT: rank 0: result 4: tensor<2xi128> = [0, 1]
// PRINT: rank 1: result 2: tensor<2xcomplex<f32>> = [(2, 0), (4, 0)]
// PRINT: rank 1: result 3: tensor<4xi4> = [0, 1, 2, 3]

// Values from files: bits of what numpy does not know, in either sign; what an i4
// does not have is cut off.
// RUN: %python %S/Inputs/make-elements.py make %t
// RUN: dist-run %t/moved.mlir --input-dir=%t --output-dir=%t/out --print | FileCheck %s --check-prefix=MOVED
// MOVED: rank 0: result 0: tensor<4xf8E4M3FN> = [448, nan, -0, 0.00195]
// MOVED: rank 0: result 1: tensor<4xi4> = [-8, 7, -1, 1]
// MOVED: rank 0: result 2: tensor<2xcomplex<f64>> = [(1.5, -2), (0, 3)]
// MOVED: rank 0: result 3: tensor<2xi24> = [-1, 4660]
// MOVED: rank 0: result 4: tensor<2xf80> = [1, -2]
// MOVED: rank 0: result 5: tensor<2xcomplex<f16>> = [(1, 2), (0.5, -0)]
// MOVED: rank 0: result 6: tensor<4xf4E2M1FN> = [0.5, 6, -6, 0]
// MOVED: rank 0: result 7: tensor<2xui4> = [15, 1]
// MOVED: rank 0: result 8: tensor<2xsi8> = [-1, 1]
// RUN: %python %S/Inputs/make-elements.py check %t

// Scalars.
// RUN: dist-run %t/scalars.mlir --ranks=1 --print --arg "0=(1, -2.5)" --arg 1=-7 --arg 2=1.75 --arg 3=-170141183460469231731687303715884105728 | FileCheck %s --check-prefix=SCALARS
// SCALARS: result 0: complex<f32> = (1, -2.5)
// SCALARS: result 1: i4 = -7
// SCALARS: result 2: f8E4M3FN = 1.75
// SCALARS: result 3: i128 = -170141183460469231731687303715884105728
// RUN: not dist-run %t/scalars.mlir --ranks=1 --arg "0=(1 2)" 2>&1 | FileCheck %s --check-prefix=COMPLEX
// COMPLEX: dist-run: error: {{.*}}expected a value of type complex<f32>, found '(1 2)'
// RUN: not dist-run %t/scalars.mlir --ranks=1 --arg 1=8 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: dist-run: error: {{.*}}expected a value of type i4, found '8'
// RUN: not dist-run %t/wide.mlir --ranks=1 2>&1 | FileCheck %s --check-prefix=TOO-WIDE
// TOO-WIDE: wide.mlir:1:{{[0-9]+}}: error: argument 0 of entry 'main' has type 'tensor<2xi129>', expected a ranked tensor, a strided memref or a scalar, of integers, index, floats or complex numbers of at most 16 bytes

//--- generated.mlir
func.func @main(%a: tensor<2xf8E4M3FN> {dist.uniform}, %b: tensor<2xf8E5M2>,
                %c: tensor<2xcomplex<f32>>, %d: tensor<2xi4>, %e: tensor<2xi128>)
    -> (tensor<4xf8E4M3FN>, tensor<2xf8E5M2>, tensor<2xcomplex<f32>>, tensor<4xi4>,
        tensor<2xi128>) {
  %0 = dist.all_gather %a dim 0 on <[[0, 1]]> : (tensor<2xf8E4M3FN>) -> !dist.future<tensor<4xf8E4M3FN>>
  %1 = dist.all_reduce avg %b on <[[0, 1]]> : (tensor<2xf8E5M2>) -> !dist.future<tensor<2xf8E5M2>>
  %2 = dist.all_reduce sum %c on <[[0, 1]]> : (tensor<2xcomplex<f32>>) -> !dist.future<tensor<2xcomplex<f32>>>
  %3 = dist.all_gather %d dim 0 on <[[0, 1]]> : (tensor<2xi4>) -> !dist.future<tensor<4xi4>>
  %4 = dist.broadcast %e root 0 on <[[0, 1]]> : (tensor<2xi128>) -> !dist.future<tensor<2xi128>>
  %r0 = dist.wait %0 : !dist.future<tensor<4xf8E4M3FN>>
  %r1 = dist.wait %1 : !dist.future<tensor<2xf8E5M2>>
  %r2 = dist.wait %2 : !dist.future<tensor<2xcomplex<f32>>>
  %r3 = dist.wait %3 : !dist.future<tensor<4xi4>>
  %r4 = dist.wait %4 : !dist.future<tensor<2xi128>>
  return %r0, %r1, %r2, %r3, %r4 : tensor<4xf8E4M3FN>, tensor<2xf8E5M2>, tensor<2xcomplex<f32>>, tensor<4xi4>, tensor<2xi128>
}

//--- moved.mlir
func.func @main(%a: tensor<2xf8E4M3FN>, %b: tensor<2xi4>, %c: tensor<1xcomplex<f64>>,
                %d: tensor<1xi24>, %e: tensor<1xf80>, %f: tensor<1xcomplex<f16>>,
                %g: tensor<2xf4E2M1FN>, %h: tensor<1xui4>, %i: tensor<1xsi8>)
    -> (tensor<4xf8E4M3FN>, tensor<4xi4>, tensor<2xcomplex<f64>>, tensor<2xi24>,
        tensor<2xf80>, tensor<2xcomplex<f16>>, tensor<4xf4E2M1FN>, tensor<2xui4>,
        tensor<2xsi8>) {
  %0 = dist.all_gather %a dim 0 on <[[0, 1]]> : (tensor<2xf8E4M3FN>) -> !dist.future<tensor<4xf8E4M3FN>>
  %1 = dist.all_gather %b dim 0 on <[[0, 1]]> : (tensor<2xi4>) -> !dist.future<tensor<4xi4>>
  %2 = dist.all_gather %c dim 0 on <[[0, 1]]> : (tensor<1xcomplex<f64>>) -> !dist.future<tensor<2xcomplex<f64>>>
  %3 = dist.all_gather %d dim 0 on <[[0, 1]]> : (tensor<1xi24>) -> !dist.future<tensor<2xi24>>
  %4 = dist.all_gather %e dim 0 on <[[0, 1]]> : (tensor<1xf80>) -> !dist.future<tensor<2xf80>>
  %5 = dist.all_gather %f dim 0 on <[[0, 1]]> : (tensor<1xcomplex<f16>>) -> !dist.future<tensor<2xcomplex<f16>>>
  %6 = dist.all_gather %g dim 0 on <[[0, 1]]> : (tensor<2xf4E2M1FN>) -> !dist.future<tensor<4xf4E2M1FN>>
  %7 = dist.all_gather %h dim 0 on <[[0, 1]]> : (tensor<1xui4>) -> !dist.future<tensor<2xui4>>
  %8 = dist.all_gather %i dim 0 on <[[0, 1]]> : (tensor<1xsi8>) -> !dist.future<tensor<2xsi8>>
  %r0 = dist.wait %0 : !dist.future<tensor<4xf8E4M3FN>>
  %r1 = dist.wait %1 : !dist.future<tensor<4xi4>>
  %r2 = dist.wait %2 : !dist.future<tensor<2xcomplex<f64>>>
  %r3 = dist.wait %3 : !dist.future<tensor<2xi24>>
  %r4 = dist.wait %4 : !dist.future<tensor<2xf80>>
  %r5 = dist.wait %5 : !dist.future<tensor<2xcomplex<f16>>>
  %r6 = dist.wait %6 : !dist.future<tensor<4xf4E2M1FN>>
  %r7 = dist.wait %7 : !dist.future<tensor<2xui4>>
  %r8 = dist.wait %8 : !dist.future<tensor<2xsi8>>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8 : tensor<4xf8E4M3FN>, tensor<4xi4>, tensor<2xcomplex<f64>>, tensor<2xi24>, tensor<2xf80>, tensor<2xcomplex<f16>>, tensor<4xf4E2M1FN>, tensor<2xui4>, tensor<2xsi8>
}

//--- scalars.mlir
func.func @main(%a: complex<f32>, %b: i4, %c: f8E4M3FN, %d: i128) -> (complex<f32>, i4, f8E4M3FN, i128) {
  return %a, %b, %c, %d : complex<f32>, i4, f8E4M3FN, i128
}

//--- wide.mlir
func.func @main(%a: tensor<2xi129>) -> tensor<2xi129> {
  return %a : tensor<2xi129>
}
