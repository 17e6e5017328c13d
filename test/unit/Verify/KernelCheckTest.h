//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// KernelCheckTest: a payload and kernels that compute something else, through
// the checks. What a script cannot express, materialized modules can.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TEST_UNIT_VERIFY_KERNELCHECKTEST_H
#define EGG_TEST_UNIT_VERIFY_KERNELCHECKTEST_H

#include "Numeric/NumericRejections.h"
#include "Proposal/Conclude.h"
#include "VerifyTest.h"
#include "egg/Verify/Compare.h"
#include "llvm/Support/FormatVariadic.h"

namespace egg {

/// Kernels are checked against a payload; by default both map 64 elements.
class KernelCheckTest : public VerifyTest {
protected:
  using Module = mlir::OwningOpRef<mlir::ModuleOp>;

  /// 64 elements, x * 2 + 1.
  Module payload() {
    return parse(R"(
      func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
        %two = arith.constant 2.0 : f32
        %one = arith.constant 1.0 : f32
        %e = tensor.empty() : tensor<64xf32>
        %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
            affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
            ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
        ^bb0(%in: f32, %out: f32):
          %1 = arith.mulf %in, %two : f32
          %2 = arith.addf %1, %one : f32
          linalg.yield %2 : f32
        } -> tensor<64xf32>
        return %0 : tensor<64xf32>
      })");
  }

  /// One kernel of `threads` threads between tensors of one dimension or more;
  /// its arguments are %x0, %x1, ... and %y, its thread is %t.
  Module kernel(llvm::ArrayRef<llvm::StringRef> inputs, llvm::StringRef output,
                int64_t threads, llvm::StringRef body) {
    std::string arguments, names, tensors, buffers;
    for (auto [number, input] : llvm::enumerate(inputs)) {
      llvm::StringRef comma = number ? ", " : "";
      arguments += llvm::formatv("{0}%x{1}: tensor<{2}>", comma, number, input);
      names += llvm::formatv("{0}%x{1}", comma, number);
      tensors += llvm::formatv("{0}tensor<{1}>", comma, input);
      buffers += llvm::formatv("%x{0}: memref<{1}>, ", number, flatten(input));
    }
    return parse(llvm::formatv(R"(
      module attributes {{gpu.container_module} {{
        func.func @main({0}) -> tensor<{3}> {{
          %0 = call @k({1}) : ({2}) -> tensor<{3}>
          return %0 : tensor<{3}>
        }
        func.func private @k({2}) -> tensor<{3}>
          attributes {{egg.launch = {{kernel = @kernels::@k,
            grid = array<i64: 1, 1, 1>, block = array<i64: {4}, 1, 1>,
            dynamic_shared_memory = 0 : i64} }
        gpu.module @kernels {{
          gpu.func @k({5}%y: memref<{6}>) kernel
              attributes {{known_block_size = array<i32: {4}, 1, 1>} {{
            %t = gpu.thread_id x
            {7}
            gpu.return
          }
        }
      })",
                               arguments, names, tensors, output, threads,
                               buffers, flatten(output), body)
                     .str());
  }

  /// One thread an element, with the given computation of %r from %v and %t.
  Module kernels(llvm::StringRef body) {
    return kernel({"64xf32"}, "64xf32", 64,
                  ("%two = arith.constant 2.0 : f32 "
                   "%one = arith.constant 1.0 : f32 "
                   "%v = memref.load %x0[%t] : memref<64xf32> " +
                   body)
                      .str());
  }

  std::optional<Rejection> check(const Module &reference,
                                 const Module &scheduled,
                                 NumericSummary &summary,
                                 const VerifyOptions &options = {}) {
    DiagnosticCollector diagnostics(context.get());
    auto program = lowerProgram(*scheduled, target);
    if (!program)
      return explainFailure(program.takeError(), "emulate", "aligned: x[64]",
                            /*handWritten=*/false, diagnostics);
    return checkNumerically(
        *reference, *program, ShrinkVariant::Aligned, options, diagnostics,
        [](llvm::StringRef) {}, summary);
  }

  std::optional<Rejection> check(llvm::StringRef body,
                                 NumericSummary &summary) {
    return check(payload(), kernels(body), summary);
  }

  std::optional<Rejection> check(llvm::StringRef body) {
    NumericSummary summary;
    return check(body, summary);
  }

  std::optional<Rejection> checkExact(llvm::StringRef body,
                                      ExactSummary &summary) {
    return checkExact(payload(), kernels(body), summary);
  }

  std::optional<Rejection> checkExact(const Module &reference,
                                      const Module &scheduled,
                                      ExactSummary &summary) {
    DiagnosticCollector diagnostics(context.get());
    auto program = llvm::cantFail(lowerProgram(*scheduled, target));
    return checkExactly(*reference, program, "aligned: x[64]", VerifyOptions(),
                        diagnostics, summary);
  }

  TargetInfo target = llvm::cantFail(lookupTarget("sm_90a"));

private:
  /// "3x4xf32" as a buffer: "12xf32". Bools lie there as bytes.
  static std::string flatten(llvm::StringRef shape) {
    int64_t count = 1;
    auto [extents, dtype] = shape.rsplit('x');
    for (llvm::StringRef extent : llvm::split(extents, 'x'))
      count *= std::stoll(extent.str());
    return std::to_string(count) + "x" + (dtype == "i1" ? "i8" : dtype.str());
  }
};

/// What the payload computes.
inline constexpr const char *kRight =
    "%a = arith.mulf %v, %two : f32  %r = arith.addf %a, %one : f32 "
    "memref.store %r, %y[%t] : memref<64xf32>";

} // namespace egg

#endif // EGG_TEST_UNIT_VERIFY_KERNELCHECKTEST_H
