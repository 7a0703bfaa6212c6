// bug28-slice-after-all-reduce: values of a slice whose offset follows another
// axis than the reduction (P) and of one that follows the same (Q).
//
// RUN: %python %S/../run_program.py %s

// CASE: bugs bug28-slice-after-all-reduce
// RANKS: 4
// ARG: i32(np.array([1, 2, 3, 4]) * (rank + 1))
// RESULT: expected["P"][rank]
dist.mesh @m ["dp" = 2, "tp" = 2]
func.func @offset_follows_dp(%x: tensor<4xi32>) -> tensor<2xi32> {
  %c2 = arith.constant 2 : index
  %f = dist.all_reduce sum %x on <@m["tp"]>
      : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %s = dist.wait %f : !dist.future<tensor<4xi32>>
  %index = dist.rank on <@m["dp"]> : index
  %first = arith.muli %index, %c2 : index
  %y = tensor.extract_slice %s[%first] [2] [1]
      : tensor<4xi32> to tensor<2xi32>
  return %y : tensor<2xi32>
}

// -----
// CASE: bugs bug28-slice-after-all-reduce
// RANKS: 4
// ARG: i32(np.array([1, 2, 3, 4]) * (rank + 1))
// RESULT: expected["Q"][rank]
dist.mesh @m ["dp" = 2, "tp" = 2]
func.func @offset_follows_tp(%x: tensor<4xi32>) -> tensor<2xi32> {
  %c2 = arith.constant 2 : index
  %f = dist.all_reduce sum %x on <@m["tp"]>
      : (tensor<4xi32>) -> !dist.future<tensor<4xi32>>
  %s = dist.wait %f : !dist.future<tensor<4xi32>>
  %index = dist.rank on <@m["tp"]> : index
  %first = arith.muli %index, %c2 : index
  %y = tensor.extract_slice %s[%first] [2] [1]
      : tensor<4xi32> to tensor<2xi32>
  return %y : tensor<2xi32>
}
