//===- BufferizableOpInterfaceImpl.h ----------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// How One-Shot bufferization and buffer deallocation see the dialect.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_DIALECT_DIST_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
#define DIST_DIALECT_DIST_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::dist {

void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);

} // namespace mlir::dist

#endif // DIST_DIALECT_DIST_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
