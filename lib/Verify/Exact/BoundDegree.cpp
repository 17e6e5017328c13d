//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Degrees along a payload. Each value is a quotient of polynomials in the
// inputs and in the values of functions, every one of which counts as a fresh
// variable. By Schwartz and Zippel two different quotients of numerators n and
// denominators d agree at a random point with probability at most
// (n + d) / size of the field. A wrong value may also hide in a function's
// argument, by agreeing there with the right one: the arguments' degrees are
// added, once for each function in the program.
//
//===----------------------------------------------------------------------===//
#include "CompareExactly.h"
#include "egg/Dialect/EggDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace egg;

namespace {

struct Degree {
  double numerator = 0, denominator = 0;
};

class DegreeBound {
public:
  double run(ModuleOp payload);

private:
  void visitBlock(Block &block);
  void visit(Operation *op);
  void visitLinalg(linalg::LinalgOp op);
  /// The function's value is a fresh variable; its argument is remembered.
  Degree cut(Operation *op, Degree argument);
  Degree get(Value value) const { return degrees.lookup(value); }
  Degree largest(ValueRange values) const;

  DenseMap<Value, Degree> degrees;
  DenseMap<Operation *, double> cuts;
};

} // namespace

static Degree sum(Degree x, Degree y) {
  return {std::max(x.numerator + y.denominator, y.numerator + x.denominator),
          x.denominator + y.denominator};
}
static Degree product(Degree x, Degree y) {
  return {x.numerator + y.numerator, x.denominator + y.denominator};
}
static Degree inverse(Degree x) { return {x.denominator, x.numerator}; }

Degree DegreeBound::largest(ValueRange values) const {
  Degree result;
  for (Value value : values) {
    Degree degree = get(value);
    result.numerator = std::max(result.numerator, degree.numerator);
    result.denominator = std::max(result.denominator, degree.denominator);
  }
  return result;
}

Degree DegreeBound::cut(Operation *op, Degree argument) {
  double &known = cuts[op];
  known = std::max(known, argument.numerator + argument.denominator);
  return {1, 0};
}

/// n steps from `start`, of which the first two are given: degrees of a
/// reduction grow linearly.
static Degree extrapolate(Degree first, Degree second, double steps) {
  auto grow = [&](double from, double to) {
    return from + std::max(steps - 1, 0.0) * std::max(to - from, 0.0);
  };
  return {grow(first.numerator, second.numerator),
          grow(first.denominator, second.denominator)};
}

void DegreeBound::visitLinalg(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  for (OpOperand &operand : op->getOpOperands())
    degrees[op.getMatchingBlockArgument(&operand)] = get(operand.get());
  double steps = 1;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [range, kind] : llvm::zip(ranges, op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction)
      steps *= double(range);
  auto evaluate = [&] {
    visitBlock(*body);
    SmallVector<Degree> yielded;
    for (Value value : body->getTerminator()->getOperands())
      yielded.push_back(get(value));
    return yielded;
  };
  SmallVector<Degree> first = evaluate();
  for (auto [number, degree] : llvm::enumerate(first))
    degrees[op.getMatchingBlockArgument(op.getDpsInitOperand(number))] = degree;
  SmallVector<Degree> second = steps > 1 ? evaluate() : first;
  for (auto [number, result] : llvm::enumerate(op->getResults()))
    degrees[result] = extrapolate(first[number], second[number], steps);
}

void DegreeBound::visit(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return visitLinalg(linalgOp);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      visitBlock(block);
  if (op->getNumResults() == 0)
    return;
  auto operand = [&](unsigned i) { return get(op->getOperand(i)); };
  Degree computed;
  if (isa<arith::AddFOp, arith::SubFOp>(op)) {
    computed = sum(operand(0), operand(1));
  } else if (isa<arith::MulFOp>(op)) {
    computed = product(operand(0), operand(1));
  } else if (isa<arith::DivFOp>(op)) {
    computed = product(operand(0), inverse(operand(1)));
  } else if (isa<math::FmaOp>(op)) {
    computed = sum(product(operand(0), operand(1)), operand(2));
  } else if (isa<math::RsqrtOp>(op)) {
    computed = inverse(cut(op, operand(0)));
  } else if (isa<math::PowFOp, math::FPowIOp>(op)) {
    APFloat exponent(0.0);
    APInt integer;
    double power = 0;
    if (matchPattern(op->getOperand(1), m_ConstantFloat(&exponent)))
      power = exponent.convertToDouble();
    else if (matchPattern(op->getOperand(1), m_ConstantInt(&integer)))
      power = double(integer.getSExtValue());
    Degree base = operand(0);
    if (power != 0 && power == std::floor(power)) {
      base = {base.numerator * std::abs(power),
              base.denominator * std::abs(power)};
      computed = power > 0 ? base : inverse(base);
    } else {
      computed = cut(op, sum(base, operand(1)));
    }
  } else if (auto scan = dyn_cast<ScanOp>(op)) {
    Degree element = operand(0);
    bool isProduct = scan.getKind() == ScanKind::Mul;
    bool isSum = scan.getKind() == ScanKind::Add;
    Degree two = isProduct ? product(element, element)
                 : isSum   ? sum(element, element)
                           : element;
    computed = extrapolate(
        element, two,
        double(scan.getInput().getType().getDimSize(scan.getDim())));
  } else if (isa<math::MathDialect>(op->getDialect()) &&
             !isa<math::AbsFOp, math::CopySignOp>(op)) {
    computed = cut(op, largest(op->getOperands()));
  } else {
    // Moves, choices, conversions.
    computed = largest(op->getOperands());
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        Degree yielded = largest(block.getTerminator()->getOperands());
        computed.numerator = std::max(computed.numerator, yielded.numerator);
        computed.denominator =
            std::max(computed.denominator, yielded.denominator);
      }
  }
  degrees[op->getResult(0)] = computed;
}

void DegreeBound::visitBlock(Block &block) {
  for (Operation &op : block)
    visit(&op);
}

double DegreeBound::run(ModuleOp payload) {
  auto main = payload.lookupSymbol<func::FuncOp>("main");
  Block &body = main.getBody().front();
  for (BlockArgument argument : body.getArguments())
    if (isa<FloatType>(getElementTypeOrSelf(argument.getType())))
      degrees[argument] = {1, 0};
  visitBlock(body);
  Degree result = largest(body.getTerminator()->getOperands());
  double total = result.numerator + result.denominator;
  for (const auto &[op, argument] : cuts)
    total += argument;
  return total;
}

double egg::boundDegree(ModuleOp payload) { return DegreeBound().run(payload); }
