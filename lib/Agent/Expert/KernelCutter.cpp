//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelCutter.h"
#include "ComputeGraph.h"
#include "DraftKernel.h"
#include "HardwareRules.h"
#include "KernelNames.h"
#include "egg/Kernel/TensorReads.h"
#include "egg/TransformOps/KernelOutlining.h"
#include "egg/TransformOps/ReductionSplitting.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::formatv;

namespace egg {
namespace {

/// Long enough to be shared by several blocks, and what a share keeps at least.
constexpr int64_t kVeryLongRow = 32768, kShareOfRow = 2048;
/// Blocks that fill a large GPU several times over.
constexpr int64_t kPlentyBlocks = 1056;
/// The tile of products of moderate size, and what a share of k keeps at least.
constexpr int64_t kTile = 64, kShareOfProduct = 1024;

bool isProduct(const Trial &alone) {
  return alone.isContraction && !isSkinny(alone.m, alone.n);
}

class Cutter {
public:
  explicit Cutter(ModuleOp payload)
      : payload(payload), main(payload.lookupSymbol<func::FuncOp>("main")) {}

  llvm::Expected<std::vector<CutKernel>> run();

private:
  llvm::Error cutAnchor(Operation *anchor);
  llvm::Error cutMap(Operation *sink);
  bool split(Operation *anchor, const Trial &alone);
  static void explainFollowers(DraftKernel &draft, Operation *anchor,
                               int64_t rows);

  void form(DraftKernel &draft);

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

void Cutter::form(DraftKernel &draft) {
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

/// Shares a few very long rows, or the depth of a product with few tiles, among
/// more blocks.
bool Cutter::split(Operation *anchor, const Trial &alone) {
  auto op = dyn_cast<linalg::LinalgOp>(anchor);
  if (!op)
    return false;
  auto roundUp = [](int64_t n) -> int64_t { return llvm::PowerOf2Ceil(n); };
  CutSplit done;
  done.op = nameOf(anchor).str();
  if (isProduct(alone)) {
    int64_t tiles = alone.batch * llvm::divideCeil(alone.m, kTile) *
                    llvm::divideCeil(alone.n, kTile);
    if (tiles * 2 > kManyRows || alone.k < 2 * kShareOfProduct)
      return false;
    done.parts = std::min(roundUp(llvm::divideCeil(2 * kManyRows, tiles)),
                          roundUp(alone.k / kShareOfProduct));
    done.reason =
        formatv("{0} has {1} tiles of {2} x {2} and k = {3}: too few to fill "
                "the device, so k is shared among up to {4} blocks a tile, "
                "whose partial sums, each rounded less, a reduction adds.",
                done.op, tiles, kTile, alone.k, done.parts);
  } else {
    if (rereadsInputs(anchor) || alone.rows >= kManyRows ||
        alone.columns < kVeryLongRow)
      return false;
    done.parts =
        std::min<int64_t>({roundUp(llvm::divideCeil(kPlentyBlocks, alone.rows)),
                           roundUp(alone.columns / kShareOfRow), 1024});
    done.reason = formatv(
        "{0} reduces {1} rows of {2} elements: too few rows to fill the "
        "device with a block a row, so each is shared among up to {3} "
        "blocks, whose partial results a second reduction combines.",
        done.op, alone.rows, alone.columns, done.parts);
  }
  IRRewriter rewriter(main.getContext());
  std::string why;
  if (failed(splitReduction(rewriter, op, done.parts, why)))
    return false;
  splits.push_back(std::move(done));
  return true;
}

/// The group's ops, but anchors, whose values the given ops need.
llvm::SetVector<Operation *> feeding(const Group &group,
                                     ArrayRef<Operation *> ops) {
  llvm::SetVector<Operation *> found;
  SmallVector<Operation *> left(ops);
  while (!left.empty())
    for (Operation *producer : computeProducers(left.pop_back_val()))
      if (group.contains(producer) && !isAnchor(producer) &&
          found.insert(producer))
        left.push_back(producer);
  return found;
}

/// The tensors that are read from memory where the ops are evaluated.
llvm::SetVector<Value> readsOf(const Group &group, ArrayRef<Operation *> ops) {
  llvm::SetVector<Value> reads;
  llvm::SetVector<Operation *> evaluated = feeding(group, ops);
  evaluated.insert_range(ops);
  for (Operation *op : evaluated) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    for (Value value : linalgOp ? linalgOp.getDpsInputs()
                                : SmallVector<Value>(op->getOperands())) {
      // A reshape is another view of the same elements.
      while (value.getDefiningOp() && isFreeOp(value.getDefiningOp()) &&
             value.getDefiningOp()->getNumOperands() > 0)
        value = value.getDefiningOp()->getOperand(0);
      if (isa<RankedTensorType>(value.getType()) &&
          !(value.getDefiningOp() && group.contains(value.getDefiningOp())))
        reads.insert(value);
    }
  }
  return reads;
}

/// What comes after the first anchor. In the rows structure each reduction ends
/// before what needs it begins: what has a value an element of the row is
/// evaluated as the row is read for the next, or for the results.
void Cutter::explainFollowers(DraftKernel &draft, Operation *anchor,
                              int64_t rows) {
  const Group &group = draft.group;
  auto later = inProgramOrder(
      group.ops, [&](Operation *op) { return op != anchor && isAnchor(op); });
  if (!later.empty())
    draft.reasons.push_back("Reductions over the same rows share the kernel: " +
                            quoted(later) + ".");
  llvm::SetVector<Operation *> needed = feeding(group, later);
  SmallVector<Operation *> between, last, kept;
  for (Operation *op : inProgramOrder(group.ops, [&](Operation *op) {
         return !isAnchor(op) && anchor->isBeforeInBlock(op);
       })) {
    bool ofElements =
        draft.structure == Structure::Rows && elementCount(op) > rows;
    (!ofElements ? kept : needed.contains(op) ? between : last).push_back(op);
  }
  llvm::SetVector<Value> first = readsOf(group, anchor);
  auto again = [&](ArrayRef<Operation *> ops) {
    return llvm::any_of(readsOf(group, ops),
                        [&](Value value) { return first.contains(value); })
               ? ", computed in registers as the row is read again: "
               : ", computed in registers: ";
  };
  if (!between.empty())
    draft.reasons.push_back("Between the reductions" +
                            (again(between) + quoted(between)) + ".");
  if (!last.empty())
    draft.reasons.push_back(
        (later.empty() ? "After the reduction" : "After the last reduction") +
        (again(last) + quoted(last)) + ".");
  if (!kept.empty())
    draft.reasons.push_back(
        "What follows element by element stays in registers: " + quoted(kept) +
        ".");
}

llvm::Error Cutter::cutAnchor(Operation *anchor) {
  DraftKernel draft;
  draft.group.ops.insert(anchor);
  Trial alone = tryGroup(main, draft.group);
  if (!alone.legal)
    return refuse(anchor, alone.reason);
  StringRef name = nameOf(anchor);
  if (alone.isScan) {
    draft.structure = Structure::Scan;
    draft.reasons.push_back(formatv("{0} is a scan.", name));
  } else if ((isProduct(alone) || alone.isRows) && split(anchor, alone)) {
    // The two come next, in program order.
    return llvm::Error::success();
  } else if (isProduct(alone)) {
    draft.structure = Structure::Contraction;
    draft.reasons.push_back(
        formatv("{0} is a sum of products of two operands: {1} x ({2} x {3} x "
                "{4}) (batch, m, n, k).",
                name, alone.batch, alone.m, alone.n, alone.k));
  } else if (alone.isRows) {
    draft.structure = Structure::Rows;
    draft.reasons.push_back(formatv("{0} reduces {1} rows of {2} elements.",
                                    name, alone.rows, alone.columns));
  } else {
    return refuse(anchor, "no structure fits it");
  }
  growConsumers(main, draft);
  growProducers(main, draft, anchor);

  explainFollowers(draft, anchor, alone.rows);
  auto before = inProgramOrder(draft.group.ops, [&](Operation *op) {
    return !isAnchor(op) && op->isBeforeInBlock(anchor);
  });
  if (!before.empty())
    draft.reasons.push_back("What only this kernel reads is computed as it is "
                            "read: " +
                            quoted(before) + ".");
  form(draft);
  return llvm::Error::success();
}

llvm::Error Cutter::cutMap(Operation *sink) {
  DraftKernel draft;
  draft.structure = Structure::Map;
  draft.group.ops.insert(sink);
  Trial alone = tryGroup(main, draft.group);
  if (!alone.legal)
    return refuse(sink, alone.reason);
  int64_t count = elementCount(sink);

  llvm::DenseSet<Operation *> refused;
  for (bool changed = true; changed;) {
    growProducers(main, draft, nullptr);
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
        if (fits && accepts(main, draft, wider)) {
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
