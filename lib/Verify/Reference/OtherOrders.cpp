//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "OtherOrders.h"
#include "egg/Support/Random.h"
#include "egg/Verify/PayloadProgram.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <map>
#include <numeric>

using namespace mlir;
using namespace egg;

static constexpr llvm::StringLiteral kOrder = "egg_order";

namespace {

/// The order of each loop, by its number and extent; the same throughout a run,
/// so that a loop meets each of its rounds once.
class Orders {
public:
  explicit Orders(uint64_t seed) : random(mixBits(seed + kGoldenGamma)) {}

  const std::vector<int64_t> &get(int64_t loop, int64_t extent);

private:
  Random random;
  std::map<std::pair<int64_t, int64_t>, std::vector<int64_t>> byLoop;
};

} // namespace

/// Of the run that this thread is in.
static thread_local Orders *current = nullptr;

const std::vector<int64_t> &Orders::get(int64_t loop, int64_t extent) {
  std::vector<int64_t> &order = byLoop[{loop, extent}];
  if (order.empty()) {
    order.resize(size_t(extent));
    std::iota(order.begin(), order.end(), 0);
    for (size_t last = order.size(); last > 1; --last)
      std::swap(order[last - 1], order[random.next() % last]);
  }
  return order;
}

extern "C" {
/// The round that a loop runs in place of round `i`.
static int64_t eggOrder(int64_t loop, int64_t i, int64_t extent) {
  return current ? current->get(loop, extent)[size_t(i)] : i;
}
}

HostProgram::Symbols egg::getOrderSymbols() {
  return {{kOrder.str(), reinterpret_cast<void *>(&eggOrder)}};
}

/// Linalg's loops run from 0 in steps of 1.
static void reorder(scf::ForOp loop, int64_t number, func::FuncOp function) {
  OpBuilder b = OpBuilder::atBlockBegin(loop.getBody());
  Location loc = loop.getLoc();
  Value iv = loop.getInductionVar();
  Value id = arith::ConstantIndexOp::create(b, loc, number);
  auto call = func::CallOp::create(b, loc, function,
                                   ValueRange{id, iv, loop.getUpperBound()});
  iv.replaceAllUsesExcept(call.getResult(0), call);
}

/// Whether each output is combined with values that do not depend on it, by an
/// operation whose order is of no account but for rounding and overflow.
static bool isOfAnyOrder(linalg::LinalgOp op) {
  Operation *yield = op.getBlock()->getTerminator();
  return llvm::all_of(
      llvm::zip_equal(op.getRegionOutputArgs(), yield->getOperands()),
      [](auto pair) {
        auto [out, yielded] = pair;
        Operation *combiner = Value(yielded).getDefiningOp();
        bool hasKind = isa_and_nonnull<
            arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp,
            arith::MaxNumFOp, arith::MinNumFOp, arith::AddIOp, arith::MulIOp,
            arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp,
            arith::AndIOp, arith::OrIOp, arith::XOrIOp>(combiner);
        bool isDifference = isa_and_nonnull<arith::SubFOp>(combiner) &&
                            combiner->getOperand(0) == out;
        return Value(out).hasOneUse() && (hasKind || isDifference) &&
               llvm::is_contained(combiner->getOperands(), Value(out));
      });
}

LogicalResult egg::lowerReductionsReordered(ModuleOp module) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  IRRewriter rewriter(module.getContext());
  rewriter.setInsertionPointToStart(module.getBody());
  Type index = rewriter.getIndexType();
  auto function = func::FuncOp::create(
      rewriter, module.getLoc(), kOrder,
      rewriter.getFunctionType({index, index, index}, {index}));
  function.setPrivate();
  int64_t number = 0;
  for (linalg::LinalgOp op : ops) {
    SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
    bool isFree = isOfAnyOrder(op);
    rewriter.setInsertionPoint(op);
    auto loops = linalg::linalgOpToLoops(rewriter, op);
    if (failed(loops))
      return failure();
    for (auto [loop, kind] : llvm::zip(*loops, kinds))
      if (isFree && kind == utils::IteratorType::reduction)
        reorder(cast<scf::ForOp>(loop), number++, function);
    rewriter.eraseOp(op);
  }
  return success();
}

llvm::Expected<OrderOutcomes>
egg::runInOtherOrders(ModuleOp payload, llvm::ArrayRef<HostTensor> inputs,
                      size_t result) {
  auto program = PayloadProgram::compile(payload, Precision::Reordered);
  if (!program)
    return program.takeError();
  OrderOutcomes outcomes;
  for (uint64_t order = 0; order < kOrders; ++order) {
    Orders orders(order);
    current = &orders;
    auto results = (*program)->run(inputs);
    current = nullptr;
    if (!results)
      return results.takeError();
    outcomes.add((*results)[result]);
  }
  return outcomes;
}
