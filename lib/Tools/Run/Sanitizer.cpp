//===- Sanitizer.cpp ------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sanitizer.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"

using namespace mlir::dist::run;

#if __has_feature(address_sanitizer)
static constexpr llvm::Attribute::AttrKind kSanitize =
    llvm::Attribute::SanitizeAddress;
#elif __has_feature(thread_sanitizer)
static constexpr llvm::Attribute::AttrKind kSanitize =
    llvm::Attribute::SanitizeThread;
#else
static constexpr llvm::Attribute::AttrKind kSanitize = llvm::Attribute::None;
#endif

static void addPasses(llvm::ModulePassManager &passes) {
  if (kSanitize == llvm::Attribute::SanitizeAddress) {
    // The process has initialised the sanitizer's runtime: no constructor.
    passes.addPass(llvm::AddressSanitizerPass(
        llvm::AddressSanitizerOptions(), /*UseGlobalGC=*/false,
        /*UseOdrIndicator=*/false, llvm::AsanDtorKind::None,
        llvm::AsanCtorKind::None));
    return;
  }
  passes.addPass(
      createModuleToFunctionPassAdaptor(llvm::ThreadSanitizerPass()));
}

void mlir::dist::run::instrument(llvm::Module &module) {
  if (kSanitize == llvm::Attribute::None)
    return;
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr(kSanitize);
  // Globals are found through sections that only a linker can delimit.
  for (llvm::GlobalVariable &global : module.globals()) {
    llvm::GlobalValue::SanitizerMetadata metadata;
    metadata.NoAddress = true;
    global.setSanitizerMetadata(metadata);
  }

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  addPasses(passes);
  passes.run(module, modules);
}
