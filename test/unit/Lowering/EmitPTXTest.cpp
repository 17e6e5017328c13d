//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The functions that the session calls: lowering, PTX and plan of a small
// module, and their errors.
//
//===----------------------------------------------------------------------===//
#include "egg/Lowering/EmitPTX.h"
#include "egg/InitAll.h"
#include "egg/Lowering/BuildPlan.h"
#include "egg/Lowering/LowerToNVVM.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace egg;

namespace {

constexpr const char *kModule = R"(
func.func @main(%x: tensor<32xf32>) -> tensor<32xf32> {
  %0 = call @twice(%x) : (tensor<32xf32>) -> tensor<32xf32>
  %1 = call @twice(%0) : (tensor<32xf32>) -> tensor<32xf32>
  return %1 : tensor<32xf32>
}
func.func private @twice(tensor<32xf32>) -> tensor<32xf32> attributes {
  egg.launch = {kernel = @kernels::@twice, grid = array<i64: 1, 1, 1>,
                block = array<i64: 32, 1, 1>, dynamic_shared_memory = 0 : i64}}
gpu.module @kernels {
  gpu.func @twice(%a: memref<32xf32>, %b: memref<32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %a[%t] : memref<32xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %b[%t] : memref<32xf32>
    gpu.return
  }
}
)";

class EmitPTXTest : public ::testing::Test {
protected:
  EmitPTXTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(kModule, &context);
    target = llvm::cantFail(lookupTarget("sm_90a"));
  }
  gpu::GPUModuleOp kernels() {
    return *module->getOps<gpu::GPUModuleOp>().begin();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  TargetInfo target;
};

TEST_F(EmitPTXTest, LowersAndEmits) {
  ASSERT_TRUE(succeeded(lowerToNVVM(*module, target)));
  llvm::Expected<KernelImage> image = emitPTX(kernels(), target);
  ASSERT_TRUE(bool(image)) << llvm::toString(image.takeError());
  EXPECT_EQ(image->chip, "sm_90a");
  EXPECT_EQ(image->kernels, std::vector<std::string>{"twice"});
  EXPECT_NE(image->ptx.find(".entry twice("), std::string::npos);
  EXPECT_EQ(image->libdeviceHash, "");
  // The module is as before, and the same work in this process agrees.
  EmitOptions here;
  here.isolate = false;
  llvm::Expected<KernelImage> again = emitPTX(kernels(), target, here);
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(*again, *image);
}

TEST_F(EmitPTXTest, KernelsMustBeLoweredForTheTarget) {
  llvm::Expected<KernelImage> image = emitPTX(kernels(), target);
  ASSERT_FALSE(bool(image));
  EXPECT_NE(llvm::toString(image.takeError()).find("not lowered"),
            std::string::npos);
  ASSERT_TRUE(succeeded(lowerToNVVM(*module, target)));
  image = emitPTX(kernels(), llvm::cantFail(lookupTarget("sm_80")));
  ASSERT_FALSE(bool(image));
  EXPECT_NE(llvm::toString(image.takeError()).find("not for sm_80"),
            std::string::npos);
}

TEST_F(EmitPTXTest, TimeIsLimited) {
  ASSERT_TRUE(succeeded(lowerToNVVM(*module, target)));
  EmitOptions options;
  options.wallSeconds = 0;
  llvm::Expected<KernelImage> image = emitPTX(kernels(), target, options);
  ASSERT_FALSE(bool(image));
  EXPECT_NE(llvm::toString(image.takeError()).find("was stopped after"),
            std::string::npos);
}

TEST_F(EmitPTXTest, PlanIsTheSameBeforeAndAfterLowering) {
  llvm::Expected<Plan> before = buildPlan(*module, target);
  ASSERT_TRUE(bool(before)) << llvm::toString(before.takeError());
  ASSERT_TRUE(succeeded(lowerToNVVM(*module, target)));
  llvm::Expected<Plan> after = buildPlan(*module, target);
  ASSERT_TRUE(bool(after)) << llvm::toString(after.takeError());
  EXPECT_EQ(*before, *after);
  EXPECT_EQ(before->steps.size(), 2u);
  EXPECT_EQ(before->arenaBytes, 256);
}

} // namespace
