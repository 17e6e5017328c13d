//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Barriers and shuffles under conditions that threads see differently.
//
//===----------------------------------------------------------------------===//
#include "../Values/Points.h"
#include "Rules.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace egg;
using namespace egg::legality;

/// Iterations of loops around a barrier that a search for a witness looks at.
static constexpr int64_t kIterations = 3;

namespace {

class BarrierCheck {
public:
  BarrierCheck(KernelFacts &facts, Record &record)
      : facts(facts), record(record), evaluator(facts.launch) {}

  void check(Operation *op);

private:
  Spread spreadOfLoop(scf::ForOp loop);
  /// How often each thread of a block comes to the operation in the sampled
  /// iterations; nothing where memory decides.
  std::optional<llvm::SmallVector<int64_t>>
  countMeetings(Operation *op, std::array<int64_t, 3> block);

  KernelFacts &facts;
  Record &record;
  Evaluator evaluator;
};

} // namespace

/// All threads make as many rounds if the count is the same, wherever they
/// start.
Spread BarrierCheck::spreadOfLoop(scf::ForOp loop) {
  LinearForm lower = facts.formOf(loop.getLowerBound()),
             upper = facts.formOf(loop.getUpperBound()),
             step = facts.formOf(loop.getStep());
  Spread spread = std::max(
      {facts.spreadOf(lower), facts.spreadOf(upper), facts.spreadOf(step)});
  if (spread == Spread::Block || !step.isConstant() || step.constant < 1)
    return spread;
  auto distance = upper.plus(lower, -1);
  if (!distance)
    return spread;
  auto raised = distance->plus(LinearForm(step.constant - 1));
  if (!raised)
    return spread;
  LinearForm rounds = facts.domain.floorDiv(*raised, step.constant);
  Interval range = facts.boundsAt(rounds, loop->getBlock());
  return range.isPoint() ? Spread::Block : spread;
}

std::optional<llvm::SmallVector<int64_t>>
BarrierCheck::countMeetings(Operation *op, std::array<int64_t, 3> block) {
  llvm::SmallVector<int64_t> meetings;
  for (int64_t t = 0; t < facts.launch.threads(); ++t) {
    Point point;
    point.block = block;
    point.thread = unflatten(t, facts.launch.block);
    evaluator.moveTo(point);
    int64_t count = 0;
    if (!evaluator.visit(
            op,
            [&]() {
              ++count;
              return true;
            },
            kIterations))
      return std::nullopt;
    meetings.push_back(count);
  }
  return meetings;
}

void BarrierCheck::check(Operation *op) {
  bool isShuffle = isa<gpu::ShuffleOp>(op);
  const Launch &launch = facts.launch;
  int64_t group = isShuffle ? 32 : launch.threads();
  Spread allowed = isShuffle ? Spread::Warp : Spread::Block;
  if (isShuffle && launch.threads() % 32 != 0)
    return record.violated(
        Property::Barriers, op, "a shuffle needs whole warps",
        llvm::formatv("the last warp of a block has {0} of 32 threads",
                      launch.threads() % 32),
        "make the number of threads a multiple of 32");
  Spread spread = Spread::Block;
  for (Operation *parent = op->getParentOp(); parent != facts.kernel;
       parent = parent->getParentOp()) {
    if (auto branch = dyn_cast<scf::IfOp>(parent))
      spread = std::max(spread, facts.spreadOf(branch.getCondition()));
    else if (auto loop = dyn_cast<scf::ForOp>(parent))
      spread = std::max(spread, spreadOfLoop(loop));
    else
      spread = std::max(spread, Spread::Unknown);
  }
  if (spread <= allowed)
    return record.proved(Property::Barriers);
  for (auto block : sampleBlocks(launch, 4)) {
    auto meetings = countMeetings(op, block);
    if (!meetings)
      return record.undecided(
          Property::Barriers, op,
          "a value in memory decides which threads come to it");
    for (size_t first = 0; first < meetings->size(); first += group)
      for (size_t t = first;
           t < std::min(meetings->size(), first + size_t(group)); ++t) {
        if ((*meetings)[t] == (*meetings)[first])
          continue;
        bool firstMore = (*meetings)[first] > (*meetings)[t];
        Point comes, misses;
        comes.block = misses.block = block;
        comes.thread = unflatten(int64_t(firstMore ? first : t), launch.block);
        misses.thread = unflatten(int64_t(firstMore ? t : first), launch.block);
        return record.violated(
            Property::Barriers, op,
            isShuffle ? "threads of one warp do not all come to it"
                      : "threads of one block do not all come to it",
            describe(comes, launch) + " comes to it where " +
                describe(misses, launch) + " does not",
            "move it out of the condition, or make the condition the same in "
            "all threads");
      }
  }
  record.undecided(Property::Barriers, op,
                   "nothing shows that its condition is the same in all "
                   "threads");
}

void egg::legality::checkBarriers(KernelFacts &facts, Record &record) {
  BarrierCheck check(facts, record);
  facts.kernel.walk([&](Operation *op) {
    if (isa<gpu::BarrierOp, gpu::ShuffleOp>(op))
      check.check(op);
  });
}
