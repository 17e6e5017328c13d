//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KeepDecisions.h"
#include "ExactValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace egg;

static constexpr llvm::StringLiteral kKeep = "egg_keep";
static constexpr llvm::StringLiteral kDecides = "egg.decides";

namespace {

struct Decisions {
  bool inScope = false, replays = false;
  std::vector<double> operands;
  size_t next = 0;
};

} // namespace

static thread_local Decisions decisions;

extern "C" {
static double eggKeep(double operand) {
  if (!decisions.inScope)
    return operand;
  if (decisions.replays)
    return decisions.operands[decisions.next++];
  decisions.operands.push_back(operand);
  return operand;
}
}

DecisionScope::DecisionScope() {
  decisions = Decisions();
  decisions.inScope = true;
}
DecisionScope::~DecisionScope() { decisions = Decisions(); }

void DecisionScope::replay() {
  decisions.replays = true;
  decisions.next = 0;
}

HostProgram::Symbols egg::getDecisionSymbols() {
  return {{kKeep.str(), reinterpret_cast<void *>(&eggKeep)}};
}

void egg::markDecisions(ModuleOp payload, ExactOn inputs) {
  ExactValues exact(payload, inputs);
  payload.walk([&](Operation *op) {
    if (isa<arith::CmpFOp, arith::FPToSIOp, arith::FPToUIOp, math::FloorOp,
            math::CeilOp, math::RoundOp, math::RoundEvenOp, math::TruncOp>(
            op) &&
        llvm::all_of(op->getOperands(),
                     [&](Value operand) { return exact.contains(operand); }))
      op->setAttr(kDecides, UnitAttr::get(op->getContext()));
  });
}

bool egg::keepDecisions(ModuleOp module) {
  OpBuilder b(module.getBodyRegion());
  Type f64 = b.getF64Type();
  func::FuncOp function;
  module.walk([&](Operation *op) {
    if (!op->removeAttr(kDecides))
      return;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!operand.get().getType().isF64() ||
          matchPattern(operand.get(), m_Constant()))
        continue;
      if (!function) {
        b.setInsertionPointToStart(module.getBody());
        function = func::FuncOp::create(b, module.getLoc(), kKeep,
                                        b.getFunctionType({f64}, {f64}));
        function.setPrivate();
      }
      b.setInsertionPoint(op);
      operand.set(func::CallOp::create(b, op->getLoc(), function, operand.get())
                      .getResult(0));
    }
  });
  return bool(function);
}
