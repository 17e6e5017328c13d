//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which threads see the same value.
//
//===----------------------------------------------------------------------===//
#include "egg/Legality/KernelFacts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace egg::legality;

/// The threads of a block lie in warps in the order of their numbers, x first.
static constexpr int64_t kWarp = 32;

Spread KernelFacts::spreadOf(const LinearForm &form) {
  Spread spread = Spread::Block;
  auto join = [&](Spread other) { spread = std::max(spread, other); };
  for (auto [id, coefficient] : form.terms) {
    const Atom &atom = domain.atom(id);
    if (llvm::is_contained(threads, id)) {
      // Warps lie along x, rows of whole warps along the others.
      bool sameInWarp = ids[1][0] != id && launch.block[0] % kWarp == 0;
      join(sameInWarp ? Spread::Warp : Spread::Thread);
    } else if (llvm::is_contained(blocks, id)) {
      continue;
    } else if (auto loop = loops.lookup(id)) {
      join(std::max(spreadOf(formOf(loop.getLowerBound())),
                    spreadOf(formOf(loop.getStep()))));
    } else if (atom.kind == Atom::Kind::Free) {
      join(unknowns.count(id) ? spreadOf(unknowns.lookup(id))
                              : Spread::Unknown);
    } else {
      Spread inner = std::max(spreadOf(atom.form), spreadOf(atom.other));
      // Whole warps: x floordiv 32 and coarser.
      if (atom.kind == Atom::Kind::Quotient && atom.divisor % kWarp == 0 &&
          atom.form.terms.size() == 1 && atom.form.constant % kWarp == 0 &&
          ids[1][0] == atom.form.terms[0].first &&
          atom.form.terms[0].second == 1 &&
          (launch.block[0] == launch.threads() || launch.block[0] % kWarp == 0))
        inner = Spread::Warp;
      join(inner);
    }
  }
  return spread;
}

Spread KernelFacts::computeSpread(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (parent == kernel.getOperation())
      return Spread::Block;
    auto loop = dyn_cast<scf::ForOp>(parent);
    return loop && argument == loop.getInductionVar() ? spreadOf(formOf(value))
                                                      : Spread::Unknown;
  }
  Operation *op = value.getDefiningOp();
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    auto difference =
        formOf(compare.getLhs()).plus(formOf(compare.getRhs()), -1);
    // Equal on both sides of the comparison in all threads.
    if (difference && spreadOf(*difference) == Spread::Block)
      return Spread::Block;
    for (bool truth : {false, true}) {
      llvm::SmallVector<LinearForm> conditions(conditionsAt(op->getBlock()));
      assume(value, truth, conditions);
      if (domain.bounds(difference.value_or(LinearForm(0)), conditions)
              .isEmpty())
        return Spread::Block;
    }
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    return std::max({spreadOf(branch.getCondition()),
                     spreadOf(branch.thenYield().getOperand(number)),
                     spreadOf(branch.elseYield().getOperand(number))});
  }
  if (value.getType().isIntOrIndex() && !value.getType().isInteger(1)) {
    LinearForm form = formOf(value);
    bool isItself = form.terms.size() == 1 &&
                    unknowns.lookup(form.terms.front().first) == value;
    if (!isItself)
      return spreadOf(form);
  }
  if (auto access = getAccess(op)) {
    if (isWritten(access->buffer))
      return Spread::Unknown;
    Spread spread = Spread::Block;
    for (Value index : access->indices)
      spread = std::max(spread, spreadOf(index));
    // Different elements may hold equal values.
    return spread == Spread::Thread ? Spread::Unknown : spread;
  }
  if (isa<gpu::ThreadIdOp, gpu::LaneIdOp>(op))
    return Spread::Thread;
  if (!isPure(op) || op->getNumRegions() != 0)
    return Spread::Unknown;
  Spread spread = Spread::Block;
  for (Value operand : op->getOperands())
    spread = std::max(spread, spreadOf(operand));
  return spread;
}

Spread KernelFacts::spreadOf(Value value) {
  if (auto it = spreads.find(value); it != spreads.end())
    return it->second;
  spreads[value] = Spread::Unknown; // While it is being found out.
  Spread spread = computeSpread(value);
  return spreads[value] = spread;
}
