// The golden schedules on memrefs: gathers into named buffers, read by linalg
// operations or by loads. Allocations stand anywhere above.
//
// RUN: dist-opt %s --dist-schedule=max-in-flight=1 | grep -v 'memref.alloc()\|arith.constant' | FileCheck %s --check-prefix=ONE
// RUN: dist-opt %s --dist-schedule=max-in-flight=2 | grep -v 'memref.alloc()\|arith.constant' | FileCheck %s --check-prefix=TWO
// RUN: dist-opt %s --dist-schedule=max-in-flight=3 | grep -v 'memref.alloc()\|arith.constant' | FileCheck %s --check-prefix=THREE
// RUN: dist-opt %s --dist-schedule | grep -v 'memref.alloc()\|arith.constant' | FileCheck %s --check-prefix=NONE
//
// RUN: dist-opt %s --dist-schedule=max-in-flight=2 --dist-verify-schedule=max-in-flight=2 -o %t.once
// RUN: dist-opt %t.once --dist-functionalize --dist-schedule=max-in-flight=2 -o %t.twice
// RUN: diff %t.once %t.twice

dist.process_group @g size 2

// ONE-LABEL: func.func @layer_by_layer(
// TWO-LABEL: func.func @layer_by_layer(
// THREE-LABEL: func.func @layer_by_layer(
// NONE-LABEL: func.func @layer_by_layer(
func.func @layer_by_layer(%x: memref<8xf32> {llvm.noalias}, %w0: memref<4xf32> {llvm.noalias},
    %w1: memref<4xf32> {llvm.noalias}, %w2: memref<4xf32> {llvm.noalias},
    %w3: memref<4xf32> {llvm.noalias}, %w4: memref<4xf32> {llvm.noalias}) {
  // ONE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // ONE-NEXT: dist.wait %[[F0]] 
  // ONE-NEXT: linalg.mul {mm0}
  // ONE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // ONE-NEXT: dist.wait %[[F1]] 
  // ONE-NEXT: linalg.mul {mm1}
  // ONE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // ONE-NEXT: dist.wait %[[F2]] 
  // ONE-NEXT: linalg.mul {mm2}
  // ONE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // ONE-NEXT: dist.wait %[[F3]] 
  // ONE-NEXT: linalg.mul {mm3}
  // ONE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // ONE-NEXT: dist.wait %[[F4]] 
  // ONE-NEXT: linalg.mul {mm4}
  // TWO-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // TWO-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // TWO-NEXT: dist.wait %[[F0]] 
  // TWO-NEXT: linalg.mul {mm0}
  // TWO-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // TWO-NEXT: dist.wait %[[F1]] 
  // TWO-NEXT: linalg.mul {mm1}
  // TWO-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // TWO-NEXT: dist.wait %[[F2]] 
  // TWO-NEXT: linalg.mul {mm2}
  // TWO-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // TWO-NEXT: dist.wait %[[F3]] 
  // TWO-NEXT: linalg.mul {mm3}
  // TWO-NEXT: dist.wait %[[F4]] 
  // TWO-NEXT: linalg.mul {mm4}
  // THREE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // THREE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // THREE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // THREE-NEXT: dist.wait %[[F0]] 
  // THREE-NEXT: linalg.mul {mm0}
  // THREE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // THREE-NEXT: dist.wait %[[F1]] 
  // THREE-NEXT: linalg.mul {mm1}
  // THREE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // THREE-NEXT: dist.wait %[[F2]] 
  // THREE-NEXT: linalg.mul {mm2}
  // THREE-NEXT: dist.wait %[[F3]] 
  // THREE-NEXT: linalg.mul {mm3}
  // THREE-NEXT: dist.wait %[[F4]] 
  // THREE-NEXT: linalg.mul {mm4}
  // NONE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // NONE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // NONE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // NONE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // NONE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // NONE-NEXT: dist.wait %[[F0]] 
  // NONE-NEXT: linalg.mul {mm0}
  // NONE-NEXT: dist.wait %[[F1]] 
  // NONE-NEXT: linalg.mul {mm1}
  // NONE-NEXT: dist.wait %[[F2]] 
  // NONE-NEXT: linalg.mul {mm2}
  // NONE-NEXT: dist.wait %[[F3]] 
  // NONE-NEXT: linalg.mul {mm3}
  // NONE-NEXT: dist.wait %[[F4]] 
  // NONE-NEXT: linalg.mul {mm4}
  %b0 = memref.alloc() : memref<8xf32>
  %b1 = memref.alloc() : memref<8xf32>
  %b2 = memref.alloc() : memref<8xf32>
  %b3 = memref.alloc() : memref<8xf32>
  %b4 = memref.alloc() : memref<8xf32>
  %a0 = dist.all_gather %w0 into %b0 dim 0 on <@g> {i = 0}
      : (memref<4xf32>) into (memref<8xf32>) -> !dist.future<memref<8xf32>>
  dist.wait %a0 keeps(%w0 : memref<4xf32>) into(%b0 : memref<8xf32>)
      : !dist.future<memref<8xf32>>
  linalg.mul {mm0} ins(%x, %b0 : memref<8xf32>, memref<8xf32>)
      outs(%x : memref<8xf32>)
  %a1 = dist.all_gather %w1 into %b1 dim 0 on <@g> {i = 1}
      : (memref<4xf32>) into (memref<8xf32>) -> !dist.future<memref<8xf32>>
  dist.wait %a1 keeps(%w1 : memref<4xf32>) into(%b1 : memref<8xf32>)
      : !dist.future<memref<8xf32>>
  linalg.mul {mm1} ins(%x, %b1 : memref<8xf32>, memref<8xf32>)
      outs(%x : memref<8xf32>)
  %a2 = dist.all_gather %w2 into %b2 dim 0 on <@g> {i = 2}
      : (memref<4xf32>) into (memref<8xf32>) -> !dist.future<memref<8xf32>>
  dist.wait %a2 keeps(%w2 : memref<4xf32>) into(%b2 : memref<8xf32>)
      : !dist.future<memref<8xf32>>
  linalg.mul {mm2} ins(%x, %b2 : memref<8xf32>, memref<8xf32>)
      outs(%x : memref<8xf32>)
  %a3 = dist.all_gather %w3 into %b3 dim 0 on <@g> {i = 3}
      : (memref<4xf32>) into (memref<8xf32>) -> !dist.future<memref<8xf32>>
  dist.wait %a3 keeps(%w3 : memref<4xf32>) into(%b3 : memref<8xf32>)
      : !dist.future<memref<8xf32>>
  linalg.mul {mm3} ins(%x, %b3 : memref<8xf32>, memref<8xf32>)
      outs(%x : memref<8xf32>)
  %a4 = dist.all_gather %w4 into %b4 dim 0 on <@g> {i = 4}
      : (memref<4xf32>) into (memref<8xf32>) -> !dist.future<memref<8xf32>>
  dist.wait %a4 keeps(%w4 : memref<4xf32>) into(%b4 : memref<8xf32>)
      : !dist.future<memref<8xf32>>
  linalg.mul {mm4} ins(%x, %b4 : memref<8xf32>, memref<8xf32>)
      outs(%x : memref<8xf32>)
  memref.dealloc %b0 : memref<8xf32>
  memref.dealloc %b1 : memref<8xf32>
  memref.dealloc %b2 : memref<8xf32>
  memref.dealloc %b3 : memref<8xf32>
  memref.dealloc %b4 : memref<8xf32>
  return
}

// Waits out of order belong to the gathers whose futures they have.
// ONE-LABEL: func.func @all_starts_first(
// TWO-LABEL: func.func @all_starts_first(
// THREE-LABEL: func.func @all_starts_first(
// NONE-LABEL: func.func @all_starts_first(
func.func @all_starts_first(%x: memref<8xf32> {llvm.noalias}, %w0: memref<4xf32> {llvm.noalias},
    %w1: memref<4xf32> {llvm.noalias}, %w2: memref<4xf32> {llvm.noalias},
    %w3: memref<4xf32> {llvm.noalias}, %w4: memref<4xf32> {llvm.noalias}) {
  // ONE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // ONE-NEXT: dist.wait %[[F0]] 
  // ONE-NEXT: linalg.mul {mm0}
  // ONE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // ONE-NEXT: dist.wait %[[F1]] 
  // ONE-NEXT: linalg.mul {mm1}
  // ONE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // ONE-NEXT: dist.wait %[[F2]] 
  // ONE-NEXT: linalg.mul {mm2}
  // ONE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // ONE-NEXT: dist.wait %[[F3]] 
  // ONE-NEXT: linalg.mul {mm3}
  // ONE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // ONE-NEXT: dist.wait %[[F4]] 
  // ONE-NEXT: linalg.mul {mm4}
  // TWO-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // TWO-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // TWO-NEXT: dist.wait %[[F0]] 
  // TWO-NEXT: linalg.mul {mm0}
  // TWO-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // TWO-NEXT: dist.wait %[[F1]] 
  // TWO-NEXT: linalg.mul {mm1}
  // TWO-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // TWO-NEXT: dist.wait %[[F2]] 
  // TWO-NEXT: linalg.mul {mm2}
  // TWO-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // TWO-NEXT: dist.wait %[[F3]] 
  // TWO-NEXT: linalg.mul {mm3}
  // TWO-NEXT: dist.wait %[[F4]] 
  // TWO-NEXT: linalg.mul {mm4}
  // THREE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // THREE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // THREE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // THREE-NEXT: dist.wait %[[F0]] 
  // THREE-NEXT: linalg.mul {mm0}
  // THREE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // THREE-NEXT: dist.wait %[[F1]] 
  // THREE-NEXT: linalg.mul {mm1}
  // THREE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // THREE-NEXT: dist.wait %[[F2]] 
  // THREE-NEXT: linalg.mul {mm2}
  // THREE-NEXT: dist.wait %[[F3]] 
  // THREE-NEXT: linalg.mul {mm3}
  // THREE-NEXT: dist.wait %[[F4]] 
  // THREE-NEXT: linalg.mul {mm4}
  // NONE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // NONE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // NONE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // NONE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // NONE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // NONE-NEXT: dist.wait %[[F0]] 
  // NONE-NEXT: linalg.mul {mm0}
  // NONE-NEXT: dist.wait %[[F1]] 
  // NONE-NEXT: linalg.mul {mm1}
  // NONE-NEXT: dist.wait %[[F2]] 
  // NONE-NEXT: linalg.mul {mm2}
  // NONE-NEXT: dist.wait %[[F3]] 
  // NONE-NEXT: linalg.mul {mm3}
  // NONE-NEXT: dist.wait %[[F4]] 
  // NONE-NEXT: linalg.mul {mm4}
  %b0 = memref.alloc() : memref<8xf32>
  %b1 = memref.alloc() : memref<8xf32>
  %b2 = memref.alloc() : memref<8xf32>
  %b3 = memref.alloc() : memref<8xf32>
  %b4 = memref.alloc() : memref<8xf32>
  %a0 = dist.all_gather %w0 into %b0 dim 0 on <@g> {i = 0}
      : (memref<4xf32>) into (memref<8xf32>) -> !dist.future<memref<8xf32>>
  %a1 = dist.all_gather %w1 into %b1 dim 0 on <@g> {i = 1}
      : (memref<4xf32>) into (memref<8xf32>) -> !dist.future<memref<8xf32>>
  %a2 = dist.all_gather %w2 into %b2 dim 0 on <@g> {i = 2}
      : (memref<4xf32>) into (memref<8xf32>) -> !dist.future<memref<8xf32>>
  %a3 = dist.all_gather %w3 into %b3 dim 0 on <@g> {i = 3}
      : (memref<4xf32>) into (memref<8xf32>) -> !dist.future<memref<8xf32>>
  %a4 = dist.all_gather %w4 into %b4 dim 0 on <@g> {i = 4}
      : (memref<4xf32>) into (memref<8xf32>) -> !dist.future<memref<8xf32>>
  dist.wait %a3 keeps(%w3 : memref<4xf32>) into(%b3 : memref<8xf32>)
      : !dist.future<memref<8xf32>>
  dist.wait %a1 keeps(%w1 : memref<4xf32>) into(%b1 : memref<8xf32>)
      : !dist.future<memref<8xf32>>
  dist.wait %a4 keeps(%w4 : memref<4xf32>) into(%b4 : memref<8xf32>)
      : !dist.future<memref<8xf32>>
  dist.wait %a0 keeps(%w0 : memref<4xf32>) into(%b0 : memref<8xf32>)
      : !dist.future<memref<8xf32>>
  dist.wait %a2 keeps(%w2 : memref<4xf32>) into(%b2 : memref<8xf32>)
      : !dist.future<memref<8xf32>>
  linalg.mul {mm0} ins(%x, %b0 : memref<8xf32>, memref<8xf32>)
      outs(%x : memref<8xf32>)
  linalg.mul {mm1} ins(%x, %b1 : memref<8xf32>, memref<8xf32>)
      outs(%x : memref<8xf32>)
  linalg.mul {mm2} ins(%x, %b2 : memref<8xf32>, memref<8xf32>)
      outs(%x : memref<8xf32>)
  linalg.mul {mm3} ins(%x, %b3 : memref<8xf32>, memref<8xf32>)
      outs(%x : memref<8xf32>)
  linalg.mul {mm4} ins(%x, %b4 : memref<8xf32>, memref<8xf32>)
      outs(%x : memref<8xf32>)
  memref.dealloc %b0 : memref<8xf32>
  memref.dealloc %b1 : memref<8xf32>
  memref.dealloc %b2 : memref<8xf32>
  memref.dealloc %b3 : memref<8xf32>
  memref.dealloc %b4 : memref<8xf32>
  return
}

// Gathers start in the order in which their buffers are read.
// ONE-LABEL: func.func @gathers_out_of_order(
// TWO-LABEL: func.func @gathers_out_of_order(
// THREE-LABEL: func.func @gathers_out_of_order(
// NONE-LABEL: func.func @gathers_out_of_order(
func.func @gathers_out_of_order(%x: memref<8xf32> {llvm.noalias}, %w0: memref<4xf32> {llvm.noalias},
    %w1: memref<4xf32> {llvm.noalias}, %w2: memref<4xf32> {llvm.noalias},
    %w3: memref<4xf32> {llvm.noalias}, %w4: memref<4xf32> {llvm.noalias}) {
  // ONE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // ONE-NEXT: dist.wait %[[F0]] 
  // ONE-NEXT: linalg.mul {mm0}
  // ONE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // ONE-NEXT: dist.wait %[[F1]] 
  // ONE-NEXT: linalg.mul {mm1}
  // ONE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // ONE-NEXT: dist.wait %[[F2]] 
  // ONE-NEXT: linalg.mul {mm2}
  // ONE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // ONE-NEXT: dist.wait %[[F3]] 
  // ONE-NEXT: linalg.mul {mm3}
  // ONE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // ONE-NEXT: dist.wait %[[F4]] 
  // ONE-NEXT: linalg.mul {mm4}
  // TWO-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // TWO-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // TWO-NEXT: dist.wait %[[F0]] 
  // TWO-NEXT: linalg.mul {mm0}
  // TWO-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // TWO-NEXT: dist.wait %[[F1]] 
  // TWO-NEXT: linalg.mul {mm1}
  // TWO-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // TWO-NEXT: dist.wait %[[F2]] 
  // TWO-NEXT: linalg.mul {mm2}
  // TWO-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // TWO-NEXT: dist.wait %[[F3]] 
  // TWO-NEXT: linalg.mul {mm3}
  // TWO-NEXT: dist.wait %[[F4]] 
  // TWO-NEXT: linalg.mul {mm4}
  // THREE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // THREE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // THREE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // THREE-NEXT: dist.wait %[[F0]] 
  // THREE-NEXT: linalg.mul {mm0}
  // THREE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // THREE-NEXT: dist.wait %[[F1]] 
  // THREE-NEXT: linalg.mul {mm1}
  // THREE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // THREE-NEXT: dist.wait %[[F2]] 
  // THREE-NEXT: linalg.mul {mm2}
  // THREE-NEXT: dist.wait %[[F3]] 
  // THREE-NEXT: linalg.mul {mm3}
  // THREE-NEXT: dist.wait %[[F4]] 
  // THREE-NEXT: linalg.mul {mm4}
  // NONE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // NONE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // NONE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // NONE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // NONE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // NONE-NEXT: dist.wait %[[F0]] 
  // NONE-NEXT: linalg.mul {mm0}
  // NONE-NEXT: dist.wait %[[F1]] 
  // NONE-NEXT: linalg.mul {mm1}
  // NONE-NEXT: dist.wait %[[F2]] 
  // NONE-NEXT: linalg.mul {mm2}
  // NONE-NEXT: dist.wait %[[F3]] 
  // NONE-NEXT: linalg.mul {mm3}
  // NONE-NEXT: dist.wait %[[F4]] 
  // NONE-NEXT: linalg.mul {mm4}
  %b0 = memref.alloc() : memref<8xf32>
  %b1 = memref.alloc() : memref<8xf32>
  %b2 = memref.alloc() : memref<8xf32>
  %b3 = memref.alloc() : memref<8xf32>
  %b4 = memref.alloc() : memref<8xf32>
  %a4 = dist.all_gather %w4 into %b4 dim 0 on <@g> {i = 4}
      : (memref<4xf32>) into (memref<8xf32>) -> !dist.future<memref<8xf32>>
  %a2 = dist.all_gather %w2 into %b2 dim 0 on <@g> {i = 2}
      : (memref<4xf32>) into (memref<8xf32>) -> !dist.future<memref<8xf32>>
  %a0 = dist.all_gather %w0 into %b0 dim 0 on <@g> {i = 0}
      : (memref<4xf32>) into (memref<8xf32>) -> !dist.future<memref<8xf32>>
  %a1 = dist.all_gather %w1 into %b1 dim 0 on <@g> {i = 1}
      : (memref<4xf32>) into (memref<8xf32>) -> !dist.future<memref<8xf32>>
  %a3 = dist.all_gather %w3 into %b3 dim 0 on <@g> {i = 3}
      : (memref<4xf32>) into (memref<8xf32>) -> !dist.future<memref<8xf32>>
  dist.wait %a0 keeps(%w0 : memref<4xf32>) into(%b0 : memref<8xf32>)
      : !dist.future<memref<8xf32>>
  linalg.mul {mm0} ins(%x, %b0 : memref<8xf32>, memref<8xf32>)
      outs(%x : memref<8xf32>)
  dist.wait %a1 keeps(%w1 : memref<4xf32>) into(%b1 : memref<8xf32>)
      : !dist.future<memref<8xf32>>
  linalg.mul {mm1} ins(%x, %b1 : memref<8xf32>, memref<8xf32>)
      outs(%x : memref<8xf32>)
  dist.wait %a2 keeps(%w2 : memref<4xf32>) into(%b2 : memref<8xf32>)
      : !dist.future<memref<8xf32>>
  linalg.mul {mm2} ins(%x, %b2 : memref<8xf32>, memref<8xf32>)
      outs(%x : memref<8xf32>)
  dist.wait %a3 keeps(%w3 : memref<4xf32>) into(%b3 : memref<8xf32>)
      : !dist.future<memref<8xf32>>
  linalg.mul {mm3} ins(%x, %b3 : memref<8xf32>, memref<8xf32>)
      outs(%x : memref<8xf32>)
  dist.wait %a4 keeps(%w4 : memref<4xf32>) into(%b4 : memref<8xf32>)
      : !dist.future<memref<8xf32>>
  linalg.mul {mm4} ins(%x, %b4 : memref<8xf32>, memref<8xf32>)
      outs(%x : memref<8xf32>)
  memref.dealloc %b0 : memref<8xf32>
  memref.dealloc %b1 : memref<8xf32>
  memref.dealloc %b2 : memref<8xf32>
  memref.dealloc %b3 : memref<8xf32>
  memref.dealloc %b4 : memref<8xf32>
  return
}

// A gathered buffer is done with after its last load.
// ONE-LABEL: func.func @loads_and_stores(
// TWO-LABEL: func.func @loads_and_stores(
// THREE-LABEL: func.func @loads_and_stores(
// NONE-LABEL: func.func @loads_and_stores(
func.func @loads_and_stores(%x: memref<1xf32> {llvm.noalias}, %w0: memref<1xf32> {llvm.noalias},
    %w1: memref<1xf32> {llvm.noalias}, %w2: memref<1xf32> {llvm.noalias},
    %w3: memref<1xf32> {llvm.noalias}, %w4: memref<1xf32> {llvm.noalias}) {
  // ONE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // ONE-NEXT: dist.wait %[[F0]] 
  // ONE-NEXT: memref.load %{{.*}} {read = 0 : i64}
  // ONE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // ONE-NEXT: memref.load
  // ONE-NEXT: arith.mulf
  // ONE-NEXT: memref.store %{{.*}} {mm0}
  // ONE-NEXT: dist.wait %[[F1]] 
  // ONE-NEXT: memref.load %{{.*}} {read = 1 : i64}
  // ONE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // ONE-NEXT: memref.load
  // ONE-NEXT: arith.mulf
  // ONE-NEXT: memref.store %{{.*}} {mm1}
  // ONE-NEXT: dist.wait %[[F2]] 
  // ONE-NEXT: memref.load %{{.*}} {read = 2 : i64}
  // ONE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // ONE-NEXT: memref.load
  // ONE-NEXT: arith.mulf
  // ONE-NEXT: memref.store %{{.*}} {mm2}
  // ONE-NEXT: dist.wait %[[F3]] 
  // ONE-NEXT: memref.load %{{.*}} {read = 3 : i64}
  // ONE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // ONE-NEXT: memref.load
  // ONE-NEXT: arith.mulf
  // ONE-NEXT: memref.store %{{.*}} {mm3}
  // ONE-NEXT: dist.wait %[[F4]] 
  // ONE-NEXT: memref.load %{{.*}} {read = 4 : i64}
  // ONE-NEXT: memref.load
  // ONE-NEXT: arith.mulf
  // ONE-NEXT: memref.store %{{.*}} {mm4}
  // TWO-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // TWO-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // TWO-NEXT: dist.wait %[[F0]] 
  // TWO-NEXT: memref.load %{{.*}} {read = 0 : i64}
  // TWO-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // TWO-NEXT: memref.load
  // TWO-NEXT: arith.mulf
  // TWO-NEXT: memref.store %{{.*}} {mm0}
  // TWO-NEXT: dist.wait %[[F1]] 
  // TWO-NEXT: memref.load %{{.*}} {read = 1 : i64}
  // TWO-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // TWO-NEXT: memref.load
  // TWO-NEXT: arith.mulf
  // TWO-NEXT: memref.store %{{.*}} {mm1}
  // TWO-NEXT: dist.wait %[[F2]] 
  // TWO-NEXT: memref.load %{{.*}} {read = 2 : i64}
  // TWO-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // TWO-NEXT: memref.load
  // TWO-NEXT: arith.mulf
  // TWO-NEXT: memref.store %{{.*}} {mm2}
  // TWO-NEXT: dist.wait %[[F3]] 
  // TWO-NEXT: memref.load %{{.*}} {read = 3 : i64}
  // TWO-NEXT: memref.load
  // TWO-NEXT: arith.mulf
  // TWO-NEXT: memref.store %{{.*}} {mm3}
  // TWO-NEXT: dist.wait %[[F4]] 
  // TWO-NEXT: memref.load %{{.*}} {read = 4 : i64}
  // TWO-NEXT: memref.load
  // TWO-NEXT: arith.mulf
  // TWO-NEXT: memref.store %{{.*}} {mm4}
  // THREE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // THREE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // THREE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // THREE-NEXT: dist.wait %[[F0]] 
  // THREE-NEXT: memref.load %{{.*}} {read = 0 : i64}
  // THREE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // THREE-NEXT: memref.load
  // THREE-NEXT: arith.mulf
  // THREE-NEXT: memref.store %{{.*}} {mm0}
  // THREE-NEXT: dist.wait %[[F1]] 
  // THREE-NEXT: memref.load %{{.*}} {read = 1 : i64}
  // THREE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // THREE-NEXT: memref.load
  // THREE-NEXT: arith.mulf
  // THREE-NEXT: memref.store %{{.*}} {mm1}
  // THREE-NEXT: dist.wait %[[F2]] 
  // THREE-NEXT: memref.load %{{.*}} {read = 2 : i64}
  // THREE-NEXT: memref.load
  // THREE-NEXT: arith.mulf
  // THREE-NEXT: memref.store %{{.*}} {mm2}
  // THREE-NEXT: dist.wait %[[F3]] 
  // THREE-NEXT: memref.load %{{.*}} {read = 3 : i64}
  // THREE-NEXT: memref.load
  // THREE-NEXT: arith.mulf
  // THREE-NEXT: memref.store %{{.*}} {mm3}
  // THREE-NEXT: dist.wait %[[F4]] 
  // THREE-NEXT: memref.load %{{.*}} {read = 4 : i64}
  // THREE-NEXT: memref.load
  // THREE-NEXT: arith.mulf
  // THREE-NEXT: memref.store %{{.*}} {mm4}
  // NONE-NEXT: %[[F0:.*]] = dist.all_gather {{.*}} {i = 0 : i64}
  // NONE-NEXT: %[[F1:.*]] = dist.all_gather {{.*}} {i = 1 : i64}
  // NONE-NEXT: %[[F2:.*]] = dist.all_gather {{.*}} {i = 2 : i64}
  // NONE-NEXT: %[[F3:.*]] = dist.all_gather {{.*}} {i = 3 : i64}
  // NONE-NEXT: %[[F4:.*]] = dist.all_gather {{.*}} {i = 4 : i64}
  // NONE-NEXT: dist.wait %[[F0]] 
  // NONE-NEXT: memref.load %{{.*}} {read = 0 : i64}
  // NONE-NEXT: memref.load
  // NONE-NEXT: arith.mulf
  // NONE-NEXT: memref.store %{{.*}} {mm0}
  // NONE-NEXT: dist.wait %[[F1]] 
  // NONE-NEXT: memref.load %{{.*}} {read = 1 : i64}
  // NONE-NEXT: memref.load
  // NONE-NEXT: arith.mulf
  // NONE-NEXT: memref.store %{{.*}} {mm1}
  // NONE-NEXT: dist.wait %[[F2]] 
  // NONE-NEXT: memref.load %{{.*}} {read = 2 : i64}
  // NONE-NEXT: memref.load
  // NONE-NEXT: arith.mulf
  // NONE-NEXT: memref.store %{{.*}} {mm2}
  // NONE-NEXT: dist.wait %[[F3]] 
  // NONE-NEXT: memref.load %{{.*}} {read = 3 : i64}
  // NONE-NEXT: memref.load
  // NONE-NEXT: arith.mulf
  // NONE-NEXT: memref.store %{{.*}} {mm3}
  // NONE-NEXT: dist.wait %[[F4]] 
  // NONE-NEXT: memref.load %{{.*}} {read = 4 : i64}
  // NONE-NEXT: memref.load
  // NONE-NEXT: arith.mulf
  // NONE-NEXT: memref.store %{{.*}} {mm4}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b0 = memref.alloc() : memref<2xf32>
  %b1 = memref.alloc() : memref<2xf32>
  %b2 = memref.alloc() : memref<2xf32>
  %b3 = memref.alloc() : memref<2xf32>
  %b4 = memref.alloc() : memref<2xf32>
  %a0 = dist.all_gather %w0 into %b0 dim 0 on <@g> {i = 0}
      : (memref<1xf32>) into (memref<2xf32>) -> !dist.future<memref<2xf32>>
  dist.wait %a0 keeps(%w0 : memref<1xf32>) into(%b0 : memref<2xf32>)
      : !dist.future<memref<2xf32>>
  %l0 = memref.load %b0[%c1] {read = 0} : memref<2xf32>
  %h0 = memref.load %x[%c0] : memref<1xf32>
  %p0 = arith.mulf %l0, %h0 : f32
  memref.store %p0, %x[%c0] {mm0} : memref<1xf32>
  %a1 = dist.all_gather %w1 into %b1 dim 0 on <@g> {i = 1}
      : (memref<1xf32>) into (memref<2xf32>) -> !dist.future<memref<2xf32>>
  dist.wait %a1 keeps(%w1 : memref<1xf32>) into(%b1 : memref<2xf32>)
      : !dist.future<memref<2xf32>>
  %l1 = memref.load %b1[%c1] {read = 1} : memref<2xf32>
  %h1 = memref.load %x[%c0] : memref<1xf32>
  %p1 = arith.mulf %l1, %h1 : f32
  memref.store %p1, %x[%c0] {mm1} : memref<1xf32>
  %a2 = dist.all_gather %w2 into %b2 dim 0 on <@g> {i = 2}
      : (memref<1xf32>) into (memref<2xf32>) -> !dist.future<memref<2xf32>>
  dist.wait %a2 keeps(%w2 : memref<1xf32>) into(%b2 : memref<2xf32>)
      : !dist.future<memref<2xf32>>
  %l2 = memref.load %b2[%c1] {read = 2} : memref<2xf32>
  %h2 = memref.load %x[%c0] : memref<1xf32>
  %p2 = arith.mulf %l2, %h2 : f32
  memref.store %p2, %x[%c0] {mm2} : memref<1xf32>
  %a3 = dist.all_gather %w3 into %b3 dim 0 on <@g> {i = 3}
      : (memref<1xf32>) into (memref<2xf32>) -> !dist.future<memref<2xf32>>
  dist.wait %a3 keeps(%w3 : memref<1xf32>) into(%b3 : memref<2xf32>)
      : !dist.future<memref<2xf32>>
  %l3 = memref.load %b3[%c1] {read = 3} : memref<2xf32>
  %h3 = memref.load %x[%c0] : memref<1xf32>
  %p3 = arith.mulf %l3, %h3 : f32
  memref.store %p3, %x[%c0] {mm3} : memref<1xf32>
  %a4 = dist.all_gather %w4 into %b4 dim 0 on <@g> {i = 4}
      : (memref<1xf32>) into (memref<2xf32>) -> !dist.future<memref<2xf32>>
  dist.wait %a4 keeps(%w4 : memref<1xf32>) into(%b4 : memref<2xf32>)
      : !dist.future<memref<2xf32>>
  %l4 = memref.load %b4[%c1] {read = 4} : memref<2xf32>
  %h4 = memref.load %x[%c0] : memref<1xf32>
  %p4 = arith.mulf %l4, %h4 : f32
  memref.store %p4, %x[%c0] {mm4} : memref<1xf32>
  memref.dealloc %b0 : memref<2xf32>
  memref.dealloc %b1 : memref<2xf32>
  memref.dealloc %b2 : memref<2xf32>
  memref.dealloc %b3 : memref<2xf32>
  memref.dealloc %b4 : memref<2xf32>
  return
}
