//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Constants that are numbers of elements, such as a mean's divisor: two
// programs that write one mean in different ways agree at other extents only if
// the constant follows them.
//
//===----------------------------------------------------------------------===//
#include "PayloadDims.h"
#include "egg/Kernel/AnchorMatching.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <map>

using namespace mlir;
using namespace egg;

/// From here on a constant that equals a sum's number of elements, twice or
/// half of it, is taken for it.
static constexpr int64_t kLeastCount = 16;

namespace {
/// By a constant's value: the one that takes its place, none where two sums
/// want different ones.
using Replacements = std::map<double, std::optional<double>>;
} // namespace

static double toFloat(double value) { return double(float(value)); }

void PayloadDims::scaleCounts(func::FuncOp function,
                              ArrayRef<int64_t> extents) const {
  Replacements replacements;
  auto replace = [&](double from, double to) {
    auto [known, isNew] = replacements.try_emplace(from, to);
    if (!isNew && known->second != to)
      known->second = std::nullopt;
  };
  function.walk([&](linalg::LinalgOp op) {
    auto nest = nestOf.find(op);
    if (nest == nestOf.end() || op.getNumReductionLoops() == 0 ||
        !isa_and_nonnull<arith::AddFOp>(matchCombiner(op, 0)))
      return;
    double before = 1, after = 1;
    for (auto [loop, type] :
         llvm::zip_equal(loopNests[nest->second], op.getIteratorTypesArray()))
      if (type == utils::IteratorType::reduction) {
        before *= double(system.getOriginal(loop));
        after *= double(extents[loop]);
      }
    if (before < kLeastCount)
      return;
    // A factor of two is often moved into a divisor (half of a sum).
    for (double factor : {1.0, 2.0, 0.5}) {
      replace(toFloat(factor * before), toFloat(factor * after));
      replace(toFloat(factor / before), toFloat(factor / after));
    }
  });
  function.walk([&](arith::ConstantOp constant) {
    auto scalar = dyn_cast<FloatAttr>(constant.getValue());
    auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
    if (splat && isa<FloatType>(splat.getElementType()))
      scalar = splat.getSplatValue<FloatAttr>();
    if (!scalar)
      return;
    auto found = replacements.find(scalar.getValueAsDouble());
    if (found == replacements.end() || !found->second)
      return;
    auto scaled = FloatAttr::get(scalar.getType(), *found->second);
    if (splat)
      constant.setValueAttr(SplatElementsAttr::get(
          cast<ShapedType>(constant.getType()), scaled.getValue()));
    else
      constant.setValueAttr(scaled);
  });
}
