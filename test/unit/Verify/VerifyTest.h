//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef EGG_TEST_UNIT_VERIFY_VERIFYTEST_H
#define EGG_TEST_UNIT_VERIFY_VERIFYTEST_H

#include "egg/Dialect/EggDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

namespace egg {

/// A context with all dialects.
class VerifyTest : public ::testing::Test {
protected:
  VerifyTest() {
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    registry.insert<EggDialect>();
    context = std::make_unique<mlir::MLIRContext>(
        registry, mlir::MLIRContext::Threading::DISABLED);
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
    EXPECT_TRUE(module) << text.str();
    return module;
  }

  /// A payload that computes each of `count` elements %r from %a, an element of
  /// its argument, whose attributes are given as they are written.
  static std::string getMap(int64_t count, llvm::StringRef from,
                            llvm::StringRef to, llvm::StringRef body,
                            llvm::StringRef attributes = "") {
    return llvm::formatv(R"(
      func.func @main(%x: tensor<{0}x{1}> {4}) -> tensor<{0}x{2}> {{
        %empty = tensor.empty() : tensor<{0}x{2}>
        %0 = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>,
            affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
            ins(%x : tensor<{0}x{1}>) outs(%empty : tensor<{0}x{2}>) {{
        ^bb0(%a: {1}, %out: {2}):
          {3}
          linalg.yield %r : {2}
        } -> tensor<{0}x{2}>
        return %0 : tensor<{0}x{2}>
      })",
                         count, from, to, body, attributes)
        .str();
  }

  mlir::DialectRegistry registry;
  std::unique_ptr<mlir::MLIRContext> context;
};

} // namespace egg

#endif // EGG_TEST_UNIT_VERIFY_VERIFYTEST_H
