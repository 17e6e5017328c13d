//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// MapTest: a payload that computes each of 96 elements %r from %a, an element
// of its argument, and kernels that should do the same.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TEST_UNIT_VERIFY_INPUTS_MAPTEST_H
#define EGG_TEST_UNIT_VERIFY_INPUTS_MAPTEST_H

#include "../KernelCheckTest.h"

namespace egg {

struct MapCase {
  const char *name;
  const char *from, *to;
  const char *right, *alsoRight, *wrong;
};

inline void PrintTo(const MapCase &c, std::ostream *os) { *os << c.name; }

class MapTest : public KernelCheckTest,
                public ::testing::WithParamInterface<MapCase> {
protected:
  Module map(const MapCase &c) {
    return parse(getMap(96, c.from, c.to, c.right));
  }

  std::optional<Rejection> judge(const MapCase &c, llvm::StringRef body) {
    std::string from = std::string("96x") + c.from,
                to = std::string("96x") + c.to;
    NumericSummary summary;
    return check(map(c),
                 kernel({from}, to, 96,
                        llvm::formatv("%a = memref.load %x0[%t] : memref<{0}> "
                                      "{1} memref.store %r, %y[%t] : "
                                      "memref<{2}>",
                                      from, body, to)
                            .str()),
                 summary);
  }

  void expectRightToPass() {
    for (const char *body : {GetParam().right, GetParam().alsoRight}) {
      std::optional<Rejection> rejection = judge(GetParam(), body);
      EXPECT_FALSE(rejection) << rejection->str();
    }
  }

  void expectWrongToBeRefused() {
    std::optional<Rejection> rejection = judge(GetParam(), GetParam().wrong);
    ASSERT_TRUE(rejection);
    EXPECT_EQ(rejection->step, "numeric") << rejection->str();
  }
};

} // namespace egg

#endif // EGG_TEST_UNIT_VERIFY_INPUTS_MAPTEST_H
