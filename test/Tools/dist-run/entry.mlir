// Which function runs, and what cannot be one.

// RUN: split-file %s %t
// RUN: dist-run %t/one.mlir --ranks=1 --print | FileCheck %s --check-prefix=ONE
// RUN: dist-run %t/one.mlir --ranks=1 --print --entry=run | FileCheck %s --check-prefix=ONE
// RUN: dist-run - --ranks=1 --print < %t/one.mlir | FileCheck %s --check-prefix=ONE
// RUN: dist-opt %t/one.mlir --emit-bytecode -o %t/one.mlirbc
// RUN: dist-run %t/one.mlirbc --ranks=1 --print | FileCheck %s --check-prefix=ONE
// ONE: rank 0: result 0: i32 = 42

// RUN: not dist-run %t/one.mlir --ranks=1 --entry=helper 2>&1 | FileCheck %s --check-prefix=PRIVATE
// PRIVATE: one.mlir:1:1: error: 'helper' cannot be the entry, it is not public: candidates are 'run'
// PRIVATE: dist-run: error: no entry in '{{.*}}one.mlir'
// RUN: not dist-run %t/one.mlir --ranks=1 --entry=declared 2>&1 | FileCheck %s --check-prefix=DECLARED
// DECLARED: error: 'declared' cannot be the entry, it has no body: candidates are 'run'
// RUN: not dist-run %t/one.mlir --ranks=1 --entry=absent 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: no function 'absent': candidates are 'run'

// RUN: not dist-run %t/two.mlir --ranks=1 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: expected one public function to run, found 2; choose one with --entry: candidates are 'first', 'second'
// RUN: not dist-run %t/none.mlir --ranks=1 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: expected one public function to run, found 0: there is no public function with a body

// RUN: not dist-run %t/future.mlir --ranks=2 2>&1 | FileCheck %s --check-prefix=FUTURE
// FUTURE: future.mlir:1:1: error: argument 1 of entry 'takes_future' has type '!dist.future<tensor<4xf32>>', a future, which dist-run neither makes nor waits for
// FUTURE: dist-run: error: unsupported entry in '{{.*}}future.mlir'
// RUN: not dist-run %t/unranked.mlir --ranks=2 2>&1 | FileCheck %s --check-prefix=UNRANKED
// UNRANKED: error: argument 0 of entry 'takes_unranked' has type 'tensor<*xf32>', expected
// RUN: not dist-run %t/wide.mlir --ranks=2 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: error: result 0 of entry 'returns_wide' has type 'tensor<2xi129>', expected

// RUN: not dist-run %t/syntax.mlir 2>&1 | FileCheck %s --check-prefix=SYNTAX
// SYNTAX: syntax.mlir:2:{{[0-9]+}}: error:
// SYNTAX: dist-run: error: cannot parse '{{.*}}syntax.mlir'
// RUN: not dist-run %t/absent.mlir 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: dist-run: error: cannot open input file '{{.*}}absent.mlir'

// RUN: not dist-run %t/one.mlir 2>&1 | FileCheck %s --check-prefix=RANKS
// RANKS: dist-run: error: the module does not say how many ranks it needs: give --ranks

//--- one.mlir
func.func private @helper() -> i32 {
  %c = arith.constant 42 : i32
  return %c : i32
}
func.func @run() -> i32 {
  %c = func.call @helper() : () -> i32
  return %c : i32
}
func.func private @declared(i32)

//--- two.mlir
func.func @first() {
  return
}
func.func @second() {
  return
}

//--- none.mlir
module {}

//--- future.mlir
func.func @takes_future(%x: tensor<4xf32>, %f: !dist.future<tensor<4xf32>>) {
  return
}

//--- unranked.mlir
func.func @takes_unranked(%x: tensor<*xf32>) {
  return
}

//--- wide.mlir
func.func @returns_wide() -> tensor<2xi129> {
  %x = tensor.empty() : tensor<2xi129>
  return %x : tensor<2xi129>
}

//--- syntax.mlir
func.func @broken() {
  %x = dist.nothing
  return
}
