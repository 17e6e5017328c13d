//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which rounds of a loop stand for all of them.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_LEGALITY_LOOPROUNDS_H
#define EGG_LIB_LEGALITY_LOOPROUNDS_H

#include "BarrierPaths.h"

namespace egg::legality {

struct RoundChoice {
  llvm::SmallVector<int64_t> rounds;
  /// Whether what holds in these rounds, and from each to the next, holds in
  /// all.
  bool decide = false;
};

/// All rounds of a short loop; a period and the last two of a loop whose
/// variable enters the shared accesses inside modulo a constant only.
RoundChoice chooseRounds(KernelFacts &facts, const SharedAccesses &shared,
                         mlir::scf::ForOp loop);

} // namespace egg::legality

#endif // EGG_LIB_LEGALITY_LOOPROUNDS_H
