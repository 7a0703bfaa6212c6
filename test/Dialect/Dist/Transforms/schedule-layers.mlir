// The golden schedules: five layers, gather AGi, wait Wi, product mmi.
//
// RUN: dist-opt %s --dist-schedule=max-in-flight=1 | FileCheck %s --check-prefix=ONE
// RUN: dist-opt %s --dist-schedule=max-in-flight=2 | FileCheck %s --check-prefix=TWO
// RUN: dist-opt %s --dist-schedule=max-in-flight=3 | FileCheck %s --check-prefix=THREE
// RUN: dist-opt %s --dist-schedule | FileCheck %s --check-prefix=NONE
//
// One gather has 32 bytes: a bound in bytes is the same as one in gathers.
// RUN: dist-opt %s --dist-schedule=max-in-flight-bytes=95 | FileCheck %s --check-prefix=TWO
// RUN: dist-opt %s --dist-schedule="max-in-flight=1 limits=g:count=3" | FileCheck %s --check-prefix=THREE
// RUN: dist-opt %s --dist-schedule="limits={@g:bytes=64}" | FileCheck %s --check-prefix=TWO
//
// Neither the scheduler nor functionalize undoes a bound, and a bound that comes
// later holds.
// RUN: dist-opt %s --dist-schedule=max-in-flight=2 --dist-functionalize --dist-schedule=max-in-flight=2 | FileCheck %s --check-prefix=TWO
// RUN: dist-opt %s --dist-schedule --dist-schedule=max-in-flight=2 | FileCheck %s --check-prefix=TWO
// RUN: dist-opt %s --dist-schedule=max-in-flight=1 --dist-schedule=max-in-flight=3 | FileCheck %s --check-prefix=THREE
//
// Running it again changes nothing.
// RUN: dist-opt %s --dist-schedule=max-in-flight=2 -o %t.once
// RUN: dist-opt %t.once --dist-schedule=max-in-flight=2 -o %t.twice
// RUN: diff %t.once %t.twice

dist.process_group @g size 2

// ONE-LABEL: func.func @layer_by_layer(
// TWO-LABEL: func.func @layer_by_layer(
// THREE-LABEL: func.func @layer_by_layer(
// NONE-LABEL: func.func @layer_by_layer(
func.func @layer_by_layer(%x: tensor<8xf32>, %w0: tensor<4xf32>,
    %w1: tensor<4xf32>, %w2: tensor<4xf32>, %w3: tensor<4xf32>, %w4: tensor<4xf32>) -> tensor<8xf32> {
  // ONE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // ONE-NEXT: dist.wait %[[F0]] 
  // ONE-NEXT: dist.opaque "mm0"
  // ONE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // ONE-NEXT: dist.wait %[[F1]] 
  // ONE-NEXT: dist.opaque "mm1"
  // ONE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // ONE-NEXT: dist.wait %[[F2]] 
  // ONE-NEXT: dist.opaque "mm2"
  // ONE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // ONE-NEXT: dist.wait %[[F3]] 
  // ONE-NEXT: dist.opaque "mm3"
  // ONE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // ONE-NEXT: dist.wait %[[F4]] 
  // ONE-NEXT: dist.opaque "mm4"
  // TWO-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // TWO-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // TWO-NEXT: dist.wait %[[F0]] 
  // TWO-NEXT: dist.opaque "mm0"
  // TWO-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // TWO-NEXT: dist.wait %[[F1]] 
  // TWO-NEXT: dist.opaque "mm1"
  // TWO-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // TWO-NEXT: dist.wait %[[F2]] 
  // TWO-NEXT: dist.opaque "mm2"
  // TWO-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // TWO-NEXT: dist.wait %[[F3]] 
  // TWO-NEXT: dist.opaque "mm3"
  // TWO-NEXT: dist.wait %[[F4]] 
  // TWO-NEXT: dist.opaque "mm4"
  // THREE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // THREE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // THREE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // THREE-NEXT: dist.wait %[[F0]] 
  // THREE-NEXT: dist.opaque "mm0"
  // THREE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // THREE-NEXT: dist.wait %[[F1]] 
  // THREE-NEXT: dist.opaque "mm1"
  // THREE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // THREE-NEXT: dist.wait %[[F2]] 
  // THREE-NEXT: dist.opaque "mm2"
  // THREE-NEXT: dist.wait %[[F3]] 
  // THREE-NEXT: dist.opaque "mm3"
  // THREE-NEXT: dist.wait %[[F4]] 
  // THREE-NEXT: dist.opaque "mm4"
  // NONE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // NONE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // NONE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // NONE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // NONE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // NONE-NEXT: dist.wait %[[F0]] 
  // NONE-NEXT: dist.opaque "mm0"
  // NONE-NEXT: dist.wait %[[F1]] 
  // NONE-NEXT: dist.opaque "mm1"
  // NONE-NEXT: dist.wait %[[F2]] 
  // NONE-NEXT: dist.opaque "mm2"
  // NONE-NEXT: dist.wait %[[F3]] 
  // NONE-NEXT: dist.opaque "mm3"
  // NONE-NEXT: dist.wait %[[F4]] 
  // NONE-NEXT: dist.opaque "mm4"
  %a0 = dist.all_gather %w0 dim 0 on <@g> {i = 0}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %g0 = dist.wait %a0 : !dist.future<tensor<8xf32>>
  %h0 = dist.opaque "mm0"(%x, %g0) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %a1 = dist.all_gather %w1 dim 0 on <@g> {i = 1}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %g1 = dist.wait %a1 : !dist.future<tensor<8xf32>>
  %h1 = dist.opaque "mm1"(%h0, %g1) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %a2 = dist.all_gather %w2 dim 0 on <@g> {i = 2}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %g2 = dist.wait %a2 : !dist.future<tensor<8xf32>>
  %h2 = dist.opaque "mm2"(%h1, %g2) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %a3 = dist.all_gather %w3 dim 0 on <@g> {i = 3}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %g3 = dist.wait %a3 : !dist.future<tensor<8xf32>>
  %h3 = dist.opaque "mm3"(%h2, %g3) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %a4 = dist.all_gather %w4 dim 0 on <@g> {i = 4}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %g4 = dist.wait %a4 : !dist.future<tensor<8xf32>>
  %h4 = dist.opaque "mm4"(%h3, %g4) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %h4 : tensor<8xf32>
}

// ONE-LABEL: func.func @all_gathers_first(
// TWO-LABEL: func.func @all_gathers_first(
// THREE-LABEL: func.func @all_gathers_first(
// NONE-LABEL: func.func @all_gathers_first(
func.func @all_gathers_first(%x: tensor<8xf32>, %w0: tensor<4xf32>,
    %w1: tensor<4xf32>, %w2: tensor<4xf32>, %w3: tensor<4xf32>, %w4: tensor<4xf32>) -> tensor<8xf32> {
  // ONE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // ONE-NEXT: dist.wait %[[F0]] 
  // ONE-NEXT: dist.opaque "mm0"
  // ONE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // ONE-NEXT: dist.wait %[[F1]] 
  // ONE-NEXT: dist.opaque "mm1"
  // ONE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // ONE-NEXT: dist.wait %[[F2]] 
  // ONE-NEXT: dist.opaque "mm2"
  // ONE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // ONE-NEXT: dist.wait %[[F3]] 
  // ONE-NEXT: dist.opaque "mm3"
  // ONE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // ONE-NEXT: dist.wait %[[F4]] 
  // ONE-NEXT: dist.opaque "mm4"
  // TWO-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // TWO-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // TWO-NEXT: dist.wait %[[F0]] 
  // TWO-NEXT: dist.opaque "mm0"
  // TWO-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // TWO-NEXT: dist.wait %[[F1]] 
  // TWO-NEXT: dist.opaque "mm1"
  // TWO-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // TWO-NEXT: dist.wait %[[F2]] 
  // TWO-NEXT: dist.opaque "mm2"
  // TWO-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // TWO-NEXT: dist.wait %[[F3]] 
  // TWO-NEXT: dist.opaque "mm3"
  // TWO-NEXT: dist.wait %[[F4]] 
  // TWO-NEXT: dist.opaque "mm4"
  // THREE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // THREE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // THREE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // THREE-NEXT: dist.wait %[[F0]] 
  // THREE-NEXT: dist.opaque "mm0"
  // THREE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // THREE-NEXT: dist.wait %[[F1]] 
  // THREE-NEXT: dist.opaque "mm1"
  // THREE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // THREE-NEXT: dist.wait %[[F2]] 
  // THREE-NEXT: dist.opaque "mm2"
  // THREE-NEXT: dist.wait %[[F3]] 
  // THREE-NEXT: dist.opaque "mm3"
  // THREE-NEXT: dist.wait %[[F4]] 
  // THREE-NEXT: dist.opaque "mm4"
  // NONE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // NONE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // NONE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // NONE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // NONE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // NONE-NEXT: dist.wait %[[F0]] 
  // NONE-NEXT: dist.opaque "mm0"
  // NONE-NEXT: dist.wait %[[F1]] 
  // NONE-NEXT: dist.opaque "mm1"
  // NONE-NEXT: dist.wait %[[F2]] 
  // NONE-NEXT: dist.opaque "mm2"
  // NONE-NEXT: dist.wait %[[F3]] 
  // NONE-NEXT: dist.opaque "mm3"
  // NONE-NEXT: dist.wait %[[F4]] 
  // NONE-NEXT: dist.opaque "mm4"
  %a0 = dist.all_gather %w0 dim 0 on <@g> {i = 0}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %a1 = dist.all_gather %w1 dim 0 on <@g> {i = 1}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %a2 = dist.all_gather %w2 dim 0 on <@g> {i = 2}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %a3 = dist.all_gather %w3 dim 0 on <@g> {i = 3}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %a4 = dist.all_gather %w4 dim 0 on <@g> {i = 4}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %g0 = dist.wait %a0 : !dist.future<tensor<8xf32>>
  %h0 = dist.opaque "mm0"(%x, %g0) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %g1 = dist.wait %a1 : !dist.future<tensor<8xf32>>
  %h1 = dist.opaque "mm1"(%h0, %g1) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %g2 = dist.wait %a2 : !dist.future<tensor<8xf32>>
  %h2 = dist.opaque "mm2"(%h1, %g2) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %g3 = dist.wait %a3 : !dist.future<tensor<8xf32>>
  %h3 = dist.opaque "mm3"(%h2, %g3) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %g4 = dist.wait %a4 : !dist.future<tensor<8xf32>>
  %h4 = dist.opaque "mm4"(%h3, %g4) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %h4 : tensor<8xf32>
}

// ONE-LABEL: func.func @gathers_and_waits_first(
// TWO-LABEL: func.func @gathers_and_waits_first(
// THREE-LABEL: func.func @gathers_and_waits_first(
// NONE-LABEL: func.func @gathers_and_waits_first(
func.func @gathers_and_waits_first(%x: tensor<8xf32>, %w0: tensor<4xf32>,
    %w1: tensor<4xf32>, %w2: tensor<4xf32>, %w3: tensor<4xf32>, %w4: tensor<4xf32>) -> tensor<8xf32> {
  // ONE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // ONE-NEXT: dist.wait %[[F0]] 
  // ONE-NEXT: dist.opaque "mm0"
  // ONE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // ONE-NEXT: dist.wait %[[F1]] 
  // ONE-NEXT: dist.opaque "mm1"
  // ONE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // ONE-NEXT: dist.wait %[[F2]] 
  // ONE-NEXT: dist.opaque "mm2"
  // ONE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // ONE-NEXT: dist.wait %[[F3]] 
  // ONE-NEXT: dist.opaque "mm3"
  // ONE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // ONE-NEXT: dist.wait %[[F4]] 
  // ONE-NEXT: dist.opaque "mm4"
  // TWO-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // TWO-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // TWO-NEXT: dist.wait %[[F0]] 
  // TWO-NEXT: dist.opaque "mm0"
  // TWO-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // TWO-NEXT: dist.wait %[[F1]] 
  // TWO-NEXT: dist.opaque "mm1"
  // TWO-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // TWO-NEXT: dist.wait %[[F2]] 
  // TWO-NEXT: dist.opaque "mm2"
  // TWO-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // TWO-NEXT: dist.wait %[[F3]] 
  // TWO-NEXT: dist.opaque "mm3"
  // TWO-NEXT: dist.wait %[[F4]] 
  // TWO-NEXT: dist.opaque "mm4"
  // THREE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // THREE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // THREE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // THREE-NEXT: dist.wait %[[F0]] 
  // THREE-NEXT: dist.opaque "mm0"
  // THREE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // THREE-NEXT: dist.wait %[[F1]] 
  // THREE-NEXT: dist.opaque "mm1"
  // THREE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // THREE-NEXT: dist.wait %[[F2]] 
  // THREE-NEXT: dist.opaque "mm2"
  // THREE-NEXT: dist.wait %[[F3]] 
  // THREE-NEXT: dist.opaque "mm3"
  // THREE-NEXT: dist.wait %[[F4]] 
  // THREE-NEXT: dist.opaque "mm4"
  // NONE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // NONE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // NONE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // NONE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // NONE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // NONE-NEXT: dist.wait %[[F0]] 
  // NONE-NEXT: dist.opaque "mm0"
  // NONE-NEXT: dist.wait %[[F1]] 
  // NONE-NEXT: dist.opaque "mm1"
  // NONE-NEXT: dist.wait %[[F2]] 
  // NONE-NEXT: dist.opaque "mm2"
  // NONE-NEXT: dist.wait %[[F3]] 
  // NONE-NEXT: dist.opaque "mm3"
  // NONE-NEXT: dist.wait %[[F4]] 
  // NONE-NEXT: dist.opaque "mm4"
  %a0 = dist.all_gather %w0 dim 0 on <@g> {i = 0}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %a1 = dist.all_gather %w1 dim 0 on <@g> {i = 1}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %a2 = dist.all_gather %w2 dim 0 on <@g> {i = 2}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %a3 = dist.all_gather %w3 dim 0 on <@g> {i = 3}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %a4 = dist.all_gather %w4 dim 0 on <@g> {i = 4}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %g3 = dist.wait %a3 : !dist.future<tensor<8xf32>>
  %g1 = dist.wait %a1 : !dist.future<tensor<8xf32>>
  %g4 = dist.wait %a4 : !dist.future<tensor<8xf32>>
  %g0 = dist.wait %a0 : !dist.future<tensor<8xf32>>
  %g2 = dist.wait %a2 : !dist.future<tensor<8xf32>>
  %h0 = dist.opaque "mm0"(%x, %g0) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %h1 = dist.opaque "mm1"(%h0, %g1) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %h2 = dist.opaque "mm2"(%h1, %g2) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %h3 = dist.opaque "mm3"(%h2, %g3) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %h4 = dist.opaque "mm4"(%h3, %g4) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %h4 : tensor<8xf32>
}

// A wait belongs to the gather whose future it has, wherever that stands; gathers
// start in the order in which their results are read.
// ONE-LABEL: func.func @gathers_out_of_order(
// TWO-LABEL: func.func @gathers_out_of_order(
// THREE-LABEL: func.func @gathers_out_of_order(
// NONE-LABEL: func.func @gathers_out_of_order(
func.func @gathers_out_of_order(%x: tensor<8xf32>, %w0: tensor<4xf32>,
    %w1: tensor<4xf32>, %w2: tensor<4xf32>, %w3: tensor<4xf32>, %w4: tensor<4xf32>) -> tensor<8xf32> {
  // ONE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // ONE-NEXT: dist.wait %[[F0]] 
  // ONE-NEXT: dist.opaque "mm0"
  // ONE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // ONE-NEXT: dist.wait %[[F1]] 
  // ONE-NEXT: dist.opaque "mm1"
  // ONE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // ONE-NEXT: dist.wait %[[F2]] 
  // ONE-NEXT: dist.opaque "mm2"
  // ONE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // ONE-NEXT: dist.wait %[[F3]] 
  // ONE-NEXT: dist.opaque "mm3"
  // ONE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // ONE-NEXT: dist.wait %[[F4]] 
  // ONE-NEXT: dist.opaque "mm4"
  // TWO-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // TWO-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // TWO-NEXT: dist.wait %[[F0]] 
  // TWO-NEXT: dist.opaque "mm0"
  // TWO-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // TWO-NEXT: dist.wait %[[F1]] 
  // TWO-NEXT: dist.opaque "mm1"
  // TWO-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // TWO-NEXT: dist.wait %[[F2]] 
  // TWO-NEXT: dist.opaque "mm2"
  // TWO-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // TWO-NEXT: dist.wait %[[F3]] 
  // TWO-NEXT: dist.opaque "mm3"
  // TWO-NEXT: dist.wait %[[F4]] 
  // TWO-NEXT: dist.opaque "mm4"
  // THREE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // THREE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // THREE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // THREE-NEXT: dist.wait %[[F0]] 
  // THREE-NEXT: dist.opaque "mm0"
  // THREE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // THREE-NEXT: dist.wait %[[F1]] 
  // THREE-NEXT: dist.opaque "mm1"
  // THREE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // THREE-NEXT: dist.wait %[[F2]] 
  // THREE-NEXT: dist.opaque "mm2"
  // THREE-NEXT: dist.wait %[[F3]] 
  // THREE-NEXT: dist.opaque "mm3"
  // THREE-NEXT: dist.wait %[[F4]] 
  // THREE-NEXT: dist.opaque "mm4"
  // NONE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // NONE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // NONE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // NONE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // NONE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // NONE-NEXT: dist.wait %[[F0]] 
  // NONE-NEXT: dist.opaque "mm0"
  // NONE-NEXT: dist.wait %[[F1]] 
  // NONE-NEXT: dist.opaque "mm1"
  // NONE-NEXT: dist.wait %[[F2]] 
  // NONE-NEXT: dist.opaque "mm2"
  // NONE-NEXT: dist.wait %[[F3]] 
  // NONE-NEXT: dist.opaque "mm3"
  // NONE-NEXT: dist.wait %[[F4]] 
  // NONE-NEXT: dist.opaque "mm4"
  %a4 = dist.all_gather %w4 dim 0 on <@g> {i = 4}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %a2 = dist.all_gather %w2 dim 0 on <@g> {i = 2}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %a0 = dist.all_gather %w0 dim 0 on <@g> {i = 0}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %a1 = dist.all_gather %w1 dim 0 on <@g> {i = 1}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %a3 = dist.all_gather %w3 dim 0 on <@g> {i = 3}
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %g0 = dist.wait %a0 : !dist.future<tensor<8xf32>>
  %h0 = dist.opaque "mm0"(%x, %g0) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %g1 = dist.wait %a1 : !dist.future<tensor<8xf32>>
  %h1 = dist.opaque "mm1"(%h0, %g1) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %g2 = dist.wait %a2 : !dist.future<tensor<8xf32>>
  %h2 = dist.opaque "mm2"(%h1, %g2) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %g3 = dist.wait %a3 : !dist.future<tensor<8xf32>>
  %h3 = dist.opaque "mm3"(%h2, %g3) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %g4 = dist.wait %a4 : !dist.future<tensor<8xf32>>
  %h4 = dist.opaque "mm4"(%h3, %g4) {flops = 8 : i64}
      : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %h4 : tensor<8xf32>
}

