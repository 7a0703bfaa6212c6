//===- DistOps.td - Operations -----------------------------*- tablegen -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_OPS_TD
#define DIST_OPS_TD

include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "Dialect/Dist/IR/DistAttributes.td"
include "Dialect/Dist/IR/DistFutureOps.td"
include "Dialect/Dist/IR/DistGroupOps.td"
include "Dialect/Dist/IR/DistInterfaces.td"
include "Dialect/Dist/IR/DistTypes.td"

// What premul_sum multiplies the sources with, one factor for each.
def Dist_Factors : Variadic<F64>;

//===----------------------------------------------------------------------===//
// Starts
//===----------------------------------------------------------------------===//

// What the starts share. `attributes` are the collective's own.
class Dist_StartOp<string mnemonic, dag attributes, list<Trait> traits = []>
    : Dist_Op<mnemonic, traits # [
        AttrSizedOperandSegments,
        Dist_CollectiveOpInterface,
        DeclareOpInterfaceMethods<SymbolUserOpInterface>,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  dag startArguments = (ins
    Variadic<Dist_Shaped>:$sources,
    Variadic<AnyMemRef>:$destinations,
    Variadic<I1>:$owned,
    Dist_GroupAttr:$group,
    OptionalAttr<Dist_SourceModeArrayAttr>:$source_modes);
  let arguments = !con(startArguments, attributes);
  let results = (outs Variadic<Dist_Future>:$futures);
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  code startDeclaration = [{
    /// How the start holds source `index`.
    SourceMode getSourceMode(unsigned index) {
      if (auto modes = getSourceModesAttr())
        return cast<SourceModeAttr>(modes[index]).getValue();
      return SourceMode::Borrow;
    }
  }];
}

def Dist_AllGatherOp : Dist_StartOp<"all_gather", (ins I64Attr:$dim)> {
  let summary = "Starts to concatenate the members' tensors along a dimension";
  let description = [{
    ```
    rank 0: [a b]                     rank 0: [a b c d]
    rank 1: [c d]     -- dim 0 -->    rank 1: [a b c d]
    ```

    The result has the source's shape with `dim` times the group size; members
    contribute in group order. Several sources are one launch with one future
    each. A memref source with `into` writes the memref that it names.

    ```mlir
    func.func @f(%x: tensor<4x2xf32>) -> tensor<8x2xf32> {
      %f = dist.all_gather %x dim 0 on <[[0, 1]]>
          : (tensor<4x2xf32>) -> !dist.future<tensor<8x2xf32>>
      %y = dist.wait %f : !dist.future<tensor<8x2xf32>>
      return %y : tensor<8x2xf32>
    }
    ```
  }];
  let builders = [
    // Futures of fresh tensors. A gathered or scattered size is static where
    // the group's size is known at the insertion point.
    OpBuilder<(ins "ValueRange":$sources, "int64_t":$dim, "GroupAttr":$group)>,
    // Futures of the memrefs `destinations`.
    OpBuilder<(ins "ValueRange":$sources, "ValueRange":$destinations,
                   "int64_t":$dim, "GroupAttr":$group)>
  ];
  let assemblyFormat = [{
    $sources (`into` $destinations^)? (`owned` `(` $owned^ `)`)? `dim` $dim
    `on` $group attr-dict `:` `(` type($sources) `)`
    (`into` ` ` `(` type($destinations)^ `)`)? `->` type($futures)
  }];
  let extraClassDeclaration = startDeclaration # [{
    CollectiveKind getCollectiveKind() { return CollectiveKind::AllGather; }
    std::optional<int64_t> getCollectiveDim() { return getDim(); }
  }];
}

def Dist_AllReduceOp : Dist_StartOp<"all_reduce",
    (ins Dist_ReductionAttr:$reduction, Dist_Factors:$factors),
    [DeclareOpInterfaceMethods<InferTypeOpInterface,
                               ["inferReturnTypes"]>]> {
  let summary = "Starts to combine the members' tensors elementwise";
  let description = [{
    ```
    rank 0: [1 2]                     rank 0: [4 6]
    rank 1: [3 4]      -- sum -->     rank 1: [4 6]
    ```

    ```mlir
    func.func @f(%a: tensor<2xi32>, %b: tensor<3xi32>)
        -> (tensor<2xi32>, tensor<3xi32>) {
      %f:2 = dist.all_reduce sum %a, %b on <[[0, 1]]>
          : (tensor<2xi32>, tensor<3xi32>)
          -> !dist.future<tensor<2xi32>>, !dist.future<tensor<3xi32>>
      %x = dist.wait %f#0 : !dist.future<tensor<2xi32>>
      %y = dist.wait %f#1 : !dist.future<tensor<3xi32>>
      return %x, %y : tensor<2xi32>, tensor<3xi32>
    }
    ```
  }];
  let builders = [
    // Futures of fresh tensors. A gathered or scattered size is static where
    // the group's size is known at the insertion point.
    OpBuilder<(ins "ValueRange":$sources, "Reduction":$reduction,
                   "GroupAttr":$group, CArg<"ValueRange", "{}">:$factors)>,
    // Futures of the memrefs `destinations`.
    OpBuilder<(ins "ValueRange":$sources, "ValueRange":$destinations,
                   "Reduction":$reduction, "GroupAttr":$group, CArg<"ValueRange", "{}">:$factors)>
  ];
  let assemblyFormat = [{
    custom<Reduction>($reduction) $sources (`into` $destinations^)?
    (`owned` `(` $owned^ `)`)? (`factors` `(` $factors^ `)`)?
    `on` $group attr-dict `:` `(` type($sources) `)`
    (`into` ` ` `(` type($destinations)^ `)`)? `->` type($futures)
  }];
  let extraClassDeclaration = startDeclaration # [{
    /// The verifier compares shapes and says what differs.
    static bool isCompatibleReturnTypes(TypeRange, TypeRange) { return true; }
    CollectiveKind getCollectiveKind() { return CollectiveKind::AllReduce; }
    std::optional<Reduction> getCollectiveReduction() {
      return getReduction();
    }
    OperandRange getCollectiveFactors() { return getFactors(); }
  }];
}

def Dist_ReduceScatterOp : Dist_StartOp<"reduce_scatter",
    (ins Dist_ReductionAttr:$reduction, I64Attr:$dim, Dist_Factors:$factors)> {
  let summary = "Starts to combine the members' tensors and to split the result";
  let description = [{
    ```
    rank 0: [1 2 3 4]                      rank 0: [ 6  8]
    rank 1: [5 6 7 8]   -- sum, dim 0 -->  rank 1: [10 12]
    ```

    The size of `dim` must divide by the group size; member i receives piece i.

    ```mlir
    func.func @f(%x: tensor<8xf32>) -> tensor<4xf32> {
      %f = dist.reduce_scatter avg %x dim 0 on <[[0, 1]]>
          : (tensor<8xf32>) -> !dist.future<tensor<4xf32>>
      %y = dist.wait %f : !dist.future<tensor<4xf32>>
      return %y : tensor<4xf32>
    }
    ```
  }];
  let builders = [
    // Futures of fresh tensors. A gathered or scattered size is static where
    // the group's size is known at the insertion point.
    OpBuilder<(ins "ValueRange":$sources, "Reduction":$reduction,
                   "int64_t":$dim, "GroupAttr":$group, CArg<"ValueRange", "{}">:$factors)>,
    // Futures of the memrefs `destinations`.
    OpBuilder<(ins "ValueRange":$sources, "ValueRange":$destinations,
                   "Reduction":$reduction, "int64_t":$dim,
                   "GroupAttr":$group, CArg<"ValueRange", "{}">:$factors)>
  ];
  let assemblyFormat = [{
    custom<Reduction>($reduction) $sources (`into` $destinations^)?
    (`owned` `(` $owned^ `)`)? (`factors` `(` $factors^ `)`)?
    `dim` $dim `on` $group attr-dict `:` `(` type($sources) `)`
    (`into` ` ` `(` type($destinations)^ `)`)? `->` type($futures)
  }];
  let extraClassDeclaration = startDeclaration # [{
    CollectiveKind getCollectiveKind() { return CollectiveKind::ReduceScatter; }
    std::optional<int64_t> getCollectiveDim() { return getDim(); }
    std::optional<Reduction> getCollectiveReduction() {
      return getReduction();
    }
    OperandRange getCollectiveFactors() { return getFactors(); }
  }];
}

def Dist_BroadcastOp : Dist_StartOp<"broadcast", (ins I64Attr:$root),
    [DeclareOpInterfaceMethods<InferTypeOpInterface,
                               ["inferReturnTypes"]>]> {
  let summary = "Starts to copy one member's tensor to all members";
  let description = [{
    `root` is a position in the group, not a rank.

    ```
    rank 0: [1 2]                        rank 0: [3 4]
    rank 1: [3 4]      -- root 1 -->     rank 1: [3 4]
    ```

    ```mlir
    func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
      %f = dist.broadcast %x root 1 on <[[0, 1]]>
          : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
      %y = dist.wait %f : !dist.future<tensor<2xf32>>
      return %y : tensor<2xf32>
    }
    ```
  }];
  let builders = [
    // Futures of fresh tensors. A gathered or scattered size is static where
    // the group's size is known at the insertion point.
    OpBuilder<(ins "ValueRange":$sources, "int64_t":$root,
                   "GroupAttr":$group)>,
    // Futures of the memrefs `destinations`.
    OpBuilder<(ins "ValueRange":$sources, "ValueRange":$destinations,
                   "int64_t":$root, "GroupAttr":$group)>
  ];
  let assemblyFormat = [{
    $sources (`into` $destinations^)? (`owned` `(` $owned^ `)`)? `root` $root
    `on` $group attr-dict `:` `(` type($sources) `)`
    (`into` ` ` `(` type($destinations)^ `)`)? `->` type($futures)
  }];
  let extraClassDeclaration = startDeclaration # [{
    /// The verifier compares shapes and says what differs.
    static bool isCompatibleReturnTypes(TypeRange, TypeRange) { return true; }
    CollectiveKind getCollectiveKind() { return CollectiveKind::Broadcast; }
    std::optional<int64_t> getCollectiveRoot() { return getRoot(); }
  }];
}

def Dist_AllToAllOp : Dist_StartOp<"all_to_all",
    (ins I64Attr:$split_dim, I64Attr:$concat_dim)> {
  let summary = "Starts to exchange pieces of the members' tensors";
  let description = [{
    Every member splits its tensor along `split_dim` into one piece per member
    and sends piece i to member i; what arrives is concatenated along
    `concat_dim` in group order.

    ```
    rank 0: [a b c d]                                     rank 0: [a b e f]
    rank 1: [e f g h]   -- split_dim 0, concat_dim 0 -->  rank 1: [c d g h]
    ```

    The result has the source's shape with `split_dim` divided by the group size,
    which must divide it, and `concat_dim` times the group size.

    ```mlir
    func.func @f(%x: tensor<2x4xf32>) -> tensor<4x2xf32> {
      %f = dist.all_to_all %x split_dim 1 concat_dim 0 on <[[0, 1]]>
          : (tensor<2x4xf32>) -> !dist.future<tensor<4x2xf32>>
      %y = dist.wait %f : !dist.future<tensor<4x2xf32>>
      return %y : tensor<4x2xf32>
    }
    ```
  }];
  let builders = [
    // Futures of fresh tensors. Sizes that change are static where the group's
    // size is known at the insertion point.
    OpBuilder<(ins "ValueRange":$sources, "int64_t":$split_dim,
                   "int64_t":$concat_dim, "GroupAttr":$group)>,
    // Futures of the memrefs `destinations`.
    OpBuilder<(ins "ValueRange":$sources, "ValueRange":$destinations,
                   "int64_t":$split_dim, "int64_t":$concat_dim,
                   "GroupAttr":$group)>
  ];
  let assemblyFormat = [{
    $sources (`into` $destinations^)? (`owned` `(` $owned^ `)`)?
    `split_dim` $split_dim `concat_dim` $concat_dim
    `on` $group attr-dict `:` `(` type($sources) `)`
    (`into` ` ` `(` type($destinations)^ `)`)? `->` type($futures)
  }];
  let extraClassDeclaration = startDeclaration # [{
    CollectiveKind getCollectiveKind() { return CollectiveKind::AllToAll; }
    std::optional<int64_t> getCollectiveDim() { return getSplitDim(); }
    std::optional<int64_t> getCollectiveConcatDim() { return getConcatDim(); }
  }];
}

def Dist_PermuteOp : Dist_StartOp<"permute", (ins DenseI64ArrayAttr:$pairs),
    [DeclareOpInterfaceMethods<InferTypeOpInterface,
                               ["inferReturnTypes"]>]> {
  let summary = "Starts to move tensors from member to member";
  let description = [{
    `pairs` are positions in the group, each source before its target. No
    position is a source twice or a target twice. A member that is nobody's
    target receives zeros.

    ```
    rank 0: [1 2]                                 rank 0: [0 0]
    rank 1: [3 4]   -- pairs [[0, 1], [1, 2]] --> rank 1: [1 2]
    rank 2: [5 6]                                 rank 2: [3 4]
    ```

    ```mlir
    func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
      %f = dist.permute %x pairs [[0, 1], [1, 0]] on <[[0, 1]]>
          : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
      %y = dist.wait %f : !dist.future<tensor<2xf32>>
      return %y : tensor<2xf32>
    }
    ```
  }];
  let builders = [
    // Futures of fresh tensors.
    OpBuilder<(ins "ValueRange":$sources, "ArrayRef<int64_t>":$pairs,
                   "GroupAttr":$group)>,
    // Futures of the memrefs `destinations`.
    OpBuilder<(ins "ValueRange":$sources, "ValueRange":$destinations,
                   "ArrayRef<int64_t>":$pairs, "GroupAttr":$group)>
  ];
  let assemblyFormat = [{
    $sources (`into` $destinations^)? (`owned` `(` $owned^ `)`)?
    `pairs` custom<Pairs>($pairs) `on` $group attr-dict `:`
    `(` type($sources) `)`
    (`into` ` ` `(` type($destinations)^ `)`)? `->` type($futures)
  }];
  let extraClassDeclaration = startDeclaration # [{
    /// The verifier compares shapes and says what differs.
    static bool isCompatibleReturnTypes(TypeRange, TypeRange) { return true; }
    CollectiveKind getCollectiveKind() { return CollectiveKind::Permute; }
    ArrayRef<int64_t> getCollectivePairs() { return getPairs(); }
  }];
}

def Dist_ReduceOp : Dist_StartOp<"reduce",
    (ins Dist_ReductionAttr:$reduction, I64Attr:$root, Dist_Factors:$factors),
    [DeclareOpInterfaceMethods<InferTypeOpInterface,
                               ["inferReturnTypes"]>]> {
  let summary = "Starts to combine the members' tensors on one of them";
  let description = [{
    `root` is a position in the group, not a rank. All other members receive
    zeros.

    ```
    rank 0: [1 2]                             rank 0: [0 0]
    rank 1: [3 4]      -- sum, root 1 -->     rank 1: [4 6]
    ```

    ```mlir
    func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
      %f = dist.reduce sum %x root 1 on <[[0, 1]]>
          : (tensor<2xf32>) -> !dist.future<tensor<2xf32>>
      %y = dist.wait %f : !dist.future<tensor<2xf32>>
      return %y : tensor<2xf32>
    }
    ```
  }];
  let builders = [
    // Futures of fresh tensors.
    OpBuilder<(ins "ValueRange":$sources, "Reduction":$reduction,
                   "int64_t":$root, "GroupAttr":$group, CArg<"ValueRange", "{}">:$factors)>,
    // Futures of the memrefs `destinations`.
    OpBuilder<(ins "ValueRange":$sources, "ValueRange":$destinations,
                   "Reduction":$reduction, "int64_t":$root,
                   "GroupAttr":$group, CArg<"ValueRange", "{}">:$factors)>
  ];
  let assemblyFormat = [{
    custom<Reduction>($reduction) $sources (`into` $destinations^)?
    (`owned` `(` $owned^ `)`)? (`factors` `(` $factors^ `)`)?
    `root` $root `on` $group attr-dict `:` `(` type($sources) `)`
    (`into` ` ` `(` type($destinations)^ `)`)? `->` type($futures)
  }];
  let extraClassDeclaration = startDeclaration # [{
    /// The verifier compares shapes and says what differs.
    static bool isCompatibleReturnTypes(TypeRange, TypeRange) { return true; }
    CollectiveKind getCollectiveKind() { return CollectiveKind::Reduce; }
    std::optional<int64_t> getCollectiveRoot() { return getRoot(); }
    std::optional<Reduction> getCollectiveReduction() {
      return getReduction();
    }
    OperandRange getCollectiveFactors() { return getFactors(); }
  }];
}

//===----------------------------------------------------------------------===//
// Synchronous in-place forms
//===----------------------------------------------------------------------===//

class Dist_IntoOp<string mnemonic, dag attributes, list<Trait> traits = []>
    : Dist_Op<mnemonic, traits # [
        AttrSizedOperandSegments, DestinationStyleOpInterface,
        Dist_CollectiveOpInterface,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                                  ["reifyResultShapes", "reifyDimOfResult"]>,
        DeclareOpInterfaceMethods<SymbolUserOpInterface>,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let arguments = !con((ins
    Variadic<Dist_Shaped>:$sources,
    Variadic<Dist_Shaped>:$destinations,
    Dist_GroupAttr:$group), attributes);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasVerifier = 1;
}

def Dist_AllGatherIntoOp : Dist_IntoOp<"all_gather_into", (ins I64Attr:$dim)> {
  let summary = "Concatenates the members' tensors into a destination";
  let description = [{
    The synchronous form of `dist.all_gather`. Tensors: destination-passing
    style, the result is the destination after the collective. Memrefs: the
    destination is written and there is no result.

    ```mlir
    func.func @tensors(%x: tensor<4xf32>, %out: tensor<8xf32>)
        -> tensor<8xf32> {
      %r = dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
          : (tensor<4xf32>) into (tensor<8xf32>) -> tensor<8xf32>
      return %r : tensor<8xf32>
    }
    func.func @memrefs(%x: memref<4xf32>, %out: memref<8xf32>) {
      dist.all_gather_into %x into %out dim 0 on <[[0, 1]]>
          : (memref<4xf32>) into (memref<8xf32>)
      return
    }
    ```
  }];
  let builders = [
    OpBuilder<(ins "ValueRange":$sources, "ValueRange":$destinations,
                   "int64_t":$dim, "GroupAttr":$group)>
  ];
  let assemblyFormat = [{
    $sources `into` $destinations `dim` $dim `on` $group attr-dict `:`
    `(` type($sources) `)` `into` ` ` `(`
    type($destinations) `)` (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable() {
      return getDestinationsMutable();
    }
    CollectiveKind getCollectiveKind() { return CollectiveKind::AllGather; }
    std::optional<int64_t> getCollectiveDim() { return getDim(); }
  }];
}

def Dist_AllReduceIntoOp : Dist_IntoOp<"all_reduce_into",
    (ins Dist_ReductionAttr:$reduction, Dist_Factors:$factors)> {
  let summary = "Combines the members' tensors into a destination";
  let description = [{
    The synchronous form of `dist.all_reduce`. Source and destination may be the
    same value.

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %r = dist.all_reduce_into sum %x into %x on <[[0, 1]]>
          : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }
    ```
  }];
  let builders = [
    OpBuilder<(ins "ValueRange":$sources, "ValueRange":$destinations,
                   "Reduction":$reduction, "GroupAttr":$group, CArg<"ValueRange", "{}">:$factors)>
  ];
  let assemblyFormat = [{
    custom<Reduction>($reduction) $sources `into` $destinations
    (`factors` `(` $factors^ `)`)? `on` $group attr-dict `:`
    `(` type($sources) `)` `into` ` ` `(`
    type($destinations) `)` (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable() {
      return getDestinationsMutable();
    }
    CollectiveKind getCollectiveKind() { return CollectiveKind::AllReduce; }
    std::optional<Reduction> getCollectiveReduction() {
      return getReduction();
    }
    OperandRange getCollectiveFactors() { return getFactors(); }
  }];
}

def Dist_ReduceScatterIntoOp : Dist_IntoOp<"reduce_scatter_into",
    (ins Dist_ReductionAttr:$reduction, I64Attr:$dim, Dist_Factors:$factors)> {
  let summary = "Combines the members' tensors and splits into a destination";
  let description = [{
    The synchronous form of `dist.reduce_scatter`.

    ```mlir
    func.func @f(%x: tensor<8xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
      %r = dist.reduce_scatter_into sum %x into %out dim 0 on <[[0, 1]]>
          : (tensor<8xf32>) into (tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }
    ```
  }];
  let builders = [
    OpBuilder<(ins "ValueRange":$sources, "ValueRange":$destinations,
                   "Reduction":$reduction, "int64_t":$dim,
                   "GroupAttr":$group, CArg<"ValueRange", "{}">:$factors)>
  ];
  let assemblyFormat = [{
    custom<Reduction>($reduction) $sources `into` $destinations
    (`factors` `(` $factors^ `)`)? `dim` $dim `on` $group attr-dict `:`
    `(` type($sources) `)` `into` ` ` `(`
    type($destinations) `)` (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable() {
      return getDestinationsMutable();
    }
    CollectiveKind getCollectiveKind() { return CollectiveKind::ReduceScatter; }
    std::optional<int64_t> getCollectiveDim() { return getDim(); }
    std::optional<Reduction> getCollectiveReduction() {
      return getReduction();
    }
    OperandRange getCollectiveFactors() { return getFactors(); }
  }];
}

def Dist_BroadcastIntoOp : Dist_IntoOp<"broadcast_into", (ins I64Attr:$root)> {
  let summary = "Copies one member's tensor into all members' destinations";
  let description = [{
    The synchronous form of `dist.broadcast`. Source and destination may be the
    same value.

    ```mlir
    func.func @f(%x: memref<4xf32>) {
      dist.broadcast_into %x into %x root 0 on <[[0, 1]]>
          : (memref<4xf32>) into (memref<4xf32>)
      return
    }
    ```
  }];
  let builders = [
    OpBuilder<(ins "ValueRange":$sources, "ValueRange":$destinations,
                   "int64_t":$root, "GroupAttr":$group)>
  ];
  let assemblyFormat = [{
    $sources `into` $destinations `root` $root `on` $group attr-dict `:`
    `(` type($sources) `)` `into` ` ` `(`
    type($destinations) `)` (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable() {
      return getDestinationsMutable();
    }
    CollectiveKind getCollectiveKind() { return CollectiveKind::Broadcast; }
    std::optional<int64_t> getCollectiveRoot() { return getRoot(); }
  }];
}

def Dist_AllToAllIntoOp : Dist_IntoOp<"all_to_all_into",
    (ins I64Attr:$split_dim, I64Attr:$concat_dim)> {
  let summary = "Exchanges pieces of the members' tensors into a destination";
  let description = [{
    The synchronous form of `dist.all_to_all`. Source and destination are
    distinct memory.

    ```mlir
    func.func @f(%x: memref<2x4xf32>, %out: memref<4x2xf32>) {
      dist.all_to_all_into %x into %out split_dim 1 concat_dim 0 on <[[0, 1]]>
          : (memref<2x4xf32>) into (memref<4x2xf32>)
      return
    }
    ```
  }];
  let builders = [
    OpBuilder<(ins "ValueRange":$sources, "ValueRange":$destinations,
                   "int64_t":$split_dim, "int64_t":$concat_dim,
                   "GroupAttr":$group)>
  ];
  let assemblyFormat = [{
    $sources `into` $destinations `split_dim` $split_dim
    `concat_dim` $concat_dim `on` $group attr-dict `:`
    `(` type($sources) `)` `into` ` ` `(`
    type($destinations) `)` (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable() {
      return getDestinationsMutable();
    }
    CollectiveKind getCollectiveKind() { return CollectiveKind::AllToAll; }
    std::optional<int64_t> getCollectiveDim() { return getSplitDim(); }
    std::optional<int64_t> getCollectiveConcatDim() { return getConcatDim(); }
  }];
}

def Dist_PermuteIntoOp
    : Dist_IntoOp<"permute_into", (ins DenseI64ArrayAttr:$pairs)> {
  let summary = "Moves tensors from member to member into a destination";
  let description = [{
    The synchronous form of `dist.permute`. Source and destination may be the
    same value.

    ```mlir
    func.func @f(%x: memref<4xf32>) {
      dist.permute_into %x into %x pairs [[0, 1], [1, 0]] on <[[0, 1]]>
          : (memref<4xf32>) into (memref<4xf32>)
      return
    }
    ```
  }];
  let builders = [
    OpBuilder<(ins "ValueRange":$sources, "ValueRange":$destinations,
                   "ArrayRef<int64_t>":$pairs, "GroupAttr":$group)>
  ];
  let assemblyFormat = [{
    $sources `into` $destinations `pairs` custom<Pairs>($pairs) `on` $group
    attr-dict `:` `(` type($sources) `)` `into` ` ` `(`
    type($destinations) `)` (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable() {
      return getDestinationsMutable();
    }
    CollectiveKind getCollectiveKind() { return CollectiveKind::Permute; }
    ArrayRef<int64_t> getCollectivePairs() { return getPairs(); }
  }];
}

def Dist_ReduceIntoOp : Dist_IntoOp<"reduce_into",
    (ins Dist_ReductionAttr:$reduction, I64Attr:$root, Dist_Factors:$factors)> {
  let summary = "Combines the members' tensors into one member's destination";
  let description = [{
    The synchronous form of `dist.reduce`; all members have a destination, which
    is zeroed on all but the root. Source and destination may be the same value.

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %r = dist.reduce_into sum %x into %x root 0 on <[[0, 1]]>
          : (tensor<4xf32>) into (tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }
    ```
  }];
  let builders = [
    OpBuilder<(ins "ValueRange":$sources, "ValueRange":$destinations,
                   "Reduction":$reduction, "int64_t":$root,
                   "GroupAttr":$group, CArg<"ValueRange", "{}">:$factors)>
  ];
  let assemblyFormat = [{
    custom<Reduction>($reduction) $sources `into` $destinations
    (`factors` `(` $factors^ `)`)? `root` $root `on` $group attr-dict `:`
    `(` type($sources) `)` `into` ` ` `(`
    type($destinations) `)` (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    MutableOperandRange getDpsInitsMutable() {
      return getDestinationsMutable();
    }
    CollectiveKind getCollectiveKind() { return CollectiveKind::Reduce; }
    std::optional<int64_t> getCollectiveRoot() { return getRoot(); }
    std::optional<Reduction> getCollectiveReduction() {
      return getReduction();
    }
    OperandRange getCollectiveFactors() { return getFactors(); }
  }];
}

//===----------------------------------------------------------------------===//
// Compute that lives elsewhere
//===----------------------------------------------------------------------===//

def Dist_OpaqueOp : Dist_Op<"opaque", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A named pure computation of known cost";
  let description = [{
    Lets a graph whose kernels live in another framework be scheduled: `flops`
    and `bytes` (moved), optionally `nanoseconds`, which overrides both. `view`:
    the result shows the first operand's data and costs nothing. `instance`
    keeps two equal computations apart. A `callee` makes it executable: the
    lowering calls that function with the same operands and results. Operands
    and results are values: no futures, and no memrefs, whose contents a pure
    operation must not depend on.

    ```mlir
    func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %c = dist.opaque "mm"(%a, %b) {flops = 128 : i64, bytes = 192 : i64}
          : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      return %c : tensor<4x4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands,
                       StrAttr:$name,
                       DefaultValuedAttr<I64Attr, "0">:$flops,
                       DefaultValuedAttr<I64Attr, "0">:$bytes,
                       OptionalAttr<I64Attr>:$nanoseconds,
                       UnitAttr:$view,
                       OptionalAttr<I64Attr>:$instance,
                       OptionalAttr<FlatSymbolRefAttr>:$callee);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $name `(` $operands `)` (`calls` $callee^)? attr-dict `:`
    functional-type($operands, $results)
  }];
  let hasVerifier = 1;
}

#endif // DIST_OPS_TD
