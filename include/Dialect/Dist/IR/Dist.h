//===- Dist.h - The dist dialect --------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_IR_DIST_H
#define DIST_DIALECT_DIST_IR_DIST_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <optional>

namespace mlir::dist {

/// The forms of a group, see GroupAttr.
enum class GroupKind { Table, Mesh, ProcessGroup };

/// The collectives, in the order of the runtime's distrtCollectiveKind.
enum class CollectiveKind {
  AllGather,
  AllReduce,
  ReduceScatter,
  Broadcast,
  AllToAll,
  Permute,
  Reduce
};

/// "all_gather" and its siblings.
StringRef stringifyCollectiveKind(CollectiveKind kind);

/// What every start and wait writes: the order of collectives. It stands for
/// all communicators at once, so that stock passes keep the order of them all.
struct CommunicatorResource
    : public SideEffects::Resource::Base<CommunicatorResource> {
  StringRef getName() final { return "<Communicator>"; }
};

} // namespace mlir::dist

#include "Dialect/Dist/IR/DistOpsDialect.h.inc"
#include "Dialect/Dist/IR/DistOpsEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "Dialect/Dist/IR/DistOpsAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "Dialect/Dist/IR/DistOpsTypes.h.inc"

#include "Dialect/Dist/IR/DistInterfaces.h.inc"

#define GET_OP_CLASSES
#include "Dialect/Dist/IR/DistOps.h.inc"

#endif // DIST_DIALECT_DIST_IR_DIST_H
