//===- DistInterfaces.td - What collectives share ----------*- tablegen -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_INTERFACES_TD
#define DIST_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Dist_CollectiveOpInterface : OpInterface<"CollectiveOpInterface"> {
  let cppNamespace = "::mlir::dist";
  let description = [{
    What all collectives share, starts (`dist.all_gather`) and synchronous
    in-place forms (`dist.all_gather_into`) alike.
  }];
  let methods = [
    InterfaceMethod<"Which collective.", "CollectiveKind", "getCollectiveKind">,
    InterfaceMethod<"Who takes part.", "GroupAttr", "getGroup">,
    InterfaceMethod<"What each member contributes: tensors or memrefs.",
                    "::mlir::OperandRange", "getSources">,
    InterfaceMethod<"Where the results go, one per source; empty when each "
                    "future owns a fresh destination.",
                    "::mlir::OperandRange", "getDestinations">,
    InterfaceMethod<"The sources, to be changed.",
                    "::mlir::MutableOperandRange", "getSourcesMutable">,
    InterfaceMethod<"The destinations, to be changed.",
                    "::mlir::MutableOperandRange", "getDestinationsMutable">,
    InterfaceMethod<"Gather, scatter or split dimension.",
                    "std::optional<int64_t>", "getCollectiveDim",
                    (ins), [{}], [{ return std::nullopt; }]>,
    InterfaceMethod<"Where the pieces of an all_to_all are put together; "
                    "getCollectiveDim() is where they are cut.",
                    "std::optional<int64_t>", "getCollectiveConcatDim",
                    (ins), [{}], [{ return std::nullopt; }]>,
    InterfaceMethod<"Positions in the group, each source before its target.",
                    "::llvm::ArrayRef<int64_t>", "getCollectivePairs",
                    (ins), [{}], [{ return {}; }]>,
    InterfaceMethod<"How members are combined.",
                    "std::optional<Reduction>", "getCollectiveReduction",
                    (ins), [{}], [{ return std::nullopt; }]>,
    InterfaceMethod<"What premul_sum multiplies the sources with.",
                    "::mlir::OperandRange", "getCollectiveFactors",
                    (ins), [{}],
                    [{ return $_op->getOperands().take_front(0); }]>,
    InterfaceMethod<"Position in the group of the member that sends "
                    "(broadcast) or receives (reduce).",
                    "std::optional<int64_t>", "getCollectiveRoot",
                    (ins), [{}], [{ return std::nullopt; }]>,
    InterfaceMethod<"How the collective holds source `index`.",
                    "SourceMode", "getSourceMode", (ins "unsigned":$index),
                    [{}], [{ return SourceMode::Borrow; }]>
  ];
  let extraSharedClassDeclaration = [{
    /// Whether the results are futures.
    bool isStart() {
      return $_op->getNumResults() != 0 &&
             isa<FutureType>($_op->getResult(0).getType());
    }
    /// The future of source `index` of a start.
    ::mlir::Value getFuture(unsigned index) {
      assert($_op.isStart() && "a synchronous form has no futures");
      return $_op->getResult(index);
    }
    /// Type of the data that source `index` ends up as: a start's payload, or
    /// the destination's type.
    ::mlir::ShapedType getPayloadType(unsigned index) {
      if ($_op.isStart())
        return cast<FutureType>($_op->getResult(index).getType()).getPayload();
      return cast<::mlir::ShapedType>(
          $_op.getDestinations()[index].getType());
    }
  }];
}

#endif // DIST_INTERFACES_TD
