//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelPreparation.h"
#include "LocatedError.h"
#include "egg/Lowering/BuildPlan.h"
#include "egg/Lowering/Passes.h"
#include "egg/Support/Files.h"

namespace egg {

#define GEN_PASS_DEF_EMITPLANPASS
#include "egg/Lowering/Passes.h.inc"

} // namespace egg

using namespace mlir;

namespace {
class EmitPlanPass : public egg::impl::EmitPlanPassBase<EmitPlanPass> {
public:
  using EmitPlanPassBase::EmitPlanPassBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    llvm::Expected<egg::TargetInfo> target = egg::lookupTarget(chip);
    if (target && failed(egg::checkScheduledChip(getOperation(), *target)))
      return signalPassFailure();
    if (llvm::Error error = target ? emit(*target) : target.takeError()) {
      llvm::handleAllErrors(
          std::move(error),
          [](const egg::LocatedError &error) {
            emitError(error.getLocation()) << error.getText();
          },
          [&](const llvm::ErrorInfoBase &error) {
            emitError(getOperation().getLoc()) << error.message();
          });
      signalPassFailure();
    }
  }

private:
  llvm::Error emit(const egg::TargetInfo &target) {
    llvm::Expected<egg::Plan> plan = egg::buildPlan(getOperation(), target);
    if (!plan)
      return plan.takeError();
    std::string text = egg::toJSON(*plan);
    if (file != "-")
      return egg::writeFileAtomically(file, text);
    llvm::outs() << text;
    return llvm::Error::success();
  }
};
} // namespace
