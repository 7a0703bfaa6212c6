// RUN: dist-opt %s --dist-embed-kernels -split-input-file -verify-diagnostics

// expected-error@+1 {{'gpu.binary' op has code that no device can load, expected an assembly, binary or fatbin object}}
gpu.binary @k [#gpu.object<#nvvm.target, offload = "BC">]

// -----

// expected-error@+1 {{'gpu.binary' op has code that calls '__nv_expf' of libdevice, which was not found; set CUDA_HOME}}
gpu.binary @k [#gpu.object<#nvvm.target, assembly = ".extern .func  (.param .b32 func_retval0) __nv_expf(.param .b32 __nv_expf_param_0);">]
