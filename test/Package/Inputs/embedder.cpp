//===- embedder.cpp -------------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a compiler does that embeds dist: registers it, builds a program, runs a
// pass on it and prints the result.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Dist/IR/Dist.h"
#include "Dialect/Dist/Transforms/Passes.h"
#include "RegisterAll.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

int main() {
  DialectRegistry registry;
  dist::registerDistDialects(registry);
  registry.insert<func::FuncDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();

  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  dist::ProcessGroupOp::create(builder, loc, builder.getStringAttr("g"),
                               /*size=*/builder.getI64IntegerAttr(2),
                               /*ranks=*/dist::GroupAttr());
  auto shard = RankedTensorType::get({4}, builder.getF32Type());
  auto whole = RankedTensorType::get({8}, builder.getF32Type());
  auto function = func::FuncOp::create(
      builder, loc, "gather", builder.getFunctionType({shard}, {whole}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  auto start = dist::AllGatherOp::create(
      builder, loc, ValueRange{function.getArgument(0)}, /*dim=*/0,
      dist::GroupAttr::get(&context, StringRef("g")));
  auto wait = dist::WaitOp::create(builder, loc, start.getFutures()[0]);
  func::ReturnOp::create(builder, loc, wait.getResults());
  if (failed(verify(*module)))
    return 1;

  PassManager passes(&context);
  dist::BindProcessGroupsPassOptions options;
  options.groups = "g=world:2";
  passes.addPass(dist::createBindProcessGroupsPass(options));
  if (failed(passes.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
