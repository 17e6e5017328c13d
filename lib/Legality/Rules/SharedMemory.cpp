//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Races in shared memory: pairs of accesses with no barrier between them are
// run through for all threads of a block. Loops whose variable enters only
// modulo a constant repeat, so one period of them decides.
//
//===----------------------------------------------------------------------===//
#include "../Values/Points.h"
#include "LoopRounds.h"
#include "Rules.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace mlir;
using namespace egg;
using namespace egg::legality;

/// Rounds of loops that are around one access only.
static constexpr int64_t kInnerRounds = 16;
/// Choices of iterations of the loops around a pair.
static constexpr size_t kMostChoices = 64;

namespace {

struct Touch {
  Point point;
  int64_t place = 0;
};

using Iterations = std::map<Operation *, int64_t>;

class SharedCheck {
public:
  SharedCheck(KernelFacts &facts, Record &record)
      : facts(facts), record(record), shared(findOpenPairs(facts)) {}
  void run();

private:
  enum class Result { Apart, Conflict, Unknown };
  Result check(const OpenPair &pair, bool certain);
  Result compare(size_t a, const Iterations &atA, size_t b,
                 const Iterations &atB, bool certain);
  const std::vector<Touch> &touches(size_t number, const Iterations &at,
                                    bool certain, std::array<int64_t, 3> block);
  llvm::SmallVector<Operation *> loopsAround(size_t number);
  const RoundChoice &roundsOf(Operation *loop);
  bool dependsOnBlock(const Access &access);

  KernelFacts &facts;
  Record &record;
  SharedAccesses shared;
  std::map<std::tuple<size_t, Iterations, bool, std::array<int64_t, 3>>,
           std::vector<Touch>>
      known;
  std::map<Operation *, RoundChoice> rounds;
  /// Whether something was left out, so that no conflict means nothing.
  bool incomplete = false;
  std::string witness;
};

} // namespace

llvm::SmallVector<Operation *> SharedCheck::loopsAround(size_t number) {
  llvm::SmallVector<Operation *> loops;
  for (Operation *parent = shared.accesses[number].op->getParentOp();
       parent != facts.kernel; parent = parent->getParentOp())
    if (isa<scf::ForOp>(parent))
      loops.push_back(parent);
  return loops;
}

const RoundChoice &SharedCheck::roundsOf(Operation *loop) {
  auto [it, isNew] = rounds.try_emplace(loop);
  if (isNew)
    it->second = chooseRounds(facts, shared, cast<scf::ForOp>(loop));
  incomplete |= !it->second.decide;
  return it->second;
}

bool SharedCheck::dependsOnBlock(const Access &access) {
  for (Value index : access.indices) {
    llvm::SmallVector<AtomId> atoms;
    facts.domain.collectAtoms(facts.formOf(index), atoms);
    for (AtomId id : atoms)
      if (llvm::is_contained(facts.blockAtoms(), id))
        return true;
  }
  return false;
}

/// What all threads touch with one access. certain: only what surely runs;
/// else branches that memory or the block decides are taken too.
const std::vector<Touch> &SharedCheck::touches(size_t number,
                                               const Iterations &at,
                                               bool certain,
                                               std::array<int64_t, 3> block) {
  auto key = std::make_tuple(number, at, certain, block);
  if (auto it = known.find(key); it != known.end())
    return it->second;
  std::vector<Touch> found;
  const Access &access = shared.accesses[number];
  Evaluator evaluator(facts.launch);
  for (auto [loop, iteration] : at)
    evaluator.fixedIterations[loop] = iteration;
  evaluator.enterUndecided = !certain;
  for (Operation *parent = access.op->getParentOp();
       !certain && parent != facts.kernel; parent = parent->getParentOp()) {
    if (auto branch = dyn_cast<scf::IfOp>(parent)) {
      Sources sources = sourcesOf(branch.getCondition(), facts);
      if (sources.block || sources.memory)
        evaluator.alwaysEntered.insert(parent);
    } else if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      // Other blocks may make other rounds.
      for (Value bound : {loop.getLowerBound(), loop.getUpperBound()})
        incomplete |= sourcesOf(bound, facts).block;
    }
  }
  auto type = cast<MemRefType>(access.buffer.getType());
  for (int64_t t = 0; t < facts.launch.threads(); ++t) {
    Point point;
    point.block = block;
    point.thread = unflatten(t, facts.launch.block);
    evaluator.moveTo(point);
    bool known = true;
    bool decided = evaluator.visit(
        access.op,
        [&]() {
          int64_t place = 0;
          for (auto [dim, index] : llvm::enumerate(access.indices)) {
            auto value = evaluator.evaluate(index);
            if (!value)
              return known = false;
            place = place * type.getDimSize(dim) + value->value;
          }
          for (int64_t lane = 0; lane < access.width; ++lane)
            found.push_back({evaluator.point(), place + lane});
          return true;
        },
        kInnerRounds);
    incomplete |= !decided || !known || evaluator.leftOut;
  }
  return this->known[key] = std::move(found);
}

SharedCheck::Result SharedCheck::compare(size_t a, const Iterations &atA,
                                         size_t b, const Iterations &atB,
                                         bool certain) {
  const Access &x = shared.accesses[a], &y = shared.accesses[b];
  llvm::SmallVector<std::array<int64_t, 3>> blocks = {{0, 0, 0}};
  if (certain)
    blocks = sampleBlocks(facts.launch, 2);
  else
    incomplete |= dependsOnBlock(x) || dependsOnBlock(y);
  int64_t size = cast<MemRefType>(x.buffer.getType()).getNumElements();
  for (auto block : blocks) {
    std::vector<const Touch *> owner(size, nullptr);
    std::vector<const Touch *> second(size, nullptr);
    for (const Touch &touch : touches(a, atA, certain, block)) {
      if (touch.place < 0 || touch.place >= size)
        continue;
      if (!owner[touch.place])
        owner[touch.place] = &touch;
      else if (!owner[touch.place]->point.sameThread(touch.point))
        second[touch.place] = &touch;
    }
    for (const Touch &touch : touches(b, atB, certain, block)) {
      if (touch.place < 0 || touch.place >= size || !owner[touch.place])
        continue;
      const Touch *other = owner[touch.place];
      if (other->point.sameThread(touch.point))
        other = second[touch.place];
      if (!other)
        continue;
      if (x.isWrite && y.isWrite) {
        Evaluator evaluator(facts.launch);
        evaluator.moveTo(other->point);
        auto first = evaluator.keyOf(x.stored, facts);
        evaluator.moveTo(touch.point);
        auto next = evaluator.keyOf(y.stored, facts);
        if (first && next && *first == *next)
          continue;
        if (sourcesOf(x.stored, facts).exchange ||
            sourcesOf(y.stored, facts).exchange)
          return Result::Unknown;
      }
      auto verb = [](const Access &access) {
        return access.isWrite ? "writes" : "reads";
      };
      witness = llvm::formatv("{0} {1} element {2}, {3} {4} it",
                              describe(other->point, facts.launch), verb(x),
                              touch.place, describe(touch.point, facts.launch),
                              verb(y));
      return Result::Conflict;
    }
  }
  return Result::Apart;
}

SharedCheck::Result SharedCheck::check(const OpenPair &pair, bool certain) {
  llvm::SmallVector<Operation *> around = loopsAround(pair.first), common;
  for (Operation *loop : loopsAround(pair.second))
    if (llvm::is_contained(around, loop))
      common.push_back(loop);
  // Loops inside of the carrier start anew.
  if (pair.carrier)
    llvm::erase_if(common, [&](Operation *loop) {
      return pair.carrier->isProperAncestor(loop);
    });
  std::vector<Iterations> choices = {{}};
  for (Operation *loop : common) {
    std::vector<Iterations> next;
    for (const Iterations &choice : choices)
      for (int64_t round : roundsOf(loop).rounds) {
        next.push_back(choice);
        next.back()[loop] = round;
      }
    if (next.size() > kMostChoices) {
      incomplete = true;
      next.resize(kMostChoices);
    }
    choices = std::move(next);
  }
  Result result = Result::Apart;
  for (const Iterations &choice : choices) {
    std::vector<Iterations> later = {choice};
    if (pair.carrier) {
      int64_t now = choice.at(pair.carrier);
      later.clear();
      for (int64_t round : roundsOf(pair.carrier).rounds)
        if (round == now + 1 || (pair.anyDistance && round > now)) {
          later.push_back(choice);
          later.back()[pair.carrier] = round;
        }
    }
    for (const Iterations &then : later) {
      Result one = compare(pair.first, choice, pair.second, then, certain);
      if (one == Result::Conflict)
        return one;
      if (one == Result::Unknown)
        result = one;
    }
  }
  return result;
}

void SharedCheck::run() {
  for (BlockArgument buffer : facts.kernel.getWorkgroupAttributions()) {
    incomplete = false;
    known.clear();
    Result worst =
        shared.unknown.contains(buffer) ? Result::Unknown : Result::Apart;
    const OpenPair *culprit = nullptr;
    for (const OpenPair &pair : shared.pairs) {
      if (shared.accesses[pair.first].buffer != buffer)
        continue;
      Result result = check(pair, /*certain=*/false);
      if (result == Result::Conflict) {
        // A place that the check assumed to be reached may not be.
        result = shared.mayMeetBarriers ? Result::Unknown
                                        : check(pair, /*certain=*/true);
        if (result != Result::Conflict)
          result = Result::Unknown;
      }
      if (result == Result::Conflict) {
        culprit = &pair;
        break;
      }
      if (result == Result::Unknown)
        worst = result;
    }
    if (culprit) {
      record.violated(
          Property::SharedRaces, shared.accesses[culprit->second].op,
          culprit->first == culprit->second
              ? "threads write different values to one place of shared memory"
              : "no barrier is between it and another thread's access to the "
                "same place of shared memory",
          witness,
          culprit->first == culprit->second
              ? "let one thread store"
              : "put a barrier between, or use another buffer");
    } else if (worst == Result::Unknown || incomplete) {
      record.undecided(Property::SharedRaces, facts.kernel,
                       "not every iteration or thread of accesses to a shared "
                       "buffer could be followed");
    } else {
      record.proved(Property::SharedRaces);
    }
  }
}

void egg::legality::checkSharedMemory(KernelFacts &facts, Record &record) {
  if (facts.kernel.getNumWorkgroupAttributions() != 0)
    SharedCheck(facts, record).run();
}
