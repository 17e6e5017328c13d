//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Giving a function new extents: types of values, shapes in attributes.
//
//===----------------------------------------------------------------------===//
#include "PayloadDims.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace egg;

void PayloadDims::rewriteSlice(OffsetSizeAndStrideOpInterface slice,
                               Value outer, ArrayRef<int64_t> extents) const {
  auto rules = offsets.find(slice);
  if (rules == offsets.end())
    return;
  SmallVector<int64_t> newOffsets, newSizes;
  for (auto [rule, size, extent] :
       llvm::zip_equal(rules->second, sliceSizes.find(slice)->second,
                       cast<RankedTensorType>(outer.getType()).getShape())) {
    newSizes.push_back(extents[size]);
    switch (rule.kind) {
    case SliceOffset::Kind::Keep:
      newOffsets.push_back(rule.value);
      break;
    case SliceOffset::Kind::Multiple:
      newOffsets.push_back(rule.value * extents[size]);
      break;
    case SliceOffset::Kind::FromEnd:
      newOffsets.push_back(extent - rule.value);
      break;
    }
  }
  Builder builder(slice->getContext());
  slice->setAttr("static_offsets", builder.getDenseI64ArrayAttr(newOffsets));
  slice->setAttr("static_sizes", builder.getDenseI64ArrayAttr(newSizes));
}

void PayloadDims::rewrite(func::FuncOp function,
                          ArrayRef<int64_t> extents) const {
  for (const auto &[value, vars] : valueDims) {
    SmallVector<int64_t> shape;
    for (DimSystem::Var var : vars)
      shape.push_back(extents[var]);
    auto type = cast<RankedTensorType>(value.getType());
    Value(value).setType(RankedTensorType::get(shape, type.getElementType(),
                                               type.getEncoding()));
  }
  function.walk([&](Operation *op) {
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
      expand.setStaticOutputShape(expand.getResultType().getShape());
    } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      rewriteSlice(slice, slice.getSource(), extents);
    } else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
      rewriteSlice(slice, slice.getDest(), extents);
    } else if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
        constant.setValueAttr(
            splat.resizeSplat(cast<ShapedType>(constant.getType())));
    }
  });
  function.setFunctionType(FunctionType::get(
      function.getContext(), function.getBody().getArgumentTypes(),
      function.getBody().front().getTerminator()->getOperandTypes()));
}
