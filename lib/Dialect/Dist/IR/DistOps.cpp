//===- DistOps.cpp - Operations but collectives -----------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations that are not collectives.
//
//===----------------------------------------------------------------------===//

#include "AssemblyFormat.h"
#include "Dialect/Dist/IR/Dist.h"
#include "Dialect/Dist/Utils/Groups.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace mlir::dist;

using namespace mlir::dist::asm_format;

/// What a wait returns for a future: the memref that the start named, or a
/// tensor.
static Type getWaitedType(FutureType future) { return future.getPayload(); }

/// `!dist.future<T>, ...`, followed by the results' types where they are not
/// the futures' payloads.
static ParseResult parseWaitTypes(OpAsmParser &parser,
                                  SmallVectorImpl<Type> &futures,
                                  SmallVectorImpl<Type> &results) {
  if (parser.parseTypeList(futures))
    return failure();
  if (succeeded(parser.parseOptionalArrow()))
    return parser.parseTypeList(results);
  for (Type type : futures) {
    auto future = dyn_cast<FutureType>(type);
    if (!future)
      return parser.emitError(parser.getNameLoc())
             << "waits for a value of type " << type << ", expected a future";
    results.push_back(getWaitedType(future));
  }
  return success();
}

static void printWaitTypes(OpAsmPrinter &printer, Operation *,
                           TypeRange futures, TypeRange results) {
  llvm::interleaveComma(futures, printer);
  if (llvm::equal(results, llvm::map_range(futures, [](Type type) {
                    return getWaitedType(cast<FutureType>(type));
                  })))
    return;
  printer << " -> ";
  llvm::interleaveComma(results, printer);
}

/// `!dist.future<T>` in full, as a wait has it; the default would be `<T>`.
static ParseResult parseFutureType(OpAsmParser &parser, Type &future) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(future))
    return failure();
  if (!isa<FutureType>(future))
    return parser.emitError(loc) << "expected a future, found " << future;
  return success();
}

static void printFutureType(OpAsmPrinter &printer, Operation *, Type future) {
  printer << future;
}

#define GET_OP_CLASSES
#include "Dialect/Dist/IR/DistOps.cpp.inc"

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// Keeps read their buffers.
static void addKeepEffects(MutableOperandRange keeps, Effects &effects) {
  for (OpOperand &keep : keeps)
    if (isa<MemRefType>(keep.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &keep);
}

static void addCommunicatorEffect(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(),
                       CommunicatorResource::get());
}

//===----------------------------------------------------------------------===//
// MeshOp
//===----------------------------------------------------------------------===//

LogicalResult MeshOp::verify() {
  int64_t ranks = 1;
  llvm::SmallSet<StringRef, 4> names;
  for (auto axis : getAxes().getAsRange<MeshAxisAttr>()) {
    // mesh C1.
    if (!names.insert(axis.getName().getValue()).second)
      return emitOpError() << "names axis " << axis.getName() << " twice";
    if (axis.getName().getValue().empty())
      return emitOpError() << "has an axis with an empty name";
    // mesh C2.
    if (axis.getSize() < 1)
      return emitOpError() << "axis " << axis.getName() << " has size "
                           << axis.getSize() << ", expected at least 1";
    // mesh C3.
    if (llvm::MulOverflow(ranks, axis.getSize(), ranks) ||
        ranks > kMaxWorldSize)
      return emitOpError() << "has more than " << kMaxWorldSize << " ranks";
  }
  std::optional<ArrayRef<int64_t>> ids = getDeviceIds();
  if (!ids)
    return success();
  // mesh C4.
  if (static_cast<int64_t>(ids->size()) != ranks)
    return emitOpError() << "has " << ids->size() << " device ids, expected "
                         << ranks << ", one per rank";
  llvm::SmallBitVector seen(ranks);
  for (int64_t id : *ids) {
    // mesh C5.
    if (id < 0 || id >= ranks)
      return emitOpError() << "has device id " << id
                           << ", expected at least 0 and less than " << ranks;
    // mesh C6.
    if (seen.test(id))
      return emitOpError() << "has device id " << id << " twice";
    seen.set(id);
  }
  return success();
}

int64_t MeshOp::getNumRanks() {
  int64_t ranks = 1;
  for (auto axis : getAxes().getAsRange<MeshAxisAttr>())
    ranks *= axis.getSize();
  return ranks;
}

std::optional<int64_t> MeshOp::getAxisSize(StringRef name) {
  for (auto axis : getAxes().getAsRange<MeshAxisAttr>())
    if (axis.getName() == name)
      return axis.getSize();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// ProcessGroupOp
//===----------------------------------------------------------------------===//

LogicalResult ProcessGroupOp::verify() {
  // process_group C1.
  std::optional<int64_t> size = getSize();
  if (size && (*size < 1 || *size > kMaxWorldSize))
    return emitOpError() << "has size " << *size
                         << ", expected at least 1 and at most "
                         << kMaxWorldSize;
  std::optional<GroupAttr> ranks = getRanks();
  if (!ranks)
    return success();
  // process_group C2.
  if (!ranks->isTable() || ranks->getTag())
    return emitOpError() << "has ranks " << *ranks
                         << ", expected a table of ranks without a tag";
  // process_group C3.
  if (size && *size != ranks->getGroupSize())
    return emitOpError() << "declares size " << *size << ", but its lists have "
                         << ranks->getGroupSize() << " ranks";
  return success();
}

//===----------------------------------------------------------------------===//
// RankOp and GroupSizeOp
//===----------------------------------------------------------------------===//

/// rank C1, group_size C1.
static LogicalResult verifyOptionalGroup(Operation *op,
                                         std::optional<GroupAttr> group,
                                         SymbolTableCollection &symbols) {
  if (!group)
    return success();
  return verifyGroup(*group, op, symbols, [&] { return op->emitOpError(); });
}

LogicalResult RankOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyOptionalGroup(*this, getGroup(), symbols);
}

LogicalResult GroupSizeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyOptionalGroup(*this, getGroup(), symbols);
}

void RankOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "rank");
}

void GroupSizeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "size");
}

static ConstantIntRanges getRange(int64_t min, int64_t max) {
  unsigned width = IndexType::kInternalStorageBitWidth;
  return ConstantIntRanges::fromSigned(APInt(width, min, /*isSigned=*/true),
                                       APInt(width, max, /*isSigned=*/true));
}

void RankOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                               SetIntRangeFn setRange) {
  if (!getGroup())
    return setRange(getResult(), getRange(0, kMaxWorldSize - 1));
  // A mesh has no rank outside of its groups.
  std::optional<int64_t> size = dist::getGroupSize(*getGroup(), *this);
  setRange(getResult(), getRange(getGroup()->isMesh() ? 0 : -1,
                                 size.value_or(kMaxWorldSize) - 1));
}

void GroupSizeOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                    SetIntRangeFn setRange) {
  std::optional<int64_t> size;
  if (getGroup())
    size = dist::getGroupSize(*getGroup(), *this);
  setRange(getResult(),
           getRange(size.value_or(1), size.value_or(kMaxWorldSize)));
}

OpFoldResult GroupSizeOp::fold(FoldAdaptor) {
  if (!getGroup())
    return {};
  if (std::optional<int64_t> size = dist::getGroupSize(*getGroup(), *this))
    return IntegerAttr::get(IndexType::get(getContext()), *size);
  return {};
}

//===----------------------------------------------------------------------===//
// WaitOp
//===----------------------------------------------------------------------===//

LogicalResult WaitOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       ValueRange operands,
                                       DictionaryAttr attributes,
                                       OpaqueProperties properties,
                                       RegionRange regions,
                                       SmallVectorImpl<Type> &results) {
  WaitOpAdaptor adaptor(operands, attributes, properties, regions);
  for (Value value : adaptor.getFutures()) {
    auto future = dyn_cast<FutureType>(value.getType());
    if (!future)
      return failure();
    results.push_back(getWaitedType(future));
  }
  return success();
}

/// Whether a wait of a future of `payload` may return `result`: the payload, or
/// the fresh buffer that a tensor has become.
static bool isWaitedType(ShapedType payload, Type result) {
  if (payload == result)
    return true;
  auto tensor = dyn_cast<RankedTensorType>(payload);
  auto memref = dyn_cast<MemRefType>(result);
  return tensor && memref && memref.getLayout().isIdentity() &&
         tensor.getShape() == memref.getShape() &&
         tensor.getElementType() == memref.getElementType();
}

LogicalResult WaitOp::verify() {
  // wait C1.
  if (getFutures().empty())
    return emitOpError("needs at least one future");
  // wait C2.
  if (getNumResults() != getFutures().size())
    return emitOpError() << "has " << getFutures().size() << " futures and "
                         << getNumResults()
                         << " results, expected one for each future";
  for (auto [index, future, result] :
       llvm::enumerate(getFutures().getTypes(), getResultTypes()))
    if (ShapedType payload = cast<FutureType>(future).getPayload();
        !isWaitedType(payload, result))
      return emitOpError() << "has result " << index << " of type " << result
                           << ", expected " << payload
                           << " as the payload of its future";
  // wait C3.
  SmallVector<Type> named;
  for (Type type : getFutures().getTypes())
    if (auto future = cast<FutureType>(type); future.hasNamedDestination())
      named.push_back(future.getPayload());
  if (getDestinations().empty())
    return success();
  if (named.empty())
    return emitOpError("has a destination, expected none for futures of "
                       "tensors");
  if (named.size() != getDestinations().size())
    return emitOpError() << "has " << getDestinations().size()
                         << " destinations, expected " << named.size()
                         << ", one for each future of a memref";
  for (auto [index, expected, found] :
       llvm::enumerate(named, getDestinations().getTypes()))
    if (expected != found)
      return emitOpError() << "has destination " << index << " of type "
                           << found << ", expected " << expected
                           << " as the payload of its future";
  return success();
}

void WaitOp::getEffects(Effects &effects) {
  addCommunicatorEffect(effects);
  addKeepEffects(getKeepsMutable(), effects);
  bool named = false;
  for (auto [future, result] : llvm::zip_equal(getFutures(), getResults())) {
    if (cast<FutureType>(future.getType()).hasNamedDestination()) {
      named = true;
      continue;
    }
    // The write beside the allocation keeps an unused wait from being taken
    // for an unused allocation.
    if (isa<MemRefType>(result.getType())) {
      effects.emplace_back(MemoryEffects::Allocate::get(),
                           cast<OpResult>(result));
      effects.emplace_back(MemoryEffects::Write::get(), cast<OpResult>(result));
    }
  }
  if (!named)
    return;
  if (getDestinations().empty()) {
    effects.emplace_back(MemoryEffects::Read::get());
    effects.emplace_back(MemoryEffects::Write::get());
  }
  for (OpOperand &destination : getDestinationsMutable())
    effects.emplace_back(MemoryEffects::Write::get(), &destination);
}

//===----------------------------------------------------------------------===//
// DupOp, DropOp and KeepOp
//===----------------------------------------------------------------------===//

void DupOp::getEffects(Effects &effects) { addCommunicatorEffect(effects); }

void DropOp::getEffects(Effects &effects) {
  addCommunicatorEffect(effects);
  addKeepEffects(getKeepsMutable(), effects);
}

LogicalResult KeepOp::verify() {
  // keep C1.
  if (getKeeps().empty())
    return emitOpError("needs at least one tensor or memref");
  return success();
}

void KeepOp::getEffects(Effects &effects) {
  addCommunicatorEffect(effects);
  addKeepEffects(getKeepsMutable(), effects);
}

//===----------------------------------------------------------------------===//
// OpaqueOp
//===----------------------------------------------------------------------===//

LogicalResult OpaqueOp::verify() {
  // opaque C1.
  if (getName().empty())
    return emitOpError("needs a name that is not empty");
  // opaque C2.
  for (auto [cost, value] :
       {std::pair("flops", std::optional<uint64_t>(getFlops())),
        std::pair("bytes", std::optional<uint64_t>(getBytes())),
        std::pair("nanoseconds", getNanoseconds())})
    if (static_cast<int64_t>(value.value_or(0)) < 0)
      return emitOpError() << "has " << static_cast<int64_t>(*value) << ' '
                           << cost << ", expected at least 0";
  // opaque C3.
  for (Type type : llvm::concat<Type>(llvm::to_vector(getOperandTypes()),
                                      llvm::to_vector(getResultTypes())))
    if (isa<FutureType, BaseMemRefType>(type))
      return emitOpError() << "takes or returns " << type
                           << ", expected neither futures nor memrefs";
  // opaque C4.
  if (getView() && (getOperands().empty() || getResults().size() != 1 ||
                    !isa<RankedTensorType>(getOperandTypes().front()) ||
                    !isa<RankedTensorType>(getResultTypes().front())))
    return emitOpError("is a view, expected a tensor as first operand and "
                       "exactly one result, a tensor");
  return success();
}

LogicalResult OpaqueOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!getCallee())
    return success();
  // opaque C5.
  auto callee = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      *this, getCalleeAttr());
  if (!callee)
    return emitOpError() << "calls " << getCalleeAttr()
                         << ", expected the symbol of a function";
  if (!llvm::equal(callee.getArgumentTypes(), getOperandTypes()) ||
      !llvm::equal(callee.getResultTypes(), getResultTypes())) {
    InFlightDiagnostic diag = emitOpError()
                              << "calls " << getCalleeAttr() << " of type "
                              << callee.getFunctionType()
                              << ", expected the operands' and results' types";
    diag.attachNote(callee.getLoc()) << "declared here";
    return diag;
  }
  return success();
}
