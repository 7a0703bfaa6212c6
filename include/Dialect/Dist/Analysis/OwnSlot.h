//===- OwnSlot.h - A rank's own part of a buffer ----------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gather may read its source out of its own slot of the destination, and a
// scatter write its result into its own slot of the source: the one overlap of
// source and destination that these two allow.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_ANALYSIS_OWNSLOT_H
#define DIST_DIALECT_DIST_ANALYSIS_OWNSLOT_H

#include "Dialect/Dist/IR/Dist.h"

namespace mlir::dist {

/// Whether `slice`, a slice of a tensor or a subview of a memref, surely is the
/// part of `whole` at this rank's position in `group` when `whole` is cut along
/// `dim` into one part per member.
bool isOwnSlot(Value slice, Value whole, GroupAttr group, int64_t dim,
               Operation *from);

/// Whether source and destination may be what they are, in one buffer, in a
/// collective of the kind, the group and the dimension of `collective`: the
/// same memory, or the own slot.
bool mayWorkInPlace(CollectiveOpInterface collective, Value source,
                    Value destination);

} // namespace mlir::dist

#endif // DIST_DIALECT_DIST_ANALYSIS_OWNSLOT_H
