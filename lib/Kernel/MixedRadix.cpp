//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MixedRadix.h"

using namespace mlir;

namespace egg {

std::optional<std::pair<AffineExpr, Digit>> matchDigit(AffineExpr atom,
                                                       const IndexSpace &s) {
  auto constantOf = [](AffineExpr e) {
    return cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(e).getRHS())
        .getValue();
  };
  Digit digit = {1, s.range(atom).hi + 1, {}};
  AffineExpr e = atom;
  if (e.getKind() == AffineExprKind::Mod)
    e = cast<AffineBinaryOpExpr>(e).getLHS();
  if (e.getKind() == AffineExprKind::FloorDiv) {
    digit.low = constantOf(e);
    e = cast<AffineBinaryOpExpr>(e).getLHS();
  }
  if (e.getKind() == AffineExprKind::Mod)
    e = cast<AffineBinaryOpExpr>(e).getLHS();
  if (!isa<AffineDimExpr>(e))
    return std::nullopt;
  return std::make_pair(e, digit);
}

void flattenSum(AffineExpr expr, int64_t factor,
                SmallVectorImpl<std::pair<AffineExpr, int64_t>> &terms,
                int64_t &constant) {
  if (auto c = dyn_cast<AffineConstantExpr>(expr)) {
    constant += factor * c.getValue();
    return;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && expr.getKind() == AffineExprKind::Add) {
    flattenSum(binary.getLHS(), factor, terms, constant);
    flattenSum(binary.getRHS(), factor, terms, constant);
    return;
  }
  if (binary && expr.getKind() == AffineExprKind::Mul) {
    flattenSum(binary.getLHS(),
               factor * cast<AffineConstantExpr>(binary.getRHS()).getValue(),
               terms, constant);
    return;
  }
  terms.push_back({expr, factor});
}

} // namespace egg
