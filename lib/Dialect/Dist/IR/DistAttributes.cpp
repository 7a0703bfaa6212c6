//===- DistAttributes.cpp -------------------------------------------*- C++ -*-===//
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

#include "Dialect/Dist/IR/Dist.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallSet.h"
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
  if (!name || name.getValue().empty())
    return emitError() << "axis name must not be empty";
  if (size < 0 || preSize < 1)
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

LogicalResult GroupAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                GroupKind kind, FlatSymbolRefAttr symbol,
                                ArrayRef<AxisRefAttr> axes,
                                ArrayRef<int64_t> ranks, int64_t groupSize,
                                StringAttr tag) {
  if (kind != GroupKind::Table) {
    if (!symbol)
      return emitError() << "group needs the symbol of a mesh or process group";
    return success();
  }
  if (ranks.empty() || groupSize < 1 || ranks.size() % groupSize != 0)
    return emitError() << "group must list at least one rank";
  llvm::SmallSet<int64_t, 16> seen;
  for (int64_t rank : ranks) {
    if (rank < 0)
      return emitError() << "group has negative rank " << rank;
    if (!seen.insert(rank).second)
      return emitError() << "group lists rank " << rank << " twice";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Directives of the assembly formats that are about attributes
//===----------------------------------------------------------------------===//

namespace mlir::dist::asm_format {
ParseResult parseRankTable(OpAsmParser &parser, GroupAttr &table) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> ranks;
  int64_t groupSize = 0;
  if (parseRankLists(parser, ranks, groupSize))
    return failure();
  table = GroupAttr::getChecked(
      [&] { return parser.emitError(loc); }, parser.getContext(),
      GroupKind::Table, FlatSymbolRefAttr(), ArrayRef<AxisRefAttr>(), ranks,
      groupSize, StringAttr());
  return success(static_cast<bool>(table));
}

void printRankTable(OpAsmPrinter &printer, GroupAttr table) {
  printRankLists(printer, table);
}

ParseResult parseMeshAxes(OpAsmParser &parser, ArrayAttr &axes) {
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

void printMeshAxes(OpAsmPrinter &printer, ArrayAttr axes) {
  printer << '[';
  llvm::interleaveComma(axes.getAsRange<MeshAxisAttr>(), printer,
                        [&](MeshAxisAttr axis) {
                          printer << axis.getName() << " = " << axis.getSize();
                        });
  printer << ']';
}
} // namespace mlir::dist::asm_format
