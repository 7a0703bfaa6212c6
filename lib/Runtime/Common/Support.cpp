//===- Support.cpp - clock, text and parking of threads -------------------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Common/Support.h"

#include <climits>
#include <cstdarg>
#include <cstdio>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

using namespace dist::rt;

int64_t dist::rt::nowNs() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
}

std::string dist::rt::format(const char *fmt, ...) {
  va_list args, again;
  va_start(args, fmt);
  va_copy(again, args);
  int length = vsnprintf(nullptr, 0, fmt, args);
  va_end(args);
  std::string text(length > 0 ? length : 0, '\0');
  if (length > 0)
    vsnprintf(text.data(), size_t(length) + 1, fmt, again);
  va_end(again);
  return text;
}

static std::string join(const std::vector<int64_t> &values) {
  std::string text;
  for (int64_t value : values) {
    if (!text.empty())
      text += ", ";
    text += std::to_string(value);
  }
  return text;
}

std::string dist::rt::formatList(const std::vector<int64_t> &values) {
  return "[" + join(values) + "]";
}

std::string dist::rt::formatRanks(const std::vector<int64_t> &ranks) {
  return (ranks.size() == 1 ? "rank " : "ranks ") + join(ranks);
}

std::string dist::rt::formatDuration(int64_t ns) {
  if (ns >= 1000000000)
    return format("%g s", double(ns) / 1e9);
  if (ns >= 1000000)
    return format("%g ms", double(ns) / 1e6);
  if (ns >= 1000)
    return format("%g us", double(ns) / 1e3);
  return format("%lld ns", static_cast<long long>(ns));
}

std::string dist::rt::oneLine(const char *text) {
  std::string result;
  for (; text && *text; ++text)
    result += static_cast<unsigned char>(*text) < 0x20 ? ' ' : *text;
  return result;
}

static long futex(std::atomic<uint32_t> *word, int op, uint32_t value,
                  const timespec *until) {
  static_assert(sizeof(*word) == 4, "a futex is a 32-bit word");
  return syscall(SYS_futex, reinterpret_cast<uint32_t *>(word), op, value,
                 until, nullptr, FUTEX_BITSET_MATCH_ANY);
}

void Parker::park(uint32_t seen, int64_t untilNs) {
  timespec until;
  until.tv_sec = untilNs / 1000000000;
  until.tv_nsec = untilNs % 1000000000;
  futex(&epoch, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, seen,
        untilNs == INT64_MAX ? nullptr : &until);
}

void Parker::unpark() {
  epoch.fetch_add(1, std::memory_order_seq_cst);
  if (sleeping.load(std::memory_order_seq_cst))
    futex(&epoch, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, INT_MAX, nullptr);
}
