//===- NumericCasesTest.cpp - cases with independently computed values ----===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The cases are made by utils/runtime-numeric-cases.py, which says what the
// lines mean.
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

#include <fstream>
#include <map>
#include <sstream>

using namespace dist::test;

namespace {
struct Operand {
  int dataType = 0;
  Sizes source, result;
  std::map<int64_t, std::vector<std::string>> in, out;
};
struct Case {
  std::string id;
  int kind = 0, reduction = 0, root = 0;
  int64_t dim = 0, ranks = 0, concatDim = 0;
  double factor = 1;
  std::vector<Sizes> groups;
  Sizes pairs;
  std::vector<Operand> operands;
};

int byName(const std::string &name, int last, const char *(*nameOf)(int)) {
  for (int i = 0; i <= last; ++i)
    if (name == nameOf(i))
      return i;
  ADD_FAILURE() << "unknown name " << name;
  return -1;
}

void readLine(Case &item, const std::string &line) {
  std::istringstream words(line);
  std::string key, word;
  words >> key;
  if (key == "op") {
    std::string kind, reduction;
    int64_t operands;
    words >> kind >> reduction >> item.dim >> item.root >> item.ranks >>
        operands >> item.concatDim >> item.factor;
    EXPECT_FALSE(words.fail()) << line;
    item.kind = byName(kind, DISTRT_REDUCE, distrtCollectiveName);
    item.reduction = byName(reduction, DISTRT_PREMUL_SUM, distrtReductionName);
  } else if (key == "pairs") {
    for (int64_t position; words >> position;)
      item.pairs.push_back(position);
  } else if (key == "group") {
    item.groups.emplace_back();
    for (int64_t rank; words >> rank;)
      item.groups.back().push_back(rank);
  } else if (key == "operand") {
    Operand operand;
    words >> word;
    operand.dataType = byName(word, DISTRT_C128, distrtDataTypeName);
    Sizes *sizes = &operand.source;
    while (words >> word)
      if (word == ":")
        sizes = &operand.result;
      else
        sizes->push_back(std::stoll(word));
    item.operands.push_back(operand);
  } else {
    int64_t rank, operand;
    words >> rank >> operand;
    Operand &target = item.operands.at(size_t(operand));
    auto &list = key == "in" ? target.in[rank] : target.out[rank];
    while (words >> word)
      list.push_back(word);
  }
}

std::vector<Case> readCases() {
  std::ifstream file(DIST_RT_TEST_INPUTS "/numeric.txt");
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, 5, "case ") == 0) {
      cases.emplace_back();
      cases.back().id = line.substr(5);
    } else if (line != "end") {
      readLine(cases.back(), line);
    }
  }
  return cases;
}

std::string hexOf(const char *bytes, int64_t size) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  for (int64_t i = size; i-- > 0;) {
    text += digits[(bytes[i] >> 4) & 15];
    text += digits[bytes[i] & 15];
  }
  return text;
}

/// Of one word of the file: a complex element has two.
int partType(int dataType) {
  return dataType == DISTRT_C64    ? DISTRT_F32
         : dataType == DISTRT_C128 ? DISTRT_F64
                                   : dataType;
}

bool isNan(const std::string &hex, int dataType) {
  uint64_t bits = std::stoull(hex, nullptr, 16);
  switch (dataType) {
  case DISTRT_F16:
    return (bits & 0x7fff) > 0x7c00;
  case DISTRT_BF16:
    return (bits & 0x7fff) > 0x7f80;
  case DISTRT_F32:
    return (bits & 0x7fffffff) > 0x7f800000;
  case DISTRT_F64:
    return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
  case DISTRT_F8E4M3FN:
    return (bits & 0x7f) == 0x7f;
  case DISTRT_F8E5M2:
    return (bits & 0x7f) > 0x7c;
  }
  return false;
}

void runCase(const Case &item) {
  SCOPED_TRACE(item.id);
  World world(item.ranks);
  Group group(item.groups);
  world.ok([&](distrtContext *context, int64_t rank) {
    Call call(item.kind, group);
    call.reduction(item.reduction).dim(item.dim).root(item.root);
    call.concatDim(item.concatDim).pairs(item.pairs);
    std::vector<std::vector<char>> buffers;
    for (const Operand &operand : item.operands) {
      int64_t size = distrtDataTypeSize(partType(operand.dataType));
      const auto &words = operand.in.at(rank);
      buffers.emplace_back(words.size() * size_t(size) + 1);
      for (size_t i = 0; i < words.size(); ++i) {
        uint64_t bits = std::stoull(words[i], nullptr, 16);
        memcpy(buffers.back().data() + i * size_t(size), &bits, size_t(size));
      }
      call.operand(operand.dataType, Ref(buffers.back().data(), operand.source),
                   Ref(), 0, operand.result.data());
      call.factor(item.factor);
    }
    std::vector<distrtFuture *> futures(item.operands.size());
    EXPECT_EQ(call.start(context, futures.data()), DISTRT_OK)
        << item.id << ": " << distrtContextMessage(context);
    for (size_t i = 0; i < futures.size(); ++i) {
      const Operand &operand = item.operands[i];
      int type = partType(operand.dataType);
      int64_t size = distrtDataTypeSize(type);
      Ref result = wait(context, futures[i], int32_t(operand.result.size()));
      EXPECT_EQ(result.sizes(), operand.result) << item.id;
      const auto &expected = operand.out.at(rank);
      EXPECT_EQ(int64_t(expected.size()) * size,
                result.count() * distrtDataTypeSize(operand.dataType))
          << item.id;
      for (size_t j = 0; j < expected.size(); ++j) {
        std::string found = hexOf(result.data<char>() + j * size_t(size), size);
        if (expected[j] == "nan")
          EXPECT_TRUE(isNan(found, type)) << item.id << " " << found;
        else
          EXPECT_EQ(found, expected[j])
              << item.id << " rank " << rank << " element " << j;
      }
      _mlir_memref_to_llvm_free(result.allocated());
    }
    return 0;
  });
}
} // namespace

TEST_ON_BACKENDS(NumericCases, All) {
  std::vector<Case> cases = readCases();
  EXPECT_GT(cases.size(), 270u);
  for (const Case &item : cases)
    runCase(item);
}
