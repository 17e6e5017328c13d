//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Schedule/ApplySchedule.h"
#include "egg/Schedule/Passes.h"
#include "egg/Schedule/Schedule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace egg {

#define GEN_PASS_DEF_APPLYSCHEDULEPASS
#include "egg/Schedule/Passes.h.inc"

} // namespace egg

using namespace mlir;

namespace {
class ApplySchedulePass
    : public egg::impl::ApplySchedulePassBase<ApplySchedulePass> {
public:
  using ApplySchedulePassBase::ApplySchedulePassBase;

  void runOnOperation() override {
    auto text = egg::readScheduleText(schedule, getOperation().getLoc());
    if (failed(text))
      return signalPassFailure();
    auto parsed = egg::parseSchedule(*text, schedule, &getContext());
    if (failed(parsed))
      return signalPassFailure();
    egg::warnUnusedKnobs(**parsed);
    egg::ApplyOptions options;
    options.checkPayload = checkPayload;
    options.materialize = materialize;
    if (failed(egg::applySchedule(getOperation(), **parsed, options)))
      signalPassFailure();
  }
};
} // namespace
