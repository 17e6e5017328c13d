//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Verify/CheckKernelRules.h"
#include "Proposal/DiagnosticCollector.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace egg;

TEST(CheckKernelRulesTest, LimitsOfKernels) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  TargetInfo target = llvm::cantFail(lookupTarget("sm_90a"));
  auto withHeader = [&](const std::string &header) {
    return parseSourceString<ModuleOp>("gpu.module @kernels { gpu.func @k() " +
                                           header + " { gpu.return } }",
                                       &context);
  };
  DiagnosticCollector diagnostics(&context);
  auto allocates = parseSourceString<ModuleOp>(
      "gpu.module @kernels { gpu.func @k() kernel { "
      "%m = memref.alloc() : memref<4xf32> gpu.return } }",
      &context);
  EXPECT_TRUE(failed(checkKernelRules(*allocates, target)));
  EXPECT_NE(diagnostics.takeRejection("check", "", "")
                .reason.find("allocates on the heap"),
            std::string::npos);
  auto calls = parseSourceString<ModuleOp>(
      "gpu.module @kernels { func.func private @f()  gpu.func @k() kernel { "
      "func.call @f() : () -> ()  gpu.return } }",
      &context);
  EXPECT_TRUE(failed(checkKernelRules(*calls, target)));
  EXPECT_NE(diagnostics.takeRejection("check", "", "")
                .reason.find("calls a function"),
            std::string::npos);
  auto threads = withHeader(
      "kernel attributes {known_block_size = array<i32: 64, 32, 1>}");
  EXPECT_TRUE(failed(checkKernelRules(*threads, target)));
  EXPECT_NE(diagnostics.takeRejection("check", "", "")
                .reason.find("2048 threads a block"),
            std::string::npos);
  auto shared = withHeader("workgroup(%s : memref<20000xf32, 3>) kernel");
  EXPECT_TRUE(failed(checkKernelRules(*shared, target)));
  EXPECT_NE(diagnostics.takeRejection("check", "", "")
                .reason.find("80000 bytes of static shared memory"),
            std::string::npos);
  // Elements of every kind that a buffer may hold: more than 48 KiB, or not.
  for (auto [element, few, many] :
       {std::tuple("index", 6144, 6145), std::tuple("i1", 49152, 49153),
        std::tuple("bf16", 24576, 24577), std::tuple("i64", 6144, 6145),
        std::tuple("complex<f32>", 6144, 6145),
        std::tuple("vector<4xf32>", 3072, 3073),
        std::tuple("vector<2xindex>", 3072, 3073)}) {
    auto buffer = [&](int count) {
      return withHeader("workgroup(%s : memref<" + std::to_string(count) + "x" +
                        element + ", 3>) kernel");
    };
    EXPECT_TRUE(succeeded(checkKernelRules(*buffer(few), target))) << element;
    EXPECT_TRUE(failed(checkKernelRules(*buffer(many), target))) << element;
    EXPECT_NE(diagnostics.takeRejection("check", "", "")
                  .reason.find("bytes of static shared memory"),
              std::string::npos)
        << element;
  }
  // What has no size, or none that is known.
  for (const char *type : {"memref<4xmemref<2xf32>, 3>", "memref<?xf32, 3>"}) {
    auto unknown =
        withHeader(std::string("workgroup(%s : ") + type + ") kernel");
    ASSERT_TRUE(bool(unknown)) << type;
    EXPECT_TRUE(failed(checkKernelRules(*unknown, target))) << type;
    EXPECT_NE(
        diagnostics.takeRejection("check", "", "").reason.find("unknown size"),
        std::string::npos)
        << type;
  }
}
