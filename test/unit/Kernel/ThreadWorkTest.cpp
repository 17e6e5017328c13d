//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Threads and their operations are counted from launches and loops.
//
//===----------------------------------------------------------------------===//
#include "egg/Kernel/ThreadWork.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace egg;

namespace {

ThreadWork
measure(const std::string &body,
        const std::string &launch = "known_block_size = array<i32: 8, 2, 1>, "
                                    "known_grid_size = array<i32: 3, 1, 1>") {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<gpu::GPUDialect, scf::SCFDialect, arith::ArithDialect>();
  auto module = parseSourceString<ModuleOp>(
      "gpu.module @m { gpu.func @k(%n: index) kernel attributes {" + launch +
          "} { " + body + " gpu.return } }",
      &context);
  EXPECT_TRUE(bool(module)) << body;
  return module ? measureThreadWork(*module) : ThreadWork();
}

const std::string kConstants = "%c0 = arith.constant 0 : index %c2 = "
                               "arith.constant 2 : index %c10 = "
                               "arith.constant 10 : index ";

} // namespace

TEST(ThreadWorkTest, ThreadsOfTheLaunch) {
  ThreadWork work = measure("");
  EXPECT_EQ(work.threads, 48);
  EXPECT_EQ(work.operations, 48);
  // A kernel that does not say how it is launched.
  EXPECT_EQ(measure("", "gpu.known = 1 : i32").threads, 0);
}

TEST(ThreadWorkTest, RoundsOfLoops) {
  // Three constants, the loop and the return; per round two operations.
  const std::string round = "{ %s = arith.addi %i, %i : index } ";
  auto count = [&](const std::string &loop) {
    return measure(kConstants + loop).operations / 48;
  };
  EXPECT_EQ(count("scf.for %i = %c0 to %c10 step %c2 " + round), 5 + 5 * 2);
  EXPECT_EQ(count("scf.for %i = %c2 to %c10 step %c10 " + round), 5 + 2);
  EXPECT_EQ(count("scf.for %i = %c10 to %c2 step %c2 " + round), 5);
  // From a number that is not known as from zero; to one, a round.
  EXPECT_EQ(count("scf.for %i = %n to %c10 step %c2 " + round), 5 + 5 * 2);
  EXPECT_EQ(count("scf.for %i = %c0 to %n step %c2 " + round), 5 + 2);
  // Rounds of rounds.
  EXPECT_EQ(count("scf.for %j = %c0 to %c10 step %c2 { scf.for %i = %c0 to "
                  "%c10 step %c2 " +
                  round + "}"),
            5 + 5 * (2 + 5 * 2));
}
