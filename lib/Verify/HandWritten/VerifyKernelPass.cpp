//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pass egg-verify-kernel.
//
//===----------------------------------------------------------------------===//
#include "egg/Verify/Passes.h"
#include "egg/Verify/VerifyKernel.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

namespace egg {
#define GEN_PASS_DEF_VERIFYKERNEL
#include "egg/Verify/Passes.h.inc"
} // namespace egg

using namespace mlir;
using namespace egg;

namespace {

class VerifyKernelPass : public egg::impl::VerifyKernelBase<VerifyKernelPass> {
public:
  using VerifyKernelBase::VerifyKernelBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  }
  void runOnOperation() override;
};

} // namespace

void VerifyKernelPass::runOnOperation() {
  ModuleOp module = getOperation();
  auto fail = [&](const Twine &message) {
    emitError(module.getLoc()) << message;
    signalPassFailure();
  };
  if (payload.empty())
    return fail("no payload to compare with given: use payload=FILE");
  if (seeds < 1)
    return fail("seeds is " + Twine(int64_t(seeds)) + "; use at least 1");
  if (precision != "tolerance" && precision != "match")
    return fail("unknown rule '" + precision +
                "' for precision: use tolerance or match");
  OwningOpRef<ModuleOp> reference =
      parseSourceFile<ModuleOp>(payload, module.getContext());
  if (!reference)
    return fail("cannot read the payload '" + payload + "'");
  VerifyOptions options;
  options.seed = seed;
  options.seeds = seeds;
  options.exact = exact;
  options.matchPrecision = precision == "match";
  std::vector<std::string> names(distributions.begin(), distributions.end());
  if (names.empty())
    names = {"uniform", "normal"};
  if (names == std::vector<std::string>{"none"})
    names.clear();
  options.distributions.clear();
  for (const std::string &name : names) {
    auto distribution = symbolizeDistribution(name);
    if (!distribution)
      return fail(
          "unknown distribution '" + name +
          "': use uniform, normal, wide, large-mean, ties, special or none");
    options.distributions.push_back(*distribution);
  }
  Verification verification =
      verifyKernel(module, *reference, options, [](StringRef) {});
  if (verification.rejection)
    return fail(verification.rejection->str());
  const Verdict &verdict = verification.verdict;
  InFlightDiagnostic remark = verdict.grade == Grade::Unverified
                                  ? emitWarning(module.getLoc())
                                        << "nothing could be compared; "
                                  : emitRemark(module.getLoc());
  remark << "verdict: " << stringifyGrade(verdict.grade);
  for (const Evidence &evidence : verdict.evidence) {
    Diagnostic &note = remark.attachNote();
    note << evidence.step << ": " << evidence.statement;
    if (evidence.maxAbsoluteError)
      note << "; largest error "
           << llvm::formatv("{0}",
                            llvm::format("%.3g", *evidence.maxAbsoluteError))
                  .str();
  }
  for (const std::string &skipped : verdict.skipped)
    remark.attachNote() << "skipped: " << skipped;
}
