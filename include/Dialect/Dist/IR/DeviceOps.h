//===- DeviceOps.h - Operations of programs for devices ---------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Apart from the other operations: they bring the gpu dialect with them.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_IR_DEVICEOPS_H
#define DIST_DIALECT_DIST_IR_DEVICEOPS_H

#include "Dialect/Dist/IR/Dist.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::dist {

/// Unit attribute of a function: the buffers that it takes are host memory.
inline constexpr llvm::StringLiteral kHostMemoryAttrName = "dist.host_memory";
/// Unit attribute of an external function: it works on device memory, in the
/// order of the compute stream.
inline constexpr llvm::StringLiteral kStreamOrderedAttrName =
    "dist.stream_ordered";

} // namespace mlir::dist

#define GET_OP_CLASSES
#include "Dialect/Dist/IR/DistDeviceOps.h.inc"

#endif // DIST_DIALECT_DIST_IR_DEVICEOPS_H
