// bug10-in-place-and-overlap: source and destination that share memory in another
// way than a collective in place does.
//
// RUN: %python %S/../run_program.py %s

// All ranks name the first slot, which is a foreign one on rank 1.
// CASE: bugs bug10-in-place-and-overlap
// ARG: i32([1, 2, -1, -1] if rank == 0 else [3, 4, -1, -1])
// ERROR: rank 1: all_gather #0 on group [0, 1] at
// ERROR: @{dist.all_gather_into}
// ERROR: the source overlaps the destination without being this rank's slot of it
func.func @first_slot_on_all_ranks(%out: memref<4xi32>) {
  %slot = memref.subview %out[0] [2] [1]
      : memref<4xi32> to memref<2xi32, strided<[1]>>
  dist.all_gather_into %slot into %out dim 0 on <[[0, 1]]>
      : (memref<2xi32, strided<[1]>>) into (memref<4xi32>)
  return
}

// -----
// Source and destination overlap, but for one element at either end.
// CASE: bugs bug10-in-place-and-overlap
// ARG: i32(inputs["d_m"][rank])
// ERROR: rank 0: all_reduce #0 on group [0, 1] at
// ERROR: rank 1: all_reduce #0 on group [0, 1] at
// ERROR: @{dist.all_reduce_into}
// ERROR: source and destination overlap without being the same buffer
func.func @partial_overlap(%m: memref<4xi32>) {
  %source = memref.subview %m[0] [3] [1]
      : memref<4xi32> to memref<3xi32, strided<[1]>>
  %destination = memref.subview %m[1] [3] [1]
      : memref<4xi32> to memref<3xi32, strided<[1], offset: 1>>
  dist.all_reduce_into sum %source into %destination on <[[0, 1]]>
      : (memref<3xi32, strided<[1]>>)
      into (memref<3xi32, strided<[1], offset: 1>>)
  return
}

// -----
// A scatter into the first half of its source on all ranks, which is a foreign
// slot on rank 1.
// LET: own = np.arange(4) + 10 * rank
// ARG: i32(own)
// ERROR: rank 1: reduce_scatter #0 on group [0, 1] at
// ERROR: @{dist.reduce_scatter_into}
// ERROR: the destination overlaps the source without being this rank's slot of it
func.func @scatters_into_first_half(%m: memref<4xi32>) {
  %half = memref.subview %m[0] [2] [1]
      : memref<4xi32> to memref<2xi32, strided<[1]>>
  dist.reduce_scatter_into sum %m into %half dim 0 on <[[0, 1]]>
      : (memref<4xi32>) into (memref<2xi32, strided<[1]>>)
  return
}

// -----
// A broadcast between overlapping views.
// ARG: i32([1 + 10 * rank, 2 + 10 * rank, 3 + 10 * rank])
// ERROR: rank 0: broadcast #0 on group [0, 1] at
// ERROR: rank 1: broadcast #0 on group [0, 1] at
// ERROR: @{dist.broadcast_into}
// ERROR: source and destination overlap without being the same buffer
func.func @broadcast_overlap(%m: memref<3xi32>) {
  %source = memref.subview %m[0] [2] [1]
      : memref<3xi32> to memref<2xi32, strided<[1]>>
  %destination = memref.subview %m[1] [2] [1]
      : memref<3xi32> to memref<2xi32, strided<[1], offset: 1>>
  dist.broadcast_into %source into %destination root 1 on <[[0, 1]]>
      : (memref<2xi32, strided<[1]>>)
      into (memref<2xi32, strided<[1], offset: 1>>)
  return
}
