//===- EmbedKernels.cpp ---------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/Passes.h"
#include "Dialect/Dist/IR/DeviceOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"

#define DEBUG_TYPE "dist-embed-kernels"

namespace mlir::dist {
#define GEN_PASS_DEF_EMBEDKERNELSPASS
#include "Conversion/Passes.h.inc"
} // namespace mlir::dist

using namespace mlir;
using namespace mlir::dist;

/// Drivers read this much aligned.
static constexpr int64_t kImageAlignment = 16;

/// The function of libdevice that `ptx` calls without having it; "" without one.
static StringRef findLibdeviceCall(StringRef ptx) {
  constexpr StringLiteral kPrefix = "__nv_";
  for (StringRef rest = ptx.split(".extern .func").second; !rest.empty();
       rest = rest.split(".extern .func").second) {
    StringRef declaration = rest.take_until([](char c) { return c == ';'; });
    size_t begin = declaration.find(kPrefix);
    if (begin == StringRef::npos)
      continue;
    return declaration.substr(begin).take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_'; });
  }
  return "";
}

/// The constant with the code of `binary`, under its name.
static LogicalResult embed(gpu::BinaryOp binary) {
  auto objects = binary.getObjects().getAsRange<gpu::ObjectAttr>();
  if (objects.empty())
    return binary.emitOpError("has no object to embed");
  gpu::ObjectAttr object = *objects.begin();
  std::string image = object.getObject().getValue().str();
  switch (object.getFormat()) {
  case gpu::CompilationTarget::Offload:
    return binary.emitOpError("has code that no device can load, expected an "
                              "assembly, binary or fatbin object");
  case gpu::CompilationTarget::Assembly:
    if (StringRef callee = findLibdeviceCall(image); !callee.empty())
      return binary.emitOpError()
             << "has code that calls '" << callee
             << "' of libdevice, which was not found; set CUDA_HOME";
    if (image.empty() || image.back() != '\0')
      image.push_back('\0');
    break;
  case gpu::CompilationTarget::Binary:
  case gpu::CompilationTarget::Fatbin:
    break;
  }
  OpBuilder builder(binary);
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), image.size());
  LLVM::GlobalOp::create(builder, binary.getLoc(), type, /*isConstant=*/true,
                         LLVM::Linkage::Internal, binary.getSymName(),
                         builder.getStringAttr(image), kImageAlignment);
  binary.erase();
  return success();
}

namespace {
class EmbedKernels
    : public mlir::dist::impl::EmbedKernelsPassBase<EmbedKernels> {
public:
  using EmbedKernelsPassBase::EmbedKernelsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(images ? embedAll(module) : dropAll(module)))
      return signalPassFailure();
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  }

private:
  static LogicalResult embedAll(ModuleOp module) {
    for (auto binary :
         llvm::make_early_inc_range(module.getOps<gpu::BinaryOp>()))
      if (failed(embed(binary)))
        return failure();
    return success();
  }

  static LogicalResult dropAll(ModuleOp module) {
    WalkResult result = module.walk([](LaunchOp launch) {
      launch.removeImageAttr();
      if (launch.getHost())
        return WalkResult::advance();
      launch.emitOpError() << "has the kernel '" << launch.getName()
                           << "', which has no version for the host, and no "
                              "device is the target";
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return failure();
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (isa<gpu::GPUModuleOp, gpu::BinaryOp>(op))
        op.erase();
    return success();
  }
};
} // namespace
