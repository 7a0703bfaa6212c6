//===- DistPlugin.cpp -----------------------------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry points that a stock mlir-opt looks up in a plugin. The dialect and
// the passes themselves are in libdist-c.so, so that a process that loads the
// plugin and links the library has one copy of them.
//
//===----------------------------------------------------------------------===//

#include "RegisterAll.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Dist", DIST_VERSION,
          [](DialectRegistry *registry) {
            dist::registerDistDialects(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Dist", DIST_VERSION,
          []() { dist::registerDistPasses(); }};
}
