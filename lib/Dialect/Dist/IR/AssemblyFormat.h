//===- AssemblyFormat.h - Directives of the assembly formats ----*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The `custom<...>` directives that print and parse attributes; the operations'
// generated code calls them.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_DIALECT_DIST_IR_ASSEMBLYFORMAT_H
#define DIST_LIB_DIALECT_DIST_IR_ASSEMBLYFORMAT_H

#include "Dialect/Dist/IR/Dist.h"

namespace mlir::dist::asm_format {

/// `sum`
ParseResult parseReduction(OpAsmParser &parser, ReductionAttr &reduction);
void printReduction(OpAsmPrinter &printer, Operation *op,
                    ReductionAttr reduction);

/// `[[0, 1], [2, 3]]`
ParseResult parseRankTable(OpAsmParser &parser, GroupAttr &table);
void printRankTable(OpAsmPrinter &printer, Operation *op, GroupAttr table);

/// `[[0, 1], [1, 0]]`
ParseResult parsePairs(OpAsmParser &parser, DenseI64ArrayAttr &pairs);
void printPairs(OpAsmPrinter &printer, Operation *op, DenseI64ArrayAttr pairs);

/// `["x" = 2, "y" = 2]`
ParseResult parseMeshAxes(OpAsmParser &parser, ArrayAttr &axes);
void printMeshAxes(OpAsmPrinter &printer, Operation *op, ArrayAttr axes);

} // namespace mlir::dist::asm_format

#endif // DIST_LIB_DIALECT_DIST_IR_ASSEMBLYFORMAT_H
