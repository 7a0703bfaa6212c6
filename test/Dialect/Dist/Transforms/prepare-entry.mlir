// RUN: dist-opt %s --dist-prepare-entry | FileCheck %s
// RUN: dist-opt %s --dist-prepare-entry --dist-prepare-entry | FileCheck %s

dist.process_group @g

// CHECK-LABEL: func.func @arguments_are_read_only(
// CHECK-SAME:    tensor<4x2xf32> {bufferization.buffer_layout = affine_map<(d0, d1) -> (d0, d1)>, bufferization.writable = false}
// CHECK-SAME:    %{{.*}}: index)
// CHECK-SAME:    dist.signature = (tensor<4x2xf32>, index) -> tensor<4x2xf32>
// CHECK-SAME:    llvm.emit_c_interface
func.func @arguments_are_read_only(%x: tensor<4x2xf32>, %i: index)
    -> tensor<4x2xf32> {
  return %x : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @marked_ones_are_writable(
// CHECK-SAME:    bufferization.writable = true
func.func @marked_ones_are_writable(%x: tensor<4xf32> {dist.writable}) {
  return
}

// CHECK-LABEL: func.func @destinations_are_writable(
// CHECK-SAME:    %{{[a-z0-9]*}}: tensor<4xf32> {{{[^}]*}}bufferization.writable = false}
// CHECK-SAME:    %{{[a-z0-9]*}}: tensor<8xf32> {{{[^}]*}}bufferization.writable = true}
// CHECK-SAME:    %{{[a-z0-9]*}}: tensor<4xf32> {{{[^}]*}}bufferization.writable = true}
func.func @destinations_are_writable(
    %x: tensor<4xf32>, %a: tensor<8xf32>, %b: tensor<4xf32>)
    -> (tensor<8xf32>, tensor<4xf32>) {
  %r = dist.all_gather_into %x into %a dim 0 on <@g>
    : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
  %s = bufferization.materialize_in_destination %x in %b
    : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r, %s : tensor<8xf32>, tensor<4xf32>
}

// A destination behind a loop and behind a call.
//
// CHECK-LABEL: func.func @destinations_elsewhere_are_writable(
// CHECK-SAME:    %{{[a-z0-9]*}}: tensor<4xf32> {{{[^}]*}}bufferization.writable = true}
// CHECK-SAME:    %{{[a-z0-9]*}}: tensor<4xf32> {{{[^}]*}}bufferization.writable = true}
func.func @destinations_elsewhere_are_writable(
    %a: tensor<4xf32>, %b: tensor<4xf32>, %n: index)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<4xf32>) {
    %s = dist.all_reduce_into sum %t into %t on <@g>
      : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  %s = call @callee(%b) : (tensor<4xf32>) -> tensor<4xf32>
  return %r, %s : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func private @callee(
// CHECK-NOT:     bufferization.writable
// CHECK-NOT:     dist.signature
func.func private @callee(%t: tensor<4xf32>) -> tensor<4xf32> {
  %s = dist.all_reduce_into sum %t into %t on <@g>
    : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// A call may pass a part of a tensor: its layout stays open.
//
// CHECK-LABEL: func.func @called_in_the_module(
// CHECK-NOT:     buffer_layout
func.func @called_in_the_module(%x: tensor<4xf32>) {
  return
}
func.func private @caller(%x: tensor<4xf32>) {
  call @called_in_the_module(%x) : (tensor<4xf32>) -> ()
  return
}
