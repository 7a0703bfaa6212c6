// Every form of every operation prints as it was written, and comes back from
// the generic form and from bytecode.
// RUN: dist-opt %s -o %t.first
// RUN: FileCheck %s < %t.first
// RUN: dist-opt %t.first -o %t.text
// RUN: diff %t.first %t.text
// RUN: dist-opt %t.first --mlir-print-op-generic | dist-opt -o %t.generic
// RUN: diff %t.first %t.generic
// RUN: dist-opt %t.first --emit-bytecode | dist-opt -o %t.bytecode
// RUN: diff %t.first %t.bytecode
// RUN: dist-opt %t.first -split-input-file | dist-opt -split-input-file -o %t.split
// RUN: diff %t.first %t.split

// A long table gets a name, wherever it is used.
// CHECK: #[[TABLE:.*]] = #dist.group<{{\[}}[0, 1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11, 12, 13, 14, 15]]>
// CHECK-NOT: #dist.group<

// CHECK: dist.mesh @m ["dp" = 2, "tp" = 8]
dist.mesh @m ["dp" = 2, "tp" = 8]
// CHECK: dist.mesh @permuted ["x" = 2, "y" = 2] device_ids [0, 2, 1, 3]
dist.mesh @permuted ["x" = 2, "y" = 2] device_ids [0, 2, 1, 3]
// CHECK: dist.mesh @alone []
dist.mesh @alone []
// CHECK: dist.process_group @g{{$}}
dist.process_group @g
// CHECK: dist.process_group @sized size 2
dist.process_group @sized size 2
// CHECK: dist.process_group @bound size 2 ranks {{\[}}[0, 1], [3, 2]]
dist.process_group @bound size 2 ranks [[0, 1], [3, 2]]
// CHECK: dist.process_group @noted {note = "kept"}
dist.process_group @noted {note = "kept"}

// CHECK-LABEL: func.func @groups
func.func @groups() {
  // CHECK: %rank = dist.rank : index
  %0 = dist.rank : index
  // CHECK: %rank_0 = dist.rank on <@g> : index
  %1 = dist.rank on <@g> : index
  // CHECK: %size = dist.group_size : index
  %2 = dist.group_size : index
  // CHECK: dist.group_size on <{{\[}}[0, 1], [2, 3]]> : index
  %3 = dist.group_size on <[[0, 1], [2, 3]]> : index
  // CHECK: dist.group_size on <{{\[}}[1]], tag = "solo"> : index
  %4 = dist.group_size on <[[1]], tag = "solo"> : index
  // CHECK: dist.group_size on <@m["tp", "dp"]> : index
  %5 = dist.group_size on <@m["tp", "dp"]> : index
  // CHECK: dist.group_size on <@m["tp":(2)4, "dp"], tag = "a \22quoted\22 tag"> : index
  %6 = dist.group_size on <@m["tp":(2)4, "dp"], tag = "a \"quoted\" tag"> : index
  // CHECK: dist.group_size on <@m[]> : index
  %7 = dist.group_size on <@m[]> : index
  // CHECK: dist.group_size on <@g, tag = "t"> : index
  %8 = dist.group_size on <@g, tag = "t"> : index
  // CHECK: dist.group_size on #[[TABLE]] : index
  %9 = dist.group_size on <[[0, 1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11, 12, 13, 14, 15]]> : index
  return
}

// CHECK-LABEL: func.func @starts_of_tensors
// CHECK-SAME:    %[[X:.*]]: tensor<4x2xf32>, %[[Y:.*]]: tensor<?x2xbf16>
func.func @starts_of_tensors(%x: tensor<4x2xf32>, %y: tensor<?x2xbf16>,
                             %s: tensor<f64>, %z: tensor<0x3xi8>) {
  // CHECK: %future = dist.all_gather %[[X]] dim 0 on #[[TABLE]] : (tensor<4x2xf32>) -> !dist.future<tensor<32x2xf32>>
  %0 = dist.all_gather %x dim 0 on <[[0, 1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11, 12, 13, 14, 15]]>
      : (tensor<4x2xf32>) -> !dist.future<tensor<32x2xf32>>
  // CHECK: %future_0:2 = dist.all_gather %[[X]], %[[Y]] dim 1 on <@g> : (tensor<4x2xf32>, tensor<?x2xbf16>) -> !dist.future<tensor<4x?xf32>>, !dist.future<tensor<?x?xbf16>>
  %1:2 = dist.all_gather %x, %y dim 1 on <@g>
      : (tensor<4x2xf32>, tensor<?x2xbf16>)
      -> !dist.future<tensor<4x?xf32>>, !dist.future<tensor<?x?xbf16>>
  // CHECK: dist.all_gather %{{.*}} dim 0 on <@sized> : (tensor<0x3xi8>) -> !dist.future<tensor<0x3xi8>>
  %2 = dist.all_gather %z dim 0 on <@sized>
      : (tensor<0x3xi8>) -> !dist.future<tensor<0x3xi8>>
  // CHECK: dist.all_reduce sum %[[X]], %{{.*}} on <@m["dp"]> : (tensor<4x2xf32>, tensor<f64>) -> !dist.future<tensor<4x2xf32>>, !dist.future<tensor<f64>>
  %3:2 = dist.all_reduce sum %x, %s on <@m["dp"]>
      : (tensor<4x2xf32>, tensor<f64>)
      -> !dist.future<tensor<4x2xf32>>, !dist.future<tensor<f64>>
  // CHECK: dist.reduce_scatter avg %[[X]] dim 1 on <@sized> {note = 1 : i32} : (tensor<4x2xf32>) -> !dist.future<tensor<4x1xf32>>
  %4 = dist.reduce_scatter avg %x dim 1 on <@sized> {note = 1 : i32}
      : (tensor<4x2xf32>) -> !dist.future<tensor<4x1xf32>>
  // CHECK: dist.broadcast %{{.*}} root 1 on <@bound> : (tensor<f64>) -> !dist.future<tensor<f64>>
  %5 = dist.broadcast %s root 1 on <@bound>
      : (tensor<f64>) -> !dist.future<tensor<f64>>
  // CHECK: dist.all_reduce max %[[X]] on <@g> {source_modes = [#dist.source<copy>]} : (tensor<4x2xf32>) -> !dist.future<tensor<4x2xf32>>
  %6 = dist.all_reduce max %x on <@g> {source_modes = [#dist.source<copy>]}
      : (tensor<4x2xf32>) -> !dist.future<tensor<4x2xf32>>
  return
}

// CHECK-LABEL: func.func @starts_of_memrefs
// CHECK-SAME:    %[[X:.*]]: memref<4xi32, strided<[?], offset: ?>>, %[[D:.*]]: memref<8xi32>, %[[O:.*]]: i1
func.func @starts_of_memrefs(%x: memref<4xi32, strided<[?], offset: ?>>,
                             %d: memref<8xi32>, %o: i1, %e: memref<4xi32, 1>) {
  // CHECK: %[[F:.*]] = dist.all_gather %[[X]] into %[[D]] dim 0 on <@sized> : (memref<4xi32, strided<[?], offset: ?>>) into (memref<8xi32>) -> !dist.future<memref<8xi32>>
  %0 = dist.all_gather %x into %d dim 0 on <@sized>
      : (memref<4xi32, strided<[?], offset: ?>>) into (memref<8xi32>)
      -> !dist.future<memref<8xi32>>
  // CHECK: dist.wait %[[F]] keeps(%[[X]] : memref<4xi32, strided<[?], offset: ?>>) into(%[[D]] : memref<8xi32>) : !dist.future<memref<8xi32>>
  %w = dist.wait %0 keeps(%x : memref<4xi32, strided<[?], offset: ?>>)
      into(%d : memref<8xi32>) : !dist.future<memref<8xi32>>
  // CHECK: dist.all_reduce bxor %[[D]], %[[X]] into %[[D]], %[[X]] on <@sized>
  %1:2 = dist.all_reduce bxor %d, %x into %d, %x on <@sized>
      : (memref<8xi32>, memref<4xi32, strided<[?], offset: ?>>)
      into (memref<8xi32>, memref<4xi32, strided<[?], offset: ?>>)
      -> !dist.future<memref<8xi32>>,
         !dist.future<memref<4xi32, strided<[?], offset: ?>>>
  // CHECK: %[[G:.*]] = dist.reduce_scatter product %[[D]] owned(%[[O]]) dim 0 on <@sized> {source_modes = [#dist.source<donate>]} : (memref<8xi32>) -> !dist.future<tensor<4xi32>>
  %2 = dist.reduce_scatter product %d owned(%o) dim 0 on <@sized>
      {source_modes = [#dist.source<donate>]}
      : (memref<8xi32>) -> !dist.future<tensor<4xi32>>
  // CHECK: dist.wait %[[G]] : !dist.future<tensor<4xi32>> -> memref<4xi32>
  %v = dist.wait %2 : !dist.future<tensor<4xi32>> -> memref<4xi32>
  // CHECK: dist.broadcast %{{.*}} into %{{.*}} root 0 on <@g> : (memref<4xi32, 1>) into (memref<4xi32, 1>) -> !dist.future<memref<4xi32, 1>>
  %3 = dist.broadcast %e into %e root 0 on <@g>
      : (memref<4xi32, 1>) into (memref<4xi32, 1>)
      -> !dist.future<memref<4xi32, 1>>
  return
}

// CHECK-LABEL: func.func @in_place
// CHECK-SAME:    %[[X:.*]]: tensor<4xf16>, %[[O:.*]]: tensor<8xf16>, %[[M:.*]]: memref<4xui8>, %[[N:.*]]: memref<8xui8>
func.func @in_place(%x: tensor<4xf16>, %o: tensor<8xf16>, %m: memref<4xui8>,
                    %n: memref<8xui8>) {
  // CHECK: dist.all_gather_into %[[X]] into %[[O]] dim 0 on <@sized> : (tensor<4xf16>) into (tensor<8xf16>) -> tensor<8xf16>
  %0 = dist.all_gather_into %x into %o dim 0 on <@sized>
      : (tensor<4xf16>) into (tensor<8xf16>) -> tensor<8xf16>
  // CHECK: dist.all_gather_into %[[M]] into %[[N]] dim 0 on <@sized> : (memref<4xui8>) into (memref<8xui8>){{$}}
  dist.all_gather_into %m into %n dim 0 on <@sized>
      : (memref<4xui8>) into (memref<8xui8>)
  // CHECK: %{{.*}}:2 = dist.all_reduce_into min %[[X]], %[[O]] into %[[X]], %[[O]] on <@g> : (tensor<4xf16>, tensor<8xf16>) into (tensor<4xf16>, tensor<8xf16>) -> tensor<4xf16>, tensor<8xf16>
  %1:2 = dist.all_reduce_into min %x, %o into %x, %o on <@g>
      : (tensor<4xf16>, tensor<8xf16>) into (tensor<4xf16>, tensor<8xf16>)
      -> tensor<4xf16>, tensor<8xf16>
  // CHECK: dist.all_reduce_into band %[[M]] into %[[M]] on <@g> {note} : (memref<4xui8>) into (memref<4xui8>){{$}}
  dist.all_reduce_into band %m into %m on <@g> {note}
      : (memref<4xui8>) into (memref<4xui8>)
  // CHECK: dist.reduce_scatter_into bor %[[N]] into %[[M]] dim 0 on <@sized> : (memref<8xui8>) into (memref<4xui8>)
  dist.reduce_scatter_into bor %n into %m dim 0 on <@sized>
      : (memref<8xui8>) into (memref<4xui8>)
  // CHECK: dist.broadcast_into %[[X]] into %[[X]] root 1 on <@sized> : (tensor<4xf16>) into (tensor<4xf16>) -> tensor<4xf16>
  %2 = dist.broadcast_into %x into %x root 1 on <@sized>
      : (tensor<4xf16>) into (tensor<4xf16>) -> tensor<4xf16>
  return
}

// CHECK-LABEL: func.func @exchanges
// CHECK-SAME:    %[[X:.*]]: tensor<4x2xf32>, %[[S:.*]]: tensor<f64>, %[[M:.*]]: memref<2x4xi8>, %[[N:.*]]: memref<4x2xi8>
func.func @exchanges(%x: tensor<4x2xf32>, %s: tensor<f64>, %m: memref<2x4xi8>,
                     %n: memref<4x2xi8>, %o: i1) {
  // CHECK: %future = dist.all_to_all %[[X]] split_dim 0 concat_dim 1 on <@sized> : (tensor<4x2xf32>) -> !dist.future<tensor<2x4xf32>>
  %0 = dist.all_to_all %x split_dim 0 concat_dim 1 on <@sized>
      : (tensor<4x2xf32>) -> !dist.future<tensor<2x4xf32>>
  // CHECK: dist.all_to_all %[[M]] into %[[N]] split_dim 1 concat_dim 0 on <@sized> {note} : (memref<2x4xi8>) into (memref<4x2xi8>) -> !dist.future<memref<4x2xi8>>
  %1 = dist.all_to_all %m into %n split_dim 1 concat_dim 0 on <@sized> {note}
      : (memref<2x4xi8>) into (memref<4x2xi8>) -> !dist.future<memref<4x2xi8>>
  // CHECK: dist.all_to_all %[[M]] owned(%{{.*}}) split_dim 1 concat_dim 1 on <@g> {source_modes = [#dist.source<donate>]} : (memref<2x4xi8>) -> !dist.future<tensor<2x4xi8>>
  %2 = dist.all_to_all %m owned(%o) split_dim 1 concat_dim 1 on <@g>
      {source_modes = [#dist.source<donate>]}
      : (memref<2x4xi8>) -> !dist.future<tensor<2x4xi8>>
  // CHECK: %{{.*}}:2 = dist.permute %[[X]], %[[S]] pairs {{\[\[}}1, 0], [0, 1]] on <@sized> : (tensor<4x2xf32>, tensor<f64>) -> !dist.future<tensor<4x2xf32>>, !dist.future<tensor<f64>>
  %3:2 = dist.permute %x, %s pairs [[1, 0], [0, 1]] on <@sized>
      : (tensor<4x2xf32>, tensor<f64>)
      -> !dist.future<tensor<4x2xf32>>, !dist.future<tensor<f64>>
  // CHECK: dist.permute %[[M]] into %[[M]] pairs [] on <@g> : (memref<2x4xi8>) into (memref<2x4xi8>) -> !dist.future<memref<2x4xi8>>
  %4 = dist.permute %m into %m pairs [] on <@g>
      : (memref<2x4xi8>) into (memref<2x4xi8>) -> !dist.future<memref<2x4xi8>>
  // CHECK: dist.reduce min %[[X]], %[[S]] root 1 on <@sized> : (tensor<4x2xf32>, tensor<f64>) -> !dist.future<tensor<4x2xf32>>, !dist.future<tensor<f64>>
  %5:2 = dist.reduce min %x, %s root 1 on <@sized>
      : (tensor<4x2xf32>, tensor<f64>)
      -> !dist.future<tensor<4x2xf32>>, !dist.future<tensor<f64>>
  // CHECK: dist.reduce bxor %[[N]] into %[[N]] root 3 on <@g> : (memref<4x2xi8>) into (memref<4x2xi8>) -> !dist.future<memref<4x2xi8>>
  %6 = dist.reduce bxor %n into %n root 3 on <@g>
      : (memref<4x2xi8>) into (memref<4x2xi8>) -> !dist.future<memref<4x2xi8>>
  return
}

// CHECK-LABEL: func.func @exchanges_in_place
// CHECK-SAME:    %[[X:.*]]: tensor<2x4xf16>, %[[O:.*]]: tensor<4x2xf16>, %[[M:.*]]: memref<2x4xui8>, %[[N:.*]]: memref<4x2xui8>
func.func @exchanges_in_place(%x: tensor<2x4xf16>, %o: tensor<4x2xf16>,
                              %m: memref<2x4xui8>, %n: memref<4x2xui8>) {
  // CHECK: dist.all_to_all_into %[[X]] into %[[O]] split_dim 1 concat_dim 0 on <@sized> : (tensor<2x4xf16>) into (tensor<4x2xf16>) -> tensor<4x2xf16>
  %0 = dist.all_to_all_into %x into %o split_dim 1 concat_dim 0 on <@sized>
      : (tensor<2x4xf16>) into (tensor<4x2xf16>) -> tensor<4x2xf16>
  // CHECK: dist.all_to_all_into %[[M]] into %[[N]] split_dim 1 concat_dim 0 on <@sized> : (memref<2x4xui8>) into (memref<4x2xui8>){{$}}
  dist.all_to_all_into %m into %n split_dim 1 concat_dim 0 on <@sized>
      : (memref<2x4xui8>) into (memref<4x2xui8>)
  // CHECK: dist.permute_into %[[X]] into %[[X]] pairs {{\[\[}}0, 1]] on <@sized> : (tensor<2x4xf16>) into (tensor<2x4xf16>) -> tensor<2x4xf16>
  %1 = dist.permute_into %x into %x pairs [[0, 1]] on <@sized>
      : (tensor<2x4xf16>) into (tensor<2x4xf16>) -> tensor<2x4xf16>
  // CHECK: dist.permute_into %[[M]] into %[[M]] pairs [] on <@g> : (memref<2x4xui8>) into (memref<2x4xui8>){{$}}
  dist.permute_into %m into %m pairs [] on <@g>
      : (memref<2x4xui8>) into (memref<2x4xui8>)
  // CHECK: dist.reduce_into avg %[[X]] into %[[X]] root 0 on <@g> : (tensor<2x4xf16>) into (tensor<2x4xf16>) -> tensor<2x4xf16>
  %2 = dist.reduce_into avg %x into %x root 0 on <@g>
      : (tensor<2x4xf16>) into (tensor<2x4xf16>) -> tensor<2x4xf16>
  // CHECK: dist.reduce_into band %[[N]] into %[[N]] root 1 on <@sized> : (memref<4x2xui8>) into (memref<4x2xui8>){{$}}
  dist.reduce_into band %n into %n root 1 on <@sized>
      : (memref<4x2xui8>) into (memref<4x2xui8>)
  return
}

// CHECK-LABEL: func.func @futures
// CHECK-SAME:    %[[F:.*]]: !dist.future<tensor<?x2xbf16>>, %[[G:.*]]: !dist.future<memref<4xi64, strided<[2], offset: 3>>>, %[[X:.*]]: tensor<4xf32>
func.func @futures(%f: !dist.future<tensor<?x2xbf16>>,
                   %g: !dist.future<memref<4xi64, strided<[2], offset: 3>>>,
                   %x: tensor<4xf32>, %m: memref<2xf32>) {
  // CHECK: %{{.*}}:2 = dist.wait %[[F]], %[[G]] keeps(%[[X]], %{{.*}} : tensor<4xf32>, memref<2xf32>) : !dist.future<tensor<?x2xbf16>>, !dist.future<memref<4xi64, strided<[2], offset: 3>>>
  %0:2 = dist.wait %f, %g keeps(%x, %m : tensor<4xf32>, memref<2xf32>)
      : !dist.future<tensor<?x2xbf16>>,
        !dist.future<memref<4xi64, strided<[2], offset: 3>>>
  // CHECK: %[[D:.*]] = dist.dup %[[F]] : !dist.future<tensor<?x2xbf16>>
  %1 = dist.dup %f : !dist.future<tensor<?x2xbf16>>
  // CHECK: dist.drop %[[D]] keeps(%[[X]] : tensor<4xf32>) : !dist.future<tensor<?x2xbf16>>
  dist.drop %1 keeps(%x : tensor<4xf32>) : !dist.future<tensor<?x2xbf16>>
  // CHECK: dist.drop %[[F]] : !dist.future<tensor<?x2xbf16>>
  dist.drop %f : !dist.future<tensor<?x2xbf16>>
  // CHECK: dist.keep %[[X]], %{{.*}} : tensor<4xf32>, memref<2xf32>
  dist.keep %x, %m : tensor<4xf32>, memref<2xf32>
  return
}

// CHECK-LABEL: func.func @factors
func.func @factors(%x: tensor<4xf32>, %y: tensor<4xf8E5M2>, %m: memref<4xcomplex<f64>>,
                   %i: memref<4xi4>, %n: memref<8xi4>, %s: f64) {
  // CHECK: dist.all_reduce premul_sum %{{.*}}, %{{.*}} factors(%[[S:.*]], %[[S]]) on <{{.*}}> : (tensor<4xf32>, tensor<4xf8E5M2>)
  %0:2 = dist.all_reduce premul_sum %x, %y factors(%s, %s) on <[[0, 1]]>
      : (tensor<4xf32>, tensor<4xf8E5M2>)
      -> !dist.future<tensor<4xf32>>, !dist.future<tensor<4xf8E5M2>>
  // CHECK: dist.reduce_scatter premul_sum %{{.*}} factors(%[[S]]) dim 0 on
  %1 = dist.reduce_scatter premul_sum %x factors(%s) dim 0 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<2xf32>>
  // CHECK: dist.reduce premul_sum %{{.*}} factors(%[[S]]) root 1 on
  %2 = dist.reduce premul_sum %x factors(%s) root 1 on <[[0, 1]]>
      : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
  // CHECK: dist.all_reduce_into avg %{{.*}} into %{{.*}} on
  dist.all_reduce_into avg %m into %m on <[[0, 1]]>
      : (memref<4xcomplex<f64>>) into (memref<4xcomplex<f64>>)
  // CHECK: dist.all_gather_into %{{.*}} into %{{.*}} dim 0 on {{.*}} : (memref<4xi4>)
  dist.all_gather_into %i into %n dim 0 on <[[0, 1]]>
      : (memref<4xi4>) into (memref<8xi4>)
  return
}

// CHECK-LABEL: func.func @opaque
func.func @opaque(%x: tensor<4xf32>, %n: index) {
  // CHECK: dist.opaque "mm"(%{{.*}}, %{{.*}}) {bytes = 8 : i64, flops = 4 : i64, instance = 7 : i64, nanoseconds = 2 : i64} : (tensor<4xf32>, index) -> (tensor<4xf32>, f32)
  %0:2 = dist.opaque "mm"(%x, %n)
      {bytes = 8 : i64, flops = 4 : i64, instance = 7 : i64, nanoseconds = 2 : i64}
      : (tensor<4xf32>, index) -> (tensor<4xf32>, f32)
  // CHECK: dist.opaque "transpose"(%{{.*}}) {view} : (tensor<4xf32>) -> tensor<2x2xf32>
  %1 = dist.opaque "transpose"(%x) {view} : (tensor<4xf32>) -> tensor<2x2xf32>
  // CHECK: dist.opaque "seed"() calls @seed : () -> tensor<4xf32>
  %2 = dist.opaque "seed"() calls @seed : () -> tensor<4xf32>
  return
}
func.func private @seed() -> tensor<4xf32>

// CHECK: module @nested attributes {dist.keep_groups_of_one, dist.spmd}
module @nested attributes {dist.keep_groups_of_one, dist.spmd} {
  // CHECK: func.func private @pure(tensor<4xf32> {dist.writable}, i32 {dist.uniform}) -> tensor<4xf32> attributes {dist.no_effects, dist.signature = (tensor<4xf32>) -> tensor<4xf32>, dist.tied_results = array<i64: -1>}
  func.func private @pure(tensor<4xf32> {dist.writable}, i32 {dist.uniform})
      -> tensor<4xf32>
      attributes {dist.no_effects, dist.signature = (tensor<4xf32>) -> tensor<4xf32>, dist.tied_results = array<i64: -1>}
}
