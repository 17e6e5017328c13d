//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExactRuntime.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace egg;

void egg::declareExactRuntime(ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  for (const ExactRuntimeFunction &function : getExactRuntime()) {
    SmallVector<Type> types;
    for (char letter : StringRef(function.signature))
      types.push_back(builder.getIntegerType(letter == 'w' ? 32 : 64));
    auto declaration = LLVM::LLVMFuncOp::create(
        builder, module.getLoc(), function.name,
        LLVM::LLVMFunctionType::get(types.front(),
                                    ArrayRef(types).drop_front()));
    // Pure as far as one run goes.
    using Effect = LLVM::ModRefInfo;
    SmallVector<Effect> none(6, Effect::NoModRef);
    declaration.setMemoryEffectsAttr(
        LLVM::MemoryEffectsAttr::get(module.getContext(), none));
    declaration.setNoUnwind(true);
    declaration.setWillReturn(true);
  }
}
