//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kinds that change what is computed: operands, combiners, first values
// and bounds.
//
//===----------------------------------------------------------------------===//
#include "Mutators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace egg;
using namespace egg::selfcheck;

/// A site for each op of the kernels that `applies` to.
static Sites findOps(ModuleOp module, StringRef what,
                     llvm::function_ref<bool(Operation *)> applies,
                     std::function<void(Operation *)> change) {
  Sites sites;
  for (const Kernel &kernel : findKernels(module)) {
    auto function = kernel.function;
    function.walk([&](Operation *op) {
      if (applies(op))
        sites.push_back({(what + " ('" + op->getName().getStringRef() +
                          "' in " + kernel.name() + ")")
                             .str(),
                         [=] { change(op); }});
    });
  }
  return sites;
}

/// Whether the op computes data (kernels count indices in integers of 32 bits
/// and in index).
static bool isOnFloats(Operation *op) {
  return op->getNumResults() == 1 &&
         isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
}

static bool hasConstantOperand(Operation *op) {
  return llvm::any_of(op->getOperands(),
                      [](Value value) { return getSplat(value).has_value(); });
}

Sites egg::selfcheck::findIdentities(ModuleOp module) {
  return findOps(
      module, "an operation is left out",
      [](Operation *op) {
        if (!isOnFloats(op) || hasConstantOperand(op))
          return false;
        bool isUnary =
            op->getNumOperands() == 1 &&
            op->getOperand(0).getType() == op->getResult(0).getType() &&
            (isa<arith::NegFOp>(op) ||
             isa<math::MathDialect>(op->getDialect()));
        return isUnary || isa<arith::SubFOp, arith::DivFOp, arith::MulFOp>(op);
      },
      [](Operation *op) {
        op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      });
}

Sites egg::selfcheck::findSwappedOperands(ModuleOp module) {
  return findOps(
      module, "operands are swapped",
      [](Operation *op) {
        if (isa<arith::SelectOp>(op))
          return isOnFloats(op);
        if (auto compare = dyn_cast<arith::CmpFOp>(op))
          return llvm::is_contained(
              {arith::CmpFPredicate::OGT, arith::CmpFPredicate::OLT,
               arith::CmpFPredicate::UGT, arith::CmpFPredicate::ULT,
               arith::CmpFPredicate::OGE, arith::CmpFPredicate::OLE},
              compare.getPredicate());
        return isa<arith::SubFOp, arith::DivFOp, math::PowFOp>(op);
      },
      [](Operation *op) {
        size_t last = op->getNumOperands() - 1;
        Value left = op->getOperand(last - 1);
        op->setOperand(last - 1, op->getOperand(last));
        op->setOperand(last, left);
      });
}

/// The op with another combiner in its place.
static Operation *createOther(OpBuilder &builder, Operation *op) {
  Value a = op->getOperand(0), b = op->getOperand(1);
  Location loc = op->getLoc();
  if (isa<arith::AddFOp>(op))
    return arith::MulFOp::create(builder, loc, a, b);
  if (isa<arith::MulFOp>(op))
    return arith::AddFOp::create(builder, loc, a, b);
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op))
    return arith::MinimumFOp::create(builder, loc, a, b);
  if (isa<arith::MinimumFOp, arith::MinNumFOp>(op))
    return arith::MaximumFOp::create(builder, loc, a, b);
  return nullptr;
}

Sites egg::selfcheck::findWrongCombines(ModuleOp module) {
  return findOps(
      module, "another combiner",
      [](Operation *op) {
        return isOnFloats(op) && !hasConstantOperand(op) &&
               isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp,
                   arith::MaxNumFOp, arith::MinimumFOp, arith::MinNumFOp>(op);
      },
      [](Operation *op) {
        OpBuilder builder(op);
        op->replaceAllUsesWith(createOther(builder, op));
      });
}

Sites egg::selfcheck::findDoubledTerms(ModuleOp module) {
  return findOps(
      module, "a term counts twice",
      [](Operation *op) {
        return isOnFloats(op) && isa<arith::AddFOp>(op) &&
               !hasConstantOperand(op);
      },
      [](Operation *op) {
        OpBuilder builder(op->getContext());
        builder.setInsertionPointAfter(op);
        Operation *again = arith::AddFOp::create(
            builder, op->getLoc(), op->getResult(0), op->getOperand(0));
        op->getResult(0).replaceAllUsesExcept(again->getResult(0), again);
      });
}

/// Another value than the constant: 1 for 0, 0 for the infinities, else one
/// more.
static int64_t another(double value) {
  return std::isinf(value) ? 0 : int64_t(value) + 1;
}

static void changeConstant(OpOperand &operand) {
  OpBuilder builder(operand.getOwner());
  operand.set(constant(builder, operand.getOwner()->getLoc(),
                       operand.get().getType(),
                       another(*getSplat(operand.get()))));
}

Sites egg::selfcheck::findWrongInits(ModuleOp module) {
  Sites sites;
  for (const Kernel &kernel : findKernels(module)) {
    auto function = kernel.function;
    function.walk([&](scf::ForOp loop) {
      for (OpOperand &init : loop.getInitArgsMutable())
        if (getSplat(init.get()))
          sites.push_back(
              {"a loop starts with another value (" + kernel.name() + ")",
               [&init] { changeConstant(init); }});
    });
    function.walk([&](Operation *op) {
      if (!isOnFloats(op) ||
          !isa<arith::AddFOp, arith::MaximumFOp, arith::MinimumFOp>(op))
        return;
      for (OpOperand &operand : op->getOpOperands())
        if (auto value = getSplat(operand.get());
            value && (*value == 0 || std::isinf(*value)))
          sites.push_back(
              {"a reduction starts with another value (" + kernel.name() + ")",
               [&operand] { changeConstant(operand); }});
    });
  }
  return sites;
}

Sites egg::selfcheck::findWrongPaddings(ModuleOp module) {
  Sites sites;
  for (const Kernel &kernel : findKernels(module)) {
    SmallVector<OpOperand *> paddings;
    auto function = kernel.function;
    function.walk([&](Operation *op) {
      if (auto branch = dyn_cast<scf::IfOp>(op);
          branch && branch.getNumResults() != 0) {
        for (OpOperand &yielded : branch.elseYield()->getOpOperands())
          if (getSplat(yielded.get()))
            paddings.push_back(&yielded);
      } else if (isa<arith::SelectOp>(op) && isOnFloats(op) &&
                 getSplat(op->getOperand(2)) && !getSplat(op->getOperand(1))) {
        paddings.push_back(&op->getOpOperand(2));
      }
    });
    if (paddings.empty())
      continue;
    sites.push_back({"another padding value (" + kernel.name() + ")", [=] {
                       for (OpOperand *padding : paddings)
                         changeConstant(*padding);
                     }});
  }
  return sites;
}

Sites egg::selfcheck::findOffByOnes(ModuleOp module) {
  Sites sites;
  auto lower = [](OpOperand &bound) {
    OpBuilder builder(bound.getOwner());
    bound.set(constant(builder, bound.getOwner()->getLoc(),
                       bound.get().getType(),
                       int64_t(*getSplat(bound.get())) - 1));
  };
  for (const Kernel &kernel : findKernels(module)) {
    auto function = kernel.function;
    function.walk([&](Operation *op) {
      OpOperand *bound = nullptr;
      if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
        if (compare.getPredicate() == arith::CmpIPredicate::ult ||
            compare.getPredicate() == arith::CmpIPredicate::slt)
          bound = &op->getOpOperand(1);
      } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
        bound = &loop.getUpperBoundMutable();
      }
      if (bound && getSplat(bound->get()).value_or(0) >= 1)
        sites.push_back(
            {("a bound is one too low ('" + op->getName().getStringRef() +
              "' in " + kernel.name() + ")")
                 .str(),
             [=] { lower(*bound); }});
    });
  }
  return sites;
}

Sites egg::selfcheck::findDroppedRemainders(ModuleOp module) {
  Sites sites;
  for (const Kernel &kernel : findKernels(module)) {
    auto function = kernel.function;
    function.walk([&](scf::ForOp loop) {
      if (loop.getNumRegionIterArgs() == 0)
        return;
      sites.push_back(
          {"the last step of a reduction is left out (" + kernel.name() + ")",
           [=]() mutable {
             OpBuilder builder(loop);
             loop.setUpperBound(arith::SubIOp::create(
                 builder, loop.getLoc(), loop.getUpperBound(), loop.getStep()));
           }});
    });
  }
  return sites;
}
