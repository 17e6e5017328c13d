//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Pass egg-compare-exactly: two payloads, one arithmetic, the same bits.
//
//===----------------------------------------------------------------------===//
#include "Proposal/ExactCheck.h"
#include "egg/Guard/RunOnCopy.h"
#include "egg/Verify/Passes.h"
#include "mlir/Parser/Parser.h"

namespace egg {
#define GEN_PASS_DEF_COMPAREEXACTLY
#include "egg/Verify/Passes.h.inc"
} // namespace egg

using namespace mlir;
using namespace egg;

namespace {

class CompareExactlyPass
    : public egg::impl::CompareExactlyBase<CompareExactlyPass> {
public:
  using CompareExactlyBase::CompareExactlyBase;
  void runOnOperation() override;
};

} // namespace

static bool haveSameTypes(const PayloadSignature &x,
                          const PayloadSignature &y) {
  auto equal = [](llvm::ArrayRef<TensorSpec> left,
                  llvm::ArrayRef<TensorSpec> right) {
    return llvm::equal(left, right,
                       [](const TensorSpec &a, const TensorSpec &b) {
                         return a.shape == b.shape && a.dtype == b.dtype;
                       });
  };
  return equal(x.arguments, y.arguments) && equal(x.results, y.results);
}

/// In the child: compares the module with the payload in the file.
static LogicalResult compare(ModuleOp module, StringRef with, uint64_t seed,
                             int64_t seeds, StepListener onStep) {
  auto fail = [&](const Twine &message) {
    return emitError(module.getLoc()) << message;
  };
  onStep("reading the payloads");
  OwningOpRef<ModuleOp> other =
      parseSourceFile<ModuleOp>(with, module.getContext());
  if (!other)
    return fail("cannot read the payload '" + with + "'");
  auto signature = getPayloadSignature(module);
  if (!signature)
    return fail(llvm::toString(signature.takeError()));
  auto otherSignature = getPayloadSignature(*other);
  if (!otherSignature)
    return fail("'" + with +
                "': " + llvm::toString(otherSignature.takeError()));
  if (!haveSameTypes(*signature, *otherSignature))
    return fail("'" + with + "' takes or returns other types than the module");
  onStep("compiling the payloads for the CPU");
  auto reference = PayloadProgram::compile(module, Precision::Exact);
  if (!reference)
    return fail(llvm::toString(reference.takeError()));
  auto candidate = PayloadProgram::compile(*other, Precision::Exact);
  if (!candidate)
    return fail("'" + with + "': " + llvm::toString(candidate.takeError()));
  onStep("running the payloads on the CPU");
  ExactSummary summary;
  if (llvm::Error error = compareExactly(
          module, **reference,
          [&](llvm::ArrayRef<HostTensor> inputs) {
            return (*candidate)->run(inputs);
          },
          seed, seeds, summary))
    return fail(llvm::toString(std::move(error)));
  if (summary.difference)
    return fail(toRejection(*summary.difference, signature->results).str());
  if (auto gap = explainGaps(summary))
    emitWarning(module.getLoc()) << "undecided: " << *gap;
  else
    emitRemark(module.getLoc()) << "equal: " << describe(summary);
  return success();
}

void CompareExactlyPass::runOnOperation() {
  ModuleOp module = getOperation();
  auto fail = [&](const Twine &message) {
    emitError(module.getLoc()) << message;
    signalPassFailure();
  };
  if (with.empty())
    return fail("no payload to compare with given: use with=FILE");
  if (seeds < 1)
    return fail("seeds is " + Twine(int64_t(seeds)) + "; use at least 1");
  if (failed(checkLimits(timeLimit, memoryLimit, module.getLoc())))
    return signalPassFailure();
  CopyRun limits = {timeLimit, memoryLimit,
                    "use smaller extents, or look for a loop that does not end",
                    "look for an index outside its tensor"};
  auto work = [&](ModuleOp copy, StepListener onStep, llvm::raw_ostream &) {
    return compare(copy, with, seed, seeds, onStep);
  };
  if (failed(runOnCopy(module, limits, work)))
    signalPassFailure();
}
