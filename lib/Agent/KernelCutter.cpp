//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelCutter.h"
#include "ComputeGraph.h"
#include "KernelNames.h"
#include "Trial.h"
#include "egg/Kernel/TensorReads.h"
#include "egg/TransformOps/KernelOutlining.h"
#include "egg/TransformOps/ReductionSplitting.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::formatv;

namespace egg {
namespace {

/// Enough rows to give every multiprocessor one.
constexpr int64_t kManyRows = 128;
/// A row that one block can as well write back by itself.
constexpr int64_t kShortRow = 8192;
/// Long enough to be shared by several blocks, and what a share keeps at least.
constexpr int64_t kVeryLongRow = 32768, kShareOfRow = 2048;
/// Blocks that fill a large GPU several times over.
constexpr int64_t kPlentyBlocks = 1056;
/// Below this a product has too few rows or columns for a tile.
constexpr int64_t kSkinny = 8;
/// Bounds the work of one kernel's analysis.
constexpr size_t kMaxOpsInKernel = 64;

class Cutter {
public:
  explicit Cutter(ModuleOp payload)
      : payload(payload), main(payload.lookupSymbol<func::FuncOp>("main")) {}

  llvm::Expected<std::vector<CutKernel>> run();

private:
  // A growing kernel and how it came about.
  struct Draft {
    Group group;
    Structure structure = Structure::Map;
    std::vector<std::string> reasons;
  };

  llvm::Error cutAnchor(Operation *anchor);
  llvm::Error cutMap(Operation *sink);
  bool split(Operation *anchor, const Trial &alone);

  void growConsumers(Draft &draft);
  void growProducers(Draft &draft, Operation *anchor);
  bool accepts(const Draft &draft, const Group &group);
  bool feeds(const Group &group, Operation *op, Operation *anchor);
  void form(Draft &draft);

  llvm::Error refuse(Operation *op, StringRef reason) {
    std::string where;
    llvm::raw_string_ostream(where) << op->getLoc();
    return llvm::createStringError(
        formatv("the expert cannot cut \"{0}\" at {1} into a kernel: {2}",
                isNamed(op) ? nameOf(op) : op->getName().getStringRef(), where,
                reason)
            .str());
  }

  ModuleOp payload;
  func::FuncOp main;
  std::vector<CutKernel> kernels;
  /// Splits since the last kernel was formed.
  std::vector<CutSplit> splits;
};

bool isPointwise(Operation *op) { return isNamed(op) && !isAnchor(op); }

/// A reduction over rows that may join others over the same rows.
bool isRowReduction(Operation *op) {
  return isa<linalg::LinalgOp>(op) && isAnchor(op) && !rereadsInputs(op);
}

/// Whether the group can still be materialized as the draft's structure, and
/// whether that is worth it.
bool Cutter::accepts(const Draft &draft, const Group &group) {
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
SmallVector<Operation *> siblingReductions(const Group &group, Operation *op) {
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

/// Takes in what follows: the epilogue, and for rows further reductions.
void Cutter::growConsumers(Draft &draft) {
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
        if (!siblings.empty() && accepts(draft, widest)) {
          wider = widest;
          accepted = true;
        }
      }
      if (fits && (accepted || accepts(draft, wider))) {
        draft.group = wider;
        changed = true;
        break;
      }
      refused.insert(user);
    }
  }
}

/// Whether the op's value reaches the anchor inside the group.
bool Cutter::feeds(const Group &group, Operation *op, Operation *anchor) {
  for (Operation *user : computeUsers(op)) {
    if (user == anchor)
      return true;
    if (group.contains(user) && user->isBeforeInBlock(anchor) &&
        feeds(group, user, anchor))
      return true;
  }
  return false;
}

/// Takes in what comes before: cheap producers always; a little arithmetic
/// where it is not repeated; more only where nobody else needs it.
void Cutter::growProducers(Draft &draft, Operation *anchor) {
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
      if (!accepts(draft, wider)) {
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

std::string quoted(ArrayRef<Operation *> ops) {
  return llvm::join(llvm::map_range(ops, nameOf), ", ");
}

SmallVector<Operation *> inProgramOrder(const llvm::SetVector<Operation *> &set,
                                        function_ref<bool(Operation *)> keep) {
  SmallVector<Operation *> ops;
  for (Operation *op : set)
    if (keep(op))
      ops.push_back(op);
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ops;
}

void Cutter::form(Draft &draft) {
  auto all = [](Operation *) { return true; };
  CutKernel kernel;
  kernel.structure = draft.structure;
  SmallVector<Operation *> ops = inProgramOrder(draft.group.ops, all);
  SmallVector<Operation *> recompute =
      inProgramOrder(draft.group.recompute, all);
  if (!recompute.empty())
    draft.reasons.push_back(
        "Others read it too; computed again, since that is cheaper than a "
        "round trip through memory: " +
        quoted(recompute) + ".");
  for (Operation *op : ops)
    kernel.ops.push_back(nameOf(op).str());
  for (Operation *op : recompute)
    kernel.recompute.push_back(nameOf(op).str());
  kernel.name = nameKernel(payload, ops, draft.structure);
  kernel.reasons = draft.reasons;
  kernel.splits = std::move(splits);
  splits.clear();
  kernel.function = formGroup(main, draft.group, kernel.name);
  kernels.push_back(std::move(kernel));
}

/// Shares a few very long rows among more blocks than there are rows.
bool Cutter::split(Operation *anchor, const Trial &alone) {
  auto op = dyn_cast<linalg::LinalgOp>(anchor);
  if (!op || rereadsInputs(anchor) || alone.rows >= kManyRows ||
      alone.columns < kVeryLongRow)
    return false;
  auto roundUp = [](int64_t n) -> int64_t { return llvm::PowerOf2Ceil(n); };
  int64_t parts =
      std::min<int64_t>({roundUp(llvm::divideCeil(kPlentyBlocks, alone.rows)),
                         roundUp(alone.columns / kShareOfRow), 1024});
  CutSplit done;
  done.op = nameOf(anchor).str();
  done.parts = parts;
  done.reason =
      formatv("{0} reduces {1} rows of {2} elements: too few rows to fill the "
              "device with a block a row, so each is shared among up to {3} "
              "blocks, whose partial results a second reduction combines.",
              done.op, alone.rows, alone.columns, parts);
  IRRewriter rewriter(main.getContext());
  std::string why;
  if (failed(splitReduction(rewriter, op, parts, why)))
    return false;
  splits.push_back(std::move(done));
  return true;
}

llvm::Error Cutter::cutAnchor(Operation *anchor) {
  Draft draft;
  draft.group.ops.insert(anchor);
  Trial alone = tryGroup(main, draft.group);
  if (!alone.legal)
    return refuse(anchor, alone.reason);
  StringRef name = nameOf(anchor);
  if (alone.isScan) {
    draft.structure = Structure::Scan;
    draft.reasons.push_back(formatv("{0} is a scan.", name));
  } else if (alone.isContraction && std::min(alone.m, alone.n) >= kSkinny) {
    draft.structure = Structure::Contraction;
    draft.reasons.push_back(
        formatv("{0} is a sum of products of two operands: {1} x ({2} x {3} x "
                "{4}) (batch, m, n, k).",
                name, alone.batch, alone.m, alone.n, alone.k));
  } else if (alone.isRows && split(anchor, alone)) {
    // The two come next, in program order.
    return llvm::Error::success();
  } else if (alone.isRows) {
    draft.structure = Structure::Rows;
    draft.reasons.push_back(formatv("{0} reduces {1} rows of {2} elements.",
                                    name, alone.rows, alone.columns));
  } else {
    return refuse(anchor, "no structure fits it");
  }
  growConsumers(draft);
  growProducers(draft, anchor);

  const Group &group = draft.group;
  auto later = inProgramOrder(
      group.ops, [&](Operation *op) { return op != anchor && isAnchor(op); });
  auto after = inProgramOrder(group.ops, [&](Operation *op) {
    return !isAnchor(op) && anchor->isBeforeInBlock(op);
  });
  auto before = inProgramOrder(group.ops, [&](Operation *op) {
    return !isAnchor(op) && op->isBeforeInBlock(anchor);
  });
  if (!later.empty())
    draft.reasons.push_back("Reductions over the same rows share the kernel: " +
                            quoted(later) + ".");
  if (!after.empty())
    draft.reasons.push_back(
        "What follows element by element stays in registers: " + quoted(after) +
        ".");
  if (!before.empty())
    draft.reasons.push_back("What only this kernel reads is computed as it is "
                            "read: " +
                            quoted(before) + ".");
  form(draft);
  return llvm::Error::success();
}

llvm::Error Cutter::cutMap(Operation *sink) {
  Draft draft;
  draft.structure = Structure::Map;
  draft.group.ops.insert(sink);
  Trial alone = tryGroup(main, draft.group);
  if (!alone.legal)
    return refuse(sink, alone.reason);
  int64_t count = elementCount(sink);

  llvm::DenseSet<Operation *> refused;
  for (bool changed = true; changed;) {
    growProducers(draft, nullptr);
    changed = false;
    for (Operation *op :
         inProgramOrder(draft.group.ops, [](Operation *) { return true; })) {
      // A shared producer comes in with its other users of the same size.
      for (Operation *producer : computeProducers(op)) {
        if (draft.group.contains(producer) || refused.contains(producer) ||
            !isPointwise(producer) || elementCount(producer) != count)
          continue;
        Group wider = draft.group;
        wider.ops.insert(producer);
        bool fits = true;
        for (Operation *user : computeUsers(producer))
          if (!draft.group.contains(user)) {
            fits &= isPointwise(user) && elementCount(user) == count;
            wider.ops.insert(user);
          }
        if (fits && accepts(draft, wider)) {
          draft.group = wider;
          changed = true;
        } else {
          refused.insert(producer);
        }
      }
      if (changed)
        break;
    }
  }
  draft.reasons.push_back(
      draft.group.ops.size() == 1
          ? formatv("{0} has no reduction next to it to be fused with.",
                    nameOf(sink))
                .str()
          : "Element by element with one pass over memory: " +
                quoted(inProgramOrder(draft.group.ops,
                                      [](Operation *) { return true; })) +
                ".");
  form(draft);
  return llvm::Error::success();
}

llvm::Expected<std::vector<CutKernel>> Cutter::run() {
  if (!main || main.isExternal() || !main.getBody().hasOneBlock())
    return llvm::createStringError(
        "the payload has no function @main of one block; import it with "
        "egg-import-torch");
  Block &body = main.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();

  for (Operation &op : body.without_terminator())
    if (!isNamed(&op) && !isFreeOp(&op))
      return refuse(&op, "it has no egg.name; run egg-import-torch on the "
                         "payload first");

  auto firstNamed = [&](function_ref<bool(Operation *)> keep) -> Operation * {
    for (Operation &op : body)
      if (isNamed(&op) && keep(&op))
        return &op;
    return nullptr;
  };
  while (Operation *anchor =
             firstNamed([](Operation *op) { return isAnchor(op); }))
    if (llvm::Error error = cutAnchor(anchor))
      return std::move(error);
  auto lastNamed = [&]() -> Operation * {
    for (Operation &op : llvm::reverse(body))
      if (isNamed(&op))
        return &op;
    return nullptr;
  };
  while (Operation *sink = lastNamed())
    if (llvm::Error error = cutMap(sink))
      return std::move(error);
  return std::move(kernels);
}
} // namespace

llvm::Expected<std::vector<CutKernel>> cutIntoKernels(ModuleOp payload) {
  return Cutter(payload).run();
}

} // namespace egg
