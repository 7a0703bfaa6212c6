// Every constraint of `dist.rank` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// rank C1
func.func @unknown_group() -> index {
  // expected-error@+1 {{'dist.rank' op group names unknown symbol @g, expected a dist.process_group}}
  %r = dist.rank on <@g> : index
  return %r : index
}

// -----

// rank C1
// expected-note@+1 {{declared here}}
dist.mesh @m ["x" = 2]
func.func @mesh_without_axes() -> index {
  // expected-error@+1 {{'dist.rank' op group names mesh @m without its axes, expected @m[...]}}
  %r = dist.rank on <@m> : index
  return %r : index
}

// -----

// rank C2
func.func @not_an_index() -> i64 {
  // expected-error@+1 {{must be index, but got 'i64'}}
  %r = "dist.rank"() : () -> i64
  return %r : i64
}
