//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Substitutions by integer arithmetic that is right at small extents alone: the
// operation is found. The same in wider types: nothing is.
//
//===----------------------------------------------------------------------===//
#include "Proposal/SubstitutedPayload.h"
#include "egg/TransformOps/TransformOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace egg;

namespace {

class UntriedIntegersTest : public ::testing::Test {
protected:
  MLIRContext context;
  UntriedIntegersTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registerTransformOps(registry);
    context.appendDialectRegistry(registry);
  }

  /// What is found at none of the small extents where the function's body
  /// `other` takes the place of `body`. Both return %0 of the result type.
  std::string find(StringRef arguments, StringRef result, StringRef body,
                   StringRef other) {
    std::string payloadText =
        llvm::formatv("func.func @main({0}) -> {1} {{\n{2}\n"
                      "return %0 : {1}\n}",
                      arguments, result, body);
    std::string scheduleText = llvm::formatv(R"(
      module attributes {{transform.with_named_sequence} {{
        func.func private @other({0}) -> {1} {{
          {2}
          return %0 : {1}
        }
        transform.named_sequence @substitution(%f: !transform.any_op) {{
          %ops = transform.egg.select %f ["part"]
              : (!transform.any_op) -> !transform.any_op
          transform.egg.substitute %ops with @other : !transform.any_op
          transform.yield
        }
      })",
                                             arguments, result, other);
    auto payload = parseSourceString<ModuleOp>(payloadText, &context);
    auto schedule = parseSourceString<ModuleOp>(scheduleText, &context);
    if (!payload || !schedule)
      return "does not parse";
    std::optional<UntriedIntegers> always;
    for (ShrinkVariant variant : {ShrinkVariant::Aligned, ShrinkVariant::Odd}) {
      ShrinkTarget target;
      target.variant = variant;
      auto small = shrinkWithSubstitution(*payload, *schedule, target);
      if (failed(small))
        return "cannot be shrunk";
      if (!always)
        always = small->untried;
      std::erase_if(*always, [&](const auto &op) {
        return !small->untried.count(op.first);
      });
    }
    std::string found;
    for (const auto &[number, op] : *always)
      found += op.what + "\n";
    return found;
  }

  /// Of 100000 integers %in at positions %i, %y is computed.
  std::string findInMap(StringRef body, StringRef other) {
    return find("%x: tensor<100000xi64>", "tensor<100000xi64>", map(body),
                map(other));
  }
  static std::string map(StringRef body) {
    return llvm::formatv(R"(
      %e = tensor.empty() : tensor<100000xi64>
      %0 = linalg.generic {{egg.name = "part",
          indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
          iterator_types = ["parallel"]}
          ins(%x : tensor<100000xi64>) outs(%e : tensor<100000xi64>) {{
        ^bb0(%in: i64, %out: i64):
          %p = linalg.index 0 : index
          %i = arith.index_cast %p : index to i64
          {0}
          linalg.yield %y : i64
      } -> tensor<100000xi64>)",
                         body);
  }

  /// Rows of integers, summed in one type and returned in i64.
  std::string findInSum(unsigned count, StringRef type, StringRef extension,
                        StringRef accumulator) {
    std::string input = llvm::formatv("tensor<4x{0}x{1}>", count, type);
    return find("%x: " + input, "tensor<4xi64>",
                sum(input, type, extension, "i64"),
                sum(input, type, extension, accumulator));
  }
  static std::string sum(StringRef input, StringRef type, StringRef extension,
                         StringRef accumulator) {
    std::string widen = llvm::formatv("%w = arith.{0} %in : {1} to {2}",
                                      extension, type, accumulator);
    if (type == accumulator)
      widen = llvm::formatv("%w = arith.addi %in, %zero : {0}", type);
    std::string last = llvm::formatv(R"(
      %g = tensor.empty() : tensor<4xi64>
      %0 = linalg.generic {{egg.name = "last",
          indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
          iterator_types = ["parallel"]}
          ins(%s : tensor<4x{0}>) outs(%g : tensor<4xi64>) {{
        ^bb0(%v: {0}, %out: i64):
          %u = arith.{1} %v : {0} to i64
          linalg.yield %u : i64
      } -> tensor<4xi64>)",
                                     accumulator, extension);
    bool isWide = accumulator == "i64";
    return llvm::formatv(R"(
      %zero = arith.constant 0 : {3}
      %e = tensor.empty() : tensor<4x{3}>
      %f = linalg.fill ins(%zero : {3}) outs(%e : tensor<4x{3}>)
          -> tensor<4x{3}>
      {4} = linalg.generic {{egg.name = "part",
          indexing_maps = [affine_map<(i, j) -> (i, j)>,
                           affine_map<(i, j) -> (i)>],
          iterator_types = ["parallel", "reduction"]}
          ins(%x : {0}) outs(%f : tensor<4x{3}>) {{
        ^bb0(%in: {1}, %acc: {3}):
          {2}
          %a = arith.addi %acc, %w : {3}
          linalg.yield %a : {3}
      } -> tensor<4x{3}>
      {5})",
                         input, type, widen, accumulator, isWide ? "%0" : "%s",
                         isWide ? "" : last.c_str());
  }
};

/// Whether the finding names this operation.
bool names(StringRef found, StringRef op) {
  return found.contains(("'arith." + op + "'").str());
}

} // namespace

static constexpr const char *kQuotient = R"(
  %c = arith.constant 10 : i64
  %q = arith.divui %i, %c : i64
  %y = arith.addi %in, %q : i64)";

TEST_F(UntriedIntegersTest, DivisionByMultiplication) {
  EXPECT_TRUE(names(findInMap(kQuotient, R"(
    %c = arith.constant 6554 : i64
    %s = arith.constant 16 : i64
    %m = arith.muli %i, %c : i64
    %q = arith.shrui %m, %s : i64
    %y = arith.addi %in, %q : i64)"),
                    "shrui"));
  EXPECT_EQ(findInMap(kQuotient, R"(
    %c = arith.constant 20 : i64
    %m = arith.addi %i, %i : i64
    %q = arith.divui %m, %c : i64
    %y = arith.addi %in, %q : i64)"),
            "");
}

/// As implicit GEMM and Winograd take positions apart.
TEST_F(UntriedIntegersTest, DelinearisationBySmallConstants) {
  EXPECT_EQ(findInMap(R"(%y = arith.addi %in, %i : i64)", R"(
    %nine = arith.constant 9 : i64
    %three = arith.constant 3 : i64
    %a = arith.floordivsi %i, %nine : i64
    %r = arith.remsi %i, %nine : i64
    %b = arith.floordivsi %r, %three : i64
    %c = arith.remsi %r, %three : i64
    %a9 = arith.muli %a, %nine : i64
    %b3 = arith.muli %b, %three : i64
    %ab = arith.addi %a9, %b3 : i64
    %abc = arith.addi %ab, %c : i64
    %y = arith.addi %in, %abc : i64)"),
            "");
}

TEST_F(UntriedIntegersTest, ProductsOfPositions) {
  constexpr const char *linear = R"(
    %c = arith.constant 300000 : i64
    %q = arith.muli %i, %c : i64
    %y = arith.addi %in, %q : i64)";
  EXPECT_TRUE(names(findInMap(linear, R"(
    %n = arith.index_cast %p : index to i32
    %c = arith.constant 300000 : i32
    %m = arith.muli %n, %c : i32
    %q = arith.extui %m : i32 to i64
    %y = arith.addi %in, %q : i64)"),
                    "muli"));
  EXPECT_EQ(findInMap(linear, R"(
    %n = arith.index_cast %p : index to i32
    %w = arith.extsi %n : i32 to i64
    %c = arith.constant 150000 : i64
    %m = arith.muli %w, %c : i64
    %q = arith.addi %m, %m : i64
    %y = arith.addi %in, %q : i64)"),
            "");
  constexpr const char *square = R"(
    %q = arith.muli %i, %i : i64
    %y = arith.addi %in, %q : i64)";
  EXPECT_TRUE(names(findInMap(square, R"(
    %n = arith.index_cast %p : index to i32
    %m = arith.muli %n, %n : i32
    %q = arith.extsi %m : i32 to i64
    %y = arith.addi %in, %q : i64)"),
                    "muli"));
  EXPECT_EQ(findInMap(square, R"(
    %q = arith.muli %i, %i : i64
    %y = arith.addi %q, %in : i64)"),
            "");
}

TEST_F(UntriedIntegersTest, ShiftsAndSumsOfPositions) {
  constexpr const char *shift = R"(
    %c = arith.constant 8 : i64
    %q = arith.muli %i, %c : i64
    %y = arith.addi %in, %q : i64)";
  auto inType = [](StringRef type) {
    return llvm::formatv(R"(
      %n = arith.index_cast %p : index to {0}
      %c = arith.constant 3 : {0}
      %m = arith.shli %n, %c : {0}
      %q = arith.extui %m : {0} to i64
      %y = arith.addi %in, %q : i64)",
                         type)
        .str();
  };
  EXPECT_TRUE(names(findInMap(shift, inType("i18")), "shli"));
  EXPECT_EQ(findInMap(shift, inType("i32")), "");
  EXPECT_TRUE(names(findInMap("%y = arith.addi %in, %i : i64", R"(
    %n = arith.index_cast %p : index to i18
    %c = arith.constant 100000 : i18
    %a = arith.addi %n, %c : i18
    %b = arith.subi %a, %c : i18
    %q = arith.extsi %b : i18 to i64
    %y = arith.addi %in, %q : i64)"),
                    "addi"));
}

/// Ranges that look tried and are not: x - x, and bits that meet no others yet.
TEST_F(UntriedIntegersTest, NothingHidesBehindData) {
  EXPECT_TRUE(names(findInMap(R"(
    %c = arith.constant 300000 : i64
    %q = arith.muli %i, %c : i64
    %y = arith.addi %in, %q : i64)",
                              R"(
    %t = arith.trunci %in : i64 to i32
    %z = arith.subi %t, %t : i32
    %n = arith.index_cast %p : index to i32
    %o = arith.addi %n, %z : i32
    %c = arith.constant 300000 : i32
    %m = arith.muli %o, %c : i32
    %q = arith.extui %m : i32 to i64
    %y = arith.addi %in, %q : i64)"),
                    "muli"));
  EXPECT_TRUE(names(findInMap(R"(
    %c = arith.constant 13 : i64
    %s = arith.shli %in, %c : i64
    %y = arith.addi %s, %i : i64)",
                              R"(
    %c = arith.constant 13 : i64
    %s = arith.shli %in, %c : i64
    %y = arith.ori %s, %i : i64)"),
                    "ori"));
}

/// A length that is cut off where no position of the small extents is.
TEST_F(UntriedIntegersTest, PositionsMeetClampedInputs) {
  auto before = [](StringRef length) {
    return llvm::formatv("%v = arith.cmpi slt, %i, {0} : i64 "
                         "%y = arith.extui %v : i1 to i64",
                         length)
        .str();
  };
  auto cut = [&](int64_t most) {
    return llvm::formatv("%c = arith.constant {0} : i64 "
                         "%m = arith.minsi %in, %c : i64 ",
                         most)
               .str() +
           before("%m");
  };
  auto chosen = [&](int64_t most) {
    return llvm::formatv("%c = arith.constant {0} : i64 "
                         "%q = arith.cmpi slt, %in, %c : i64 "
                         "%m = arith.select %q, %in, %c : i64 ",
                         most)
               .str() +
           before("%m");
  };
  EXPECT_TRUE(names(findInMap(cut(32768), before("%in")), "cmpi"));
  // A choice makes the small extents reach it.
  EXPECT_EQ(findInMap(chosen(32768), before("%in")), "");
  // Reached at the small extents, at none, and nothing to reach.
  EXPECT_EQ(findInMap(cut(20), chosen(20)), "");
  EXPECT_EQ(findInMap(cut(200000), chosen(200000)), "");
  EXPECT_EQ(findInMap(before("%in"), before("%in")), "");
}

TEST_F(UntriedIntegersTest, PromisesOfThePayload) {
  constexpr const char *payload = R"(
    %c = arith.constant 7 : i64
    %y = arith.muli %in, %c overflow<nsw> : i64)";
  // What a narrower type loses shows at the inputs that keep the promise.
  EXPECT_EQ(findInMap(payload, R"(
    %c = arith.constant 7 : i8
    %t = arith.trunci %in : i64 to i8
    %m = arith.muli %t, %c : i8
    %y = arith.extui %m : i8 to i64)"),
            "");
  EXPECT_TRUE(names(findInMap(payload, R"(
    %c = arith.constant 14 : i64
    %one = arith.constant 1 : i64
    %m = arith.muli %in, %c : i64
    %y = arith.shrsi %m, %one : i64)"),
                    "shrsi"));
  EXPECT_EQ(findInMap(payload, R"(
    %c = arith.constant 8 : i64
    %m = arith.muli %in, %c : i64
    %y = arith.subi %m, %in : i64)"),
            "");
}

TEST_F(UntriedIntegersTest, IndicesFromInputs) {
  auto gather = [](StringRef cast) {
    return llvm::formatv(R"(
      %e = tensor.empty() : tensor<3000xf32>
      %0 = linalg.generic {{egg.name = "part",
          indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
          iterator_types = ["parallel"]}
          ins(%x : tensor<3000xi64>) outs(%e : tensor<3000xf32>) {{
        ^bb0(%in: i64, %out: f32):
          {0}
          %v = tensor.extract %t[%n] : tensor<100000xf32>
          linalg.yield %v : f32
      } -> tensor<3000xf32>)",
                         cast)
        .str();
  };
  auto findIn = [&](StringRef cast) {
    return find(
        "%x: tensor<3000xi64>, %t: tensor<100000xf32>", "tensor<3000xf32>",
        gather("%n = arith.index_cast %in : i64 to index"), gather(cast));
  };
  EXPECT_TRUE(names(findIn("%s = arith.trunci %in : i64 to i16\n"
                           "%n = arith.index_castui %s : i16 to index"),
                    "trunci"));
  EXPECT_EQ(findIn("%s = arith.trunci %in : i64 to i32\n"
                   "%n = arith.index_castui %s : i32 to index"),
            "");
}

TEST_F(UntriedIntegersTest, SumsInNarrowTypes) {
  EXPECT_TRUE(names(findInSum(100000, "i1", "extui", "i16"), "addi"));
  EXPECT_EQ(findInSum(100000, "i1", "extui", "i32"), "");
  EXPECT_TRUE(names(findInSum(200000, "i16", "extui", "i32"), "addi"));
  EXPECT_TRUE(names(findInSum(40000000, "i8", "extsi", "i32"), "addi"));
  EXPECT_EQ(findInSum(4000000, "i8", "extsi", "i32"), "");
  EXPECT_EQ(findInSum(40000000, "i8", "extsi", "i48"), "");
}

/// Sums that overflow at the small extents too are the same ring arithmetic.
TEST_F(UntriedIntegersTest, OverflowThatIsTried) {
  EXPECT_EQ(findInSum(40000000, "i64", "extsi", "i64"), "");
  EXPECT_EQ(findInMap(R"(%y = arith.addi %in, %i : i64)",
                      R"(%y = arith.addi %i, %in : i64)"),
            "");
}
