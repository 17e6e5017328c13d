//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels that leave elements of their inputs out, of reductions that rarely
// depend on a single one.
//
//===----------------------------------------------------------------------===//
#include "../KernelCheckTest.h"
#include "Numeric/AimedDraws.h"

using namespace mlir;
using namespace egg;

namespace {

/// Eight rows of 40 elements, each reduced by one thread.
struct RowCase {
  const char *name;
  const char *dtype;
  /// The next accumulator %r from the element %a and the accumulator %b.
  const char *combine;
  const char *init;
};

const RowCase kReductions[] = {
    {"Maximum", "i32", "%r = arith.maxsi %a, %b : i32", "-2147483648"},
    {"Minimum", "i64", "%r = arith.minsi %a, %b : i64", "9223372036854775807"},
    {"UnsignedMaximum", "i8", "%r = arith.maxui %a, %b : i8", "0"},
    {"LargestMagnitude", "i16",
     "%m = math.absi %a : i16 %r = arith.maxsi %m, %b : i16", "0"},
    {"Any", "i1", "%r = arith.ori %a, %b : i1", "false"},
    {"All", "i1", "%r = arith.andi %a, %b : i1", "true"},
    {"Parity", "i1", "%r = arith.xori %a, %b : i1", "false"},
    {"CommonBits", "i32", "%r = arith.andi %a, %b : i32", "-1"},
    {"FloatMaximum", "f32", "%r = arith.maximumf %a, %b : f32", "0xFF800000"},
    {"AnyPositive", "f32",
     "%z = arith.constant 0.0 : f32 %o = arith.constant 1.0 : f32 "
     "%p = arith.cmpf ogt, %a, %z : f32 %r = arith.select %p, %o, %b : f32",
     "0.0"},
    {"AllPositive", "f32",
     "%z = arith.constant 0.0 : f32 "
     "%p = arith.cmpf ogt, %a, %z : f32 %r = arith.select %p, %b, %z : f32",
     "1.0"},
    {"AnyEqual", "f32",
     "%z = arith.constant 1000.0 : f32 %o = arith.constant 1.0 : f32 "
     "%p = arith.cmpf oeq, %a, %z : f32 %r = arith.select %p, %o, %b : f32",
     "0.0"},
    {"AnyInfinite", "f32",
     "%z = arith.constant 0x7F800000 : f32 %o = arith.constant 1.0 : f32 "
     "%m = math.absf %a : f32 "
     "%p = arith.cmpf oeq, %m, %z : f32 %r = arith.select %p, %o, %b : f32",
     "0.0"},
};

class UnreadElementsTest : public KernelCheckTest {
protected:
  /// What a check on one ordinary input, and what is aimed after it, comes to.
  NumericSummary expectToPassOnOneInput(const Module &payload,
                                        const Module &kernels) {
    VerifyOptions few;
    few.distributions = {Distribution::Uniform};
    few.seeds = 1;
    NumericSummary summary;
    auto rejection = check(payload, kernels, summary, few);
    EXPECT_FALSE(rejection) << rejection->str();
    return summary;
  }

  /// All columns of every row, or those before the first `used`.
  Module rows(const RowCase &c, int64_t used = 40) {
    return parse(llvm::formatv(R"(
      func.func @main(%x: tensor<8x40x{0}> {{egg.name = "x"}) -> tensor<8x{0}> {{
        %s = tensor.extract_slice %x[0, 0] [8, {3}] [1, 1]
            : tensor<8x40x{0}> to tensor<8x{3}x{0}>
        %init = {1}
        %e = tensor.empty() : tensor<8x{0}>
        %f = linalg.fill ins(%init : {0}) outs(%e : tensor<8x{0}>)
            -> tensor<8x{0}>
        %0 = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>,
            affine_map<(i, j) -> (i)>], iterator_types = ["parallel",
            "reduction"]} ins(%s : tensor<8x{3}x{0}>) outs(%f : tensor<8x{0}>) {{
        ^bb0(%a: {0}, %b: {0}):
          {2}
          linalg.yield %r : {0}
        } -> tensor<8x{0}>
        return %0 : tensor<8x{0}>
      })",
                               c.dtype, initial(c), c.combine, used)
                     .str());
  }

  /// Reads the columns of [from, to), and of the rest nothing.
  Module reader(const RowCase &c, int64_t from, int64_t to) {
    std::string type = "8x" + std::string(c.dtype);
    return kernel(
        {"8x40x" + std::string(c.dtype)}, type, 8,
        llvm::formatv("%from = arith.constant {2} : index "
                      "%to = arith.constant {3} : index "
                      "%c1 = arith.constant 1 : index "
                      "%c40 = arith.constant 40 : index "
                      "%init = {1} "
                      "%start = arith.muli %t, %c40 : index "
                      "%all = scf.for %i = %from to %to step %c1 "
                      "iter_args(%b = %init) -> ({0}) {{ "
                      "%at = arith.addi %start, %i : index "
                      "{6} = memref.load %x0[%at] : memref<320x{5}> "
                      "{7} {4} scf.yield %r : {0} } "
                      "{8}, %y[%t] : memref<8x{5}>",
                      c.dtype, initial(c), from, to, c.combine, memory(c),
                      isBool(c) ? "%byte" : "%a",
                      isBool(c) ? "%a = arith.trunci %byte : i8 to i1" : "",
                      isBool(c) ? "%out = arith.extui %all : i1 to i8 "
                                  "memref.store %out"
                                : "memref.store %all")
            .str());
  }

  Module kernel(std::vector<std::string> inputs, llvm::StringRef output,
                int64_t threads, llvm::StringRef body) {
    return KernelCheckTest::kernel(
        llvm::SmallVector<llvm::StringRef>(inputs.begin(), inputs.end()),
        output, threads, body);
  }

  std::optional<Rejection> judge(const Module &payload, const Module &kernels,
                                 bool placesInfinities = false) {
    // Rows of few elements, drawn for `special`, would refuse most of these.
    VerifyOptions options;
    options.distributions = {Distribution::Uniform, Distribution::Wide,
                             Distribution::Constant};
    if (placesInfinities)
      options.distributions.push_back(Distribution::Special);
    NumericSummary summary;
    auto rejection = check(payload, kernels, summary, options);
    runs = summary.runs;
    return rejection;
  }

  int64_t runs = 0;

private:
  static bool isBool(const RowCase &c) {
    return llvm::StringRef(c.dtype) == "i1";
  }
  /// Bools lie in memory as bytes.
  static std::string memory(const RowCase &c) {
    return isBool(c) ? "i8" : c.dtype;
  }
  static std::string initial(const RowCase &c) {
    std::string constant = std::string("arith.constant ") + c.init;
    return llvm::StringRef(c.dtype) == "i1" ? constant
                                            : constant + " : " + c.dtype;
  }
};

class LeftOutTest : public UnreadElementsTest,
                    public ::testing::WithParamInterface<RowCase> {};

TEST_P(LeftOutTest, TheWholeRowPasses) {
  auto rejection = judge(rows(GetParam()), reader(GetParam(), 0, 40));
  EXPECT_FALSE(rejection) << rejection->str();
}

TEST_P(LeftOutTest, WithoutTheLastColumnIsRefused) {
  auto rejection = judge(rows(GetParam()), reader(GetParam(), 0, 39),
                         GetParam().name == StringRef("AnyInfinite"));
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->step, "numeric");
}

TEST_P(LeftOutTest, WithoutTheFirstColumnsIsRefused) {
  EXPECT_TRUE(judge(rows(GetParam()), reader(GetParam(), 2, 40),
                    GetParam().name == StringRef("AnyInfinite")));
}

/// What the payload leaves out the kernel need not read, and it takes no
/// further runs to say so.
TEST_P(LeftOutTest, WhatThePayloadLeavesOutIsNotMissed) {
  auto rejection = judge(rows(GetParam()), reader(GetParam(), 0, 40));
  ASSERT_FALSE(rejection);
  int64_t runsOfAll = runs;
  rejection = judge(rows(GetParam(), 24), reader(GetParam(), 0, 24));
  EXPECT_FALSE(rejection) << rejection->str();
  EXPECT_EQ(runs, runsOfAll);
}

INSTANTIATE_TEST_SUITE_P(Reductions, LeftOutTest,
                         ::testing::ValuesIn(kReductions),
                         [](const auto &info) { return info.param.name; });

TEST_F(UnreadElementsTest, TheRefusalNamesThem) {
  const RowCase &any = kReductions[4];
  auto rejection = judge(rows(any), reader(any, 0, 39));
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->notes.front(),
            "no kernel reads x[0, 39], x[1, 39], x[2, 39] (8 elements)");
  EXPECT_TRUE(llvm::any_of(rejection->notes, [](llvm::StringRef note) {
    return note.starts_with("inputs: aimed, seed ");
  }));
}

/// Which elements are read may depend on data: those that were not read before
/// are read where they matter.
TEST_F(UnreadElementsTest, ReadsThatDependOnDataPass) {
  Module payload = parse(R"(
      func.func @main(%x: tensor<8xi32>, %y: tensor<8xi1>) -> tensor<8xi32> {
        %e = tensor.empty() : tensor<8xi32>
        %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
            affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
            iterator_types = ["parallel"]}
            ins(%x, %y : tensor<8xi32>, tensor<8xi1>)
            outs(%e : tensor<8xi32>) {
        ^bb0(%a: i32, %m: i1, %out: i32):
          %z = arith.constant 0 : i32
          %r = arith.select %m, %a, %z : i32
          linalg.yield %r : i32
        } -> tensor<8xi32>
        return %0 : tensor<8xi32>
      })");
  Module masked = kernel({"8xi32", "8xi1"}, "8xi32", 8,
                         "%z = arith.constant 0 : i32 "
                         "%n = memref.load %x1[%t] : memref<8xi8> "
                         "%m = arith.trunci %n : i8 to i1 "
                         "%r = scf.if %m -> (i32) { "
                         "%a = memref.load %x0[%t] : memref<8xi32> "
                         "scf.yield %a : i32 } else { scf.yield %z : i32 } "
                         "memref.store %r, %y[%t] : memref<8xi32>");
  NumericSummary summary = expectToPassOnOneInput(payload, masked);
  EXPECT_GT(summary.runs, 1);
  EXPECT_LE(summary.runs, 1 + kAimedRuns);
}

/// Aimed draws would have the payload read beyond its tensor, which no loop
/// checks: what it finds there differs from run to run.
TEST_F(UnreadElementsTest, FloatsThatIndexAreNotAimedAt) {
  Module payload = parse(R"(
      func.func @main(%x: tensor<8xf32>, %y: tensor<16xf32>) -> tensor<8xf32> {
        %e = tensor.empty() : tensor<8xf32>
        %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
            affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
            ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
        ^bb0(%a: f32, %out: f32):
          %n = arith.fptosi %a : f32 to i32
          %i = arith.index_cast %n : i32 to index
          %r = tensor.extract %y[%i] : tensor<16xf32>
          linalg.yield %r : f32
        } -> tensor<8xf32>
        return %0 : tensor<8xf32>
      })");
  Module gather = kernel({"8xf32", "16xf32"}, "8xf32", 8,
                         "%a = memref.load %x0[%t] : memref<8xf32> "
                         "%n = arith.fptosi %a : f32 to i32 "
                         "%i = arith.index_cast %n : i32 to index "
                         "%r = memref.load %x1[%i] : memref<16xf32> "
                         "memref.store %r, %y[%t] : memref<8xf32>");
  NumericSummary summary = expectToPassOnOneInput(payload, gather);
  EXPECT_EQ(summary.runs, 1);
}

/// Two inputs that meet: the elements left out of one decide alone.
TEST_F(UnreadElementsTest, OneInputOfTwoIsAimedAt) {
  Module payload = parse(R"(
      func.func @main(%x: tensor<8x40xf32>, %y: tensor<8x40xf32>)
          -> tensor<8xi1> {
        %true = arith.constant true
        %e = tensor.empty() : tensor<8xi1>
        %f = linalg.fill ins(%true : i1) outs(%e : tensor<8xi1>) -> tensor<8xi1>
        %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
            affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
            iterator_types = ["parallel", "reduction"]}
            ins(%x, %y : tensor<8x40xf32>, tensor<8x40xf32>)
            outs(%f : tensor<8xi1>) {
        ^bb0(%a: f32, %b: f32, %all: i1):
          %c = arith.cmpf oeq, %a, %b : f32
          %r = arith.andi %c, %all : i1
          linalg.yield %r : i1
        } -> tensor<8xi1>
        return %0 : tensor<8xi1>
      })");
  auto equal = [&](int64_t columns) {
    return kernel(
        {"8x40xf32", "8x40xf32"}, "8xi1", 8,
        llvm::formatv(
            "%c0 = arith.constant 0 : index %c1 = arith.constant 1 : index "
            "%to = arith.constant {0} : index %true = arith.constant true "
            "%c40 = arith.constant 40 : index "
            "%start = arith.muli %t, %c40 : index "
            "%all = scf.for %i = %c0 to %to step %c1 "
            "iter_args(%o = %true) -> (i1) {{ "
            "%at = arith.addi %start, %i : index "
            "%a = memref.load %x0[%at] : memref<320xf32> "
            "%b = memref.load %x1[%at] : memref<320xf32> "
            "%c = arith.cmpf oeq, %a, %b : f32 %r = arith.andi %c, %o : i1 "
            "scf.yield %r : i1 } %out = arith.extui %all : i1 to i8 "
            "memref.store %out, %y[%t] : memref<8xi8>",
            columns)
            .str());
  };
  EXPECT_FALSE(judge(payload, equal(40)));
  auto rejection = judge(payload, equal(39));
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->notes.front(),
            "no kernel reads argument 0[0, 39], argument 0[1, 39], argument "
            "0[2, 39] (8 elements); nor argument 1[0, 39], argument 1[1, 39], "
            "argument 1[2, 39] (8 elements)");
}

} // namespace
