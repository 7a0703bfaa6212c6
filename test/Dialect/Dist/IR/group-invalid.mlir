// Every constraint of the attribute `#dist.group` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// group C1
func.func @user() -> index {
  // expected-error@+1 {{group must list at least one rank}}
  %n = dist.group_size on <[]> : index
  return %n : index
}

// -----

// group C1
func.func @user() -> index {
  // expected-error@+1 {{group must list at least one rank}}
  %n = dist.group_size on <[[]]> : index
  return %n : index
}

// -----

// group C2
func.func @user() -> index {
  // expected-error@+1 {{group has lists of unequal size: expected 2 ranks as in the first list, found 1}}
  %n = dist.group_size on <[[0, 1], [2]]> : index
  return %n : index
}

// -----

// group C2
func.func @user() -> index {
  // expected-error@+1 {{group has lists of unequal size: expected 0 ranks as in the first list, found 1}}
  %n = dist.group_size on <[[], [0]]> : index
  return %n : index
}

// -----

// group C3
func.func @user() -> index {
  // expected-error@+1 {{group has negative rank -1}}
  %n = dist.group_size on <[[0, -1]]> : index
  return %n : index
}

// -----

// group C3
func.func @user() -> index {
  // expected-error@+1 {{group has rank 4194304, expected less than 4194304}}
  %n = dist.group_size on <[[0, 4194304]]> : index
  return %n : index
}

// -----

// group C3
func.func @user() -> index {
  // expected-error@+1 {{group has rank 9223372036854775807, expected less than 4194304}}
  %n = dist.group_size on <[[9223372036854775807]]> : index
  return %n : index
}

// -----

// group C3
func.func @user() -> index {
  // expected-error@+1 {{group has negative rank -9223372036854775808}}
  %n = dist.group_size on <[[-9223372036854775808]]> : index
  return %n : index
}

// -----

// group C4
// Also the situation "id occurs twice" (rules all_gather C2, reduce_scatter C3 and
// collective_broadcast C1 of StableHLO).
func.func @user() -> index {
  // expected-error@+1 {{group lists rank 1 twice}}
  %n = dist.group_size on <[[0, 1], [2, 1]]> : index
  return %n : index
}

// -----

// group C5
func.func @user() -> index {
  // expected-error@+1 {{group has an empty tag, expected none or a name}}
  %n = dist.group_size on <[[0]], tag = ""> : index
  return %n : index
}

// -----

// group C6
// expected-note@+1 {{declared here}}
dist.process_group @g
func.func @axes_of_a_process_group() -> index {
  // expected-error@+1 {{group names @g, expected a dist.mesh, found a dist.process_group}}
  %n = dist.group_size on <@g["x"]> : index
  return %n : index
}

// -----

// group C6
// expected-note@+1 {{declared here}}
func.func @group_that_is_a_function() -> index {
  // expected-error@+1 {{group names @group_that_is_a_function, expected a dist.process_group, found a func.func}}
  %n = dist.group_size on <@group_that_is_a_function> : index
  return %n : index
}

// -----

// group C7
// expected-note@+1 {{declared here}}
dist.mesh @m ["x" = 2, "y" = 2]
func.func @axis_twice() -> index {
  // expected-error@+1 {{group names axis "x" of mesh @m twice}}
  %n = dist.group_size on <@m["x", "y", "x"]> : index
  return %n : index
}

// -----

// group C7
// expected-note@+1 {{declared here}}
dist.mesh @m ["x" = 8]
func.func @overlapping_sub_axes() -> index {
  // expected-error@+1 {{group names axis "x" of mesh @m twice}}
  %n = dist.group_size on <@m["x":(1)4, "x":(2)2]> : index
  return %n : index
}

// -----

// group C7
// expected-note@+1 {{declared here}}
dist.mesh @m ["x" = 8]
func.func @axis_and_its_sub_axis() -> index {
  // expected-error@+1 {{group names axis "x" of mesh @m twice}}
  %n = dist.group_size on <@m["x", "x":(2)2]> : index
  return %n : index
}

// -----

// group C7
// An axis of size 1 is an axis as well.
// expected-note@+1 {{declared here}}
dist.mesh @m ["x" = 1]
func.func @axis_of_size_one_twice() -> index {
  // expected-error@+1 {{group names axis "x" of mesh @m twice}}
  %n = dist.group_size on <@m["x", "x"]> : index
  return %n : index
}

// -----

// group C8
// expected-note@+1 {{declared here}}
dist.mesh @m ["x" = 8]
func.func @sub_axis_does_not_divide() -> index {
  // expected-error@+1 {{sub-axis "x":(2)3 does not divide the axis of size 8}}
  %n = dist.group_size on <@m["x":(2)3]> : index
  return %n : index
}

// -----

// group C8
// expected-note@+1 {{declared here}}
dist.mesh @m ["x" = 8]
func.func @sub_axis_overflows() -> index {
  // expected-error@+1 {{sub-axis "x":(4611686018427387904)4 does not divide the axis of size 8}}
  %n = dist.group_size on <@m["x":(4611686018427387904)4]> : index
  return %n : index
}

// -----

// axis_ref C1
func.func @user() -> index {
  // expected-error@+1 {{axis name must not be empty}}
  %n = dist.group_size on <@m[""]> : index
  return %n : index
}

// -----

// axis_ref C2
func.func @user() -> index {
  // expected-error@+1 {{sub-axis size must be at least 1, found 0}}
  %n = dist.group_size on <@m["x":(1)0]> : index
  return %n : index
}

// -----

// axis_ref C2
func.func @user() -> index {
  // expected-error@+1 {{must have a positive size and pre-size, found (0)2}}
  %n = dist.group_size on <@m["x":(0)2]> : index
  return %n : index
}

// -----

// axis_ref C2
func.func @user() -> index {
  // expected-error@+1 {{must have a positive size and pre-size, found (1)-2}}
  %n = dist.group_size on <@m["x":(1)-2]> : index
  return %n : index
}

// -----

// A rank that does not fit the integer it is stored in is refused by the parser.
func.func @user() -> index {
  // expected-error@+1 {{integer value too large}}
  %n = dist.group_size on <[[99999999999999999999]]> : index
  return %n : index
}

// -----

func.func @user() -> index {
  // expected-error@+1 {{expected 'tag'}}
  %n = dist.group_size on <[[0]], label = "t"> : index
  return %n : index
}
