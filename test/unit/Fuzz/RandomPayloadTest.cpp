//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Payload/RandomPayload.h"
#include "Choices.h"
#include "egg/Dialect/EggDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace egg;
using namespace egg::fuzz;

// Found by egg fuzz kernels, seed 13: a tensor read through a map that is the
// dimension itself, one element longer than the loop.
TEST(RandomPayloadTest, PayloadsAreValid) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<EggDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  for (uint64_t number = 0; number < 2000; ++number) {
    Choices choices(13, number);
    OwningOpRef<ModuleOp> payload = makeRandomPayload(&context, choices);
    EXPECT_TRUE(succeeded(verify(*payload))) << number;
  }
}
