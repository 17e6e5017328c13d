//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Lowering/Arena.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

namespace egg {

static bool liveTogether(const ArenaRequest &a, const ArenaRequest &b) {
  return a.first <= b.last && b.first <= a.last;
}

std::optional<ArenaLayout> planArena(llvm::ArrayRef<ArenaRequest> requests) {
  // Whole units of the alignment, so that any sum of sizes is aligned.
  auto size = [&](size_t i) {
    return int64_t(llvm::alignTo(requests[i].bytes, kArenaAlignment));
  };
  if (llvm::any_of(requests, [](const ArenaRequest &request) {
        return request.bytes > INT64_MAX - kArenaAlignment;
      }))
    return std::nullopt;
  auto order = llvm::to_vector(llvm::seq<size_t>(0, requests.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::make_pair(-size(a), a) < std::make_pair(-size(b), b);
  });

  ArenaLayout layout;
  layout.offsets.resize(requests.size());
  // Placed buffers by offset.
  llvm::SmallVector<size_t> placed;
  for (size_t next : order) {
    int64_t offset = 0;
    for (size_t other : placed) {
      if (!liveTogether(requests[next], requests[other]))
        continue;
      if (size(next) <= layout.offsets[other] - offset)
        break;
      offset = std::max(offset, layout.offsets[other] + size(other));
    }
    if (size(next) > INT64_MAX - offset)
      return std::nullopt;
    layout.offsets[next] = offset;
    layout.bytes = std::max(layout.bytes, offset + size(next));
    placed.insert(llvm::upper_bound(placed, next,
                                    [&](size_t a, size_t b) {
                                      return layout.offsets[a] <
                                             layout.offsets[b];
                                    }),
                  next);
  }
  return layout;
}

} // namespace egg
