// RUN: dist-opt %s --dist-host-kernels -split-input-file -verify-diagnostics

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-remark@+1 {{the kernel 'waits' has no version for the host}}
    gpu.func @waits(%a: memref<4xf32>) kernel {
      // expected-note@+1 {{because of this 'gpu.barrier'}}
      gpu.barrier
      gpu.return
    }
    // expected-remark@+2 {{the kernel 'shares' has no version for the host}}
    // expected-note@+1 {{because of this 'gpu.func'}}
    gpu.func @shares(%a: memref<4xf32>) workgroup(%s: memref<4xf32, #gpu.address_space<workgroup>>) kernel {
      gpu.return
    }
  }
  func.func @f(%a: memref<4xf32>, %n: index) {
    gpu.launch_func @kernels::@waits blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<4xf32>)
    gpu.launch_func @kernels::@shares blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<4xf32>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @token(%n: index, %t: !gpu.async.token) {
    // expected-error@+1 {{'gpu.launch_func' op has tokens; run dist-order-tokens first}}
    %s = gpu.launch_func async [%t] @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @dynamic_shared_memory(%n: index, %bytes: i32) {
    // expected-error@+1 {{'gpu.launch_func' op has dynamic shared memory or a stream of its own, expected neither}}
    gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) dynamic_shared_memory_size %bytes
    return
  }
}
