//===- DistAttributes.cpp - Text and invariants of attributes ---*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text form and invariants of the attributes.
//
//===----------------------------------------------------------------------===//

#include "AssemblyFormat.h"
#include "Dialect/Dist/IR/Dist.h"
#include "Dialect/Dist/Utils/Groups.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::dist;

#include "Dialect/Dist/IR/DistOpsEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "Dialect/Dist/IR/DistOpsAttributes.cpp.inc"

void DistDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Dialect/Dist/IR/DistOpsAttributes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// AxisRefAttr
//===----------------------------------------------------------------------===//

/// Parses `"x"` or `"x":(2)4`.
static FailureOr<AxisRefAttr> parseAxisRef(AsmParser &parser) {
  std::string name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseString(&name))
    return failure();
  int64_t preSize = 1, size = 0;
  if (succeeded(parser.parseOptionalColon())) {
    if (parser.parseLParen() || parser.parseInteger(preSize) ||
        parser.parseRParen() || parser.parseInteger(size))
      return failure();
    if (size == 0) {
      parser.emitError(loc, "sub-axis size must be at least 1, found 0");
      return failure();
    }
  }
  auto emitError = [&] { return parser.emitError(loc); };
  AxisRefAttr axis = AxisRefAttr::getChecked(
      emitError, parser.getContext(),
      StringAttr::get(parser.getContext(), name), preSize, size);
  if (!axis)
    return failure();
  return axis;
}

static void printAxisRef(AsmPrinter &printer, AxisRefAttr axis) {
  printer << axis.getName();
  if (axis.isSubAxis())
    printer << ":(" << axis.getPreSize() << ')' << axis.getSize();
}

Attribute AxisRefAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<AxisRefAttr> axis = parseAxisRef(parser);
  if (failed(axis) || parser.parseGreater())
    return {};
  return *axis;
}

void AxisRefAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printAxisRef(printer, *this);
  printer << '>';
}

LogicalResult AxisRefAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  StringAttr name, int64_t preSize,
                                  int64_t size) {
  // axis_ref C1.
  if (!name || name.getValue().empty())
    return emitError() << "axis name must not be empty";
  // axis_ref C2. A whole axis has size 0 and no other pre-size than 1.
  if (size < 0 || preSize < 1 || (size == 0 && preSize != 1))
    return emitError() << "sub-axis of " << name
                       << " must have a positive size and pre-size, found ("
                       << preSize << ")" << size;
  return success();
}

//===----------------------------------------------------------------------===//
// GroupAttr
//===----------------------------------------------------------------------===//

GroupAttr GroupAttr::get(MLIRContext *context,
                         ArrayRef<SmallVector<int64_t>> table, StringRef tag) {
  assert(!table.empty() && "a table needs at least one list");
  SmallVector<int64_t> ranks;
  for (ArrayRef<int64_t> list : table) {
    assert(list.size() == table.front().size() && "lists of unequal size");
    llvm::append_range(ranks, list);
  }
  return get(context, GroupKind::Table, FlatSymbolRefAttr(), {}, ranks,
             table.front().size(),
             tag.empty() ? StringAttr() : StringAttr::get(context, tag));
}

GroupAttr GroupAttr::get(MLIRContext *context, StringRef mesh,
                         ArrayRef<StringRef> axes, StringRef tag) {
  SmallVector<AxisRefAttr> refs;
  for (StringRef axis : axes)
    refs.push_back(AxisRefAttr::get(context, axis));
  return get(context, GroupKind::Mesh, FlatSymbolRefAttr::get(context, mesh),
             refs, {}, 0,
             tag.empty() ? StringAttr() : StringAttr::get(context, tag));
}

GroupAttr GroupAttr::get(MLIRContext *context, StringRef name, StringRef tag) {
  return get(context, GroupKind::ProcessGroup,
             FlatSymbolRefAttr::get(context, name), {}, {}, 0,
             tag.empty() ? StringAttr() : StringAttr::get(context, tag));
}

/// Parses `[[0, 1], [2, 3]]` and checks that the lists have one size.
static ParseResult parseRankLists(AsmParser &parser,
                                  SmallVectorImpl<int64_t> &ranks,
                                  int64_t &groupSize) {
  bool first = true;
  groupSize = 0;
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        SMLoc loc = parser.getCurrentLocation();
        size_t before = ranks.size();
        if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
              return parser.parseInteger(ranks.emplace_back());
            }))
          return failure();
        int64_t size = ranks.size() - before;
        // group C2.
        if (!first && size != groupSize)
          return parser.emitError(loc)
                 << "group has lists of unequal size: expected " << groupSize
                 << " ranks as in the first list, found " << size;
        first = false;
        groupSize = size;
        return success();
      });
}

static void printRankLists(AsmPrinter &printer, GroupAttr group) {
  printer << '[';
  ArrayRef<int64_t> ranks = group.getRanks();
  for (size_t i = 0; i < ranks.size(); i += group.getGroupSize()) {
    printer << (i ? ", [" : "[");
    llvm::interleaveComma(ranks.slice(i, group.getGroupSize()), printer);
    printer << ']';
  }
  printer << ']';
}

Attribute GroupAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  GroupKind kind = GroupKind::Table;
  FlatSymbolRefAttr symbol;
  SmallVector<AxisRefAttr> axes;
  SmallVector<int64_t> ranks;
  int64_t groupSize = 0;
  StringAttr name;
  if (succeeded(parser.parseOptionalSymbolName(name))) {
    symbol = FlatSymbolRefAttr::get(name);
    kind = GroupKind::ProcessGroup;
    if (succeeded(parser.parseOptionalLSquare())) {
      kind = GroupKind::Mesh;
      if (failed(parser.parseOptionalRSquare())) {
        do {
          FailureOr<AxisRefAttr> axis = parseAxisRef(parser);
          if (failed(axis))
            return {};
          axes.push_back(*axis);
        } while (succeeded(parser.parseOptionalComma()));
        if (parser.parseRSquare())
          return {};
      }
    }
  } else if (parseRankLists(parser, ranks, groupSize)) {
    return {};
  }
  StringAttr tag;
  if (succeeded(parser.parseOptionalComma()))
    if (parser.parseKeyword("tag") || parser.parseEqual() ||
        parser.parseAttribute(tag))
      return {};
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    kind, symbol, axes, ranks, groupSize, tag);
}

void GroupAttr::print(AsmPrinter &printer) const {
  printer << '<';
  if (isTable()) {
    printRankLists(printer, *this);
  } else {
    printer << getSymbol();
    if (isMesh()) {
      printer << '[';
      llvm::interleaveComma(getAxes(), printer, [&](AxisRefAttr axis) {
        printAxisRef(printer, axis);
      });
      printer << ']';
    }
  }
  if (getTag())
    printer << ", tag = " << getTag();
  printer << '>';
}

/// Each form has its own fields only, so that equal groups are equal
/// attributes.
static bool hasFieldsOfItsKind(GroupKind kind, FlatSymbolRefAttr symbol,
                               ArrayRef<AxisRefAttr> axes,
                               ArrayRef<int64_t> ranks, int64_t groupSize) {
  switch (kind) {
  case GroupKind::Table:
    return !symbol && axes.empty();
  case GroupKind::Mesh:
    return symbol && ranks.empty() && groupSize == 0;
  case GroupKind::ProcessGroup:
    return symbol && axes.empty() && ranks.empty() && groupSize == 0;
  }
  return false;
}

LogicalResult GroupAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                GroupKind kind, FlatSymbolRefAttr symbol,
                                ArrayRef<AxisRefAttr> axes,
                                ArrayRef<int64_t> ranks, int64_t groupSize,
                                StringAttr tag) {
  if (!hasFieldsOfItsKind(kind, symbol, axes, ranks, groupSize))
    return emitError() << "group must be a table of ranks, axes of a mesh or "
                          "the symbol of a process group";
  // group C5.
  if (tag && tag.getValue().empty())
    return emitError() << "group has an empty tag, expected none or a name";
  if (kind != GroupKind::Table)
    return success();
  // group C1.
  if (ranks.empty() || groupSize < 1 || ranks.size() % groupSize != 0)
    return emitError() << "group must list at least one rank";
  llvm::DenseSet<int64_t> seen;
  for (int64_t rank : ranks) {
    // group C3.
    if (rank < 0)
      return emitError() << "group has negative rank " << rank;
    if (rank >= kMaxWorldSize)
      return emitError() << "group has rank " << rank << ", expected less than "
                         << kMaxWorldSize;
    // group C4.
    if (!seen.insert(rank).second)
      return emitError() << "group lists rank " << rank << " twice";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Directives of the assembly formats that are about attributes
//===----------------------------------------------------------------------===//

ParseResult asm_format::parseReduction(OpAsmParser &parser,
                                       ReductionAttr &reduction) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<Reduction> value = symbolizeReduction(keyword);
  if (!value)
    return parser.emitError(loc)
           << "expected a reduction (sum, product, min, max, avg, band, bor, "
              "bxor, premul_sum, umin or umax), found "
           << keyword;
  reduction = ReductionAttr::get(parser.getContext(), *value);
  return success();
}

void asm_format::printReduction(OpAsmPrinter &printer, Operation *,
                                ReductionAttr reduction) {
  printer << stringifyReduction(reduction.getValue());
}

ParseResult asm_format::parseRankTable(OpAsmParser &parser, GroupAttr &table) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> ranks;
  int64_t groupSize = 0;
  if (parseRankLists(parser, ranks, groupSize))
    return failure();
  table = GroupAttr::getChecked([&] { return parser.emitError(loc); },
                                parser.getContext(), GroupKind::Table,
                                FlatSymbolRefAttr(), ArrayRef<AxisRefAttr>(),
                                ranks, groupSize, StringAttr());
  return success(static_cast<bool>(table));
}

void asm_format::printRankTable(OpAsmPrinter &printer, Operation *,
                                GroupAttr table) {
  printRankLists(printer, table);
}

ParseResult asm_format::parsePairs(OpAsmParser &parser,
                                   DenseI64ArrayAttr &pairs) {
  SmallVector<int64_t> positions;
  auto parsePair = [&]() -> ParseResult {
    return failure(
        parser.parseLSquare() ||
        parser.parseInteger(positions.emplace_back()) || parser.parseComma() ||
        parser.parseInteger(positions.emplace_back()) || parser.parseRSquare());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parsePair))
    return failure();
  pairs = DenseI64ArrayAttr::get(parser.getContext(), positions);
  return success();
}

void asm_format::printPairs(OpAsmPrinter &printer, Operation *,
                            DenseI64ArrayAttr pairs) {
  printer << '[';
  // An operation that does not verify may have an odd number.
  for (auto [index, position] : llvm::enumerate(pairs.asArrayRef())) {
    bool isSource = index % 2 == 0;
    printer << (isSource ? (index == 0 ? "[" : ", [") : ", ") << position;
    if (!isSource)
      printer << ']';
  }
  printer << ']';
}

ParseResult asm_format::parseMeshAxes(OpAsmParser &parser, ArrayAttr &axes) {
  SmallVector<Attribute> list;
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square, [&]() -> ParseResult {
            std::string name;
            int64_t size;
            if (parser.parseString(&name) || parser.parseEqual() ||
                parser.parseInteger(size))
              return failure();
            MLIRContext *context = parser.getContext();
            list.push_back(MeshAxisAttr::get(
                context, StringAttr::get(context, name), size));
            return success();
          }))
    return failure();
  axes = parser.getBuilder().getArrayAttr(list);
  return success();
}

void asm_format::printMeshAxes(OpAsmPrinter &printer, Operation *,
                               ArrayAttr axes) {
  printer << '[';
  llvm::interleaveComma(axes.getAsRange<MeshAxisAttr>(), printer,
                        [&](MeshAxisAttr axis) {
                          printer << axis.getName() << " = " << axis.getSize();
                        });
  printer << ']';
}
