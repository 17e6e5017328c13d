//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Simplification must never change a value, and must find the forms that the
// emitters rely on.
//
//===----------------------------------------------------------------------===//
#include "egg/Kernel/IndexSpace.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <random>

using namespace egg;
using namespace mlir;

namespace {

int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> values) {
  if (auto c = dyn_cast<AffineConstantExpr>(expr))
    return c.getValue();
  if (auto d = dyn_cast<AffineDimExpr>(expr))
    return values[d.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t l = evaluate(binary.getLHS(), values);
  int64_t r = evaluate(binary.getRHS(), values);
  auto floorDiv = [](int64_t a, int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
  };
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return l + r;
  case AffineExprKind::Mul:
    return l * r;
  case AffineExprKind::FloorDiv:
    return floorDiv(l, r);
  case AffineExprKind::Mod:
    return l - floorDiv(l, r) * r;
  default:
    ADD_FAILURE() << "unexpected expression";
    return 0;
  }
}

class IndexSpaceTest : public ::testing::Test {
protected:
  MLIRContext context;
  IndexSpace space{&context};
};

TEST_F(IndexSpaceTest, DropsDivisionsThatTheRangesDecide) {
  AffineExpr a = space.addDim(100), b = space.addDim(8);
  EXPECT_EQ(space.simplify((a * 8 + b).floorDiv(8)), a);
  EXPECT_EQ(space.simplify((a * 8 + b) % 8), b);
  EXPECT_EQ(space.simplify((a * 16 + b) % 8), b);
}

TEST_F(IndexSpaceTest, DividesByAMultipleOfTheScale) {
  AffineExpr a = space.addDim(100), b = space.addDim(4);
  // 4 a + b with b < 4, divided by 12: the 4 comes out.
  EXPECT_EQ(space.simplify((a * 4 + b).floorDiv(12)),
            space.simplify(a.floorDiv(3)));
  EXPECT_EQ(space.simplify((a * 4 + b) % 12), space.simplify(a % 3 * 4 + b));
}

TEST_F(IndexSpaceTest, LinearizeUndoesDelinearize) {
  AffineExpr p = space.addDim(2 * 3 * 5 * 7);
  EXPECT_EQ(space.linearize(space.delinearize(p, {2, 3, 5, 7}), {2, 3, 5, 7}),
            p);
  EXPECT_EQ(space.linearize(space.delinearize(p, {6, 35}), {6, 35}), p);
}

TEST_F(IndexSpaceTest, DimsOfExtentOneAreZero) {
  EXPECT_EQ(space.simplify(space.addDim(1) * 17), space.constant(0));
}

TEST_F(IndexSpaceTest, SplitsOffALane) {
  AffineExpr a = space.addDim(100), lane = space.addDim(4);
  auto split = space.splitLinear(a * 4 + lane + 12, lane);
  ASSERT_TRUE(split.has_value());
  EXPECT_EQ(split->second, 1);
  EXPECT_EQ(space.divisor(split->first), 4);
  EXPECT_FALSE(space.splitLinear((a * 3 + lane).floorDiv(5), lane).has_value());
}

TEST_F(IndexSpaceTest, RandomExpressionsKeepTheirValue) {
  std::mt19937 random(20261128);
  auto below = [&](int64_t n) { return static_cast<int64_t>(random() % n); };
  for (int round = 0; round < 400; ++round) {
    IndexSpace local(&context);
    SmallVector<int64_t> sizes;
    SmallVector<AffineExpr> pool;
    for (int i = 0; i < 4; ++i) {
      sizes.push_back(1 + below(13));
      pool.push_back(local.addDim(sizes.back()));
    }
    for (int step = 0; step < 12; ++step) {
      AffineExpr x = pool[below(pool.size())], y = pool[below(pool.size())];
      int64_t c = 1 + below(12);
      switch (below(4)) {
      case 0:
        pool.push_back(x + y * c);
        break;
      case 1:
        pool.push_back(x * c + below(9));
        break;
      case 2:
        pool.push_back(x.floorDiv(c));
        break;
      case 3:
        pool.push_back(x % c);
        break;
      }
    }
    AffineExpr expr = pool.back();
    AffineExpr simple = local.simplify(expr);
    IndexSpace::Range range = local.range(expr);
    int64_t divisor = local.divisor(expr);
    for (int sample = 0; sample < 30; ++sample) {
      SmallVector<int64_t> values;
      for (int64_t size : sizes)
        values.push_back(below(size));
      int64_t value = evaluate(expr, values);
      ASSERT_EQ(value, evaluate(simple, values));
      ASSERT_GE(value, range.lo);
      ASSERT_LE(value, range.hi);
      if (divisor != 0)
        ASSERT_EQ(value % divisor, 0);
      else
        ASSERT_EQ(value, 0);
    }
  }
}

} // namespace
