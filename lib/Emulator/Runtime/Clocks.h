//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Clocks: what an agent of a launch knows to have happened. Agents are the
// threads of a cluster and, after them, the asynchronous units that copy and
// multiply on their behalf; each counts its own time.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_EMULATOR_RUNTIME_CLOCKS_H
#define EGG_LIB_EMULATOR_RUNTIME_CLOCKS_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace egg::simt {

struct Clocks {
  /// By agent: everything it did up to that time happened before.
  std::vector<uint32_t> seen;
  /// By agent: everything it wrote up to that time is also visible to the
  /// asynchronous proxy, for a proxy fence lies in between.
  std::vector<uint32_t> fenced;
  /// By agent: its reads up to that time are over, although what it wrote need
  /// not be visible.
  std::vector<uint32_t> read;

  uint32_t seenOf(uint32_t agent) const {
    return agent < seen.size() ? seen[agent] : 0;
  }
  uint32_t fencedOf(uint32_t agent) const {
    return agent < fenced.size() ? fenced[agent] : 0;
  }
  bool hasRead(uint32_t agent, uint32_t time) const {
    return seenOf(agent) >= time ||
           (agent < read.size() && read[agent] >= time);
  }
  void advance(uint32_t agent, uint32_t time) {
    if (agent >= seen.size())
      seen.resize(agent + 1);
    seen[agent] = std::max(seen[agent], time);
  }
  void join(const Clocks &other) {
    joinInto(seen, other.seen);
    joinInto(fenced, other.fenced);
    joinInto(read, other.read);
  }
  /// A proxy fence: what was seen becomes visible to the other proxy.
  void fence() { joinInto(fenced, seen); }

private:
  static void joinInto(std::vector<uint32_t> &into,
                       const std::vector<uint32_t> &from) {
    if (into.size() < from.size())
      into.resize(from.size());
    for (size_t i = 0; i < from.size(); ++i)
      into[i] = std::max(into[i], from[i]);
  }
};

/// Threads that left a barrier together share what they know.
using SharedClocks = std::shared_ptr<const Clocks>;

} // namespace egg::simt

#endif // EGG_LIB_EMULATOR_RUNTIME_CLOCKS_H
