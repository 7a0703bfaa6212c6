// Every .npy file that does not fit or is broken is one line that names the
// argument, the rank and the file, and says what was expected.

// RUN: %python %S/Inputs/make-npy.py %t
// RUN: not dist-run %s --ranks=2 --input=%t/wrong-dtype.npy 2>&1 | FileCheck %s --check-prefix=WRONG-DTYPE
// WRONG-DTYPE: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}wrong-dtype.npy': expected element type f32 (numpy '<f4'), found '<f8'
// RUN: not dist-run %s --ranks=2 --input=%t/wrong-shape.npy 2>&1 | FileCheck %s --check-prefix=WRONG-SHAPE
// WRONG-SHAPE: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}wrong-shape.npy': expected shape 2x3, found 3x2
// RUN: not dist-run %s --ranks=2 --input=%t/wrong-rank.npy 2>&1 | FileCheck %s --check-prefix=WRONG-RANK
// WRONG-RANK: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}wrong-rank.npy': expected shape 2x3, found 6
// RUN: not dist-run %s --ranks=2 --input=%t/big-endian.npy 2>&1 | FileCheck %s --check-prefix=BIG-ENDIAN
// BIG-ENDIAN: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}big-endian.npy': expected element type f32 (numpy '<f4'), found '>f4': big-endian data is not supported
// RUN: not dist-run %s --ranks=2 --input=%t/structured.npy 2>&1 | FileCheck %s --check-prefix=STRUCTURED
// STRUCTURED: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}structured.npy': structured arrays are not supported
// RUN: not dist-run %s --ranks=2 --input=%t/empty.npy 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}empty.npy': not a .npy file: it does not begin with \x93NUMPY
// RUN: not dist-run %s --ranks=2 --input=%t/not-npy.npy 2>&1 | FileCheck %s --check-prefix=NOT-NPY
// NOT-NPY: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}not-npy.npy': not a .npy file
// RUN: not dist-run %s --ranks=2 --input=%t/magic-only.npy 2>&1 | FileCheck %s --check-prefix=MAGIC-ONLY
// MAGIC-ONLY: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}magic-only.npy': truncated header: the file has 6 bytes
// RUN: not dist-run %s --ranks=2 --input=%t/version-9.npy 2>&1 | FileCheck %s --check-prefix=VERSION-9
// VERSION-9: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}version-9.npy': unknown format version 9, expected 1, 2 or 3
// RUN: not dist-run %s --ranks=2 --input=%t/header-too-long.npy 2>&1 | FileCheck %s --check-prefix=HEADER-TOO-LONG
// HEADER-TOO-LONG: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}header-too-long.npy': truncated header: it should have 4294967295 bytes, the file has 8 more
// RUN: not dist-run %s --ranks=2 --input=%t/no-data.npy 2>&1 | FileCheck %s --check-prefix=NO-DATA
// NO-DATA: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}no-data.npy': expected 24 bytes of data, found 0
// RUN: not dist-run %s --ranks=2 --input=%t/short-data.npy 2>&1 | FileCheck %s --check-prefix=SHORT-DATA
// SHORT-DATA: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}short-data.npy': expected 24 bytes of data, found 23
// RUN: not dist-run %s --ranks=2 --input=%t/long-data.npy 2>&1 | FileCheck %s --check-prefix=LONG-DATA
// LONG-DATA: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}long-data.npy': expected 24 bytes of data, found 25
// RUN: not dist-run %s --ranks=2 --input=%t/huge-shape.npy 2>&1 | FileCheck %s --check-prefix=HUGE-SHAPE
// HUGE-SHAPE: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}huge-shape.npy': the shape has more elements than memory can hold
// RUN: not dist-run %s --ranks=2 --input=%t/overflowing-size.npy 2>&1 | FileCheck %s --check-prefix=OVERFLOWING-SIZE
// OVERFLOWING-SIZE: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}overflowing-size.npy': size 99999999999999999999999 in 'shape' is too large
// RUN: not dist-run %s --ranks=2 --input=%t/negative-size.npy 2>&1 | FileCheck %s --check-prefix=NEGATIVE-SIZE
// NEGATIVE-SIZE: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}negative-size.npy': malformed header: expected a size in 'shape', found '-2, 3)}'
// RUN: not dist-run %s --ranks=2 --input=%t/many-dims.npy 2>&1 | FileCheck %s --check-prefix=MANY-DIMS
// MANY-DIMS: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}many-dims.npy': more than 64 dimensions in 'shape'
// RUN: not dist-run %s --ranks=2 --input=%t/no-shape.npy 2>&1 | FileCheck %s --check-prefix=NO-SHAPE
// NO-SHAPE: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}no-shape.npy': the header lacks one of 'descr', 'fortran_order' and 'shape'
// RUN: not dist-run %s --ranks=2 --input=%t/twice.npy 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}twice.npy': key 'descr' occurs twice in the header
// RUN: not dist-run %s --ranks=2 --input=%t/unknown-key.npy 2>&1 | FileCheck %s --check-prefix=UNKNOWN-KEY
// UNKNOWN-KEY: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}unknown-key.npy': unexpected key 'order' in the header
// RUN: not dist-run %s --ranks=2 --input=%t/code.npy 2>&1 | FileCheck %s --check-prefix=CODE
// CODE: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}code.npy': malformed header: expected '{', found '__import__('
// RUN: not dist-run %s --ranks=2 --input=%t/unclosed.npy 2>&1 | FileCheck %s --check-prefix=UNCLOSED
// UNCLOSED: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}unclosed.npy': malformed header: expected a quoted type for 'descr', found ''<f4'
// RUN: not dist-run %s --ranks=2 --input=%t/trailing.npy 2>&1 | FileCheck %s --check-prefix=TRAILING
// TRAILING: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: '{{.*}}trailing.npy': malformed header: expected the end of the header, found '+ 1'
// RUN: not dist-run %s --ranks=2 --input=%t/absent.npy 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 0: cannot read '{{.*}}absent.npy': No such file or directory
// RUN: not dist-run %s --ranks=2 --input=%t 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: cannot read '{{.*}}': not a regular file

// One file per rank, but not for each.
// RUN: not dist-run %s --ranks=3 --input-dir=%t 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: dist-run: error: argument 0 (tensor<2x3xf32>) of rank 2: no file arg0.rank2.npy or arg0.npy in '{{.*}}'; --fill generates what is missing

// RUN: not dist-run %s --ranks=2 --input 1=%t/c-order.npy 2>&1 | FileCheck %s --check-prefix=TOO-MANY
// TOO-MANY: dist-run: error: --input: there is no argument 1, entry 'main' has 1

// RUN: not dist-run %s --ranks=2 --arg 0=1 2>&1 | FileCheck %s --check-prefix=NO-SCALAR
// NO-SCALAR: dist-run: error: --arg: argument 0 is no scalar; give a file with --input

// RUN: not dist-run %s --ranks=2 --shape 0=2x4 2>&1 | FileCheck %s --check-prefix=BAD-SHAPE
// BAD-SHAPE: dist-run: error: --shape: argument 0 has shape 2x3, found 2x4

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  return %x : tensor<2x3xf32>
}
