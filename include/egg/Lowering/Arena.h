//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Static memory planning: offsets in one arena for buffers with known
// lifetimes.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LOWERING_ARENA_H
#define EGG_LOWERING_ARENA_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace egg {

/// Offsets in the arena are multiples of this many bytes.
inline constexpr int64_t kArenaAlignment = 256;

/// A buffer that holds a value from step first to step last, both included.
struct ArenaRequest {
  int64_t bytes = 0;
  int64_t first = 0, last = 0;
};

struct ArenaLayout {
  /// One offset a request, in the order of the requests.
  std::vector<int64_t> offsets;
  /// Size of the arena.
  int64_t bytes = 0;
};

/// Places the largest buffers first, each at the lowest offset where it
/// overlaps no buffer that lives at the same time. Deterministic. None if the
/// arena would have more bytes than 64 bits count.
std::optional<ArenaLayout> planArena(llvm::ArrayRef<ArenaRequest> requests);

} // namespace egg

#endif // EGG_LOWERING_ARENA_H
