//===- DistBase.td - The dialect ---------------------------*- tablegen -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_BASE_TD
#define DIST_BASE_TD

include "mlir/IR/OpBase.td"

def Dist_Dialect : Dialect {
  let name = "dist";
  let cppNamespace = "::mlir::dist";
  let summary = "Collective communication with futures";
  let description = [{
    Collectives of SPMD programs. A collective *starts* with a tensor and
    returns a `!dist.future`; `dist.wait` turns the future into the tensor. A
    future is not its tensor: nothing can touch data that is still in flight.

    Attributes that the dialect gives a meaning to:

    | attribute       | on                         | meaning |
    |-----------------|----------------------------|---------|
    | `dist.spmd`     | module (unit)              | every rank runs this very module and no collective depends on rank-varying control flow |
    | `dist.uniform`  | function argument (unit)   | the same value on every rank |
    | `dist.writable` | function argument (unit)   | the function may write into the argument's buffer |
    | `dist.no_effects` | function (unit)          | an external function that neither communicates nor touches memory |
    | `dist.keep_groups_of_one` | module (unit)    | canonicalization keeps collectives of groups of one (benchmarks, runs with one rank) |
    | `dist.signature` | function (function type)  | the function's type before bufferization |
    | `dist.tied_results` | function (i64 array)   | per result of `dist.signature`, the argument whose buffer it is, or -1 |

    The effects of the operations are chosen so that stock passes keep the
    sequence of collectives: every start and every wait writes the communicator
    resource and none of them is speculatable, hence nothing removes, merges,
    hoists or sinks them.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let extraClassDeclaration = [{
    /// Unit attribute of a module: one program, uniform collectives.
    static constexpr llvm::StringLiteral kSpmdAttrName = "dist.spmd";
    /// Unit attribute of a function argument: equal on all ranks.
    static constexpr llvm::StringLiteral kUniformAttrName = "dist.uniform";
    /// Unit attribute of a function argument: its buffer may be written.
    static constexpr llvm::StringLiteral kWritableAttrName = "dist.writable";
    /// Unit attribute of a module: no collective is removed for being alone in
    /// its group.
    static constexpr llvm::StringLiteral kKeepGroupsOfOneAttrName =
        "dist.keep_groups_of_one";
    /// Unit attribute of a function: calls to it have no effects.
    static constexpr llvm::StringLiteral kNoEffectsAttrName = "dist.no_effects";
    /// TypeAttr of a public function: its type before bufferization.
    static constexpr llvm::StringLiteral kSignatureAttrName = "dist.signature";
    /// I64 array of a public function: for each result of `dist.signature` the
    /// argument that it is tied to, or -1.
    static constexpr llvm::StringLiteral kTiedAttrName = "dist.tied_results";

    void registerAttributes();
    void registerTypes();
  }];
}

class Dist_Op<string mnemonic, list<Trait> traits = []>
    : Op<Dist_Dialect, mnemonic, traits>;

def Dist_Shaped : AnyTypeOf<[AnyRankedTensor, AnyMemRef],
                            "ranked tensor or memref">;

#endif // DIST_BASE_TD
