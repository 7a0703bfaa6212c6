// RUN: dist-opt %s --dist-finalize-lowering --split-input-file --verify-diagnostics

// expected-error @below {{'func.func' op is left after lowering to the LLVM dialect}}
func.func private @leftover_function()

// -----

llvm.func @leftover_cast(%i: i64) -> i64 {
  // expected-error @below {{'builtin.unrealized_conversion_cast' op is left after lowering to the LLVM dialect: nothing converts 'i64' to 'index'}}
  %c = builtin.unrealized_conversion_cast %i : i64 to index
  // expected-error @below {{is left after lowering to the LLVM dialect: nothing converts 'index' to 'i64'}}
  %r = builtin.unrealized_conversion_cast %c : index to i64
  llvm.return %r : i64
}

// -----

// Arithmetic of types that LLVM does not have.
llvm.func @leftover_float8(%i: i8) {
  // expected-error @below {{nothing converts 'i8' to 'f8E4M3FN'}}
  %x = builtin.unrealized_conversion_cast %i : i8 to f8E4M3FN
  // expected-error @below {{'arith.addf' op is left after lowering to the LLVM dialect}}
  %y = arith.addf %x, %x : f8E4M3FN
  llvm.return
}
