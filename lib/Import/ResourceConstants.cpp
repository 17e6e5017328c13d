//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Constants in resource sections become plain ones: a payload is whole without
// its file's tail, and equal constants are found equal.
//
//===----------------------------------------------------------------------===//
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace egg {

/// The elements of a resource; null if the bytes are not there or are too few.
static DenseElementsAttr readResource(DenseResourceElementsAttr attr) {
  AsmResourceBlob *blob = attr.getRawHandle().getBlob();
  if (!blob)
    return {};
  ArrayRef<char> bytes = blob->getData();
  ShapedType type = attr.getType();
  if (type.getElementType().isInteger(1)) {
    // A byte a bool.
    if (static_cast<int64_t>(bytes.size()) != type.getNumElements())
      return {};
    SmallVector<bool> values;
    for (char byte : bytes)
      values.push_back(byte != 0);
    return DenseElementsAttr::get(type, values);
  }
  bool isSplat = false;
  if (!DenseElementsAttr::isValidRawBuffer(type, bytes, isSplat) || isSplat)
    return {};
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

void inlineResourceConstants(Operation *root) {
  root->walk([](arith::ConstantOp op) {
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue()))
      if (DenseElementsAttr elements = readResource(resource))
        op.setValueAttr(elements);
  });
}

} // namespace egg
