// Computation beside collectives, in each element type: what the pipeline takes
// from tensors to LLVM.
//
// RUN: %python %S/run_program.py %s

// Arithmetic on whole tensors. Every operand is small enough to be exact in each
// type.
// FOR T: f16 bf16 f32 f64
// LET: x = np.array([1, 2.5, -3, 4])
// ARG: $T(x + rank)
// RESULT: $T((2 * x + 1) * 2 - x)
// RESULT: $T(np.floor(x + rank + 3))
// RESULT: i1([True, True, False, True])
func.func @float_arithmetic(%x: tensor<4x$T>)
    -> (tensor<4x$T>, tensor<4x$T>, tensor<4xi1>) {
  %two = arith.constant dense<2.0> : tensor<4x$T>
  %three = arith.constant dense<3.0> : tensor<4x$T>
  %zero = arith.constant dense<0.0> : tensor<4x$T>
  %rank = dist.rank : index
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4x$T>) -> !dist.future<tensor<4x$T>>
  %b = dist.broadcast %x root 0 on <[[0, 1]]>
      : (tensor<4x$T>) -> !dist.future<tensor<4x$T>>
  %s = dist.wait %f : !dist.future<tensor<4x$T>>
  %first = dist.wait %b : !dist.future<tensor<4x$T>>
  %product = arith.mulf %s, %two : tensor<4x$T>
  %r = arith.subf %product, %first : tensor<4x$T>
  %shifted = arith.addf %x, %three : tensor<4x$T>
  %divided = arith.divf %shifted, %two : tensor<4x$T>
  %doubled = arith.addf %divided, %divided : tensor<4x$T>
  %high = arith.maximumf %doubled, %zero : tensor<4x$T>
  %floor = math.floor %high : tensor<4x$T>
  %less = arith.cmpf oge, %first, %zero : tensor<4x$T>
  return %r, %floor, %less : tensor<4x$T>, tensor<4x$T>, tensor<4xi1>
}

// -----
// FOR T: i8 i16 i32 i64
// LET: x = np.array([1, -2, 3, -4])
// ARG: $T(x + rank)
// RESULT: $T((2 * x + 1) * 3 - 7)
// RESULT: $T(np.maximum(x + rank, 0) // 2)
// RESULT: $T((x + rank) ^ 5)
// RESULT: i1((x + rank) < 0)
func.func @integer_arithmetic(%x: tensor<4x$T>)
    -> (tensor<4x$T>, tensor<4x$T>, tensor<4x$T>, tensor<4xi1>) {
  %zero = arith.constant dense<0> : tensor<4x$T>
  %two = arith.constant dense<2> : tensor<4x$T>
  %three = arith.constant dense<3> : tensor<4x$T>
  %five = arith.constant dense<5> : tensor<4x$T>
  %seven = arith.constant dense<7> : tensor<4x$T>
  %f = dist.all_reduce sum %x on <[[0, 1]]>
      : (tensor<4x$T>) -> !dist.future<tensor<4x$T>>
  %high = arith.maxsi %x, %zero : tensor<4x$T>
  %half = arith.divsi %high, %two : tensor<4x$T>
  %mixed = arith.xori %x, %five : tensor<4x$T>
  %negative = arith.cmpi slt, %x, %zero : tensor<4x$T>
  %s = dist.wait %f : !dist.future<tensor<4x$T>>
  %product = arith.muli %s, %three : tensor<4x$T>
  %r = arith.subi %product, %seven : tensor<4x$T>
  return %r, %half, %mixed, %negative
      : tensor<4x$T>, tensor<4x$T>, tensor<4x$T>, tensor<4xi1>
}

// -----
// Casts between types around a reduction.
// ARG: f32([1.5, -2.5])
// ARG: i32([3, -4])
// RESULT: bf16([3, -5])
// RESULT: f64([3, -5])
// RESULT: i8([6, -8])
// RESULT: f16([3, -4])
// RESULT: i64([1, -2])
// RESULT: i1([True, False])
func.func @casts(%x: tensor<2xf32>, %i: tensor<2xi32>)
    -> (tensor<2xbf16>, tensor<2xf64>, tensor<2xi8>, tensor<2xf16>,
        tensor<2xi64>, tensor<2xi1>) {
  %zero = arith.constant dense<0> : tensor<2xi32>
  %b = arith.truncf %x : tensor<2xf32> to tensor<2xbf16>
  %d = arith.extf %x : tensor<2xf32> to tensor<2xf64>
  %n = arith.trunci %i : tensor<2xi32> to tensor<2xi8>
  %fb = dist.all_reduce sum %b on <[[0, 1]]>
      : (tensor<2xbf16>) -> !dist.future<tensor<2xbf16>>
  %fd = dist.all_reduce sum %d on <[[0, 1]]>
      : (tensor<2xf64>) -> !dist.future<tensor<2xf64>>
  %fn = dist.all_reduce sum %n on <[[0, 1]]>
      : (tensor<2xi8>) -> !dist.future<tensor<2xi8>>
  %p = arith.cmpi sgt, %i, %zero : tensor<2xi32>
  %fp = dist.all_reduce band %p on <[[0, 1]]>
      : (tensor<2xi1>) -> !dist.future<tensor<2xi1>>
  %h = arith.sitofp %i : tensor<2xi32> to tensor<2xf16>
  %w = arith.fptosi %x : tensor<2xf32> to tensor<2xi64>
  %rb = dist.wait %fb : !dist.future<tensor<2xbf16>>
  %rd = dist.wait %fd : !dist.future<tensor<2xf64>>
  %rn = dist.wait %fn : !dist.future<tensor<2xi8>>
  %rp = dist.wait %fp : !dist.future<tensor<2xi1>>
  return %rb, %rd, %rn, %h, %w, %rp
      : tensor<2xbf16>, tensor<2xf64>, tensor<2xi8>, tensor<2xf16>,
        tensor<2xi64>, tensor<2xi1>
}

// -----
// FOR T: f16 bf16 f32 f64
// LET: a = np.arange(6).reshape(2, 3) + 1
// LET: b = np.arange(6).reshape(3, 2) - 2
// ARG: $T(a)
// ARG: $T(b * (1 - 2 * rank) + rank)
// RESULT: $T(np.matmul(a, b * (1 - 2 * rank) + rank))
// RESULT: $T(np.matmul(a, np.ones((3, 2))))
func.func @matmul(%a: tensor<2x3x$T>, %b: tensor<3x2x$T>)
    -> (tensor<2x2x$T>, tensor<2x2x$T>) {
  %zero = arith.constant 0.0 : $T
  %empty = tensor.empty() : tensor<2x2x$T>
  %init = linalg.fill ins(%zero : $T) outs(%empty : tensor<2x2x$T>)
      -> tensor<2x2x$T>
  %c = linalg.matmul ins(%a, %b : tensor<2x3x$T>, tensor<3x2x$T>)
      outs(%init : tensor<2x2x$T>) -> tensor<2x2x$T>
  %f = dist.all_reduce sum %c on <[[0, 1]]>
      : (tensor<2x2x$T>) -> !dist.future<tensor<2x2x$T>>
  %s = dist.wait %f : !dist.future<tensor<2x2x$T>>
  return %c, %s : tensor<2x2x$T>, tensor<2x2x$T>
}

// -----
// FOR T: i8 i32 i64
// LET: a = np.arange(6).reshape(2, 3) + 1
// LET: b = np.arange(6).reshape(3, 2) - 2
// ARG: $T(a)
// ARG: $T(b + rank)
// RESULT: $T(np.matmul(a, 2 * b + 1))
func.func @integer_matmul(%a: tensor<2x3x$T>, %b: tensor<3x2x$T>)
    -> tensor<2x2x$T> {
  %zero = arith.constant 0 : $T
  %empty = tensor.empty() : tensor<2x2x$T>
  %init = linalg.fill ins(%zero : $T) outs(%empty : tensor<2x2x$T>)
      -> tensor<2x2x$T>
  %c = linalg.matmul ins(%a, %b : tensor<2x3x$T>, tensor<3x2x$T>)
      outs(%init : tensor<2x2x$T>) -> tensor<2x2x$T>
  %f = dist.all_reduce sum %c on <[[0, 1]]>
      : (tensor<2x2x$T>) -> !dist.future<tensor<2x2x$T>>
  %s = dist.wait %f : !dist.future<tensor<2x2x$T>>
  return %s : tensor<2x2x$T>
}

// -----
// Transcendental functions and a softmax over a gathered row.
// FOR T: f32 f64
// ARG: $T([0.0, 0.0])
// RESULT: $T([0.25, 0.25, 0.25, 0.25])
// RESULT: $T([1, 1])
// RESULT: $T([0, 0])
func.func @softmax(%x: tensor<2x$T>)
    -> (tensor<4x$T>, tensor<2x$T>, tensor<2x$T>) {
  %zero = arith.constant 0.0 : $T
  %f = dist.all_gather %x dim 0 on <[[0, 1]]>
      : (tensor<2x$T>) -> !dist.future<tensor<4x$T>>
  %cos = math.cos %x : tensor<2x$T>
  %tanh = math.tanh %x : tensor<2x$T>
  %row = dist.wait %f : !dist.future<tensor<4x$T>>
  %e = math.exp %row : tensor<4x$T>
  %scalar = tensor.empty() : tensor<$T>
  %init = linalg.fill ins(%zero : $T) outs(%scalar : tensor<$T>) -> tensor<$T>
  %total = linalg.reduce { arith.addf } ins(%e : tensor<4x$T>)
      outs(%init : tensor<$T>) dimensions = [0]
  %wide = tensor.empty() : tensor<4x$T>
  %totals = linalg.broadcast ins(%total : tensor<$T>)
      outs(%wide : tensor<4x$T>) dimensions = [0]
  %r = arith.divf %e, %totals : tensor<4x$T>
  return %r, %cos, %tanh : tensor<4x$T>, tensor<2x$T>, tensor<2x$T>
}

// -----
// Functions that exist for f32 and f64 only serve the small floats too.
// FOR T: f16 bf16
// ARG: $T([0.0, 0.0])
// RESULT: $T([2, 2])
// RESULT: $T([0, 0])
// RESULT: $T([3, 3])
func.func @functions_of_small_floats(%x: tensor<2x$T>)
    -> (tensor<2x$T>, tensor<2x$T>, tensor<2x$T>) {
  %nine = arith.constant dense<9.0> : tensor<2x$T>
  %e = math.exp %x : tensor<2x$T>
  %t = math.tanh %x : tensor<2x$T>
  %s = math.sqrt %nine : tensor<2x$T>
  %f = dist.all_reduce sum %e on <[[0, 1]]>
      : (tensor<2x$T>) -> !dist.future<tensor<2x$T>>
  %r = dist.wait %f : !dist.future<tensor<2x$T>>
  return %r, %t, %s : tensor<2x$T>, tensor<2x$T>, tensor<2x$T>
}

// -----
// Indices travel as i64.
// ARG: index([3 * rank, 1])
// RESULT: index([3, 2])
func.func @indices(%x: tensor<2xindex>) -> tensor<2xindex> {
  %i = arith.index_cast %x : tensor<2xindex> to tensor<2xi64>
  %f = dist.all_reduce sum %i on <[[0, 1]]>
      : (tensor<2xi64>) -> !dist.future<tensor<2xi64>>
  %s = dist.wait %f : !dist.future<tensor<2xi64>>
  %r = arith.index_cast %s : tensor<2xi64> to tensor<2xindex>
  return %r : tensor<2xindex>
}
