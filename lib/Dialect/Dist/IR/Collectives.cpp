//===- Collectives.cpp -  -------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What all collectives share: verification, effects and result types. The
// labels (C1, C2, ...) are those of docs/spec.md.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/IR/Dist.h"
#include "Dialect/Dist/Utils/Collectives.h"
#include "Dialect/Dist/Utils/Groups.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::dist;

#include "Dialect/Dist/IR/DistInterfaces.cpp.inc"

StringRef mlir::dist::stringifyCollectiveKind(CollectiveKind kind) {
  switch (kind) {
  case CollectiveKind::AllGather:
    return "all_gather";
  case CollectiveKind::AllReduce:
    return "all_reduce";
  case CollectiveKind::ReduceScatter:
    return "reduce_scatter";
  case CollectiveKind::Broadcast:
    return "broadcast";
  }
  llvm_unreachable("unknown collective");
}

//===----------------------------------------------------------------------===//
// Verification without symbols
//===----------------------------------------------------------------------===//

/// C1: at least one source, and one destination and result for each.
static LogicalResult verifyCounts(CollectiveOpInterface op,
                                  size_t numResults) {
  size_t numSources = op.getSources().size();
  if (numSources == 0)
    return op.emitOpError("needs at least one source");
  size_t numDestinations = op.getDestinations().size();
  if (numDestinations != 0 && numDestinations != numSources)
    return op.emitOpError() << "has " << numSources << " sources and "
                            << numDestinations
                            << " destinations, expected one for each source";
  if (numResults != numSources)
    return op.emitOpError() << "has " << numSources << " sources and "
                            << numResults
                            << " results, expected one for each source";
  return success();
}

/// C2: the collectives move these elements. C3: and combine them so.
static LogicalResult verifyElementType(CollectiveOpInterface op, Type type) {
  if (!isCollectiveElementType(type))
    return op.emitOpError()
           << "does not support element type " << type
           << ", expected i1, i8, i16, i32, i64, ui8, ui16, ui32, ui64, f16, "
              "bf16, f32 or f64";
  std::optional<Reduction> reduction = op.getCollectiveReduction();
  if (reduction && !isLegalReduction(*reduction, type))
    return op.emitOpError() << "cannot combine elements of type " << type
                            << " by " << stringifyReduction(*reduction);
  return success();
}

/// C4: the dimension is one of the source's. C5: a root is not negative.
static LogicalResult verifyAttributes(CollectiveOpInterface op,
                                      ShapedType source) {
  if (std::optional<int64_t> dim = op.getCollectiveDim())
    if (*dim < 0 || *dim >= source.getRank())
      return op.emitOpError()
             << "has dim " << *dim << ", expected a dimension of " << source
             << ", at least 0 and less than " << source.getRank();
  if (std::optional<int64_t> root = op.getCollectiveRoot(); root && *root < 0)
    return op.emitOpError()
           << "has root " << *root
           << ", expected a position in the group, at least 0";
  return success();
}

/// C6: `result` (or a destination) has the shape that `source` gives. The
/// collective dimension is left to C8, which knows the group.
static LogicalResult verifyShape(CollectiveOpInterface op, ShapedType source,
                                 ShapedType result, StringRef what) {
  if (source.getElementType() != result.getElementType())
    return op.emitOpError() << what << " has element type "
                            << result.getElementType() << ", expected "
                            << source.getElementType() << " as the source";
  if (source.getRank() != result.getRank())
    return op.emitOpError() << what << " has rank " << result.getRank()
                            << ", expected " << source.getRank()
                            << " as the source";
  for (int64_t i = 0; i < source.getRank(); ++i)
    if (i != op.getCollectiveDim() &&
        failed(verifyCompatibleShape({source.getDimSize(i)},
                                     {result.getDimSize(i)})))
      return op.emitOpError()
             << what << " has size " << result.getDimSize(i)
             << " in dimension " << i << ", expected " << source.getDimSize(i)
             << " as the source";
  return success();
}

/// The type whose shape is the result's, per operand.
static SmallVector<ShapedType> getPayloads(TypeRange results) {
  return llvm::map_to_vector(results, [](Type type) {
    auto future = dyn_cast<FutureType>(type);
    return future ? future.getPayload() : cast<ShapedType>(type);
  });
}

static LogicalResult verifyOperands(CollectiveOpInterface op,
                                    ArrayRef<ShapedType> payloads,
                                    StringRef what) {
  for (auto [source, payload] :
       llvm::zip_equal(op.getSources().getTypes(), payloads)) {
    auto type = cast<ShapedType>(source);
    if (failed(verifyElementType(op, type.getElementType())) ||
        failed(verifyAttributes(op, type)) ||
        failed(verifyShape(op, type, payload, what)))
      return failure();
  }
  return success();
}

/// C7: sources that are borrowed, copied or donated as the operands say.
template <typename StartOp>
static LogicalResult verifySourceModes(StartOp op) {
  ArrayAttr modes = op.getSourceModesAttr();
  if (modes && modes.size() != op.getSources().size())
    return op.emitOpError() << "has " << modes.size()
                            << " source modes, expected "
                            << op.getSources().size() << ", one per source";
  size_t donated = 0;
  for (size_t i = 0, e = op.getSources().size(); i != e; ++i)
    donated += op.getSourceMode(i) == SourceMode::Donate;
  if (!op.getOwned().empty() && op.getOwned().size() != donated)
    return op.emitOpError() << "has " << op.getOwned().size()
                            << " ownership flags, expected " << donated
                            << ", one per donated source";
  return success();
}

/// C1 to C7 of a start; C9: a tensor has no destination, and a memref with a
/// destination has a future of that very memref.
template <typename StartOp>
static LogicalResult verifyStart(StartOp op) {
  CollectiveOpInterface collective = op;
  if (failed(verifyCounts(collective, op.getFutures().size())) ||
      failed(verifySourceModes(op)))
    return failure();
  bool hasDestinations = !op.getDestinations().empty();
  for (auto [index, future] : llvm::enumerate(op.getFutures())) {
    ShapedType payload = cast<FutureType>(future.getType()).getPayload();
    if (!hasDestinations && isa<MemRefType>(payload))
      return op.emitOpError()
             << "has result " << index << " of type " << future.getType()
             << " without a destination, expected a future of a tensor";
    if (!hasDestinations)
      continue;
    if (!isa<MemRefType>(op.getSources()[index].getType()))
      return op.emitOpError()
             << "has a destination for source " << index << " of type "
             << op.getSources()[index].getType() << ", expected a memref";
    Type destination = op.getDestinations()[index].getType();
    if (destination != payload)
      return op.emitOpError()
             << "has result " << index << " of type " << future.getType()
             << ", expected a future of its destination " << destination;
  }
  return verifyOperands(collective, getPayloads(op.getFutures().getTypes()),
                        hasDestinations ? "destination" : "result");
}

/// C1 to C6 of a synchronous form; C9: all tensors with results or all memrefs
/// without.
template <typename IntoOp>
static LogicalResult verifyInto(IntoOp op) {
  CollectiveOpInterface collective = op;
  if (op.getSources().size() != 0 && op.getDestinations().empty())
    return op.emitOpError("needs one destination for each source");
  if (failed(verifyCounts(collective, op.getSources().size())))
    return failure();
  bool tensors = isa<RankedTensorType>(op.getSources()[0].getType());
  for (Type type : op->getOperandTypes())
    if (isa<RankedTensorType>(type) != tensors)
      return op.emitOpError()
             << "mixes tensors and memrefs, expected only one of them";
  size_t numResults = tensors ? op.getDestinations().size() : 0;
  if (op.getResults().size() != numResults)
    return op.emitOpError() << "has " << op.getResults().size()
                            << " results, expected " << numResults << " for "
                            << (tensors ? "tensors" : "memrefs");
  for (auto [result, destination] :
       llvm::zip(op.getResults().getTypes(), op.getDestinations().getTypes()))
    if (result != destination)
      return op.emitOpError() << "has result of type " << result
                              << ", expected " << destination
                              << " as its destination";
  return verifyOperands(collective,
                        getPayloads(op.getDestinations().getTypes()),
                        "destination");
}

//===----------------------------------------------------------------------===//
// Verification with symbols
//===----------------------------------------------------------------------===//

/// C8: the collective dimension fits the group's size.
static LogicalResult verifyCollectiveDim(CollectiveOpInterface op,
                                         ShapedType source, ShapedType result,
                                         int64_t groupSize, StringRef what) {
  int64_t dim = *op.getCollectiveDim();
  int64_t size = source.getDimSize(dim);
  bool scatters = op.getCollectiveKind() == CollectiveKind::ReduceScatter;
  if (scatters && ShapedType::isStatic(size) && size % groupSize != 0)
    return op.emitOpError() << "cannot split dim " << dim << " of size " << size
                            << " among a group of size " << groupSize;
  int64_t expected = inferCollectiveShape(
      op.getCollectiveKind(), source.getShape(), dim, groupSize)[dim];
  int64_t found = result.getDimSize(dim);
  if (ShapedType::isStatic(expected) && ShapedType::isStatic(found) &&
      expected != found)
    return op.emitOpError()
           << what << " has size " << found << " in dim " << dim
           << ", expected " << expected << " for a source of size " << size
           << " and a group of size " << groupSize;
  return success();
}

/// C10: the group expands. C8, and C11: the root is in the group.
static LogicalResult verifyGroup(CollectiveOpInterface op,
                                 SymbolTableCollection &symbols,
                                 ArrayRef<ShapedType> payloads,
                                 StringRef what) {
  FailureOr<RankTable> table = expandGroups(
      op.getGroup(), op, symbols, [&] { return op.emitOpError(); });
  if (failed(table))
    return failure();
  if (table->groupSize == 0)
    return success();
  std::optional<int64_t> root = op.getCollectiveRoot();
  if (root && *root >= table->groupSize)
    return op.emitOpError() << "has root " << *root
                            << ", expected a position in a group of size "
                            << table->groupSize;
  if (!op.getCollectiveDim())
    return success();
  for (auto [source, payload] :
       llvm::zip_equal(op.getSources().getTypes(), payloads))
    if (failed(verifyCollectiveDim(op, cast<ShapedType>(source), payload,
                                   table->groupSize, what)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// Every collective takes its place in the order of collectives, reads its
/// sources and writes its destinations.
static void getCollectiveEffects(CollectiveOpInterface op, Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(),
                       CommunicatorResource::get());
  for (OpOperand &source : op.getSourcesMutable())
    if (isa<MemRefType>(source.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &source);
  for (OpOperand &destination : op.getDestinationsMutable())
    if (isa<MemRefType>(destination.get().getType()))
      effects.emplace_back(MemoryEffects::Write::get(), &destination);
}

//===----------------------------------------------------------------------===//
// The operations
//===----------------------------------------------------------------------===//

#define DIST_DEFINE_START(OP)                                                  \
  LogicalResult OP::verify() { return verifyStart(*this); }                    \
  LogicalResult OP::verifySymbolUses(SymbolTableCollection &symbols) {         \
    return verifyGroup(*this, symbols, getPayloads(getFutures().getTypes()),   \
                       getDestinations().empty() ? "result" : "destination");  \
  }                                                                            \
  void OP::getEffects(Effects &effects) {                                      \
    getCollectiveEffects(*this, effects);                                      \
  }                                                                            \
  void OP::getAsmResultNames(OpAsmSetValueNameFn setName) {                    \
    setName(getResult(0), "future");                                           \
  }

#define DIST_DEFINE_INTO(OP)                                                   \
  LogicalResult OP::verify() { return verifyInto(*this); }                     \
  LogicalResult OP::verifySymbolUses(SymbolTableCollection &symbols) {         \
    return verifyGroup(*this, symbols,                                         \
                       getPayloads(getDestinations().getTypes()),              \
                       "destination");                                         \
  }                                                                            \
  void OP::getEffects(Effects &effects) {                                      \
    getCollectiveEffects(*this, effects);                                      \
  }

DIST_DEFINE_START(AllGatherOp)
DIST_DEFINE_START(AllReduceOp)
DIST_DEFINE_START(ReduceScatterOp)
DIST_DEFINE_START(BroadcastOp)
DIST_DEFINE_INTO(AllGatherIntoOp)
DIST_DEFINE_INTO(AllReduceIntoOp)
DIST_DEFINE_INTO(ReduceScatterIntoOp)
DIST_DEFINE_INTO(BroadcastIntoOp)

#undef DIST_DEFINE_START
#undef DIST_DEFINE_INTO

/// Futures of a collective that keeps the shape.
template <typename Adaptor>
static LogicalResult inferSameShape(Adaptor adaptor,
                                    SmallVectorImpl<Type> &results) {
  if (!adaptor.getDestinations().empty()) {
    for (Value destination : adaptor.getDestinations())
      results.push_back(
          FutureType::get(cast<ShapedType>(destination.getType())));
    return success();
  }
  for (Value source : adaptor.getSources()) {
    auto type = dyn_cast<ShapedType>(source.getType());
    if (!type || !type.hasRank())
      return failure();
    results.push_back(FutureType::get(
        RankedTensorType::get(type.getShape(), type.getElementType())));
  }
  return success();
}

LogicalResult AllReduceOp::inferReturnTypes(
    MLIRContext *, std::optional<Location>, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &results) {
  return inferSameShape(Adaptor(operands, attributes, properties, regions),
                        results);
}

LogicalResult BroadcastOp::inferReturnTypes(
    MLIRContext *, std::optional<Location>, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &results) {
  return inferSameShape(Adaptor(operands, attributes, properties, regions),
                        results);
}
