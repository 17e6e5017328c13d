//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "DraftKernel.h"
#include "ComputeGraph.h"
#include "egg/Kernel/TensorReads.h"

using namespace mlir;

namespace egg {

/// A row that one block can as well write back by itself.
constexpr int64_t kShortRow = 8192;
/// Bounds the work of one kernel's analysis.
constexpr size_t kMaxOpsInKernel = 64;

bool isPointwise(Operation *op) { return isNamed(op) && !isAnchor(op); }

/// A reduction over rows that may join others over the same rows.
static bool isRowReduction(Operation *op) {
  return isa<linalg::LinalgOp>(op) && isAnchor(op) && !rereadsInputs(op);
}

bool accepts(func::FuncOp main, const DraftKernel &draft, const Group &group) {
  if (group.ops.size() + group.recompute.size() > kMaxOpsInKernel)
    return false;
  Trial trial = tryGroup(main, group);
  if (!trial.legal)
    return false;
  switch (draft.structure) {
  case Structure::Map:
    return trial.isMap;
  case Structure::Contraction:
    return trial.isContraction;
  case Structure::Scan:
    return trial.isScan && trial.resultColumns == 1;
  case Structure::Rows:
    // A few long rows fill the device better when another kernel, with a
    // thread an element, writes them.
    return trial.isRows &&
           (trial.resultColumns == 1 || trial.rows >= kManyRows ||
            std::max(trial.columns, trial.resultColumns) <= kShortRow);
  }
  llvm_unreachable("unknown structure");
}

/// Ungrouped ops that `op` needs, up to products and scans, as far as they
/// include reductions over rows: E[x^2] beside E[x].
static SmallVector<Operation *> siblingReductions(const Group &group,
                                                  Operation *op) {
  llvm::SetVector<Operation *> found;
  bool reduces = isAnchor(op);
  SmallVector<Operation *> worklist = {op};
  while (!worklist.empty()) {
    for (Operation *producer : computeProducers(worklist.pop_back_val())) {
      if (group.contains(producer) || found.contains(producer))
        continue;
      if (isAnchor(producer) && !isRowReduction(producer))
        continue;
      if (found.size() >= 16)
        return {};
      reduces |= isAnchor(producer);
      found.insert(producer);
      worklist.push_back(producer);
    }
  }
  if (!reduces)
    return {};
  return SmallVector<Operation *>(found.begin(), found.end());
}

void growConsumers(func::FuncOp main, DraftKernel &draft) {
  llvm::DenseSet<Operation *> refused;
  for (bool changed = true; changed;) {
    changed = false;
    llvm::SetVector<Operation *> candidates;
    for (Operation *op : draft.group.ops)
      for (Operation *user : computeUsers(op))
        if (!draft.group.contains(user) && !refused.contains(user))
          candidates.insert(user);
    SmallVector<Operation *> ordered(candidates.begin(), candidates.end());
    llvm::sort(ordered, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    for (Operation *user : ordered) {
      bool fits = isPointwise(user) ||
                  (draft.structure == Structure::Rows && isRowReduction(user));
      Group wider = draft.group;
      wider.ops.insert(user);
      bool accepted = false;
      if (fits && draft.structure == Structure::Rows) {
        Group widest = wider;
        SmallVector<Operation *> siblings =
            siblingReductions(draft.group, user);
        widest.ops.insert(siblings.begin(), siblings.end());
        if (!siblings.empty() && accepts(main, draft, widest)) {
          wider = widest;
          accepted = true;
        }
      }
      if (fits && (accepted || accepts(main, draft, wider))) {
        draft.group = wider;
        changed = true;
        break;
      }
      refused.insert(user);
    }
  }
}

/// Whether the op's value reaches the anchor inside the group.
static bool feeds(const Group &group, Operation *op, Operation *anchor) {
  for (Operation *user : computeUsers(op)) {
    if (user == anchor)
      return true;
    if (group.contains(user) && user->isBeforeInBlock(anchor) &&
        feeds(group, user, anchor))
      return true;
  }
  return false;
}

void growProducers(func::FuncOp main, DraftKernel &draft, Operation *anchor) {
  llvm::DenseSet<Operation *> refused;
  SmallVector<Operation *> worklist(draft.group.ops.begin(),
                                    draft.group.ops.end());
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    SmallVector<Operation *> producers = computeProducers(op);
    for (Operation *producer : llvm::reverse(producers)) {
      if (draft.group.contains(producer) || refused.contains(producer) ||
          !isPointwise(producer))
        continue;
      bool cheap = isCheap(producer);
      bool repeated = anchor && rereadsInputs(anchor) &&
                      feeds(draft.group, producer, anchor);
      bool ownedByGroup =
          !hasOtherUsers(producer) &&
          llvm::all_of(computeUsers(producer), [&](Operation *user) {
            return draft.group.contains(user);
          });
      bool mayRepeat = cheap || (!repeated && isLight(producer));
      if (!mayRepeat && (repeated || !ownedByGroup)) {
        // Another user in the kernel may come to need it; then look again.
        if (repeated)
          refused.insert(producer);
        continue;
      }
      Group wider = draft.group;
      (ownedByGroup ? wider.ops : wider.recompute).insert(producer);
      if (!accepts(main, draft, wider)) {
        refused.insert(producer);
        continue;
      }
      draft.group = wider;
      worklist.push_back(producer);
    }
  }
  // A producer all of whose users came in after it was recomputed moves.
  SmallVector<Operation *> recompute(draft.group.recompute.begin(),
                                     draft.group.recompute.end());
  for (Operation *op : llvm::reverse(recompute))
    if (!hasOtherUsers(op) &&
        llvm::all_of(computeUsers(op), [&](Operation *user) {
          return draft.group.ops.contains(user);
        })) {
      draft.group.recompute.remove(op);
      draft.group.ops.insert(op);
    }
}

} // namespace egg
