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

  mlir::DialectRegistry registry;
  std::unique_ptr<mlir::MLIRContext> context;
};

} // namespace egg

#endif // EGG_TEST_UNIT_VERIFY_VERIFYTEST_H
