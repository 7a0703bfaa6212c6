//===- Libraries.cpp - loads CUDA and NCCL --------------------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A copy that the process has already (a framework's) comes first: two copies
// of NCCL in one process do not work together, and a second one under the same
// name breaks the import of a framework that brings its own.
//
//===----------------------------------------------------------------------===//

#include "NCCL/Table.h"

#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <vector>

using namespace dist::rt;

/// `variable`: an environment variable with a path that replaces the search.
static void *openLibrary(const char *variable,
                         const std::vector<const char *> &names,
                         std::string &tried) {
  std::vector<const char *> candidates = names;
  if (const char *path = getenv(variable)) {
    if (*path)
      candidates = {path};
  }
  for (int flags : {RTLD_NOW | RTLD_NOLOAD, RTLD_NOW | RTLD_LOCAL})
    for (const char *name : candidates)
      if (void *handle = dlopen(name, flags))
        return handle;
  const char *error = dlerror();
  for (const char *name : candidates)
    tried += (tried.empty() ? "" : ", ") + std::string(name);
  tried += error ? std::string(": ") + error : std::string();
  return nullptr;
}

static std::string versionText(int version, int thousand) {
  return std::to_string(version / thousand) + "." +
         std::to_string(thousand == 1000 ? version % 1000 / 10
                                         : version % 10000 / 100);
}

Outcome dist::rt::checkVersions(const Table &table) {
  int version = 0;
  if (table.ncclGetVersion(&version) != ncclSuccess || version < kMinimumNccl)
    return {DISTRT_UNSUPPORTED,
            "libnccl is too old: version " + versionText(version, 10000) +
                " was found, at least " + versionText(kMinimumNccl, 10000) +
                " is needed"};
  if (table.cudaRuntimeGetVersion(&version) != cudaSuccess ||
      version < kMinimumCudaRuntime)
    return {DISTRT_UNSUPPORTED,
            "libcudart is too old: version " + versionText(version, 1000) +
                " was found, at least " +
                versionText(kMinimumCudaRuntime, 1000) + " is needed"};
  return {};
}

static Outcome load(Table &table) {
  // Two communicators of one device take their turns in the order of issue,
  // whatever the streams, which keeps them from blocking each other.
  setenv("NCCL_LAUNCH_ORDER_IMPLICIT", "1", /*overwrite=*/0);
  std::string tried;
  void *cuda = openLibrary(
      "DISTRT_LIBCUDART",
      {"libcudart.so.13", "libcudart.so.12", "libcudart.so"}, tried);
  if (!cuda)
    return {DISTRT_UNSUPPORTED,
            "the CUDA runtime cannot be loaded; tried " + tried};
  void *nccl =
      openLibrary("DISTRT_LIBNCCL", {"libnccl.so.2", "libnccl.so"}, tried);
  if (!nccl)
    return {DISTRT_UNSUPPORTED, "NCCL cannot be loaded; tried " + tried};
  const char *missing = nullptr;
  // The versions come first: they explain why a function is missing.
#define DIST_LOAD_CUDA(name)                                                   \
  table.name = reinterpret_cast<decltype(table.name)>(dlsym(cuda, #name));     \
  if (!table.name)                                                             \
    missing = #name;
#define DIST_LOAD_NCCL(name)                                                   \
  table.name = reinterpret_cast<decltype(table.name)>(dlsym(nccl, #name));     \
  if (!table.name)                                                             \
    missing = #name;
  DIST_CUDA_FUNCTIONS(DIST_LOAD_CUDA)
  DIST_CUDA_OVERLOADED(DIST_LOAD_CUDA)
  DIST_NCCL_FUNCTIONS(DIST_LOAD_NCCL)
#undef DIST_LOAD_CUDA
#undef DIST_LOAD_NCCL
  if (table.ncclGetVersion && table.cudaRuntimeGetVersion) {
    Outcome outcome = checkVersions(table);
    if (outcome.failed())
      return outcome;
  }
  if (missing)
    return {DISTRT_UNSUPPORTED,
            std::string("the loaded CUDA runtime or NCCL has no function ") +
                missing};
  return {};
}

const Table *dist::rt::loadLibraries(Outcome &outcome) {
  static std::mutex mutex;
  static Table table;
  static bool loaded = false;
  std::lock_guard<std::mutex> lock(mutex);
  // A failure is not kept: the environment may name another library next time.
  if (!loaded) {
    outcome = load(table);
    if (outcome.failed())
      return nullptr;
    loaded = true;
  }
  return &table;
}
