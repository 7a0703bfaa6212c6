//===- Elements.cpp -------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools/Run/Elements.h"
#include "Dialect/Dist/Utils/Collectives.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <cstring>
#include <tuple>

using namespace mlir;
using namespace mlir::dist;
using namespace mlir::dist::run;
using llvm::APFloat;
using llvm::APInt;

/// The integer of `width` bits that begins at `data`.
static APInt loadBits(const char *data, Type element, unsigned width) {
  uint64_t words[2] = {};
  std::memcpy(words, data, getElementSize(element));
  return APInt(128, words).trunc(width);
}

static void storeBits(const APInt &bits, Type element, char *data) {
  APInt wide = bits.zext(128);
  std::memcpy(data, wide.getRawData(), getElementSize(element));
}

static unsigned getBitWidth(Type element) {
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

/// The two parts of a complex number lie side by side.
static Type getPart(Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  return complex ? complex.getElementType() : Type();
}

static bool isUnsigned(Type element) {
  return element.isUnsignedInteger() || element.isInteger(1);
}

static const llvm::fltSemantics &getSemantics(Type element) {
  return cast<FloatType>(element).getFloatSemantics();
}

bool run::isElementType(Type type) { return isCollectiveElementType(type); }

int64_t run::getElementSize(Type element) { return *getElementBytes(element); }

int64_t run::getElementAlignment(Type element) {
  Type part = getPart(element);
  return getElementSize(part ? part : element);
}

std::string run::getElementName(Type element) {
  std::string name;
  llvm::raw_string_ostream(name) << element;
  return name;
}

/// "f4"; empty for what numpy has no type for.
static std::string getNativeKind(Type element) {
  if (element.isInteger(1))
    return "b1";
  std::string size = llvm::itostr(getElementSize(element));
  if (Type part = getPart(element))
    return part.isF32() || part.isF64() ? "c" + size : "";
  if (isa<Float16Type, Float32Type, Float64Type>(element))
    return "f" + size;
  bool isWhole = getBitWidth(element) == 8 * getElementSize(element);
  if (isa<FloatType>(element) || !isWhole || getElementSize(element) > 8)
    return "";
  return (isUnsigned(element) ? "u" : "i") + size;
}

std::string run::getNpyDescr(Type element) {
  int64_t size = getElementSize(element);
  std::string kind = getNativeKind(element);
  if (kind.empty() && size > 8)
    return "|V" + llvm::itostr(size);
  if (kind.empty())
    kind = "u" + llvm::itostr(size);
  return (size == 1 ? "|" : "<") + kind;
}

bool run::isNpyDescrOf(StringRef descr, Type element) {
  if (descr.empty())
    return false;
  // Byte order means nothing for one-byte elements and raw bytes, and '='
  // cannot be read on another machine but means little-endian on this one.
  StringRef kind = descr.drop_front();
  char order = descr.front();
  bool unordered = getElementSize(element) == 1 || kind.starts_with("V");
  if (order != '<' && order != '=' && !(order == '|' && unordered))
    return false;
  if (std::string native = getNativeKind(element); !native.empty())
    return kind == native;
  return kind.size() > 1 && StringRef("uiV").contains(kind.front()) &&
         kind.drop_front() == llvm::itostr(getElementSize(element));
}

void run::clearPadding(Type element, MutableArrayRef<char> data) {
  if (element.isInteger(1)) {
    for (char &byte : data)
      byte = byte != 0;
    return;
  }
  Type part = getPart(element);
  if (!part)
    part = element;
  unsigned width = getBitWidth(part), size = getElementSize(part);
  if (width == 8 * size)
    return;
  for (size_t i = 0; i < data.size(); i += size)
    storeBits(loadBits(&data[i], part, width), part, &data[i]);
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
  if (&value.getSemantics() == &APFloat::x87DoubleExtended() ||
      &value.getSemantics() == &APFloat::IEEEquad()) {
    llvm::SmallString<64> text;
    value.toString(text);
    os << text;
    return;
  }
  // All others are exact in double.
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

void run::printElement(const char *data, Type element, raw_ostream &os) {
  if (Type part = getPart(element)) {
    printElement(data, part, os << '(');
    printElement(data + getElementSize(part), part, os << ", ");
    os << ')';
    return;
  }
  APInt bits = loadBits(data, element, getBitWidth(element));
  if (element.isInteger(1))
    os << (bits.isZero() ? "false" : "true");
  else if (isa<FloatType>(element))
    printFloat(APFloat(getSemantics(element), bits), os);
  else
    bits.print(os, /*isSigned=*/!isUnsigned(element));
}

void run::storeInteger(int64_t value, Type element, char *data) {
  if (Type part = getPart(element)) {
    storeInteger(value, part, data);
    storeInteger(0, part, data + getElementSize(part));
    return;
  }
  APInt number(64, value, /*isSigned=*/true);
  if (isa<FloatType>(element)) {
    APFloat rounded(getSemantics(element));
    (void)rounded.convertFromAPInt(number, /*IsSigned=*/true,
                                   APFloat::rmNearestTiesToEven);
    number = rounded.bitcastToAPInt();
  }
  storeBits(number.sextOrTrunc(getBitWidth(element)), element, data);
}

void run::storeRandom(uint64_t word, Type element, char *data) {
  if (Type part = getPart(element)) {
    storeRandom(word, part, data);
    storeRandom(word << 4, part, data + getElementSize(part));
    return;
  }
  auto value = static_cast<int64_t>(word >> 60);
  if (!isa<FloatType>(element))
    return storeInteger(value - 8, element, data);
  APFloat number(value / 8.0 - 1.0);
  bool ignored;
  (void)number.convert(getSemantics(element), APFloat::rmNearestTiesToEven,
                       &ignored);
  storeBits(number.bitcastToAPInt(), element, data);
}

static llvm::Error makeParseError(StringRef text, Type element) {
  return llvm::createStringError("expected a value of type " +
                                 getElementName(element) + ", found '" + text +
                                 "'");
}

/// "(1, -2)" or "1".
static llvm::Error parseComplex(StringRef text, Type element, Type part,
                                char *data) {
  StringRef inner = text, imaginary = "0";
  if (inner.consume_front("(")) {
    if (!inner.consume_back(")") || inner.count(',') != 1)
      return makeParseError(text, element);
    std::tie(inner, imaginary) = inner.split(',');
  }
  if (llvm::Error error = parseElement(inner.trim(), part, data))
    return error;
  return parseElement(imaginary.trim(), part, data + getElementSize(part));
}

llvm::Error run::parseElement(StringRef text, Type element, char *data) {
  if (Type part = getPart(element))
    return parseComplex(text, element, part, data);
  unsigned width = getBitWidth(element);
  if (element.isInteger(1)) {
    if (text != "true" && text != "false" && text != "0" && text != "1")
      return makeParseError(text, element);
    storeBits(APInt(width, text == "true" || text == "1"), element, data);
    return llvm::Error::success();
  }
  if (isa<FloatType>(element)) {
    APFloat number(getSemantics(element));
    auto status = number.convertFromString(text, APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return makeParseError(text, element);
    }
    storeBits(number.bitcastToAPInt(), element, data);
    return llvm::Error::success();
  }
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
  storeBits(value.trunc(width), element, data);
  return llvm::Error::success();
}
