//===- DistAttributes.td - Groups, reductions, sources -----*- tablegen -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_ATTRIBUTES_TD
#define DIST_ATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "Dialect/Dist/IR/DistBase.td"

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

def Dist_Reduction : I32EnumAttr<"Reduction", "how members are combined", [
    I32EnumAttrCase<"Sum", 1, "sum">,
    I32EnumAttrCase<"Product", 2, "product">,
    I32EnumAttrCase<"Min", 3, "min">,
    I32EnumAttrCase<"Max", 4, "max">,
    I32EnumAttrCase<"Avg", 5, "avg">,
    I32EnumAttrCase<"Band", 6, "band">,
    I32EnumAttrCase<"Bor", 7, "bor">,
    I32EnumAttrCase<"Bxor", 8, "bxor">,
    I32EnumAttrCase<"PremulSum", 9, "premul_sum">,
    I32EnumAttrCase<"Umin", 10, "umin">,
    I32EnumAttrCase<"Umax", 11, "umax">
  ]> {
  let cppNamespace = "::mlir::dist";
  let genSpecializedAttr = 0;
}
def Dist_ReductionAttr : EnumAttr<Dist_Dialect, Dist_Reduction, "reduction"> {
  let summary = "Reduction of a collective";
  let description = [{
    A left fold over the members in group order. f32 and f64 fold in their own
    type, f16, bf16 and fp8 in f32 with one rounding at the end, integers wrap.
    Signless integers are signed; `umin` and `umax` compare them as unsigned.
    `avg` is the sum divided by the group size; integers truncate toward zero.
    `min` and `max` propagate nan, and -0 < +0. `premul_sum` multiplies each
    member's elements with its factor first. `band`, `bor` and `bxor` need
    integers; i1 takes no other reduction. Complex numbers take sum, product and
    avg.
  }];
  let assemblyFormat = "`<` $value `>`";
}

def Dist_SourceMode : I32EnumAttr<"SourceMode",
    "who keeps the source of a start alive and unchanged", [
    I32EnumAttrCase<"Borrow", 0, "borrow">,
    I32EnumAttrCase<"Copy", 1, "copy">,
    I32EnumAttrCase<"Donate", 2, "donate">
  ]> {
  let cppNamespace = "::mlir::dist";
  let genSpecializedAttr = 0;
}
def Dist_SourceModeAttr : EnumAttr<Dist_Dialect, Dist_SourceMode, "source"> {
  let summary = "How a start holds its source";
  let description = [{
    `borrow`: the waits keep the source. `copy`: the start copies it before it
    returns. `donate`: the buffer moves into the future.
  }];
  let assemblyFormat = "`<` $value `>`";
}
def Dist_SourceModeArrayAttr
  : TypedArrayAttrBase<Dist_SourceModeAttr, "one source mode per operand">;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

class Dist_Attr<string name, string attrMnemonic>
    : AttrDef<Dist_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Dist_MeshAxisAttr : Dist_Attr<"MeshAxis", "axis"> {
  let summary = "Name and size of one axis of a mesh";
  let parameters = (ins "StringAttr":$name, "int64_t":$size);
  let assemblyFormat = "`<` $name `=` $size `>`";
}

def Dist_AxisRefAttr : Dist_Attr<"AxisRef", "axis_ref"> {
  let summary = "Reference to a mesh axis or to a part of one";
  let description = [{
    `"x"` is the whole axis. `"x":(2)4` is the sub-axis of size 4 that is left
    when the axis is split into (2, 4, rest) from major to minor: `preSize` is
    the product of the sizes before it. A whole axis has `size` 0.
  }];
  let parameters = (ins "StringAttr":$name, "int64_t":$preSize,
                        "int64_t":$size);
  let builders = [
    AttrBuilder<(ins "StringRef":$name), [{
      return $_get($_ctxt, StringAttr::get($_ctxt, name), 1, 0);
    }]>
  ];
  let extraClassDeclaration = [{
    bool isSubAxis() const { return getSize() != 0; }
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Dist_GroupAttr : Dist_Attr<"Group", "group"> {
  let summary = "Who takes part in a collective, in order";
  let description = [{
    Three forms:

    - `<@mesh["tp", "dp"]>`: the ranks of a `dist.mesh` that differ in the
      listed axes only, the first axis outermost. `<@mesh[]>` is a group of
      one.
    - `<[[0, 1], [2, 3]]>`: an explicit table of lists of equal size. It may
      cover a part of the world.
    - `<@name>`: a `dist.process_group`, whose members may be bound later.

    `tag = "..."` after either form makes another communicator of the same
    members. Order inside a group has a meaning: member i contributes piece i to
    a gather and receives piece i of a scatter. Two groups are the same
    communicator when their expansions and their tags are equal; see
    `expandGroups`.
  }];
  let parameters = (ins
    "GroupKind":$kind,
    "FlatSymbolRefAttr":$symbol,
    ArrayRefParameter<"AxisRefAttr">:$axes,
    ArrayRefParameter<"int64_t">:$ranks,
    "int64_t":$groupSize,
    "StringAttr":$tag
  );
  let builders = [
    // An explicit table; all lists must have one size.
    AttrBuilder<(ins "ArrayRef<SmallVector<int64_t>>":$table,
                     CArg<"StringRef", "{}">:$tag)>,
    // The ranks of `mesh` along `axes`.
    AttrBuilder<(ins "StringRef":$mesh, "ArrayRef<StringRef>":$axes,
                     CArg<"StringRef", "{}">:$tag)>,
    // The process group `name`.
    AttrBuilder<(ins "StringRef":$name, CArg<"StringRef", "{}">:$tag)>
  ];
  let extraClassDeclaration = [{
    /// The forms under names of their own: `getTable(context, {{0, 1}})`.
    static GroupAttr getTable(::mlir::MLIRContext *context,
                              ::llvm::ArrayRef<SmallVector<int64_t>> table,
                              ::llvm::StringRef tag = {}) {
      return get(context, table, tag);
    }
    static GroupAttr getMesh(::mlir::MLIRContext *context,
                             ::llvm::StringRef mesh,
                             ::llvm::ArrayRef<StringRef> axes,
                             ::llvm::StringRef tag = {}) {
      return get(context, mesh, axes, tag);
    }
    static GroupAttr getProcessGroup(::mlir::MLIRContext *context,
                                     ::llvm::StringRef name,
                                     ::llvm::StringRef tag = {}) {
      return get(context, name, tag);
    }

    bool isMesh() const { return getKind() == GroupKind::Mesh; }
    bool isTable() const { return getKind() == GroupKind::Table; }
    bool isProcessGroup() const { return getKind() == GroupKind::ProcessGroup; }
    /// The tag, empty without one.
    StringRef getTagOrEmpty() const {
      return getTag() ? getTag().getValue() : StringRef();
    }
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // DIST_ATTRIBUTES_TD
