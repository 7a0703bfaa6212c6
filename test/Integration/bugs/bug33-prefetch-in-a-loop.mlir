// bug33-prefetch-in-a-loop: the gather of a later iteration reads the shard of that
// iteration, whatever the bounds are and in whichever order the shards are used: as
// written, and prefetched as a pass would do it.
//
// RUN: %python %S/../run_program.py %s

// CASE: bugs bug33-prefetch-in-a-loop
// RANKS: 2
// ARG: i32([10 * k + rank for k in range(8)])
// ARG: index(2)
// ARG: index(8)
// RESULT: i32(expected["a"][rank])
// TRACE: 3 * ["all_gather"]
func.func @as_written_a(%W: tensor<8xi32>, %lb: index, %ub: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %one = arith.constant 1 : i32
  %acc = scf.for %i = %lb to %ub step %c2 iter_args(%before = %one) -> (i32) {
    %first = arith.cmpi eq, %i, %c2 : index
    %mirror = arith.subi %c10, %i : index
    %k = arith.select %first, %c2, %mirror : index
    %shard = tensor.extract_slice %W[%k] [1] [1]
        : tensor<8xi32> to tensor<1xi32>
    %f = dist.all_gather %shard dim 0 on <[[0, 1]]>
        : (tensor<1xi32>) -> !dist.future<tensor<2xi32>>
    %wAfter = dist.wait %f : !dist.future<tensor<2xi32>>
    %w0After = tensor.extract %wAfter[%c0] : tensor<2xi32>
    %w1After = tensor.extract %wAfter[%c1] : tensor<2xi32>
    %sumAfter = arith.addi %w0After, %w1After : i32
    %iAfter = arith.index_cast %i : index to i32
    %termAfter = arith.muli %sumAfter, %iAfter : i32
    %twiceAfter = arith.addi %before, %before : i32
    %accAfter = arith.addi %twiceAfter, %termAfter : i32
    scf.yield %accAfter : i32
  }
  return %acc : i32
}

// -----
// CASE: bugs bug33-prefetch-in-a-loop
// RANKS: 2
// ARG: i32([10 * k + rank for k in range(8)])
// ARG: index(2)
// ARG: index(8)
// RESULT: i32(expected["a"][rank])
// TRACE: 3 * ["all_gather"]
func.func @prefetched_a(%W: tensor<8xi32>, %lb: index, %ub: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %one = arith.constant 1 : i32
  %any = arith.cmpi slt, %lb, %ub : index
  %acc = scf.if %any -> i32 {
    %last = arith.subi %ub, %c2 : index
    %firstFirst = arith.cmpi eq, %lb, %c2 : index
    %mirrorFirst = arith.subi %c10, %lb : index
    %kFirst = arith.select %firstFirst, %c2, %mirrorFirst : index
    %shardFirst = tensor.extract_slice %W[%kFirst] [1] [1]
        : tensor<8xi32> to tensor<1xi32>
    %fFirst = dist.all_gather %shardFirst dim 0 on <[[0, 1]]>
        : (tensor<1xi32>) -> !dist.future<tensor<2xi32>>
    %before, %g, %at = scf.for %i = %lb to %last step %c2
        iter_args(%done = %one, %now = %fFirst, %j = %lb)
        -> (i32, !dist.future<tensor<2xi32>>, index) {
    %next = arith.addi %i, %c2 : index
    %firstNext = arith.cmpi eq, %next, %c2 : index
    %mirrorNext = arith.subi %c10, %next : index
    %kNext = arith.select %firstNext, %c2, %mirrorNext : index
    %shardNext = tensor.extract_slice %W[%kNext] [1] [1]
        : tensor<8xi32> to tensor<1xi32>
    %fNext = dist.all_gather %shardNext dim 0 on <[[0, 1]]>
        : (tensor<1xi32>) -> !dist.future<tensor<2xi32>>
    %wLoop = dist.wait %now : !dist.future<tensor<2xi32>>
    %w0Loop = tensor.extract %wLoop[%c0] : tensor<2xi32>
    %w1Loop = tensor.extract %wLoop[%c1] : tensor<2xi32>
    %sumLoop = arith.addi %w0Loop, %w1Loop : i32
    %iLoop = arith.index_cast %i : index to i32
    %termLoop = arith.muli %sumLoop, %iLoop : i32
    %twiceLoop = arith.addi %done, %done : i32
    %accLoop = arith.addi %twiceLoop, %termLoop : i32
    scf.yield %accLoop, %fNext, %next : i32, !dist.future<tensor<2xi32>>, index
    }
    %wEnd = dist.wait %g : !dist.future<tensor<2xi32>>
    %w0End = tensor.extract %wEnd[%c0] : tensor<2xi32>
    %w1End = tensor.extract %wEnd[%c1] : tensor<2xi32>
    %sumEnd = arith.addi %w0End, %w1End : i32
    %iEnd = arith.index_cast %at : index to i32
    %termEnd = arith.muli %sumEnd, %iEnd : i32
    %twiceEnd = arith.addi %before, %before : i32
    %accEnd = arith.addi %twiceEnd, %termEnd : i32
    scf.yield %accEnd : i32
  } else {
    scf.yield %one : i32
  }
  return %acc : i32
}

// -----
// CASE: bugs bug33-prefetch-in-a-loop
// RANKS: 2
// ARG: i32([10 * k + rank for k in range(8)])
// ARG: index(8)
// ARG: index(8)
// RESULT: i32(expected["b"][rank])
// TRACE: 0 * ["all_gather"]
func.func @as_written_b(%W: tensor<8xi32>, %lb: index, %ub: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %one = arith.constant 1 : i32
  %acc = scf.for %i = %lb to %ub step %c2 iter_args(%before = %one) -> (i32) {
    %first = arith.cmpi eq, %i, %c2 : index
    %mirror = arith.subi %c10, %i : index
    %k = arith.select %first, %c2, %mirror : index
    %shard = tensor.extract_slice %W[%k] [1] [1]
        : tensor<8xi32> to tensor<1xi32>
    %f = dist.all_gather %shard dim 0 on <[[0, 1]]>
        : (tensor<1xi32>) -> !dist.future<tensor<2xi32>>
    %wAfter = dist.wait %f : !dist.future<tensor<2xi32>>
    %w0After = tensor.extract %wAfter[%c0] : tensor<2xi32>
    %w1After = tensor.extract %wAfter[%c1] : tensor<2xi32>
    %sumAfter = arith.addi %w0After, %w1After : i32
    %iAfter = arith.index_cast %i : index to i32
    %termAfter = arith.muli %sumAfter, %iAfter : i32
    %twiceAfter = arith.addi %before, %before : i32
    %accAfter = arith.addi %twiceAfter, %termAfter : i32
    scf.yield %accAfter : i32
  }
  return %acc : i32
}

// -----
// CASE: bugs bug33-prefetch-in-a-loop
// RANKS: 2
// ARG: i32([10 * k + rank for k in range(8)])
// ARG: index(8)
// ARG: index(8)
// RESULT: i32(expected["b"][rank])
// TRACE: 0 * ["all_gather"]
func.func @prefetched_b(%W: tensor<8xi32>, %lb: index, %ub: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %one = arith.constant 1 : i32
  %any = arith.cmpi slt, %lb, %ub : index
  %acc = scf.if %any -> i32 {
    %last = arith.subi %ub, %c2 : index
    %firstFirst = arith.cmpi eq, %lb, %c2 : index
    %mirrorFirst = arith.subi %c10, %lb : index
    %kFirst = arith.select %firstFirst, %c2, %mirrorFirst : index
    %shardFirst = tensor.extract_slice %W[%kFirst] [1] [1]
        : tensor<8xi32> to tensor<1xi32>
    %fFirst = dist.all_gather %shardFirst dim 0 on <[[0, 1]]>
        : (tensor<1xi32>) -> !dist.future<tensor<2xi32>>
    %before, %g, %at = scf.for %i = %lb to %last step %c2
        iter_args(%done = %one, %now = %fFirst, %j = %lb)
        -> (i32, !dist.future<tensor<2xi32>>, index) {
    %next = arith.addi %i, %c2 : index
    %firstNext = arith.cmpi eq, %next, %c2 : index
    %mirrorNext = arith.subi %c10, %next : index
    %kNext = arith.select %firstNext, %c2, %mirrorNext : index
    %shardNext = tensor.extract_slice %W[%kNext] [1] [1]
        : tensor<8xi32> to tensor<1xi32>
    %fNext = dist.all_gather %shardNext dim 0 on <[[0, 1]]>
        : (tensor<1xi32>) -> !dist.future<tensor<2xi32>>
    %wLoop = dist.wait %now : !dist.future<tensor<2xi32>>
    %w0Loop = tensor.extract %wLoop[%c0] : tensor<2xi32>
    %w1Loop = tensor.extract %wLoop[%c1] : tensor<2xi32>
    %sumLoop = arith.addi %w0Loop, %w1Loop : i32
    %iLoop = arith.index_cast %i : index to i32
    %termLoop = arith.muli %sumLoop, %iLoop : i32
    %twiceLoop = arith.addi %done, %done : i32
    %accLoop = arith.addi %twiceLoop, %termLoop : i32
    scf.yield %accLoop, %fNext, %next : i32, !dist.future<tensor<2xi32>>, index
    }
    %wEnd = dist.wait %g : !dist.future<tensor<2xi32>>
    %w0End = tensor.extract %wEnd[%c0] : tensor<2xi32>
    %w1End = tensor.extract %wEnd[%c1] : tensor<2xi32>
    %sumEnd = arith.addi %w0End, %w1End : i32
    %iEnd = arith.index_cast %at : index to i32
    %termEnd = arith.muli %sumEnd, %iEnd : i32
    %twiceEnd = arith.addi %before, %before : i32
    %accEnd = arith.addi %twiceEnd, %termEnd : i32
    scf.yield %accEnd : i32
  } else {
    scf.yield %one : i32
  }
  return %acc : i32
}

// -----
// CASE: bugs bug33-prefetch-in-a-loop
// RANKS: 2
// ARG: i32([10 * k + rank for k in range(8)])
// ARG: index(2)
// ARG: index(4)
// RESULT: i32(expected["c"][rank])
// TRACE: 1 * ["all_gather"]
func.func @as_written_c(%W: tensor<8xi32>, %lb: index, %ub: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %one = arith.constant 1 : i32
  %acc = scf.for %i = %lb to %ub step %c2 iter_args(%before = %one) -> (i32) {
    %first = arith.cmpi eq, %i, %c2 : index
    %mirror = arith.subi %c10, %i : index
    %k = arith.select %first, %c2, %mirror : index
    %shard = tensor.extract_slice %W[%k] [1] [1]
        : tensor<8xi32> to tensor<1xi32>
    %f = dist.all_gather %shard dim 0 on <[[0, 1]]>
        : (tensor<1xi32>) -> !dist.future<tensor<2xi32>>
    %wAfter = dist.wait %f : !dist.future<tensor<2xi32>>
    %w0After = tensor.extract %wAfter[%c0] : tensor<2xi32>
    %w1After = tensor.extract %wAfter[%c1] : tensor<2xi32>
    %sumAfter = arith.addi %w0After, %w1After : i32
    %iAfter = arith.index_cast %i : index to i32
    %termAfter = arith.muli %sumAfter, %iAfter : i32
    %twiceAfter = arith.addi %before, %before : i32
    %accAfter = arith.addi %twiceAfter, %termAfter : i32
    scf.yield %accAfter : i32
  }
  return %acc : i32
}

// -----
// CASE: bugs bug33-prefetch-in-a-loop
// RANKS: 2
// ARG: i32([10 * k + rank for k in range(8)])
// ARG: index(2)
// ARG: index(4)
// RESULT: i32(expected["c"][rank])
// TRACE: 1 * ["all_gather"]
func.func @prefetched_c(%W: tensor<8xi32>, %lb: index, %ub: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %one = arith.constant 1 : i32
  %any = arith.cmpi slt, %lb, %ub : index
  %acc = scf.if %any -> i32 {
    %last = arith.subi %ub, %c2 : index
    %firstFirst = arith.cmpi eq, %lb, %c2 : index
    %mirrorFirst = arith.subi %c10, %lb : index
    %kFirst = arith.select %firstFirst, %c2, %mirrorFirst : index
    %shardFirst = tensor.extract_slice %W[%kFirst] [1] [1]
        : tensor<8xi32> to tensor<1xi32>
    %fFirst = dist.all_gather %shardFirst dim 0 on <[[0, 1]]>
        : (tensor<1xi32>) -> !dist.future<tensor<2xi32>>
    %before, %g, %at = scf.for %i = %lb to %last step %c2
        iter_args(%done = %one, %now = %fFirst, %j = %lb)
        -> (i32, !dist.future<tensor<2xi32>>, index) {
    %next = arith.addi %i, %c2 : index
    %firstNext = arith.cmpi eq, %next, %c2 : index
    %mirrorNext = arith.subi %c10, %next : index
    %kNext = arith.select %firstNext, %c2, %mirrorNext : index
    %shardNext = tensor.extract_slice %W[%kNext] [1] [1]
        : tensor<8xi32> to tensor<1xi32>
    %fNext = dist.all_gather %shardNext dim 0 on <[[0, 1]]>
        : (tensor<1xi32>) -> !dist.future<tensor<2xi32>>
    %wLoop = dist.wait %now : !dist.future<tensor<2xi32>>
    %w0Loop = tensor.extract %wLoop[%c0] : tensor<2xi32>
    %w1Loop = tensor.extract %wLoop[%c1] : tensor<2xi32>
    %sumLoop = arith.addi %w0Loop, %w1Loop : i32
    %iLoop = arith.index_cast %i : index to i32
    %termLoop = arith.muli %sumLoop, %iLoop : i32
    %twiceLoop = arith.addi %done, %done : i32
    %accLoop = arith.addi %twiceLoop, %termLoop : i32
    scf.yield %accLoop, %fNext, %next : i32, !dist.future<tensor<2xi32>>, index
    }
    %wEnd = dist.wait %g : !dist.future<tensor<2xi32>>
    %w0End = tensor.extract %wEnd[%c0] : tensor<2xi32>
    %w1End = tensor.extract %wEnd[%c1] : tensor<2xi32>
    %sumEnd = arith.addi %w0End, %w1End : i32
    %iEnd = arith.index_cast %at : index to i32
    %termEnd = arith.muli %sumEnd, %iEnd : i32
    %twiceEnd = arith.addi %before, %before : i32
    %accEnd = arith.addi %twiceEnd, %termEnd : i32
    scf.yield %accEnd : i32
  } else {
    scf.yield %one : i32
  }
  return %acc : i32
}
