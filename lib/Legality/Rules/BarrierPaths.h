//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pairs of accesses to shared memory with no barrier between them.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_LEGALITY_BARRIERPATHS_H
#define EGG_LIB_LEGALITY_BARRIERPATHS_H

#include "egg/Legality/KernelFacts.h"
#include <vector>

namespace egg::legality {

/// Two accesses to one buffer, of which one writes at least, that some path
/// joins without a barrier.
struct OpenPair {
  size_t first = 0, second = 0;
  /// The loop whose next iteration has the second; null: the same iteration of
  /// all loops around both.
  mlir::scf::ForOp carrier;
  /// Whether later iterations than the next are reached too.
  bool anyDistance = false;
};

struct SharedAccesses {
  std::vector<Access> accesses;
  std::vector<OpenPair> pairs;
  /// Buffers used in ways that are not followed.
  llvm::DenseSet<mlir::Value> unknown;
  /// Whether a path may go past a barrier that it always meets: where a branch
  /// or a loop that may not run has one. Then a pair is no proof of a race.
  bool mayMeetBarriers = false;
};

/// Of the kernel's workgroup attributions.
SharedAccesses findOpenPairs(KernelFacts &facts);

} // namespace egg::legality

#endif // EGG_LIB_LEGALITY_BARRIERPATHS_H
