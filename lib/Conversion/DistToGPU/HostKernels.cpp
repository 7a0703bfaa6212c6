//===- HostKernels.cpp ----------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The host version of a kernel is two functions: what one thread does, which is
// the kernel's own body, and the loops over blocks and threads around it.
//
//===----------------------------------------------------------------------===//

#include "Conversion/Passes.h"
#include "Dialect/Dist/Analysis/Views.h"
#include "Dialect/Dist/IR/DeviceOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

#define DEBUG_TYPE "dist-host-kernels"

namespace mlir::dist {
#define GEN_PASS_DEF_HOSTKERNELSPASS
#include "Conversion/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

/// Where the thread's coordinates stand behind the kernel's own arguments, three
/// dimensions each.
enum class Coordinate { GridSize, BlockSize, BlockId, ThreadId };
static constexpr unsigned kNumSizes = 6, kNumCoordinates = 12;

static std::optional<std::pair<Coordinate, gpu::Dimension>>
getCoordinate(Operation *op) {
  if (auto size = dyn_cast<gpu::GridDimOp>(op))
    return std::pair(Coordinate::GridSize, size.getDimension());
  if (auto size = dyn_cast<gpu::BlockDimOp>(op))
    return std::pair(Coordinate::BlockSize, size.getDimension());
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return std::pair(Coordinate::BlockId, id.getDimension());
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return std::pair(Coordinate::ThreadId, id.getDimension());
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// What a kernel does
//===----------------------------------------------------------------------===//

/// What keeps `kernel` from running thread after thread on the host; null when
/// nothing does.
static Operation *findObstacle(gpu::GPUFuncOp kernel) {
  if (kernel.getNumWorkgroupAttributions() || kernel.getNumPrivateAttributions())
    return kernel;
  Operation *obstacle = nullptr;
  auto isInOtherSpace = [](Type type) {
    auto memref = dyn_cast<BaseMemRefType>(type);
    return memref && memref.getMemorySpace();
  };
  kernel.walk([&](Operation *op) {
    bool isOwn = op == kernel || isa<gpu::ReturnOp, gpu::GlobalIdOp>(op) ||
                 getCoordinate(op);
    StringRef dialect = op->getDialect()->getNamespace();
    bool isForeign =
        dialect == "gpu" || dialect == "nvgpu" || dialect == "nvvm" ||
        isa<CallOpInterface>(op) ||
        llvm::any_of(op->getOperandTypes(), isInOtherSpace) ||
        llvm::any_of(op->getResultTypes(), isInOtherSpace);
    if (isOwn || !isForeign)
      return WalkResult::advance();
    obstacle = op;
    return WalkResult::interrupt();
  });
  return obstacle;
}

/// How `buffer` is used: 1 read, 2 written, 3 both. What is not known does both.
static int32_t getAccess(Value buffer) {
  int32_t access = 0;
  for (OpOperand &use : buffer.getUses()) {
    Operation *user = use.getOwner();
    OpOperand *viewed = getViewedOperand(user);
    if (viewed == &use)
      for (Value result : user->getResults())
        access |= isa<BaseMemRefType>(result.getType()) ? getAccess(result) : 0;
    else if (isa<memref::LoadOp>(user))
      access |= 1;
    else if (isa<memref::StoreOp>(user))
      access |= 2;
    else if (!isa<memref::DimOp>(user))
      return 3;
  }
  return access;
}

//===----------------------------------------------------------------------===//
// Making host versions
//===----------------------------------------------------------------------===//

namespace {
class HostKernels
    : public mlir::dist::impl::HostKernelsPassBase<HostKernels> {
public:
  void runOnOperation() override;

private:
  LogicalResult replaceLaunch(gpu::LaunchFuncOp launch);
  /// The host version's symbol, null when there is none.
  FlatSymbolRefAttr getHostVersion(Operation *kernel);
  func::FuncOp createFunction(gpu::GPUFuncOp kernel, StringRef suffix,
                              unsigned numCoordinates);
  func::FuncOp createThread(gpu::GPUFuncOp kernel);
  func::FuncOp createLoops(gpu::GPUFuncOp kernel, func::FuncOp thread);

  llvm::DenseMap<Operation *, FlatSymbolRefAttr> versions;
  std::optional<SymbolTable> symbols;
};
} // namespace

func::FuncOp HostKernels::createFunction(gpu::GPUFuncOp kernel,
                                         StringRef suffix,
                                         unsigned numCoordinates) {
  SmallVector<Type> types = llvm::to_vector(kernel.getArgumentTypes());
  types.append(numCoordinates, IndexType::get(&getContext()));
  auto function = func::FuncOp::create(
      kernel.getLoc(), (kernel.getName() + suffix).str(),
      FunctionType::get(&getContext(), types, {}));
  function.setPrivate();
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal));
  // The fake device's memory is the host's.
  function->setAttr(kHostMemoryAttrName,
                    UnitAttr::get(&getContext()));
  symbols->insert(function);
  return function;
}

func::FuncOp HostKernels::createThread(gpu::GPUFuncOp kernel) {
  func::FuncOp function =
      createFunction(kernel, "_thread", kNumCoordinates);
  IRMapping mapping;
  kernel.getBody().cloneInto(&function.getBody(), mapping);
  Block &entry = function.getBody().front();
  auto first = entry.getNumArguments();
  Type index = IndexType::get(&getContext());
  for (unsigned i = 0; i < kNumCoordinates; ++i)
    entry.addArgument(index, kernel.getLoc());
  auto get = [&](Coordinate coordinate, gpu::Dimension dimension) -> Value {
    return entry.getArgument(first + 3 * static_cast<unsigned>(coordinate) +
                             static_cast<unsigned>(dimension));
  };
  IRRewriter rewriter(&getContext());
  function.walk([&](Operation *op) {
    rewriter.setInsertionPoint(op);
    if (isa<gpu::ReturnOp>(op)) {
      rewriter.replaceOpWithNewOp<func::ReturnOp>(op);
    } else if (auto coordinate = getCoordinate(op)) {
      rewriter.replaceOp(op, get(coordinate->first, coordinate->second));
    } else if (auto global = dyn_cast<gpu::GlobalIdOp>(op)) {
      gpu::Dimension dimension = global.getDimension();
      Value begin = arith::MulIOp::create(
          rewriter, op->getLoc(), get(Coordinate::BlockId, dimension),
          get(Coordinate::BlockSize, dimension));
      rewriter.replaceOpWithNewOp<arith::AddIOp>(
          op, begin, get(Coordinate::ThreadId, dimension));
    }
  });
  return function;
}

func::FuncOp HostKernels::createLoops(gpu::GPUFuncOp kernel,
                                      func::FuncOp thread) {
  func::FuncOp function = createFunction(kernel, "_host", kNumSizes);
  OpBuilder builder = OpBuilder::atBlockBegin(function.addEntryBlock());
  Location loc = kernel.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> arguments(function.getArguments());
  arguments.resize(arguments.size() + kNumSizes);
  MutableArrayRef<Value> ids =
      MutableArrayRef<Value>(arguments).take_back(kNumSizes);
  func::ReturnOp::create(builder, loc);
  builder.setInsertionPointToStart(&function.getBody().front());
  builder.setInsertionPointAfterValue(one);
  // Blocks outside, and x fastest, as a device counts threads.
  for (unsigned position : {2, 1, 0, 5, 4, 3}) {
    Value size =
        function.getArgument(kernel.getNumArguments() + position);
    auto loop = scf::ForOp::create(builder, loc, zero, size, one);
    ids[position] = loop.getInductionVar();
    builder.setInsertionPointToStart(loop.getBody());
  }
  func::CallOp::create(builder, loc, thread, arguments);
  return function;
}

FlatSymbolRefAttr HostKernels::getHostVersion(Operation *kernel) {
  auto [version, isNew] = versions.try_emplace(kernel);
  if (!isNew)
    return version->second;
  auto function = dyn_cast<gpu::GPUFuncOp>(kernel);
  if (!function) {
    kernel->emitRemark() << "the kernel has no version for the host: it is no "
                            "gpu.func";
    return {};
  }
  if (Operation *obstacle = findObstacle(function)) {
    InFlightDiagnostic remark = kernel->emitRemark();
    remark << "the kernel '" << function.getName()
           << "' has no version for the host";
    remark.attachNote(obstacle->getLoc())
        << "because of this '" << obstacle->getName() << "'";
    return {};
  }
  func::FuncOp thread = createThread(function);
  version->second =
      FlatSymbolRefAttr::get(createLoops(function, thread));
  return version->second;
}

LogicalResult HostKernels::replaceLaunch(gpu::LaunchFuncOp launch) {
  if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty())
    return launch.emitOpError("has tokens; run dist-order-tokens first");
  if (launch.hasClusterSize())
    return launch.emitOpError("has a cluster size, expected none");
  if (launch.getDynamicSharedMemorySize() || launch.getAsyncObject())
    return launch.emitOpError("has dynamic shared memory or a stream of its own, "
                              "expected neither");
  Operation *kernel = SymbolTable::lookupNearestSymbolFrom(
      launch, launch.getKernelAttr());
  FlatSymbolRefAttr host;
  SmallVector<int32_t> access;
  if (kernel)
    host = getHostVersion(kernel);
  auto function = dyn_cast_or_null<gpu::GPUFuncOp>(kernel);
  for (auto [index, operand] : llvm::enumerate(launch.getKernelOperands())) {
    bool isBuffer = isa<BaseMemRefType>(operand.getType());
    access.push_back(!isBuffer  ? 0
                     : function ? getAccess(function.getArgument(index))
                                : 3);
  }
  OpBuilder builder(launch);
  auto castSizes = [&](gpu::KernelDim3 sizes) {
    SmallVector<Value> result;
    for (Value size : {sizes.x, sizes.y, sizes.z})
      result.push_back(size.getType().isIndex()
                           ? size
                           : arith::IndexCastOp::create(builder, launch.getLoc(),
                                                        builder.getIndexType(),
                                                        size));
    return result;
  };
  LaunchOp::create(
      builder, launch.getLoc(), launch.getKernelName().getValue(),
      FlatSymbolRefAttr::get(launch.getKernelModuleName()), host,
      castSizes(launch.getGridSizeOperandValues()),
      castSizes(launch.getBlockSizeOperandValues()),
      launch.getKernelOperands(), builder.getDenseI32ArrayAttr(access));
  launch.erase();
  return success();
}

void HostKernels::runOnOperation() {
  ModuleOp module = getOperation();
  versions.clear();
  symbols.emplace(module);
  SmallVector<gpu::LaunchFuncOp> launches;
  module.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
  for (gpu::LaunchFuncOp launch : launches)
    if (failed(replaceLaunch(launch)))
      return signalPassFailure();
}
