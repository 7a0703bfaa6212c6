//===- Npy.cpp ------------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools/Run/Npy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace mlir;
using namespace mlir::dist;
using namespace mlir::dist::run;

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

namespace {
/// Recursive descent over the subset of Python literals that a header is made
/// of: one flat dictionary of strings, booleans and a tuple of integers.
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : text(text) {}

  llvm::Error parse(NpyHeader &header) {
    if (!consume('{'))
      return expected("'{'");
    bool hasDescr = false, hasOrder = false, hasShape = false;
    while (!consume('}')) {
      std::string key;
      if (!parseString(key))
        return expected("a quoted key");
      if (!consume(':'))
        return expected("':' after '" + key + "'");
      bool *seen = key == "descr"           ? &hasDescr
                   : key == "fortran_order" ? &hasOrder
                   : key == "shape"         ? &hasShape
                                            : nullptr;
      if (!seen)
        return makeError("unexpected key '" + key + "' in the header");
      if (*seen)
        return makeError("key '" + key + "' occurs twice in the header");
      *seen = true;
      if (llvm::Error error = parseValue(key, header))
        return error;
      if (!consume(',') && !peek('}'))
        return expected("',' or '}'");
    }
    skipSpace();
    if (!text.empty())
      return expected("the end of the header");
    if (!hasDescr || !hasOrder || !hasShape)
      return makeError(
          "the header lacks one of 'descr', 'fortran_order' and 'shape'");
    return llvm::Error::success();
  }

private:
  llvm::Error parseValue(StringRef key, NpyHeader &header) {
    if (key == "descr") {
      if (peek('['))
        return makeError("structured arrays are not supported");
      if (!parseString(header.descr))
        return expected("a quoted type for 'descr'");
      return llvm::Error::success();
    }
    if (key == "fortran_order") {
      skipSpace();
      if (text.consume_front("True"))
        header.fortranOrder = true;
      else if (text.consume_front("False"))
        header.fortranOrder = false;
      else
        return expected("True or False for 'fortran_order'");
      return llvm::Error::success();
    }
    return parseShape(header);
  }

  llvm::Error parseShape(NpyHeader &header) {
    // numpy itself stops at 64 dimensions.
    constexpr size_t kMaxRank = 64;
    if (!consume('('))
      return expected("'(' for 'shape'");
    while (!consume(')')) {
      skipSpace();
      StringRef digits = text.take_while(llvm::isDigit);
      int64_t size;
      if (digits.empty())
        return expected("a size in 'shape'");
      if (digits.getAsInteger(10, size))
        return makeError("size " + digits.take_front(40) +
                         " in 'shape' is too large");
      text = text.drop_front(digits.size());
      text.consume_front("L");
      if (header.shape.size() == kMaxRank)
        return makeError("more than 64 dimensions in 'shape'");
      header.shape.push_back(size);
      if (!consume(',') && !peek(')'))
        return expected("',' or ')' in 'shape'");
    }
    return llvm::Error::success();
  }

  bool parseString(std::string &result) {
    skipSpace();
    if (text.empty() || (text.front() != '\'' && text.front() != '"'))
      return false;
    size_t end = text.find(text.front(), 1);
    if (end == StringRef::npos)
      return false;
    result = text.slice(1, end).str();
    text = text.drop_front(end + 1);
    return true;
  }

  void skipSpace() { text = text.ltrim(" \t\n\r"); }
  bool peek(char c) {
    skipSpace();
    return !text.empty() && text.front() == c;
  }
  bool consume(char c) {
    if (!peek(c))
      return false;
    text = text.drop_front();
    return true;
  }

  llvm::Error expected(const llvm::Twine &what) {
    skipSpace();
    std::string found;
    llvm::raw_string_ostream os(found);
    if (text.empty())
      os << "its end";
    else
      llvm::printEscapedString(text.take_front(16), os << '\''), os << '\'';
    return makeError("malformed header: expected " + what + ", found " + found);
  }

  StringRef text;
};
} // namespace

llvm::Expected<NpyHeader> run::parseNpyHeader(StringRef bytes) {
  constexpr StringLiteral kMagic("\x93NUMPY");
  if (!bytes.starts_with(kMagic))
    return makeError("not a .npy file: it does not begin with \\x93NUMPY");
  if (bytes.size() < 8)
    return makeError("truncated header: the file has " +
                     llvm::Twine(bytes.size()) + " bytes");
  unsigned major = static_cast<unsigned char>(bytes[6]);
  if (major < 1 || major > 3)
    return makeError("unknown format version " + llvm::Twine(major) +
                     ", expected 1, 2 or 3");
  size_t prefix = major == 1 ? 10 : 12;
  if (bytes.size() < prefix)
    return makeError("truncated header: the file has " +
                     llvm::Twine(bytes.size()) + " bytes");
  size_t length = major == 1
                      ? llvm::support::endian::read16le(bytes.data() + 8)
                      : llvm::support::endian::read32le(bytes.data() + 8);
  if (length > bytes.size() - prefix)
    return makeError("truncated header: it should have " + llvm::Twine(length) +
                     " bytes, the file has " +
                     llvm::Twine(bytes.size() - prefix) + " more");
  NpyHeader header;
  if (llvm::Error error =
          HeaderParser(bytes.substr(prefix, length)).parse(header))
    return error;
  header.dataOffset = prefix + length;
  return header;
}

/// Copies column-major `data` into row-major `array`.
static void copyFortranOrder(StringRef data, Array &array) {
  StridedView view;
  view.element = array.element;
  // gather only reads through this view.
  view.aligned = const_cast<char *>(data.data());
  view.offset = 0;
  view.sizes = array.shape;
  int64_t stride = 1;
  for (int64_t size : array.shape) {
    view.strides.push_back(stride);
    stride *= size;
  }
  array = gather(view);
}

static llvm::Expected<Array> parseNpy(StringRef bytes, Type element) {
  llvm::Expected<NpyHeader> header = parseNpyHeader(bytes);
  if (!header)
    return header.takeError();
  StringRef descr = header->descr;
  if (!isNpyDescrOf(descr, element)) {
    std::string expected =
        ("expected element type " + getElementName(element) + " (numpy '" +
         getNpyDescr(element) + "'), found '" + descr + "'")
            .str();
    if (descr.starts_with(">"))
      expected += ": big-endian data is not supported";
    return makeError(expected);
  }
  Array array;
  array.element = element;
  array.shape = header->shape;
  std::optional<int64_t> count = countElements(array.shape, element);
  if (!count)
    return makeError("the shape has more elements than memory can hold");
  StringRef data = bytes.drop_front(header->dataOffset);
  uint64_t needed = *count * getElementSize(element);
  if (data.size() != needed)
    return makeError("expected " + llvm::Twine(needed) +
                     " bytes of data, found " + llvm::Twine(data.size()));
  if (header->fortranOrder && array.shape.size() > 1)
    copyFortranOrder(data, array);
  else
    array.data.assign(data.begin(), data.end());
  clearPadding(element, array.data);
  return array;
}

llvm::Expected<Array> run::readNpy(StringRef path, Type element) {
  // A device or a pipe could be read without end.
  llvm::sys::fs::file_status status;
  if (std::error_code code = llvm::sys::fs::status(path, status))
    return makeError("cannot read '" + path + "': " + code.message());
  if (status.type() != llvm::sys::fs::file_type::regular_file)
    return makeError("cannot read '" + path + "': not a regular file");
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError("cannot read '" + path +
                     "': " + buffer.getError().message());
  llvm::Expected<Array> array = parseNpy((*buffer)->getBuffer(), element);
  if (!array)
    return makeError("'" + path + "': " + llvm::toString(array.takeError()));
  return array;
}

llvm::Error run::writeNpy(StringRef path, const Array &array) {
  std::string header = "{'descr': '" + getNpyDescr(array.element) +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t size : array.shape)
    header += llvm::itostr(size) + ",";
  header += "), }";
  // The data begins at a multiple of 64.
  size_t total = llvm::alignTo(10 + header.size() + 1, 64);
  header.append(total - 10 - header.size() - 1, ' ');
  header += '\n';

  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return makeError("cannot write '" + path + "': " + code.message());
  os << StringRef("\x93NUMPY\x01\x00", 8);
  os << static_cast<char>(header.size() & 0xff)
     << static_cast<char>(header.size() >> 8);
  os << header;
  os.write(array.data.data(), array.data.size());
  os.close();
  if (os.has_error()) {
    std::string message = os.error().message();
    os.clear_error();
    return makeError("cannot write '" + path + "': " + message);
  }
  return llvm::Error::success();
}
