//===- Support.h - clock, text and parking of threads -----------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_COMMON_SUPPORT_H
#define DIST_LIB_RUNTIME_COMMON_SUPPORT_H

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace dist::rt {

/// Monotonic nanoseconds; the clock that Parker's deadlines are read on.
int64_t nowNs();

/// printf into a string.
std::string format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/// A status with the text that goes with a failure.
struct Outcome {
  int status = 0;
  std::string message;
  bool failed() const { return status != 0; }
};

/// "[0, 1, 2]".
std::string formatList(const std::vector<int64_t> &values);

/// "rank 1" or "ranks 1, 2".
std::string formatRanks(const std::vector<int64_t> &ranks);

/// 1.5 s, 20 ms, 300 us, 7 ns.
std::string formatDuration(int64_t ns);

/// Keeps control characters out of one-line messages.
std::string oneLine(const char *text);

/// Puts one thread to sleep until another one wakes it. The sleeper calls
/// prepare, looks at its condition, and parks; whoever makes the condition true
/// calls unpark afterwards. No wake-up is lost: both sides are sequentially
/// consistent.
class Parker {
public:
  uint32_t prepare() {
    sleeping.store(1, std::memory_order_seq_cst);
    return epoch.load(std::memory_order_seq_cst);
  }
  /// Sleeps until unpark or `untilNs`, whichever comes first.
  void park(uint32_t seen, int64_t untilNs);
  void finish() { sleeping.store(0, std::memory_order_relaxed); }
  void unpark();

private:
  std::atomic<uint32_t> epoch{0};
  std::atomic<uint32_t> sleeping{0};
};

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_COMMON_SUPPORT_H
