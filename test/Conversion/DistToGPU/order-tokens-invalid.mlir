// RUN: dist-opt %s --dist-order-tokens -split-input-file -verify-diagnostics

func.func @shared_with_the_host() {
  // expected-error@+2 {{'gpu.alloc' op shares memory with the host, expected device memory alone}}
  // expected-error@+1 {{failed to legalize operation 'gpu.alloc'}}
  %m = gpu.alloc host_shared () : memref<4xf32>
  return
}
