//===- RuntimeOpVerification.h ----------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_TRANSFORMS_RUNTIMEOPVERIFICATION_H
#define DIST_DIALECT_DIST_TRANSFORMS_RUNTIMEOPVERIFICATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::dist {

/// What `generate-runtime-verification` checks of collectives.
void registerRuntimeVerifiableOpInterfaceExternalModels(
    DialectRegistry &registry);

} // namespace mlir::dist

#endif // DIST_DIALECT_DIST_TRANSFORMS_RUNTIMEOPVERIFICATION_H
