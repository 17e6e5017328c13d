//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pass egg-check-legality.
//
//===----------------------------------------------------------------------===//
#include "egg/Legality/Legality.h"
#include "egg/Legality/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace egg {
#define GEN_PASS_DEF_CHECKLEGALITY
#include "egg/Legality/Passes.h.inc"
} // namespace egg

using namespace mlir;
using namespace egg;

namespace {

class CheckLegalityPass
    : public egg::impl::CheckLegalityBase<CheckLegalityPass> {
public:
  using CheckLegalityBase::CheckLegalityBase;
  void runOnOperation() override;

private:
  void report(const KernelLegality &kernel, Location location);
};

} // namespace

void CheckLegalityPass::report(const KernelLegality &kernel,
                               Location location) {
  for (const LegalityFinding &finding : kernel.findings) {
    if (finding.outcome == Outcome::Violated) {
      InFlightDiagnostic error = emitError(finding.location)
                                 << stringifyProperty(finding.property) << ": "
                                 << describe(kernel, finding);
      if (!finding.remedy.empty())
        error << "; " << finding.remedy;
    } else if (remarks) {
      emitRemark(finding.location)
          << "undecided " << stringifyProperty(finding.property) << ": "
          << describe(kernel, finding);
    }
  }
  if (!remarks)
    return;
  std::string text;
  for (size_t i = 0; i < kProperties; ++i)
    if (kernel.counts[i].total() != 0)
      text += llvm::formatv("{0}{1} {2} of {3}", text.empty() ? "" : ", ",
                            stringifyProperty(Property(i)),
                            kernel.counts[i].proved, kernel.counts[i].total());
  emitRemark(location) << "kernel '" << kernel.kernel << "' proved: " << text;
}

void CheckLegalityPass::runOnOperation() {
  auto target = lookupTarget(chip);
  if (!target) {
    emitError(getOperation().getLoc()) << llvm::toString(target.takeError());
    return signalPassFailure();
  }
  LegalityReport legality = checkLegality(getOperation(), *target);
  llvm::StringMap<Location> places;
  getOperation().walk([&](gpu::GPUFuncOp kernel) {
    places.try_emplace(kernel.getName(), kernel.getLoc());
  });
  for (const KernelLegality &kernel : legality.kernels)
    report(kernel, places.at(kernel.kernel));
  if (json)
    llvm::outs() << toJSONValue(legality) << '\n';
  if (legality.firstViolation().second)
    signalPassFailure();
  markAllAnalysesPreserved();
}
