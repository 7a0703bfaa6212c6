//===- LaunchEffects.h ------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_CONVERSION_DISTTOGPU_LAUNCHEFFECTS_H
#define DIST_CONVERSION_DISTTOGPU_LAUNCHEFFECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::dist {

/// Says of `gpu.launch_func` what memory it touches, which deallocation and the
/// checkers of dist ask: it may read and write what its arguments show.
void registerLaunchEffects(DialectRegistry &registry);

} // namespace mlir::dist

#endif // DIST_CONVERSION_DISTTOGPU_LAUNCHEFFECTS_H
