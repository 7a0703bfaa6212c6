// Collectives move and combine index elements as i64, negative ones too.
//
// RUN: %python %S/run_program.py %s

// RANKS: 2
// LET: x = [[-3, 7], [5, -9]]
// ARG: index(x[rank])
// RESULT: index([2, -2])
// RESULT: index([-3, -9])
// RESULT: index([-3, 7, 5, -9])
// RESULT: index([[2], [-2]][rank])
// RESULT: index([5, -9])
func.func @index_elements(%x: tensor<2xindex>)
    -> (tensor<2xindex>, tensor<2xindex>, tensor<4xindex>, tensor<1xindex>,
        tensor<2xindex>) {
  %sum = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<2xindex>) -> !dist.future<tensor<2xindex>>
  %min = dist.all_reduce min %x on <[[0, 1]]>
      : (tensor<2xindex>) -> !dist.future<tensor<2xindex>>
  %all = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<2xindex>) -> !dist.future<tensor<4xindex>>
  %own = dist.reduce_scatter sum %x dim 0 on <[[0, 1]]>
      : (tensor<2xindex>) -> !dist.future<tensor<1xindex>>
  %root = dist.broadcast %x root 1 on <[[0, 1]]>
      : (tensor<2xindex>) -> !dist.future<tensor<2xindex>>
  %0 = dist.wait %sum : !dist.future<tensor<2xindex>>
  %1 = dist.wait %min : !dist.future<tensor<2xindex>>
  %2 = dist.wait %all : !dist.future<tensor<4xindex>>
  %3 = dist.wait %own : !dist.future<tensor<1xindex>>
  %4 = dist.wait %root : !dist.future<tensor<2xindex>>
  return %0, %1, %2, %3, %4
      : tensor<2xindex>, tensor<2xindex>, tensor<4xindex>, tensor<1xindex>,
        tensor<2xindex>
}

// -----
// RANKS: 2
// LET: x = [[-3, 7], [5, -9]]
// ARG: index(x[rank])
// AFTER 0: index([-15, -63])
func.func @in_place(%x: memref<2xindex>) {
  dist.all_reduce_into product %x into %x on <[[0, 1]]>
      : (memref<2xindex>) into (memref<2xindex>)
  return
}
