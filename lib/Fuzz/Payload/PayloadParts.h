//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The parts random payloads are made of, one function a kind.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_LIB_FUZZ_PAYLOADPARTS_H
#define EGG_LIB_FUZZ_PAYLOADPARTS_H

#include "PayloadBuilder.h"

namespace egg::fuzz {

/// One kind of operations; adds one or a few to the payload.
struct PayloadPart {
  llvm::StringLiteral name;
  void (*add)(PayloadBuilder &);
  /// How often it is drawn, relative to the others.
  int64_t weight;
};

/// Element by element: chains, views, windows of other tensors, gathers.
llvm::ArrayRef<PayloadPart> getPointwiseParts();
/// Reductions of every combiner, row programs, arguments of maxima, scans.
llvm::ArrayRef<PayloadPart> getReductionParts();
/// Products, convolutions and pooling.
llvm::ArrayRef<PayloadPart> getProductParts();

/// The neutral element of a sum, product, maximum, minimum (0 to 3) in a type.
mlir::TypedAttr getNeutral(mlir::Builder &b, mlir::Type type, int kind);
/// Combines with that operation; integers signed.
mlir::Value combine(mlir::OpBuilder &b, mlir::Location loc, mlir::Value lhs,
                    mlir::Value rhs, int kind);

} // namespace egg::fuzz

#endif // EGG_LIB_FUZZ_PAYLOADPARTS_H
