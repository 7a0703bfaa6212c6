// Every constraint of the attributes that the dialect puts on other operations in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// attributes C1
// expected-error@+1 {{'builtin.module' op has attribute 'dist.spmd' with a value, expected a unit attribute}}
module attributes {dist.spmd = 1 : i32} {}

// -----

// attributes C1
// expected-error@+1 {{'func.func' op has attribute 'dist.spmd', expected it on a module}}
func.func private @f() attributes {dist.spmd}

// -----

// attributes C1
// expected-error@+1 {{'func.func' op has attribute 'dist.keep_groups_of_one', expected it on a module}}
func.func private @f() attributes {dist.keep_groups_of_one}

// -----

// attributes C2
// expected-error@+1 {{'builtin.module' op has attribute 'dist.no_effects', expected it on a function}}
module attributes {dist.no_effects} {}

// -----

// attributes C2
// expected-error@+1 {{'builtin.module' op has attribute 'dist.host_memory', expected it on a function}}
module attributes {dist.host_memory} {}

// -----

// attributes C2
// expected-error@+1 {{'func.func' op has attribute 'dist.stream_ordered' with a value, expected a unit attribute}}
func.func private @f() attributes {dist.stream_ordered = 1 : i32}

// -----

// attributes C3
// expected-error@+1 {{'func.func' op has attribute 'dist.writable', expected it on a function argument}}
func.func private @f(i32) attributes {dist.writable}

// -----

// attributes C8
// expected-error@+1 {{'func.func' op has attribute 'dist.uniform', expected it on a function argument, a branch or an operation with regions}}
func.func private @f(i32) attributes {dist.uniform}

// -----

// attributes C8
func.func @f(%b: i1) {
  // expected-error@+1 {{'scf.if' op has attribute 'dist.uniform' with a value, expected a unit attribute}}
  scf.if %b {
  } {dist.uniform = true}
  return
}

// -----

// attributes C8
func.func @f() {
  // expected-error@+1 {{'cf.br' op has attribute 'dist.uniform', expected it on}}
  cf.br ^bb1 {dist.uniform}
^bb1:
  return
}

// -----

// attributes C3
// expected-error@+1 {{'func.func' op argument 0 has attribute 'dist.uniform' with a value, expected a unit attribute}}
func.func private @f(i32 {dist.uniform = true})

// -----

// attributes C4
// expected-error@+1 {{'func.func' op argument 1 of type 'f32' has attribute 'dist.writable', expected a tensor or memref}}
func.func private @f(tensor<4xf32> {dist.writable}, f32 {dist.writable})

// -----

// attributes C5
// expected-error@+1 {{'func.func' op has attribute 'dist.signature', expected it on a function and with a function type}}
func.func private @f() attributes {dist.signature = i32}

// -----

// attributes C5
// expected-error@+1 {{'builtin.module' op has attribute 'dist.signature', expected it on a function and with a function type}}
module attributes {dist.signature = () -> ()} {}

// -----

// attributes C6
// expected-error@+1 {{'func.func' op has attribute 'dist.tied_results', expected an array of i64 beside 'dist.signature'}}
func.func private @f() attributes {dist.tied_results = array<i64: 0>}

// -----

// attributes C6
// expected-error@+1 {{'func.func' op has attribute 'dist.tied_results' with 1 entries, expected 2, one for each result of the signature}}
func.func private @f() attributes {dist.signature = (tensor<4xf32>) -> (tensor<4xf32>, f32), dist.tied_results = array<i64: 0>}

// -----

// attributes C6
// expected-error@+1 {{'func.func' op has attribute 'dist.tied_results' with entry 1, expected -1 or an argument, less than 1}}
func.func private @f() attributes {dist.signature = (tensor<4xf32>) -> tensor<4xf32>, dist.tied_results = array<i64: 1>}

// -----

// attributes C7
// expected-error@+1 {{'func.func' op has unknown attribute 'dist.no_effect' of the dist dialect}}
func.func private @f() attributes {dist.no_effect}

// -----

// attributes C7
// expected-error@+1 {{'func.func' op argument 0 has unknown attribute 'dist.unifrom' of the dist dialect}}
func.func private @f(i32 {dist.unifrom})

// -----

// attributes C7
// expected-error@+1 {{'func.func' op result 0 has unknown attribute 'dist.uniform' of the dist dialect}}
func.func private @f() -> (i32 {dist.uniform})
