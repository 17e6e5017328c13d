//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Trial.h"
#include "egg/Kernel/KernelAnalysis.h"
#include "egg/TransformOps/KernelOutlining.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace egg {

static FailureOr<KernelOutline>
plan(func::FuncOp main, const Group &group,
     function_ref<InFlightDiagnostic()> emitError) {
  return planKernel(main, group.ops.getArrayRef(),
                    group.recompute.getArrayRef(), emitError);
}

Trial tryGroup(func::FuncOp main, const Group &group) {
  Trial trial;
  ScopedDiagnosticHandler handler(main.getContext(), [&](Diagnostic &diag) {
    if (trial.reason.empty())
      trial.reason = diag.str();
    return success();
  });
  auto emitError = [&] { return mlir::emitError(main.getLoc()); };
  FailureOr<KernelOutline> outline = plan(main, group, emitError);
  if (failed(outline))
    return trial;
  OpBuilder builder(main.getContext());
  func::FuncOp kernel = buildKernel(builder, main, *outline, "egg_trial");
  FailureOr<KernelAnalysis> analysis = analyzeKernel(kernel, emitError);
  if (succeeded(analysis)) {
    trial.legal = true;
    trial.isContraction = analysis->supports(Structure::Contraction);
    trial.isRows = analysis->supports(Structure::Rows);
    trial.isScan = analysis->supports(Structure::Scan);
    trial.isMap = analysis->supports(Structure::Map);
    trial.rows = analysis->rows;
    for (const AnchorInfo &anchor : analysis->anchors)
      trial.columns = std::max(trial.columns, anchor.columns);
    for (const ResultInfo &result : analysis->results)
      trial.resultColumns = std::max(trial.resultColumns, result.columns);
    if (analysis->contraction) {
      trial.batch = analysis->contraction->batch;
      trial.m = analysis->contraction->m;
      trial.n = analysis->contraction->n;
      trial.k = analysis->contraction->k;
    }
  }
  kernel.erase();
  return trial;
}

func::FuncOp formGroup(func::FuncOp main, const Group &group, StringRef name) {
  FailureOr<KernelOutline> outline =
      plan(main, group, [&] { return mlir::emitError(main.getLoc()); });
  assert(succeeded(outline) && "the group was tried");
  IRRewriter rewriter(main.getContext());
  func::FuncOp kernel = buildKernel(rewriter, main, *outline, name);
  replaceByCall(rewriter, *outline, kernel);
  return kernel;
}

} // namespace egg
