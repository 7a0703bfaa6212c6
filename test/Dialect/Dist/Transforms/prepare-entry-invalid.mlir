// RUN: dist-opt %s --dist-prepare-entry -split-input-file -verify-diagnostics

// Ranks that are threads of one process would share it.
// expected-error @+1 {{@shared is one buffer for all ranks of a process, expected a constant or a function argument}}
memref.global "private" @shared : memref<4xf32> = dense<0.0>

// -----

memref.global "private" constant @table : memref<4xf32> = dense<1.0>

func.func @reads_a_constant(%i: index) -> f32 {
  %table = memref.get_global @table : memref<4xf32>
  %x = memref.load %table[%i] : memref<4xf32>
  return %x : f32
}
