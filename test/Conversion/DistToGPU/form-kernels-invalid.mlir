// RUN: dist-opt %s --dist-form-kernels -split-input-file -verify-diagnostics

func.func @mixes_memories(%m: memref<4xf32>) {
  %s = memref.alloca() : memref<4xf32>
  // expected-error@+1 {{'linalg.copy' op works on device memory and on host memory}}
  linalg.copy ins(%m : memref<4xf32>) outs(%s : memref<4xf32>)
  return
}
