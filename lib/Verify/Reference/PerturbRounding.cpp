//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PerturbRounding.h"
#include "egg/Dialect/EggDialect.h"
#include "egg/Support/Random.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>

using namespace mlir;
using namespace egg;

static constexpr llvm::StringLiteral kPerturb = "egg_perturb";
static constexpr llvm::StringLiteral kPerturbConverted =
    "egg_perturb_converted";
static constexpr llvm::StringLiteral kPrecision = "egg.precision";

static thread_local double perturbation = 0, perturbedAtLeast = 0;
static thread_local uint64_t perturbsOneIn = 1;
static thread_local Random perturbationSigns(0);

extern "C" {
static double eggPerturb(double value) {
  if (perturbsOneIn > 1 && perturbationSigns.next() % perturbsOneIn != 0)
    return value;
  // Denormals are rounded as the least normal number is; zero is exact.
  double size = value == 0 ? 0 : std::max(std::abs(value), perturbedAtLeast);
  double error = size * perturbation;
  return perturbationSigns.next() & 1 ? value + error : value - error;
}

/// Integers up to `exact` are what they were.
static double eggPerturbConverted(double value, double exact) {
  return std::abs(value) <= exact ? value : eggPerturb(value);
}
}

PerturbationScope::PerturbationScope(double amount, uint64_t seed,
                                     double leastNormal, uint64_t oneIn) {
  perturbation = amount;
  perturbsOneIn = oneIn;
  perturbedAtLeast = leastNormal;
  perturbationSigns = Random(mixBits(seed + kGoldenGamma));
}
PerturbationScope::~PerturbationScope() { perturbation = 0; }

HostProgram::Symbols egg::getPerturbationSymbols() {
  return {{kPerturb.str(), reinterpret_cast<void *>(&eggPerturb)},
          {kPerturbConverted.str(),
           reinterpret_cast<void *>(&eggPerturbConverted)}};
}

bool egg::isRounding(Operation *op) {
  if (isa<ScanOp>(op))
    return true;
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             op->getDialect()) &&
         !op->hasTrait<OpTrait::ConstantLike>() &&
         !isa<arith::ExtFOp, arith::SelectOp, arith::NegFOp, arith::BitcastOp,
              arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
              arith::MinNumFOp, math::AbsFOp, math::CopySignOp>(op);
}

bool egg::mayIndexByFloats(ModuleOp payload) {
  bool makesIntegers = false, indexes = false;
  payload.walk([&](Operation *op) {
    makesIntegers |= isa<arith::FPToSIOp, arith::FPToUIOp>(op);
    auto extract = dyn_cast<tensor::ExtractOp>(op);
    indexes |= extract && !extract.getIndices().empty();
  });
  return makesIntegers && indexes;
}

void egg::perturbRoundings(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (op->getNumResults() == 1 && op->getResult(0).getType().isF64() &&
        isRounding(op))
      ops.push_back(op);
  });
  OpBuilder b(module.getBodyRegion());
  Type f64 = b.getF64Type();
  auto function = func::FuncOp::create(b, module.getLoc(), kPerturb,
                                       b.getFunctionType({f64}, {f64}));
  function.setPrivate();
  for (Operation *op : ops) {
    b.setInsertionPointAfter(op);
    auto call =
        func::CallOp::create(b, op->getLoc(), function, op->getResult(0));
    op->getResult(0).replaceAllUsesExcept(call.getResult(0), call);
  }
}

void egg::recomputeReductions(ModuleOp payload) {
  SmallVector<linalg::LinalgOp> reductions;
  payload.walk([&](linalg::LinalgOp op) {
    if (op.getNumReductionLoops() > 0 && op->getNumResults() == 1)
      reductions.push_back(op);
  });
  // In program order, so those that another one reads are shared no more.
  for (linalg::LinalgOp op : reductions) {
    SmallVector<OpOperand *> uses(
        llvm::make_pointer_range(op->getResult(0).getUses()));
    for (OpOperand *use : ArrayRef(uses).drop_front(!uses.empty()))
      use->set(OpBuilder(op).clone(*op)->getResult(0));
  }
}

void egg::markConversions(ModuleOp payload) {
  if (mayIndexByFloats(payload))
    return;
  payload.walk([](Operation *op) {
    if (!isa<arith::SIToFPOp, arith::UIToFPOp>(op))
      return;
    auto type = cast<FloatType>(getElementTypeOrSelf(op->getResult(0)));
    op->setAttr(
        kPrecision,
        Builder(op->getContext()).getI64IntegerAttr(type.getFPMantissaWidth()));
  });
}

void egg::perturbConversions(ModuleOp module) {
  OpBuilder b(module.getBodyRegion());
  Type f64 = b.getF64Type();
  func::FuncOp function;
  module.walk([&](Operation *op) {
    auto precision = dyn_cast_or_null<IntegerAttr>(op->removeAttr(kPrecision));
    if (!precision || !op->getResult(0).getType().isF64())
      return;
    if (!function) {
      b.setInsertionPointToStart(module.getBody());
      function = func::FuncOp::create(b, module.getLoc(), kPerturbConverted,
                                      b.getFunctionType({f64, f64}, {f64}));
      function.setPrivate();
    }
    b.setInsertionPointAfter(op);
    Value exact = arith::ConstantOp::create(
        b, op->getLoc(),
        b.getF64FloatAttr(std::ldexp(1.0, int(precision.getInt()))));
    auto call = func::CallOp::create(b, op->getLoc(), function,
                                     ValueRange{op->getResult(0), exact});
    op->getResult(0).replaceAllUsesExcept(call.getResult(0), call);
  });
}
