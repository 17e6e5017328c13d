//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Mutators.h"
#include "egg/Kernel/KernelConfig.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace egg;
using namespace egg::selfcheck;

std::vector<Kernel> egg::selfcheck::findKernels(ModuleOp module) {
  std::vector<Kernel> kernels;
  for (auto declaration : module.getOps<func::FuncOp>()) {
    auto launch = declaration->getAttrOfType<DictionaryAttr>(kLaunchAttrName);
    if (!launch)
      continue;
    auto function =
        dyn_cast_or_null<gpu::GPUFuncOp>(SymbolTable::lookupNearestSymbolFrom(
            module, launch.getAs<SymbolRefAttr>("kernel")));
    if (!function)
      continue;
    Kernel kernel;
    kernel.function = function;
    kernel.inputCount = declaration.getNumArguments();
    auto add = [&](Type type) {
      kernel.arguments.push_back(
          {kernel.arguments.size(), cast<RankedTensorType>(type)});
    };
    llvm::for_each(declaration.getArgumentTypes(), add);
    llvm::for_each(declaration.getResultTypes(), add);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

int64_t Store::width() const {
  auto vector = dyn_cast<VectorType>(value().getType());
  return vector ? vector.getNumElements() : 1;
}

std::vector<Store> egg::selfcheck::findStores(const Kernel &kernel,
                                              const Argument &result) {
  std::vector<Store> stores;
  auto function = kernel.function;
  function.walk([&](Operation *op) {
    if (isa<memref::StoreOp, vector::StoreOp>(op) &&
        op->getOperand(1) == kernel.value(result))
      stores.push_back({op, result.number});
  });
  return stores;
}

std::vector<Operation *> egg::selfcheck::findLoads(const Kernel &kernel,
                                                   const Argument &input) {
  std::vector<Operation *> loads;
  auto function = kernel.function;
  function.walk([&](Operation *op) {
    if (isa<memref::LoadOp, vector::LoadOp>(op) &&
        op->getOperand(0) == kernel.value(input))
      loads.push_back(op);
  });
  return loads;
}

Value egg::selfcheck::constant(OpBuilder &builder, Location loc, Type type,
                               int64_t value) {
  Type element = getElementTypeOrSelf(type);
  TypedAttr attribute =
      isa<FloatType>(element)
          ? TypedAttr(builder.getFloatAttr(element, double(value)))
          : TypedAttr(builder.getIntegerAttr(element, value));
  if (auto shaped = dyn_cast<ShapedType>(type))
    attribute = DenseElementsAttr::get(shaped, Attribute(attribute));
  return arith::ConstantOp::create(builder, loc, attribute);
}

Value egg::selfcheck::loadElements(OpBuilder &builder, Location loc,
                                   Value memref, Value index, int64_t width,
                                   Type type) {
  SmallVector<Value> elements;
  for (int64_t i = 0; i < width; ++i) {
    Value step = arith::ConstantIndexOp::create(builder, loc, i);
    Value at = arith::AddIOp::create(builder, loc, index, step);
    elements.push_back(memref::LoadOp::create(builder, loc, memref, at));
  }
  if (isa<VectorType>(type))
    return vector::FromElementsOp::create(builder, loc, type, elements);
  return elements.front();
}

std::optional<double> egg::selfcheck::getSplat(Value value) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  if (auto elements = dyn_cast<SplatElementsAttr>(attribute))
    attribute = elements.getSplatValue<Attribute>();
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValueAsDouble();
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return double(number.getValue().getSExtValue());
  return std::nullopt;
}
