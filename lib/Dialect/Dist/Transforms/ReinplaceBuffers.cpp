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
// copies it on, the copy and the buffer go away.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/Transforms/Passes.h"
#include "Dialect/Dist/Utils/Collectives.h"
#include "FutureSources.h"
#include "mlir/Analysis/AliasAnalysis.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"

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

private:
  std::optional<CopiedFuture> match(Value future);
  bool canWrite(CollectiveOpInterface start, CopiedFuture copied,
                Obstacle &obstacle);
  bool mayTouch(Operation *op, Value destination);
  bool mayAlias(Value memref, Value destination);
  bool hoistViews(Value view, Operation *start);
  void rewrite(CollectiveOpInterface start, ArrayRef<CopiedFuture> copied,
               RewriterBase &rewriter);

  AliasAnalysis &aliases;
  DominanceInfo &dominance;
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

/// Makes the destination visible at the start. Fails when it depends on what is
/// computed later.
bool Reinplacer::hoistViews(Value view, Operation *start) {
  if (dominance.properlyDominates(view, start))
    return true;
  Operation *def = view.getDefiningOp();
  if (!isa_and_nonnull<ViewLikeOpInterface>(def) || !isPure(def))
    return false;
  for (Value operand : def->getOperands())
    if (!hoistViews(operand, start))
      return false;
  def->moveBefore(start);
  return true;
}

/// Whether the collective may have its own source as destination, as `copied`
/// would have it.
static bool mayWorkInSource(CollectiveOpInterface start, Value source,
                            CopiedFuture copied) {
  if (source != copied.destination ||
      !mayShareBuffer(start.getCollectiveKind()))
    return false;
  auto future = cast<OpResult>(copied.wait.getFutures().front());
  unsigned index = future.getResultNumber();
  return start.getSources()[index] == source &&
         start.getSourceMode(index) == SourceMode::Borrow &&
         llvm::count(start.getSources(), source) == 1;
}

bool Reinplacer::canWrite(CollectiveOpInterface start, CopiedFuture copied,
                          Obstacle &obstacle) {
  Value destination = copied.destination;
  for (Value source : start.getSources())
    if (mayAlias(source, destination) &&
        !mayWorkInSource(start, source, copied)) {
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
  if (!hoistViews(destination, start)) {
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

void Reinplacer::run(CollectiveOpInterface start, RewriterBase &rewriter) {
  if (!start.getDestinations().empty())
    return;
  SmallVector<CopiedFuture> copied;
  for (Value future : start->getResults())
    if (std::optional<CopiedFuture> match = this->match(future))
      copied.push_back(*match);
  if (copied.empty())
    return;
  Obstacle obstacle;
  if (copied.size() != start->getNumResults())
    obstacle = {"another result of the same launch is not copied", start};
  else if (llvm::all_of(copied, [&](CopiedFuture future) {
             return canWrite(start, future, obstacle);
           }))
    return rewrite(start, copied, rewriter);
  InFlightDiagnostic remark = start->emitRemark()
                              << "keeps a buffer of its own and a copy: "
                              << obstacle.reason;
  remark.attachNote(obstacle.op->getLoc()) << "here";
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
  }
};
} // namespace
