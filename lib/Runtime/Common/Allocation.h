//===- Allocation.h - allocation hooks --------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_COMMON_ALLOCATION_H
#define DIST_LIB_RUNTIME_COMMON_ALLOCATION_H

#include <cstddef>
#include <cstdint>

namespace dist::rt {

/// The hooks of the ABI, for the runtime's own buffers.
void *allocateBuffer(size_t bytes);
void freeBuffer(void *pointer);

/// Counts a buffer of a device among the allocations of the process.
void countAllocation(size_t bytes);
void countFree(size_t bytes);

/// Number of checked worlds that are running. While there is one, freed buffers
/// are poisoned, kept for a while and compared with what is in flight.
void enterCheckedMode();
void leaveCheckedMode();

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_COMMON_ALLOCATION_H
