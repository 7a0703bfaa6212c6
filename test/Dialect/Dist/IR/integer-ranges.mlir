// RUN: dist-opt %s -int-range-optimizations -canonicalize | FileCheck %s

dist.mesh @m ["x" = 2, "y" = 4]
dist.process_group @g

// A rank of a mesh has a position, 0 to 3; outside of a table it is -1.
// CHECK-LABEL: func.func @position_in_group(
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK-DAG:     %[[TABLE:.*]] = dist.rank on <{{\[}}[0, 1]]>
// CHECK-DAG:     %[[INSIDE:.*]] = arith.cmpi sge, %[[TABLE]]
// CHECK:         return %[[TRUE]], %[[TRUE]], %[[INSIDE]], %[[TRUE]]
func.func @position_in_group() -> (i1, i1, i1, i1) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %a = dist.rank on <@m["y"]> : index
  %low = arith.cmpi sge, %a, %c0 : index
  %high = arith.cmpi slt, %a, %c4 : index
  %b = dist.rank on <[[0, 1]]> : index
  %inside = arith.cmpi sge, %b, %c0 : index
  %below = arith.cmpi slt, %b, %c2 : index
  return %low, %high, %inside, %below : i1, i1, i1, i1
}

// CHECK-LABEL: func.func @world(
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK-NOT:     arith.cmpi
// CHECK:         return %[[TRUE]], %[[TRUE]]
func.func @world() -> (i1, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rank = dist.rank : index
  %low = arith.cmpi sge, %rank, %c0 : index
  %size = dist.group_size on <@g> : index
  %some = arith.cmpi sge, %size, %c1 : index
  return %low, %some : i1, i1
}
