// What would touch device memory on the host is refused where it stands.
// RUN: dist-opt %s --dist-device-accesses -split-input-file -verify-diagnostics

func.func private @library(memref<4xf32>)
func.func @calls_a_library(%m: memref<4xf32>) {
  // expected-error@+1 {{'func.call' op passes device memory to the external function 'library', expected it to have the attribute 'dist.stream_ordered': it must work in the order of the compute stream}}
  func.call @library(%m) : (memref<4xf32>) -> ()
  return
}

// -----

func.func private @library(memref<4xf32>)
func.func @points_to_a_library(%m: memref<4xf32>) {
  // expected-error@+1 {{'func.constant' op hands device memory to the external function 'library', expected it to have the attribute 'dist.stream_ordered': it must work in the order of the compute stream}}
  %f = func.constant @library : (memref<4xf32>) -> ()
  func.call_indirect %f(%m) : (memref<4xf32>) -> ()
  return
}

// -----

func.func private @compare(memref<4xf32>) attributes {dist.host_memory}
func.func @passes_device_memory_to_the_host(%m: memref<4xf32>) {
  // expected-error@+1 {{'func.call' op passes device memory to 'compare', expected host memory}}
  func.call @compare(%m) : (memref<4xf32>) -> ()
  return
}

// -----

func.func private @library(memref<4xf32>) attributes {dist.stream_ordered}
func.func @passes_the_stack(%v: f32) {
  %m = memref.alloca() : memref<4xf32>
  // expected-error@+1 {{'func.call' op passes host memory to 'library', expected device memory}}
  func.call @library(%m) : (memref<4xf32>) -> ()
  return
}

// -----

func.func @collective_on_the_stack() {
  %m = memref.alloca() : memref<4xf32>
  // expected-error@+1 {{'dist.all_reduce_into' op has host memory as operand 0, expected device memory}}
  dist.all_reduce_into sum %m into %m on <[[0, 1]]> : (memref<4xf32>) into (memref<4xf32>)
  return
}

// -----

func.func @atomic(%m: memref<4xf32>, %v: f32, %i: index) {
  // expected-error@+1 {{'memref.atomic_rmw' op works on device memory, but no kernel can be made of it}}
  %x = memref.atomic_rmw addf %v, %m[%i] : (f32, memref<4xf32>) -> f32
  return
}

// -----

func.func @vector(%m: memref<4xf32>, %i: index, %v: f32) -> vector<4xf32> {
  // expected-error@+1 {{'vector.load' op works on device memory, but no kernel can be made of it}}
  %x = vector.load %m[%i] : memref<4xf32>, vector<4xf32>
  return %x : vector<4xf32>
}
