// RUN: dist-opt %s --dist-prepare-bufferization --split-input-file --verify-diagnostics | FileCheck %s

dist.process_group @g

// CHECK-LABEL: func.func @borrows_what_outlives_the_future(
// CHECK-SAME:    %[[SOURCE:.*]]: tensor<4xf32>
// CHECK:         %[[FUTURE:.*]] = dist.all_gather %[[SOURCE]]
// CHECK-NOT:     source_modes
// CHECK:         dist.wait %[[FUTURE]] keeps(%[[SOURCE]] : tensor<4xf32>)
// CHECK-NOT:     dist.d
func.func @borrows_what_outlives_the_future(%x: tensor<4xf32>) -> tensor<8xf32> {
  %f = dist.all_gather %x dim 0 on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %y = dist.wait %f : !dist.future<tensor<8xf32>>
  return %y : tensor<8xf32>
}

// CHECK-LABEL: func.func @splits_a_wait_of_several_futures(
// CHECK:         %[[FUTURES:.*]]:2 = dist.all_reduce sum %[[A:.*]], %[[B:.*]] on
// CHECK:         %[[FIRST:.*]] = dist.wait %[[FUTURES]]#0 keeps(%[[A]]
// CHECK:         %[[SECOND:.*]] = dist.wait %[[FUTURES]]#1 keeps(%[[B]]
// CHECK:         return %[[FIRST]], %[[SECOND]]
func.func @splits_a_wait_of_several_futures(%a: tensor<4xf32>, %b: tensor<2xf32>)
    -> (tensor<4xf32>, tensor<2xf32>) {
  %f:2 = dist.all_reduce sum %a, %b on <@g>
    : (tensor<4xf32>, tensor<2xf32>)
    -> !dist.future<tensor<4xf32>>, !dist.future<tensor<2xf32>>
  %y:2 = dist.wait %f#0, %f#1
    : !dist.future<tensor<4xf32>>, !dist.future<tensor<2xf32>>
  return %y#0, %y#1 : tensor<4xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @merges_a_wait_that_another_dominates(
// CHECK:         %[[VALUE:.*]] = dist.wait
// CHECK-NOT:     dist.wait
// CHECK-NOT:     dist.dup
// CHECK:         return %[[VALUE]], %[[VALUE]]
func.func @merges_a_wait_that_another_dominates(%x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %y = dist.wait %f : !dist.future<tensor<4xf32>>
  %z = dist.wait %f : !dist.future<tensor<4xf32>>
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @turns_a_select_into_control_flow(
// CHECK-SAME:    %{{.*}}: tensor<4xf32>, %[[CONDITION:.*]]: i1
// CHECK:         %[[F:.*]] = dist.all_reduce sum
// CHECK:         %[[G:.*]] = dist.all_reduce product
// CHECK:         scf.if %[[CONDITION]]
// CHECK-DAG:       dist.drop %[[G]]
// CHECK:           scf.yield %[[F]]
// CHECK:         } else {
// CHECK-DAG:       dist.drop %[[F]]
// CHECK:           scf.yield %[[G]]
func.func @turns_a_select_into_control_flow(%x: tensor<4xf32>, %p: i1)
    -> tensor<4xf32> {
  // expected-warning @below {{result 0 is not waited for on every path; where it is not, the collective completes before the path ends}}
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-warning @below {{result 0 is not waited for on every path; where it is not, the collective completes before the path ends}}
  %g = dist.all_reduce product %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-note @+1 {{a path without a wait ends here}}
  %h = arith.select %p, %f, %g : !dist.future<tensor<4xf32>>
  %y = dist.wait %h : !dist.future<tensor<4xf32>>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @drops_on_the_path_that_does_not_wait(
// CHECK:         %[[FUTURE:.*]] = dist.all_reduce sum %[[SOURCE:.*]] on
// CHECK:         scf.if
// CHECK:           dist.wait %[[FUTURE]] keeps(%[[SOURCE]]
// CHECK:         } else {
// CHECK-NEXT:      dist.drop %[[FUTURE]] keeps(%[[SOURCE]]
// CHECK-NEXT:    }
func.func @drops_on_the_path_that_does_not_wait(
    %x: tensor<4xf32>, %out: memref<4xf32>, %p: i1) {
  // expected-warning @below {{result 0 is not waited for on every path; where it is not, the collective completes before the path ends}}
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-note @below {{a path without a wait ends here}}
  scf.if %p {
    %y = dist.wait %f : !dist.future<tensor<4xf32>>
    bufferization.materialize_in_destination %y in writable %out
      : (tensor<4xf32>, memref<4xf32>) -> ()
  }
  return
}

// CHECK-LABEL: func.func @drops_in_the_cases_that_do_not_wait(
// CHECK:         %[[FUTURE:.*]] = dist.all_reduce
// CHECK:         scf.index_switch
// CHECK:         case 0 {
// CHECK-NOT:       dist.drop
// CHECK:           dist.wait %[[FUTURE]]
// CHECK:         default {
// CHECK:           dist.drop %[[FUTURE]]
func.func @drops_in_the_cases_that_do_not_wait(%x: tensor<4xf32>, %k: index,
                                               %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  // expected-warning @below {{result 0 is not waited for on every path; where it is not, the collective completes before the path ends}}
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = scf.index_switch %k -> f32
  case 0 {
    %y = dist.wait %f : !dist.future<tensor<4xf32>>
    %e = tensor.extract %y[%c0] : tensor<4xf32>
    scf.yield %e : f32
  }
  default {
    // expected-note @below {{a path without a wait ends here}}
    scf.yield %v : f32
  }
  return %r : f32
}

// A switch that yields tensors becomes branches, which One-Shot understands.
//
// CHECK-LABEL: func.func @expands_a_switch_of_tensors(
// CHECK-SAME:    %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>, %[[KEY:.*]]: index
// CHECK-NOT:     scf.index_switch
// CHECK:         %[[TWO:.*]] = arith.constant 2 : index
// CHECK:         %[[IS_TWO:.*]] = arith.cmpi eq, %[[KEY]], %[[TWO]]
// CHECK:         %[[RESULT:.*]] = scf.if %[[IS_TWO]]
// CHECK-NEXT:      scf.yield %[[A]]
// CHECK-NEXT:    } else {
// CHECK:           %[[FIVE:.*]] = arith.constant 5 : index
// CHECK:           %[[IS_FIVE:.*]] = arith.cmpi eq, %[[KEY]], %[[FIVE]]
// CHECK:           %[[INNER:.*]] = scf.if %[[IS_FIVE]]
// CHECK-NEXT:        scf.yield %[[B]]
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %[[A]]
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.yield %[[INNER]]
// CHECK:         return %[[RESULT]]
func.func @expands_a_switch_of_tensors(
    %a: tensor<4xf32>, %b: tensor<4xf32>, %k: index) -> tensor<4xf32> {
  %r = scf.index_switch %k -> tensor<4xf32>
  case 2 {
    scf.yield %a : tensor<4xf32>
  }
  case 5 {
    scf.yield %b : tensor<4xf32>
  }
  default {
    scf.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// What the loop gets from its yield is written in the next iteration: a tensor
// that is known elsewhere is copied, the one that the loop passes on is not.
//
// CHECK-LABEL: func.func @owns_what_a_while_loop_carries(
// CHECK-SAME:    %[[OUTER:.*]]: tensor<4xf32>
// CHECK:         scf.while
// CHECK:           %[[WRITTEN:.*]] = tensor.insert
// CHECK:           scf.condition(%{{.*}}) %{{.*}}, %[[WRITTEN]], %{{.*}} :
// CHECK:         ^bb0(%{{.*}}: index, %[[PASSED:.*]]: tensor<4xf32>, %{{.*}}: tensor<4xf32>):
// CHECK:           %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[OUTER]])
// CHECK:           scf.yield %{{.*}}, %[[PASSED]], %[[COPY]] :
func.func @owns_what_a_while_loop_carries(%a: tensor<4xf32>, %v: f32, %n: index)
    -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%i = %c0, %s = %a, %t = %a)
      : (index, tensor<4xf32>, tensor<4xf32>)
      -> (index, tensor<4xf32>, tensor<4xf32>) {
    %z = tensor.insert %v into %s[%i] : tensor<4xf32>
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %z, %t : index, tensor<4xf32>, tensor<4xf32>
  } do {
  ^bb0(%i: index, %s: tensor<4xf32>, %t: tensor<4xf32>):
    %k = arith.addi %i, %c1 : index
    scf.yield %k, %s, %a : index, tensor<4xf32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @duplicates_for_a_loop(
// CHECK:         %[[FUTURE:.*]] = dist.all_reduce
// CHECK:         scf.for
// CHECK:           %[[COPY:.*]] = dist.dup %[[FUTURE]]
// CHECK-NEXT:      dist.wait %[[COPY]] keeps(
// CHECK:         }
// CHECK-NEXT:    dist.drop %[[FUTURE]] keeps(
func.func @duplicates_for_a_loop(%x: tensor<4xf32>, %out: memref<4xf32>,
                                 %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-warning @below {{result 0 is not waited for on every path; where it is not, the collective completes before the path ends}}
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // expected-note @below {{a path without a wait ends here}}
  scf.for %i = %c0 to %n step %c1 {
    %y = dist.wait %f : !dist.future<tensor<4xf32>>
    bufferization.materialize_in_destination %y in writable %out
      : (tensor<4xf32>, memref<4xf32>) -> ()
  }
  return
}

// The loop takes the future as its first and uses it inside as well.
//
// CHECK-LABEL: func.func @duplicates_for_a_loop_that_takes_it_too(
// CHECK:         %[[FUTURE:.*]] = dist.all_reduce
// CHECK:         %[[FIRST:.*]] = dist.dup %[[FUTURE]]
// CHECK:         scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %[[FIRST]])
// CHECK:           dist.wait %[[CARRIED]]
// CHECK:           %[[NEXT:.*]] = dist.dup %[[FUTURE]]
// CHECK:           scf.yield %[[NEXT]]
// CHECK:         }
// CHECK-NEXT:    dist.drop %[[FUTURE]]
func.func @duplicates_for_a_loop_that_takes_it_too(%x: tensor<4xf32>, %n: index)
    -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%g = %f)
      -> (!dist.future<tensor<4xf32>>) {
    %y = dist.wait %g : !dist.future<tensor<4xf32>>
    scf.yield %f : !dist.future<tensor<4xf32>>
  }
  %y = dist.wait %r : !dist.future<tensor<4xf32>>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @completes_what_nobody_waits_for(
// CHECK:         %[[FUTURE:.*]] = dist.all_reduce
// CHECK:         math.exp
// CHECK:         dist.drop %[[FUTURE]] keeps(
// CHECK-NEXT:    return
func.func @completes_what_nobody_waits_for(%x: tensor<4xf32>, %s: f32) -> f32 {
  // expected-warning @below {{result 0 is never waited for; the collective completes at the end of its block}}
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %e = math.exp %s : f32
  return %e : f32
}

// A view inside of the loop does not outlive the future, what it shows does. The
// start gets a view of its own, which nobody writes into.
//
// CHECK-LABEL: func.func @borrows_the_root_of_a_view(
// CHECK-SAME:    %[[TABLE:.*]]: tensor<8x4xf32>
// CHECK:         scf.for
// CHECK:           tensor.extract_slice %[[TABLE]]
// CHECK:           %[[OWN:.*]] = tensor.extract_slice %[[TABLE]]
// CHECK:           dist.all_reduce sum %[[OWN]] on
// CHECK-NOT:       source_modes
// CHECK:           dist.wait %{{.*}} keeps({{.*}}%[[TABLE]]
func.func @borrows_the_root_of_a_view(%t: tensor<8x4xf32>, %n: index)
    -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.extract_slice %t[0, 0] [1, 4] [1, 1]
    : tensor<8x4xf32> to tensor<4xf32>
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%g = %f)
      -> (!dist.future<tensor<4xf32>>) {
    %row = tensor.extract_slice %t[%i, 0] [1, 4] [1, 1]
      : tensor<8x4xf32> to tensor<4xf32>
    %next = dist.all_reduce sum %row on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    %y = dist.wait %g : !dist.future<tensor<4xf32>>
    scf.yield %next : !dist.future<tensor<4xf32>>
  }
  %y = dist.wait %r : !dist.future<tensor<4xf32>>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func private @donates_a_fresh_source(
// CHECK:         %[[EMPTY:.*]] = tensor.empty()
// CHECK:         %[[SOURCE:.*]] = linalg.fill {{.*}} outs(%[[EMPTY]]
// CHECK:         %[[FUTURE:.*]] = dist.all_reduce sum %[[SOURCE]]
// CHECK-SAME:      source_modes = [#dist.source<donate>]
// CHECK:         return %[[FUTURE]]
func.func private @donates_a_fresh_source(%v: f32)
    -> !dist.future<tensor<4xf32>> {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return %f : !dist.future<tensor<4xf32>>
}

// Two fills of one tensor.empty: the donated one gets a buffer of its own.
//
// CHECK-LABEL: func.func private @gives_a_donated_source_its_own_buffer(
// CHECK-SAME:    %[[VALUE:.*]]: f32
// CHECK:         %[[SHARED:.*]] = tensor.empty()
// CHECK:         linalg.fill {{.*}} outs(%[[SHARED]]
// CHECK:         %[[OWN:.*]] = tensor.empty()
// CHECK:         %[[SOURCE:.*]] = linalg.fill ins(%[[VALUE]] : f32) outs(%[[OWN]]
// CHECK:         dist.all_reduce sum %[[SOURCE]]
// CHECK-SAME:      #dist.source<donate>
func.func private @gives_a_donated_source_its_own_buffer(%v: f32)
    -> (!dist.future<tensor<4xf32>>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %other = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return %f, %other : !dist.future<tensor<4xf32>>, tensor<4xf32>
}

// CHECK-LABEL: func.func private @does_not_donate_what_is_needed_later(
// CHECK:         dist.all_reduce
// CHECK-SAME:      #dist.source<copy>
func.func private @does_not_donate_what_is_needed_later(%v: f32)
    -> (!dist.future<tensor<4xf32>>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // expected-remark @below {{copies source 0 at the start: the function returns the future of a source of its own}}
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return %f, %x : !dist.future<tensor<4xf32>>, tensor<4xf32>
}

// CHECK-LABEL: func.func private @does_not_donate_a_view(
// CHECK:         dist.all_reduce
// CHECK-SAME:      #dist.source<copy>
func.func private @does_not_donate_a_view(%v: f32)
    -> !dist.future<tensor<4xf32>> {
  %e = tensor.empty() : tensor<8xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = tensor.extract_slice %x[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  // expected-remark @below {{copies source 0 at the start}}
  %f = dist.all_reduce sum %s on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return %f : !dist.future<tensor<4xf32>>
}

// -----

dist.process_group @g

// CHECK-LABEL: func.func private @starter(
// CHECK-SAME:    %[[SOURCE:.*]]: tensor<4xf32>
// CHECK:         %[[FUTURE:.*]] = dist.all_reduce sum %[[SOURCE]]
// CHECK-NOT:     source_modes
// CHECK:         dist.keep %[[SOURCE]] : tensor<4xf32>
// CHECK-NEXT:    return %[[FUTURE]]
func.func private @starter(%x: tensor<4xf32>) -> !dist.future<tensor<4xf32>> {
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return %f : !dist.future<tensor<4xf32>>
}

// CHECK-LABEL: func.func private @waiter(
func.func private @waiter(%f: !dist.future<tensor<4xf32>>) -> tensor<4xf32> {
  %y = dist.wait %f : !dist.future<tensor<4xf32>>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @keeps_what_callees_start_and_wait(
// CHECK-SAME:    %[[SOURCE:.*]]: tensor<4xf32>
// CHECK:         %[[FUTURE:.*]] = call @starter(%[[SOURCE]])
// CHECK:         call @waiter(%[[FUTURE]])
// CHECK-NEXT:    dist.keep %[[SOURCE]] : tensor<4xf32>
func.func @keeps_what_callees_start_and_wait(%x: tensor<4xf32>)
    -> tensor<4xf32> {
  %f = func.call @starter(%x)
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %y = func.call @waiter(%f)
    : (!dist.future<tensor<4xf32>>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

dist.process_group @g

// Whoever calls a public function is out of sight.
//
// CHECK-LABEL: func.func @copies_for_unknown_callers(
// CHECK:         dist.all_reduce
// CHECK-SAME:      #dist.source<copy>
func.func @copies_for_unknown_callers(%x: tensor<4xf32>)
    -> !dist.future<tensor<4xf32>> {
  // expected-remark @below {{copies source 0 at the start: a function that may be called from elsewhere returns the future}}
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  return %f : !dist.future<tensor<4xf32>>
}

// -----

dist.process_group @g

// CHECK-LABEL: func.func @copies_what_a_loop_leaves_behind(
// CHECK:         scf.for
// CHECK:           dist.all_reduce
// CHECK-SAME:        #dist.source<copy>
func.func @copies_what_a_loop_leaves_behind(%x: tensor<4xf32>, %n: index)
    -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %f = dist.all_reduce sum %x on <@g>
    : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%g = %f, %s = %x)
      -> (!dist.future<tensor<4xf32>>, tensor<4xf32>) {
    %z = tensor.insert %one into %s[%i] : tensor<4xf32>
    %y = dist.wait %g : !dist.future<tensor<4xf32>>
    // expected-remark @below {{copies source 0 at the start: it does not outlive the future}}
    %next = dist.all_reduce sum %z on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    scf.yield %next, %z : !dist.future<tensor<4xf32>>, tensor<4xf32>
  }
  %y = dist.wait %r#0 : !dist.future<tensor<4xf32>>
  return %y : tensor<4xf32>
}

// -----

dist.process_group @g

// A memref source that does not outlive its future is copied; both ends of a
// select are kept.
//
// CHECK-LABEL: func.func @keeps_both_buffers_of_a_select(
// CHECK-SAME:    %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>, %{{.*}}: i1, %[[OUT:.*]]: memref<4xf32>)
// CHECK:         dist.wait %{{.*}} keeps(%[[A]], %[[B]], %[[OUT]] : memref<4xf32>, memref<4xf32>, memref<4xf32>)
func.func @keeps_both_buffers_of_a_select(
    %a: memref<4xf32>, %b: memref<4xf32>, %p: i1, %out: memref<4xf32>) {
  %x = arith.select %p, %a, %b : memref<4xf32>
  %f = dist.all_reduce sum %x into %out on <@g>
    : (memref<4xf32>) into (memref<4xf32>) -> !dist.future<memref<4xf32>>
  %y = dist.wait %f : !dist.future<memref<4xf32>>
  return
}

// -----

// Two results of a call are two buffers.
//
// CHECK-LABEL: func.func private @owns_what_it_returns(
// CHECK-SAME:    %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>
// CHECK:         %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[A]])
// CHECK:         return %[[A]], %[[COPY]], %[[B]]
func.func private @owns_what_it_returns(%a: tensor<4xf32>, %b: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  return %a, %a, %b : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Nobody in this module calls it.
//
// CHECK-LABEL: func.func @caller(
// CHECK-NOT:     alloc_tensor
// CHECK:         return
func.func @caller(%a: tensor<4xf32>, %b: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %r:3 = call @owns_what_it_returns(%a, %b) : (tensor<4xf32>, tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#0 : tensor<4xf32>, tensor<4xf32>
}
