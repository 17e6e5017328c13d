//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "BarrierPaths.h"

using namespace mlir;
using namespace egg::legality;

namespace {

/// What can be reached from the start, and what the end can be reached from,
/// without meeting a barrier.
struct Reach {
  std::vector<size_t> in, out;
  bool transparent = true;
};

class PathWalk {
public:
  explicit PathWalk(KernelFacts &facts) : facts(facts) {}
  Reach walk(Block &block);
  SharedAccesses found;

private:
  Reach visit(Operation &op);
  void join(const Reach &before, const Reach &after, scf::ForOp carrier,
            bool anyDistance);

  KernelFacts &facts;
};

} // namespace

static void append(std::vector<size_t> &to, const std::vector<size_t> &from) {
  for (size_t number : from)
    if (!llvm::is_contained(to, number))
      to.push_back(number);
}

void PathWalk::join(const Reach &before, const Reach &after, scf::ForOp carrier,
                    bool anyDistance) {
  for (size_t a : before.out)
    for (size_t b : after.in) {
      const Access &x = found.accesses[a], &y = found.accesses[b];
      if (x.buffer == y.buffer && (x.isWrite || y.isWrite))
        found.pairs.push_back({a, b, carrier, anyDistance});
    }
}

Reach PathWalk::visit(Operation &op) {
  Reach reach;
  if (auto access = getAccess(&op)) {
    if (!isWorkgroupMemory(access->buffer))
      return reach;
    size_t number = found.accesses.size();
    found.accesses.push_back(*access);
    reach.in = reach.out = {number};
    if (access->isWrite)
      found.pairs.push_back({number, number, {}, false});
    return reach;
  }
  if (isa<gpu::BarrierOp>(op)) {
    reach.transparent = false;
    return reach;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    reach = walk(*branch.thenBlock());
    Reach other = branch.elseBlock() ? walk(*branch.elseBlock()) : Reach();
    if (reach.transparent != other.transparent) {
      // A condition that is always the same is none.
      if (!facts.mayBe(branch, false))
        return reach;
      if (!facts.mayBe(branch, true))
        return other;
      found.mayMeetBarriers = true;
    }
    // Other threads may take the other branch.
    join(reach, other, {}, false);
    append(reach.in, other.in);
    append(reach.out, other.out);
    reach.transparent |= other.transparent;
    return reach;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    reach = walk(*loop.getBody());
    join(reach, reach, loop, reach.transparent);
    auto rounds = facts.formOf(loop.getUpperBound())
                      .plus(facts.formOf(loop.getLowerBound()), -1);
    bool runs =
        rounds && facts.isWithin(*rounds, 1, kInfinity, loop->getBlock());
    found.mayMeetBarriers |= !reach.transparent && !runs;
    reach.transparent |= !runs;
    return reach;
  }
  for (Value operand : op.getOperands())
    if (isa<MemRefType>(operand.getType()) && isWorkgroupMemory(operand))
      found.unknown.insert(operand);
  op.walk([&](Operation *inner) {
    if (inner == &op)
      return;
    for (Value operand : inner->getOperands())
      if (isa<MemRefType>(operand.getType()) && isWorkgroupMemory(operand))
        found.unknown.insert(operand);
  });
  return reach;
}

Reach PathWalk::walk(Block &block) {
  Reach sequence;
  for (Operation &op : block) {
    Reach next = visit(op);
    join(sequence, next, {}, false);
    if (sequence.transparent)
      append(sequence.in, next.in);
    if (!next.transparent)
      sequence.out = next.out;
    else
      append(sequence.out, next.out);
    sequence.transparent &= next.transparent;
  }
  return sequence;
}

SharedAccesses egg::legality::findOpenPairs(KernelFacts &facts) {
  PathWalk walk(facts);
  walk.walk(facts.kernel.getBody().front());
  return std::move(walk.found);
}
