//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What tests on random kernels share: a source of numbers, and the verdict on a
// kernel's text.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TEST_UNIT_LEGALITY_RANDOMKERNELTEST_H
#define EGG_TEST_UNIT_LEGALITY_RANDOMKERNELTEST_H

#include "egg/Legality/Legality.h"
#include "egg/Support/Random.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <functional>

namespace egg {

/// Base of the kernels that are drawn from a seed.
class DrawnKernel {
public:
  explicit DrawnKernel(uint64_t seed) : random(seed) {}

protected:
  int64_t below(int64_t bound) { return int64_t(random.next() % bound); }

private:
  Random random;
};

class RandomKernelTest : public ::testing::Test {
protected:
  RandomKernelTest() : context(makeRegistry()) {
    context.disableMultithreading();
  }

  /// What legality finds in the one kernel of a module.
  KernelLegality judge(const std::string &text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    if (!module)
      return {};
    LegalityReport report = checkLegality(*module, target);
    EXPECT_EQ(report.kernels.size(), 1u) << text;
    return report.kernels.empty() ? KernelLegality() : report.kernels.front();
  }

private:
  static mlir::DialectRegistry makeRegistry() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                    mlir::gpu::GPUDialect, mlir::memref::MemRefDialect,
                    mlir::scf::SCFDialect>();
    return registry;
  }

  mlir::MLIRContext context;
  TargetInfo target = llvm::cantFail(lookupTarget("sm_90a"));
};

} // namespace egg

#endif // EGG_TEST_UNIT_LEGALITY_RANDOMKERNELTEST_H
