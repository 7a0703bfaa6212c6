//===- Npy.h ----------------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading and writing of NumPy's .npy files. Files are not trusted: every field
// of the header is checked before it is used.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_TOOLS_RUN_NPY_H
#define DIST_TOOLS_RUN_NPY_H

#include "Tools/Run/Array.h"

namespace mlir::dist::run {

/// What the header of a .npy file says.
struct NpyHeader {
  std::string descr;
  bool fortranOrder = false;
  SmallVector<int64_t> shape;
  /// Where the data begins.
  size_t dataOffset = 0;
};

/// Parses the header at the beginning of `bytes`.
llvm::Expected<NpyHeader> parseNpyHeader(StringRef bytes);

/// Reads the file `path` as an array of `element`s. Errors begin with the path
/// and say what was expected and what was found.
llvm::Expected<Array> readNpy(StringRef path, Type element);

/// Writes `array` in C order, format version 1.0.
llvm::Error writeNpy(StringRef path, const Array &array);

} // namespace mlir::dist::run

#endif // DIST_TOOLS_RUN_NPY_H
