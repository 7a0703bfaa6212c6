// RUN: dist-opt %s --convert-dist-to-llvm --split-input-file | FileCheck %s
// RUN: dist-opt %s --convert-to-llvm --split-input-file | FileCheck %s

dist.process_group @g size 2

// CHECK-DAG: llvm.func @distrtContextCurrent() -> !llvm.ptr
// CHECK-DAG: llvm.func @distrtRaise(!llvm.ptr, i32)
// CHECK-DAG: llvm.func @distrtAllGather(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> i32
// CHECK-DAG: llvm.func @distrtFutureWait(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr) -> i32

// CHECK-LABEL: llvm.func @start_and_wait(
// The context once, stack slots in the entry block.
// CHECK:         %[[CONTEXT:.*]] = llvm.call @distrtContextCurrent()
// CHECK-NOT:     llvm.call @distrtContextCurrent
// CHECK:         %[[STARTED:.*]] = llvm.call @distrtAllGather(%[[CONTEXT]], %{{.*}}, %{{.*}}, %[[COUNT:.*]], %[[FUTURES:.*]])
// CHECK:         %[[OK:.*]] = llvm.icmp "eq" %[[STARTED]]
// CHECK:         llvm.cond_br %[[OK]] weights([1048576, 1]), ^[[NEXT:.*]], ^[[RAISE:.*]](%[[STARTED]] : i32)
// CHECK:       ^[[NEXT]]:
// CHECK:         %[[FUTURE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK:         %[[WAITED:.*]] = llvm.call @distrtFutureWait(%[[CONTEXT]], %[[FUTURE]], %[[RESULT:.*]], %{{.*}}, %{{.*}})
// CHECK:         llvm.cond_br %{{.*}} weights([1048576, 1]), ^{{.*}}, ^[[RAISE]](%[[WAITED]] : i32)
// CHECK:         llvm.load %[[RESULT]] : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK:       ^[[RAISE]](%[[STATUS:.*]]: i32):
// CHECK-NEXT:    llvm.call @distrtRaise(%[[CONTEXT]], %[[STATUS]])
// CHECK-NEXT:    llvm.unreachable
func.func @start_and_wait(%x: memref<4xf32>) -> memref<8xf32> {
  %f = dist.all_gather %x dim 0 on <@g>
    : (memref<4xf32>) -> !dist.future<tensor<8xf32>>
  %y = dist.wait %f keeps(%x : memref<4xf32>)
    : !dist.future<tensor<8xf32>> -> memref<8xf32>
  return %y : memref<8xf32>
}

// CHECK-LABEL: llvm.func @dup_and_drop(
// CHECK-SAME:    %[[FUTURE:.*]]: !llvm.ptr) -> !llvm.ptr
// CHECK:         %[[COPY:.*]] = llvm.call @distrtFutureDup(%{{.*}}, %[[FUTURE]])
// CHECK:         llvm.call @distrtFutureDrop(%{{.*}}, %[[FUTURE]], %{{.*}})
// CHECK:         llvm.return %[[COPY]] : !llvm.ptr
func.func @dup_and_drop(%f: !dist.future<tensor<4xf32>>)
    -> !dist.future<tensor<4xf32>> {
  %g = dist.dup %f : !dist.future<tensor<4xf32>>
  dist.drop %f : !dist.future<tensor<4xf32>>
  return %g : !dist.future<tensor<4xf32>>
}

// CHECK-LABEL: llvm.func @keep_is_nothing(
// CHECK-NOT:     call
// CHECK:         llvm.return
func.func @keep_is_nothing(%x: memref<4xf32>) {
  dist.keep %x : memref<4xf32>
  return
}

// CHECK-LABEL: llvm.func @every_kind(
// CHECK:         llvm.call @distrtAllReduce(
// CHECK:         llvm.call @distrtReduceScatter(
// CHECK:         llvm.call @distrtBroadcast(
// CHECK:         llvm.call @distrtAllToAll(
// CHECK:         llvm.call @distrtPermute(
// CHECK:         llvm.call @distrtReduce(
func.func @every_kind(%x: memref<4xi32>) {
  %a = dist.all_reduce max %x on <@g>
    : (memref<4xi32>) -> !dist.future<tensor<4xi32>>
  %b = dist.reduce_scatter sum %x dim 0 on <@g>
    : (memref<4xi32>) -> !dist.future<tensor<2xi32>>
  %c = dist.broadcast %x root 1 on <@g>
    : (memref<4xi32>) -> !dist.future<tensor<4xi32>>
  dist.drop %a keeps(%x : memref<4xi32>) : !dist.future<tensor<4xi32>>
  dist.drop %b keeps(%x : memref<4xi32>) : !dist.future<tensor<2xi32>>
  %d = dist.all_to_all %x split_dim 0 concat_dim 0 on <@g>
    : (memref<4xi32>) -> !dist.future<tensor<4xi32>>
  %e = dist.permute %x pairs [[0, 1]] on <@g>
    : (memref<4xi32>) -> !dist.future<tensor<4xi32>>
  %f = dist.reduce sum %x root 1 on <@g>
    : (memref<4xi32>) -> !dist.future<tensor<4xi32>>
  dist.drop %c keeps(%x : memref<4xi32>) : !dist.future<tensor<4xi32>>
  dist.drop %d keeps(%x : memref<4xi32>) : !dist.future<tensor<4xi32>>
  dist.drop %e keeps(%x : memref<4xi32>) : !dist.future<tensor<4xi32>>
  dist.drop %f keeps(%x : memref<4xi32>) : !dist.future<tensor<4xi32>>
  return
}

// A synchronous form is a start and a drop, and has no result.
//
// CHECK-LABEL: llvm.func @synchronous(
// CHECK:         llvm.call @distrtAllGather(
// CHECK:         llvm.call @distrtFutureDrop(
// CHECK-NOT:     distrtFutureWait
// CHECK:         llvm.return
func.func @synchronous(%x: memref<4xf32>, %out: memref<8xf32>) {
  dist.all_gather_into %x into %out dim 0 on <@g>
    : (memref<4xf32>) into (memref<8xf32>)
  return
}

// Two operands, one call, two futures.
//
// CHECK-LABEL: llvm.func @coalesced(
// CHECK-DAG:     %[[TWO:.*]] = llvm.mlir.constant(2 : i64) : i64
// CHECK:         llvm.call @distrtAllReduce(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[FUTURES:.*]]) :
// CHECK-NOT:     llvm.call @distrtAllReduce
// CHECK:         llvm.getelementptr %[[FUTURES]][0]
// CHECK:         llvm.getelementptr %[[FUTURES]][1]
func.func @coalesced(%x: memref<4xf32>, %y: memref<2x?xf32>) {
  %f:2 = dist.all_reduce sum %x, %y on <@g>
    : (memref<4xf32>, memref<2x?xf32>)
    -> !dist.future<tensor<4xf32>>, !dist.future<tensor<2x?xf32>>
  dist.drop %f#0 keeps(%x : memref<4xf32>) : !dist.future<tensor<4xf32>>
  dist.drop %f#1 keeps(%y : memref<2x?xf32>) : !dist.future<tensor<2x?xf32>>
  return
}

// A donated source is owned (1) when the flag says so, else copied (2).
//
// CHECK-LABEL: llvm.func @donated(
// CHECK-SAME:    %[[OWNED:[a-z0-9]*]]: i1
// CHECK-DAG:     %[[COPY:.*]] = llvm.mlir.constant(2 : i32) : i32
// CHECK-DAG:     %[[OWN:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK:         llvm.select %[[OWNED]], %{{.*}}, %{{.*}} : i1, i32
func.func @donated(%x: memref<4xf32>, %owned: i1) {
  %f = dist.all_reduce sum %x owned(%owned) on <@g> {source_modes = [#dist.source<donate>]}
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  dist.drop %f : !dist.future<tensor<4xf32>>
  return
}

// -----

dist.mesh @m ["dp" = 2, "tp" = 2]

// CHECK-LABEL: llvm.func @queries()
// CHECK:         llvm.call @distrtRank(
// CHECK:         llvm.call @distrtGroupRank(
// CHECK:         llvm.call @distrtWorldSize(
func.func @queries() -> (index, index, index) {
  %a = dist.rank : index
  %b = dist.rank on <@m["tp"]> : index
  %c = dist.group_size : index
  return %a, %b, %c : index, index, index
}

// -----

dist.process_group @g size 2

// Futures in block arguments and signatures are pointers, one that holds no
// collective is null.
//
// CHECK-LABEL: llvm.func @blocks(
// CHECK-SAME:    -> !llvm.ptr
// CHECK:         %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK:         llvm.cond_br %{{.*}}, ^[[START:.*]], ^[[JOIN:.*]](%[[NULL]] : !llvm.ptr)
// CHECK:         llvm.br ^[[JOIN]](%{{.*}} : !llvm.ptr)
// CHECK:       ^[[JOIN]](%[[FUTURE:.*]]: !llvm.ptr):
// CHECK:         llvm.return %[[FUTURE]] : !llvm.ptr
func.func @blocks(%x: memref<4xf32>, %p: i1) -> !dist.future<tensor<4xf32>> {
  %null = ub.poison : !dist.future<tensor<4xf32>>
  cf.cond_br %p, ^start, ^join(%null : !dist.future<tensor<4xf32>>)
^start:
  %f = dist.all_reduce sum %x on <@g> {source_modes = [#dist.source<copy>]}
    : (memref<4xf32>) -> !dist.future<tensor<4xf32>>
  cf.br ^join(%f : !dist.future<tensor<4xf32>>)
^join(%r: !dist.future<tensor<4xf32>>):
  return %r : !dist.future<tensor<4xf32>>
}

// CHECK-LABEL: llvm.func @caller(
// CHECK:         %[[FUTURE:.*]] = llvm.call @blocks({{.*}}) : ({{.*}}) -> !llvm.ptr
// CHECK:         llvm.call @distrtFutureDrop(%{{.*}}, %[[FUTURE]]
func.func @caller(%x: memref<4xf32>, %p: i1) {
  %f = call @blocks(%x, %p) : (memref<4xf32>, i1) -> !dist.future<tensor<4xf32>>
  dist.drop %f : !dist.future<tensor<4xf32>>
  return
}

// -----

dist.process_group @g size 2

// What a call site says, to its last member: dimensions, and positions in pairs.
// An operand says its factor too.
//
// CHECK:         llvm.mlir.global private constant @dist_site_{{.*}} : !llvm.struct<(i64, ptr, ptr, i32, i32, i64, i64, ptr, i64)>
// CHECK:         %[[PAIRS:.*]] = llvm.mlir.addressof @[[TABLE:dist_integers_.*]] : !llvm.ptr
// CHECK:         %[[COUNT:.*]] = llvm.mlir.constant(2 : i64)
// CHECK:         llvm.insertvalue %[[PAIRS]], %{{.*}}[7]
// CHECK:         llvm.insertvalue %[[COUNT]], %{{.*}}[8]
// CHECK:         llvm.mlir.global private constant @[[TABLE]]
// CHECK:         llvm.mlir.constant(dense<[0, 1, 1, 0]> : tensor<4xi64>)
// CHECK-LABEL: llvm.func @permute(
// CHECK:         llvm.mlir.constant(1.000000e+00 : f64) : f64
// CHECK:         llvm.call @distrtPermute(
func.func @permute(%x: memref<4xi32>) {
  dist.permute_into %x into %x pairs [[0, 1], [1, 0]] on <@g>
    : (memref<4xi32>) into (memref<4xi32>)
  return
}

// -----

dist.process_group @g size 2

// CHECK:         llvm.mlir.global private constant @dist_site_
// CHECK:         %[[DIM:.*]] = llvm.mlir.constant(2 : i64)
// CHECK:         %[[CONCAT:.*]] = llvm.mlir.constant(1 : i64)
// CHECK:         llvm.insertvalue %[[DIM]], %{{.*}}[5]
// CHECK:         llvm.insertvalue %[[CONCAT]], %{{.*}}[6]
// CHECK-LABEL: llvm.func @exchange(
func.func @exchange(%x: memref<4x4x4xi32>, %y: memref<4x8x2xi32>) {
  dist.all_to_all_into %x into %y split_dim 2 concat_dim 1 on <@g>
    : (memref<4x4x4xi32>) into (memref<4x8x2xi32>)
  return
}

// -----

dist.process_group @g size 2

// A factor is stored as it is; umin is min of an unsigned data type (7 is ui32).
//
// CHECK-LABEL: llvm.func @factor(
// CHECK-SAME:    %[[FACTOR:[a-z0-9]*]]: f64)
// CHECK:         llvm.store %[[FACTOR]], %{{.*}} : f64, !llvm.ptr
// CHECK:         llvm.call @distrtAllReduce(
func.func @factor(%x: memref<4xf32>, %s: f64) {
  dist.all_reduce_into premul_sum %x into %x factors(%s) on <@g>
    : (memref<4xf32>) into (memref<4xf32>)
  return
}

// CHECK-LABEL: llvm.func @umin(
// CHECK:         %[[TYPE:.*]] = llvm.mlir.constant(7 : i32)
// CHECK:         llvm.store %[[TYPE]], %{{.*}} : i32, !llvm.ptr
func.func @umin(%x: memref<4xi32>) {
  dist.all_reduce_into umin %x into %x on <@g>
    : (memref<4xi32>) into (memref<4xi32>)
  return
}

// CHECK-LABEL: llvm.func @assertion(
// CHECK-SAME:    %[[HOLDS:.*]]: i1)
// CHECK:         llvm.cond_br %[[HOLDS]] weights([1048576, 1]), ^[[NEXT:.*]], ^[[FAILED:.*]]
// CHECK:       ^[[FAILED]]:
// CHECK:         %[[STATUS:.*]] = llvm.call @distrtAssertFailed(
// CHECK:         llvm.br ^[[RAISE:.*]](%[[STATUS]] : i32)
// CHECK:       ^[[NEXT]]:
// CHECK-NEXT:    llvm.return
// CHECK:       ^[[RAISE]](
// CHECK-NEXT:    llvm.call @distrtRaise(
func.func @assertion(%holds: i1) {
  cf.assert %holds, "x is even"
  return
}
