//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What holds on the way to an operation.
//
//===----------------------------------------------------------------------===//
#include "egg/Legality/KernelFacts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace egg::legality;

KernelFacts::KernelFacts(gpu::GPUFuncOp kernel, Launch launch)
    : kernel(kernel), launch(launch) {
  // Of ids that the kernel never reads too: its threads differ all the same.
  for (auto dimension :
       {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z}) {
    ofId(dimension, launch.block, /*isThread=*/true);
    ofId(dimension, launch.grid, /*isThread=*/false);
  }
  kernel.walk([&](Operation *op) {
    auto access = getAccess(op);
    if (access && access->isWrite)
      written.insert(access->buffer);
  });
}

bool egg::legality::isWorkgroupMemory(Value buffer) {
  return gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
      cast<MemRefType>(buffer.getType()));
}

static int64_t elementsOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

std::optional<Access> egg::legality::getAccess(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return Access{op, load.getMemRef(), {}, load.getIndices(), 1, false};
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return Access{
        op, store.getMemRef(), store.getValue(), store.getIndices(), 1, true};
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return Access{
        op,   load.getBase(), {}, load.getIndices(), elementsOf(load.getType()),
        false};
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return Access{op,
                  store.getBase(),
                  store.getValueToStore(),
                  store.getIndices(),
                  elementsOf(store.getVectorType()),
                  true};
  return std::nullopt;
}

void KernelFacts::assumeComparison(
    Operation *op, bool truth, llvm::SmallVectorImpl<LinearForm> &conditions) {
  auto compare = cast<arith::CmpIOp>(op);
  using P = arith::CmpIPredicate;
  if (!compare.getLhs().getType().isIntOrIndex())
    return;
  LinearForm a = formOf(compare.getLhs()), b = formOf(compare.getRhs());
  P predicate = compare.getPredicate();
  if (!truth)
    predicate = arith::invertPredicate(predicate);
  auto add = [&](const std::optional<LinearForm> &form) {
    if (form)
      conditions.push_back(*form);
  };
  // x - y - least >= 0.
  auto atLeast = [&](const LinearForm &x, const LinearForm &y, int64_t least) {
    if (auto difference = x.plus(y, -1))
      add(difference->plus(LinearForm(-least)));
  };
  Block *block = op->getBlock();
  switch (predicate) {
  case P::eq:
    atLeast(a, b, 0);
    atLeast(b, a, 0);
    return;
  case P::ne: {
    auto difference = a.plus(b, -1);
    if (!difference)
      return;
    Interval range = boundsAt(*difference, block);
    if (range.lo == 0)
      atLeast(a, b, 1);
    if (range.hi == 0)
      atLeast(b, a, 1);
    return;
  }
  case P::slt:
    return atLeast(b, a, 1);
  case P::sle:
    return atLeast(b, a, 0);
  case P::sgt:
    return atLeast(a, b, 1);
  case P::sge:
    return atLeast(a, b, 0);
  case P::ugt:
  case P::uge:
    std::swap(a, b);
    [[fallthrough]];
  case P::ult:
  case P::ule: {
    bool strict = predicate == P::ult || predicate == P::ugt;
    // Unsigned below a number that is not negative: not negative itself.
    if (isNonNegative(b, block)) {
      add(a);
      atLeast(b, a, strict ? 1 : 0);
    }
    return;
  }
  }
}

void KernelFacts::assume(Value condition, bool truth,
                         llvm::SmallVectorImpl<LinearForm> &conditions) {
  APInt constant;
  if (matchPattern(condition, m_ConstantInt(&constant))) {
    if (constant.getBoolValue() != truth)
      conditions.push_back(LinearForm(-1));
    return;
  }
  Operation *op = condition.getDefiningOp();
  if (!op)
    return;
  if (isa<arith::CmpIOp>(op))
    return assumeComparison(op, truth, conditions);
  if (truth ? isa<arith::AndIOp>(op) : isa<arith::OrIOp>(op)) {
    assume(op->getOperand(0), truth, conditions);
    return assume(op->getOperand(1), truth, conditions);
  }
  if (isa<arith::XOrIOp>(op) &&
      matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
    return assume(op->getOperand(0), truth != constant.getBoolValue(),
                  conditions);
  auto select = dyn_cast<arith::SelectOp>(op);
  if (select && select.getType().isInteger(1)) {
    auto is = [&](Value side, bool value) {
      return matchPattern(side, m_ConstantInt(&constant)) &&
             constant.getBoolValue() == value;
    };
    if (is(select.getFalseValue(), !truth)) {
      assume(select.getCondition(), true, conditions);
      assume(select.getTrueValue(), truth, conditions);
    } else if (is(select.getTrueValue(), !truth)) {
      assume(select.getCondition(), false, conditions);
      assume(select.getFalseValue(), truth, conditions);
    }
  }
}

bool KernelFacts::mayBe(scf::IfOp branch, bool truth) {
  llvm::SmallVector<LinearForm> conditions(conditionsAt(branch->getBlock()));
  size_t known = conditions.size();
  assume(branch.getCondition(), truth, conditions);
  return llvm::none_of(llvm::drop_begin(conditions, known),
                       [&](const LinearForm &added) {
                         return domain.bounds(added, conditions).isEmpty();
                       });
}

llvm::ArrayRef<LinearForm> KernelFacts::conditionsAt(Block *block) {
  if (auto it = paths.find(block); it != paths.end())
    return it->second;
  llvm::SmallVector<LinearForm> conditions;
  Operation *parent = block->getParentOp();
  if (parent != kernel.getOperation()) {
    conditions.append(conditionsAt(parent->getBlock()).begin(),
                      conditionsAt(parent->getBlock()).end());
    if (auto branch = dyn_cast<scf::IfOp>(parent))
      assume(branch.getCondition(),
             block->getParent() == &branch.getThenRegion(), conditions);
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      // A loop runs only where its bounds leave something.
      LinearForm variable = formOf(loop.getInductionVar());
      if (variable.terms.size() == 1)
        for (const LinearForm &fact :
             domain.atom(variable.terms.front().first).facts)
          conditions.push_back(fact);
    }
  }
  return paths[block] = std::move(conditions);
}

/// What the results of unsigned operations are, where the conditions leave
/// their operands no sign.
void KernelFacts::addMeanings(const LinearForm &form, Block *block,
                              llvm::SmallVectorImpl<LinearForm> &conditions) {
  if (meanings.empty())
    return;
  llvm::SmallVector<AtomId> atoms;
  domain.collectAtoms(form, atoms);
  for (const LinearForm &condition : conditionsAt(block))
    domain.collectAtoms(condition, atoms);
  for (size_t i = 0; i < atoms.size(); ++i) {
    auto it = meanings.find(atoms[i]);
    if (it == meanings.end() || it->second.inQuestion)
      continue;
    it->second.inQuestion = true;
    bool holds = isNonNegative(it->second.source, block);
    it->second.inQuestion = false;
    if (!holds)
      continue;
    LinearForm self = LinearForm::ofAtom(atoms[i]);
    if (auto difference = it->second.form.plus(self, -1)) {
      conditions.push_back(*difference);
      if (auto negated = difference->times(-1))
        conditions.push_back(*negated);
      domain.collectAtoms(it->second.form, atoms);
    }
  }
}

/// Bounds of a sum, with those of each of its atoms, which are integers, known
/// first: a linear program alone would let them be fractions.
Interval KernelFacts::computeBounds(const LinearForm &form, Block *block) {
  llvm::SmallVector<LinearForm> conditions(conditionsAt(block));
  addMeanings(form, block, conditions);
  llvm::SmallVector<AtomId> atoms;
  domain.collectAtoms(form, atoms);
  if (form.terms.size() > 1 && !conditions.empty())
    for (AtomId id : atoms) {
      LinearForm self = LinearForm::ofAtom(id);
      Interval own = boundsAt(self, block);
      if (own.isEmpty())
        return own;
      const Interval &given = domain.atom(id).range;
      if (own.lo > given.lo)
        if (auto fact = self.plus(LinearForm(own.lo), -1))
          conditions.push_back(*fact);
      if (own.hi < given.hi)
        if (auto fact = LinearForm(own.hi).plus(self, -1))
          conditions.push_back(*fact);
    }
  return domain.bounds(form, conditions);
}

Interval KernelFacts::boundsAt(const LinearForm &form, Block *block) {
  if (form.isConstant())
    return {form.constant, form.constant};
  auto key = std::make_pair(block, form.linearPart());
  auto it = knownBounds.find(key);
  if (it == knownBounds.end()) {
    Interval bounds = computeBounds(key.second, block);
    it = knownBounds.emplace(std::move(key), bounds).first;
  }
  Interval bounds = it->second;
  if (bounds.isEmpty())
    return bounds;
  if (bounds.lo > -kInfinity)
    bounds.lo += form.constant;
  if (bounds.hi < kInfinity)
    bounds.hi += form.constant;
  return bounds;
}

bool KernelFacts::isWithin(const LinearForm &form, int64_t lo, int64_t hi,
                           Block *block) {
  return domain.interval(form).within(lo, hi) ||
         boundsAt(form, block).within(lo, hi);
}
