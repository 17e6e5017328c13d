//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Constants that are numbers of elements, such as a mean's divisor: two
// programs that write one mean in different ways agree at other extents only if
// the constant follows them. What divides a sum follows its loops
// (CountFlow.h); other constants are told by their value, where it is not the
// number of two sums that get different numbers.
//
//===----------------------------------------------------------------------===//
#include "CountFlow.h"
#include "PayloadDims.h"
#include <map>
#include <set>

using namespace mlir;
using namespace egg;

namespace {

/// By a constant's value: the one that takes its place, none where two sums
/// want different ones.
using Replacements = std::map<double, std::optional<double>>;

/// What constants are by their value alone.
struct ValueRule {
  Replacements replacements;
  /// Numbers of elements of sums and one over them, small ones too.
  std::set<double> counts;

  void add(double before, double after);
  std::optional<double> getNumber(double value) const {
    auto found = replacements.find(value);
    return found == replacements.end() ? std::nullopt : found->second;
  }
  /// Whether the constant is likely a number of elements.
  bool isCount(arith::ConstantOp constant, double value) const;
};

} // namespace

void ValueRule::add(double before, double after) {
  counts.insert({toFloat(before), toFloat(1 / before)});
  if (before < kLeastCount)
    return;
  auto replace = [&](double from, double to) {
    auto [known, isNew] = replacements.try_emplace(from, to);
    if (!isNew && known->second != to)
      known->second = std::nullopt;
  };
  // A factor of two is often moved into a divisor (half of a sum).
  for (double factor : {1.0, 2.0, 0.5}) {
    replace(toFloat(factor * before), toFloat(factor * after));
    replace(toFloat(factor / before), toFloat(factor / after));
  }
}

bool ValueRule::isCount(arith::ConstantOp constant, double value) const {
  return replacements.count(value) ||
         (counts.count(value) &&
          llvm::any_of(constant->getUsers(),
                       llvm::IsaPred<arith::DivFOp, arith::MulFOp>));
}

static void setFloat(arith::ConstantOp constant, double number) {
  auto scaled = FloatAttr::get(getFloat(constant).getType(), number);
  if (isa<SplatElementsAttr>(constant.getValue()))
    constant.setValueAttr(SplatElementsAttr::get(
        cast<ShapedType>(constant.getType()), scaled.getValue()));
  else
    constant.setValueAttr(scaled);
}

void PayloadDims::scaleCounts(func::FuncOp function, ArrayRef<int64_t> extents,
                              CountRule rule,
                              std::vector<CountConstant> *counts) const {
  std::vector<int64_t> originals;
  for (unsigned var = 0; var < system.size(); ++var)
    originals.push_back(system.getOriginal(var));
  auto getLoops = [&](linalg::LinalgOp op) -> ArrayRef<DimSystem::Var> {
    auto nest = nestOf.find(op);
    return nest == nestOf.end() ? ArrayRef<DimSystem::Var>()
                                : ArrayRef(loopNests[nest->second]);
  };
  ValueRule byValue;
  function.walk([&](linalg::LinalgOp op) {
    if (getLoops(op).empty() || !isFloatSum(op, 0))
      return;
    double before = 1, after = 1;
    for (auto [loop, type] :
         llvm::zip_equal(getLoops(op), op.getIteratorTypesArray()))
      if (type == utils::IteratorType::reduction) {
        before *= double(originals[loop]);
        after *= double(extents[loop]);
      }
    if (before > 1)
      byValue.add(before, after);
  });
  CountFlow::Numbers byFlow;
  if (rule == CountRule::DataFlow)
    byFlow = CountFlow(originals, extents, getLoops).run(function);
  function.walk([&](arith::ConstantOp constant) {
    FloatAttr attribute = getFloat(constant);
    if (!attribute || constant->use_empty())
      return;
    double value = attribute.getValueAsDouble();
    std::optional<double> flow = byFlow.lookup(constant),
                          guess = byValue.getNumber(value);
    std::optional<double> number = flow ? flow : guess;
    if (counts && (number || byValue.isCount(constant, value)))
      counts->push_back({(*constant->user_begin())->getLoc(), value, number,
                         number.value_or(value) != guess.value_or(value)});
    if (number)
      setFloat(constant, *number);
  });
}
