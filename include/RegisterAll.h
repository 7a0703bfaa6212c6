//===- RegisterAll.h --------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The one place that registers anything of dist.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_REGISTERALL_H
#define DIST_REGISTERALL_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::dist {

/// The dist dialect and its extensions of other dialects' interfaces.
void registerDistDialects(DialectRegistry &registry);

/// All upstream dialects and extensions together with those of dist.
void registerAllDialects(DialectRegistry &registry);

/// The passes and pipelines of dist.
void registerDistPasses();

/// All upstream passes and those of dist.
void registerAllPasses();

} // namespace mlir::dist

#endif // DIST_REGISTERALL_H
