// RUN: dist-opt %s --dist-bind-process-groups="groups={g=[[0,1],[2,3]] @h=world:4; declared = [ [3, 1] ]}" --verify-diagnostics | FileCheck %s
// RUN: dist-opt %s --dist-bind-process-groups="groups={g=[[0,1],[2,3]] h=world:4 declared=[[3,1]]}" -o %t.once 2>/dev/null
// RUN: dist-opt %t.once --dist-bind-process-groups="groups={g=[[0,1],[2,3]] h=world:4 declared=[[3,1]]}" -o %t.twice 2>/dev/null
// RUN: diff %t.once %t.twice
// RUN: dist-opt %s -o %t.input
// RUN: dist-opt %s --dist-bind-process-groups -o %t.unchanged 2>/dev/null
// RUN: diff %t.input %t.unchanged

// CHECK: dist.process_group @g ranks {{\[}}[0, 1], [2, 3]]
dist.process_group @g
// CHECK: dist.process_group @h ranks {{\[}}[0, 1, 2, 3]]
dist.process_group @h
// The declared size agrees and the order of the members is kept.
// CHECK: dist.process_group @declared size 2 ranks {{\[}}[3, 1]]
dist.process_group @declared size 2
// expected-remark@+2 {{process group @other stays unbound, the runtime has to bind it}}
// CHECK: dist.process_group @other{{$}}
dist.process_group @other
// CHECK: dist.process_group @table ranks {{\[}}[7]]
dist.process_group @table ranks [[7]]

// A static size that was written before the group was known fits.
// CHECK-LABEL: func.func @gathers_on_late_group
func.func @gathers_on_late_group(%x: tensor<4xf32>) -> tensor<8xf32> {
  %f = dist.all_gather %x dim 0 on <@g>
      : (tensor<4xf32>) -> !dist.future<tensor<8xf32>>
  %y = dist.wait %f : !dist.future<tensor<8xf32>>
  return %y : tensor<8xf32>
}
