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
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "Dialect/Dist/IR/DistAttributes.td"
include "Dialect/Dist/IR/DistInterfaces.td"
include "Dialect/Dist/IR/DistTypes.td"

class Dist_Op<string mnemonic, list<Trait> traits = []>
    : Op<Dist_Dialect, mnemonic, traits>;

def Dist_Shaped : AnyTypeOf<[AnyRankedTensor, AnyMemRef],
                            "ranked tensor or memref">;

//===----------------------------------------------------------------------===//
// Who takes part
//===----------------------------------------------------------------------===//

def Dist_MeshOp : Dist_Op<"mesh", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "Names the axes of the world";
  let description = [{
    Axes from major to minor with their sizes; the product is the number of
    ranks. Rank r stands at the row-major multi-index of r, or, with
    `device_ids`, position i of the row-major order is rank `device_ids[i]`.

    ```mlir
    dist.mesh @m ["dp" = 2, "tp" = 4]
    dist.mesh @p ["x" = 2, "y" = 2] device_ids [0, 2, 1, 3]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypedArrayAttrBase<Dist_MeshAxisAttr, "axes">:$axes,
                       OptionalAttr<DenseI64ArrayAttr>:$device_ids);
  let assemblyFormat = [{
    $sym_name custom<MeshAxes>($axes) (`device_ids` $device_ids^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Product of the sizes of the axes.
    int64_t getNumRanks();
    /// Size of the axis `name`, nullopt without one.
    std::optional<int64_t> getAxisSize(StringRef name);
  }];
}

def Dist_ProcessGroupOp
    : Dist_Op<"process_group", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "Declares a process group whose members may come later";
  let description = [{
    A group that is known by name. `ranks` binds it; without it
    `dist-bind-process-groups` or the runtime does. `size` promises how many
    members each list has, so that types can be static before it is bound.

    ```mlir
    dist.process_group @g
    dist.process_group @dp size 2
    dist.process_group @tp ranks [[0, 1], [2, 3]]
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       OptionalAttr<I64Attr>:$size,
                       OptionalAttr<Dist_GroupAttr>:$ranks);
  let assemblyFormat = [{
    $sym_name (`size` $size^)? (`ranks` custom<RankTable>($ranks)^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Dist_RankOp : Dist_Op<"rank", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "Rank of the running process";
  let description = [{
    The rank in the world, or with a group the position in it, -1 outside of it.
    The value differs between ranks and is never folded.

    ```mlir
    dist.mesh @m ["dp" = 2, "tp" = 4]
    func.func @f() -> (index, index) {
      %rank = dist.rank : index
      %tp = dist.rank on <@m["tp"]> : index
      return %rank, %tp : index, index
    }
    ```
  }];
  let arguments = (ins OptionalAttr<Dist_GroupAttr>:$group);
  let results = (outs Index:$result);
  let assemblyFormat = "(`on` $group^)? attr-dict `:` type($result)";
}

def Dist_GroupSizeOp : Dist_Op<"group_size", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "Number of members of a group";
  let description = [{
    The size of the group, or without one of the world.

    ```mlir
    dist.process_group @g
    func.func @f() -> index {
      %n = dist.group_size on <@g> : index
      return %n : index
    }
    ```
  }];
  let arguments = (ins OptionalAttr<Dist_GroupAttr>:$group);
  let results = (outs Index:$result);
  let assemblyFormat = "(`on` $group^)? attr-dict `:` type($result)";
  let hasFolder = 1;
}

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
    (ins Dist_ReductionAttr:$reduction),
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
                   "GroupAttr":$group)>,
    // Futures of the memrefs `destinations`.
    OpBuilder<(ins "ValueRange":$sources, "ValueRange":$destinations,
                   "Reduction":$reduction, "GroupAttr":$group)>
  ];
  let assemblyFormat = [{
    custom<Reduction>($reduction) $sources (`into` $destinations^)?
    (`owned` `(` $owned^ `)`)?
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
  }];
}

def Dist_ReduceScatterOp : Dist_StartOp<"reduce_scatter",
    (ins Dist_ReductionAttr:$reduction, I64Attr:$dim)> {
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
                   "int64_t":$dim, "GroupAttr":$group)>,
    // Futures of the memrefs `destinations`.
    OpBuilder<(ins "ValueRange":$sources, "ValueRange":$destinations,
                   "Reduction":$reduction, "int64_t":$dim,
                   "GroupAttr":$group)>
  ];
  let assemblyFormat = [{
    custom<Reduction>($reduction) $sources (`into` $destinations^)?
    (`owned` `(` $owned^ `)`)?
    `dim` $dim `on` $group attr-dict `:` `(` type($sources) `)`
    (`into` ` ` `(` type($destinations)^ `)`)? `->` type($futures)
  }];
  let extraClassDeclaration = startDeclaration # [{
    CollectiveKind getCollectiveKind() { return CollectiveKind::ReduceScatter; }
    std::optional<int64_t> getCollectiveDim() { return getDim(); }
    std::optional<Reduction> getCollectiveReduction() {
      return getReduction();
    }
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
    (ins Dist_ReductionAttr:$reduction)> {
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
                   "Reduction":$reduction, "GroupAttr":$group)>
  ];
  let assemblyFormat = [{
    custom<Reduction>($reduction) $sources `into` $destinations `on` $group
    attr-dict `:`
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
  }];
}

def Dist_ReduceScatterIntoOp : Dist_IntoOp<"reduce_scatter_into",
    (ins Dist_ReductionAttr:$reduction, I64Attr:$dim)> {
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
                   "GroupAttr":$group)>
  ];
  let assemblyFormat = [{
    custom<Reduction>($reduction) $sources `into` $destinations `dim` $dim
    `on` $group attr-dict
    `:` `(` type($sources) `)` `into` ` ` `(`
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

//===----------------------------------------------------------------------===//
// Futures
//===----------------------------------------------------------------------===//

def Dist_WaitOp : Dist_Op<"wait", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<InferTypeOpInterface, ["inferReturnTypes"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes", "reifyDimOfResult"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Completes collectives and returns their data";
  let description = [{
    One result per future. The result of a tensor future is a fresh tensor, as
    often as one asks for it. The result of a memref future is the memref that
    the start named.

    `keeps` are buffers (or tensors that become buffers) that must stay alive
    and unchanged until here: the sources of the collectives. `into` are the
    destinations of memref futures. They tell effects and bufferization what the
    wait touches; a wait of a memref future without `into` counts as reading and
    writing all memory.

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %f = dist.all_reduce sum %x on <[[0, 1]]>
          : (tensor<4xf32>) -> !dist.future<tensor<4xf32>>
      %y = dist.wait %f keeps(%x : tensor<4xf32>)
          : !dist.future<tensor<4xf32>>
      return %y : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Dist_Future>:$futures,
                       Variadic<Dist_Shaped>:$keeps,
                       Variadic<AnyMemRef>:$destinations);
  let results = (outs Variadic<Dist_Shaped>:$results);
  let assemblyFormat = [{
    $futures (`keeps` `(` $keeps^ `:` type($keeps) `)`)?
    (`into` `(` $destinations^ `:` type($destinations) `)`)? attr-dict `:`
    custom<WaitTypes>(type($futures), type($results))
  }];
  let builders = [
    // Waits for one future; the result is its payload.
    OpBuilder<(ins "Value":$future)>,
    // Waits for several futures and keeps buffers until then.
    OpBuilder<(ins "ValueRange":$futures, "ValueRange":$keeps)>
  ];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// The verifier compares the types and says what differs: a tensor future
    /// is waited as a tensor, after bufferization as a memref.
    static bool isCompatibleReturnTypes(TypeRange, TypeRange) { return true; }
  }];
}

def Dist_DupOp : Dist_Op<"dup", [
    SameOperandsAndResultType,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Another reference to a future";
  let description = [{
    Made by `dist-prepare-bufferization`, which gives every future exactly one
    consumer on every path.

    ```mlir
    func.func @f(%f: !dist.future<tensor<4xf32>>)
        -> !dist.future<tensor<4xf32>> {
      %g = dist.dup %f : !dist.future<tensor<4xf32>>
      dist.drop %f : !dist.future<tensor<4xf32>>
      return %g : !dist.future<tensor<4xf32>>
    }
    ```
  }];
  let arguments = (ins Dist_Future:$future);
  let results = (outs Dist_Future:$result);
  let assemblyFormat = "$future attr-dict `:` custom<FutureType>(type($result))";
}

def Dist_DropOp : Dist_Op<"drop", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Gives up a reference to a future";
  let description = [{
    With the last reference it completes the collective and frees what the
    future owns. Made by `dist-prepare-bufferization`.

    ```mlir
    func.func @f(%f: !dist.future<tensor<4xf32>>) {
      dist.drop %f : !dist.future<tensor<4xf32>>
      return
    }
    ```
  }];
  let arguments = (ins Dist_Future:$future,
                       Variadic<Dist_Shaped>:$keeps);
  let assemblyFormat = [{
    $future (`keeps` `(` $keeps^ `:` type($keeps) `)`)? attr-dict `:`
    custom<FutureType>(type($future))
  }];
}

def Dist_KeepOp : Dist_Op<"keep", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Holds buffers alive and unchanged up to here";
  let description = [{
    Made by `dist-prepare-bufferization` where a future leaves through a call or
    a return; does nothing at run time.

    ```mlir
    func.func @f(%x: tensor<4xf32>) {
      dist.keep %x : tensor<4xf32>
      return
    }
    ```
  }];
  let arguments = (ins Variadic<Dist_Shaped>:$keeps);
  let assemblyFormat = "$keeps attr-dict `:` type($keeps)";
  let hasVerifier = 1;
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
