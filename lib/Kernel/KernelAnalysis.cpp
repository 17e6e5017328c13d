//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Kernel/KernelAnalysis.h"
#include "MixedRadix.h"
#include "egg/Kernel/AnchorMatching.h"
#include "egg/Kernel/TensorReads.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace egg {

namespace {

/// d0 of every expression an analysis returns: the row; d1: the column.
class Analyzer {
public:
  Analyzer(func::FuncOp kernel, function_ref<InFlightDiagnostic()> emitError)
      : kernel(kernel), emitError(emitError), space(kernel.getContext()) {}

  FailureOr<KernelAnalysis> run();

private:
  LogicalResult fail(const Twine &message, Operation *op = nullptr) {
    if (emitError) {
      InFlightDiagnostic diag = emitError();
      diag << message;
      if (op)
        diag.attachNote(op->getLoc()) << "this op";
    }
    return failure();
  }

  LogicalResult checkExtents();
  LogicalResult collectAnchors();
  LogicalResult checkAnchorRows();
  LogicalResult solveResults();
  LogicalResult solveResult(Value value, ResultInfo &info);
  /// Collects the row number (in terms of idx) of every anchor element that
  /// the element idx of value needs.
  LogicalResult traceRows(Value value, ArrayRef<AffineExpr> idx,
                          llvm::SetVector<AffineExpr> &rows, int depth = 0);
  int64_t anchorNumber(Operation *op) const;
  AffineExpr rowOfAnchorElement(OpResult result, ArrayRef<AffineExpr> idx);

  func::FuncOp kernel;
  function_ref<InFlightDiagnostic()> emitError;
  IndexSpace space;
  AffineExpr row, column;
  KernelAnalysis analysis;
};

LogicalResult Analyzer::checkExtents() {
  for (Operation &op : kernel.getBody().front())
    for (Type type : op.getResultTypes()) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      int64_t elements = 1;
      if (!tensor || !tensor.hasStaticShape())
        continue;
      if (llvm::is_contained(tensor.getShape(), 0))
        return fail("'" + op.getName().getStringRef() +
                        "' has a result without elements, and nothing computes "
                        "those; run egg-import-torch on the payload, which "
                        "removes it",
                    &op);
      if (llvm::any_of(tensor.getShape(), [&](int64_t extent) {
            return llvm::MulOverflow(elements, extent, elements);
          }))
        return fail("'" + op.getName().getStringRef() +
                        "' has a result of more elements than 64 bits count; "
                        "use smaller extents",
                    &op);
    }
  return success();
}

LogicalResult Analyzer::collectAnchors() {
  for (Operation &op : kernel.getBody().front()) {
    if (!isAnchor(&op))
      continue;
    AnchorInfo info;
    info.op = &op;
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      if (!linalgOp.hasPureTensorSemantics() || linalgOp.hasDynamicShape())
        return fail("the kernel has a reduction on dynamic shapes or buffers",
                    &op);
      SmallVector<int64_t> extents = linalgOp.getStaticLoopRanges();
      for (auto [d, type] : llvm::enumerate(linalgOp.getIteratorTypesArray())) {
        bool parallel = type == utils::IteratorType::parallel;
        (parallel ? info.parallelDims : info.reductionDims).push_back(d);
        (parallel ? info.parallelExtents : info.reductionExtents)
            .push_back(extents[d]);
        if (!parallel &&
            llvm::MulOverflow(info.columns, extents[d], info.columns))
          return fail("a reduction has more iterations than 64 bits count; use "
                      "smaller extents",
                      &op);
      }
      for (unsigned i = 0, e = linalgOp.getNumDpsInits(); i < e; ++i)
        info.combiners.push_back(matchCombiner(linalgOp, i));
    } else {
      for (auto [d, extent] : llvm::enumerate(extentsOf(op.getResult(0)))) {
        info.parallelDims.push_back(d);
        info.parallelExtents.push_back(extent);
      }
    }
    analysis.anchors.push_back(info);
  }
  return success();
}

int64_t Analyzer::anchorNumber(Operation *op) const {
  for (auto [i, anchor] : llvm::enumerate(analysis.anchors))
    if (anchor.op == op)
      return i;
  return -1;
}

AffineExpr Analyzer::rowOfAnchorElement(OpResult result,
                                        ArrayRef<AffineExpr> idx) {
  const AnchorInfo &anchor = analysis.anchors[anchorNumber(result.getOwner())];
  SmallVector<AffineExpr> point;
  if (auto op = dyn_cast<linalg::LinalgOp>(result.getOwner())) {
    auto loops = loopsWriting(op, result.getResultNumber(), idx);
    if (failed(loops))
      return {};
    for (unsigned d : anchor.parallelDims) {
      if (!(*loops)[d])
        return {};
      point.push_back((*loops)[d]);
    }
  } else {
    point.assign(idx.begin(), idx.end());
  }
  return space.linearize(point, anchor.parallelExtents);
}

LogicalResult Analyzer::traceRows(Value value, ArrayRef<AffineExpr> idx,
                                  llvm::SetVector<AffineExpr> &rows,
                                  int depth) {
  if (depth > 2000)
    return fail("the kernel's expressions nest too deeply");
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return success();
  if (anchorNumber(result.getOwner()) >= 0) {
    AffineExpr expr = rowOfAnchorElement(result, idx);
    if (!expr)
      return fail("the map of a reduction's result is no permutation of its "
                  "parallel dimensions",
                  result.getOwner());
    rows.insert(expr);
    return success();
  }
  auto reads = operandReads(result, idx, space);
  if (failed(reads))
    return fail("cannot evaluate '" +
                    result.getOwner()->getName().getStringRef() +
                    "' inside a kernel",
                result.getOwner());
  for (ElementRead &read : *reads)
    if (failed(traceRows(read.tensor, read.idx, rows, depth + 1)))
      return failure();
  return success();
}

LogicalResult Analyzer::checkAnchorRows() {
  for (const AnchorInfo &anchor : analysis.anchors) {
    int64_t rows = 1;
    for (int64_t extent : anchor.parallelExtents)
      rows *= extent;
    if (rows != analysis.rows)
      return fail("reductions in one kernel must have the same rows: this one "
                  "has " +
                      Twine(rows) + ", the first has " + Twine(analysis.rows) +
                      "; form separate kernels",
                  anchor.op);
    auto op = dyn_cast<linalg::LinalgOp>(anchor.op);
    if (!op) {
      if (analysis.anchors.size() > 1)
        return fail("a scan must be the only scan or reduction of its kernel",
                    anchor.op);
      continue;
    }
    SmallVector<AffineExpr> loops(op.getNumLoops());
    auto point = space.delinearize(row, anchor.parallelExtents);
    for (auto [d, i] : llvm::zip_equal(anchor.parallelDims, point))
      loops[d] = i;
    for (auto [d, extent] :
         llvm::zip_equal(anchor.reductionDims, anchor.reductionExtents))
      loops[d] = space.addDim(extent);
    llvm::SetVector<AffineExpr> needed;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      auto idx = applyMap(op.getMatchingIndexingMap(&operand), loops, space);
      if (failed(traceRows(operand.get(), idx, needed)))
        return failure();
    }
    for (AffineExpr expr : needed)
      if (expr != space.simplify(row))
        return fail("a reduction needs another reduction's result at other "
                    "rows than its own; form separate kernels",
                    anchor.op);
  }
  return success();
}

LogicalResult Analyzer::solveResult(Value value, ResultInfo &info) {
  ArrayRef<int64_t> extents = extentsOf(value);
  int64_t elements = ShapedType::getNumElements(extents);
  info.rows = analysis.rows;
  SmallVector<AffineExpr> dims;
  for (int64_t extent : extents)
    dims.push_back(space.addDim(extent));
  llvm::SetVector<AffineExpr> rows;
  if (failed(traceRows(value, dims, rows)))
    return failure();

  if (rows.empty()) {
    // No anchor behind it: any split into rows and columns will do.
    info.rows = analysis.anchors.empty() ? elements : analysis.rows;
    if (info.rows == 0 || elements % info.rows != 0)
      return fail("a result has " + Twine(elements) +
                  " elements, which is no multiple of the kernel's " +
                  Twine(analysis.rows) + " rows; give it its own kernel");
    info.columns = elements / info.rows;
    info.idx = space.delinearize(row * info.columns + column, extents);
    return success();
  }

  // Read the digits of the row number off the first access and invert it.
  auto notSolvable = [&]() {
    return fail("cannot tell which elements of a result belong to a row of "
                "the reduction; give it its own kernel");
  };
  SmallVector<std::pair<AffineExpr, int64_t>> terms;
  int64_t constant = 0;
  flattenSum(rows.front(), 1, terms, constant);
  llvm::sort(terms, [](auto &a, auto &b) { return a.second < b.second; });
  DenseMap<AffineExpr, SmallVector<Digit>> digits;
  int64_t radix = 1;
  for (auto [atom, coefficient] : terms) {
    auto match = matchDigit(atom, space);
    if (!match || coefficient != radix)
      return notSolvable();
    Digit digit = match->second;
    digit.value = (row.floorDiv(radix)) % digit.size;
    radix *= digit.size;
    digits[match->first].push_back(digit);
  }
  if (constant != 0 || radix != analysis.rows)
    return notSolvable();

  // Fill the gaps of every index with columns.
  struct Gap {
    size_t dim;
    int64_t low, size;
  };
  SmallVector<Gap> gaps;
  SmallVector<AffineExpr> idx;
  for (auto [k, dim] : llvm::enumerate(dims)) {
    SmallVector<Digit> known = digits.lookup(dim);
    llvm::sort(known, [](auto &a, auto &b) { return a.low < b.low; });
    AffineExpr sum = space.constant(0);
    int64_t low = 1;
    SmallVector<Gap> own;
    for (Digit &digit : known) {
      if (digit.low % low != 0 || digit.low < low)
        return notSolvable();
      if (digit.low > low)
        own.push_back({k, low, digit.low / low});
      sum = sum + digit.value * digit.low;
      low = digit.low * digit.size;
    }
    if (extents[k] % low != 0)
      return notSolvable();
    if (extents[k] > low)
      own.push_back({k, low, extents[k] / low});
    llvm::append_range(gaps, llvm::reverse(own));
    idx.push_back(sum);
  }
  SmallVector<int64_t> gapExtents;
  for (Gap &gap : gaps) {
    gapExtents.push_back(gap.size);
    info.columns *= gap.size;
  }
  if (info.columns * info.rows != elements)
    return notSolvable();
  // The column's range differs from result to result.
  AffineExpr localColumn = space.addDim(info.columns);
  auto values = space.delinearize(localColumn, gapExtents);
  for (auto [gap, value] : llvm::zip_equal(gaps, values))
    idx[gap.dim] = idx[gap.dim] + value * gap.low;
  for (AffineExpr &i : idx)
    i = space.simplify(i);

  // Proof by substitution: every access must be at this row.
  llvm::SetVector<AffineExpr> check;
  if (failed(traceRows(value, idx, check)))
    return failure();
  for (AffineExpr expr : check)
    if (expr != space.simplify(row))
      return fail("a result needs a reduction's result at several rows; give "
                  "it its own kernel");
  for (AffineExpr i : idx)
    info.idx.push_back(i.replace(localColumn, column));
  return success();
}

LogicalResult Analyzer::solveResults() {
  auto terminator = cast<func::ReturnOp>(kernel.getBody().front().back());
  for (Value value : terminator.getOperands()) {
    ResultInfo info;
    if (failed(solveResult(value, info)))
      return failure();
    analysis.results.push_back(info);
  }
  return success();
}

FailureOr<KernelAnalysis> Analyzer::run() {
  if (kernel.isExternal() || !llvm::hasSingleElement(kernel.getBody()))
    return fail("a kernel function needs one block");
  auto isStatic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  if (!llvm::all_of(kernel.getArgumentTypes(), isStatic) ||
      !llvm::all_of(kernel.getResultTypes(), isStatic))
    return fail("a kernel's arguments and results must be tensors of static "
                "shape");
  if (kernel.getNumResults() == 0)
    return fail("a kernel must have a result");
  if (failed(checkExtents()))
    return failure();
  if (failed(collectAnchors()))
    return failure();
  auto results = cast<func::ReturnOp>(kernel.getBody().front().back());
  if (analysis.anchors.empty()) {
    for (Value value : results.getOperands())
      analysis.rows =
          std::max(analysis.rows, ShapedType::getNumElements(extentsOf(value)));
  } else {
    for (int64_t extent : analysis.anchors.front().parallelExtents)
      analysis.rows *= extent;
  }
  row = space.addDim(analysis.rows);
  // Wide enough for every result; ranges are re-established at emission.
  int64_t columns = 1;
  for (Value value : results.getOperands())
    columns = std::max(columns, ShapedType::getNumElements(extentsOf(value)));
  column = space.addDim(columns);
  if (failed(checkAnchorRows()) || failed(solveResults()))
    return failure();
  if (analysis.anchors.size() == 1)
    if (auto op = dyn_cast<linalg::LinalgOp>(analysis.anchors.front().op))
      if (llvm::all_of(analysis.results,
                       [](ResultInfo &r) { return r.columns == 1; }))
        analysis.contraction = matchContraction(op);
  return analysis;
}

} // namespace

bool KernelAnalysis::supports(Structure structure) const {
  bool scan = anchors.size() == 1 && !isa<linalg::LinalgOp>(anchors[0].op);
  switch (structure) {
  case Structure::Map:
    return anchors.empty();
  case Structure::Rows:
    return !anchors.empty() && !scan;
  case Structure::Contraction:
    return contraction.has_value();
  case Structure::Scan:
    return scan && llvm::all_of(results, [](const ResultInfo &r) {
             return r.columns == 1;
           });
  }
  llvm_unreachable("unknown structure");
}

FailureOr<KernelAnalysis>
analyzeKernel(func::FuncOp kernel,
              function_ref<InFlightDiagnostic()> emitError) {
  return Analyzer(kernel, emitError).run();
}

} // namespace egg
