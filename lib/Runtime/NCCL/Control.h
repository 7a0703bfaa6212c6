//===- Control.h - what members say beside the data -------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The control channel of a world: members of a communicator meet under a key
// and learn what each of them said. Unique ids of communicators and the
// fingerprints of launches travel this way; data never does.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_NCCL_CONTROL_H
#define DIST_LIB_RUNTIME_NCCL_CONTROL_H

#include "Common/Backend.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dist::rt {

class Control {
public:
  virtual ~Control() = default;

  /// Whom to tell that another process has failed; before anything else.
  virtual void attach(ErrorSink &) {}

  /// Called once, by any thread, with what all members said, by position.
  using Complete = std::function<void(const std::vector<std::string> &)>;

  /// Never blocks on a peer. A key is used for one meeting only.
  virtual void announce(const std::string &key, int64_t numMembers,
                        int64_t position, std::string words,
                        Complete complete) = 0;

  struct Arrivals {
    std::vector<int64_t> missing; // positions; none: all are there
    int64_t lastNs = 0;           // when the last one came, on nowNs's clock
    bool known = true;            // false: the channel does not answer
  };
  /// All are missing from a meeting that has not begun, or is over.
  virtual Arrivals arrivals(const std::string &key, int64_t numMembers) = 0;

  /// Tells the other processes that ranks of this one have failed.
  virtual void announceFailure(const std::vector<int64_t> &ranks, int status,
                               const std::string &message) = 0;
};

/// All ranks are threads of this process.
std::unique_ptr<Control> createLocalControl();

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_NCCL_CONTROL_H
