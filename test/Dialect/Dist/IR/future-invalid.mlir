// Every constraint of the type `!dist.future` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// future C1
// expected-error@+1 {{future needs a ranked tensor or a ranked memref, found 'tensor<*xf32>'}}
func.func private @user(!dist.future<tensor<*xf32>>)

// -----

// future C1
// expected-error@+1 {{future needs a ranked tensor or a ranked memref, found 'memref<*xf32>'}}
func.func private @user(!dist.future<memref<*xf32>>)

// -----

// future C1
// expected-error@+1 {{future needs a ranked tensor or a ranked memref, found 'vector<4xf32>'}}
func.func private @user(!dist.future<vector<4xf32>>)

// -----

// future C1
// expected-error@+1 {{future needs a ranked tensor or a ranked memref, found '!dist.future<tensor<4xf32>>'}}
func.func private @user(!dist.future<!dist.future<tensor<4xf32>>>)

// -----

// future C2
// expected-error@+1 {{future of 'tensor<4xi129>' has an element type that collectives do not move}}
func.func private @user(!dist.future<tensor<4xi129>>)

// -----

// future C2
// expected-error@+1 {{future of 'tensor<4x!dist.future<tensor<4xf32>>>' has an element type that collectives do not move}}
func.func private @user(!dist.future<tensor<4x!dist.future<tensor<4xf32>>>>)

// -----

// future C3
// expected-error@+1 {{future needs a tensor without encoding, found 'tensor<4xf32, "e">'}}
func.func private @user(!dist.future<tensor<4xf32, "e">>)

// -----

// future C3
// expected-error@+1 {{future needs a strided memref, found 'memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>'}}
func.func private @user(!dist.future<memref<4xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>>)
