// Options that make no sense are one line each.

// RUN: not dist-run %s --ranks=0 2>&1 | FileCheck %s --check-prefix=RANKS
// RANKS: dist-run: error: --ranks: expected at least 1, found 0
// RUN: not dist-run %s --ranks=100000 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: dist-run: error: --ranks: expected at most 4096, found 100000
// RUN: not dist-run %s --link-delay=5 2>&1 | FileCheck %s --check-prefix=DELAY
// DELAY: dist-run: error: --link-delay: expected a duration such as 5ms (ns, us, ms or s), found '5'
// RUN: not dist-run %s --deadline=-1s 2>&1 | FileCheck %s --check-prefix=DEADLINE
// DEADLINE: dist-run: error: --deadline: expected a duration such as 5ms (ns, us, ms or s), found '-1s'
// RUN: not dist-run %s --fault=0:drop 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT: dist-run: error: --fault: expected RANK:SEQUENCE:drop or RANK:SEQUENCE:delay:DURATION, found '0:drop'
// RUN: not dist-run %s --fault=0:1:delay:x 2>&1 | FileCheck %s --check-prefix=FAULT-DELAY
// FAULT-DELAY: dist-run: error: --fault: expected a duration
// RUN: not dist-run %s --fill=ones 2>&1 | FileCheck %s --check-prefix=FILL
// FILL: dist-run: error: --fill: expected iota, zero or random, found 'ones'
// RUN: not dist-run %s --opt-level=4 2>&1 | FileCheck %s --check-prefix=OPT
// OPT: dist-run: error: --opt-level: expected 0 to 3, found 4
// RUN: not dist-run %s --arg=x 2>&1 | FileCheck %s --check-prefix=ARG
// ARG: dist-run: error: --arg: expected I=VALUE, found 'x'
// RUN: not dist-run %s --arg 0=1 --arg 0=2 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: dist-run: error: --arg: 0 is given twice
// RUN: not dist-run %s --shape 0=2x-1 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: dist-run: error: --shape: expected sizes such as 4x2, found '2x-1'
// RUN: not dist-run %s --ranks=1 --input-dir=%t.absent 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: dist-run: error: --input-dir: '{{.*}}absent' is not a folder
// RUN: not dist-run %s --ranks=1 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: dist-run: error: argument 0 (tensor<?xf32>) of rank 0: shape ? is not known: give a file with --input or sizes with --shape=0=...
// RUN: not dist-run %s --ranks=1 --shape 0=9000000000000000000 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: dist-run: error: argument 0 (tensor<?xf32>) of rank 0: shape 9000000000000000000 is too large to generate values for
// RUN: not dist-run %s --ranks=1 --backend=pigeons --shape 0=1 2>&1 | FileCheck %s --check-prefix=BACKEND
// BACKEND: dist-run: error: {{.*}}pigeons
// RUN: not dist-run %s --ranks=1 --shared-libs=%t.absent.so 2>&1 | FileCheck %s --check-prefix=LIBRARY
// LIBRARY: dist-run: error: cannot compile '{{.*}}options.mlir': --shared-libs: cannot find '{{.*}}absent.so'
// RUN: not dist-run %s --lower-options=nonsense=1 --ranks=1 2>&1 | FileCheck %s --check-prefix=LOWER
// LOWER: error: {{.*}}nonsense
// LOWER: dist-run: error: cannot lower

func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
