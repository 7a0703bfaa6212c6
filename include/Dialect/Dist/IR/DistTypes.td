//===- DistTypes.td - Types --------------------------------*- tablegen -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_TYPES_TD
#define DIST_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "Dialect/Dist/IR/DistBase.td"

def Dist_Future : TypeDef<Dist_Dialect, "Future"> {
  let mnemonic = "future";
  let summary = "future of a tensor or memref";
  let description = [{
    The result of a collective that may still be in flight.
    `!dist.future<T>`, with T a ranked tensor or a memref. Only `dist.wait` and
    control flow use a future: it is an ordinary SSA value that passes through
    scf, cf and func. A future of a tensor owns its destination; in flight there
    is no tensor or memref that stands for it. A future of a memref writes the
    memref that the start named.

    ```mlir
    func.func private @starts(%x: tensor<4xf32>) -> !dist.future<tensor<4xf32>>
    ```
  }];
  let parameters = (ins "ShapedType":$payload);
  let builders = [
    TypeBuilderWithInferredContext<(ins "ShapedType":$payload), [{
      return $_get(payload.getContext(), payload);
    }]>
  ];
  let extraClassDeclaration = [{
    /// Whether the future writes a buffer that the start named.
    bool hasNamedDestination() const { return isa<MemRefType>(getPayload()); }
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // DIST_TYPES_TD
