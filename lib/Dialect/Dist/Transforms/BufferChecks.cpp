//===- BufferChecks.cpp - Buffers in flight are untouched -------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks the program with the set of buffers that are in flight. What is certain
// is an error; where two views of a buffer only may overlap, a remark says so.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Analysis/Sources.h"
#include "Dialect/Dist/Analysis/Views.h"
#include "ScheduleChecks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::dist;

namespace {
/// One buffer that a future has in flight.
struct BufferInFlight {
  Value future;
  CollectiveOpInterface start;
  /// The operand of the start and what it is a view of.
  Value memref, buffer;
  bool isDestination;
  /// Whether it is surely this buffer and this instance of the start.
  bool isCertain;
  /// Whether the future came through control flow: then `memref` may be the one
  /// of another iteration.
  bool isCarried;
};

/// The buffers in flight, by buffer and by future.
class FlightSet {
public:
  void add(BufferInFlight entry) {
    byBuffer[entry.buffer].push_back(entry);
    buffers[entry.future].push_back(entry.buffer);
  }

  /// What was in flight for `future`.
  SmallVector<BufferInFlight> remove(Value future) {
    SmallVector<BufferInFlight> removed;
    for (Value buffer : buffers[future])
      llvm::erase_if(byBuffer[buffer], [&](const BufferInFlight &entry) {
        if (entry.future != future)
          return false;
        removed.push_back(entry);
        return true;
      });
    buffers.erase(future);
    return removed;
  }

  /// Forgets the futures that blocks of `region` define.
  void removeFuturesOf(Region &region) {
    SmallVector<Value> gone;
    for (auto &[future, unused] : buffers)
      if (future.getParentRegion() == &region)
        gone.push_back(future);
    for (Value future : gone)
      remove(future);
  }

  ArrayRef<BufferInFlight> find(Value buffer) const {
    auto found = byBuffer.find(buffer);
    return found == byBuffer.end() ? ArrayRef<BufferInFlight>()
                                   : ArrayRef<BufferInFlight>(found->second);
  }

private:
  DenseMap<Value, SmallVector<BufferInFlight, 2>> byBuffer;
  DenseMap<Value, SmallVector<Value, 2>> buffers;
};

class BufferChecker {
public:
  explicit BufferChecker(EffectAnalysis &effects) : effects(effects) {}

  LogicalResult checkRegion(Region &region);

private:
  LogicalResult checkOperation(Operation *op);
  LogicalResult checkAccess(Operation *op, MemoryAccess access);
  SetVector<Value> getBuffers(Value memref);
  SetVector<Value> getChoices(Value memref);
  void addStart(CollectiveOpInterface start);
  void addCarried(Value future, bool isDestination);
  /// Takes the future out of the set, to be put back for the sibling regions.
  void remove(Value future) {
    llvm::append_range(removed, flights.remove(future));
  }

  EffectAnalysis &effects;
  FlightSet flights;
  SmallVector<BufferInFlight> removed;
};
} // namespace

//===----------------------------------------------------------------------===//
// Overlap
//===----------------------------------------------------------------------===//

/// The only subview between `memref` and its buffer; null when it shows all of
/// the buffer. Fails when that is more complicated.
static FailureOr<memref::SubViewOp> getSubView(Value memref) {
  memref::SubViewOp only;
  while (Operation *op = memref.getDefiningOp()) {
    if (auto subview = dyn_cast<memref::SubViewOp>(op)) {
      if (only)
        return failure();
      only = subview;
    } else if (!isa<memref::CastOp, memref::CollapseShapeOp,
                    memref::ExpandShapeOp, memref::TransposeOp,
                    memref::MemorySpaceCastOp, WaitOp>(op)) {
      return getViewedOperand(op) ? FailureOr<memref::SubViewOp>(failure())
                                  : only;
    } else if (only && !isa<memref::CastOp>(op)) {
      return failure();
    }
    Value next = getBuffer(memref);
    OpOperand *viewed = getViewedOperand(op);
    memref = viewed ? viewed->get() : next;
    if (!viewed && next == memref && isa<WaitOp>(op))
      break;
  }
  return only;
}

enum class Overlap { None, Possible, Certain };

/// Whether two static boxes of one buffer have an element in common.
static Overlap compareBoxes(memref::SubViewOp lhs, memref::SubViewOp rhs) {
  if (lhs == rhs)
    return Overlap::Certain;
  bool allStatic = true;
  for (auto [lo, ls, lt, ro, rs, rt] :
       llvm::zip_equal(lhs.getStaticOffsets(), lhs.getStaticSizes(),
                       lhs.getStaticStrides(), rhs.getStaticOffsets(),
                       rhs.getStaticSizes(), rhs.getStaticStrides())) {
    if (llvm::any_of(ArrayRef<int64_t>{lo, ls, lt, ro, rs, rt},
                     ShapedType::isDynamic) ||
        lt != 1 || rt != 1) {
      allStatic = false;
      continue;
    }
    if (lo + ls <= ro || ro + rs <= lo)
      return Overlap::None;
  }
  return allStatic ? Overlap::Certain : Overlap::Possible;
}

/// Whether `op` touches all elements of its buffers.
static bool touchesAll(Operation *op) {
  return !isa<memref::LoadOp, memref::StoreOp>(op);
}

/// Whether an access by `op` to `rhs` touches what `lhs` shows.
static Overlap compare(Value lhs, Value rhs, Operation *op) {
  FailureOr<memref::SubViewOp> left = getSubView(lhs), right = getSubView(rhs);
  if (failed(left) || failed(right))
    return lhs == rhs ? Overlap::Certain : Overlap::Possible;
  if (!*left)
    return Overlap::Certain;
  // One element of a buffer need not be one of the piece.
  if (!*right)
    return touchesAll(op) ? Overlap::Certain : Overlap::Possible;
  if (left->getSourceType().getRank() != right->getSourceType().getRank())
    return Overlap::Possible;
  return compareBoxes(*left, *right);
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

/// Everything that `memref` can be.
SetVector<Value> BufferChecker::getBuffers(Value memref) {
  SetVector<Value> buffers;
  for (Value buffer : getSources(memref))
    buffers.insert(effects.getIdentity(buffer));
  return buffers;
}

/// What `memref` can be at this point of one iteration: selections are looked
/// through, loops are not.
SetVector<Value> BufferChecker::getChoices(Value memref) {
  SetVector<Value> choices;
  SmallVector<Value> worklist = {memref};
  while (!worklist.empty()) {
    Value buffer = getBuffer(worklist.pop_back_val());
    if (auto select = buffer.getDefiningOp<arith::SelectOp>())
      worklist.append({select.getFalseValue(), select.getTrueValue()});
    else
      choices.insert(effects.getIdentity(buffer));
  }
  return choices;
}

static bool isBorrowed(CollectiveOpInterface start, unsigned index) {
  auto modes = start->getAttrOfType<ArrayAttr>("source_modes");
  return !modes ||
         cast<SourceModeAttr>(modes[index]).getValue() == SourceMode::Borrow;
}

/// What a start reads until its wait, and what it writes.
void BufferChecker::addStart(CollectiveOpInterface start) {
  for (auto [index, future] : llvm::enumerate(start->getResults())) {
    auto add = [&, future = future](Value memref, bool isDestination) {
      if (!isa<BaseMemRefType>(memref.getType()))
        return;
      SetVector<Value> buffers = getBuffers(memref);
      for (Value buffer : buffers)
        flights.add({future, start, memref, buffer, isDestination,
                     /*isCertain=*/buffers.size() == 1, /*isCarried=*/false});
    };
    if (isBorrowed(start, index))
      add(start.getSources()[index], /*isDestination=*/false);
    if (!start.getDestinations().empty())
      add(start.getDestinations()[index], /*isDestination=*/true);
  }
}

/// A future that came through control flow. It is certain what it has in flight
/// when all starts that it can be of use one and the same whole buffer.
void BufferChecker::addCarried(Value future, bool isDestination) {
  SmallVector<BufferInFlight> entries;
  llvm::SmallDenseSet<Value> seen;
  bool isKnown = true;
  for (Value source : getSources(future)) {
    CollectiveOpInterface start = getStart(source);
    unsigned index = start ? cast<OpResult>(source).getResultNumber() : 0;
    Value memref;
    if (start && isDestination && !start.getDestinations().empty())
      memref = start.getDestinations()[index];
    else if (start && !isDestination && isBorrowed(start, index))
      memref = start.getSources()[index];
    if (!memref || !isa<BaseMemRefType>(memref.getType())) {
      isKnown = false;
      continue;
    }
    FailureOr<memref::SubViewOp> subview = getSubView(memref);
    isKnown &= succeeded(subview) && !*subview;
    for (Value buffer : getBuffers(memref))
      if (seen.insert(buffer).second)
        entries.push_back({future, start, memref, buffer, isDestination,
                           /*isCertain=*/false, /*isCarried=*/true});
  }
  for (BufferInFlight &entry : entries) {
    entry.isCertain = isKnown && entries.size() == 1;
    flights.add(entry);
  }
}

LogicalResult BufferChecker::checkAccess(Operation *op, MemoryAccess access) {
  if (!access.buffer)
    return success();
  Value memref = access.memref ? access.memref : access.buffer;
  SetVector<Value> buffers = getBuffers(memref), choices = getChoices(memref);
  // Those of the choices that are surely in flight.
  llvm::SmallDenseSet<Value> inFlight;
  for (Value buffer : buffers)
    for (const BufferInFlight &entry : flights.find(buffer)) {
      if (!entry.isDestination && !access.isWrite)
        continue;
      Overlap overlap = compare(entry.memref, memref, op);
      if (overlap == Overlap::None)
        continue;
      bool isOne = entry.isCertain && buffers.size() == 1;
      if (!isOne) {
        // Which of several buffers it is changes from one iteration to the
        // next: buffers used in turn are no race.
        SetVector<Value> others = getChoices(entry.memref);
        if (entry.isCarried || llvm::none_of(choices, [&](Value choice) {
              return others.contains(choice);
            }))
          continue;
        if (others.size() == 1)
          inFlight.insert(others.front());
        // Whichever it is: the very value that the start has, or all in flight.
        isOne = getBuffer(entry.memref) == getBuffer(memref) ||
                llvm::all_of(choices, [&](Value choice) {
                  return inFlight.contains(choice);
                });
      }
      bool isCertain = isOne && overlap == Overlap::Certain;
      InFlightDiagnostic diag =
          isCertain ? op->emitOpError() : op->emitRemark();
      diag << (isCertain ? "" : "may race: ")
           << (access.isWrite ? "writes buffer " : "reads buffer ")
           << describeBuffer(buffer) << " while the "
           << describeStart(entry.start) << " is in flight, whose "
           << (entry.isDestination ? "destination" : "source") << " it is";
      diag.attachNote(entry.start->getLoc()) << "started here";
      if (isCertain)
        return diag;
    }
  return success();
}

LogicalResult BufferChecker::checkOperation(Operation *op) {
  // Whoever takes a future has it from here on; a wait ends the flight first.
  for (Value operand : op->getOperands())
    if (isa<FutureType>(operand.getType()) && !isa<DupOp>(op))
      remove(operand);
  // An operation that does nothing by itself is what its regions do.
  bool isTransparent = op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
                       !isa<MemoryEffectOpInterface>(op);
  if (!isTransparent && !isa<WaitOp>(op))
    for (MemoryAccess access : effects.getEffects(op).accesses)
      if (failed(checkAccess(op, access)))
        return failure();
  if (auto start = dyn_cast<CollectiveOpInterface>(op);
      start && start.isStart())
    addStart(start);
  // Each region starts with what is in flight here. A future that one of them
  // consumes is consumed in the others too, or that is an error of its own.
  SmallVector<BufferInFlight> outer = std::move(removed);
  for (Region &region : op->getRegions()) {
    for (BufferInFlight &entry : removed)
      if (!op->isAncestor(entry.future.getParentBlock()->getParentOp()))
        flights.add(entry);
    removed.clear();
    if (failed(checkRegion(region)))
      return failure();
  }
  // Of what the last region took, nothing is put back.
  removed.insert(removed.begin(), outer.begin(), outer.end());
  if (!isa<CollectiveOpInterface>(op))
    for (Value result : op->getResults())
      if (isa<FutureType>(result.getType())) {
        addCarried(result, /*isDestination=*/true);
        addCarried(result, /*isDestination=*/false);
      }
  return success();
}

LogicalResult BufferChecker::checkRegion(Region &region) {
  for (Block &block : region) {
    // On which paths a future of another block was consumed is not followed:
    // in functions of several blocks each block is checked by itself.
    if (!block.isEntryBlock())
      flights.removeFuturesOf(region);
    for (BlockArgument argument : block.getArguments())
      if (isa<FutureType>(argument.getType())) {
        addCarried(argument, /*isDestination=*/true);
        addCarried(argument, /*isDestination=*/false);
      }
    for (Operation &op : block)
      if (failed(checkOperation(&op)))
        return failure();
  }
  return success();
}

LogicalResult mlir::dist::checkBuffers(FunctionOpInterface function,
                                       EffectAnalysis &effects) {
  // Tensors in flight are nobody's buffers.
  bool hasBuffers = false;
  function->walk([&](CollectiveOpInterface start) {
    hasBuffers |= start.isStart() &&
                  !isa<RankedTensorType>(start.getSources()[0].getType());
  });
  if (!hasBuffers)
    return success();
  return BufferChecker(effects).checkRegion(function.getFunctionBody());
}
