//===- Absent.cpp - a build without the headers of CUDA and NCCL ----------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common/Backend.h"

using namespace dist::rt;

std::unique_ptr<Backend> dist::rt::createNcclBackend(const distrtWorldOptions &,
                                                     Placement &,
                                                     Outcome &outcome) {
  outcome = {DISTRT_UNSUPPORTED,
             "the backend \"nccl\" is not part of this build: nccl.h and "
             "cuda_runtime_api.h were not found when it was configured"};
  return nullptr;
}
