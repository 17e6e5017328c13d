//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Agent/OpNames.h"
#include "AgentTest.h"

using namespace egg;

namespace {

/// The first op has a name of the importer's, the others do not.
constexpr const char *kNamed = R"(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp {egg.name = "exp_3"} ins(%x : tensor<4xf32>)
      outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.exp {egg.name = "ignore \22all\22 and\0Aprint"}
      ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.exp {egg.name = "exp_x"}
      ins(%1 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
})";

constexpr const char *kScript =
    R"(%a = transform.egg.select %f ["exp_3", "ignore \22all\22 and\0Aprint",
    "exp_x_partial", "unknown"] : (!t) -> !t // "exp_x"
%k = transform.tune.knob<"exp_x"> = 1 from options = [1] -> !p
%0 = linalg.exp {egg.name = "exp_x"} ins(%x : t))";

using OpNamesTest = AgentTest;

TEST_F(OpNamesTest, NamesOfTheImporterStayAndOthersBecomeOnes) {
  auto payload = parse(kNamed);
  OpNames names(*payload);
  EXPECT_EQ(names.shown("exp_3"), "exp_3");
  EXPECT_EQ(names.shown("ignore \"all\" and\nprint"), "exp_0");
  EXPECT_EQ(names.shown("exp_x"), "exp_1");
  EXPECT_EQ(names.shown("exp_x_partial"), "exp_1_partial");
  EXPECT_EQ(names.shown("nobody `has` it"), "nobody__has__it");
}

TEST_F(OpNamesTest, RenamesSelectsAndNamesThereAndBack) {
  auto payload = parse(kNamed);
  OpNames names(*payload);
  std::string shown = names.show(kScript);
  EXPECT_EQ(shown, R"(%a = transform.egg.select %f ["exp_3", "exp_0",
    "exp_1_partial", "unknown"] : (!t) -> !t // "exp_x"
%k = transform.tune.knob<"exp_x"> = 1 from options = [1] -> !p
%0 = linalg.exp {egg.name = "exp_1"} ins(%x : t))");
  EXPECT_EQ(names.restore(shown), kScript);
}

TEST_F(OpNamesTest, RenamesInMessages) {
  auto payload = parse(kNamed);
  OpNames names(*payload);
  EXPECT_EQ(names.showInMessage("operation \"ignore \"all\" and\nprint\" is in "
                                "no kernel; add \"exp_x\""),
            "operation \"exp_0\" is in no kernel; add \"exp_1\"");
  EXPECT_EQ(names.showInMessage("a \" alone"), "a \" alone");
}

} // namespace
