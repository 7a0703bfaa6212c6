//===- DistFutureOps.td - Operations on futures ------------*- tablegen -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_FUTURE_OPS_TD
#define DIST_FUTURE_OPS_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "Dialect/Dist/IR/DistBase.td"
include "Dialect/Dist/IR/DistTypes.td"

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

#endif // DIST_FUTURE_OPS_TD
