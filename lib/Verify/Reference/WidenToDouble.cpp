//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Verify/PayloadProgram.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace egg;

static bool isNarrowFloat(Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  return floatType && floatType.getWidth() < 64;
}

static APFloat toDouble(APFloat value) {
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value;
}

LogicalResult egg::widenToDouble(ModuleOp module) {
  // A float seen as an integer has another width afterwards.
  WalkResult result = module.walk([](arith::BitcastOp op) {
    op.emitError() << "cannot be run in double precision: it reads the bits "
                      "of a float";
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();

  Type f64 = Float64Type::get(module.getContext());
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](FloatType type) -> std::optional<Type> {
    if (!isNarrowFloat(type))
      return std::nullopt;
    return f64;
  });
  replacer.addReplacement([&](FloatAttr attr) -> std::optional<Attribute> {
    if (!isNarrowFloat(attr.getType()))
      return std::nullopt;
    return FloatAttr::get(f64, toDouble(attr.getValue()));
  });
  replacer.addReplacement(
      [&](DenseElementsAttr attr) -> std::optional<Attribute> {
        if (!isNarrowFloat(attr.getElementType()))
          return std::nullopt;
        return cast<DenseFPElementsAttr>(attr).mapValues(
            f64, [](const APFloat &value) {
              return toDouble(value).bitcastToAPInt();
            });
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  SmallVector<Operation *> casts;
  module.walk([&](Operation *op) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op))
      casts.push_back(op);
  });
  for (Operation *op : casts) {
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  }
  return verify(module);
}
