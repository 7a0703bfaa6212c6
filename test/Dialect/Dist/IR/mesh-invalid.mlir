// Every constraint of `dist.mesh` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// mesh C1
// expected-error@+1 {{'dist.mesh' op names axis "x" twice}}
dist.mesh @m ["x" = 2, "x" = 2]

// -----

// mesh C1
// expected-error@+1 {{'dist.mesh' op has an axis with an empty name}}
dist.mesh @m ["" = 2]

// -----

// mesh C2
// expected-error@+1 {{'dist.mesh' op axis "x" has size 0, expected at least 1}}
dist.mesh @m ["x" = 0]

// -----

// mesh C2
// expected-error@+1 {{'dist.mesh' op axis "y" has size -2, expected at least 1}}
dist.mesh @m ["x" = 2, "y" = -2]

// -----

// mesh C3
// expected-error@+1 {{'dist.mesh' op has more than 4194304 ranks}}
dist.mesh @m ["x" = 4294967296, "y" = 4294967296]

// -----

// mesh C3
// expected-error@+1 {{'dist.mesh' op has more than 4194304 ranks}}
dist.mesh @m ["x" = 4194305]

// -----

// mesh C4
// expected-error@+1 {{'dist.mesh' op has 3 device ids, expected 4, one per rank}}
dist.mesh @m ["x" = 2, "y" = 2] device_ids [0, 1, 2]

// -----

// mesh C5
// expected-error@+1 {{'dist.mesh' op has device id 2, expected at least 0 and less than 2}}
dist.mesh @m ["x" = 2] device_ids [0, 2]

// -----

// mesh C5
// expected-error@+1 {{'dist.mesh' op has device id -1, expected at least 0 and less than 2}}
dist.mesh @m ["x" = 2] device_ids [0, -1]

// -----

// mesh C6
// expected-error@+1 {{'dist.mesh' op has device id 1 twice}}
dist.mesh @m ["x" = 2] device_ids [1, 1]

// -----

// mesh C7
func.func @mesh_inside_of_a_function() {
  // expected-error@+1 {{'dist.mesh' op expects parent op 'builtin.module'}}
  dist.mesh @m ["x" = 2]
  return
}

// -----

// A size that does not fit the integer it is stored in is refused by the parser.
// expected-error@+1 {{integer value too large}}
dist.mesh @m ["x" = 99999999999999999999]
