// Every constraint of `dist.launch` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// launch C1
func.func @two_grid_sizes(%n: index) {
  // expected-error@+1 {{'dist.launch' op has 2 grid sizes, expected 3}}
  dist.launch "k" grid(%n, %n) block(%n, %n, %n) access []
  return
}

// -----

// launch C1
func.func @four_block_sizes(%n: index) {
  // expected-error@+1 {{'dist.launch' op has 4 block sizes, expected 3}}
  dist.launch "k" grid(%n, %n, %n) block(%n, %n, %n, %n) access []
  return
}

// -----

// launch C2
func.func @access_is_missing(%n: index, %m: memref<4xf32>) {
  // expected-error@+1 {{'dist.launch' op has 0 entries of access, expected 1, one for each argument}}
  dist.launch "k" grid(%n, %n, %n) block(%n, %n, %n) args(%m : memref<4xf32>) access []
  return
}

// -----

// launch C2
func.func @value_is_written(%n: index) {
  // expected-error@+1 {{'dist.launch' op has access 2 of argument 0 of type 'index', expected 0 for a value}}
  dist.launch "k" grid(%n, %n, %n) block(%n, %n, %n) args(%n : index) access [2]
  return
}

// -----

// launch C2
func.func @unknown_access(%n: index, %m: memref<4xf32>) {
  // expected-error@+1 {{'dist.launch' op has access 4 of argument 0 of type 'memref<4xf32>', expected 0 to 3}}
  dist.launch "k" grid(%n, %n, %n) block(%n, %n, %n) args(%m : memref<4xf32>) access [4]
  return
}

// -----

// launch C3
func.func @host_version_is_unknown(%n: index) {
  // expected-error@+1 {{'dist.launch' op names 'k_host', expected a function as host version}}
  dist.launch "k" host @k_host grid(%n, %n, %n) block(%n, %n, %n) access []
  return
}

// -----

// launch C3
func.func private @k_host(memref<4xf32>)
func.func @host_version_takes_no_sizes(%n: index, %m: memref<4xf32>) {
  // expected-error@+1 {{'dist.launch' op has host version 'k_host' of type '(memref<4xf32>) -> ()', expected '(memref<4xf32>, index, index, index, index, index, index) -> ()'}}
  dist.launch "k" host @k_host grid(%n, %n, %n) block(%n, %n, %n) args(%m : memref<4xf32>) access [1]
  return
}
