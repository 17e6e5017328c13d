//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "NumericCheck.h"
#include "NumericRejections.h"
#include "egg/Verify/PayloadProgram.h"

using namespace mlir;
using namespace egg;

std::string egg::formatShapes(ModuleOp payload, ShrinkVariant variant) {
  std::string text;
  auto signature = getPayloadSignature(payload);
  if (!signature) {
    llvm::consumeError(signature.takeError());
    return stringifyShrinkVariant(variant).str();
  }
  for (const TensorSpec &spec : signature->arguments) {
    text += text.empty() ? "" : ", ";
    text += spec.name.empty() ? "argument" : spec.name;
    text += "[";
    for (size_t dim = 0; dim < spec.shape.size(); ++dim)
      text += (dim ? ", " : "") + std::to_string(spec.shape[dim]);
    text += "]";
  }
  return (stringifyShrinkVariant(variant) + ": " + text).str();
}

std::optional<Rejection> egg::checkNumerically(
    ModuleOp payload, const LoweredProgram &program, ShrinkVariant variant,
    const VerifyOptions &options, DiagnosticCollector &diagnostics,
    llvm::function_ref<void(llvm::StringRef)> onStep, NumericSummary &summary) {
  std::string shapes = formatShapes(payload, variant);
  onStep("emulate");
  auto kernels = SimtProgram::compile(*program.module);
  if (!kernels)
    return explainFailure(kernels.takeError(), "emulate", shapes,
                          /*handWritten=*/false, diagnostics);
  int64_t launches = llvm::count_if(program.plan.steps, [](auto &step) {
    return step.kind == PlanStep::Kind::Launch;
  });
  return compareNumerically(
      payload,
      [&](llvm::ArrayRef<HostTensor> inputs, std::vector<ElementsRead> &read) {
        return (*kernels)->run(program.plan, inputs, &read);
      },
      launches, stringifyShrinkVariant(variant).str(), shapes, options,
      diagnostics, onStep, summary);
}
