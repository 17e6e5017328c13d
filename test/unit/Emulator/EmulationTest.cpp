//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels of known behaviour, right and wrong, lowered and emulated.
//
//===----------------------------------------------------------------------===//
#include "egg/Emulator/Emulation.h"
#include "egg/Lowering/LowerToNVVM.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace egg;

namespace {

class EmulationTest : public ::testing::Test {
protected:
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  Plan plan;

  EmulationTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
  }

  static TensorSpec vectorSpec(int64_t size, StringRef dtype) {
    return {"x", "input", {size}, dtype.str()};
  }

  /// A module with one kernel from `inputs` to one result, and a plan that
  /// launches it.
  void build(StringRef signature, StringRef body,
             std::vector<TensorSpec> inputs, TensorSpec result,
             std::array<int64_t, 3> grid, std::array<int64_t, 3> block) {
    std::string operands;
    for (const TensorSpec &spec : inputs)
      operands +=
          (operands.empty() ? "" : ", ") +
          llvm::formatv("tensor<{0}x{1}>", spec.shape[0], spec.dtype).str();
    std::string text =
        llvm::formatv(
            "module attributes {{gpu.container_module} {{\n"
            "func.func private @k({0}) -> tensor<{1}x{2}> attributes "
            "{{egg.launch = {{kernel = @kernels::@k}}\n"
            "gpu.module @kernels {{ gpu.func @k({3} kernel attributes "
            "{{known_block_size = array<i32: {5}, {6}, {7}>} {{ {4} "
            "gpu.return } } }",
            operands, result.shape[0], result.dtype, signature, body, block[0],
            block[1], block[2])
            .str();
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    auto target = lookupTarget("sm_90a");
    ASSERT_TRUE(bool(target));
    ASSERT_TRUE(succeeded(lowerToNVVM(*module, *target)));
    plan.arguments = std::move(inputs);
    plan.results = {std::move(result)};
    PlanStep step;
    step.kernel = "k";
    step.grid = grid;
    step.block = block;
    for (size_t i = 0; i <= plan.arguments.size(); ++i) {
      bool isResult = i == plan.arguments.size();
      const TensorSpec &spec = isResult ? plan.results[0] : plan.arguments[i];
      plan.buffers.push_back(
          {isResult ? PlanBuffer::Kind::Result : PlanBuffer::Kind::Argument,
           isResult ? 0 : int64_t(i), 0,
           spec.shape[0] * *getDtypeBytes(spec.dtype)});
      step.arguments.push_back(i);
    }
    plan.steps = {step};
  }

  static HostTensor iota(int64_t size, StringRef dtype = "f32") {
    HostTensor tensor = HostTensor::zeros({size}, dtype);
    for (int64_t i = 0; i < size; ++i)
      tensor.setFloat(i, double(i));
    return tensor;
  }

  void expectFault(SimtFault::Kind kind, StringRef message,
                   ArrayRef<HostTensor> arguments) {
    auto results = runOnCPU(*module, plan, arguments);
    ASSERT_FALSE(bool(results));
    bool seen = false;
    llvm::handleAllErrors(
        results.takeError(),
        [&](const SimtFault &fault) {
          seen = true;
          EXPECT_EQ(stringifyFaultKind(fault.kind), stringifyFaultKind(kind));
          EXPECT_NE(fault.reason.find(message.str()), std::string::npos)
              << fault.reason;
          EXPECT_EQ(fault.kernel, "k");
        },
        [&](const llvm::ErrorInfoBase &other) {
          ADD_FAILURE() << other.message();
        });
    EXPECT_TRUE(seen);
  }
};

TEST_F(EmulationTest, ElementwiseWithVectors) {
  build("%x: memref<64xf32>, %y: memref<64xf32>)",
        R"(%t = gpu.thread_id x  %b = gpu.block_id x  %d = gpu.block_dim x
           %c4 = arith.constant 4 : index
           %0 = arith.muli %b, %d : index  %1 = arith.addi %0, %t : index
           %i = arith.muli %1, %c4 : index
           %v = vector.load %x[%i] : memref<64xf32>, vector<4xf32>
           %w = math.exp %v : vector<4xf32>
           vector.store %w, %y[%i] : memref<64xf32>, vector<4xf32>)",
        {vectorSpec(64, "f32")}, vectorSpec(64, "f32"), {2, 1, 1}, {8, 1, 1});
  auto results = runOnCPU(*module, plan, iota(64));
  ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
  for (int64_t i = 0; i < 64; ++i)
    EXPECT_FLOAT_EQ((*results)[0].getFloat(i), std::exp(float(i)));
}

/// Threads read every second element of the first half, and a vector behind.
TEST_F(EmulationTest, WhatIsReadOfInputsIsRecorded) {
  build("%x: memref<16xf32>, %z: memref<16xf32>, %y: memref<4xf32>)",
        R"(%t = gpu.thread_id x
           %c2 = arith.constant 2 : index %c12 = arith.constant 12 : index
           %i = arith.muli %t, %c2 : index
           %a = memref.load %x[%i] : memref<16xf32>
           %v = vector.load %x[%c12] : memref<16xf32>, vector<2xf32>
           %b = vector.extract %v[1] : f32 from vector<2xf32>
           %r = arith.addf %a, %b : f32
           memref.store %r, %y[%t] : memref<4xf32>)",
        {vectorSpec(16, "f32"), vectorSpec(16, "f32")}, vectorSpec(4, "f32"),
        {1, 1, 1}, {4, 1, 1});
  auto program = llvm::cantFail(SimtProgram::compile(*module));
  std::vector<ElementsRead> read;
  llvm::cantFail(program->run(plan, {iota(16), iota(16)}, &read));
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0],
            (ElementsRead{1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0}));
  EXPECT_EQ(read[1], ElementsRead(16));
}

TEST_F(EmulationTest, WarpSumByShuffles) {
  std::string body = "%t = gpu.thread_id x  %w = arith.constant 32 : i32 "
                     "%s0 = memref.load %x[%t] : memref<32xf32> ";
  for (int i = 0, offset = 16; i < 5; ++i, offset /= 2)
    body += llvm::formatv("%o{0} = arith.constant {1} : i32 "
                          "%p{0}, %q{0} = gpu.shuffle xor %s{0}, %o{0}, %w : "
                          "f32 %s{2} = arith.addf %s{0}, %p{0} : f32 ",
                          i, offset, i + 1)
                .str();
  body += "memref.store %s5, %y[%t] : memref<32xf32>";
  build("%x: memref<32xf32>, %y: memref<32xf32>)", body,
        {vectorSpec(32, "f32")}, vectorSpec(32, "f32"), {1, 1, 1}, {32, 1, 1});
  auto results = runOnCPU(*module, plan, iota(32));
  ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
  for (int64_t i = 0; i < 32; ++i)
    EXPECT_EQ((*results)[0].getFloat(i), 496);
}

TEST_F(EmulationTest, ShuffleModesOnHalves) {
  build("%x: memref<32xf16>, %y: memref<32xf16>)",
        R"(%t = gpu.thread_id x  %w = arith.constant 32 : i32
           %one = arith.constant 1 : i32  %five = arith.constant 5 : i32
           %v = memref.load %x[%t] : memref<32xf16>
           %a, %va = gpu.shuffle down %v, %one, %w : f16
           %b, %vb = gpu.shuffle up %v, %one, %w : f16
           %c, %vc = gpu.shuffle idx %v, %five, %w : f16
           %ab = arith.addf %a, %b : f16  %abc = arith.addf %ab, %c : f16
           %zero = arith.constant 0.0 : f16
           %ok = arith.andi %va, %vb : i1
           %r = arith.select %ok, %abc, %zero : f16
           memref.store %r, %y[%t] : memref<32xf16>)",
        {vectorSpec(32, "f16")}, vectorSpec(32, "f16"), {1, 1, 1}, {32, 1, 1});
  auto results = runOnCPU(*module, plan, iota(32, "f16"));
  ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
  for (int64_t i = 0; i < 32; ++i)
    EXPECT_EQ((*results)[0].getFloat(i), i == 0 || i == 31 ? 0 : 2.0 * i + 5);
}

static constexpr const char *kReverseSignature =
    "%x: memref<64xf32>, %y: memref<64xf32>) workgroup(%s : memref<64xf32, 3>)";

TEST_F(EmulationTest, ReverseThroughSharedMemory) {
  build(kReverseSignature,
        R"(%t = gpu.thread_id x  %c63 = arith.constant 63 : index
           %v = memref.load %x[%t] : memref<64xf32>
           memref.store %v, %s[%t] : memref<64xf32, 3>
           gpu.barrier
           %r = arith.subi %c63, %t : index
           %u = memref.load %s[%r] : memref<64xf32, 3>
           memref.store %u, %y[%t] : memref<64xf32>)",
        {vectorSpec(64, "f32")}, vectorSpec(64, "f32"), {1, 1, 1}, {64, 1, 1});
  auto results = runOnCPU(*module, plan, iota(64));
  ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
  for (int64_t i = 0; i < 64; ++i)
    EXPECT_EQ((*results)[0].getFloat(i), 63 - i);
}

TEST_F(EmulationTest, MissingBarrierIsARace) {
  build(kReverseSignature,
        R"(%t = gpu.thread_id x  %c63 = arith.constant 63 : index
           %c1 = arith.constant 1 : index
           %v = memref.load %x[%t] : memref<64xf32>
           memref.store %v, %s[%t] : memref<64xf32, 3>
           %r = arith.subi %c63, %t : index
           memref.store %v, %s[%r] : memref<64xf32, 3>
           memref.store %v, %y[%t] : memref<64xf32>)",
        {vectorSpec(64, "f32")}, vectorSpec(64, "f32"), {1, 1, 1}, {64, 1, 1});
  expectFault(SimtFault::Kind::DataRace, "with no barrier between", iota(64));
}

TEST_F(EmulationTest, BarrierThatSomeThreadsSkip) {
  build(kReverseSignature,
        R"(%t = gpu.thread_id x  %c40 = arith.constant 40 : index
           %v = memref.load %x[%t] : memref<64xf32>
           memref.store %v, %y[%t] : memref<64xf32>
           %c = arith.cmpi ult, %t, %c40 : index
           scf.if %c { gpu.barrier })",
        {vectorSpec(64, "f32")}, vectorSpec(64, "f32"), {1, 1, 1}, {64, 1, 1});
  expectFault(SimtFault::Kind::DivergentBarrier,
              "thread (40, 0, 0) does not reach: that thread has returned",
              iota(64));
}

TEST_F(EmulationTest, DifferentBarriersInBothBranches) {
  build(kReverseSignature,
        R"(%t = gpu.thread_id x  %c40 = arith.constant 40 : index
           %c = arith.cmpi ult, %t, %c40 : index
           %v = memref.load %x[%t] : memref<64xf32>
           scf.if %c {
             gpu.barrier
             memref.store %v, %y[%t] : memref<64xf32>
           } else {
             memref.store %v, %y[%t] : memref<64xf32>
             gpu.barrier
           })",
        {vectorSpec(64, "f32")}, vectorSpec(64, "f32"), {1, 1, 1}, {64, 1, 1});
  expectFault(SimtFault::Kind::DivergentBarrier,
              "that thread waits at nvvm.barrier", iota(64));
}

TEST_F(EmulationTest, ShuffleUnderDivergentControl) {
  build("%x: memref<32xf32>, %y: memref<32xf32>)",
        R"(%t = gpu.thread_id x  %c7 = arith.constant 7 : index
           %w = arith.constant 32 : i32  %one = arith.constant 1 : i32
           %v = memref.load %x[%t] : memref<32xf32>
           %c = arith.cmpi ult, %t, %c7 : index
           scf.if %c {
             %p, %q = gpu.shuffle xor %v, %one, %w : f32
             memref.store %p, %y[%t] : memref<32xf32>
           })",
        {vectorSpec(32, "f32")}, vectorSpec(32, "f32"), {1, 1, 1}, {32, 1, 1});
  expectFault(SimtFault::Kind::DivergentShuffle, "lane 7 does not reach",
              iota(32));
}

TEST_F(EmulationTest, ShuffleInAPartialWarp) {
  build("%x: memref<16xf32>, %y: memref<16xf32>)",
        R"(%t = gpu.thread_id x
           %w = arith.constant 32 : i32  %one = arith.constant 1 : i32
           %v = memref.load %x[%t] : memref<16xf32>
           %p, %q = gpu.shuffle xor %v, %one, %w : f32
           memref.store %p, %y[%t] : memref<16xf32>)",
        {vectorSpec(16, "f32")}, vectorSpec(16, "f32"), {1, 1, 1}, {16, 1, 1});
  expectFault(SimtFault::Kind::DivergentShuffle, "use a block of whole warps",
              iota(16));
}

TEST_F(EmulationTest, IndexPastTheEnd) {
  build("%x: memref<64xf32>, %y: memref<64xf32>)",
        R"(%t = gpu.thread_id x  %c1 = arith.constant 1 : index
           %i = arith.addi %t, %c1 : index
           %v = memref.load %x[%i] : memref<64xf32>
           memref.store %v, %y[%t] : memref<64xf32>)",
        {vectorSpec(64, "f32")}, vectorSpec(64, "f32"), {1, 1, 1}, {64, 1, 1});
  expectFault(SimtFault::Kind::OutOfBounds,
              "reads element 64 of argument 0, which is outside", iota(64));
}

TEST_F(EmulationTest, VectorThatEndsOutside) {
  build("%x: memref<66xf32>, %y: memref<66xf32>)",
        R"(%t = gpu.thread_id x  %c4 = arith.constant 4 : index
           %i = arith.muli %t, %c4 : index
           %v = vector.load %x[%i] : memref<66xf32>, vector<4xf32>
           vector.store %v, %y[%i] : memref<66xf32>, vector<4xf32>)",
        {vectorSpec(66, "f32")}, vectorSpec(66, "f32"), {1, 1, 1}, {32, 1, 1});
  expectFault(SimtFault::Kind::OutOfBounds,
              "reads element 64 of argument 0, which is outside", iota(66));
}

TEST_F(EmulationTest, UnwrittenTail) {
  build("%x: memref<66xf32>, %y: memref<66xf32>)",
        R"(%t = gpu.thread_id x
           %v = memref.load %x[%t] : memref<66xf32>
           memref.store %v, %y[%t] : memref<66xf32>)",
        {vectorSpec(66, "f32")}, vectorSpec(66, "f32"), {1, 1, 1}, {64, 1, 1});
  expectFault(SimtFault::Kind::UnwrittenOutput,
              "no thread writes element 64 of argument 1", iota(66));
}

TEST_F(EmulationTest, TwoBlocksWriteOneElement) {
  build("%x: memref<32xf32>, %y: memref<32xf32>)",
        R"(%t = gpu.thread_id x
           %v = memref.load %x[%t] : memref<32xf32>
           memref.store %v, %y[%t] : memref<32xf32>)",
        {vectorSpec(32, "f32")}, vectorSpec(32, "f32"), {2, 1, 1}, {32, 1, 1});
  expectFault(SimtFault::Kind::DataRace, "block number 0 wrote", iota(32));
}

TEST_F(EmulationTest, SharedMemoryReadBeforeWritten) {
  build(kReverseSignature,
        R"(%t = gpu.thread_id x
           %v = memref.load %s[%t] : memref<64xf32, 3>
           memref.store %v, %y[%t] : memref<64xf32>)",
        {vectorSpec(64, "f32")}, vectorSpec(64, "f32"), {1, 1, 1}, {64, 1, 1});
  expectFault(SimtFault::Kind::UninitializedRead, "of shared memory", iota(64));
}

TEST_F(EmulationTest, WriteToInput) {
  build("%x: memref<32xf32>, %y: memref<32xf32>)",
        R"(%t = gpu.thread_id x
           %v = memref.load %x[%t] : memref<32xf32>
           memref.store %v, %x[%t] : memref<32xf32>)",
        {vectorSpec(32, "f32")}, vectorSpec(32, "f32"), {1, 1, 1}, {32, 1, 1});
  expectFault(SimtFault::Kind::WriteToInput, "which is an input", iota(32));
}

TEST_F(EmulationTest, ArgumentsMustFitThePlan) {
  build("%x: memref<32xf32>, %y: memref<32xf32>)", "", {vectorSpec(32, "f32")},
        vectorSpec(32, "f32"), {1, 1, 1}, {32, 1, 1});
  auto results = runOnCPU(*module, plan, iota(31));
  ASSERT_FALSE(bool(results));
  EXPECT_NE(llvm::toString(results.takeError()).find("another shape or dtype"),
            std::string::npos);
}

} // namespace
