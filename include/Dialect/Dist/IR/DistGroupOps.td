//===- DistGroupOps.td - Operations on groups --------------*- tablegen -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_GROUP_OPS_TD
#define DIST_GROUP_OPS_TD

include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "Dialect/Dist/IR/DistAttributes.td"

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

#endif // DIST_GROUP_OPS_TD
