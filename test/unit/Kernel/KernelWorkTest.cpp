//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a function must move: a bound from below, whatever it uses of its
// arguments.
//
//===----------------------------------------------------------------------===//
#include "egg/Kernel/KernelWork.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace egg;

static double bytesOf(StringRef body) {
  DialectRegistry registry;
  registry.insert<func::FuncDialect, tensor::TensorDialect>();
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(
      ("func.func @main(%a: tensor<8x4xf32>) -> tensor<2x4xf32> {\n" + body +
       "}")
          .str(),
      &context);
  return measureWork(module->lookupSymbol<func::FuncOp>("main")).bytes;
}

TEST(KernelWork, ArgumentsAreReadOnceAsFarAsTheyAreUsed) {
  constexpr double kResult = 32, kWhole = 128, kTwoRows = 32;
  std::string slice = "%s = tensor.extract_slice %a[0, 0] [2, 4] [1, 1] : "
                      "tensor<8x4xf32> to "
                      "tensor<2x4xf32>\n",
              more = "%t = tensor.extract_slice %a[1, 0] [3, 4] [1, 1] : "
                     "tensor<8x4xf32> to tensor<3x4xf32>\n",
              all =
                  "%u = tensor.cast %a : tensor<8x4xf32> to tensor<?x?xf32>\n",
              end = "return %s : tensor<2x4xf32>\n";
  EXPECT_EQ(bytesOf("%s = tensor.empty() : tensor<2x4xf32>\n" + end), kResult);
  EXPECT_EQ(bytesOf(slice + end), kTwoRows + kResult);
  // They overlap: the larger alone is sure.
  EXPECT_EQ(bytesOf(slice + more + end), 48 + kResult);
  EXPECT_EQ(bytesOf(slice + all + end), kWhole + kResult);
}
