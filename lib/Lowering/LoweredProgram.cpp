//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Lowering/LoweredProgram.h"
#include "egg/Lowering/BuildPlan.h"
#include "egg/Lowering/LowerToNVVM.h"

using namespace mlir;
using namespace egg;

llvm::Expected<LoweredProgram> egg::lowerProgram(ModuleOp materialized,
                                                 const TargetInfo &target) {
  llvm::Expected<Plan> plan = buildPlan(materialized, target);
  if (!plan)
    return plan.takeError();
  LoweredProgram program{std::move(*plan), materialized.clone()};
  if (failed(lowerToNVVM(*program.module, target)))
    return llvm::createStringError(
        "the kernels do not lower; the diagnostics say why");
  return std::move(program);
}
