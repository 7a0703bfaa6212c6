// Every constraint of `dist.process_group` in docs/spec.md has its test here.
// RUN: dist-opt %s -split-input-file -verify-diagnostics

// process_group C1
// expected-error@+1 {{'dist.process_group' op has size 0, expected at least 1 and at most 4194304}}
dist.process_group @g size 0

// -----

// process_group C1
// expected-error@+1 {{'dist.process_group' op has size -1, expected at least 1 and at most 4194304}}
dist.process_group @g size -1

// -----

// process_group C1
// expected-error@+1 {{'dist.process_group' op has size 9223372036854775807, expected at least 1 and at most 4194304}}
dist.process_group @g size 9223372036854775807

// -----

// process_group C2
// expected-error@+1 {{'dist.process_group' op has ranks #dist.group<@m["x"]>, expected a table of ranks without a tag}}
"dist.process_group"() <{sym_name = "g", ranks = #dist.group<@m["x"]>}> : () -> ()

// -----

// process_group C2
// expected-error@+1 {{'dist.process_group' op has ranks #dist.group<[[0]], tag = "t">, expected a table of ranks without a tag}}
"dist.process_group"() <{sym_name = "g", ranks = #dist.group<[[0]], tag = "t">}> : () -> ()

// -----

// process_group C3
// expected-error@+1 {{'dist.process_group' op declares size 4, but its lists have 2 ranks}}
dist.process_group @g size 4 ranks [[0, 1], [2, 3]]

// -----

// process_group C4
func.func @process_group_inside_of_a_function() {
  // expected-error@+1 {{'dist.process_group' op expects parent op 'builtin.module'}}
  dist.process_group @g
  return
}

// -----

dist.process_group @g size 2
// expected-note@-1 {{see existing symbol definition here}}
// Two declarations of one group are two symbols of one name.
// expected-error@+1 {{redefinition of symbol named 'g'}}
dist.process_group @g size 2
