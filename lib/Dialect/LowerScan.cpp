//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// egg-lower-scan: the plain meaning of egg.scan, as sequential loops.
//
//===----------------------------------------------------------------------===//
#include "egg/Dialect/EggDialect.h"
#include "egg/Dialect/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace egg {
#define GEN_PASS_DEF_LOWERSCAN
#include "egg/Dialect/Passes.h.inc"
} // namespace egg

using namespace mlir;
using namespace egg;

namespace {

/// Builds the nest over the outer dimensions and, innermost, the walk along
/// the scanned one. Every loop carries the result so far.
class ScanLoops {
public:
  ScanLoops(ScanOp scan, IRRewriter &rewriter)
      : scan(scan), rewriter(rewriter), loc(scan.getLoc()),
        indices(scan.getInput().getType().getRank()) {
    zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    for (int64_t dim = 0, rank = indices.size(); dim < rank; ++dim) {
      extents.push_back(
          tensor::getMixedSize(rewriter, loc, scan.getInput(), dim));
      if (dim != static_cast<int64_t>(scan.getDim()))
        outer.push_back(dim);
    }
  }

  Value build() {
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, extents, scan.getInput().getType().getElementType());
    return buildOuter(0, empty);
  }

private:
  Value buildOuter(size_t depth, Value result) {
    if (depth == outer.size())
      return buildWalk(result);
    return buildLoop(extentOf(outer[depth]), result, [&](scf::ForOp loop) {
      indices[outer[depth]] = loop.getInductionVar();
      return SmallVector<Value>{
          buildOuter(depth + 1, loop.getRegionIterArg(0))};
    });
  }

  Value buildWalk(Value result) {
    Value neutral =
        arith::ConstantOp::create(rewriter, loc, scan.getNeutralElement());
    Value extent = extentOf(scan.getDim());
    return buildLoop(extent, {result, neutral}, [&](scf::ForOp loop) {
      Value position = loop.getInductionVar();
      if (scan.getReverse()) {
        Value last = arith::SubIOp::create(rewriter, loc, extent, one);
        position = arith::SubIOp::create(rewriter, loc, last, position);
      }
      indices[scan.getDim()] = position;
      Value element =
          tensor::ExtractOp::create(rewriter, loc, scan.getInput(), indices);
      Value before = loop.getRegionIterArg(1);
      Value after = scan.buildCombine(rewriter, loc, before, element);
      Value stored = tensor::InsertOp::create(
          rewriter, loc, scan.getExclusive() ? before : after,
          loop.getRegionIterArg(0), indices);
      return SmallVector<Value>{stored, after};
    });
  }

  Value buildLoop(Value extent, ValueRange carried,
                  function_ref<SmallVector<Value>(scf::ForOp)> body) {
    auto loop = scf::ForOp::create(rewriter, loc, zero, extent, one, carried);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> yielded = body(loop);
    scf::YieldOp::create(rewriter, loc, yielded);
    return loop.getResult(0);
  }

  Value extentOf(int64_t dim) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, extents[dim]);
  }

  ScanOp scan;
  IRRewriter &rewriter;
  Location loc;
  Value zero, one;
  SmallVector<OpFoldResult> extents;
  SmallVector<int64_t> outer;
  SmallVector<Value> indices;
};

struct LowerScan : egg::impl::LowerScanBase<LowerScan> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<ScanOp> scans;
    getOperation()->walk([&](ScanOp scan) { scans.push_back(scan); });
    for (ScanOp scan : scans) {
      rewriter.setInsertionPoint(scan);
      rewriter.replaceOp(scan, ScanLoops(scan, rewriter).build());
    }
  }
};

} // namespace
