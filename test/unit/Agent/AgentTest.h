//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef EGG_TEST_UNIT_AGENT_AGENTTEST_H
#define EGG_TEST_UNIT_AGENT_AGENTTEST_H

#include "../ProductPayload.h"
#include "egg/InitAll.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace egg {

/// A context with all dialects; diagnostics are kept back.
class AgentTest : public ::testing::Test {
protected:
  AgentTest() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
    context.getDiagEngine().registerHandler([](mlir::Diagnostic &) {});
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text.str();
    return module;
  }

  mlir::MLIRContext context;

private:
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }
};

/// Of kProductPayload, with comments in every part.
inline constexpr const char *kProductScript = R"(// What this is.
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
    egg.target = "sm_90a", egg.payload = "0"} {
  // Why one kernel: {
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    // Both.
    %ops = transform.egg.select %f ["matmul_0", "exp_0"]
        : (!transform.any_op) -> !transform.any_op
    %k = transform.egg.form_kernel %ops {name = "product"}
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  // The kernel.
  module @product attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      // Tiles.
      %m = transform.tune.knob<"m"> = 32 from options = [16, 32] -> !transform.param<i64>
      transform.egg.map_tiles %k tile_m(%m) tile_n(%m) : !transform.any_op
      transform.yield
    }
    // Nothing.
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      transform.yield
    }
  } // The end of it.
}
)";

} // namespace egg

#endif // EGG_TEST_UNIT_AGENT_AGENTTEST_H
