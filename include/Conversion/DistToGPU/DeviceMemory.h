//===- DeviceMemory.h -------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whose memory a buffer is in a program for a device: allocations and arguments
// are the device's, the stack and constants are the host's.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_CONVERSION_DISTTOGPU_DEVICEMEMORY_H
#define DIST_CONVERSION_DISTTOGPU_DEVICEMEMORY_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace mlir::dist {

/// Whether the buffers that `function` takes are in host memory.
bool isHostFunction(Operation *function);

/// Whether `buffer` is in host memory.
bool isHostMemory(Value buffer);

/// Whether some operand of `op` is a buffer in device memory.
bool takesDeviceMemory(Operation *op);

} // namespace mlir::dist

#endif // DIST_CONVERSION_DISTTOGPU_DEVICEMEMORY_H
