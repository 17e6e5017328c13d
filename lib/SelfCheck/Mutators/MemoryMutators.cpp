//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The kinds that read the wrong memory, or at the wrong time.
//
//===----------------------------------------------------------------------===//
#include "Mutators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace egg;
using namespace egg::selfcheck;

/// Reads the elements whose numbers `move` gives instead.
static void redirect(Operation *load, Value from,
                     llvm::function_ref<Value(OpBuilder &, Value)> move) {
  OpBuilder builder(load);
  Location loc = load->getLoc();
  Value index = load->getOperand(1);
  auto vector = dyn_cast<VectorType>(load->getResult(0).getType());
  SmallVector<Value> elements;
  for (int64_t i = 0, e = vector ? vector.getNumElements() : 1; i < e; ++i) {
    Value step = arith::ConstantIndexOp::create(builder, loc, i);
    Value at = arith::AddIOp::create(builder, loc, index, step);
    elements.push_back(
        memref::LoadOp::create(builder, loc, from, move(builder, at)));
  }
  Value replacement = elements.front();
  if (vector)
    replacement =
        vector::FromElementsOp::create(builder, loc, vector, elements);
  load->getResult(0).replaceAllUsesWith(replacement);
  load->erase();
}

Sites egg::selfcheck::findTransposedOperands(ModuleOp module) {
  Sites sites;
  for (const Kernel &kernel : findKernels(module))
    for (const Argument &input : kernel.inputs()) {
      if (input.type.getRank() < 2)
        continue;
      int64_t rows = input.type.getShape().drop_back().back();
      int64_t columns = input.type.getShape().back();
      if (rows == 1 || columns == 1)
        continue;
      auto transpose = [=](OpBuilder &builder, Value index) -> Value {
        Location loc = index.getLoc();
        auto number = [&](int64_t value) -> Value {
          return arith::ConstantIndexOp::create(builder, loc, value);
        };
        Value inner =
            arith::RemUIOp::create(builder, loc, index, number(rows * columns));
        Value outer = arith::SubIOp::create(builder, loc, index, inner);
        Value row =
            arith::DivUIOp::create(builder, loc, inner, number(columns));
        Value column =
            arith::RemUIOp::create(builder, loc, inner, number(columns));
        Value start = arith::MulIOp::create(builder, loc, column, number(rows));
        Value moved = arith::AddIOp::create(builder, loc, start, row);
        return arith::AddIOp::create(builder, loc, outer, moved);
      };
      sites.push_back({"an operand is transposed (" + kernel.name() +
                           ", argument " + std::to_string(input.number) + ")",
                       [=] {
                         for (Operation *load : findLoads(kernel, input))
                           redirect(load, kernel.value(input), transpose);
                       }});
    }
  return sites;
}

Sites egg::selfcheck::findShiftedReads(ModuleOp module) {
  Sites sites;
  for (const Kernel &kernel : findKernels(module))
    for (const Argument &input : kernel.inputs()) {
      int64_t size = input.type.getNumElements();
      if (size < 2)
        continue;
      auto shift = [=](OpBuilder &builder, Value index) -> Value {
        Location loc = index.getLoc();
        Value one = arith::ConstantIndexOp::create(builder, loc, 1);
        Value extent = arith::ConstantIndexOp::create(builder, loc, size);
        Value next = arith::AddIOp::create(builder, loc, index, one);
        return arith::RemUIOp::create(builder, loc, next, extent);
      };
      sites.push_back({"the neighbours of an operand are read (" +
                           kernel.name() + ", argument " +
                           std::to_string(input.number) + ")",
                       [=] {
                         for (Operation *load : findLoads(kernel, input))
                           redirect(load, kernel.value(input), shift);
                       }});
    }
  return sites;
}

Sites egg::selfcheck::findWrongBuffers(ModuleOp module) {
  Sites sites;
  for (const Kernel &kernel : findKernels(module))
    for (const Argument &input : kernel.inputs())
      for (const Argument &other : kernel.inputs()) {
        if (other.number == input.number ||
            other.type.getElementType() != input.type.getElementType())
          continue;
        int64_t size = other.type.getNumElements();
        auto wrap = [=](OpBuilder &builder, Value index) -> Value {
          Value extent =
              arith::ConstantIndexOp::create(builder, index.getLoc(), size);
          return arith::RemUIOp::create(builder, index.getLoc(), index, extent);
        };
        sites.push_back({"argument " + std::to_string(other.number) +
                             " is read for argument " +
                             std::to_string(input.number) + " (" +
                             kernel.name() + ")",
                         [=] {
                           for (Operation *load : findLoads(kernel, input))
                             redirect(load, kernel.value(other), wrap);
                         }});
      }
  return sites;
}

Sites egg::selfcheck::findMissingBarriers(ModuleOp module) {
  Sites sites;
  for (const Kernel &kernel : findKernels(module)) {
    auto function = kernel.function;
    function.walk([&](gpu::BarrierOp barrier) {
      sites.push_back({"a barrier is missing (" + kernel.name() + ")",
                       [=]() mutable { barrier.erase(); }});
    });
  }
  addLoweredBarriers(module, sites);
  return sites;
}

Sites egg::selfcheck::findStaleBuffers(ModuleOp module) {
  Sites sites;
  for (const Kernel &kernel : findKernels(module)) {
    auto function = kernel.function;
    function.walk([&](Operation *op) {
      if (!isa<memref::StoreOp, vector::StoreOp>(op))
        return;
      auto type = cast<MemRefType>(op->getOperand(1).getType());
      auto space =
          dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
      if (space && space.getValue() == gpu::AddressSpace::Workgroup)
        sites.push_back(
            {"shared memory is not filled again (" + kernel.name() + ")",
             [=] { op->erase(); }});
    });
  }
  return sites;
}
