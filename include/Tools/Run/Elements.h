//===- Elements.h -----------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements of the arguments and results of a run, named by their types: how
// they lie in memory, in .npy files and in print.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_TOOLS_RUN_ELEMENTS_H
#define DIST_TOOLS_RUN_ELEMENTS_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

namespace mlir::dist::run {

/// Whether arguments and results may have elements of `type`: whatever the
/// collectives move. Every other function here expects such a type.
bool isElementType(Type type);

/// Bytes of one element in memory and in files, and what they are aligned to as
/// a member of a struct.
int64_t getElementSize(Type element);
int64_t getElementAlignment(Type element);

/// "f32", "ui8", "complex<f64>".
std::string getElementName(Type element);

/// How numpy describes the element: "<f4". What numpy has no type for, such as
/// bf16, fp8 and i4, is written as unsigned integers of its size that hold its
/// bits, or, of 16 bytes, as raw bytes.
std::string getNpyDescr(Type element);

/// Whether data that numpy describes as `descr` may be read as `element`. What
/// has no numpy type also comes as signed integers and raw bytes (ml_dtypes).
bool isNpyDescrOf(StringRef descr, Type element);

/// Clears the bits of `data` that are no part of its elements: i4 has four, and
/// compiled code takes the others for zero. Any i1 but zero becomes 1.
void clearPadding(Type element, MutableArrayRef<char> data);

/// Prints the element at `data` so that reading the text gives the same bits.
void printElement(const char *data, Type element, raw_ostream &os);

/// Stores `value` at `data`: integers wrap, i1 takes the lowest bit, floats
/// round to nearest even. A complex number becomes real.
void storeInteger(int64_t value, Type element, char *data);

/// Stores a random value that each of `element`s holds exactly: floats are
/// multiples of 1/8 in [-1, 1), integers lie in [-8, 8).
void storeRandom(uint64_t word, Type element, char *data);

/// Parses `text` as one element, for instance "3", "-0x10", "1.5", "nan",
/// "true", "(1, -2)". Values that do not fit are errors.
llvm::Error parseElement(StringRef text, Type element, char *data);

} // namespace mlir::dist::run

#endif // DIST_TOOLS_RUN_ELEMENTS_H
