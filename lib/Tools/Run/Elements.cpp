//===- Elements.cpp -------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools/Run/Elements.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::dist;
using namespace mlir::dist::run;
using llvm::APFloat;
using llvm::APInt;

namespace {
struct ElementInfo {
  Element element;
  const char *name;
  const char *descr;
  int64_t size;
};
} // namespace

static constexpr ElementInfo kElements[] = {
    {Element::I1, "i1", "|b1", 1},     {Element::I8, "i8", "|i1", 1},
    {Element::I16, "i16", "<i2", 2},   {Element::I32, "i32", "<i4", 4},
    {Element::I64, "i64", "<i8", 8},   {Element::UI8, "ui8", "|u1", 1},
    {Element::UI16, "ui16", "<u2", 2}, {Element::UI32, "ui32", "<u4", 4},
    {Element::UI64, "ui64", "<u8", 8}, {Element::F16, "f16", "<f2", 2},
    {Element::BF16, "bf16", "<u2", 2}, {Element::F32, "f32", "<f4", 4},
    {Element::F64, "f64", "<f8", 8},   {Element::Index, "index", "<i8", 8}};

static const ElementInfo &getInfo(Element element) {
  return kElements[static_cast<unsigned>(element)];
}

std::optional<Element> run::getElement(Type type) {
  if (type.isIndex())
    return Element::Index;
  if (type.isF16())
    return Element::F16;
  if (type.isBF16())
    return Element::BF16;
  if (type.isF32())
    return Element::F32;
  if (type.isF64())
    return Element::F64;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return std::nullopt;
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return integer.isSignless() ? std::optional(Element::I1) : std::nullopt;
  case 8:
    return isUnsigned ? Element::UI8 : Element::I8;
  case 16:
    return isUnsigned ? Element::UI16 : Element::I16;
  case 32:
    return isUnsigned ? Element::UI32 : Element::I32;
  case 64:
    return isUnsigned ? Element::UI64 : Element::I64;
  default:
    return std::nullopt;
  }
}

int64_t run::getElementSize(Element element) { return getInfo(element).size; }

StringRef run::getElementName(Element element) { return getInfo(element).name; }

StringRef run::getNpyDescr(Element element) { return getInfo(element).descr; }

bool run::isNpyDescrOf(StringRef descr, Element element) {
  if (descr.empty())
    return false;
  // Byte order means nothing for one-byte elements, and '=' cannot be read on
  // another machine but means little-endian on this one.
  StringRef kind = descr.drop_front();
  char order = descr.front();
  bool oneByte = getElementSize(element) == 1;
  if (order != '<' && order != '=' && !(order == '|' && oneByte) &&
      !(order == '|' && kind == "V2"))
    return false;
  if (element == Element::BF16)
    return kind == "u2" || kind == "i2" || kind == "V2";
  return kind == getNpyDescr(element).drop_front();
}

bool run::isFloat(Element element) {
  return element == Element::F16 || element == Element::BF16 ||
         element == Element::F32 || element == Element::F64;
}

static bool isUnsigned(Element element) {
  return element == Element::UI8 || element == Element::UI16 ||
         element == Element::UI32 || element == Element::UI64 ||
         element == Element::I1;
}

static const llvm::fltSemantics &getSemantics(Element element) {
  switch (element) {
  case Element::F16:
    return APFloat::IEEEhalf();
  case Element::BF16:
    return APFloat::BFloat();
  case Element::F32:
    return APFloat::IEEEsingle();
  default:
    return APFloat::IEEEdouble();
  }
}

static uint64_t loadBits(const char *data, Element element) {
  uint64_t bits = 0;
  std::memcpy(&bits, data, getElementSize(element));
  return bits;
}

static void storeBits(uint64_t bits, Element element, char *data) {
  std::memcpy(data, &bits, getElementSize(element));
}

static unsigned getBitWidth(Element element) {
  return 8 * getElementSize(element);
}

/// The shortest decimal form that reads back as the same float.
static void printFloat(const APFloat &value, raw_ostream &os) {
  if (value.isNaN()) {
    os << "nan";
    return;
  }
  if (value.isInfinity()) {
    os << (value.isNegative() ? "-inf" : "inf");
    return;
  }
  // All four types are exact in double.
  APFloat wide = value;
  bool ignored;
  (void)wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                     &ignored);
  // The shortest text that reads back as the value; as many digits as stand
  // before the point come first, so that 3490 is not 3.49e+03.
  int digits = 3;
  for (double limit = 1e3;
       digits < 9 && std::fabs(wide.convertToDouble()) >= limit; limit *= 10)
    ++digits;
  std::string text;
  for (int precision = digits; precision <= 17; ++precision) {
    text.clear();
    llvm::raw_string_ostream(text)
        << llvm::format("%.*g", precision, wide.convertToDouble());
    APFloat read(value.getSemantics());
    auto status = read.convertFromString(text, APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      continue;
    }
    if (read.bitwiseIsEqual(value))
      break;
  }
  os << text;
}

void run::printElement(const char *data, Element element, raw_ostream &os) {
  uint64_t bits = loadBits(data, element);
  if (element == Element::I1) {
    os << (bits ? "true" : "false");
    return;
  }
  unsigned width = getBitWidth(element);
  if (isFloat(element)) {
    printFloat(APFloat(getSemantics(element), APInt(width, bits)), os);
    return;
  }
  if (isUnsigned(element)) {
    os << bits;
    return;
  }
  os << APInt(width, bits).getSExtValue();
}

void run::storeInteger(int64_t value, Element element, char *data) {
  if (isFloat(element)) {
    APFloat number(getSemantics(element));
    (void)number.convertFromAPInt(APInt(64, value, /*isSigned=*/true),
                                  /*IsSigned=*/true,
                                  APFloat::rmNearestTiesToEven);
    storeBits(number.bitcastToAPInt().getZExtValue(), element, data);
    return;
  }
  storeBits(element == Element::I1 ? value & 1 : value, element, data);
}

void run::storeDouble(double value, Element element, char *data) {
  if (!isFloat(element)) {
    storeInteger(static_cast<int64_t>(value), element, data);
    return;
  }
  APFloat number(value);
  bool ignored;
  (void)number.convert(getSemantics(element), APFloat::rmNearestTiesToEven,
                       &ignored);
  storeBits(number.bitcastToAPInt().getZExtValue(), element, data);
}

static llvm::Error makeParseError(StringRef text, Element element) {
  return llvm::createStringError("expected a value of type " +
                                 getElementName(element) + ", found '" + text +
                                 "'");
}

llvm::Error run::parseElement(StringRef text, Element element, char *data) {
  if (element == Element::I1) {
    if (text != "true" && text != "false" && text != "0" && text != "1")
      return makeParseError(text, element);
    storeBits(text == "true" || text == "1", element, data);
    return llvm::Error::success();
  }
  if (isFloat(element)) {
    APFloat number(getSemantics(element));
    auto status = number.convertFromString(text, APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return makeParseError(text, element);
    }
    storeBits(number.bitcastToAPInt().getZExtValue(), element, data);
    return llvm::Error::success();
  }
  unsigned width = getBitWidth(element);
  APInt value;
  StringRef digits = text;
  bool isNegative = digits.consume_front("-");
  if (digits.empty() || digits.front() == '-' || digits.getAsInteger(0, value))
    return makeParseError(text, element);
  // One bit more than both the magnitude and the element need for a sign.
  value = value.zext(std::max(value.getBitWidth(), width) + 2);
  if (isNegative)
    value.negate();
  bool fits = isUnsigned(element)
                  ? !isNegative && value.getActiveBits() <= width
                  : value.getSignificantBits() <= width;
  if (!fits)
    return makeParseError(text, element);
  storeBits(value.trunc(width).getZExtValue(), element, data);
  return llvm::Error::success();
}
