//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/TransformOps/TransformOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#define GET_OP_CLASSES
#include "egg/TransformOps/TransformOps.cpp.inc"

using namespace mlir;

namespace {
class EggTransformExtension
    : public transform::TransformDialectExtension<EggTransformExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EggTransformExtension)

  using Base::Base;

  void init() {
    declareGeneratedDialect<func::FuncDialect>();
    declareGeneratedDialect<linalg::LinalgDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "egg/TransformOps/TransformOps.cpp.inc"
        >();
  }
};
} // namespace

void egg::registerTransformOps(DialectRegistry &registry) {
  registry.addExtensions<EggTransformExtension>();
}
