//===- ReinplaceBuffers.cpp -----------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// start + wait + copy becomes a start with the copy's target as destination. A
// functional collective gives the future a fresh buffer; where the program only
// copies it on, the copy and the buffer go away. Where the source dies with the
// start and source and destination may be one buffer, the fresh buffer goes
// away too. Copies that One-Shot had to make get a remark that says why.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Analysis/OwnSlot.h"
#include "Dialect/Dist/Transforms/Passes.h"
#include "Dialect/Dist/Utils/Collectives.h"
#include "FutureSources.h"
#include "mlir/Analysis/AliasAnalysis.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#define DEBUG_TYPE "dist-reinplace-buffers"

namespace mlir::dist {
#define GEN_PASS_DEF_REINPLACEBUFFERSPASS
#include "Dialect/Dist/Transforms/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

namespace {
/// One future of a start whose data is only copied on.
struct CopiedFuture {
  WaitOp wait;
  Operation *copy;
  Value destination;
};

/// Why a collective stays as it is, and what is in its way.
struct Obstacle {
  std::string reason;
  Operation *op = nullptr;
};

class Reinplacer {
public:
  Reinplacer(AliasAnalysis &aliases, DominanceInfo &dominance)
      : aliases(aliases), dominance(dominance) {}

  void run(CollectiveOpInterface start, RewriterBase &rewriter);
  /// For the copies that are left of what a collective works on, or into what
  /// one works on.
  void remarkCopies(Operation *root);

private:
  std::optional<CopiedFuture> match(Value future);
  bool canWrite(CollectiveOpInterface start, CopiedFuture copied,
                Obstacle &obstacle);
  static bool reuseSource(CollectiveOpInterface start, RewriterBase &rewriter);
  bool mayTouch(Operation *op, Value destination);
  bool mayAlias(Value memref, Value destination);
  bool hoist(Value destination, Operation *start);
  void rewrite(CollectiveOpInterface start, ArrayRef<CopiedFuture> copied,
               RewriterBase &rewriter);

  AliasAnalysis &aliases;
  DominanceInfo &dominance;
  /// Copies that have a remark.
  llvm::DenseSet<Operation *> explained;
};
} // namespace

/// Where `op` copies all of `source` to; null when it does something else.
static Value getCopyTarget(Operation *op, Value source) {
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return copy.getSource() == source ? copy.getTarget() : Value();
  if (auto copy = dyn_cast<linalg::CopyOp>(op))
    if (copy.getInputs()[0] == source && copy.getOutputs()[0] != source &&
        getElementTypeOrSelf(source) ==
            getElementTypeOrSelf(copy.getOutputs()[0]))
      return copy.getOutputs()[0];
  return {};
}

/// Matches a future that is waited once and whose data is copied once.
std::optional<CopiedFuture> Reinplacer::match(Value future) {
  if (!future.hasOneUse())
    return std::nullopt;
  auto wait = dyn_cast<WaitOp>(*future.getUsers().begin());
  if (!wait || wait.getFutures().size() != 1 ||
      !isa<MemRefType>(wait.getResult(0).getType()) ||
      !wait.getResult(0).hasOneUse())
    return std::nullopt;
  Operation *copy = *wait.getResult(0).getUsers().begin();
  Value destination = getCopyTarget(copy, wait.getResult(0));
  if (!destination || wait->getBlock() != copy->getBlock() ||
      wait->getBlock() != future.getDefiningOp()->getBlock())
    return std::nullopt;
  return CopiedFuture{wait, copy, destination};
}

/// A copy of waited data that has another reader as well, and that reader; null
/// without them.
static std::pair<Operation *, Operation *>
findOtherReader(CollectiveOpInterface start) {
  for (Operation *wait : start->getUsers())
    for (Value waited : wait->getResults()) {
      Operation *copy = nullptr, *other = nullptr;
      for (Operation *user : waited.getUsers())
        (getCopyTarget(user, waited) ? copy : other) = user;
      if (copy && other)
        return {copy, other};
    }
  return {};
}

/// Arguments of a compiled function that were tensors are separate buffers: two
/// tensors are two values, and One-Shot relies on it as well.
static bool areSeparateTensors(Value lhs, Value rhs) {
  auto left = dyn_cast<BlockArgument>(lhs),
       right = dyn_cast<BlockArgument>(rhs);
  if (!left || !right || left == right || left.getOwner() != right.getOwner())
    return false;
  auto signature = left.getOwner()->getParentOp()->getAttrOfType<TypeAttr>(
      DistDialect::kSignatureAttrName);
  if (!signature)
    return false;
  auto type = cast<FunctionType>(signature.getValue());
  return isa<TensorType>(type.getInput(left.getArgNumber())) &&
         isa<TensorType>(type.getInput(right.getArgNumber()));
}

/// Whether `memref` is a constant: nobody writes it, so no destination is it.
static bool isConstant(Value memref) {
  auto get = memref.getDefiningOp<memref::GetGlobalOp>();
  if (!get)
    return false;
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      get, get.getNameAttr());
  return global && global.getConstant();
}

bool Reinplacer::mayAlias(Value memref, Value destination) {
  Value base = getBaseMemref(memref), target = getBaseMemref(destination);
  if (base == target)
    return true;
  return !isConstant(base) && !areSeparateTensors(base, target) &&
         !aliases.alias(base, target).isNo();
}

/// Whether `op`, or anything in it, may read or write the destination.
bool Reinplacer::mayTouch(Operation *op, Value destination) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  if (!effects)
    return true;
  return llvm::any_of(*effects, [&](const MemoryEffects::EffectInstance &it) {
    if (isa<CommunicatorResource>(it.getResource()) ||
        isa<MemoryEffects::Allocate>(it.getEffect()))
      return false;
    return !it.getValue() || mayAlias(it.getValue(), destination);
  });
}

/// Makes the destination, a view or memory that nothing uses before, visible at
/// the start. Fails when it depends on what is computed later.
bool Reinplacer::hoist(Value destination, Operation *start) {
  if (dominance.properlyDominates(destination, start))
    return true;
  Operation *def = destination.getDefiningOp();
  bool isView = isa_and_nonnull<ViewLikeOpInterface>(def) && isPure(def);
  if (!isView && !isa_and_nonnull<memref::AllocOp>(def))
    return false;
  for (Value operand : def->getOperands())
    if (!hoist(operand, start))
      return false;
  def->moveBefore(start);
  return true;
}

bool Reinplacer::canWrite(CollectiveOpInterface start, CopiedFuture copied,
                          Obstacle &obstacle) {
  Value destination = copied.destination;
  unsigned index =
      cast<OpResult>(copied.wait.getFutures()[0]).getResultNumber();
  for (auto [number, source] : llvm::enumerate(start.getSources())) {
    if (!mayAlias(source, destination))
      continue;
    // A source that the future takes over or copies is not read in place.
    if (number == index && start.getSourceMode(index) == SourceMode::Borrow &&
        mayWorkInPlace(start, source, destination))
      continue;
    obstacle = {"the destination may be the source's buffer", copied.copy};
    return false;
  }
  for (Operation *op = start->getNextNode(); op != copied.copy;
       op = op->getNextNode())
    if (op != copied.wait && mayTouch(op, destination)) {
      obstacle = {"the destination may be used while the collective is in "
                  "flight",
                  op};
      return false;
    }
  if (!hoist(destination, start)) {
    obstacle = {"the destination is not known before the start", copied.copy};
    return false;
  }
  return true;
}

void Reinplacer::rewrite(CollectiveOpInterface start,
                         ArrayRef<CopiedFuture> copied,
                         RewriterBase &rewriter) {
  SmallVector<Value> destinations;
  SmallVector<Type> types;
  for (CopiedFuture future : copied) {
    destinations.push_back(future.destination);
    types.push_back(
        FutureType::get(cast<ShapedType>(future.destination.getType())));
  }
  rewriter.modifyOpInPlace(start, [&] {
    start.getDestinationsMutable().assign(destinations);
    for (auto [result, type] : llvm::zip_equal(start->getResults(), types))
      result.setType(cast<FutureType>(type));
  });
  for (CopiedFuture future : copied) {
    WaitOp wait = future.wait;
    rewriter.eraseOp(future.copy);
    rewriter.setInsertionPoint(wait);
    WaitOp::create(rewriter, wait.getLoc(), future.destination.getType(),
                   wait.getFutures(), wait.getKeeps(), future.destination);
    rewriter.eraseOp(wait);
  }
}

/// What uses `memref` otherwise than the start at `source` and the wait that
/// keeps it, and not surely before the start; null without any.
static Operation *findOtherUse(OpOperand &source, WaitOp wait) {
  Operation *start = source.getOwner();
  for (OpOperand &use : source.get().getUses()) {
    Operation *user = use.getOwner();
    if (&use == &source || user == wait)
      continue;
    Operation *here = start->getBlock()->findAncestorOpInBlock(*user);
    // Through a view it may be used anywhere.
    if (!here || !here->isBeforeInBlock(start) ||
        isa<ViewLikeOpInterface>(user))
      return user;
  }
  return nullptr;
}

/// Lets a collective that keeps the shape work in the buffer of its source when
/// nothing needs that any more. Returns whether it does.
bool Reinplacer::reuseSource(CollectiveOpInterface start,
                             RewriterBase &rewriter) {
  if (!mayShareBuffer(start.getCollectiveKind()) ||
      start->getNumResults() != 1 || !start->getResult(0).hasOneUse() ||
      start.getSourceMode(0) != SourceMode::Borrow)
    return false;
  OpOperand &source = start.getSourcesMutable()[0];
  auto wait = dyn_cast<WaitOp>(*start->getResult(0).user_begin());
  Operation *def = source.get().getDefiningOp();
  // Memory that is made in this block, in the way a wait makes it.
  if (!wait || wait.getFutures().size() != 1 ||
      wait->getBlock() != start->getBlock() ||
      wait.getResult(0).getType() != source.get().getType() || !def ||
      def->getBlock() != start->getBlock() ||
      !(isa<memref::AllocOp>(def) ||
        (isa<WaitOp>(def) && cast<WaitOp>(def).getDestinations().empty())))
    return false;
  if (Operation *other = findOtherUse(source, wait)) {
    InFlightDiagnostic remark = start->emitRemark()
                                << "keeps a buffer of its own: the source is "
                                   "used by others than the start";
    remark.attachNote(other->getLoc()) << "here";
    return false;
  }
  Value buffer = source.get();
  rewriter.modifyOpInPlace(start, [&] {
    start.getDestinationsMutable().assign(buffer);
    start->getResult(0).setType(
        FutureType::get(cast<ShapedType>(buffer.getType())));
  });
  rewriter.setInsertionPoint(wait);
  WaitOp::create(rewriter, wait.getLoc(), buffer.getType(), wait.getFutures(),
                 wait.getKeeps(), buffer);
  // The buffer itself, so that a chain of collectives stays in it.
  rewriter.replaceOp(wait, buffer);
  return true;
}

//===----------------------------------------------------------------------===//
// Copies that stay
//===----------------------------------------------------------------------===//

/// Everything that uses `memref` or a view of it.
static SmallVector<OpOperand *> collectUses(Value memref) {
  SmallVector<OpOperand *> uses;
  SmallVector<Value> worklist = {memref};
  while (!worklist.empty())
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      uses.push_back(&use);
      if (isa<ViewLikeOpInterface>(use.getOwner()))
        worklist.append(use.getOwner()->result_begin(),
                        use.getOwner()->result_end());
    }
  return uses;
}

/// Whether `op` is of a collective, or copies what one made.
static bool isOfCollective(Operation *op) {
  if (isa<memref::CopyOp, linalg::CopyOp>(op))
    op = getBaseMemref(op->getOperand(0)).getDefiningOp();
  return isa_and_nonnull<CollectiveOpInterface, WaitOp>(op);
}

/// Why the buffer behind `from` could not be used itself where a copy of it is.
static Obstacle explainCopy(memref::CopyOp copy) {
  Value from = getBaseMemref(copy.getSource());
  Operation *later = nullptr;
  for (OpOperand *use : collectUses(from)) {
    Operation *user = copy->getBlock()->findAncestorOpInBlock(*use->getOwner());
    if (!user || user == copy || !copy->isBeforeInBlock(user) ||
        isa<ViewLikeOpInterface>(user))
      continue;
    if (auto wait = dyn_cast<WaitOp>(user);
        wait && llvm::is_contained(wait.getKeeps(), use->get()))
      return {"a collective in flight reads it until this wait", user};
    if (!later || user->isBeforeInBlock(later))
      later = user;
  }
  if (later)
    return {"it is read later", later};
  auto argument = dyn_cast<BlockArgument>(from);
  if (argument && isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
    return {"it is an argument that the program does not name as a destination",
            copy};
  if (argument || from.getDefiningOp<LoopLikeOpInterface>())
    return {"a loop carries it", copy};
  return {"it may be needed elsewhere", copy};
}

void Reinplacer::remarkCopies(Operation *root) {
  root->walk([&](memref::CopyOp copy) {
    Value target = getBaseMemref(copy.getTarget());
    Value source = getBaseMemref(copy.getSource());
    // What is put back to where it is folds away.
    if (!target.getDefiningOp<memref::AllocOp>() || source == target ||
        explained.contains(copy))
      return;
    bool isOfInterest = false;
    for (Value memref : {target, source}) {
      isOfInterest |= memref.getDefiningOp<WaitOp>() != nullptr;
      for (OpOperand *use : collectUses(memref))
        isOfInterest |= isOfCollective(use->getOwner());
    }
    if (!isOfInterest)
      return;
    Obstacle obstacle = explainCopy(copy);
    InFlightDiagnostic remark = copy.emitRemark()
                                << "copies a buffer of a collective: "
                                << obstacle.reason;
    if (obstacle.op != copy)
      remark.attachNote(obstacle.op->getLoc()) << "here";
  });
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

static void remarkCopy(CollectiveOpInterface start, const Obstacle &obstacle) {
  InFlightDiagnostic remark = start->emitRemark()
                              << "keeps a buffer of its own and a copy: "
                              << obstacle.reason;
  remark.attachNote(obstacle.op->getLoc()) << "here";
}

void Reinplacer::run(CollectiveOpInterface start, RewriterBase &rewriter) {
  if (!start.getDestinations().empty())
    return;
  SmallVector<CopiedFuture> copied;
  for (Value future : start->getResults())
    if (std::optional<CopiedFuture> match = this->match(future))
      copied.push_back(*match);
  Obstacle obstacle;
  if (copied.empty()) {
    if (reuseSource(start, rewriter))
      return;
    auto [copy, reader] = findOtherReader(start);
    if (copy) {
      remarkCopy(start, {"its data has other readers", reader});
      explained.insert(copy);
    }
    return;
  }
  if (copied.size() != start->getNumResults())
    obstacle = {"another result of the same launch is not copied", start};
  else if (llvm::all_of(copied, [&](CopiedFuture future) {
             return canWrite(start, future, obstacle);
           }))
    return rewrite(start, copied, rewriter);
  remarkCopy(start, obstacle);
  for (CopiedFuture future : copied)
    explained.insert(future.copy);
}

namespace {
class ReinplaceBuffers
    : public mlir::dist::impl::ReinplaceBuffersPassBase<ReinplaceBuffers> {
public:
  void runOnOperation() override {
    SmallVector<CollectiveOpInterface> starts;
    getOperation().walk([&](CollectiveOpInterface op) {
      if (op.isStart())
        starts.push_back(op);
    });
    Reinplacer reinplacer(getAnalysis<AliasAnalysis>(),
                          getAnalysis<DominanceInfo>());
    IRRewriter rewriter(&getContext());
    for (CollectiveOpInterface start : starts)
      reinplacer.run(start, rewriter);
    reinplacer.remarkCopies(getOperation());
  }
};
} // namespace
