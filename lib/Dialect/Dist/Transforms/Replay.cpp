//===- Replay.cpp - Following a program with its constants ------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Replay.h"
#include "Dialect/Dist/Analysis/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::dist;

/// Loops with a known, small number of iterations run to their end.
static constexpr int64_t kMaxTripCount = 32;
static constexpr int64_t kMinIterations = 8;
static constexpr int64_t kMaxIterations = 16;

/// Executed operations per operation of the function.
static constexpr int64_t kBudgetFactor = 256;

/// More elements than any dimension has.
static constexpr int64_t kAllElements = int64_t(1) << 60;

//===----------------------------------------------------------------------===//
// Parts of buffers
//===----------------------------------------------------------------------===//

bool BufferPart::isWhole() const {
  auto type = dyn_cast<MemRefType>(root.getType());
  return isExact && type &&
         llvm::all_of(
             llvm::zip_equal(type.getShape(), offsets, counts), [](auto dim) {
               auto [size, offset, count] = dim;
               return offset == 0 &&
                      count ==
                          (ShapedType::isDynamic(size) ? kAllElements : size);
             });
}

Overlap mlir::dist::compare(const BufferPart &inFlight, const BufferPart &part,
                            bool touchesAll) {
  if (inFlight.root != part.root || inFlight.instance != part.instance)
    return Overlap::None;
  bool isInside = inFlight.isExact, isDense = true;
  for (unsigned dim = 0, e = part.offsets.size(); dim != e; ++dim) {
    int64_t offset = inFlight.offsets[dim], stride = inFlight.strides[dim];
    int64_t last = offset + (inFlight.counts[dim] - 1) * stride;
    int64_t otherOffset = part.offsets[dim], otherStride = part.strides[dim];
    int64_t otherLast = otherOffset + (part.counts[dim] - 1) * otherStride;
    // An empty part has its last element before its first.
    if (last < otherOffset || otherLast < offset || last < offset ||
        otherLast < otherOffset)
      return Overlap::None;
    isDense &= stride == 1 && otherStride == 1;
    isInside &= offset <= otherOffset && otherLast <= last &&
                (otherOffset - offset) % stride == 0 &&
                (part.counts[dim] == 1 || otherStride % stride == 0);
  }
  if (isInside || (touchesAll && isDense && inFlight.isExact && part.isExact))
    return Overlap::Certain;
  return Overlap::Possible;
}

BufferPart Replay::createRoot(Value value, unsigned instance) {
  BufferPart part;
  part.root = value;
  part.instance = instance;
  auto type = dyn_cast<MemRefType>(value.getType());
  if (!type) {
    part.isExact = part.hasDims = false;
    return part;
  }
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    part.offsets.push_back(0);
    part.counts.push_back(ShapedType::isDynamic(size) ? kAllElements : size);
    part.strides.push_back(1);
    part.dims.push_back(dim);
  }
  return part;
}

BufferPart Replay::getSubView(memref::SubViewOp op, const BufferPart &part) {
  BufferPart result = part;
  result.isExact = false;
  result.hasDims = false;
  if (!part.hasDims)
    return result;
  bool isKnown = part.isExact;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  result.dims.clear();
  for (auto [index, dim] : llvm::enumerate(part.dims)) {
    std::optional<int64_t> offset = getInt(op.getMixedOffsets()[index]);
    std::optional<int64_t> count = getInt(op.getMixedSizes()[index]);
    std::optional<int64_t> stride = getInt(op.getMixedStrides()[index]);
    if (!dropped.test(index))
      result.dims.push_back(dim);
    auto isSane = [](int64_t value) {
      return value >= 0 && value < kAllElements;
    };
    if (!offset || !count || !stride || !isSane(*offset) || !isSane(*count) ||
        !isSane(*stride) || *stride == 0 ||
        *offset > kAllElements / part.strides[dim] ||
        *stride > kAllElements / part.strides[dim]) {
      isKnown = false;
      continue;
    }
    result.offsets[dim] = part.offsets[dim] + *offset * part.strides[dim];
    result.counts[dim] = *count;
    result.strides[dim] = part.strides[dim] * *stride;
  }
  result.isExact = isKnown;
  // Within a part that is not known, offsets have no meaning.
  result.hasDims = isKnown;
  return result;
}

BufferParts Replay::getParts(Value buffer) {
  BufferParts parts = lookup(buffer).parts;
  for (BufferPart &part : parts)
    part.isExact = false;
  return parts;
}

BufferParts Replay::getTouched(Operation *op, Value memref) {
  BufferParts parts = lookup(memref).parts;
  OperandRange indices(op->operand_end(), op->operand_end());
  if (auto load = dyn_cast<memref::LoadOp>(op))
    indices = load.getIndices();
  else if (auto store = dyn_cast<memref::StoreOp>(op))
    indices = store.getIndices();
  else
    return parts;
  for (BufferPart &part : parts) {
    bool isKnown = part.isExact && part.hasDims;
    if (part.hasDims)
      for (auto [dim, index] : llvm::zip_equal(part.dims, indices)) {
        std::optional<int64_t> at = getInt(OpFoldResult(index));
        if (!at || *at < 0 || *at >= part.counts[dim]) {
          isKnown = false;
          continue;
        }
        part.offsets[dim] += *at * part.strides[dim];
        part.counts[dim] = 1;
        part.strides[dim] = 1;
      }
    part.isExact = isKnown;
  }
  return parts;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// What was not executed, such as an argument of the function, is one buffer.
Replayed &Replay::lookup(Value value) {
  auto [entry, isNew] = values.try_emplace(value);
  if (isNew && isa<BaseMemRefType>(value.getType()))
    entry->second.parts.push_back(createRoot(value, 0));
  return entry->second;
}

SmallVector<Replayed, 0> Replay::lookupAll(ValueRange range) {
  SmallVector<Replayed, 0> known;
  for (Value value : range)
    known.push_back(lookup(value));
  return known;
}

std::optional<int64_t> Replay::getInt(OpFoldResult value) {
  auto attr = dyn_cast<Attribute>(value);
  if (!attr)
    attr = lookup(cast<Value>(value)).constant;
  auto integer = dyn_cast_or_null<IntegerAttr>(attr);
  if (!integer || integer.getValue().getSignificantBits() > 64)
    return std::nullopt;
  return integer.getValue().getSExtValue();
}

void Replay::bind(ValueRange range, ArrayRef<Replayed> known) {
  for (auto [value, what] : llvm::zip_equal(range, known))
    values[value] = what;
}

/// Both may be it.
static void join(Replayed &value, const Replayed &other) {
  if (value.constant != other.constant)
    value.constant = {};
  llvm::append_range(value.parts, other.parts);
  for (const auto &collective : other.collectives)
    if (!llvm::is_contained(value.collectives, collective))
      value.collectives.push_back(collective);
}

//===----------------------------------------------------------------------===//
// Operations without regions
//===----------------------------------------------------------------------===//

void Replay::runStart(CollectiveOpInterface start) {
  auto modes = start->getAttrOfType<ArrayAttr>("source_modes");
  for (auto [index, future] : llvm::enumerate(start->getResults())) {
    SmallVector<unsigned, 2> ids;
    auto add = [&](Value memref, bool isDestination) {
      if (!isa<BaseMemRefType>(memref.getType()))
        return;
      unsigned id = flights.size();
      flights.push_back({start, lookup(memref).parts, isDestination});
      ids.push_back(id);
      for (const BufferPart &part : flights.back().parts)
        if (auto &known = flightsOf[part.root];
            known.empty() || known.back() != id)
          known.push_back(id);
    };
    // The destination first: it is the one to name when both are the same.
    if (!start.getDestinations().empty())
      add(start.getDestinations()[index], /*isDestination=*/true);
    if (!modes ||
        cast<SourceModeAttr>(modes[index]).getValue() == SourceMode::Borrow)
      add(start.getSources()[index], /*isDestination=*/false);
    Replayed result;
    result.collectives.push_back(std::move(ids));
    values[future] = std::move(result);
  }
}

/// A wait for one of several futures that were all started leaves it open which
/// of them is complete; of those on different paths the one that exists is.
void Replay::runWait(WaitOp wait) {
  for (auto [index, future] : llvm::enumerate(wait.getFutures())) {
    auto collectives = lookup(future).collectives;
    Replayed result;
    for (ArrayRef<unsigned> ids : collectives)
      for (unsigned id : ids) {
        FlightState &state = flights[id].state;
        if (flights[id].isDestination)
          llvm::append_range(result.parts, flights[id].parts);
        bool isOpen = collectives.size() > 1 && state == FlightState::InFlight;
        state = isOpen ? FlightState::Uncertain : FlightState::Done;
      }
    if (index >= wait->getNumResults())
      continue;
    Value value = wait->getResult(index);
    bool isNamed = cast<FutureType>(future.getType()).hasNamedDestination();
    if (!isNamed && isa<BaseMemRefType>(value.getType()))
      result.parts.push_back(createRoot(value, ++numRoots));
    values[value] = std::move(result);
  }
}

bool Replay::runSelect(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  if (!select || !select.getCondition().getType().isInteger(1))
    return false;
  Replayed result = lookup(select.getTrueValue());
  Replayed other = lookup(select.getFalseValue());
  std::optional<int64_t> condition =
      getInt(OpFoldResult(select.getCondition()));
  if (!condition)
    join(result, other);
  else if (*condition == 0)
    result = other;
  values[select.getResult()] = result;
  return true;
}

bool Replay::runView(Operation *op) {
  OpOperand *viewed = getViewedOperand(op);
  if (!viewed || !isa<BaseMemRefType>(viewed->get().getType()))
    return false;
  Replayed result = lookup(viewed->get());
  result.constant = {};
  for (BufferPart &part : result.parts) {
    if (auto subview = dyn_cast<memref::SubViewOp>(op)) {
      part = getSubView(subview, part);
    } else if (!isa<memref::CastOp, memref::MemorySpaceCastOp>(op)) {
      // The same elements by other indices, or some of them.
      part.hasDims = false;
      part.isExact &= isa<memref::CollapseShapeOp, memref::ExpandShapeOp,
                          memref::TransposeOp>(op);
    }
  }
  values[op->getResult(0)] = std::move(result);
  return true;
}

/// Another name of a buffer: of a global, or through a tensor that shows it.
bool Replay::runAlias(Operation *op) {
  if (isa<memref::GetGlobalOp>(op)) {
    Value identity = effects.getIdentity(op->getResult(0));
    values[op->getResult(0)] = {{}, {createRoot(identity, 0)}, {}};
    return true;
  }
  if (!isa<bufferization::ToTensorOp, bufferization::ToBufferOp>(op))
    return false;
  Replayed result = lookup(op->getOperand(0));
  bool isBuffer = isa<BaseMemRefType>(op->getResult(0).getType());
  if (isBuffer && result.parts.empty())
    result.parts.push_back(createRoot(op->getResult(0), ++numRoots));
  values[op->getResult(0)] = std::move(result);
  return true;
}

/// Constants, and what folds to one.
bool Replay::runFold(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !isMemoryEffectFree(op))
    return false;
  Attribute constant;
  if (matchPattern(op, m_Constant(&constant))) {
    values[op->getResult(0)] = {constant, {}, {}};
    return true;
  }
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(lookup(operand).constant);
    if (!operands.back())
      return false;
  }
  if (operands.empty())
    return false;
  // Folding may change an operation in place.
  Operation *copy = op->clone();
  SmallVector<OpFoldResult> results;
  bool isFolded =
      succeeded(copy->fold(operands, results)) && results.size() == 1;
  if (isFolded) {
    Replayed result;
    if (auto attr = dyn_cast<Attribute>(results.front()))
      result.constant = attr;
    else if (Value value = cast<Value>(results.front());
             value != copy->getResult(0))
      result = lookup(value);
    values[op->getResult(0)] = std::move(result);
  }
  copy->destroy();
  return isFolded;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// So many that buffers and futures which take turns come round twice. What
/// does not communicate is the same in each iteration.
int64_t Replay::getMaxIterations(Operation *loop, int64_t numCarried) {
  auto [entry, isNew] = communicates.try_emplace(loop, false);
  if (isNew)
    entry->second =
        loop->walk([](Operation *op) {
              return isa<CollectiveOpInterface, WaitOp, CallOpInterface>(op)
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            })
            .wasInterrupted();
  return entry->second
             ? std::clamp(2 * numCarried + 2, kMinIterations, kMaxIterations)
             : 1;
}

void Replay::markCarried(ArrayRef<Replayed> carried) {
  for (const Replayed &value : carried)
    for (ArrayRef<unsigned> ids : value.collectives)
      for (unsigned id : ids)
        flights[id].isCarried = true;
}

/// The loop goes on for longer than it was followed: which buffers the last
/// iterations used is not known.
void Replay::leaveUnfinished(SmallVectorImpl<Replayed> &results,
                             unsigned firstFlight) {
  for (ReplayedFlight &flight :
       MutableArrayRef(flights).drop_front(firstFlight))
    if (flight.state == FlightState::InFlight)
      flight.state = FlightState::Uncertain;
  for (Replayed &result : results) {
    result.constant = {};
    result.parts.clear();
  }
}

LogicalResult Replay::runLoop(scf::ForOp loop) {
  std::optional<int64_t> lower = getInt(OpFoldResult(loop.getLowerBound()));
  std::optional<int64_t> upper = getInt(OpFoldResult(loop.getUpperBound()));
  std::optional<int64_t> step = getInt(OpFoldResult(loop.getStep()));
  int64_t limit = getMaxIterations(loop, loop.getNumRegionIterArgs());
  std::optional<int64_t> tripCount;
  if (lower && upper && step && *step > 0) {
    tripCount = *upper <= *lower
                    ? 0
                    : llvm::divideCeil(static_cast<uint64_t>(*upper) -
                                           static_cast<uint64_t>(*lower),
                                       static_cast<uint64_t>(*step));
    limit = std::min(*tripCount, limit == 1                    ? 1
                                 : *tripCount <= kMaxTripCount ? kMaxTripCount
                                                               : limit);
  }
  unsigned firstFlight = flights.size();
  SmallVector<Replayed, 0> carried = lookupAll(loop.getInitArgs());
  Builder builder(loop.getContext());
  for (int64_t i = 0; i < limit; ++i) {
    Replayed induction;
    if (lower && step)
      induction.constant = builder.getIntegerAttr(
          loop.getInductionVar().getType(), *lower + i * *step);
    values[loop.getInductionVar()] = induction;
    markCarried(carried);
    bind(loop.getRegionIterArgs(), carried);
    if (failed(runBlock(*loop.getBody())))
      return failure();
    carried = lookupAll(loop.getBody()->getTerminator()->getOperands());
  }
  if (tripCount && *tripCount > limit)
    leaveUnfinished(carried, firstFlight);
  bind(loop.getResults(), carried);
  return success();
}

LogicalResult Replay::runLoop(scf::WhileOp loop) {
  int64_t limit = getMaxIterations(loop, loop.getInits().size());
  unsigned firstFlight = flights.size();
  SmallVector<Replayed, 0> carried = lookupAll(loop.getInits());
  for (int64_t i = 0;; ++i) {
    bind(loop.getBeforeArguments(), carried);
    if (failed(runBlock(*loop.getBeforeBody())))
      return failure();
    scf::ConditionOp condition = loop.getConditionOp();
    carried = lookupAll(condition.getArgs());
    std::optional<int64_t> isTrue =
        getInt(OpFoldResult(condition.getCondition()));
    if (isTrue == 0)
      break;
    if (i == limit) {
      if (isTrue)
        leaveUnfinished(carried, firstFlight);
      break;
    }
    markCarried(carried);
    bind(loop.getAfterArguments(), carried);
    if (failed(runBlock(*loop.getAfterBody())))
      return failure();
    carried = lookupAll(loop.getYieldOp().getOperands());
  }
  bind(loop.getResults(), carried);
  return success();
}

//===----------------------------------------------------------------------===//
// Branches and calls
//===----------------------------------------------------------------------===//

/// Each region starts with what is in flight here; null stands for a region
/// that does nothing. Afterwards is uncertain what not all of them agree on.
LogicalResult Replay::runBranches(Operation *op, ArrayRef<Region *> regions) {
  auto getStates = [&]() {
    return llvm::map_to_vector(
        flights, [](const ReplayedFlight &flight) { return flight.state; });
  };
  auto before = getStates();
  auto joined = before;
  SmallVector<Replayed, 0> results;
  for (auto [number, region] : llvm::enumerate(regions)) {
    for (auto [flight, state] : llvm::zip(flights, before))
      flight.state = state;
    unsigned firstOwn = flights.size();
    if (region && failed(runBlock(region->front())))
      return failure();
    auto after = getStates();
    for (unsigned id = 0, e = after.size(); id != e; ++id) {
      bool isOwn = id >= firstOwn;
      if (isOwn)
        joined.push_back(after[id]);
      else if (id < before.size() && number == 0)
        joined[id] = after[id];
      if (regions.size() > 1 && joined[id] != after[id] && id < before.size())
        joined[id] = FlightState::Uncertain;
      if (regions.size() > 1 && isOwn && after[id] != FlightState::Done)
        joined[id] = FlightState::Uncertain;
    }
    if (!region)
      continue;
    SmallVector<Replayed, 0> yielded =
        lookupAll(region->front().getTerminator()->getOperands());
    if (results.empty()) {
      results = std::move(yielded);
      continue;
    }
    for (auto [result, other] : llvm::zip_equal(results, yielded))
      join(result, other);
  }
  for (auto [flight, state] : llvm::zip_equal(flights, joined))
    flight.state = state;
  if (op->getNumResults() != 0)
    bind(op->getResults(), results);
  return success();
}

LogicalResult Replay::runIf(scf::IfOp op) {
  Region *elseRegion =
      op.getElseRegion().empty() ? nullptr : &op.getElseRegion();
  if (std::optional<int64_t> isTrue = getInt(OpFoldResult(op.getCondition())))
    return runBranches(op, *isTrue ? &op.getThenRegion() : elseRegion);
  return runBranches(op, {&op.getThenRegion(), elseRegion});
}

LogicalResult Replay::runCall(func::CallOp call, Block &body) {
  bind(body.getArguments(), lookupAll(call.getOperands()));
  calls.push_back(call);
  if (failed(runBlock(body)))
    return failure();
  calls.pop_back();
  bind(call.getResults(), lookupAll(body.getTerminator()->getOperands()));
  return success();
}

LogicalResult Replay::runOperation(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return runLoop(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return runLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return runIf(branch);
  if (isa<scf::ExecuteRegionOp, scf::IndexSwitchOp>(op) &&
      llvm::all_of(op->getRegions(), llvm::hasSingleElement<Region &>)) {
    SmallVector<Region *> regions;
    for (Region &region : op->getRegions())
      regions.push_back(&region);
    return runBranches(op, regions);
  }
  if (auto wait = dyn_cast<WaitOp>(op)) {
    runWait(wait);
    return success();
  }
  if (auto call = dyn_cast<func::CallOp>(op)) {
    FunctionOpInterface callee = effects.getCallee(call);
    if (callee && !callee.isExternal() &&
        !callee->hasAttr(DistDialect::kNoEffectsAttrName) &&
        callee.getFunctionBody().hasOneBlock() &&
        llvm::none_of(calls, [&](Operation *outer) {
          return effects.getCallee(cast<func::CallOp>(outer)) == callee;
        }))
      return runCall(call, callee.getFunctionBody().front());
  }
  if (runFold(op) || runSelect(op) || runView(op) || runAlias(op))
    return success();
  if (failed(visit(op)))
    return failure();
  if (auto start = dyn_cast<CollectiveOpInterface>(op);
      start && start.isStart()) {
    runStart(start);
    return success();
  }
  for (Value result : op->getResults()) {
    Replayed value;
    if (auto dup = dyn_cast<DupOp>(op))
      value = lookup(dup.getFuture());
    else if (isa<BaseMemRefType>(result.getType()))
      value.parts.push_back(createRoot(result, ++numRoots));
    values[result] = std::move(value);
  }
  if (auto drop = dyn_cast<DropOp>(op))
    for (ArrayRef<unsigned> ids : lookup(drop->getOperand(0)).collectives)
      for (unsigned id : ids)
        flights[id].state = FlightState::Done;
  return success();
}

LogicalResult Replay::runBlock(Block &block) {
  for (Operation &op : block) {
    if (budget-- <= 0)
      return success();
    if (!op.hasTrait<OpTrait::IsTerminator>() && failed(runOperation(&op)))
      return failure();
  }
  return success();
}

LogicalResult Replay::run(FunctionOpInterface function) {
  // Which way blocks are taken is not followed.
  if (!function.getFunctionBody().hasOneBlock())
    return success();
  int64_t numOps = 0;
  function->walk([&](Operation *) { ++numOps; });
  budget = kBudgetFactor * numOps;
  return runBlock(function.getFunctionBody().front());
}
