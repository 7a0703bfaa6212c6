//===- Wire.h - frames of the control channel -------------------*- C++ -*-===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A frame is the number of its bytes (32 bits), its kind (one byte) and fields:
// numbers of 64 bits and strings with their length before them. All hosts of a
// world have the same order of bytes, as NCCL wants it too.
//
//===----------------------------------------------------------------------===//

#ifndef DIST_LIB_RUNTIME_NCCL_WIRE_H
#define DIST_LIB_RUNTIME_NCCL_WIRE_H

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace dist::rt {

enum class FrameKind : uint8_t {
  Hello = 1, // magic, rank, number of ranks
  Welcome,   // all ranks are connected
  Say,       // key, number of members, position, words
  Said,      // key, words of every member
  Who,       // key, number of members
  Missing,   // key, age of the last arrival in ns, positions
  Fail,      // ranks, status, message
  Bye
};
constexpr int64_t kWireMagic = 0x6469737472743033; // version 3 of the ABI
constexpr uint32_t kMaxFrame = 64u << 20;

class FrameWriter {
public:
  explicit FrameWriter(FrameKind kind) : bytes(5, '\0') {
    bytes[4] = char(kind);
  }
  FrameWriter &number(int64_t value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
    return *this;
  }
  FrameWriter &text(const std::string &value) {
    number(int64_t(value.size()));
    bytes += value;
    return *this;
  }
  FrameWriter &numbers(const std::vector<int64_t> &values) {
    number(int64_t(values.size()));
    for (int64_t value : values)
      number(value);
    return *this;
  }
  FrameWriter &texts(const std::vector<std::string> &values) {
    number(int64_t(values.size()));
    for (const std::string &value : values)
      text(value);
    return *this;
  }
  const std::string &finish() {
    auto length = uint32_t(bytes.size() - 4);
    memcpy(bytes.data(), &length, sizeof(length));
    return bytes;
  }

private:
  std::string bytes;
};

/// Reads a frame without its length. What is not there is 0 or empty, and
/// `good` says so: bytes of a stranger must not be trusted.
class FrameReader {
public:
  explicit FrameReader(const std::string &frame) : frame(frame) {
    kind = frame.empty() ? FrameKind(0) : FrameKind(frame[0]);
  }
  int64_t number() {
    int64_t value = 0;
    if (frame.size() - at < sizeof(value)) {
      good = false;
      return 0;
    }
    memcpy(&value, frame.data() + at, sizeof(value));
    at += sizeof(value);
    return value;
  }
  std::string text() {
    int64_t length = number();
    if (length < 0 || size_t(length) > frame.size() - at) {
      good = false;
      return "";
    }
    at += size_t(length);
    return frame.substr(at - size_t(length), size_t(length));
  }
  std::vector<int64_t> numbers() {
    std::vector<int64_t> values(count());
    for (int64_t &value : values)
      value = number();
    return values;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> values(count());
    for (std::string &value : values)
      value = text();
    return values;
  }
  FrameKind kind;
  bool good = true;

private:
  /// Every element takes at least 8 bytes.
  size_t count() {
    int64_t n = number();
    if (n < 0 || size_t(n) > (frame.size() - at) / 8) {
      good = false;
      return 0;
    }
    return size_t(n);
  }
  const std::string &frame;
  size_t at = 1;
};

/// Takes the first whole frame out of `buffer`. False when there is none;
/// `broken` when the length cannot be one.
inline bool takeFrame(std::string &buffer, std::string &frame, bool &broken) {
  uint32_t length = 0;
  if (buffer.size() < sizeof(length))
    return false;
  memcpy(&length, buffer.data(), sizeof(length));
  broken = length == 0 || length > kMaxFrame;
  if (broken || buffer.size() - sizeof(length) < length)
    return false;
  frame = buffer.substr(sizeof(length), length);
  buffer.erase(0, sizeof(length) + length);
  return true;
}

} // namespace dist::rt

#endif // DIST_LIB_RUNTIME_NCCL_WIRE_H
