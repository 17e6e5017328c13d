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

static constexpr llvm::StringLiteral kOrder = "egg_order",
                                     kBeginRound = "egg_begin_round",
                                     kFirstPart = "egg_first_part";

namespace {

/// The order of each loop, by its number and extent; the same throughout a run,
/// so that a loop meets each of its rounds once. With `inParts` each sum is
/// made of two parts.
class Orders {
public:
  Orders(uint64_t seed, bool inParts)
      : random(mixBits(seed + kGoldenGamma)), inParts(inParts) {}

  const std::vector<int64_t> &get(int64_t loop, int64_t extent);
  /// What a round of a sum adds to, in place of the sum so far.
  double beginRound(int64_t sum, int64_t rounds, double soFar);
  /// What is added after a round: the first part after the last one.
  double getFirstPart(int64_t sum, int64_t rounds);

private:
  struct Parts {
    int64_t round = 0, cut = 0;
    double first = -0.0;
  };

  Random random;
  bool inParts;
  std::map<std::pair<int64_t, int64_t>, std::vector<int64_t>> byLoop;
  std::map<int64_t, Parts> bySum;
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

double Orders::beginRound(int64_t sum, int64_t rounds, double soFar) {
  if (!inParts || rounds < 2)
    return soFar;
  Parts &parts = bySum[sum];
  if (parts.round == 0)
    parts.cut = 1 + int64_t(random.next() % uint64_t(rounds - 1));
  if (parts.round++ != parts.cut)
    return soFar;
  parts.first = soFar;
  return -0.0;
}

double Orders::getFirstPart(int64_t sum, int64_t rounds) {
  if (!inParts || rounds < 2 || bySum[sum].round != rounds)
    return -0.0;
  return std::exchange(bySum[sum], Parts()).first;
}

extern "C" {
/// The round that a loop runs in place of round `i`.
static int64_t eggOrder(int64_t loop, int64_t i, int64_t extent) {
  return current ? current->get(loop, extent)[size_t(i)] : i;
}
static double eggBeginRound(int64_t sum, int64_t rounds, double soFar) {
  return current ? current->beginRound(sum, rounds, soFar) : soFar;
}
static double eggFirstPart(int64_t sum, int64_t rounds) {
  return current ? current->getFirstPart(sum, rounds) : -0.0;
}
}

HostProgram::Symbols egg::getOrderSymbols() {
  return {{kOrder.str(), reinterpret_cast<void *>(&eggOrder)},
          {kBeginRound.str(), reinterpret_cast<void *>(&eggBeginRound)},
          {kFirstPart.str(), reinterpret_cast<void *>(&eggFirstPart)}};
}

/// Lets the rounds of nested loops, of which each holds nothing but the next
/// one, come in another order. Linalg's loops run from 0 in steps of 1.
static void reorder(ArrayRef<scf::ForOp> loops, int64_t number,
                    func::FuncOp function) {
  OpBuilder b = OpBuilder::atBlockBegin(scf::ForOp(loops.back()).getBody());
  Location loc = scf::ForOp(loops.front()).getLoc();
  auto multiply = [&](Value x, Value y) -> Value {
    return arith::MulIOp::create(b, loc, x, y);
  };
  Value id = arith::ConstantIndexOp::create(b, loc, number);
  Value round = arith::ConstantIndexOp::create(b, loc, 0);
  Value rounds = arith::ConstantIndexOp::create(b, loc, 1);
  SmallPtrSet<Operation *, 8> own;
  for (scf::ForOp loop : loops) {
    Value extent = loop.getUpperBound();
    round = arith::AddIOp::create(b, loc, multiply(round, extent),
                                  loop.getInductionVar());
    own.insert(round.getDefiningOp());
    rounds = multiply(rounds, extent);
  }
  Value other =
      func::CallOp::create(b, loc, function, ValueRange{id, round, rounds})
          .getResult(0);
  for (scf::ForOp loop : llvm::reverse(loops)) {
    Value extent = loop.getUpperBound();
    Value digit = arith::RemUIOp::create(b, loc, other, extent);
    other = arith::DivUIOp::create(b, loc, other, extent);
    loop.getInductionVar().replaceAllUsesExcept(digit, own);
  }
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

/// Whether all rounds of a reduction follow one another.
static bool reducesLast(linalg::LinalgOp op) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  return llvm::all_of(ArrayRef(kinds).take_back(op.getNumReductionLoops()),
                      [](utils::IteratorType kind) {
                        return kind == utils::IteratorType::reduction;
                      });
}

/// Lets a sum be made of two parts. Its rounds follow one another, and each is
/// `out + x` or `out - x`: adding -0 changes nothing.
static void sumInParts(linalg::LinalgOp op, int64_t number,
                       func::FuncOp beginRound, func::FuncOp firstPart) {
  Operation *yield = op.getBlock()->getTerminator();
  if (yield->getNumOperands() != 1)
    return;
  Operation *combiner = yield->getOperand(0).getDefiningOp();
  if (!isa<arith::AddFOp, arith::SubFOp>(combiner))
    return;
  int64_t rounds = 1;
  for (auto [kind, extent] :
       llvm::zip(op.getIteratorTypesArray(), op.getStaticLoopRanges()))
    if (kind == utils::IteratorType::reduction)
      rounds *= extent;
  OpBuilder b(combiner);
  Location loc = combiner->getLoc();
  Value out = op.getRegionOutputArgs().front();
  Type type = out.getType(), wide = b.getF64Type();
  auto narrow = [&](Value value) -> Value {
    return type == wide ? value : arith::TruncFOp::create(b, loc, type, value);
  };
  Value sum = arith::ConstantIndexOp::create(b, loc, number),
        count = arith::ConstantIndexOp::create(b, loc, rounds);
  Value soFar = type == wide ? out : arith::ExtFOp::create(b, loc, wide, out);
  Value start = narrow(
      func::CallOp::create(b, loc, beginRound, ValueRange{sum, count, soFar})
          .getResult(0));
  combiner->replaceUsesOfWith(out, start);
  b.setInsertionPointAfter(combiner);
  Value first =
      narrow(func::CallOp::create(b, loc, firstPart, ValueRange{sum, count})
                 .getResult(0));
  yield->setOperand(
      0, arith::AddFOp::create(b, loc, combiner->getResult(0), first));
}

LogicalResult egg::lowerReductionsReordered(ModuleOp module) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  IRRewriter rewriter(module.getContext());
  rewriter.setInsertionPointToStart(module.getBody());
  Type index = rewriter.getIndexType(), wide = rewriter.getF64Type();
  auto declare = [&](StringRef name, TypeRange arguments, Type result) {
    auto function =
        func::FuncOp::create(rewriter, module.getLoc(), name,
                             rewriter.getFunctionType(arguments, {result}));
    function.setPrivate();
    return function;
  };
  func::FuncOp function = declare(kOrder, {index, index, index}, index),
               beginRound = declare(kBeginRound, {index, index, wide}, wide),
               firstPart = declare(kFirstPart, {index, index}, wide);
  int64_t number = 0;
  for (linalg::LinalgOp op : ops) {
    SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
    bool isFree = op.getNumReductionLoops() > 0 && isOfAnyOrder(op);
    bool isOneLoop = isFree && reducesLast(op);
    if (isOneLoop)
      sumInParts(op, number, beginRound, firstPart);
    rewriter.setInsertionPoint(op);
    auto loops = linalg::linalgOpToLoops(rewriter, op);
    if (failed(loops))
      return failure();
    SmallVector<scf::ForOp> reductions;
    for (auto [loop, kind] : llvm::zip(*loops, kinds))
      if (isFree && kind == utils::IteratorType::reduction)
        reductions.push_back(cast<scf::ForOp>(loop));
    if (isOneLoop)
      reorder(reductions, number++, function);
    else
      for (scf::ForOp loop : reductions)
        reorder(loop, number++, function);
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
    Orders orders(order, /*inParts=*/order % 2 != 0);
    current = &orders;
    auto results = (*program)->run(inputs);
    current = nullptr;
    if (!results)
      return results.takeError();
    outcomes.add((*results)[result]);
  }
  return outcomes;
}
