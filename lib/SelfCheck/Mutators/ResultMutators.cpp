//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kinds that replace what a kernel returns, wholly or in part.
//
//===----------------------------------------------------------------------===//
#include "Mutators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace egg;
using namespace egg::selfcheck;

/// A site for each result of each kernel: `replace` gives what is stored
/// instead, or null to leave the store alone.
static Sites replaceResults(
    ModuleOp module, StringRef what,
    llvm::function_ref<bool(const Kernel &, const Argument &)> applies,
    std::function<Value(OpBuilder &, const Kernel &, const Store &)> replace) {
  Sites sites;
  for (const Kernel &kernel : findKernels(module))
    for (const Argument &result : kernel.results()) {
      if (!applies(kernel, result))
        continue;
      sites.push_back({(what + " (" + kernel.name() + ", result " +
                        Twine(result.number - kernel.inputCount) + ")")
                           .str(),
                       [=] {
                         for (Store store : findStores(kernel, result)) {
                           OpBuilder builder(store.op);
                           if (Value value = replace(builder, kernel, store))
                             store.op->setOperand(0, value);
                         }
                       }});
    }
  return sites;
}

static bool always(const Kernel &, const Argument &) { return true; }

Sites egg::selfcheck::findZeros(ModuleOp module) {
  return replaceResults(
      module, "returns zeros", always,
      [](OpBuilder &builder, const Kernel &, const Store &store) {
        return constant(builder, store.op->getLoc(), store.value().getType(),
                        0);
      });
}

Sites egg::selfcheck::findConstants(ModuleOp module) {
  return replaceResults(
      module, "returns a constant", always,
      [](OpBuilder &builder, const Kernel &, const Store &store) {
        return constant(builder, store.op->getLoc(), store.value().getType(),
                        1);
      });
}

/// The input whose elements a result could be mistaken for, if any.
static const Argument *findSimilarInput(const Kernel &kernel,
                                        const Argument &result) {
  for (const Argument &input : kernel.inputs())
    if (input.type.getElementType() == result.type.getElementType() &&
        input.type.getNumElements() >= 4)
      return kernel.find(input.number);
  return nullptr;
}

Sites egg::selfcheck::findInputReturned(ModuleOp module) {
  return replaceResults(
      module, "returns its input",
      [](const Kernel &kernel, const Argument &result) {
        return findSimilarInput(kernel, result) != nullptr;
      },
      [](OpBuilder &builder, const Kernel &kernel, const Store &store) {
        const Argument *input =
            findSimilarInput(kernel, *kernel.find(store.argument));
        Location loc = store.op->getLoc();
        Value from = kernel.value(*input);
        int64_t width = store.width();
        Value last = arith::ConstantIndexOp::create(
            builder, loc, input->type.getNumElements() - width);
        Value index = arith::MinUIOp::create(builder, loc, store.index(), last);
        return loadElements(builder, loc, from, index, width,
                            store.value().getType());
      });
}

Sites egg::selfcheck::findDroppedTails(ModuleOp module) {
  auto isLast = [](OpBuilder &builder, const Kernel &kernel,
                   const Store &store) -> Value {
    Location loc = store.op->getLoc();
    int64_t size = kernel.find(store.argument)->type.getNumElements();
    Value last =
        arith::ConstantIndexOp::create(builder, loc, size - store.width());
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                 store.index(), last);
  };
  Sites sites = replaceResults(
      module, "the last element is zero", always,
      [=](OpBuilder &builder, const Kernel &kernel, const Store &store) {
        Location loc = store.op->getLoc();
        Value stored = store.value();
        Value zero = constant(builder, loc, stored.getType(), 0);
        if (auto vector = dyn_cast<VectorType>(stored.getType())) {
          Value element = constant(builder, loc, vector.getElementType(), 0);
          zero = vector::InsertOp::create(builder, loc, element, stored,
                                          vector.getNumElements() - 1);
        }
        return Value(arith::SelectOp::create(
            builder, loc, isLast(builder, kernel, store), zero, stored));
      });
  for (const Kernel &kernel : findKernels(module))
    for (const Argument &result : kernel.results())
      sites.push_back(
          {"the last elements are not written (" + kernel.name() + ")", [=] {
             for (Store store : findStores(kernel, result)) {
               OpBuilder builder(store.op);
               Location loc = store.op->getLoc();
               Value no = arith::ConstantIntOp::create(builder, loc, 1, 1);
               Value keep = arith::XOrIOp::create(
                   builder, loc, isLast(builder, kernel, store), no);
               auto guard = scf::IfOp::create(builder, loc, keep,
                                              /*withElse=*/false);
               store.op->moveBefore(guard.thenBlock()->getTerminator());
             }
           }});
  return sites;
}

/// The value in fewer bits and back.
static Value round(OpBuilder &builder, Location loc, Value value) {
  Type narrow = builder.getBF16Type();
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    narrow = vector.clone(narrow);
  Value low = arith::TruncFOp::create(builder, loc, narrow, value);
  return arith::ExtFOp::create(builder, loc, value.getType(), low);
}

Sites egg::selfcheck::findLowerPrecision(ModuleOp module) {
  Sites sites = replaceResults(
      module, "the result is rounded to bf16",
      [](const Kernel &, const Argument &result) {
        return result.type.getElementType().isF32();
      },
      [](OpBuilder &builder, const Kernel &, const Store &store) {
        return round(builder, store.op->getLoc(), store.value());
      });
  for (const Kernel &kernel : findKernels(module))
    for (const Argument &input : kernel.inputs()) {
      if (!input.type.getElementType().isF32())
        continue;
      sites.push_back(
          {"an input is rounded to bf16 (" + kernel.name() + ")", [=] {
             for (Operation *load : findLoads(kernel, input)) {
               OpBuilder builder(load->getContext());
               builder.setInsertionPointAfter(load);
               Value rounded =
                   round(builder, load->getLoc(), load->getResult(0));
               Operation *low =
                   rounded.getDefiningOp()->getOperand(0).getDefiningOp();
               load->getResult(0).replaceAllUsesExcept(rounded, low);
             }
           }});
    }
  return sites;
}
