//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pass egg-verify-kernel.
//
//===----------------------------------------------------------------------===//
#include "egg/Guard/RunOnCopy.h"
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

private:
  llvm::Expected<Verification> verify(ModuleOp reference,
                                      VerifyOptions options);
};

} // namespace

/// Checks copies in a child, whose context has no threads.
llvm::Expected<Verification> VerifyKernelPass::verify(ModuleOp reference,
                                                      VerifyOptions options) {
  options.wallSeconds = timeLimit;
  options.memoryBytes = uint64_t(memoryLimit) << 20;
  options.ifSlow = "use smaller extents, or look for a loop that does not end";
  options.ifCrashed = "leave out parts of the kernel to find which it is";
  // Nothing that was parsed has no bytecode.
  std::string kernel = toBytecode(getOperation()),
              payload = toBytecode(reference);
  auto verification = verifyInChild(options, [&](StepListener onStep) {
    MLIRContext context(getContext().getDialectRegistry(),
                        MLIRContext::Threading::DISABLED);
    context.allowUnregisteredDialects(
        getContext().allowsUnregisteredDialects());
    auto kernelCopy = parseSourceString<ModuleOp>(kernel, &context);
    auto payloadCopy = parseSourceString<ModuleOp>(payload, &context);
    return verifyKernel(*kernelCopy, *payloadCopy, options, onStep);
  });
  // A crash has no place of its own.
  if (verification && verification->rejection &&
      verification->rejection->location.empty())
    if (auto launch =
            getOperation()->getAttrOfType<DictionaryAttr>("egg.emulate"))
      if (auto name = launch.getAs<StringAttr>("kernel"))
        verification->rejection->location =
            ("kernel '" + name.getValue() + "'").str();
  return verification;
}

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
  if (failed(checkLimits(timeLimit, memoryLimit, module.getLoc())))
    return signalPassFailure();
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
  if (!names.empty())
    options.distributions.clear();
  if (names == std::vector<std::string>{"none"})
    names.clear();
  for (const std::string &name : names) {
    auto distribution = symbolizeDistribution(name);
    if (!distribution)
      return fail(
          "unknown distribution '" + name +
          "': use uniform, normal, wide, large-mean, ties, special or none");
    options.distributions.push_back(*distribution);
  }
  auto verification = verify(*reference, std::move(options));
  if (!verification)
    return fail("the check could not be started: " +
                llvm::toString(verification.takeError()));
  if (verification->rejection)
    return fail(verification->rejection->str());
  const Verdict &verdict = verification->verdict;
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
