// The seed program: an in-place all_gather written by the user, work that does not
// need its result, then an update of the destination. Values on every rank, for
// groups of 2 and 4.
//
// RUN: %python %S/run_program.py %s

// FOR N: 2 4
// RANKS: $N
// FLAGS: --group g=world
// LET: a = [np.arange(3) + 10 * r for r in range(ranks)]
// LET: b = [np.arange(3) * 2 + r for r in range(ranks)]
// ARG: [a[rank]]
// ARG: [b[rank]]
// ARG: np.full((ranks, 3), 77)
// RESULT: [(a[rank] + b[rank] + 1) * b[rank]]
// RESULT: [2 * (a[r] + b[r]) for r in range(ranks)]
// TRACE: ["all_gather"]
dist.process_group @g
func.func @tensors(%a: tensor<1x3xf32>, %b: tensor<1x3xf32>,
                   %out: tensor<$Nx3xf32>)
    -> (tensor<1x3xf32>, tensor<$Nx3xf32>) {
  %one = arith.constant dense<1.0> : tensor<1x3xf32>
  %two = arith.constant dense<2.0> : tensor<$Nx3xf32>
  %c = arith.addf %a, %b : tensor<1x3xf32>
  %gathered = dist.all_gather_into %c into %out dim 0 on <@g>
      : (tensor<1x3xf32>) into (tensor<$Nx3xf32>) -> tensor<$Nx3xf32>
  %e = arith.addf %c, %one : tensor<1x3xf32>
  %f = arith.mulf %e, %b : tensor<1x3xf32>
  %doubled = arith.mulf %gathered, %two : tensor<$Nx3xf32>
  return %f, %doubled : tensor<1x3xf32>, tensor<$Nx3xf32>
}

// -----
// Buffers: the destination is the caller's.
// FOR N: 2 4
// RANKS: $N
// FLAGS: --group g=world
// LET: a = [np.arange(3) + 10 * r for r in range(ranks)]
// LET: b = [np.arange(3) * 2 + r for r in range(ranks)]
// ARG: [a[rank]]
// ARG: [b[rank]]
// ARG: np.full((ranks, 3), 77)
// ARG: np.zeros((1, 3))
// AFTER 0: [a[rank]]
// AFTER 1: [b[rank]]
// AFTER 2: [2 * (a[r] + b[r]) for r in range(ranks)]
// AFTER 3: [(a[rank] + b[rank] + 1) * b[rank]]
// TRACE: ["all_gather"]
dist.process_group @g size $N
func.func @buffers(%a: memref<1x3xf32>, %b: memref<1x3xf32>,
                   %out: memref<$Nx3xf32>, %f: memref<1x3xf32>) {
  %one = arith.constant 1.0 : f32
  %c = memref.alloc() : memref<1x3xf32>
  linalg.add ins(%a, %b : memref<1x3xf32>, memref<1x3xf32>)
      outs(%c : memref<1x3xf32>)
  dist.all_gather_into %c into %out dim 0 on <@g>
      : (memref<1x3xf32>) into (memref<$Nx3xf32>)
  linalg.fill ins(%one : f32) outs(%f : memref<1x3xf32>)
  linalg.add ins(%c, %f : memref<1x3xf32>, memref<1x3xf32>)
      outs(%f : memref<1x3xf32>)
  linalg.mul ins(%f, %b : memref<1x3xf32>, memref<1x3xf32>)
      outs(%f : memref<1x3xf32>)
  linalg.add ins(%out, %out : memref<$Nx3xf32>, memref<$Nx3xf32>)
      outs(%out : memref<$Nx3xf32>)
  return
}

// -----
// Two groups of two: each gathers among its own, in its own order.
// RANKS: 4
// FLAGS: --group g=[[1,0],[2,3]]
// LET: a = [np.arange(3) + 10 * r for r in range(ranks)]
// LET: group = [[1, 0], [1, 0], [2, 3], [2, 3]][rank]
// ARG: [a[rank]]
// ARG: [a[rank]]
// ARG: np.full((2, 3), 77)
// RESULT: [(2 * a[rank] + 1) * a[rank]]
// RESULT: [4 * a[r] for r in group]
dist.process_group @g size 2
func.func @two_groups(%a: tensor<1x3xf32>, %b: tensor<1x3xf32>,
                      %out: tensor<2x3xf32>)
    -> (tensor<1x3xf32>, tensor<2x3xf32>) {
  %one = arith.constant dense<1.0> : tensor<1x3xf32>
  %two = arith.constant dense<2.0> : tensor<2x3xf32>
  %c = arith.addf %a, %b : tensor<1x3xf32>
  %gathered = dist.all_gather_into %c into %out dim 0 on <@g>
      : (tensor<1x3xf32>) into (tensor<2x3xf32>) -> tensor<2x3xf32>
  %e = arith.addf %c, %one : tensor<1x3xf32>
  %f = arith.mulf %e, %b : tensor<1x3xf32>
  %doubled = arith.mulf %gathered, %two : tensor<2x3xf32>
  return %f, %doubled : tensor<1x3xf32>, tensor<2x3xf32>
}

// -----
// A size that only the run knows: the module fits any group.
// FOR N: 1 2 3 4
// RANKS: $N
// FLAGS: --group g=world
// LET: a = [np.arange(3) + 10 * r for r in range(ranks)]
// ARG: [a[rank]]
// ARG: [a[rank]]
// ARG: np.full((ranks, 3), 77)
// RESULT: [(2 * a[rank] + 1) * a[rank]]
// RESULT: [4 * a[r] for r in range(ranks)]
dist.process_group @g
func.func @any_size(%a: tensor<1x3xf32>, %b: tensor<1x3xf32>,
                    %out: tensor<?x3xf32>)
    -> (tensor<1x3xf32>, tensor<?x3xf32>) {
  %one = arith.constant dense<1.0> : tensor<1x3xf32>
  %c = arith.addf %a, %b : tensor<1x3xf32>
  %gathered = dist.all_gather_into %c into %out dim 0 on <@g>
      : (tensor<1x3xf32>) into (tensor<?x3xf32>) -> tensor<?x3xf32>
  %e = arith.addf %c, %one : tensor<1x3xf32>
  %f = arith.mulf %e, %b : tensor<1x3xf32>
  %doubled = arith.addf %gathered, %gathered : tensor<?x3xf32>
  return %f, %doubled : tensor<1x3xf32>, tensor<?x3xf32>
}
