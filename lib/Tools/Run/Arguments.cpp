//===- Arguments.cpp ------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools/Run/Arguments.h"
#include "Tools/Run/Npy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::dist;
using namespace mlir::dist::run;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

static Error makeError(const Twine &message) {
  return llvm::createStringError(message);
}

/// "4x?", "scalar".
static std::string printShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "() (0-d)";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      shape, os,
      [&](int64_t size) {
        if (ShapedType::isDynamic(size))
          os << '?';
        else
          os << size;
      },
      "x");
  return text;
}

Error run::checkArgumentOptions(const RunOptions &options,
                                const Signature &signature) {
  int64_t count = signature.arguments.size();
  auto check = [&](StringRef option, int64_t index) -> Error {
    if (index < count)
      return Error::success();
    return makeError("--" + option + ": there is no argument " + Twine(index) +
                     ", entry '" + signature.entry + "' has " + Twine(count));
  };
  for (auto &[index, file] : options.inputs)
    if (Error error = check("input", index))
      return error;
  for (auto &[index, shape] : options.shapes) {
    if (Error error = check("shape", index))
      return error;
    ArrayRef<int64_t> declared = signature.arguments[index].shape;
    bool fits = declared.size() == shape.size() &&
                llvm::all_of(llvm::zip(declared, shape), [](auto pair) {
                  auto [size, given] = pair;
                  return ShapedType::isDynamic(size) || size == given;
                });
    if (!fits)
      return makeError("--shape: argument " + Twine(index) + " has shape " +
                       printShape(declared) + ", found " + printShape(shape));
  }
  for (auto &[index, text] : options.scalars) {
    if (Error error = check("arg", index))
      return error;
    if (signature.arguments[index].isShaped())
      return makeError("--arg: argument " + Twine(index) +
                       " is no scalar; give a file with --input");
    if (options.inputs.count(index))
      return makeError("argument " + Twine(index) +
                       " is given by --arg and by --input");
  }
  if (!options.inputDir.empty() &&
      !llvm::sys::fs::is_directory(options.inputDir))
    return makeError("--input-dir: '" + options.inputDir + "' is not a folder");
  return Error::success();
}

static Expected<Array> readArgument(StringRef path, const ValueSpec &spec) {
  Expected<Array> array = readNpy(path, spec.element);
  if (!array)
    return array.takeError();
  bool fits = array->shape.size() == spec.shape.size() &&
              llvm::all_of(llvm::zip(spec.shape, array->shape), [](auto pair) {
                auto [size, found] = pair;
                return ShapedType::isDynamic(size) || size == found;
              });
  if (!fits)
    return makeError("'" + path + "': expected shape " +
                     printShape(spec.shape) + ", found " +
                     printShape(array->shape));
  return array;
}

/// The file of --input-dir for the argument; empty without one.
static std::string findInDir(StringRef folder, int64_t index, int64_t rank) {
  std::string stem = "arg" + llvm::itostr(index);
  for (std::string name :
       {stem + ".rank" + llvm::itostr(rank) + ".npy", stem + ".npy"}) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    if (llvm::sys::fs::exists(path))
      return path.str().str();
  }
  return "";
}

/// A permutation of 64-bit words (splitmix64): equal on every machine.
static uint64_t mix(uint64_t word) {
  word += 0x9e3779b97f4a7c15;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
  word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
  return word ^ (word >> 31);
}

/// The values of --fill. iota counts through the ranks, so that a gather of
/// argument blocks counts on; for random see storeRandom.
static void generate(Fill fill, const ValueSpec &spec, int64_t index,
                     int64_t rank, uint64_t seed, Array &array) {
  int64_t count = array.getNumElements();
  int64_t size = getElementSize(spec.element);
  // A scalar steers control flow more often than it carries data: ranks agree.
  if (spec.isUniform || !spec.isShaped())
    rank = 0;
  uint64_t state = mix(mix(mix(seed) + index) + rank);
  for (int64_t i = 0; i < count; ++i) {
    char *data = array.data.data() + i * size;
    switch (fill) {
    case Fill::Zero:
      break;
    case Fill::Iota:
      storeInteger(spec.isShaped() ? rank * count + i : 1, spec.element, data);
      break;
    case Fill::Random:
      storeRandom(mix(state + i), spec.element, data);
      break;
    }
  }
}

static Expected<Array> generateArgument(const RunOptions &options,
                                        const ValueSpec &spec, int64_t index,
                                        int64_t rank) {
  Array array;
  array.element = spec.element;
  array.shape = spec.shape;
  if (auto it = options.shapes.find(index); it != options.shapes.end())
    array.shape = it->second;
  if (llvm::any_of(array.shape, ShapedType::isDynamic))
    return makeError("shape " + printShape(spec.shape) +
                     " is not known: give a file with --input or sizes with "
                     "--shape=" +
                     Twine(index) + "=...");
  std::optional<int64_t> count = countElements(array.shape, array.element);
  constexpr int64_t kMaxGenerated = int64_t(1) << 34;
  if (!count || *count > kMaxGenerated)
    return makeError("shape " + printShape(array.shape) +
                     " is too large to generate values for");
  array.data.resize(*count * getElementSize(array.element));
  Fill fill = options.fill.value_or(spec.isWritable ? Fill::Zero : Fill::Iota);
  generate(fill, spec, index, rank, options.fillSeed, array);
  return array;
}

static Expected<Array> makeArgument(const RunOptions &options,
                                    const ValueSpec &spec, int64_t index,
                                    int64_t rank) {
  if (auto it = options.scalars.find(index); it != options.scalars.end()) {
    Array array;
    array.element = spec.element;
    array.data.resize(getElementSize(spec.element));
    if (Error error = parseElement(it->second, spec.element, array.data.data()))
      return error;
    return array;
  }
  if (auto it = options.inputs.find(index); it != options.inputs.end()) {
    std::string path = it->second;
    if (size_t position = path.find("{rank}"); position != std::string::npos)
      path.replace(position, strlen("{rank}"), llvm::itostr(rank));
    return readArgument(path, spec);
  }
  if (!options.inputDir.empty()) {
    std::string path = findInDir(options.inputDir, index, rank);
    if (!path.empty())
      return readArgument(path, spec);
    // Half a folder of inputs is a mistake unless the user says otherwise.
    if (!spec.isWritable && spec.isShaped() && !options.fill)
      return makeError("no file arg" + Twine(index) + ".rank" + Twine(rank) +
                       ".npy or arg" + Twine(index) + ".npy in '" +
                       options.inputDir +
                       "'; --fill generates what is missing");
  }
  return generateArgument(options, spec, index, rank);
}

Expected<std::vector<Array>> run::makeArguments(const RunOptions &options,
                                                const Signature &signature,
                                                int64_t rank) {
  std::vector<Array> arguments;
  for (auto [index, spec] : llvm::enumerate(signature.arguments)) {
    Expected<Array> array = makeArgument(options, spec, index, rank);
    if (!array) {
      std::string type;
      llvm::raw_string_ostream(type) << spec.type;
      return makeError("argument " + Twine(index) + " (" + type + ") of rank " +
                       Twine(rank) + ": " + llvm::toString(array.takeError()));
    }
    arguments.push_back(std::move(*array));
  }
  return arguments;
}
