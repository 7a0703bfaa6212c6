//===- LocalControl.cpp - the control channel within one process ----------===//
//
// Part of the dist project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NCCL/Control.h"

#include <mutex>
#include <unordered_map>

using namespace dist::rt;

namespace {
class LocalControl final : public Control {
public:
  void announce(const std::string &key, int64_t numMembers, int64_t position,
                std::string words, Complete complete) override {
    Meeting over;
    {
      std::lock_guard<std::mutex> lock(mutex);
      Meeting &meeting = meetings[key];
      meeting.words.resize(size_t(numMembers));
      meeting.present.resize(size_t(numMembers));
      meeting.words[size_t(position)] = std::move(words);
      meeting.present[size_t(position)] = true;
      meeting.callbacks.push_back(std::move(complete));
      meeting.lastNs = nowNs();
      if (int64_t(meeting.callbacks.size()) < numMembers)
        return;
      over = std::move(meeting);
      meetings.erase(key);
    }
    for (Complete &callback : over.callbacks)
      callback(over.words);
  }

  Arrivals arrivals(const std::string &key, int64_t numMembers) override {
    std::lock_guard<std::mutex> lock(mutex);
    Arrivals result;
    auto found = meetings.find(key);
    bool known = found != meetings.end();
    for (int64_t i = 0; i < numMembers; ++i)
      if (!known || !found->second.present[size_t(i)])
        result.missing.push_back(i);
    if (known)
      result.lastNs = found->second.lastNs;
    return result;
  }

  void announceFailure(const std::vector<int64_t> &, int,
                       const std::string &) override {}

private:
  struct Meeting {
    std::vector<std::string> words;
    std::vector<bool> present;
    std::vector<Complete> callbacks;
    int64_t lastNs = 0;
  };
  std::mutex mutex;
  std::unordered_map<std::string, Meeting> meetings;
};
} // namespace

std::unique_ptr<Control> dist::rt::createLocalControl() {
  return std::make_unique<LocalControl>();
}
