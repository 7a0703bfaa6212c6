//===- Checked.h - findings of checked mode ---------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_COMMON_CHECKED_H
#define DIST_LIB_RUNTIME_COMMON_CHECKED_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace dist::rt {

class Flight;
struct View;

constexpr unsigned char kPoison = 0xDB;

/// Called from the free hook. A buffer that a flight still uses is a race of
/// the rank that owns the flight: its next call, or the end of the run, says
/// so.
void reportFree(void *pointer, size_t bytes);

/// Records a double free for the calling rank; false outside of checked mode.
bool reportDoubleFree(void *pointer, size_t bytes);

/// Whether a flight uses a byte of the buffer.
bool isInFlight(void *pointer, size_t bytes);

/// At the start: compares the operands with everything that is in flight,
/// snapshots the sources, poisons the destinations and registers both. Returns
/// false, and the text of the race, when one is found.
bool beginChecked(Flight &flight, std::string &message);

/// Before the data moves: sources unchanged, poison untouched. On a finding
/// returns false and its text.
bool verifyBeforeMove(Flight &flight, std::string &message);

/// After the data moved: remembers what the destinations hold.
void noteMoved(Flight &flight);

/// At the first wait: neither source nor destination changed since.
bool verifyAtWait(Flight &flight, std::string &message);

/// Takes the flight out of the registry.
void endChecked(Flight &flight);

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_COMMON_CHECKED_H
