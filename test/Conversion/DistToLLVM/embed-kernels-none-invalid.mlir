// RUN: dist-opt %s --dist-embed-kernels=images=false -verify-diagnostics

func.func @f(%n: index) {
  // expected-error@+1 {{'dist.launch' op has the kernel 'k', which has no version for the host, and no device is the target}}
  dist.launch "k" image @kernels grid(%n, %n, %n) block(%n, %n, %n) access []
  return
}
