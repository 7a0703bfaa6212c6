// What dist-run reads: layouts, versions, files per rank, scalars, element
// types without a numpy type, and what it generates where there is no file.

// RUN: %python %S/Inputs/make-npy.py %t
// RUN: dist-run %s --entry=matrix --ranks=2 --print --input=%t/c-order.npy | FileCheck %s --check-prefix=MATRIX
// RUN: dist-run %s --entry=matrix --ranks=2 --print --input 0=%t/fortran-order.npy | FileCheck %s --check-prefix=MATRIX
// RUN: dist-run %s --entry=matrix --ranks=2 --print --input=%t/version-2.npy | FileCheck %s --check-prefix=MATRIX
// RUN: dist-run %s --entry=matrix --ranks=2 --print --input=%t/reordered.npy | FileCheck %s --check-prefix=MATRIX
// RUN: dist-run %s --entry=dynamic --ranks=2 --print --input=%t/c-order.npy | FileCheck %s --check-prefix=MATRIX
// MATRIX:      rank 0: result 0: tensor<2x3xf32> = {{\[\[}}0.5, 1.5, 2.5], [3.5, 4.5, 5.5]]
// MATRIX-NEXT: rank 1: result 0: tensor<2x3xf32> = {{\[\[}}0.5, 1.5, 2.5], [3.5, 4.5, 5.5]]

// RUN: dist-run %s --entry=matrix --ranks=2 --print --input=%t/ranked.{rank}.npy | FileCheck %s --check-prefix=RANKED
// RANKED: rank 0: result 0: tensor<2x3xf32> = {{\[\[}}0.5, 1.5
// RANKED: rank 1: result 0: tensor<2x3xf32> = {{\[\[}}10.5, 11.5

// RUN: dist-run %s --entry=matrix --ranks=2 --print --input-dir=%t | FileCheck %s --check-prefix=FOLDER
// FOLDER: rank 0: result 0: tensor<2x3xf32> = {{\[\[}}0.5, 1.5
// FOLDER: rank 1: result 0: tensor<2x3xf32> = {{\[\[}}100.5, 101.5

// RUN: dist-run %s --entry=scalars --ranks=1 --print --arg 0=-3 --input 1=%t/scalar-7.npy --arg 2=0.1 --arg 3=true --arg 4=1e-3 --arg 5=0x7f \
// RUN:   | FileCheck %s --check-prefix=SCALARS
// SCALARS:      rank 0: result 0: i8 = -3
// SCALARS-NEXT: rank 0: result 1: index = 7
// SCALARS-NEXT: rank 0: result 2: f16 = 0.1
// SCALARS-NEXT: rank 0: result 3: i1 = true
// SCALARS-NEXT: rank 0: result 4: f64 = 0.001
// SCALARS-NEXT: rank 0: result 5: i8 = 127

// RUN: not dist-run %s --entry=scalars --ranks=1 --arg 5=255 2>&1 | FileCheck %s --check-prefix=NO-FIT
// NO-FIT: dist-run: error: argument 5 (i8) of rank 0: expected a value of type i8, found '255'

// RUN: dist-run %s --entry=small --ranks=1 --print --input=%t/bf16-bits.npy --input=%t/bool.npy | FileCheck %s --check-prefix=SMALL
// SMALL:      rank 0: result 0: tensor<3xbf16> = [1, -2, inf]
// SMALL-NEXT: rank 0: result 1: tensor<3xi1> = [true, false, true]

// Without files: counted through the ranks, zeros, or random but always equal.
// RUN: dist-run %s --entry=matrix --ranks=2 --print | FileCheck %s --check-prefix=IOTA
// IOTA:      rank 0: result 0: tensor<2x3xf32> = {{\[\[}}0, 1, 2], [3, 4, 5]]
// IOTA-NEXT: rank 1: result 0: tensor<2x3xf32> = {{\[\[}}6, 7, 8], [9, 10, 11]]
// RUN: dist-run %s --entry=matrix --ranks=2 --print --fill=zero | FileCheck %s --check-prefix=ZERO
// ZERO:      rank 1: result 0: tensor<2x3xf32> = {{\[\[}}0, 0, 0], [0, 0, 0]]
// RUN: dist-run %s --entry=matrix --ranks=2 --print --fill=random > %t/random-1
// RUN: dist-run %s --entry=matrix --ranks=2 --print --fill=random > %t/random-2
// RUN: dist-run %s --entry=matrix --ranks=2 --print --fill=random --fill-seed=5 > %t/random-3
// RUN: diff %t/random-1 %t/random-2
// RUN: not diff %t/random-1 %t/random-3
// RUN: dist-run %s --entry=dynamic --ranks=1 --print --shape 0=1x4 | FileCheck %s --check-prefix=SHAPE
// SHAPE: rank 0: result 0: tensor<1x4xf32> = {{\[\[}}0, 1, 2, 3]]

// A writable argument starts as zeros, unless the user fills it.
// RUN: dist-run %s --entry=writable --ranks=1 --print | FileCheck %s --check-prefix=WRITABLE
// WRITABLE: rank 0: result 0: tensor<3xi32> = [0, 0, 0]
// RUN: dist-run %s --entry=writable --ranks=1 --print --fill=iota | FileCheck %s --check-prefix=FILLED
// FILLED: rank 0: result 0: tensor<3xi32> = [0, 1, 2]

func.func @matrix(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  return %x : tensor<2x3xf32>
}

func.func @dynamic(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  return %x : tensor<?x?xf32>
}

func.func @scalars(%a: i8, %b: index, %c: f16, %d: i1, %e: f64, %f: i8) -> (i8, index, f16, i1, f64, i8) {
  return %a, %b, %c, %d, %e, %f : i8, index, f16, i1, f64, i8
}

func.func @small(%a: tensor<3xbf16>, %b: tensor<3xi1>) -> (tensor<3xbf16>, tensor<3xi1>) {
  return %a, %b : tensor<3xbf16>, tensor<3xi1>
}

func.func @writable(%x: tensor<3xi32> {dist.writable}) -> tensor<3xi32> {
  return %x : tensor<3xi32>
}
