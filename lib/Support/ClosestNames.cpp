//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Support/ClosestNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using llvm::StringRef;

llvm::SmallVector<StringRef>
egg::closestNames(StringRef name, llvm::ArrayRef<StringRef> known) {
  llvm::SmallVector<std::pair<unsigned, StringRef>> ranked;
  unsigned limit = std::max<size_t>(3, name.size() / 2);
  for (StringRef candidate : known) {
    unsigned distance = name.edit_distance(candidate, true, limit);
    if (distance <= limit)
      ranked.emplace_back(distance, candidate);
  }
  llvm::sort(ranked);
  if (ranked.size() > 3)
    ranked.resize(3);
  return llvm::map_to_vector(ranked, [](auto &entry) { return entry.second; });
}
