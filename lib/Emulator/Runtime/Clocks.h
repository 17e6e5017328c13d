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
  /// By memory and agent: everything it wrote there up to that time is also
  /// visible to the asynchronous proxy, for a proxy fence lies in between.
  std::vector<std::vector<uint32_t>> fenced;
  /// By agent: its reads up to that time are over, although what it wrote need
  /// not be visible.
  std::vector<uint32_t> read;

  uint32_t seenOf(uint32_t agent) const {
    return agent < seen.size() ? seen[agent] : 0;
  }
  /// Numbers of memories: the global one, and that of a block of the cluster.
  static constexpr uint32_t kGlobal = 0;
  static constexpr uint32_t sharedOf(uint32_t rank) { return rank + 1; }
  uint32_t fencedOf(uint32_t memory, uint32_t agent) const {
    return memory < fenced.size() && agent < fenced[memory].size()
               ? fenced[memory][agent]
               : 0;
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
    if (fenced.size() < other.fenced.size())
      fenced.resize(other.fenced.size());
    for (size_t memory = 0; memory < other.fenced.size(); ++memory)
      joinInto(fenced[memory], other.fenced[memory]);
    joinInto(read, other.read);
  }
  /// A proxy fence: what was seen becomes visible to the other proxy.
  void fence(uint32_t memory) {
    if (fenced.size() <= memory)
      fenced.resize(memory + 1);
    joinInto(fenced[memory], seen);
  }

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
