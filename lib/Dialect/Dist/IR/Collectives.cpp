//===- Collectives.cpp - What all collectives share -------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verification, effects and result types of the collectives. A label such as
// "collectives C3" stands for all_gather C3, all_gather_into C3 and so on, the
// labels of docs/spec.md.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Utils/Collectives.h"
#include "Dialect/Dist/IR/Dist.h"
#include "Dialect/Dist/Utils/Groups.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseSet.h"

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
  case CollectiveKind::AllToAll:
    return "all_to_all";
  case CollectiveKind::Permute:
    return "permute";
  case CollectiveKind::Reduce:
    return "reduce";
  }
  llvm_unreachable("unknown collective");
}

//===----------------------------------------------------------------------===//
// Verification without symbols
//===----------------------------------------------------------------------===//

/// collectives C1: at least one source, and one destination and one result for
/// each.
static LogicalResult verifyCounts(CollectiveOpInterface op, size_t numResults) {
  size_t numSources = op.getSources().size();
  if (numSources == 0)
    return op.emitOpError("needs at least one source");
  size_t numDestinations = op.getDestinations().size();
  if (numDestinations != 0 && numDestinations != numSources)
    return op.emitOpError()
           << "has " << numSources << " sources and " << numDestinations
           << " destinations, expected one for each source";
  if (numResults != numSources)
    return op.emitOpError()
           << "has " << numSources << " sources and " << numResults
           << " results, expected one for each source";
  return success();
}

/// collectives C2: sources and destinations are all tensors or all memrefs.
static LogicalResult verifyOperandKinds(CollectiveOpInterface op) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  bool tensors = isTensor(op.getSources()[0].getType());
  for (OperandRange operands : {op.getSources(), op.getDestinations()})
    for (Type type : operands.getTypes())
      if (isTensor(type) != tensors)
        return op.emitOpError()
               << "mixes tensors and memrefs, expected only one of them, found "
               << op.getSources()[0].getType() << " and " << type;
  return success();
}

/// collectives C3: the collectives move these elements. collectives C4: and
/// combine them so.
static LogicalResult verifyElementType(CollectiveOpInterface op, Type type) {
  if (!isCollectiveElementType(type))
    return op.emitOpError()
           << "does not support element type " << type
           << ", expected integers, index, floats (but tf32) or complex "
              "numbers of at most 16 bytes";
  std::optional<Reduction> reduction = op.getCollectiveReduction();
  if (!reduction || isLegalReduction(*reduction, type))
    return success();
  InFlightDiagnostic diag =
      op.emitOpError() << "cannot combine elements of type " << type << " by "
                       << stringifyReduction(*reduction) << ", expected ";
  ArrayRef<Reduction> legal = getLegalReductions(type);
  if (legal.empty())
    return diag << "another type: these are only moved";
  llvm::interleaveComma(
      legal, diag, [&](Reduction other) { diag << stringifyReduction(other); });
  return diag;
}

/// collectives C5: a dimension is one of the source's.
static LogicalResult verifyIsDimension(CollectiveOpInterface op, StringRef name,
                                       std::optional<int64_t> dim,
                                       ShapedType source) {
  if (!dim || (*dim >= 0 && *dim < source.getRank()))
    return success();
  if (source.getRank() == 0)
    return op.emitOpError()
           << "has " << name << ' ' << *dim << " and a source of type "
           << source << ", expected a source of rank 1 or more";
  return op.emitOpError() << "has " << name << ' ' << *dim
                          << ", expected a dimension of " << source
                          << ", at least 0 and less than " << source.getRank();
}

static LogicalResult verifyDimensions(CollectiveOpInterface op,
                                      ShapedType source) {
  std::optional<int64_t> concatDim = op.getCollectiveConcatDim();
  return success(
      succeeded(verifyIsDimension(op, concatDim ? "split_dim" : "dim",
                                  op.getCollectiveDim(), source)) &&
      succeeded(verifyIsDimension(op, "concat_dim", concatDim, source)));
}

/// Whether no group can have a position `position`.
static bool isNoPosition(int64_t position) {
  return position < 0 || position >= kMaxWorldSize;
}

/// collectives C6: a root can be a position.
static LogicalResult verifyRoot(CollectiveOpInterface op) {
  std::optional<int64_t> root = op.getCollectiveRoot();
  if (!root || !isNoPosition(*root))
    return success();
  return op.emitOpError() << "has root " << *root
                          << ", expected a position in the group, at least 0 "
                             "and less than "
                          << kMaxWorldSize;
}

/// collectives C14: pairs of positions, none a source twice or a target twice.
static LogicalResult verifyPairs(CollectiveOpInterface op) {
  ArrayRef<int64_t> pairs = op.getCollectivePairs();
  if (pairs.size() % 2 != 0)
    return op.emitOpError() << "has " << pairs.size()
                            << " positions in its pairs, expected two per pair";
  llvm::SmallDenseSet<int64_t> seen[2];
  for (auto [index, position] : llvm::enumerate(pairs)) {
    if (isNoPosition(position))
      return op.emitOpError()
             << "has position " << position
             << " in its pairs, expected a position in the group, at least 0 "
                "and less than "
             << kMaxWorldSize;
    if (!seen[index % 2].insert(position).second)
      return op.emitOpError()
             << "has position " << position << " twice as a "
             << (index % 2 == 0 ? "source" : "target") << " of its pairs";
  }
  return success();
}

/// collectives C7: `result` (or a destination) has the shape that `source`
/// gives. Sizes that change are left to C8, which knows the group.
static LogicalResult verifyShape(CollectiveOpInterface op, ShapedType source,
                                 ShapedType result, StringRef what) {
  if (source.getElementType() != result.getElementType())
    return op.emitOpError()
           << what << " has element type " << result.getElementType()
           << ", expected " << source.getElementType() << " as the source";
  if (source.getRank() != result.getRank())
    return op.emitOpError()
           << what << " has rank " << result.getRank() << ", expected "
           << source.getRank() << " as the source";
  ShapeRule rule = ShapeRule::get(op);
  for (int64_t i = 0; i < source.getRank(); ++i) {
    SizeChange change = rule.getChange(i);
    if ((change == SizeChange::Same || change == SizeChange::Recut) &&
        failed(verifyCompatibleShape({source.getDimSize(i)},
                                     {result.getDimSize(i)})))
      return op.emitOpError()
             << what << " has size " << result.getDimSize(i) << " in dimension "
             << i << ", expected " << source.getDimSize(i) << " as the source";
  }
  return success();
}

/// collectives C12: tensors have no encoding; memrefs are strided and live in
/// one memory space.
static LogicalResult verifyStorage(CollectiveOpInterface op) {
  std::optional<Attribute> space;
  for (OperandRange operands : {op.getSources(), op.getDestinations()})
    for (Type type : operands.getTypes()) {
      if (auto tensor = dyn_cast<RankedTensorType>(type)) {
        if (tensor.getEncoding())
          return op.emitOpError() << "has operand of type " << type
                                  << ", expected a tensor without encoding";
        continue;
      }
      auto memref = cast<MemRefType>(type);
      if (!memref.isStrided())
        return op.emitOpError() << "has operand of type " << type
                                << ", expected a strided memref";
      if (space && *space != memref.getMemorySpace())
        return op.emitOpError() << "has operand of type " << type
                                << ", expected all memrefs in one memory space";
      space = memref.getMemorySpace();
    }
  return success();
}

/// collectives C13: a memref destination is named once and is no other
/// operand's source, nor its own where pieces are exchanged. (Views that
/// overlap are the user's word; only what the operands themselves show is
/// checked.)
static LogicalResult verifyDistinctDestinations(CollectiveOpInterface op) {
  OperandRange sources = op.getSources(), destinations = op.getDestinations();
  for (auto [index, destination] : llvm::enumerate(destinations)) {
    if (!isa<MemRefType>(destination.getType()))
      return success();
    if (op.getCollectiveKind() == CollectiveKind::AllToAll &&
        sources[index] == destination)
      return op.emitOpError() << "has source " << index
                              << " as its own destination, expected distinct "
                                 "memrefs";
    for (size_t other = 0, e = sources.size(); other != e; ++other) {
      if (other == index)
        continue;
      if (destinations[other] == destination)
        return op.emitOpError()
               << "has one destination for sources " << std::min(index, other)
               << " and " << std::max(index, other)
               << ", expected distinct ones";
      if (sources[other] == destination)
        return op.emitOpError()
               << "has source " << other << " as destination of source "
               << index << ", expected distinct memrefs";
    }
  }
  return success();
}

/// collectives C15: premul_sum has one factor per source, and nothing else has
/// any.
static LogicalResult verifyFactors(CollectiveOpInterface op) {
  size_t found = op.getCollectiveFactors().size(), expected = 0;
  if (op.getCollectiveReduction() == Reduction::PremulSum)
    expected = op.getSources().size();
  if (found == expected)
    return success();
  return op.emitOpError() << "has " << found << " factors, expected "
                          << expected
                          << (expected ? ", one per source of premul_sum"
                                       : ": only premul_sum has factors");
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
  if (failed(verifyStorage(op)) || failed(verifyDistinctDestinations(op)) ||
      failed(verifyRoot(op)) || failed(verifyPairs(op)))
    return failure();
  for (auto [source, payload] :
       llvm::zip_equal(op.getSources().getTypes(), payloads)) {
    auto type = cast<ShapedType>(source);
    if (failed(verifyElementType(op, type.getElementType())) ||
        failed(verifyDimensions(op, type)) ||
        failed(verifyShape(op, type, payload, what)))
      return failure();
  }
  // After the types: factors do not help an illegal reduction.
  return verifyFactors(op);
}

/// collectives C11: sources are borrowed, copied or donated as the operands
/// say.
template <typename StartOp> static LogicalResult verifySourceModes(StartOp op) {
  ArrayAttr modes = op.getSourceModesAttr();
  if (modes && modes.size() != op.getSources().size())
    return op.emitOpError()
           << "has " << modes.size() << " source modes, expected "
           << op.getSources().size() << ", one per source";
  size_t donated = 0;
  for (size_t i = 0, e = op.getSources().size(); i != e; ++i)
    donated += op.getSourceMode(i) == SourceMode::Donate;
  if (!op.getOwned().empty() && op.getOwned().size() != donated)
    return op.emitOpError()
           << "has " << op.getOwned().size() << " ownership flags, expected "
           << donated << ", one per donated source";
  return success();
}

/// What a start can check without symbols; collectives C9: a tensor has no
/// destination, and a memref with a destination has a future of that very
/// memref.
template <typename StartOp> static LogicalResult verifyStart(StartOp op) {
  CollectiveOpInterface collective = op;
  if (failed(verifyCounts(collective, op.getFutures().size())) ||
      failed(verifySourceModes(op)) || failed(verifyOperandKinds(collective)))
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
    Type destination = op.getDestinations()[index].getType();
    if (destination != payload)
      return op.emitOpError()
             << "has result " << index << " of type " << future.getType()
             << ", expected a future of its destination " << destination;
  }
  return verifyOperands(collective, getPayloads(op.getFutures().getTypes()),
                        hasDestinations ? "destination" : "result");
}

/// What a synchronous form can check without symbols; collectives C9: a tensor
/// destination has a result of its type, a memref has none.
template <typename IntoOp> static LogicalResult verifyInto(IntoOp op) {
  CollectiveOpInterface collective = op;
  if (!op.getSources().empty() && op.getDestinations().empty())
    return op.emitOpError("needs one destination for each source");
  if (failed(verifyCounts(collective, op.getSources().size())) ||
      failed(verifyOperandKinds(collective)))
    return failure();
  bool tensors = isa<RankedTensorType>(op.getSources()[0].getType());
  size_t numResults = tensors ? op.getDestinations().size() : 0;
  if (op.getResults().size() != numResults)
    return op.emitOpError()
           << "has " << op.getResults().size() << " results, expected "
           << numResults << " for " << (tensors ? "tensors" : "memrefs");
  for (auto [result, destination] :
       llvm::zip(op.getResults().getTypes(), op.getDestinations().getTypes()))
    if (result != destination)
      return op.emitOpError()
             << "has result of type " << result << ", expected " << destination
             << " as its destination";
  return verifyOperands(
      collective, getPayloads(op.getDestinations().getTypes()), "destination");
}

//===----------------------------------------------------------------------===//
// Verification with symbols
//===----------------------------------------------------------------------===//

/// collectives C8 for a group of known size, and one dimension.
static LogicalResult verifyDim(CollectiveOpInterface op, int64_t dim,
                               ShapedType source, ShapedType result,
                               int64_t groupSize, StringRef what) {
  SizeChange change = ShapeRule::get(op).getChange(dim);
  int64_t size = source.getDimSize(dim), found = result.getDimSize(dim);
  if (change == SizeChange::Same)
    return success();
  if (ShapedType::isDynamic(size)) {
    if (change != SizeChange::Divided && ShapedType::isStatic(found) &&
        found % groupSize != 0)
      return op.emitOpError()
             << what << " has size " << found << " in dim " << dim
             << ", expected a multiple of the group size " << groupSize;
    return success();
  }
  int64_t expected = size;
  if (change != SizeChange::Multiplied && size % groupSize != 0)
    return op.emitOpError() << "cannot split dim " << dim << " of size " << size
                            << " among a group of size " << groupSize;
  if (change == SizeChange::Divided)
    expected = size / groupSize;
  else if (change == SizeChange::Multiplied &&
           llvm::MulOverflow(size, groupSize, expected))
    return op.emitOpError()
           << "cannot gather dim " << dim << " of size " << size
           << " from a group of size " << groupSize << ", the size overflows";
  if (ShapedType::isStatic(found) && expected != found)
    return op.emitOpError()
           << what << " has size " << found << " in dim " << dim
           << ", expected " << expected << " for a source of size " << size
           << " and a group of size " << groupSize;
  return success();
}

/// collectives C8 for a group of unknown size, and one dimension: the static
/// sizes fit some group, and those of all operands and dimensions the same.
/// `implied` is the size that those before this one need, 0 if none.
static LogicalResult verifyDimOfUnknownGroup(CollectiveOpInterface op,
                                             int64_t dim, ShapedType source,
                                             ShapedType result,
                                             int64_t &implied, StringRef what) {
  SizeChange change = ShapeRule::get(op).getChange(dim);
  int64_t size = source.getDimSize(dim), found = result.getDimSize(dim);
  if (change == SizeChange::Same || change == SizeChange::Recut ||
      ShapedType::isDynamic(size) || ShapedType::isDynamic(found))
    return success();
  bool gathers = change == SizeChange::Multiplied;
  int64_t part = gathers ? size : found, whole = gathers ? found : size;
  // Nothing from each member is nothing in all, for groups of every size.
  if (part == 0 && whole == 0)
    return success();
  if (part == 0 || whole == 0 || whole % part != 0)
    return op.emitOpError()
           << what << " has size " << found << " in dim " << dim
           << ", expected a " << (gathers ? "multiple" : "divisor") << " of "
           << size << " as the size of the source";
  int64_t groupSize = whole / part;
  if (implied != 0 && implied != groupSize)
    return op.emitOpError()
           << what << " has size " << found << " in dim " << dim
           << ", which needs a group of size " << groupSize
           << ", but another one of size " << implied;
  implied = groupSize;
  return success();
}

/// collectives C6 and C14: root and pairs are in a group of `groupSize`.
static LogicalResult verifyPositions(CollectiveOpInterface op,
                                     int64_t groupSize) {
  std::optional<int64_t> root = op.getCollectiveRoot();
  if (root && *root >= groupSize)
    return op.emitOpError()
           << "has root " << *root
           << ", expected a position in a group of size " << groupSize;
  for (int64_t position : op.getCollectivePairs())
    if (position >= groupSize)
      return op.emitOpError()
             << "has position " << position
             << " in its pairs, expected a position in a group of size "
             << groupSize;
  return success();
}

/// collectives C10: the group expands. C6, C8 and C14 with its size.
static LogicalResult verifyCollectiveGroup(CollectiveOpInterface op,
                                           SymbolTableCollection &symbols,
                                           ArrayRef<ShapedType> payloads,
                                           StringRef what) {
  FailureOr<int64_t> groupSize =
      verifyGroup(op.getGroup(), op, symbols, [&] { return op.emitOpError(); });
  if (failed(groupSize))
    return failure();
  if (*groupSize != 0 && failed(verifyPositions(op, *groupSize)))
    return failure();
  int64_t implied = 0;
  for (auto [sourceType, payload] :
       llvm::zip_equal(op.getSources().getTypes(), payloads)) {
    auto source = cast<ShapedType>(sourceType);
    for (int64_t dim = 0; dim < source.getRank(); ++dim)
      if (failed(*groupSize != 0
                     ? verifyDim(op, dim, source, payload, *groupSize, what)
                     : verifyDimOfUnknownGroup(op, dim, source, payload,
                                               implied, what)))
        return failure();
  }
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
    return verifyCollectiveGroup(                                              \
        *this, symbols, getPayloads(getFutures().getTypes()),                  \
        getDestinations().empty() ? "result" : "destination");                 \
  }                                                                            \
  void OP::getEffects(Effects &effects) {                                      \
    getCollectiveEffects(*this, effects);                                      \
  }                                                                            \
  void OP::getAsmResultNames(OpAsmSetValueNameFn setName) {                    \
    if (getNumResults() != 0)                                                  \
      setName(getResult(0), "future");                                         \
  }

#define DIST_DEFINE_INTO(OP)                                                   \
  LogicalResult OP::verify() { return verifyInto(*this); }                     \
  LogicalResult OP::verifySymbolUses(SymbolTableCollection &symbols) {         \
    return verifyCollectiveGroup(*this, symbols,                               \
                                 getPayloads(getDestinations().getTypes()),    \
                                 "destination");                               \
  }                                                                            \
  void OP::getEffects(Effects &effects) {                                      \
    getCollectiveEffects(*this, effects);                                      \
  }

DIST_DEFINE_START(AllGatherOp)
DIST_DEFINE_START(AllReduceOp)
DIST_DEFINE_START(ReduceScatterOp)
DIST_DEFINE_START(BroadcastOp)
DIST_DEFINE_START(AllToAllOp)
DIST_DEFINE_START(PermuteOp)
DIST_DEFINE_START(ReduceOp)
DIST_DEFINE_INTO(AllGatherIntoOp)
DIST_DEFINE_INTO(AllReduceIntoOp)
DIST_DEFINE_INTO(ReduceScatterIntoOp)
DIST_DEFINE_INTO(BroadcastIntoOp)
DIST_DEFINE_INTO(AllToAllIntoOp)
DIST_DEFINE_INTO(PermuteIntoOp)
DIST_DEFINE_INTO(ReduceIntoOp)

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

#define DIST_DEFINE_SAME_SHAPE(OP)                                             \
  LogicalResult OP::inferReturnTypes(                                          \
      MLIRContext *, std::optional<Location>, ValueRange operands,             \
      DictionaryAttr attributes, OpaqueProperties properties,                  \
      RegionRange regions, SmallVectorImpl<Type> &results) {                   \
    return inferSameShape(Adaptor(operands, attributes, properties, regions),  \
                          results);                                            \
  }

DIST_DEFINE_SAME_SHAPE(AllReduceOp)
DIST_DEFINE_SAME_SHAPE(BroadcastOp)
DIST_DEFINE_SAME_SHAPE(PermuteOp)
DIST_DEFINE_SAME_SHAPE(ReduceOp)

#undef DIST_DEFINE_SAME_SHAPE
