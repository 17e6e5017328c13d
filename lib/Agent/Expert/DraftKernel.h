//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A kernel of the cut while it grows around its first op.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_AGENT_EXPERT_DRAFTKERNEL_H
#define EGG_LIB_AGENT_EXPERT_DRAFTKERNEL_H

#include "Trial.h"
#include <string>
#include <vector>

namespace egg {

/// Enough rows to give every multiprocessor one.
inline constexpr int64_t kManyRows = 128;

/// Ops that shall be one kernel, and how that came about.
struct DraftKernel {
  Group group;
  Structure structure = Structure::Map;
  std::vector<std::string> reasons;
};

/// A compute op that is no anchor.
bool isPointwise(mlir::Operation *op);

/// Whether the group can still be materialized as the draft's structure, and
/// whether that is worth it.
bool accepts(mlir::func::FuncOp main, const DraftKernel &draft,
             const Group &group);

/// Takes in what follows: the epilogue, and for rows further reductions.
void growConsumers(mlir::func::FuncOp main, DraftKernel &draft);

/// Takes in what comes before: cheap producers always; a little arithmetic
/// where it is not repeated; more only where nobody else needs it. `anchor` is
/// the op the draft started from, or null in a map.
void growProducers(mlir::func::FuncOp main, DraftKernel &draft,
                   mlir::Operation *anchor);

} // namespace egg

#endif // EGG_LIB_AGENT_EXPERT_DRAFTKERNEL_H
