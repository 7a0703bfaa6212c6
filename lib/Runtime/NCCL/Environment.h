//===- Environment.h - which rank this process is ---------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_NCCL_ENVIRONMENT_H
#define DIST_LIB_RUNTIME_NCCL_ENVIRONMENT_H

#include "NCCL/Control.h"

namespace dist::rt {

struct Environment {
  int64_t rank = 0;
  int64_t numRanks = 1;
  int64_t localRank = 0;
  std::string localVariable; // the variable that says it
  // Where rank 0 listens: an address, or a file that it writes it into.
  std::string host;
  int port = 0;
  std::string file;
};

/// From DISTRT_*, a torchrun-style environment, or that of mpirun. A variable
/// that is missing, malformed or contradicts another one is an error that names
/// it. Without any of them: one rank.
Outcome readEnvironment(Environment &environment);

/// Rank 0 serves, all connect; returns when all ranks are connected. Null and
/// an outcome that says why not.
std::unique_ptr<Control> createSocketControl(const Environment &environment,
                                             int64_t deadlineNs,
                                             Outcome &outcome);

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_NCCL_ENVIRONMENT_H
