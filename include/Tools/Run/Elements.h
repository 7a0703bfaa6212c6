//===- Elements.h -----------------------------------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element types that arguments and results of a run may have: how they lie in
// memory, in .npy files and in print.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_TOOLS_RUN_ELEMENTS_H
#define DIST_TOOLS_RUN_ELEMENTS_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

namespace mlir::dist::run {

enum class Element {
  I1,
  I8,
  I16,
  I32,
  I64,
  UI8,
  UI16,
  UI32,
  UI64,
  F16,
  BF16,
  F32,
  F64,
  Index
};

/// Signless and signed integers are signed. nullopt for every other type.
std::optional<Element> getElement(Type type);

/// Bytes of one element in memory and in files; i1 takes one.
int64_t getElementSize(Element element);

/// "f32", "ui8", "index".
StringRef getElementName(Element element);

/// How numpy describes the element: "<f4". bf16 has no numpy type and is
/// written as a 2-byte unsigned integer.
StringRef getNpyDescr(Element element);

/// Whether data that numpy describes as `descr` may be read as `element`. bf16
/// also takes 2-byte signed integers and raw bytes (ml_dtypes).
bool isNpyDescrOf(StringRef descr, Element element);

bool isFloat(Element element);

/// Prints the element at `data` so that reading the text gives the same bits.
void printElement(const char *data, Element element, raw_ostream &os);

/// Stores `value` at `data`: integers wrap, i1 takes the lowest bit, floats
/// round to nearest even.
void storeInteger(int64_t value, Element element, char *data);

/// Stores a float at `data`; integers truncate.
void storeDouble(double value, Element element, char *data);

/// Parses `text` as one element, for instance "3", "-0x10", "1.5", "nan",
/// "true". Values that do not fit are errors.
llvm::Error parseElement(StringRef text, Element element, char *data);

} // namespace mlir::dist::run

#endif // DIST_TOOLS_RUN_ELEMENTS_H
